//! Writes what a memory keeps: its name, and in brackets the player, direction, kind, number or site
//! for which it is asked.

use super::writer::Writer;
use ludwright::language::ludemes::{Kind, Ludeme};

impl Writer {
    /// Writes an access to a memory, with its arguments.
    pub fn access(&mut self, index: usize, depth: u32) -> Option<String> {
        let memory = self.names.memories[index].clone();
        let mut parts = vec![memory.name.clone()];
        if memory.per_player {
            parts.push(self.draw(Kind::Player, depth.saturating_sub(1))?);
        }
        if !memory.directions.is_empty() {
            let variables = self
                .scope
                .iter()
                .filter(|variable| variable.kind == Kind::Direction)
                .map(|variable| &variable.name);
            let known: Vec<String> = memory.directions.iter().chain(variables).cloned().collect();
            parts.push(self.dice.pick(&known).clone());
        }
        if !memory.kinds.is_empty() {
            parts.push(self.kept_kind(&memory.kinds, depth)?);
        }
        if !memory.numbers.is_empty() {
            parts.push(self.kept_number(&memory.numbers));
        }
        if memory.per_site {
            parts.push(self.draw(Kind::Site, depth.saturating_sub(1))?);
        }
        Some(if parts.len() == 1 { parts.remove(0) } else { format!("({})", parts.join(" ")) })
    }

    /// Writes a kind that a memory is kept for, or one that is known only in play.
    fn kept_kind(&mut self, kinds: &[String], depth: u32) -> Option<String> {
        if depth > 0 && !self.settled && self.dice.percent(30) {
            let site = self.draw(Kind::Site, depth - 1)?;
            return Some(self.form(Ludeme::KindOn, &[site]));
        }
        let variables = self
            .scope
            .iter()
            .filter(|variable| variable.kind == Kind::Piece)
            .map(|variable| &variable.name);
        let known: Vec<String> = kinds.iter().chain(variables).cloned().collect();
        Some(self.dice.pick(&known).clone())
    }

    /// Writes a number that a memory is kept for, or one that is known only in play.
    fn kept_number(&mut self, numbers: &[String]) -> String {
        if !self.settled && self.dice.percent(30) {
            let mine = self.form(Ludeme::Mine, &[]);
            return self.form(Ludeme::Count, &[mine]);
        }
        let variables = self
            .scope
            .iter()
            .filter(|variable| variable.kind == Kind::Number && (variable.settled || !self.settled))
            .map(|variable| &variable.name);
        let known: Vec<String> = numbers.iter().chain(variables).cloned().collect();
        self.dice.pick(&known).clone()
    }
}
