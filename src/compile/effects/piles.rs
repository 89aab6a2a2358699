//! Effects on piles: the registers of the tops and the registers of every depth below change
//! together, by instructions of their own.

use super::super::assembler::{Label, Num, Set};
use super::super::guards::most_of;
use super::super::layout::PileRegisters;
use super::super::site_facts::SiteFacts;
use super::super::values::{Amount, Field, Scope, SiteOperand};
use super::super::{Compiled, Compiler};
use crate::language::rules::{Comparison, Condition, DefinitionId, Number, SiteOf, Spanned, Value};

/// How much of a pile a relocation takes, and where to.
#[derive(Clone, Copy)]
pub(super) struct Carried<'r> {
    /// How many pieces from the top; without it all of them.
    pub number: Option<&'r Spanned<Number>>,
    pub beneath: bool,
}

impl<'r> Compiler<'r> {
    /// Returns how many pieces a site holds at most.
    fn most(&self) -> usize {
        self.rules.piles.as_ref().map_or(1, |piles| piles.most)
    }

    /// Returns the registers of a depth, in the order of the tops that can be covered; all tops for
    /// depth 0.
    fn depth(&self, depth: usize) -> Vec<Set> {
        match &self.layout.piles {
            Some(piles) if depth > 0 => piles.below(depth).map(Set).collect(),
            _ => (0..self.layout.pieces_end).map(Set).collect(),
        }
    }

    /// Returns all registers below the tops.
    pub(super) fn below_tops(&self) -> Vec<Set> {
        let piles = self.layout.piles.as_ref();
        piles.map_or(0..0, PileRegisters::all_below).map(Set).collect()
    }

    /// Returns the sites with a piece at a depth.
    fn standing(&mut self, depth: usize) -> Set {
        let none = self.asm.none();
        self.depth(depth).into_iter().fold(none, |all, register| self.asm.or(all, register))
    }

    /// Returns the sites with a piece that is on top and that nothing lies on.
    fn closed(&mut self) -> Set {
        let covered = self.layout.piles.as_ref().map_or(Vec::new(), |piles| piles.covered.clone());
        let none = self.asm.none();
        let closed = self.depth(0).into_iter().filter(|top| !covered.contains(&top.0));
        closed.fold(none, |all, register| self.asm.or(all, register))
    }

    /// Emits that the piles of these sites leave the board.
    pub(super) fn clear_piles(&mut self, at: Set) {
        let all = self.asm.constant(self.most() as i32);
        self.asm.rise(at, all);
    }

    /// Emits that a piece, by its register, comes on top of the piles of these sites or beneath
    /// them, where the pile can grow.
    pub(super) fn pile_on(&mut self, piece: Set, at: Set, beneath: bool) {
        let full = self.standing(self.most() - 1);
        let growing = self.asm.without(at, full);
        if !beneath {
            let closed = self.closed();
            let growing = self.asm.without(growing, closed);
            let growing = self.frozen_set(growing);
            self.asm.sink(growing);
            return self.asm.join(piece, growing);
        }
        let covered = self.layout.piles.as_ref().map_or(Vec::new(), |piles| piles.covered.clone());
        let place = covered.iter().position(|&covered| covered == piece.0);
        // Where there is no pile, the piece comes on top.
        let mut above = self.frozen_set(growing);
        for depth in 0..self.most() {
            let standing = self.standing(depth);
            let bottom = self.asm.without(above, standing);
            let bottom = self.frozen_set(bottom);
            let both = self.asm.and(above, standing);
            above = self.frozen_set(both);
            let register = match (depth, place) {
                (0, _) => piece,
                (_, Some(place)) => self.depth(depth)[place],
                (_, None) => return,
            };
            self.asm.join(register, bottom);
        }
    }

    /// Emits the removal of so many pieces from the tops of these sites.
    pub(super) fn lift_off(
        &mut self,
        at: Set,
        number: &'r Spanned<Number>,
        scope: &Scope<'r>,
    ) -> Compiled<()> {
        let at = self.frozen_set(at);
        let number = self.number(number, scope)?;
        self.asm.rise(at, number);
        Ok(())
    }

    /// Emits the height of a site, if the call asks for one.
    pub(in crate::compile) fn height_asked(
        &mut self,
        called: DefinitionId,
        arguments: &'r [Value],
        scope: &Scope<'r>,
    ) -> Compiled<Option<Amount>> {
        let is_height = self.rules.piles.as_ref().is_some_and(|piles| piles.height == called);
        let [Value::Site(site)] = arguments else { return Ok(None) };
        if !is_height {
            return Ok(None);
        }
        Ok(Some(match self.site_operand(site, scope)? {
            SiteOperand::Lifted { path, .. } => {
                let standing = (0..self.most()).map(|depth| self.standing(depth));
                let standing: Vec<Set> = standing.collect();
                let ladder: Vec<Set> =
                    standing.into_iter().map(|standing| self.back(standing, &path)).collect();
                let bits = self.sum_bits(ladder.clone());
                Amount::Field(Field { ladder, ..Field::new(bits) })
            }
            site => {
                let site = self.site_number(&site)?;
                Amount::In(self.height_of(site))
            }
        }))
    }

    /// Emits a number that is above zero only if no pile is higher than so many pieces.
    pub(in crate::compile) fn none_higher(&mut self, most: usize) -> Num {
        let higher = self.standing(most);
        let (one, zero) = (self.asm.constant(1), self.asm.constant(0));
        let higher = self.asm.count(higher);
        let left = self.asm.subtract(one, higher);
        self.asm.greatest(left, zero)
    }

    /// Emits the number of pieces on a site.
    fn height_of(&mut self, site: Num) -> Num {
        let height = self.asm.fresh_num();
        self.asm.height(height, site);
        height
    }

    /// Emits, before the requirement that a pile does not grow too high, a jump for piles so low
    /// that as many pieces as can come at most still fit.
    pub(super) fn skip_low_pile(
        &mut self,
        condition: &'r Spanned<Condition>,
        scope: &Scope<'r>,
        fits: Label,
    ) -> Compiled<()> {
        if !self.rules.is_limit_of_pile(condition) {
            return Ok(());
        }
        let Condition::Compare(Comparison::AtMost, grown, _) = &condition.node else {
            return Ok(());
        };
        let Number::Add(parts) = &grown.node else { return Ok(()) };
        let [there, moved] = &parts[..] else { return Ok(()) };
        let (Number::Call(_, arguments), Number::Least(moved)) = (&there.node, &moved.node) else {
            return Ok(());
        };
        let most = moved.first().and_then(|number| most_of(self.context.parameters, number));
        let low = most.and_then(|most| self.most().checked_sub(usize::try_from(most).ok()?));
        let ([Value::Site(site)], Some(low @ 1..)) = (&arguments[..], low) else { return Ok(()) };
        let site = self.site_operand(site, scope)?;
        let site = self.site_number(&site)?;
        let high = self.standing(low);
        self.asm.if_out(site, high, fits);
        Ok(())
    }

    /// Emits the relocation of a pile or of its upper pieces.
    pub(super) fn relocate_pile(
        &mut self,
        (from, to): (&'r Spanned<SiteOf>, &'r Spanned<SiteOf>),
        carried: Carried<'r>,
        scope: &Scope<'r>,
    ) -> Compiled<()> {
        self.context.site_facts = SiteFacts::default();
        let from = self.site_operand(from, scope)?;
        let to = self.site_operand(to, scope)?;
        let (from, to) = (self.site_number(&from)?, self.site_number(&to)?);
        let number = match carried.number {
            Some(number) => self.number(number, scope)?,
            None => self.asm.constant(self.most() as i32),
        };
        let stays = self.asm.label();
        self.asm.open();
        let board = self.asm.board();
        let goal = self.not_cut(board);
        self.asm.if_out(to, goal, stays);
        // Numbers of a move are often zero.
        let is_known = |number: &Spanned<Number>| matches!(number.node, Number::Constant(_));
        if carried.number.is_some_and(|number| !is_known(number)) {
            let none = self.asm.constant(0);
            self.asm.if_at_least(none, number, stays);
        }
        self.asm.carry(carried.beneath, from, to, number);
        self.asm.close();
        self.asm.place(stays);
        Ok(())
    }
}
