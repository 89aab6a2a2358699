//! Generates moves, the order of play and the ends, so that most games go on for a while.

use super::names::{Place, Section};
use super::writer::Writer;
use ludwright::language::ludemes::{Kind, Ludeme};

impl Writer {
    pub fn moves(&mut self, parts: &mut Vec<String>) {
        for _ in 0..self.dice.between(1, 2) {
            let verb = self.fresh('m');
            let text = self.easy_move(&verb);
            let [rule, from] =
                [Ludeme::MoveRule, Ludeme::ChooseFrom].map(|ludeme| ludeme.row().spelling);
            if text.starts_with(&format!("({rule} {verb} ({from} ")) && self.dice.percent(30) {
                self.names.going.push(verb.clone());
            }
            parts.push(text);
            self.names.easy.push(verb.clone());
            self.names.moves.push(verb);
        }
        for _ in 0..self.dice.below(3) {
            let verb = self.fresh('m');
            if let Some(text) = self.free_move(&verb) {
                parts.push(text);
                self.names.moves.push(verb);
            }
        }
        if self.drops {
            self.losing_moves(parts);
        }
        if self.dice.percent(25) {
            let verb = self.fresh('r');
            parts.push(self.roll(&verb));
            self.names.rolls.push(verb);
        }
        if self.dice.percent(70) {
            let verb = self.fresh('m');
            parts.push(self.form(Ludeme::MoveRule, std::slice::from_ref(&verb)));
            self.names.moves.push(verb.clone());
            self.names.pass = Some(verb);
        }
    }

    pub fn in_move<T>(&mut self, write: impl FnOnce(&mut Writer) -> T) -> T {
        self.place = Place::of(Section::Move);
        let written = write(self);
        self.scope.clear();
        self.place = Place::of(Section::Elsewhere);
        written
    }

    /// Writes a choice of something other than a site.
    fn extra(&mut self) -> Option<String> {
        let ludeme =
            *self.dice.pick(&[Ludeme::ChooseKind, Ludeme::ChooseNumber, Ludeme::ChooseTowards]);
        self.fill(ludeme.row(), 1)
    }

    /// Writes a move that puts a piece on an empty site or moves one nearby; it usually has a legal
    /// instance.
    fn easy_move(&mut self, verb: &str) -> String {
        self.in_move(|writer| {
            writer.easy = writer.dice.percent(80);
            let mut parts = vec![verb.to_owned()];
            let many = if writer.names.is_large() { 1 } else { 2 };
            let extras = if writer.dice.percent(30) { writer.dice.between(1, many) } else { 0 };
            let early = writer.dice.below(extras + 1);
            for _ in 0..early {
                parts.extend(writer.extra());
            }
            let main = if writer.dice.percent(50) {
                writer.drop(&mut parts)
            } else {
                writer.go(&mut parts)
            };
            for _ in early..extras {
                parts.extend(writer.extra());
            }
            let before = usize::from(writer.dice.percent(30));
            let after = *writer.dice.pick(&[0, 0, 1, 1, 2]);
            let depth = writer.dice.between(1, 3) as u32;
            parts.extend((0..before).filter_map(|_| writer.draw(Kind::Statement, depth)));
            parts.push(main);
            parts.extend((0..after).filter_map(|_| writer.draw(Kind::Statement, depth)));
            if writer.dice.percent(12) {
                parts.extend(writer.then(depth));
            }
            writer.easy = false;
            writer.form(Ludeme::MoveRule, &parts)
        })
    }

    /// Writes a further choice at the end of a move, which may depend on a condition.
    fn then(&mut self, depth: u32) -> Option<String> {
        let mark = self.scope.len();
        let condition = match self.dice.percent(50) {
            true => Some(self.draw(Kind::Condition, depth.min(2))?),
            false => None,
        };
        let mut parts = Vec::new();
        let extra = if self.dice.percent(20) { self.extra() } else { None };
        let first = self.dice.percent(50);
        parts.extend(extra.clone().filter(|_| first));
        parts.extend(self.draw(Kind::Parameter, 1));
        parts.extend(extra.filter(|_| !first));
        if parts.is_empty() {
            return None;
        }
        let easy = std::mem::replace(&mut self.easy, false);
        let statements = self.dice.between(1, 2);
        let body = self.statements(statements, depth);
        self.easy = easy;
        parts.extend(body?);
        self.scope.truncate(mark);
        let mut then = self.form(Ludeme::Then, &parts);
        if let Some(condition) = condition {
            let mut branches = vec![condition];
            let before = usize::from(self.dice.percent(30));
            branches.extend(self.statements(before, 1)?);
            branches.push(then);
            if self.dice.percent(30) {
                let other = self.statements(1, 1)?;
                branches.push(self.form(Ludeme::Else, &other));
            }
            then = self.form(Ludeme::If, &branches);
        }
        Some(then)
    }

    fn drop(&mut self, parts: &mut Vec<String>) -> String {
        // Few sites are chosen together, of a board that is not large, or independently.
        let is_small = self.names.sites.len() <= 40;
        let together = match is_small && self.dice.percent(15) {
            true => self.dice.between(2, 3),
            false => 1,
        };
        let also = is_small && together < 3 && self.dice.percent(20);
        let sites: Vec<String> = (0..together).map(|_| self.fresh('v')).collect();
        let empty = self.form(Ludeme::Empty, &[]);
        let role = *self.dice.pick(&[Ludeme::ChooseTo, Ludeme::ChooseAt]);
        parts.push(self.form(role, &[sites.clone(), vec![empty]].concat()));
        for name in &sites {
            self.scope.push(super::names::Variable {
                name: name.clone(),
                kind: Kind::Site,
                settled: false,
                changes: false,
            });
        }
        if also {
            let name = self.fresh('v');
            let region = *self.dice.pick(&[Ludeme::Empty, Ludeme::Pieces]);
            let region = self.form(region, &[]);
            parts.push(self.form(Ludeme::ChooseAt, &[name.clone(), region]));
            self.scope.push(super::names::Variable {
                name,
                kind: Kind::Site,
                settled: false,
                changes: false,
            });
        }
        let piece = self.draw(Kind::Piece, 0).expect("there is a piece");
        let at = match &sites[..] {
            [site] => site.clone(),
            sites => self.form(Ludeme::SitesListed, sites),
        };
        self.form(Ludeme::Put, &[piece, at])
    }

    fn go(&mut self, parts: &mut Vec<String>) -> String {
        let depth = 1;
        let mut sites = Vec::new();
        for ludeme in [Ludeme::ChooseFrom, Ludeme::ChooseTo] {
            let chosen = self.fill(ludeme.row(), depth).expect("a choice of sites");
            parts.push(chosen);
            sites.push(self.scope.last().expect("a variable").name.clone());
        }
        self.form(Ludeme::Relocate, &sites)
    }

    /// Writes an unconstrained move.
    fn free_move(&mut self, verb: &str) -> Option<String> {
        self.in_move(|writer| {
            let mut parts = vec![verb.to_owned()];
            let most = if writer.names.is_large() { 2 } else { 4 };
            for _ in 0..writer.dice.below(most + 1) {
                parts.push(writer.draw(Kind::Parameter, 2)?);
            }
            let depth = writer.dice.between(1, 3) as u32;
            for _ in 0..writer.dice.between(1, 3) {
                parts.push(writer.draw(Kind::Statement, depth)?);
            }
            if writer.dice.percent(20) {
                parts.extend(writer.then(depth));
            }
            Some(writer.form(Ludeme::MoveRule, &parts))
        })
    }

    fn roll(&mut self, verb: &str) -> String {
        self.in_move(|writer| {
            let mut parts = vec![verb.to_owned()];
            parts.extend(writer.extra());
            parts.extend(writer.draw(Kind::Statement, 1));
            writer.form(Ludeme::MoveRule, &parts)
        })
    }

    /// Writes the order of play: an optional opening, then an endless cycle of turns.
    pub fn play(&mut self) -> String {
        self.place = Place::of(Section::Play);
        self.decisions = if self.drops { 5 } else { 4 };
        let depth = self.dice.between(1, 3) as u32;
        let mut parts = Vec::new();
        if self.dice.percent(25) {
            let phase = self.fresh('F');
            let body = self.plies(1, depth).expect("a choice");
            parts.push(match self.dice.percent(50) {
                true => self.form(Ludeme::Phase, &[vec![phase], body].concat()),
                false => body.join(" "),
            });
        }
        self.decisions = self.decisions.max(2);
        let counts = if self.drops { [2, 2, 3, 4] } else { [1, 1, 2, 3] };
        parts.push(match self.dice.percent(80) {
            true => {
                let count = *self.dice.pick(&counts);
                let body = self.plies(count, depth).expect("a choice");
                self.form(Ludeme::Turns, &body)
            }
            false => {
                let mut turns = Vec::new();
                for player in self.names.players.clone() {
                    let count = if self.drops { *self.dice.pick(&counts) } else { 1 };
                    let body = self.plies(count, depth).expect("a choice");
                    turns.push(self.form(Ludeme::Turn, &[vec![player], body].concat()));
                }
                self.form(Ludeme::Forever, &turns)
            }
        });
        self.place = Place::of(Section::Elsewhere);
        self.form(Ludeme::Play, &parts)
    }

    /// Writes end conditions, most of which become true late.
    pub fn end(&mut self) -> Option<String> {
        let count = *self.dice.pick(&[0, 1, 1, 2]);
        let mut statements = Vec::new();
        if self.drops && self.dice.percent(70) {
            statements.extend(self.losing_end());
        }
        for _ in 0..count {
            self.place = Place::of(Section::End);
            let statement = match self.dice.percent(85) {
                true => self.late_end(),
                false => self.draw(Kind::Statement, 2),
            };
            statements.extend(statement);
        }
        self.place = Place::of(Section::Elsewhere);
        self.scope.clear();
        (!statements.is_empty()).then(|| self.form(Ludeme::End, &statements))
    }

    fn late_end(&mut self) -> Option<String> {
        let pieces = self.form(Ludeme::Pieces, &[]);
        let count = self.form(Ludeme::Count, &[pieces]);
        let sites = self.names.sites.len();
        let late = match self.dice.percent(70) {
            true => {
                let most = self.dice.between(sites * 7 / 10, sites).to_string();
                self.form(Ludeme::AtLeast, &[count, most])
            }
            false => self.form(Ludeme::Less, &[count, String::from("2")]),
        };
        let condition = self.draw(Kind::Condition, 2)?;
        let both = self.form(Ludeme::AllOf, &[late, condition]);
        self.place.guarded = true;
        let result = self.statements(1, 1)?;
        Some(self.form(Ludeme::If, &[vec![both], result].concat()))
    }

    /// Writes a rule of repetition; some depend on more of the past than how often whole positions
    /// have occurred.
    pub fn repetition(&mut self) -> String {
        self.place = Place::of(Section::Repetition);
        let mut parts = vec![self.dice.between(2, 4).to_string()];
        if self.dice.percent(50) {
            parts.extend(self.comparison());
        }
        if self.dice.percent(35) && !self.drops {
            parts.extend(self.throughout());
        }
        // These do not go together with what decides by itself which plies are legal.
        let decides = [Ludeme::Steps, Ludeme::Can].iter().any(|it| self.used.contains(it));
        if !decides && self.dice.percent(60) {
            let illegal = self.form(Ludeme::Illegal, &[]);
            let condition = self.draw(Kind::Condition, 2).filter(|_| self.dice.percent(60));
            // What was drawn may have asked for moves.
            parts.push(match condition {
                Some(condition) if !self.used.contains(&Ludeme::Can) => {
                    self.form(Ludeme::If, &[condition, illegal])
                }
                _ => illegal,
            });
        } else {
            parts.extend(self.statements(1, 1).unwrap_or_else(|| vec![String::from("(draw)")]));
        }
        self.place = Place::of(Section::Elsewhere);
        self.form(Ludeme::Repetition, &parts)
    }

    /// Writes what is compared.
    fn comparison(&mut self) -> Option<String> {
        let mut memories: Vec<String> =
            self.names.memories.iter().map(|memory| memory.name.clone()).collect();
        memories.retain(|_| self.dice.percent(50));
        if self.dice.percent(40) {
            return (!memories.is_empty()).then(|| self.form(Ludeme::Ignoring, &memories));
        }
        let mut parts = Vec::new();
        parts.extend(self.dice.percent(80).then(|| String::from("board")));
        parts.extend(self.dice.percent(50).then(|| String::from("mover")));
        parts.extend(memories);
        (!parts.is_empty()).then(|| self.form(Ludeme::Comparing, &parts))
    }

    /// Writes a result under a condition on the plies in between.
    fn throughout(&mut self) -> Option<String> {
        let mut parts = vec![self.draw(Kind::Condition, 2)?];
        let player = self.dice.pick(&["", "mover", "(next mover)"]);
        if !player.is_empty() {
            parts.push((*player).to_owned());
        }
        let condition = self.form(Ludeme::Throughout, &parts);
        let result = self.statements(1, 1)?;
        Some(self.form(Ludeme::If, &[vec![condition], result].concat()))
    }
}
