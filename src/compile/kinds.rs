//! Compiles kinds of piece.
//!
//! Most kinds are constants, and code is specialized for each. Code that depends on a kind known
//! only in play is compiled once for each kind of the game, and one of the copies is executed. The
//! kind of the piece on a lifted site differs from site to site: a condition on that kind is lifted
//! once for each kind of the game, as if all sites had a piece of it, and each result counts at the
//! sites that do.

use super::assembler::{Label, Num, Set};
use super::calls::unevaluated;
use super::layout::Home;
use super::plan::Why;
use super::relation::{Lowered, SetId, SiteTerm};
use super::values::{Binding, PieceOperand, PlayerOperand, Scope, SiteOperand};
use super::{Compiled, Compiler, Stop};
use crate::board::Direction;
use crate::language::rules::{Condition, PieceId, PieceOf, Rules, SiteOf, Spanned};
use crate::language::visit::Expression;

/// The maximal number of combinations of assumed kinds.
const MAX_ASSUMED: usize = 150;

/// A site that depends on a lifted one: the lifting, and the path from its variable.
pub(super) type LiftedSite = (u32, Vec<Direction>);

impl<'r> Compiler<'r> {
    /// Evaluates a kind of piece.
    pub(super) fn piece_operand(
        &mut self,
        piece: &'r Spanned<PieceOf>,
        scope: &Scope<'r>,
    ) -> Compiled<PieceOperand> {
        self.at(piece.span, |c| c.piece_operand_within(piece, scope))
    }

    fn piece_operand_within(
        &mut self,
        piece: &'r Spanned<PieceOf>,
        scope: &Scope<'r>,
    ) -> Compiled<PieceOperand> {
        match &piece.node {
            PieceOf::Fixed(piece) => Ok(PieceOperand::Fixed(*piece)),
            PieceOf::Local(local) => match self.bound(*local, scope) {
                Some(Binding::Piece(piece)) => Ok(piece),
                binding => {
                    let (piece, scope) = unevaluated(binding)?;
                    self.piece_operand(piece, &scope)
                }
            },
            PieceOf::At(site) => self.kind_on(site, scope),
            PieceOf::Memory { memory, player, site } => Ok(self
                .remembered_index(*memory, player.as_deref(), site.as_deref(), scope)?
                .map_or(PieceOperand::Nothing, PieceOperand::In)),
            PieceOf::ByPlayer(player, branches) => match self.player_operand(player, scope)? {
                PlayerOperand::Fixed(player) => {
                    self.piece_operand(&branches[player.index()], scope)
                }
                PlayerOperand::In(who) => self
                    .by_player(who, |c, player| {
                        let piece = c.piece_operand(&branches[player.index()], scope)?;
                        c.piece_number(&piece)
                    })
                    .map(PieceOperand::In),
            },
            PieceOf::If(condition, then, otherwise) => match self.settled(condition, scope) {
                Some(holds) => self.piece_operand(if holds { then } else { otherwise }, scope),
                None => self
                    .num_if(condition, scope, |c, holds| {
                        let piece = c.piece_operand(if holds { then } else { otherwise }, scope)?;
                        c.piece_number(&piece)
                    })
                    .map(PieceOperand::In),
            },
            PieceOf::Call(definition, arguments) => {
                let (body, scope) = self.open_call(*definition, arguments, scope)?;
                self.piece_operand(body, &scope)
            }
        }
    }

    /// Evaluates the kind of the piece on a site. That on a lifted site is known if it is assumed.
    fn kind_on(&mut self, site: &'r Spanned<SiteOf>, scope: &Scope<'r>) -> Compiled<PieceOperand> {
        let place = self.lower_site(site, scope)?;
        if let Some(piece) = self.kind_at(&place) {
            return Ok(piece);
        }
        let SiteTerm::Path(column, path) = place else {
            return Err(self.blame(site.span, Why::Site));
        };
        self.open_kind = Some((column, path));
        Err(Stop::NotLiftable(Why::Kind))
    }

    /// Returns the kind on a site that depends on no column, or of which it is assumed.
    fn kind_at(&self, place: &SiteTerm) -> Option<PieceOperand> {
        match place {
            SiteTerm::At(SiteOperand::Nowhere) => Some(PieceOperand::Nothing),
            SiteTerm::At(place) => Some(PieceOperand::On(place.clone())),
            SiteTerm::Path(column, path) => {
                let is_there =
                    |(known, _): &&(LiftedSite, _)| known.0 == *column && known.1 == *path;
                let (_, kind) = self.assumed.iter().find(is_there)?;
                Some(kind.map_or(PieceOperand::Nothing, PieceOperand::Fixed))
            }
            SiteTerm::Map(..) => None,
        }
    }

    /// Returns the register with a kind's index, -1 for no kind.
    pub(super) fn piece_number(&mut self, piece: &PieceOperand) -> Compiled<Num> {
        match piece {
            PieceOperand::Nothing => Ok(self.asm.constant(-1)),
            PieceOperand::Fixed(piece) => Ok(self.asm.constant(i32::from(piece.0))),
            PieceOperand::In(num) => Ok(*num),
            PieceOperand::On(_) => {
                let result = self.nothing();
                self.each_kind(piece, |c, kind| {
                    let index = c.asm.constant(i32::from(kind.0));
                    c.asm.assign_to(result, index);
                    Ok(())
                })?;
                Ok(result)
            }
        }
    }

    /// Returns the kind independently of later effects.
    pub(super) fn frozen_kind(&mut self, piece: PieceOperand) -> Compiled<PieceOperand> {
        Ok(match piece {
            PieceOperand::Nothing | PieceOperand::Fixed(_) => piece,
            PieceOperand::In(_) | PieceOperand::On(_) => {
                let number = self.piece_number(&piece)?;
                PieceOperand::In(self.frozen_number(number))
            }
        })
    }

    fn every_kind(&self) -> impl Iterator<Item = PieceId> + use<> {
        (0..self.rules.pieces.len() as u16).map(PieceId)
    }

    /// Emits code for each kind that the operand can be; only the code of its actual kind is
    /// executed.
    pub(super) fn each_kind(
        &mut self,
        piece: &PieceOperand,
        mut emit: impl FnMut(&mut Self, PieceId) -> Compiled<()>,
    ) -> Compiled<()> {
        match piece {
            PieceOperand::Nothing => Ok(()),
            PieceOperand::Fixed(piece) => emit(self, *piece),
            PieceOperand::In(which) => {
                let kinds = self.every_kind().map(|kind| (i32::from(kind.0), kind));
                self.emit_matching(*which, kinds, emit)
            }
            PieceOperand::On(place) => {
                let site = self.site_number(place)?;
                let skip = |c: &mut Self, &kind: &PieceId, other: Label| {
                    let standing = c.sites_with(kind, |_| true);
                    c.asm.if_out(site, standing, other);
                };
                self.emit_first(self.every_kind(), skip, emit)
            }
        }
    }

    /// Returns the set that `compute` yields for the kind; no site for no kind.
    pub(super) fn set_by_kind(
        &mut self,
        piece: &PieceOperand,
        mut compute: impl FnMut(&mut Self, PieceId) -> Compiled<Set>,
    ) -> Compiled<Set> {
        match piece {
            PieceOperand::Nothing => Ok(self.asm.none()),
            PieceOperand::Fixed(piece) => compute(self, *piece),
            PieceOperand::In(_) | PieceOperand::On(_) => {
                self.set_of_case(|c, emit| c.each_kind(piece, emit), compute)
            }
        }
    }

    /// Lowers that two kinds are the same.
    pub(super) fn lower_same_kind(
        &mut self,
        left: &'r Spanned<PieceOf>,
        right: &'r Spanned<PieceOf>,
        scope: &Scope<'r>,
    ) -> Compiled<Lowered> {
        let mut same = Lowered::never();
        for kind in self.every_kind() {
            let left = self.lower_is_kind(left, kind, scope)?;
            if left.is_never() {
                continue;
            }
            let right = self.lower_is_kind(right, kind, scope)?;
            let both = self.both(left, right);
            same = self.either(same, both)?;
        }
        Ok(same)
    }

    /// Lowers that a kind is this one.
    fn lower_is_kind(
        &mut self,
        piece: &'r Spanned<PieceOf>,
        kind: PieceId,
        scope: &Scope<'r>,
    ) -> Compiled<Lowered> {
        self.work(piece.span)?;
        match &piece.node {
            PieceOf::Local(local) => {
                if let Some(Binding::Piece(piece)) = self.bound(*local, scope) {
                    return self.kind_gate(&piece, kind);
                }
                let (piece, scope) = unevaluated(self.bound(*local, scope))?;
                self.lower_is_kind(piece, kind, &scope)
            }
            PieceOf::At(site) => {
                let place = self.lower_site(site, scope)?;
                if let Some(piece) = self.kind_at(&place) {
                    return self.kind_gate(&piece, kind);
                }
                let standing = self.sites_with(kind, |_| true);
                let standing = self.known_set(standing);
                self.in_set(&place, standing)
            }
            PieceOf::If(condition, then, otherwise) => {
                if let Some(holds) = self.settled(condition, scope) {
                    return self.lower_is_kind(if holds { then } else { otherwise }, kind, scope);
                }
                let holds = self.lower_condition(condition, scope)?;
                let fails = self.negated(holds.clone())?;
                let then = self.lower_is_kind(then, kind, scope)?;
                let otherwise = self.lower_is_kind(otherwise, kind, scope)?;
                let (then, otherwise) = (self.both(then, holds), self.both(otherwise, fails));
                self.either(then, otherwise)
            }
            PieceOf::ByPlayer(player, branches) => {
                self.lower_by_player(player, branches, scope, |c, branch| {
                    c.lower_is_kind(branch, kind, scope)
                })
            }
            PieceOf::Memory { memory, site: Some(site), .. } => {
                if let Home::Field { first, bits } = self.layout.home(*memory)
                    && let SiteTerm::Path(column, path) = self.lower_site(site, scope)?
                {
                    // The planes spell the kind's index plus one.
                    let mut same = SetId::BOARD;
                    for bit in 0..bits {
                        let plane = self.known_set(Set(first + bit));
                        same = match (kind.0 + 1) >> bit & 1 {
                            1 => self.terms.and(same, plane),
                            _ => self.terms.minus(same, plane),
                        };
                    }
                    return Ok(Lowered::on(column, self.terms.back(same, &path)));
                }
                let piece = self.piece_operand(piece, scope)?;
                self.kind_gate(&piece, kind)
            }
            PieceOf::Call(definition, arguments) => {
                let (body, scope) = self.open_call(*definition, arguments, scope)?;
                self.lower_is_kind(body, kind, &scope)
            }
            PieceOf::Fixed(_) | PieceOf::Memory { site: None, .. } => {
                let piece = self.piece_operand(piece, scope)?;
                self.kind_gate(&piece, kind)
            }
        }
    }

    /// Lowers that a kind that depends on no column is this one.
    fn kind_gate(&mut self, piece: &PieceOperand, kind: PieceId) -> Compiled<Lowered> {
        match piece {
            PieceOperand::Nothing => Ok(Lowered::never()),
            PieceOperand::Fixed(piece) if *piece == kind => Ok(Lowered::gate(SetId::BOARD)),
            PieceOperand::Fixed(_) => Ok(Lowered::never()),
            PieceOperand::On(place) => {
                let standing = self.sites_with(kind, |_| true);
                let standing = self.known_set(standing);
                self.in_set(&SiteTerm::At(place.clone()), standing)
            }
            PieceOperand::In(which) => {
                let always = Lowered::gate(SetId::BOARD);
                self.selected(*which, vec![(i32::from(kind.0), always)])
            }
        }
    }

    /// Lowers a condition. If that fails because of the kind of the piece on a site that depends on
    /// a column, lowers the condition once for each kind, and joins the results at the sites with
    /// pieces of that kind (Shannon's expansion).
    pub(super) fn lower_by_kinds(
        &mut self,
        condition: &'r Spanned<Condition>,
        scope: &Scope<'r>,
    ) -> Compiled<Lowered> {
        let around = self.open_kind.take();
        if let Some(lowered) = self.attempt(|c| c.lower_condition_within(condition, scope))? {
            self.open_kind = around;
            return Ok(lowered);
        }
        let unlifted = self.unlifted;
        let cases = self.rules.pieces.len() + 1;
        let assumed = u32::try_from(self.assumed.len() + 1).unwrap_or(u32::MAX);
        let (column, path) = match &self.open_kind {
            Some(site) if cases.saturating_pow(assumed) <= MAX_ASSUMED => site.clone(),
            _ => {
                self.open_kind = self.open_kind.take().or(around);
                return Err(self.blame(unlifted.span, unlifted.why));
            }
        };
        let mut result = Lowered::never();
        let mut others = SetId::BOARD;
        for kind in self.every_kind().map(Some).chain([None]) {
            let here = match kind {
                Some(kind) => {
                    let standing = self.sites_with(kind, |_| true);
                    let standing = self.known_set(standing);
                    let here = self.terms.back(standing, &path);
                    others = self.terms.minus(others, here);
                    here
                }
                None => others,
            };
            self.assumed.push(((column, path.clone()), kind));
            let holds = self.lower_condition(condition, scope);
            self.assumed.pop();
            let holds = self.both(holds?, Lowered::on(column, here));
            result = self.either(result, holds)?;
        }
        self.open_kind = around;
        Ok(result)
    }
}

/// Tests if some expression of the rules is the kind of the piece on a site.
pub(super) fn reads_kinds(rules: &Rules) -> bool {
    let is_kind_at = |expression: Expression| {
        matches!(expression, Expression::Piece(Spanned { node: PieceOf::At(_), .. }))
    };
    rules.expressions().any(is_kind_at)
}
