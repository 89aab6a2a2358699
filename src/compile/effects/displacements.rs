//! Compiles the effects that move several pieces at once: `shift` and `swap`.
//!
//! Every register of pieces and of memories that travel with them changes in the same way: the
//! sites that pieces leave or come to are cleared in it, and its part on those that they leave is
//! added where they come to.

use crate::board::Direction;
use crate::compile::assembler::Set;
use crate::compile::site_facts::SiteFacts;
use crate::compile::values::{DirectionOperand, Scope};
use crate::compile::{Compiled, Compiler};
use crate::language::rules::{DirectionOf, SiteOf, Sites, Spanned};

impl<'r> Compiler<'r> {
    /// Emits the step of all pieces of a region in a direction. What has no site to come to leaves
    /// the board.
    pub(super) fn shift(
        &mut self,
        at: &'r Spanned<Sites>,
        direction: &'r Spanned<DirectionOf>,
        scope: &Scope<'r>,
    ) -> Compiled<()> {
        self.context.site_facts = SiteFacts::default();
        let at = self.region(at, scope)?;
        let occupied = self.occupied();
        let moving = self.asm.and(at, occupied);
        let moving = self.frozen_set(moving);
        match self.direction_operand(direction, scope)? {
            DirectionOperand::Nowhere => Ok(()),
            DirectionOperand::Fixed(direction) => {
                self.shift_along(moving, direction);
                Ok(())
            }
            DirectionOperand::In(way) => self.each_direction(way, |c, direction| {
                c.shift_along(moving, direction);
                Ok(())
            }),
        }
    }

    fn shift_along(&mut self, moving: Set, direction: Direction) {
        let ends = self.landing(moving, direction);
        let touched = self.asm.or(moving, ends);
        for register in (0..self.layout.travelling_end).map(Set) {
            let part = self.asm.and(register, moving);
            let landing = self.landing(part, direction);
            let landing = self.frozen_set(landing);
            self.asm.drop(register, touched);
            self.asm.join(register, landing);
        }
    }

    /// Returns where a step from these sites leads, except to sites that were cut out.
    fn landing(&mut self, from: Set, direction: Direction) -> Set {
        let landing = self.beside(from, &[direction]);
        self.not_cut(landing)
    }

    /// Emits the exchange of what stands on two sites.
    pub(super) fn swap(
        &mut self,
        one: &'r Spanned<SiteOf>,
        other: &'r Spanned<SiteOf>,
        scope: &Scope<'r>,
    ) -> Compiled<()> {
        self.context.site_facts = SiteFacts::default();
        let one = self.site_operand(one, scope)?;
        let other = self.site_operand(other, scope)?;
        let stays = self.asm.label();
        self.asm.open();
        for site in [&one, &other] {
            let number = self.site_number(site)?;
            let board = self.asm.board();
            let there = self.not_cut(board);
            self.asm.if_out(number, there, stays);
        }
        let (one, other) = (self.single(&one)?, self.single(&other)?);
        let both = self.asm.or(one, other);
        let occupied = self.occupied();
        let moving = self.asm.and(both, occupied);
        let moving = self.frozen_set(moving);
        self.asm.if_none(moving, stays);
        let travelling = (0..self.layout.travelling_end).map(Set).chain(self.below_tops());
        for register in travelling.collect::<Vec<Set>>() {
            let part = self.asm.and(register, moving);
            let mut landing = self.asm.none();
            for (from, to) in [(one, other), (other, one)] {
                let leaving = self.asm.and(part, from);
                let gate = self.any_gate(leaving);
                let coming = self.asm.and(gate, to);
                landing = self.asm.or(landing, coming);
            }
            self.asm.drop(register, both);
            self.asm.join(register, landing);
        }
        self.asm.close();
        self.asm.place(stays);
        Ok(())
    }
}
