//! Compiles variables that change: each is held in a register of its own.

use crate::compile::assembler::{Num, Set};
use crate::compile::op::RegisterFile;
use crate::compile::plan::Why;
use crate::compile::values::{
    Amount, Binding, DirectionOperand, PieceOperand, PlayerOperand, Quantity, Scope, SiteOperand,
};
use crate::compile::{Compiled, Compiler, Stop};
use crate::language::rules::Local;

/// The register that holds the value of a variable.
enum Held {
    Number(Num),
    Sites(Set),
}

impl<'r> Compiler<'r> {
    /// Returns what a variable is bound to. The value of a variable that changes is copied, so that
    /// results computed from the copy stay as they are.
    pub(in crate::compile) fn bound(
        &mut self,
        local: Local,
        scope: &Scope<'r>,
    ) -> Option<Binding<'r>> {
        let mut value = match scope.get(local)? {
            Binding::Changing(value) => value,
            kept => return Some(kept),
        };
        match &mut *value {
            Binding::Sites(set) => *set = self.asm.copy(*set),
            held => {
                if let Some(num) = number_in(held) {
                    *num = self.asm.assign(*num);
                }
            }
        }
        Some(*value)
    }

    /// Puts a value into a register of its own, which can be changed.
    pub(super) fn held_apart(&mut self, bound: Binding<'r>) -> Compiled<Binding<'r>> {
        let mut held = match &bound {
            Binding::Number(_) => Binding::Number(Quantity::whole(Amount::In(Num(0)))),
            Binding::Sites(set) => Binding::Sites(*set),
            Binding::Site(_) => Binding::Site(SiteOperand::In(Num(0))),
            Binding::Direction(_) => Binding::Direction(DirectionOperand::In(Num(0))),
            Binding::Player(_) => Binding::Player(PlayerOperand::In(Num(0))),
            Binding::Piece(_) => Binding::Piece(PieceOperand::In(Num(0))),
            Binding::Condition(num) => Binding::Condition(*num),
            Binding::Directions(_) | Binding::Unevaluated(..) | Binding::Changing(_) => {
                return Err(Stop::NotLiftable(Why::Value));
            }
        };
        match &mut held {
            Binding::Sites(set) => {
                *set = self.asm.fresh_set();
                self.context.changing.push((RegisterFile::Sets, set.0));
            }
            held => {
                if let Some(num) = number_in(held) {
                    *num = self.asm.fresh_num();
                    self.context.changing.push((RegisterFile::Numbers, num.0));
                }
            }
        }
        self.store(&held, bound)?;
        Ok(Binding::Changing(Box::new(held)))
    }

    /// Gives a variable another value.
    pub(super) fn reassign(
        &mut self,
        local: Local,
        value: Binding<'r>,
        scope: &Scope<'r>,
    ) -> Compiled<()> {
        match scope.get(local) {
            Some(Binding::Changing(held)) => self.store(&held, value),
            _ => Err(Stop::NotLiftable(Why::Value)),
        }
    }

    /// Copies a value to where a variable is held.
    fn store(&mut self, held: &Binding<'r>, value: Binding<'r>) -> Compiled<()> {
        let value = match value {
            Binding::Sites(set) => Held::Sites(set),
            Binding::Condition(num) => Held::Number(num),
            Binding::Number(quantity) => {
                let whole = self.whole(quantity)?;
                Held::Number(self.held(&whole)?)
            }
            Binding::Site(site) => Held::Number(self.site_number(&site)?),
            Binding::Direction(way) => Held::Number(self.direction_number(way)),
            Binding::Player(player) => Held::Number(self.player_number(player)),
            Binding::Piece(piece) => Held::Number(self.piece_number(&piece)?),
            Binding::Directions(_) | Binding::Unevaluated(..) | Binding::Changing(_) => {
                return Err(Stop::NotLiftable(Why::Value));
            }
        };
        match (held, value) {
            (Binding::Sites(set), Held::Sites(value)) => self.asm.copy_to(*set, value),
            (held, Held::Number(value)) => {
                let mut held = held.clone();
                let num = number_in(&mut held).ok_or(Stop::NotLiftable(Why::Value))?;
                self.asm.assign_to(*num, value);
            }
            (_, Held::Sites(_)) => return Err(Stop::NotLiftable(Why::Value)),
        }
        Ok(())
    }
}

/// Returns the register that a value is held in, if that is a number.
fn number_in<'b>(bound: &'b mut Binding) -> Option<&'b mut Num> {
    match bound {
        Binding::Number(Quantity { amount: Amount::In(num), .. })
        | Binding::Site(SiteOperand::In(num))
        | Binding::Condition(num)
        | Binding::Direction(DirectionOperand::In(num))
        | Binding::Player(PlayerOperand::In(num))
        | Binding::Piece(PieceOperand::In(num)) => Some(num),
        _ => None,
    }
}
