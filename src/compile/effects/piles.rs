//! Effects on piles: the registers of the tops and those of every depth below change together.
//!
//! Registers of a depth stand in the order of those of the tops. A site's pile sinks by one if each
//! depth takes what the depth above it has there.

use super::super::assembler::{Num, Set};
use super::super::layout::Home;
use super::super::op::Code;
use super::super::site_facts::SiteFacts;
use super::super::values::{Scope, SiteOperand};
use super::super::{Compiled, Compiler};
use crate::language::rules::{DefinitionId, Number, SiteOf, Spanned, Value};
use crate::syntax::Span;

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

    /// Returns the registers of a depth: 0 for the tops.
    fn depth(&self, depth: usize) -> Vec<Set> {
        let Some(piles) = self.rules.piles.as_ref().filter(|_| depth > 0) else {
            return (0..self.layout.pieces_end).map(Set).collect();
        };
        let of_kind = |kind| {
            let owners = if piles.is_owned(kind) { self.rules.players.len() as u16 } else { 1 };
            let Home::Sets { first } = self.layout.home(piles.set(depth, kind)) else {
                return Vec::new();
            };
            (first..first + owners).map(Set).collect()
        };
        piles.kinds().flat_map(of_kind).collect()
    }

    /// Returns all registers below the tops.
    pub(super) fn below_tops(&self) -> Vec<Set> {
        (1..self.most()).flat_map(|depth| self.depth(depth)).collect()
    }

    /// Returns the sites with a piece at a depth.
    fn standing(&mut self, depth: usize) -> Set {
        let none = self.asm.none();
        self.depth(depth).into_iter().fold(none, |all, register| self.asm.or(all, register))
    }

    /// Returns those of the sites whose piles can grow.
    fn growing(&mut self, at: Set) -> Set {
        let full = self.standing(self.most() - 1);
        let growing = self.asm.without(at, full);
        self.frozen_set(growing)
    }

    /// Emits the removal of all that lies below the tops of these sites.
    pub(super) fn clear_below(&mut self, at: Set) {
        for register in self.below_tops() {
            self.asm.emit(Code::Drop, 0, register.0, at.0, 0);
        }
    }

    /// Emits that every piece of these sites goes down by one, which leaves their tops bare.
    fn sink(&mut self, at: Set) {
        for depth in (1..self.most()).rev() {
            self.take_over(depth, depth - 1, at);
        }
        self.vacate(at, None);
    }

    /// Emits that the tops of these sites leave and all that lies below rises by one.
    fn rise(&mut self, at: Set) {
        for depth in 1..self.most() {
            self.take_over(depth - 1, depth, at);
        }
        for register in self.depth(self.most() - 1) {
            self.asm.emit(Code::Drop, 0, register.0, at.0, 0);
        }
    }

    fn take_over(&mut self, depth: usize, from: usize, at: Set) {
        for (to, from) in self.depth(depth).into_iter().zip(self.depth(from)) {
            self.asm.emit(Code::Blend, 0, to.0, from.0, at.0);
        }
    }

    /// Returns by depth those of the sites whose lowest piece is right above it: there a piece comes
    /// that is laid beneath.
    fn bottoms(&mut self, at: Set) -> Vec<Set> {
        let mut above = at;
        let mut bottoms = Vec::with_capacity(self.most());
        for depth in 0..self.most() {
            let standing = self.standing(depth);
            let bottom = self.asm.without(above, standing);
            bottoms.push(self.frozen_set(bottom));
            let both = self.asm.and(above, standing);
            above = self.frozen_set(both);
        }
        bottoms
    }

    /// Emits a piece, by its register, on top of the piles of these sites or beneath them, where they
    /// can grow.
    pub(super) fn pile_on(&mut self, piece: Set, at: Set, beneath: bool) {
        let at = self.growing(at);
        if !beneath {
            self.sink(at);
            return self.asm.emit(Code::Join, 0, piece.0, at.0, 0);
        }
        let bottoms = self.bottoms(at);
        self.lay(usize::from(piece.0), &bottoms);
    }

    /// Emits a piece, by its place among the registers of a depth, at the bottoms of piles.
    fn lay(&mut self, piece: usize, bottoms: &[Set]) {
        for (depth, bottom) in bottoms.iter().enumerate() {
            let register = self.depth(depth)[piece];
            self.asm.emit(Code::Join, 0, register.0, bottom.0, 0);
        }
    }

    /// Emits the removal of so many pieces from the tops of these sites.
    pub(super) fn lift_off(
        &mut self,
        at: Set,
        number: &'r Spanned<Number>,
        span: Span,
        scope: &Scope<'r>,
    ) -> Compiled<()> {
        let at = self.frozen_set(at);
        if let Number::Constant(2) = number.node {
            self.rise(at);
            return Ok(());
        }
        self.times(number, span, scope, |c| {
            c.rise(at);
            Ok(())
        })
    }

    /// Emits the height of a site that is not lifted, if the call asks for one.
    pub(in crate::compile) fn height_known(
        &mut self,
        called: DefinitionId,
        arguments: &'r [Value],
        scope: &Scope<'r>,
    ) -> Compiled<Option<Num>> {
        let is_height = self.rules.piles.as_ref().is_some_and(|piles| piles.height == called);
        let [Value::Site(site)] = arguments else { return Ok(None) };
        if !is_height || self.context.lift > 0 {
            return Ok(None);
        }
        match self.site_operand(site, scope)? {
            SiteOperand::Lifted { .. } => Ok(None),
            site => {
                let site = self.site_number(&site)?;
                Ok(Some(self.height_of(site)))
            }
        }
    }

    /// Emits the number of pieces on a site.
    fn height_of(&mut self, site: Num) -> Num {
        let height = self.asm.fresh_num();
        let zero = self.asm.constant(0);
        self.asm.emit(Code::Assign, 0, height.0, zero.0, 0);
        for depth in 0..self.most() {
            let standing = self.standing(depth);
            self.asm.emit(Code::Bit, 0, height.0, standing.0, site.0);
        }
        height
    }

    /// Emits the relocation of a pile or of its upper pieces.
    pub(super) fn relocate_pile(
        &mut self,
        (from, to): (&'r Spanned<SiteOf>, &'r Spanned<SiteOf>),
        carried: Carried<'r>,
        span: Span,
        scope: &Scope<'r>,
    ) -> Compiled<()> {
        let bare = self.context.site_facts.is_bare(&to.node);
        self.context.site_facts = SiteFacts::default();
        let from = self.site_operand(from, scope)?;
        let to = self.site_operand(to, scope)?;
        let (from, to) = (self.site_number(&from)?, self.site_number(&to)?);
        let (from, to) = (self.frozen_number(from), self.frozen_number(to));
        let wanted = match carried.number {
            Some(Spanned { node: Number::Constant(2), .. }) | None => None,
            Some(number) => {
                let number = self.number(number, scope)?;
                Some(self.frozen_number(number))
            }
        };
        let stays = self.asm.label();
        self.asm.open();
        let occupied = self.occupied();
        self.asm.emit(Code::IfOut, 0, from.0, occupied.0, stays.0);
        let board = self.asm.board();
        let goal = self.not_cut(board);
        self.asm.emit(Code::IfOut, 0, to.0, goal.0, stays.0);
        self.asm.emit(Code::IfEqual, 0, from.0, to.0, stays.0);
        let [here, there] = [from, to].map(|site| self.asm.set(Code::Single, 0, site.0, 0));
        let (here, there) = (self.frozen_set(here), self.frozen_set(there));
        let full = self.standing(self.most() - 1);
        match (carried.number, wanted, carried.beneath) {
            (Some(_), None, false) => {
                self.asm.emit(Code::IfIn, 0, to.0, full.0, stays.0);
                if !bare {
                    self.sink(there);
                }
                for register in 0..self.layout.pieces_end {
                    self.asm.emit(Code::Transfer, 0, register, from.0, to.0);
                }
                self.rise(here);
            }
            (Some(_), None, true) => {
                self.asm.emit(Code::IfIn, 0, to.0, full.0, stays.0);
                self.slip_under(from, here, there);
            }
            // A whole pile onto an empty site.
            (None, ..) if bare => self.follow(from, to),
            (number, ..) => {
                let done = self.asm.label();
                self.asm.open();
                if number.is_none() {
                    let piled = self.asm.label();
                    self.asm.emit(Code::IfIn, 0, to.0, occupied.0, piled.0);
                    self.follow(from, to);
                    self.asm.emit(Code::Jump, 0, 0, 0, done.0);
                    self.asm.close();
                    self.asm.place(piled);
                    self.asm.open();
                }
                let height = self.height_of(from);
                let count = self.asm.fresh_num();
                match wanted {
                    Some(wanted) => self.asm.emit(Code::Least, 0, count.0, wanted.0, height.0),
                    None => self.asm.emit(Code::Assign, 0, count.0, height.0, 0),
                }
                let grown = self.height_of(to);
                self.asm.emit(Code::Add, 0, grown.0, grown.0, count.0);
                let most = self.asm.constant(self.most() as i32);
                self.asm.emit(Code::IfLess, 0, most.0, grown.0, done.0);
                match carried.beneath {
                    true => self.rounds_of(count, span, |c, _| c.slip_under(from, here, there))?,
                    false => {
                        let left = self.asm.fresh_num();
                        self.asm.emit(Code::Assign, 0, left.0, count.0, 0);
                        self.rounds_of(left, span, |c, left| c.carry_over(from, there, left))?;
                        self.rounds_of(count, span, |c, _| c.rise(here))?;
                    }
                }
                self.asm.close();
                self.asm.place(done);
            }
        }
        self.asm.close();
        self.asm.place(stays);
        Ok(())
    }

    /// Emits rounds until a number of the routine is used up. In a round it is one less.
    fn rounds_of(
        &mut self,
        left: Num,
        span: Span,
        emit: impl FnOnce(&mut Self, Num),
    ) -> Compiled<()> {
        self.rounds(span, |c, done| {
            let one = c.asm.constant(1);
            c.asm.emit(Code::IfLess, 0, left.0, one.0, done.0);
            c.asm.emit(Code::Subtract, 0, left.0, left.0, one.0);
            emit(c, left);
            Ok(())
        })
    }

    /// Emits that all pieces of a site come to another one, which is empty.
    fn follow(&mut self, from: Num, to: Num) {
        for register in (0..self.most()).flat_map(|depth| self.depth(depth)).collect::<Vec<Set>>() {
            self.asm.emit(Code::Transfer, 0, register.0, from.0, to.0);
        }
    }

    /// Emits that the piece at a depth of a site comes onto the top of other sites, too.
    fn carry_over(&mut self, from: Num, there: Set, depth: Num) {
        self.sink(there);
        let done = self.asm.label();
        self.asm.open();
        for at in 0..self.most() {
            let (number, deeper) = (self.asm.constant(at as i32), self.asm.label());
            self.asm.emit(Code::IfUnequal, 0, depth.0, number.0, deeper.0);
            self.asm.open();
            for (lying, top) in self.depth(at).into_iter().zip(self.depth(0)) {
                let other = self.asm.label();
                self.asm.emit(Code::IfOut, 0, from.0, lying.0, other.0);
                self.asm.open();
                self.asm.emit(Code::Join, 0, top.0, there.0, 0);
                self.asm.close();
                self.asm.place(other);
            }
            self.asm.emit(Code::Jump, 0, 0, 0, done.0);
            self.asm.close();
            self.asm.place(deeper);
        }
        self.asm.close();
        self.asm.place(done);
    }

    /// Emits that the top of a site comes beneath the pile of another.
    fn slip_under(&mut self, from: Num, here: Set, there: Set) {
        let bottoms = self.bottoms(there);
        for (place, register) in self.depth(0).into_iter().enumerate() {
            let other = self.asm.label();
            self.asm.emit(Code::IfOut, 0, from.0, register.0, other.0);
            self.asm.open();
            self.lay(place, &bottoms);
            self.asm.close();
            self.asm.place(other);
        }
        self.rise(here);
    }
}
