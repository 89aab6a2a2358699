//! Code for each case of an operand that is known only in play: each player, direction or number.

use super::super::assembler::{Label, Num, Set};
use super::super::values::{Scope, SiteOperand};
use super::super::{Compiled, Compiler};
use super::EmitCase;
use crate::board::Direction;
use crate::language::rules::{Condition, PlayerId, Spanned};

impl<'r> Compiler<'r> {
    /// Returns the register with the number that `compute` yields for the condition, which is not
    /// known before play. Only the branch for the value that the condition has is executed.
    pub(in crate::compile) fn num_if(
        &mut self,
        condition: &'r Spanned<Condition>,
        scope: &Scope<'r>,
        mut compute: impl FnMut(&mut Self, bool) -> Compiled<Num>,
    ) -> Compiled<Num> {
        let result = self.asm.fresh_num();
        let (no, end) = (self.asm.label(), self.asm.label());
        self.asm.open();
        let from = self.asm.length();
        self.jump(condition, scope, false, no)?;
        self.asm.close_before(no, from);
        for holds in [true, false] {
            self.asm.open();
            let value = compute(self, holds)?;
            self.asm.assign_to(result, value);
            self.asm.close();
            if holds {
                self.asm.jump(end);
                self.asm.place(no);
            }
        }
        self.asm.place(end);
        Ok(result)
    }

    /// Emits code for each item; only the code of the item whose index is in the register is
    /// executed.
    pub(in crate::compile) fn emit_matching<T>(
        &mut self,
        which: Num,
        all: impl IntoIterator<Item = (i32, T)>,
        mut emit: impl FnMut(&mut Self, T) -> Compiled<()>,
    ) -> Compiled<()> {
        let skip = |c: &mut Self, &(index, _): &(i32, T), other: Label| {
            let index = c.asm.constant(index);
            c.asm.if_unequal(which, index, other);
        };
        self.emit_first(all, skip, |c, (_, one)| emit(c, one))
    }

    /// Emits code for each item; only the code of the first item that is not skipped is executed.
    /// `skip` emits the test of an item, which jumps to the label if the test fails.
    pub(in crate::compile) fn emit_first<T>(
        &mut self,
        all: impl IntoIterator<Item = T>,
        skip: impl Fn(&mut Self, &T, Label),
        mut emit: impl FnMut(&mut Self, T) -> Compiled<()>,
    ) -> Compiled<()> {
        let end = self.asm.label();
        self.asm.open();
        for one in all {
            let other = self.asm.label();
            skip(self, &one, other);
            self.asm.open();
            emit(self, one)?;
            self.asm.close();
            self.asm.jump(end);
            self.asm.place(other);
        }
        self.asm.close();
        self.asm.place(end);
        Ok(())
    }

    /// Returns a register that holds -1, for a result that may not be found.
    pub(in crate::compile) fn nothing(&mut self) -> Num {
        self.starting_at(-1)
    }

    /// Returns the number that `compute` yields for the case that is executed among those that
    /// `each` emits; -1 for none.
    pub(in crate::compile) fn number_of_case<T>(
        &mut self,
        each: impl FnOnce(&mut Self, EmitCase<'_, 'r, T>) -> Compiled<()>,
        mut compute: impl FnMut(&mut Self, T) -> Compiled<Num>,
    ) -> Compiled<Num> {
        let result = self.nothing();
        each(self, &mut |c, case| {
            let value = compute(c, case)?;
            c.asm.assign_to(result, value);
            Ok(())
        })?;
        Ok(result)
    }

    /// Returns the set that `compute` yields for the case that is executed among those that `each`
    /// emits; no site for none.
    pub(in crate::compile) fn set_of_case<T>(
        &mut self,
        each: impl FnOnce(&mut Self, EmitCase<'_, 'r, T>) -> Compiled<()>,
        mut compute: impl FnMut(&mut Self, T) -> Compiled<Set>,
    ) -> Compiled<Set> {
        let result = self.asm.fresh_set();
        self.asm.clear(result);
        each(self, &mut |c, case| {
            let set = compute(c, case)?;
            c.asm.copy_to(result, set);
            Ok(())
        })?;
        Ok(result)
    }

    /// Emits code for each player; only the code of the player in the register is executed.
    pub(in crate::compile) fn each_player(
        &mut self,
        who: Num,
        emit: impl FnMut(&mut Self, PlayerId) -> Compiled<()>,
    ) -> Compiled<()> {
        let players = (0..self.rules.players.len() as u16)
            .map(|player| (i32::from(player), PlayerId(player)));
        self.emit_matching(who, players, emit)
    }

    /// Returns the number that `compute` yields for the player whose index is in the register.
    pub(in crate::compile) fn by_player(
        &mut self,
        who: Num,
        compute: impl FnMut(&mut Self, PlayerId) -> Compiled<Num>,
    ) -> Compiled<Num> {
        self.number_of_case(|c, emit| c.each_player(who, emit), compute)
    }

    /// Returns the set that `compute` yields for the player whose index is in the register.
    pub(in crate::compile) fn set_by_player(
        &mut self,
        who: Num,
        compute: impl FnMut(&mut Self, PlayerId) -> Compiled<Set>,
    ) -> Compiled<Set> {
        self.set_of_case(|c, emit| c.each_player(who, emit), compute)
    }

    /// Emits code for each direction of the board; only the code of the direction in the register
    /// is executed.
    pub(in crate::compile) fn each_direction(
        &mut self,
        way: Num,
        emit: impl FnMut(&mut Self, Direction) -> Compiled<()>,
    ) -> Compiled<()> {
        let board = self.board;
        self.emit_matching(
            way,
            board.ways_of_grid().map(|direction| (direction.index() as i32, direction)),
            emit,
        )
    }

    /// Returns the site that `compute` yields for the direction whose index is in the register.
    pub(super) fn by_direction(
        &mut self,
        way: Num,
        compute: impl FnMut(&mut Self, Direction) -> Compiled<Num>,
    ) -> Compiled<SiteOperand> {
        self.number_of_case(|c, emit| c.each_direction(way, emit), compute).map(SiteOperand::In)
    }
}
