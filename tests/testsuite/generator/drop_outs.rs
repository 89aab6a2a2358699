//! Games of three players and more in which players drop out, most of them in the midst of turns of
//! several plies: by a move, at the end of a ply, in the order of play, and for want of a move.

use super::names::{Place, Section};
use super::writer::Writer;
use ludwright::language::ludemes::{Kind, Ludeme};

impl Writer {
    /// Writes moves by which players drop out.
    pub fn losing_moves(&mut self, parts: &mut Vec<String>) {
        for _ in 0..self.dice.between(1, 2) {
            let verb = self.fresh('q');
            if let Some(text) = self.losing_move(&verb) {
                parts.push(text);
                if self.dice.percent(40) {
                    self.names.easy.push(verb.clone());
                }
                self.names.moves.push(verb);
            }
        }
    }

    fn losing_move(&mut self, verb: &str) -> Option<String> {
        self.in_move(|writer| {
            let mut parts = vec![verb.to_owned()];
            if writer.dice.percent(50) {
                parts.push(writer.draw(Kind::Parameter, 1)?);
            }
            if writer.dice.percent(30) {
                parts.push(writer.draw(Kind::Statement, 1)?);
            }
            let lost = writer.losses()?;
            if writer.dice.percent(60) {
                parts.extend(lost);
            } else {
                let condition = writer.draw(Kind::Condition, 1)?;
                parts.push(writer.form(Ludeme::If, &[vec![condition], lost].concat()));
            }
            if writer.dice.percent(25) {
                parts.push(writer.form(Ludeme::EndTurn, &[]));
            }
            Some(writer.form(Ludeme::MoveRule, &parts))
        })
    }

    /// Writes that a player drops out; rarely two of them at once, who may share a draw.
    fn losses(&mut self) -> Option<Vec<String>> {
        let count = *self.dice.pick(&[1, 1, 1, 2]);
        let loss = |writer: &mut Writer| {
            let loser = match writer.dice.percent(50) {
                true => writer.form(Ludeme::Mover, &[]),
                false => writer.draw(Kind::Player, 1)?,
            };
            Some(writer.form(Ludeme::Lose, &[loser]))
        };
        (0..count).map(|_| loss(self)).collect()
    }

    /// Writes the clause of the end by which players drop out: all without a piece, or some when
    /// the number of pieces has a remainder.
    pub fn losing_end(&mut self) -> Option<String> {
        self.place = Place::of(Section::End);
        self.place.guarded = true;
        let owned = self.names.pieces.iter().any(|(_, owned)| *owned);
        if owned && self.dice.percent(30) {
            let player = self.fresh('v');
            let theirs = self.form(Ludeme::Of, std::slice::from_ref(&player));
            let none = self.form(Ludeme::NoSite, &[theirs]);
            let loses = self.form(Ludeme::Lose, std::slice::from_ref(&player));
            let all = self.form(Ludeme::AllPlayers, &[]);
            let each = self.form(Ludeme::If, &[none, loses]);
            return Some(self.form(Ludeme::For, &[player, all, each]));
        }
        let pieces = self.form(Ludeme::Pieces, &[]);
        let count = self.form(Ludeme::Count, &[pieces]);
        let by = self.dice.between(3, 7);
        let rest = self.dice.below(by).to_string();
        let remainder = self.form(Ludeme::Remainder, &[count, by.to_string()]);
        let mut condition = self.form(Ludeme::EqualNumbers, &[remainder, rest]);
        if self.dice.percent(40) {
            let also = self.draw(Kind::Condition, 2)?;
            condition = self.form(Ludeme::AllOf, &[condition, also]);
        }
        let lost = self.losses()?;
        Some(self.form(Ludeme::If, &[vec![condition], lost].concat()))
    }
}
