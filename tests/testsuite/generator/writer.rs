//! Generates expressions and statements: picks a row of the table of ludemes with the wanted
//! result, and fills its slots by kind.
//!
//! This module has no special cases for ludemes beyond their kinds; those are in [`super::limits`].

use super::Theme;
use super::dice::Dice;
use super::names::{Names, Place, Section, Variable};
use ludwright::language::ludemes::{Kind, Ludeme, Row, Slot, TABLE, Times};

/// Kinds of variables.
pub const VALUES: [Kind; 8] = [
    Kind::Number,
    Kind::Condition,
    Kind::Sites,
    Kind::Site,
    Kind::Direction,
    Kind::Directions,
    Kind::Player,
    Kind::Piece,
];

/// Writes a game part by part.
pub struct Writer {
    pub dice: Dice,
    /// Whether players drop out, in turns of several plies.
    pub drops: bool,
    pub names: Names,
    pub scope: Vec<Variable>,
    pub place: Place,
    /// Whether the expression must be known at compile time, as directions around plies must.
    pub settled: bool,
    /// Whether a piece must be owned.
    pub owned: bool,
    /// Whether a kind of piece must be named.
    named: bool,
    /// Number of enclosing loops over sites.
    pub nested: u32,
    /// Whether the current move should usually have a legal instance.
    pub easy: bool,
    /// How many more decisions the order of play may have.
    pub decisions: usize,
    /// Ludemes written so far.
    pub used: Vec<Ludeme>,
    fresh: usize,
}

/// A candidate expression or statement.
enum Choice {
    Text(String),
    Memory(usize),
    Definition(usize),
    /// A test if a site is in a defined region for some site that the region depends on.
    Relation(usize),
    Row(&'static Row),
}

/// State shared by the slots of a row.
#[derive(Default)]
struct Filling {
    /// Variable that is not in scope yet.
    variable: Option<String>,
    /// Kind of value of the memory in this row.
    holds: Option<Kind>,
    /// Whether an optional player is named.
    with_player: bool,
}

impl Writer {
    pub fn new(seed: u64, theme: Theme) -> Writer {
        Writer {
            dice: Dice::new(seed),
            drops: theme == Theme::DropOuts,
            names: Names::default(),
            scope: Vec::new(),
            place: Place::of(Section::Elsewhere),
            settled: false,
            owned: false,
            named: false,
            nested: 0,
            easy: false,
            decisions: 0,
            used: Vec::new(),
            fresh: 0,
        }
    }

    /// Returns an unused name that begins with this letter.
    pub fn fresh(&mut self, first: char) -> String {
        let mut letters = String::new();
        let mut number = self.fresh;
        self.fresh += 1;
        loop {
            letters.insert(0, char::from(b'a' + (number % 26) as u8));
            number /= 26;
            if number == 0 {
                break;
            }
        }
        format!("{first}-{letters}")
    }

    /// Writes a form with given parts.
    pub fn form(&mut self, ludeme: Ludeme, parts: &[String]) -> String {
        self.used.push(ludeme);
        let row = ludeme.row();
        match row.word {
            true => row.spelling.to_owned(),
            false => format!(
                "({})",
                std::iter::once(row.spelling)
                    .chain(parts.iter().map(String::as_str))
                    .collect::<Vec<_>>()
                    .join(" ")
            ),
        }
    }

    /// Writes something of the wanted kind, nested at most `depth` deep. `None` if the game has
    /// nothing of the kind.
    pub fn draw(&mut self, wanted: Kind, depth: u32) -> Option<String> {
        if let Some(word) = self.word(wanted) {
            return Some(word);
        }
        let settled = self.settled;
        let mut choices = self.choices(wanted, depth);
        let mut drawn = None;
        while drawn.is_none() {
            let weights: Vec<u32> = choices.iter().map(|&(_, weight)| weight).collect();
            let Some(index) = self.dice.weighted(&weights) else { break };
            let before =
                (self.used.len(), self.scope.len(), self.place, self.nested, self.decisions);
            let choice = std::mem::replace(&mut choices[index], (Choice::Text(String::new()), 0)).0;
            drawn = self.write(&choice, wanted, depth);
            if drawn.is_none() {
                self.used.truncate(before.0);
                self.scope.truncate(before.1);
                (self.place, self.nested, self.decisions) = (before.2, before.3, before.4);
            }
        }
        self.settled = settled;
        drawn
    }

    /// Lists all candidates of the wanted kind, with weights.
    fn choices(&mut self, wanted: Kind, depth: u32) -> Vec<(Choice, u32)> {
        let mut choices: Vec<(Choice, u32)> = Vec::new();
        for variable in &self.scope {
            let known = !self.settled || variable.settled;
            if fits(wanted, variable.kind) && known && !self.named(wanted) {
                let weight = if variable.kind == wanted { 24 } else { 8 };
                choices.push((Choice::Text(variable.name.clone()), weight));
            }
        }
        for (text, weight) in self.literals(wanted) {
            choices.push((Choice::Text(text), weight));
        }
        for (index, memory) in self.names.memories.iter().enumerate() {
            if fits(wanted, memory.holds) && !self.settled && !self.named(wanted) {
                choices.push((Choice::Memory(index), 4));
            }
        }
        for (index, definition) in self.names.definitions.iter().enumerate() {
            let known = !self.settled || definition.settled;
            let here = definition.section.is_none_or(|section| {
                section == self.place.section && (section != Section::End || self.place.guarded)
            });
            // A definition may stand for an unowned kind.
            let unowned = wanted == Kind::Piece && (self.named || self.owned);
            if fits(wanted, definition.kind)
                && !unowned
                && known
                && here
                && (depth > 0 || definition.parameters.is_empty())
            {
                choices.push((Choice::Definition(index), 4));
            }
            let related = definition.kind == Kind::Sites
                && definition.parameters.contains(&Kind::Site)
                && self.nested < self.deepest();
            if wanted == Kind::Condition && related && known && here && depth > 0 {
                choices.push((Choice::Relation(index), 6));
            }
        }
        for row in TABLE {
            let weight = self.weight(row, wanted, depth);
            if weight > 0 {
                choices.push((Choice::Row(row), weight));
            }
        }
        choices
    }

    fn write(&mut self, choice: &Choice, wanted: Kind, depth: u32) -> Option<String> {
        match choice {
            Choice::Text(text) => Some(text.clone()),
            Choice::Memory(index) => self.access(*index, depth),
            Choice::Definition(index) => {
                let definition = self.names.definitions[*index].clone();
                let mut parts = vec![definition.name];
                for kind in definition.parameters {
                    parts.push(self.draw(kind, depth.saturating_sub(1))?);
                }
                Some(if parts.len() == 1 {
                    parts.remove(0)
                } else {
                    format!("({})", parts.join(" "))
                })
            }
            Choice::Relation(index) => {
                let definition = self.names.definitions[*index].clone();
                let place = definition.parameters.iter().position(|&kind| kind == Kind::Site)?;
                let depth = depth.saturating_sub(1);
                let (target, domain) =
                    (self.draw(Kind::Site, depth)?, self.draw(Kind::Sites, depth)?);
                let variable = self.fresh('v');
                let mut parts = vec![definition.name];
                for (index, &kind) in definition.parameters.iter().enumerate() {
                    let argument =
                        if index == place { variable.clone() } else { self.draw(kind, depth)? };
                    parts.push(argument);
                }
                let related = format!("(in {target} ({}))", parts.join(" "));
                Some(self.form(Ludeme::Exists, &[variable, domain, related]))
            }
            Choice::Row(row) => match row.ludeme {
                Ludeme::Case => self.case(wanted, depth),
                Ludeme::IfElse => self.if_else(wanted, depth),
                _ => self.fill(row, depth),
            },
        }
    }

    /// Writes a word or text of a kind that has no forms or names.
    fn word(&mut self, wanted: Kind) -> Option<String> {
        let list = |text: &str| {
            text.split(", ")
                .flat_map(|part| part.split(" or "))
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        let words: Vec<String> = match wanted {
            Kind::Text => list("\"a text\" or \"some words\""),
            Kind::Color => list("white, maroon, sky or \"#a0b0c0\""),
            Kind::Figure => list("disc, ring, star or \"x\""),
            Kind::Edge
            | Kind::Wrapping
            | Kind::Border
            | Kind::Ownership
            | Kind::Grid
            | Kind::Format
            | Kind::Holds => list(wanted.spelling()),
            _ => return None,
        };
        Some(self.dice.pick(&words).clone())
    }

    fn literals(&mut self, wanted: Kind) -> Vec<(String, u32)> {
        let names = &self.names;
        match wanted {
            Kind::Number => {
                let mut all = vec![
                    (self.dice.below(5).to_string(), 16),
                    (self.dice.between(5, 30).to_string(), 2),
                    (String::from("-1"), 1),
                ];
                all.extend(self.names.numbers.iter().map(|name| (name.clone(), 3)));
                all
            }
            Kind::Site | Kind::Sites => vec![(
                self.dice.pick(&names.sites).clone(),
                if wanted == Kind::Site { 6 } else { 3 },
            )],
            Kind::Direction | Kind::Directions => {
                let mut all = vec![(self.dice.pick(&names.directions).clone(), 10)];
                if !names.winds.is_empty() {
                    all.push((self.dice.pick(&names.winds).clone(), 10));
                }
                all.extend(names.paths.iter().map(|path| (path.clone(), 5)));
                all
            }
            Kind::Player => vec![(self.dice.pick(&names.players).clone(), 6)],
            Kind::Piece => names
                .pieces
                .iter()
                .filter(|(_, owned)| *owned || !self.owned)
                .map(|(name, _)| (name.clone(), 8))
                .collect(),
            Kind::OptionValue => vec![(self.dice.below(4).to_string(), 1)],
            _ => Vec::new(),
        }
    }

    /// Tests if a kind of piece that must be named is wanted.
    pub fn named(&self, wanted: Kind) -> bool {
        self.named && wanted == Kind::Piece
    }

    /// Writes a form of a row, filling its slots.
    pub fn fill(&mut self, row: &'static Row, depth: u32) -> Option<String> {
        if let Some(special) = self.special(row, depth) {
            return special;
        }
        let (mark, outer, nested) = (self.scope.len(), self.place, self.nested);
        let owned_piece = self.names.pieces.iter().any(|(_, owned)| *owned);
        let mut filling =
            Filling { with_player: owned_piece && self.dice.percent(40), ..Filling::default() };
        let mut parts = Vec::new();
        for (index, slot) in row.slots.iter().enumerate() {
            parts.extend(self.slot(row, index, slot, depth.saturating_sub(1), &mut filling)?);
        }
        self.bind(&mut filling, Kind::Number, true);
        (self.place, self.nested) = (outer, nested);
        // Variables of a move's parameters stay in scope for the whole move.
        if row.result != Kind::Parameter {
            self.scope.truncate(mark);
        }
        let text = self.form(row.ludeme, &parts);
        if row.topic == "The order of play" && row.slots.iter().any(|slot| slot.kind == Kind::Move)
        {
            self.decisions = self.decisions.saturating_sub(1);
        }
        Some(text)
    }

    fn slot(
        &mut self,
        row: &'static Row,
        index: usize,
        slot: &Slot,
        depth: u32,
        filling: &mut Filling,
    ) -> Option<Vec<String>> {
        if let Some(text) = self.limited(row, index, depth) {
            return Some(vec![text]);
        }
        let count = match slot.times {
            Times::One => 1,
            Times::Maybe if slot.kind == Kind::Player => usize::from(filling.with_player),
            Times::Piled => usize::from(self.names.piled && self.dice.percent(50)),
            Times::Maybe if slot.kind == Kind::GoOn => {
                usize::from(!self.names.going.is_empty() && self.dice.percent(70))
            }
            Times::Maybe => {
                usize::from((depth > 0 || slot.kind == Kind::Otherwise) && self.dice.percent(50))
            }
            Times::Some if slot.kind == Kind::Statement => self.dice.between(1, 2),
            Times::Some => self.dice.between(1, if depth == 0 { 2 } else { 3 }),
            Times::Any if slot.kind == Kind::Statement => {
                self.dice.between(usize::from(row.result == Kind::Statement), 2)
            }
            Times::Any => *self.dice.pick(&[0, 0, 1, 1, 2]),
        };
        Some(match slot.kind {
            Kind::Variable => {
                let variable = self.fresh('v');
                filling.variable = Some(variable.clone());
                // The variable of a loop over numbers is in scope from here on; others only after
                // their domain.
                if row.slots.get(index + 1).is_some_and(|next| next.kind == Kind::Number)
                    && row.result == Kind::Statement
                {
                    self.bind(filling, Kind::Player, true);
                }
                vec![variable]
            }
            Kind::Domain => {
                let (text, kind) = self.domain(depth)?;
                self.run(row, filling, kind);
                vec![text]
            }
            // Effects on many sites at once soon make the game trivial.
            Kind::Sites
                if row.result == Kind::Statement
                    && filling.variable.is_none()
                    && self.dice.percent(60) =>
            {
                vec![self.draw(Kind::Site, depth)?]
            }
            Kind::Sites if filling.variable.is_some() => {
                let text = self.region(row, depth)?;
                self.run(row, filling, Kind::Site);
                vec![text]
            }
            Kind::Directions if filling.variable.is_some() => {
                let text = self.draw(Kind::Directions, depth)?;
                self.run(row, filling, Kind::Direction);
                vec![text]
            }
            Kind::Piece => {
                let whose = row.slots.iter().find(|slot| slot.kind == Kind::Player);
                let owned = match whose {
                    Some(player) => player.times != Times::Maybe || filling.with_player,
                    None => matches!(row.ludeme, Ludeme::Mine | Ludeme::Theirs),
                };
                let before = (self.owned, self.named);
                let named = matches!(row.ludeme, Ludeme::ChooseKind | Ludeme::Kinds);
                (self.owned, self.named) = (owned, named);
                let pieces: Option<Vec<String>> =
                    (0..count).map(|_| self.draw(Kind::Piece, depth)).collect();
                (self.owned, self.named) = before;
                let mut pieces = pieces.or((slot.times == Times::Any).then(Vec::new))?;
                pieces.dedup();
                if filling.variable.is_some() {
                    self.bind(filling, Kind::Piece, true);
                }
                pieces
            }
            Kind::Move => {
                let easy = self.dice.percent(85) && !self.names.easy.is_empty();
                let first =
                    self.dice.pick(if easy { &self.names.easy } else { &self.names.moves }).clone();
                let mut verbs = self.dice.some(&self.names.moves.clone(), count);
                if !verbs.contains(&first) {
                    verbs[0] = first;
                }
                let pass = self
                    .names
                    .pass
                    .clone()
                    .filter(|pass| self.dice.percent(60) && !verbs.contains(pass));
                verbs.extend(pass.filter(|_| slot.times == Times::Some));
                verbs
            }
            Kind::Memory => {
                let sibling = row
                    .slots
                    .iter()
                    .map(|slot| slot.kind)
                    .find(|kind| matches!(kind, Kind::Number | Kind::Sites | Kind::Any))?;
                let holds =
                    |memory: &super::names::Memory| sibling == Kind::Any || memory.holds == sibling;
                let known: Vec<usize> = (0..self.names.memories.len())
                    .filter(|&index| holds(&self.names.memories[index]))
                    .collect();
                let variables = self.scope.iter().filter(|variable| {
                    variable.changes && (sibling == Kind::Any || variable.kind == sibling)
                });
                let variables: Vec<super::names::Variable> = variables.cloned().collect();
                if !variables.is_empty() && (known.is_empty() || self.dice.percent(60)) {
                    let variable = self.dice.pick(&variables).clone();
                    filling.holds = Some(variable.kind);
                    return Some(vec![variable.name]);
                }
                if known.is_empty() {
                    return None;
                }
                let memory = *self.dice.pick(&known);
                filling.holds = Some(self.names.memories[memory].holds);
                vec![self.access(memory, depth)?]
            }
            Kind::Any => match filling.holds {
                Some(Kind::Direction) if self.dice.percent(10) => {
                    vec![self.form(Ludeme::NoDirection, &[])]
                }
                Some(holds) => vec![self.draw(holds, depth)?],
                None => self.statements(count.max(1), depth)?,
            },
            Kind::Beneath => vec!["beneath".to_owned(); count],
            Kind::Name => vec![self.fresh('F')],
            Kind::Statement => {
                if row.result == Kind::Otherwise
                    || row.slots.iter().any(|slot| slot.kind == Kind::Condition)
                {
                    self.place.guarded = true;
                }
                let is_order = row.topic == "The order of play" && row.result == Kind::Statement;
                match is_order && self.place.has_plies() {
                    true => self.plies(count, depth)?,
                    false => self.statements(count, depth)?,
                }
            }
            kind => (0..count).map(|_| self.draw(kind, depth)).collect::<Option<Vec<String>>>()?,
        })
    }

    /// Brings the variable of a row into scope, with values of this kind.
    fn run(&mut self, row: &Row, filling: &mut Filling, kind: Kind) {
        let over_sites = matches!(kind, Kind::Site | Kind::Sites);
        self.bind(filling, kind, !over_sites);
        if over_sites && row.result != Kind::Parameter {
            self.nested += 1;
            self.place.over_sites |= row.result == Kind::Statement;
        }
        self.place.chained |= row.ludeme == Ludeme::Chain;
    }

    fn bind(&mut self, filling: &mut Filling, kind: Kind, settled: bool) {
        if let Some(name) = filling.variable.take() {
            self.scope.push(Variable { name, kind, settled, changes: false });
        }
    }

    /// Writes the domain of a variable, and returns the variable's kind.
    fn domain(&mut self, depth: u32) -> Option<(String, Kind)> {
        match self.dice.below(10) {
            0 | 1 => Some((self.directions(depth)?, Kind::Direction)),
            2 => Some((self.form(Ludeme::AllPlayers, &[]), Kind::Player)),
            3 => Some((self.fill(Ludeme::NumbersBetween.row(), depth)?, Kind::Number)),
            4 if self.nested < self.deepest() => {
                Some((self.fill(Ludeme::Groups.row(), depth)?, Kind::Sites))
            }
            5 => Some((self.fill(Ludeme::Kinds.row(), depth)?, Kind::Piece)),
            // Around plies the team must be known before play.
            6 if !self.place.has_plies() => {
                Some((self.fill(Ludeme::Team.row(), depth)?, Kind::Player))
            }
            _ if self.nested >= self.deepest() => Some((self.directions(depth)?, Kind::Direction)),
            _ => Some((self.draw(Kind::Sites, depth)?, Kind::Site)),
        }
    }

    /// Writes the directions of a variable; around plies they must be known before play.
    fn directions(&mut self, depth: u32) -> Option<String> {
        let settled = self.settled;
        self.settled |= self.place.has_plies();
        let directions = self.draw(Kind::Directions, depth);
        self.settled = settled;
        directions
    }

    /// Maximum nesting of loops over sites.
    pub fn deepest(&self) -> u32 {
        if self.names.is_large() { 1 } else { 2 }
    }

    /// Writes statements; variables declared in them go out of scope after them.
    pub fn statements(&mut self, count: usize, depth: u32) -> Option<Vec<String>> {
        let (mark, place) = (self.scope.len(), self.place);
        let statements = (0..count).map(|_| self.draw(Kind::Statement, depth)).collect();
        self.scope.truncate(mark);
        self.place = place;
        statements
    }

    /// Writes statements of the order of play, including an unconditional ply.
    pub fn plies(&mut self, count: usize, depth: u32) -> Option<Vec<String>> {
        let before = self.dice.below(count.max(1));
        let mut statements = self.statements(before, depth)?;
        statements.push(self.fill(Ludeme::Choose.row(), depth)?);
        statements.extend(self.statements(count.max(1) - 1 - before, depth)?);
        Some(statements)
    }
}

/// Tests if an expression of one kind is valid where another is wanted.
pub fn fits(wanted: Kind, found: Kind) -> bool {
    wanted == found
        || matches!(
            (wanted, found),
            (Kind::Sites, Kind::Site) | (Kind::Directions, Kind::Direction)
        )
}
