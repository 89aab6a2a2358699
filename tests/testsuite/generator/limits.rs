//! Constraints that the table of ludemes does not express: weights, positions of statements, ranges
//! of numbers.
//!
//! A ludeme without an entry here has the usual weight, is placed by its topic, and has its slots
//! filled by kind.

use super::names::{Section, Variable, topic_stands};
use super::writer::{VALUES, Writer, fits};
use ludwright::language::ludemes::{Kind, Ludeme, Row, Times};

impl Writer {
    /// Weight of a row where this kind is wanted; 0 where it is invalid.
    pub fn weight(&self, row: &Row, wanted: Kind, depth: u32) -> u32 {
        let is_statement = wanted == Kind::Statement;
        if row.ludeme == Ludeme::Case {
            let branches = VALUES.contains(&wanted)
                || is_statement && self.place.section != Section::Elsewhere;
            return if branches && depth > 0 && !self.named(wanted) { 2 } else { 0 };
        }
        if row.ludeme == Ludeme::IfElse {
            let selects =
                VALUES.contains(&wanted) && wanted != Kind::Directions && !self.named(wanted);
            return if selects && !self.settled && depth > 0 { 2 } else { 0 };
        }
        if !fits(wanted, row.result) || self.named(wanted) {
            return 0;
        }
        if is_statement {
            return self.statement_weight(row, depth);
        }
        let has = |kind: Kind| row.slots.iter().any(|slot| slot.kind == kind);
        let in_play = [Kind::Site, Kind::Sites, Kind::Number, Kind::Condition, Kind::Move]
            .into_iter()
            .any(has);
        if self.settled && in_play {
            return 0;
        }
        let is_expression = VALUES.contains(&row.result);
        let leaf = |kind: Kind| matches!(kind, Kind::Piece | Kind::Text);
        let is_simple = row
            .slots
            .iter()
            .all(|slot| matches!(slot.times, Times::Maybe | Times::Any) || leaf(slot.kind));
        if is_expression && depth == 0 && !is_simple && row.ludeme != Ludeme::RowOf {
            return 0;
        }
        let over_sites = row.slots.first().is_some_and(|slot| slot.kind == Kind::Variable)
            && row.slots[1].kind == Kind::Sites;
        if over_sites && is_expression && self.nested >= self.deepest() {
            return 0;
        }
        let names = &self.names;
        let owned = names.pieces.iter().any(|(_, owned)| *owned);
        match row.ludeme {
            Ludeme::Mine | Ludeme::Theirs | Ludeme::Of if !owned => 0,
            // Moves ask only for earlier ones, so that none asks for itself.
            Ludeme::Can if names.moves.is_empty() || names.is_large() => 0,
            Ludeme::Can if self.used.contains(&Ludeme::Illegal) => 0,
            Ludeme::LastMove if names.moves.is_empty() => 0,
            Ludeme::LastMove => 3,
            // Written by the rule of repetition itself.
            Ludeme::Throughout => 0,
            Ludeme::Can => 2,
            Ludeme::ColumnOf | Ludeme::ColumnsBetween if names.columns.is_empty() => 0,
            Ludeme::Forward | Ludeme::ForwardOf | Ludeme::Left | Ludeme::Right | Ludeme::Back
                if !names.faces =>
            {
                0
            }
            Ludeme::Offsets if !(names.faces && names.counts_rows && names.squares) => 0,
            Ludeme::OptionIs | Ludeme::With if names.words.is_empty() => 0,
            Ludeme::Hide if names.memories.is_empty() => 0,
            Ludeme::Start if names.paths.is_empty() => 0,
            Ludeme::Height | Ludeme::Under if !names.piled => 0,
            Ludeme::Below | Ludeme::Above if !names.layered => 0,
            Ludeme::Below | Ludeme::Above => 12,
            Ludeme::Cells | Ludeme::Sides | Ludeme::Posts => {
                if names.sorts.contains(&row.ludeme) {
                    8
                } else {
                    0
                }
            }
            // Where a type must be told from it alone, it is no site.
            Ludeme::NoDirection => 0,
            Ludeme::True
            | Ludeme::False
            | Ludeme::Nowhere
            | Ludeme::NoSiteAtAll
            | Ludeme::CutOut
            | Ludeme::OptionIs => 1,
            Ludeme::Everywhere | Ludeme::Multiply => 3,
            Ludeme::Empty | Ludeme::Pieces | Ludeme::Mine | Ludeme::Theirs => 10,
            Ludeme::Mover => 16,
            _ if wanted != row.result => 3,
            _ => 6,
        }
    }

    fn statement_weight(&self, row: &Row, depth: u32) -> u32 {
        let place = self.place;
        if !self.stands(row, depth) {
            return 0;
        }
        match row.ludeme {
            Ludeme::EndTurn | Ludeme::ExtraTurn if self.drops => 4,
            Ludeme::EndTurn | Ludeme::ExtraTurn | Ludeme::Cut => 1,
            // Outside of a condition it soon ends the game.
            Ludeme::Lose if self.drops => {
                if place.guarded {
                    6
                } else {
                    1
                }
            }
            Ludeme::Repeat | Ludeme::Steps | Ludeme::While
                if self.drops && !self.names.is_large() =>
            {
                8
            }
            Ludeme::While if place.section == Section::Move => 1,
            Ludeme::Require | Ludeme::Let => 3,
            Ludeme::Join => 30,
            Ludeme::If if place.section == Section::End && !place.guarded => 20,
            Ludeme::Choose => 8,
            Ludeme::Steps if self.names.is_large() => 1,
            Ludeme::If
            | Ludeme::For
            | Ludeme::Set
            | Ludeme::Raise
            | Ludeme::Lower
            | Ludeme::Mark => 5,
            _ if row.topic != "Results" => 4,
            _ if matches!(place.section, Section::Move | Section::Play) => 1,
            _ => 8,
        }
    }

    /// Tests if a statement is valid here and the game declares what it needs.
    fn stands(&self, row: &Row, depth: u32) -> bool {
        let (place, names) = (self.place, &self.names);
        let has = |kind: Kind| row.slots.iter().any(|slot| slot.kind == kind);
        let named = |such: &dyn Fn(Kind) -> bool| {
            self.scope.iter().any(|variable| variable.changes && such(variable.kind))
        };
        let holds = |kind: Kind| {
            names.memories.iter().any(|memory| memory.holds == kind) || named(&|it| it == kind)
        };
        let too_deep = depth == 0 && has(Kind::Statement);
        // Rounds of effects, which are not too many.
        let rounds = matches!(row.ludeme, Ludeme::Repeat | Ludeme::While)
            && matches!(place.section, Section::Setup | Section::Move);
        let too_many = self.decisions == 0
            && !rounds
            && (has(Kind::Move)
                || row.topic == "The order of play"
                    && !matches!(row.ludeme, Ludeme::EndTurn | Ludeme::ExtraTurn));
        let too_wide = has(Kind::Variable) && has(Kind::Sites) && self.nested >= self.deepest();
        if too_deep || too_many || too_wide {
            return false;
        }
        let by_topic = topic_stands(row.topic, place);
        match row.ludeme {
            // Many never end.
            Ludeme::While if rounds => place.section == Section::Move && place.guarded,
            Ludeme::Repeat if rounds => self.nested < self.deepest(),
            Ludeme::Require => place.section == Section::Move && !self.easy,
            Ludeme::EndTurn | Ludeme::ExtraTurn => place.section == Section::Move,
            Ludeme::Join => place.chained,
            // Written by the setup itself: it has a text for each row.
            Ludeme::Diagram => false,
            // Written at the end of a move.
            Ludeme::Then => false,
            // Written with its loop.
            Ludeme::AtMostRounds => false,
            // Written by the rule of repetition itself.
            Ludeme::Illegal => false,
            Ludeme::Shift if names.piled => false,
            Ludeme::Let => !place.has_plies() && place.section != Section::Elsewhere,
            Ludeme::If | Ludeme::For => place.section != Section::Elsewhere,
            // Nobody drops out by repetition.
            Ludeme::Lose if names.players.len() > 2 && place.section == Section::Repetition => {
                false
            }
            Ludeme::Lose => by_topic || self.drops && place.section == Section::Play,
            // Statements after them would be unreachable.
            Ludeme::Turns | Ludeme::Forever => false,
            Ludeme::Chance => by_topic && !names.rolls.is_empty(),
            Ludeme::Raise | Ludeme::Lower => by_topic && holds(Kind::Number),
            Ludeme::Mark | Ludeme::Unmark => by_topic && holds(Kind::Sites),
            Ludeme::Set => by_topic && (!names.memories.is_empty() || named(&|_| true)),
            _ => by_topic,
        }
    }

    /// Writes a slot that must be in a range or known at compile time; `None` for other slots.
    pub fn limited(&mut self, row: &Row, index: usize, depth: u32) -> Option<String> {
        let number =
            |dice: &mut super::dice::Dice, least, most| Some(dice.between(least, most).to_string());
        let slot = &row.slots[index];
        if slot.kind == Kind::Player && matches!(row.result, Kind::Assertion | Kind::Circumstance) {
            return Some(self.dice.pick(&self.names.players).clone());
        }
        match (row.ludeme, index) {
            (Ludeme::Step, 2) if self.dice.percent(70) => Some(String::new()),
            // A number known in play, too; it must not be known before.
            (Ludeme::Step, 2) if !self.settled && self.dice.percent(50) => {
                let pieces = self.form(Ludeme::Pieces, &[]);
                let count = self.form(Ludeme::Count, &[pieces]);
                let less = self.dice.between(0, 4).to_string();
                Some(self.form(Ludeme::Subtract, &[count, less]))
            }
            (Ludeme::Step, 2) => number(&mut self.dice, 1, 3),
            // What follows each passage of a site.
            (Ludeme::Walk | Ludeme::Slide | Ludeme::Beside, 1) | (Ludeme::Group, 2)
                if !self.names.returning.is_empty() && self.dice.percent(50) =>
            {
                let path = self.dice.pick(&self.names.returning).clone();
                let back = self.form(Ludeme::Opposite, std::slice::from_ref(&path));
                let other = self.dice.pick(&self.names.directions).clone();
                Some(match self.dice.below(4) {
                    0 => path,
                    1 => back,
                    2 => format!("(list {path} {back})"),
                    _ => format!("(list {path} {other})"),
                })
            }
            (Ludeme::Start, 0) => match self.dice.percent(70) {
                true => Some(self.dice.pick(&self.names.paths).clone()),
                false => {
                    let path = self.dice.pick(&self.names.paths).clone();
                    Some(self.form(Ludeme::Opposite, &[path]))
                }
            },
            (Ludeme::Clockwise, 0) if !self.names.paths.is_empty() => {
                Some(self.dice.pick(&self.names.directions).clone())
            }
            (Ludeme::NumbersBetween, 0) => number(&mut self.dice, 0, 2),
            (Ludeme::NumbersBetween, 1) => number(&mut self.dice, 2, 4),
            (Ludeme::Distance, 2) => {
                let direction = self.dice.pick(&self.names.directions).clone();
                let mut lists = vec!["", "all", "orthogonal", "axes", direction.as_str()];
                let fixed = |path: &&String| !path.starts_with('(') && !path.starts_with('W');
                lists.extend(self.names.paths.iter().filter(fixed).map(String::as_str));
                Some((*self.dice.pick(&lists)).to_owned())
            }
            // Directions come after a region only.
            (Ludeme::Cells | Ludeme::Sides | Ludeme::Posts, 0) if depth > 0 => {
                self.draw(Kind::Sites, depth - 1)
            }
            (Ludeme::Line, 0) => number(&mut self.dice, 1, 4),
            (Ludeme::Piled, 0) => number(&mut self.dice, 2, 4),
            (Ludeme::Under, 0) => {
                let whose = [Ludeme::Pieces, Ludeme::Mine, Ludeme::Theirs, Ludeme::Empty];
                let owned = self.names.pieces.iter().any(|(_, owned)| *owned);
                let known = if owned { &whose[..] } else { &whose[..1] };
                let (one, other) = (*self.dice.pick(known), *self.dice.pick(known));
                let (one, other) = (self.form(one, &[]), self.form(other, &[]));
                match self.dice.below(4) {
                    0 => Some(self.form(Ludeme::Both, &[one, other])),
                    1 => Some(self.form(Ludeme::Outside, &[one])),
                    _ => Some(one),
                }
            }
            (Ludeme::Under, 1) => match self.dice.below(3) {
                0 => Some(String::new()),
                1 => Some(String::from("1")),
                _ => {
                    let pieces = self.form(Ludeme::Pieces, &[]);
                    Some(self.form(Ludeme::Count, &[pieces]))
                }
            },
            (Ludeme::EdgeOf, 0) => Some(self.dice.pick(&self.names.directions).clone()),
            (Ludeme::RowOf, 0) | (Ludeme::RowsBetween, 0 | 1) => {
                number(&mut self.dice, 1, self.names.rows.min(self.names.columns.len()))
            }
            (Ludeme::RowOf, 1) | (Ludeme::RowsBetween, 2) => {
                let counted = self.names.counts_rows && !self.settled && self.dice.percent(60);
                if counted { self.draw(Kind::Player, 0) } else { Some(String::new()) }
            }
            (Ludeme::Clockwise, 1) => Some((self.dice.below(20) as i32 - 10).to_string()),
            (Ludeme::ColumnOf, 0) | (Ludeme::ColumnsBetween, 0 | 1) => {
                Some(format!("\"{}\"", self.dice.pick(&self.names.columns)))
            }
            (Ludeme::ColumnsFrom, 0) => {
                Some(format!("\"{}\"", self.dice.pick(&["b", "k", "x", "A", "Q"])))
            }
            (Ludeme::Leap, 1 | 2) => number(&mut self.dice, 0, 3),
            (Ludeme::Offsets, 2) => {
                let mut number = || self.dice.below(7) as i32 - 3;
                Some(format!("({} {})", number(), number()))
            }
            (Ludeme::Divide | Ludeme::Remainder, 1) => number(&mut self.dice, 1, 5),
            (Ludeme::ChooseNumber, 1) => number(&mut self.dice, 0, 1),
            (Ludeme::ChooseNumber, 2) => {
                // Many combinations of numbers are made by one routine.
                let most = if self.dice.percent(15) { 9 } else { 4 };
                number(&mut self.dice, 1, most)
            }
            (Ludeme::Repetition, 0) => number(&mut self.dice, 2, 4),
            (Ludeme::EndsWithin | Ludeme::DrawsBelow, 0)
            | (Ludeme::ScoresBelow | Ludeme::ScoresAbove, 1) => number(&mut self.dice, 1, 99),
            (Ludeme::Steps | Ludeme::Repeat, 0) if self.dice.percent(70) => {
                number(&mut self.dice, 1, 3)
            }
            (Ludeme::Steps | Ludeme::Repeat, 0) => {
                let parts = [String::from("3"), self.draw(Kind::Number, depth.min(1))?];
                Some(self.form(Ludeme::Least, &parts))
            }
            (Ludeme::While, 1) => {
                let is_bound = self.place.section == Section::Move && self.dice.percent(70);
                let rounds = self.dice.between(1, 6).to_string();
                Some(if is_bound {
                    self.form(Ludeme::AtMostRounds, &[rounds])
                } else {
                    String::new()
                })
            }
            (Ludeme::OptionIs | Ludeme::With, 0) => Some(self.names.words.first()?.0.clone()),
            (Ludeme::OptionIs | Ludeme::With, 1) => {
                Some(self.dice.pick(&self.names.words.first()?.1).clone())
            }
            (Ludeme::After, _) => Some(String::from("\"drop a1\"")),
            (Ludeme::SeatIs, 1) => {
                Some(format!("\"{}\"", self.dice.pick(&["random", "greedy", "mcts:20it"])))
            }
            (Ludeme::LookLines, _) => {
                let mut site = || self.dice.pick(&self.names.sites).clone();
                Some(format!("({} {})", site(), site()))
            }
            (Ludeme::ColorOf, 0) => {
                let pieces =
                    self.names.pieces.iter().filter(|(_, owned)| !owned).map(|(name, _)| name);
                let known: Vec<&String> = self.names.players.iter().chain(pieces).collect();
                Some((*self.dice.pick(&known)).clone())
            }
            (Ludeme::ShapeOf, 0) => Some(self.names.pieces.first()?.0.clone()),
            // Only owned pieces have a shape per player, and a letter is drawn on a shape.
            (Ludeme::ShapeOf, 1) => Some(if self.names.pieces.first()?.1 {
                self.names.players.first()?.clone()
            } else {
                String::new()
            }),
            (Ludeme::ShapeOf, 2) => Some(self.dice.pick(&["disc", "ring", "star"]).to_string()),
            (Ludeme::ShapeOf, 3) => Some(String::from("\"x\"")),
            (Ludeme::Spell, 0) => {
                let names = &self.names;
                let mut known: Vec<String> = vec!["columns".to_owned(), "win".to_owned()];
                known.extend(names.moves.iter().chain(&names.players).cloned());
                known.extend(names.pieces.iter().map(|(name, _)| name.clone()));
                Some(self.dice.pick(&known).clone())
            }
            (Ludeme::Spell, 1) => Some(String::new()),
            (Ludeme::Spell, 2) => Some(String::from("\"x\"")),
            (Ludeme::Hide, 0) => Some(self.names.memories.first()?.name.clone()),
            _ if slot.kind == Kind::Number
                && row.result == Kind::Condition
                && self.dice.percent(4) =>
            {
                Some(String::from("1.5"))
            }
            _ => None,
        }
    }

    /// Writes the rows whose slots need more than their kinds.
    pub fn special(&mut self, row: &Row, depth: u32) -> Option<Option<String>> {
        match row.ludeme {
            Ludeme::Let => Some(self.named_value(depth)),
            Ludeme::Steps => Some(self.steps(row, depth)),
            Ludeme::GoOn => Some(self.going_on()),
            _ => None,
        }
    }

    fn named_value(&mut self, depth: u32) -> Option<String> {
        let kind = *self.dice.pick(&VALUES);
        let value = self.draw(kind, depth.min(2))?;
        let name = self.fresh('v');
        let changes = kind != Kind::Directions;
        self.scope.push(Variable { name: name.clone(), kind, settled: false, changes });
        Some(self.form(Ludeme::Let, &[name, value]))
    }

    fn steps(&mut self, row: &Row, depth: u32) -> Option<String> {
        let count = match self.limited(row, 0, depth) {
            Some(count) => count,
            None => self.draw(Kind::Number, depth)?,
        };
        let mut moves = self.names.moves.clone();
        let stops = |verb: &String| self.names.pass.as_ref() == Some(verb);
        let goes_on = |verb: &String| self.names.going.contains(verb) || stops(verb);
        moves.retain(|verb| self.names.going.is_empty() || !goes_on(verb));
        if moves.is_empty() {
            return None;
        }
        let most = self.dice.between(1, 2);
        let moves = self.dice.some(&moves, most);
        let mut parts = vec![count, self.form(Ludeme::Choose, &moves)];
        if self.dice.percent(50) {
            let condition = self.draw(Kind::Condition, depth.min(2))?;
            parts.push(self.form(Ludeme::SoThat, &[condition]));
        }
        self.decisions = self.decisions.saturating_sub(1);
        Some(self.form(Ludeme::Steps, &parts))
    }

    /// Writes the moves with which a piece goes on, often with one that stops it.
    fn going_on(&mut self) -> Option<String> {
        let stop = self.names.pass.clone().filter(|_| self.dice.percent(50));
        let moves: Vec<String> = self.names.going.iter().cloned().chain(stop).collect();
        Some(self.form(Ludeme::GoOn, &moves))
    }

    /// Writes a `case` on a player, on an option of words, or on a value.
    pub fn case(&mut self, wanted: Kind, depth: u32) -> Option<String> {
        let depth = depth.saturating_sub(1);
        if !self.settled && wanted != Kind::Directions && self.dice.percent(40) {
            return self.case_of_value(wanted, depth);
        }
        let mut values = self.names.players.clone();
        let subject = match self.names.words.first().cloned() {
            Some((name, words)) if self.dice.percent(30) => {
                values = words;
                name
            }
            _ => self.draw(Kind::Player, 0)?,
        };
        let otherwise = self.dice.percent(40);
        if otherwise {
            let most = self.dice.below(values.len() + 1).max(1);
            values = self.dice.some(&values, most);
        }
        let mut parts = vec![subject];
        for value in values {
            let body = self.branch(wanted, depth)?;
            parts.push(format!("({})", [vec![value], body].concat().join(" ")));
        }
        if otherwise {
            let body = self.branch(wanted, depth)?;
            parts.push(self.form(Ludeme::Else, &body));
        }
        Some(self.form(Ludeme::Case, &parts))
    }

    fn case_of_value(&mut self, wanted: Kind, depth: u32) -> Option<String> {
        let kind = *self.dice.pick(&[Kind::Piece, Kind::Piece, Kind::Direction, Kind::Number]);
        let known = match kind {
            Kind::Piece => self.names.pieces.iter().map(|(name, _)| name.clone()).collect(),
            Kind::Direction => self.names.directions.clone(),
            // Those that every option of numbers can be.
            _ if !self.names.numbers.is_empty() => ["1", "3", "5"].map(str::to_owned).to_vec(),
            _ => (0..4).map(|number| number.to_string()).collect(),
        };
        let owned = std::mem::replace(&mut self.owned, false);
        let subject = self.draw(kind, depth.min(1));
        self.owned = owned;
        let mut parts = vec![subject?];
        let most = self.dice.between(1, known.len().min(3));
        for value in self.dice.some(&known, most) {
            let body = self.branch(wanted, depth)?;
            parts.push(format!("({})", [vec![value], body].concat().join(" ")));
        }
        if wanted != Kind::Statement || self.dice.percent(50) {
            let body = self.branch(wanted, depth)?;
            parts.push(self.form(Ludeme::Else, &body));
        }
        Some(self.form(Ludeme::Case, &parts))
    }

    /// Writes an `if` that stands for a value.
    pub fn if_else(&mut self, wanted: Kind, depth: u32) -> Option<String> {
        let depth = depth.saturating_sub(1);
        let condition = self.draw(Kind::Condition, depth)?;
        let value = self.draw(wanted, depth)?;
        let other = self.draw(wanted, depth)?;
        let other = self.form(Ludeme::Else, &[other]);
        Some(self.form(Ludeme::IfElse, &[condition, value, other]))
    }

    fn branch(&mut self, wanted: Kind, depth: u32) -> Option<Vec<String>> {
        match wanted {
            Kind::Statement => {
                let count = self.dice.below(3);
                self.statements(count, depth)
            }
            _ => Some(vec![self.draw(wanted, depth)?]),
        }
    }

    /// Writes the region of a row's variable. Moves choose from regions that are rarely empty, and
    /// from small ones after the first choice.
    pub fn region(&mut self, row: &Row, depth: u32) -> Option<String> {
        if row.result != Kind::Parameter {
            return self.draw(Kind::Sites, depth);
        }
        let chosen = self
            .scope
            .iter()
            .rev()
            .find(|variable| variable.kind == Kind::Site)
            .map(|variable| variable.name.clone());
        let Some(site) = chosen else {
            let easy = match row.ludeme {
                Ludeme::ChooseFrom => [Ludeme::Mine, Ludeme::Mine, Ludeme::Pieces],
                Ludeme::ChooseTo => [Ludeme::Empty, Ludeme::Empty, Ludeme::Theirs],
                _ => [Ludeme::Empty, Ludeme::Pieces, Ludeme::Mine],
            };
            let easy = *self.dice.pick(&easy);
            let owned = self.names.pieces.iter().any(|(_, owned)| *owned);
            let easy = if !owned && easy != Ludeme::Empty { Ludeme::Pieces } else { easy };
            return match self.dice.percent(if self.easy { 90 } else { 60 }) {
                true => Some(self.form(easy, &[])),
                false => self.draw(Kind::Sites, depth),
            };
        };
        if !self.easy && self.names.sites.len() <= 30 && self.dice.percent(20) {
            return self.draw(Kind::Sites, depth);
        }
        let near = self.near(&site, depth)?;
        Some(match self.dice.below(10) {
            0 | 1 => near,
            5..=7 if self.easy => near,
            8 | 9 if self.easy => {
                let mine = self.form(Ludeme::Pieces, &[]);
                let other = self.form(Ludeme::Outside, &[mine]);
                self.form(Ludeme::Both, &[near, other])
            }
            2..=4 => {
                let empty = self.form(Ludeme::Empty, &[]);
                self.form(Ludeme::Both, &[near, empty])
            }
            5 => {
                let other = self.draw(Kind::Sites, 1)?;
                self.form(Ludeme::Both, &[near, other])
            }
            _ => {
                let pieces = self.draw(Kind::Sites, 0)?;
                let other = self.form(Ludeme::Outside, &[pieces]);
                self.form(Ludeme::Both, &[near, other])
            }
        })
    }

    /// Writes a small region around a site.
    fn near(&mut self, site: &str, depth: u32) -> Option<String> {
        let site = site.to_owned();
        let directions = match self.dice.percent(60) {
            true => self.form(Ludeme::All, &[]),
            false => self.draw(Kind::Directions, 0)?,
        };
        Some(match self.dice.below(if self.easy { 6 } else { 9 }) {
            0..=4 => self.form(Ludeme::Beside, &[site, directions]),
            5 if self.dice.percent(40) => self.form(Ludeme::Slide, &[site, directions]),
            5 => {
                let through = self.draw(Kind::Sites, depth.min(1))?;
                self.form(Ludeme::Walk, &[site, directions, through])
            }
            6 => {
                let (along, across) =
                    (self.dice.between(1, 3).to_string(), self.dice.below(3).to_string());
                self.form(Ludeme::Leap, &[site, along, across])
            }
            7 => {
                let (direction, stops) =
                    (self.draw(Kind::Direction, 0)?, self.draw(Kind::Sites, 0)?);
                self.form(Ludeme::First, &[site, direction, stops])
            }
            _ => {
                let direction = self.draw(Kind::Direction, 0)?;
                self.form(Ludeme::Step, &[site, direction])
            }
        })
    }
}
