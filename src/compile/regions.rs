//! Compiles regions that do not depend on a lifted site.

use super::assembler::{Assembler, Label, LoopRegion, Num, Set};
use super::inverse::conjuncts;
use super::layout::Home;
use super::lines::Extent;
use super::op::Code;
use super::plan::{ClauseKind, How, Why};
use super::values::{Binding, DirectionOperand, PieceOperand, PlayerOperand, Scope, SiteOperand};
use super::{Compiled, Compiler, Stop};
use crate::language::rules::{
    Binder, Condition, DirectionOf, Directions, Domain, Local, MemoryId, PieceId, PieceOf,
    PlayerId, PlayerOf, Sites, Spanned, Value, Whose,
};

/// The register of a remembered set.
pub(super) enum MarkPlane {
    /// There is no such set.
    None,
    Fixed(Set),
    /// It depends on a player or direction that is known only in play.
    Choice {
        who: PlayerOperand,
        way: Option<DirectionOperand>,
    },
}

impl<'r> Compiler<'r> {
    /// Evaluates a region that does not depend on a lifted site.
    pub(super) fn region(&mut self, sites: &'r Spanned<Sites>, scope: &Scope<'r>) -> Compiled<Set> {
        self.at(sites.span, |c| c.region_within(sites, scope))
    }

    fn region_within(&mut self, sites: &'r Spanned<Sites>, scope: &Scope<'r>) -> Compiled<Set> {
        if let Some(known) = self.board_region(sites, scope) {
            return Ok(known);
        }
        match &sites.node {
            Sites::Everywhere => {
                let board = self.asm.board();
                Ok(self.not_cut(board))
            }
            Sites::Nowhere => Ok(self.asm.none()),
            Sites::Empty => Ok(self.empty()),
            Sites::CutOut => Ok(self.layout.cut.unwrap_or(self.asm.none())),
            Sites::Pieces { kinds, whose } => self.pieces(kinds, whose, scope),
            Sites::Memory { memory, player, direction } => {
                self.remembered_sites(*memory, player.as_ref(), direction.as_ref(), scope)
            }
            Sites::Literal(sites) => Ok(self.constant(sites.clone())),
            Sites::One(site) => {
                let place = self.site_operand(site, scope)?;
                self.single(&place)
            }
            Sites::Beside(of, directions) => {
                let of = self.region(of, scope)?;
                let directions = self.direction_cases(directions, scope)?;
                self.join_directions(&directions, |c, directions| Ok(c.beside(of, directions)))
            }
            Sites::Group { of, within, directions } => {
                let of = self.region(of, scope)?;
                let within = self.region(within, scope)?;
                let directions = self.direction_cases(directions, scope)?;
                self.flood(of, within, &directions)
            }
            Sites::Lines { number, region, directions } => {
                self.lines(*number, region, directions, scope, Extent::Whole)
            }
            Sites::Walk { from, directions, through } => {
                let from = self.site_operand(from, scope)?;
                let from = self.single(&from)?;
                let through = self.region(through, scope)?;
                let directions = self.direction_cases(directions, scope)?;
                self.join_directions(&directions, |c, directions| {
                    Ok(c.asm.set(Code::Walk, Self::mask(directions), from.0, through.0))
                })
            }
            Sites::Slide { from, directions } => {
                let from = self.site_operand(from, scope)?;
                let directions = self.direction_cases(directions, scope)?;
                let start = self.single(&from)?;
                let number = self.site_number(&from)?;
                let empty = self.empty();
                let ends = self.occupied();
                self.join_directions(&directions, |c, directions| {
                    let mask = Self::mask(directions);
                    let passed = c.asm.set(Code::Walk, mask, start.0, empty.0);
                    // A site that was cut out stops the slide, too.
                    let board = c.asm.board();
                    let stops = c.asm.without(board, empty);
                    let first = c.asm.set(Code::Sight, mask, number.0, stops.0);
                    let first = c.asm.and(first, ends);
                    Ok(c.asm.or(passed, first))
                })
            }
            Sites::Between(from, to) => {
                let from = self.site_operand(from, scope)?;
                let to = self.site_operand(to, scope)?;
                let from = self.site_number(&from)?;
                let to = self.site_number(&to)?;
                Ok(self.asm.set(Code::Between, 0, from.0, to.0))
            }
            Sites::When(condition, region) => match self.settled(condition, scope)? {
                Some(true) => self.region(region, scope),
                Some(false) => Ok(self.asm.none()),
                None => {
                    let result = self.asm.fresh_set();
                    self.asm.emit(Code::Clear, 0, result.0, 0, 0);
                    let no = self.asm.label();
                    self.asm.open();
                    self.jump(condition, scope, false, no)?;
                    let region = self.region(region, scope)?;
                    self.asm.emit(Code::Copy, 0, result.0, region.0, 0);
                    self.asm.close();
                    self.asm.place(no);
                    Ok(result)
                }
            },
            Sites::Union(binder, region) => self.union(binder, region, scope),
            Sites::Reach(binder, step) => self.reach(binder, step, scope),
            Sites::And(parts) => {
                let mut all = self.asm.board();
                // Subtracting the complemented parts at the end saves computing complements.
                let mut outside = Vec::new();
                for part in parts {
                    match &part.node {
                        Sites::Not(region) => outside.push(region),
                        _ => {
                            let part = self.region(part, scope)?;
                            all = self.asm.and(all, part);
                        }
                    }
                }
                for region in outside {
                    let region = self.region(region, scope)?;
                    all = self.asm.without(all, region);
                }
                Ok(all)
            }
            Sites::Or(parts) => {
                let mut any = self.asm.none();
                for part in parts {
                    let part = self.region(part, scope)?;
                    any = self.asm.or(any, part);
                }
                Ok(any)
            }
            Sites::Not(region) => {
                let region = self.region(region, scope)?;
                let board = self.asm.board();
                Ok(self.asm.without(board, region))
            }
            Sites::Where(binder, condition) => match &binder.domain {
                Domain::Sites(domain) => {
                    let domain = self.region(domain, scope)?;
                    self.domain_where(binder.variable, domain, condition, scope)
                }
                _ => Err(Stop::NotLiftable(Why::Value)),
            },
            Sites::ByPlayer(player, branches) => match self.player_operand(player, scope)? {
                PlayerOperand::Fixed(player) => self.region(&branches[player.index()], scope),
                PlayerOperand::In(who) => {
                    self.set_by_player(who, |c, player| c.region(&branches[player.index()], scope))
                }
            },
            Sites::Local(local) => match scope.get(*local) {
                Some(Binding::Sites(set)) => Ok(set),
                Some(Binding::Unevaluated(Value::Sites(sites), scope)) => {
                    self.region(sites, &scope)
                }
                Some(Binding::Unevaluated(Value::Site(site), scope)) => {
                    let place = self.site_operand(site, &scope)?;
                    self.single(&place)
                }
                _ => Err(Stop::NotLiftable(Why::Value)),
            },
            Sites::Call(definition, arguments) => {
                let key = self.call_key(*definition, arguments, scope);
                if let Some(known) = key.as_deref().and_then(|key| self.asm.defined(key)) {
                    return Ok(Set(known));
                }
                let (body, scope) = self.open_call(*definition, arguments, scope)?;
                let region = self.region(body, &scope)?;
                if let Some(key) = key {
                    self.asm.define(key, region.0);
                }
                Ok(region)
            }
        }
    }

    /// Returns a region that is empty if and only if the given one is, and takes less to compute.
    pub(super) fn tested_region(
        &mut self,
        sites: &'r Spanned<Sites>,
        scope: &Scope<'r>,
    ) -> Compiled<Set> {
        match &sites.node {
            Sites::Lines { number, region, directions } => {
                self.at(sites.span, |c| c.lines(*number, region, directions, scope, Extent::Starts))
            }
            Sites::Call(definition, arguments) => {
                let key = self.call_key(*definition, arguments, scope);
                if let Some(known) = key.as_deref().and_then(|key| self.asm.defined(key)) {
                    return Ok(Set(known));
                }
                let (body, scope) = self.open_call(*definition, arguments, scope)?;
                self.tested_region(body, &scope)
            }
            _ => self.region(sites, scope),
        }
    }

    /// Returns the sites of a set for which a condition on the variable holds: for all at once if
    /// it can be lifted, else by a loop.
    pub(super) fn domain_where(
        &mut self,
        variable: Local,
        domain: Set,
        condition: &'r Spanned<Condition>,
        scope: &Scope<'r>,
    ) -> Compiled<Set> {
        let lifted = self.attempt(|c| {
            c.lifting(variable, scope, |c, scope| c.lift_condition(condition, scope))
        })?;
        if let Some(holds) = lifted {
            return Ok(self.asm.and(domain, holds));
        }
        let unlifted = self.unlifted;
        // A part that relates the site to another one may be readable the other way round.
        let parts = conjuncts(condition);
        for (index, part) in parts.iter().enumerate() {
            let inverted = self.attempt(|c| match c.inverse(variable, part, scope)? {
                Some((region, inner)) => c.region(region, &inner).map(Some),
                None => Ok(None),
            })?;
            let Some(region) = inverted.flatten() else { continue };
            let mut rest = self.asm.and(domain, region);
            for (_, part) in parts.iter().enumerate().filter(|(other, _)| *other != index) {
                rest = self.domain_where(variable, rest, part, scope)?;
            }
            return Ok(rest);
        }
        let (from, how) = (self.asm.length(), How::Each(Some(unlifted)));
        let found = self.asm.fresh_set();
        self.asm.emit(Code::Clear, 0, found.0, 0, 0);
        self.each_site(domain, Assembler::open_pure_loop, |c, site| {
            let scope = scope.with(variable, Binding::Site(site.clone()));
            let no = c.asm.label();
            c.asm.open();
            c.jump(condition, &scope, false, no)?;
            let single = c.single(&site)?;
            c.asm.emit(Code::Join, 0, found.0, single.0, 0);
            c.asm.close();
            c.asm.place(no);
            Ok(())
        })?;
        self.note(ClauseKind::Loop, condition.span, how, from);
        Ok(found)
    }

    fn union(
        &mut self,
        binder: &'r Binder,
        region: &'r Spanned<Sites>,
        scope: &Scope<'r>,
    ) -> Compiled<Set> {
        if let Domain::Groups { region: from, directions, .. } = &binder.domain {
            let found = self.asm.fresh_set();
            self.asm.emit(Code::Clear, 0, found.0, 0, 0);
            self.each_group(from, directions, scope, Assembler::open_pure_loop, |c, group, _| {
                let scope = scope.with(binder.variable, Binding::Sites(group));
                let part = c.region(region, &scope)?;
                c.asm.emit(Code::Join, 0, found.0, part.0, 0);
                Ok(())
            })?;
            return Ok(found);
        }
        let Domain::Sites(domain) = &binder.domain else {
            let mut any = self.asm.none();
            for (guard, scope) in self.cases(binder.variable, &binder.domain, scope)? {
                let part = self.guarded_set(&guard, |c| c.region(region, &scope))?;
                any = self.asm.or(any, part);
            }
            return Ok(any);
        };
        let domain = self.region(domain, scope)?;
        let from = self.asm.length();
        let found = self.asm.fresh_set();
        self.asm.emit(Code::Clear, 0, found.0, 0, 0);
        self.each_site(domain, Assembler::open_pure_loop, |c, site| {
            let part = c.region(region, &scope.with(binder.variable, Binding::Site(site)))?;
            c.asm.emit(Code::Join, 0, found.0, part.0, 0);
            Ok(())
        })?;
        self.note(ClauseKind::Loop, region.span, How::Each(None), from);
        Ok(found)
    }

    /// Emits a loop over the sites of a region, in ascending order. It must not change the position
    /// unless it is opened by [`Assembler::open_loop`].
    pub(super) fn each_site(
        &mut self,
        region: Set,
        open: fn(&mut Assembler) -> LoopRegion,
        emit: impl FnOnce(&mut Self, SiteOperand) -> Compiled<()>,
    ) -> Compiled<()> {
        self.each_taken(region, open, |c, site, _| emit(c, SiteOperand::In(site)))
    }

    /// Emits the jump back to the start of a loop that no instruction there takes fuel for.
    pub(super) fn go_round(&mut self, again: Label) {
        let clause = self.clause(self.last);
        self.asm.emit(Code::LoopBack, 0, clause, 0, again.0);
    }

    /// Emits a loop that takes the lowest site from a copy of the region until none is left. The
    /// function receives the site and the register of the sites that are left, which it may drop.
    pub(super) fn each_taken(
        &mut self,
        region: Set,
        open: fn(&mut Assembler) -> LoopRegion,
        emit: impl FnOnce(&mut Self, Num, Set) -> Compiled<()>,
    ) -> Compiled<()> {
        let rest = self.asm.fresh_set();
        self.asm.emit(Code::Copy, 0, rest.0, region.0, 0);
        let done = self.asm.label();
        let again = self.asm.label();
        let round = open(&mut self.asm);
        self.asm.place(again);
        let site = self.asm.fresh_num();
        self.asm.emit(Code::Take, 0, site.0, rest.0, done.0);
        let emitted = emit(self, site, rest);
        self.asm.emit(Code::Jump, 0, 0, 0, again.0);
        self.asm.close_loop(round);
        self.asm.place(done);
        emitted
    }

    /// Emits a loop over the groups of a region, by their lowest sites. The function receives the
    /// group and the register of the sites of later groups. The region and the directions are
    /// evaluated once. It must not change the position unless it is opened by
    /// [`Assembler::open_loop`].
    pub(super) fn each_group(
        &mut self,
        region: &'r Spanned<Sites>,
        directions: &'r Spanned<Directions>,
        scope: &Scope<'r>,
        open: fn(&mut Assembler) -> LoopRegion,
        emit: impl FnOnce(&mut Self, Set, Set) -> Compiled<()>,
    ) -> Compiled<()> {
        let (span, start) = (region.span, self.asm.length());
        let region = self.region(region, scope)?;
        let cases = self.both_ways(directions, scope)?;
        let cases = self.frozen_cases(cases);
        let emitted = self.each_taken(region, open, |c, site, rest| {
            // What is left of the region suffices: earlier groups are not connected with it.
            let first = c.asm.set(Code::Single, 0, site.0, 0);
            let left = c.asm.or(first, rest);
            let group = c.flood(first, left, &cases)?;
            c.asm.emit(Code::Drop, 0, rest.0, group.0, 0);
            emit(c, group, rest)
        });
        self.note(ClauseKind::Loop, span, How::Each(None), start);
        emitted
    }

    /// Returns the part of a region that is not cut out.
    pub(super) fn not_cut(&mut self, region: Set) -> Set {
        match self.layout.cut {
            Some(cut) => self.asm.without(region, cut),
            None => region,
        }
    }

    /// Returns the sites without a piece that are not cut out.
    pub(super) fn empty(&mut self) -> Set {
        let board = self.asm.board();
        let occupied = self.occupied();
        let bare = self.asm.without(board, occupied);
        self.not_cut(bare)
    }

    /// Returns the sites with a piece.
    pub(super) fn occupied(&mut self) -> Set {
        let mut all = self.asm.none();
        for register in 0..self.layout.pieces_end {
            all = self.asm.or(all, Set(register));
        }
        all
    }

    fn pieces(
        &mut self,
        kinds: &'r [Spanned<PieceOf>],
        whose: &'r Whose,
        scope: &Scope<'r>,
    ) -> Compiled<Set> {
        let owner = match whose {
            Whose::Anyones => None,
            Whose::Players(player) => Some((self.player_operand(player, scope)?, true)),
            Whose::Others(player) => Some((self.player_operand(player, scope)?, false)),
        };
        if kinds.is_empty() {
            let every: Vec<PieceId> = (0..self.rules.pieces.len() as u16).map(PieceId).collect();
            return self.pieces_of(&every, owner);
        }
        let (mut known, mut others) = (Vec::new(), Vec::new());
        for kind in kinds {
            match self.piece_operand(kind, scope)? {
                PieceOperand::Nothing => {}
                PieceOperand::Fixed(kind) => known.push(kind),
                kind => others.push(kind),
            }
        }
        let mut all = self.pieces_of(&known, owner)?;
        for kind in others {
            let part = self.set_by_kind(&kind, |c, kind| c.pieces_of(&[kind], owner))?;
            all = self.asm.or(all, part);
        }
        Ok(all)
    }

    /// Returns the sites with a piece of one of these kinds and, if given, of this player, or of
    /// any other player if the flag is not set.
    fn pieces_of(
        &mut self,
        kinds: &[PieceId],
        owner: Option<(PlayerOperand, bool)>,
    ) -> Compiled<Set> {
        match owner {
            None => {
                let mut all = self.asm.none();
                for &kind in kinds {
                    let standing = self.sites_with(kind, |_| true);
                    all = self.asm.or(all, standing);
                }
                Ok(all)
            }
            Some((PlayerOperand::Fixed(player), is)) => {
                Ok(self.owned(kinds, |owner| (owner == player) == is))
            }
            Some((PlayerOperand::In(who), is)) => self.set_by_player(who, |c, player| {
                Ok(c.owned(kinds, |owner| (owner == player) == is))
            }),
        }
    }

    /// Returns the registers of pieces of these kinds, if the kinds and their owners are known
    /// before play.
    pub(super) fn registers(
        &mut self,
        kinds: &'r [Spanned<PieceOf>],
        whose: &'r Whose,
    ) -> Compiled<Vec<u16>> {
        let (player, wanted) = match whose {
            Whose::Anyones => (None, true),
            Whose::Players(player) => (Some(player), true),
            Whose::Others(player) => (Some(player), false),
        };
        let player = match player {
            Some(player) => match self.player_operand(player, &Scope::default())? {
                PlayerOperand::Fixed(player) => Some(player),
                PlayerOperand::In(_) => return Err(Stop::NotLiftable(Why::Player)),
            },
            None => None,
        };
        let kinds: Option<Vec<PieceId>> = kinds.iter().map(|kind| kind.node.fixed()).collect();
        let kinds = kinds.ok_or(Stop::NotLiftable(Why::Value))?;
        let mut registers = Vec::new();
        for piece in (0..self.rules.pieces.len() as u16)
            .map(PieceId)
            .filter(|piece| kinds.is_empty() || kinds.contains(piece))
        {
            if !self.rules.pieces[piece.index()].owned {
                registers.extend(player.is_none().then(|| self.layout.piece(piece, None).0));
                continue;
            }
            let owners = (0..self.rules.players.len() as u16).map(PlayerId);
            let owners =
                owners.filter(|&owner| player.is_none_or(|player| (player == owner) == wanted));
            registers.extend(owners.map(|owner| self.layout.piece(piece, Some(owner)).0));
        }
        Ok(registers)
    }

    /// Returns the sites with an owned piece of these kinds whose owner satisfies the predicate.
    pub(super) fn owned(&mut self, kinds: &[PieceId], owner: impl Fn(PlayerId) -> bool) -> Set {
        let mut all = self.asm.none();
        for &kind in kinds.iter().filter(|kind| self.rules.pieces[kind.index()].owned) {
            let standing = self.sites_with(kind, &owner);
            all = self.asm.or(all, standing);
        }
        all
    }

    /// Returns the sites with a piece of this kind; if it is owned, of owners that satisfy the
    /// predicate.
    pub(super) fn sites_with(&mut self, kind: PieceId, owner: impl Fn(PlayerId) -> bool) -> Set {
        if !self.rules.pieces[kind.index()].owned {
            return self.layout.piece(kind, None);
        }
        let mut all = self.asm.none();
        for player in
            (0..self.rules.players.len() as u16).map(PlayerId).filter(|&player| owner(player))
        {
            let register = self.layout.piece(kind, Some(player));
            all = self.asm.or(all, register);
        }
        all
    }

    fn remembered_sites(
        &mut self,
        memory: MemoryId,
        player: Option<&'r Spanned<PlayerOf>>,
        direction: Option<&'r Spanned<DirectionOf>>,
        scope: &Scope<'r>,
    ) -> Compiled<Set> {
        match self.mark_plane(memory, player, direction, scope)? {
            MarkPlane::None => Ok(self.asm.none()),
            MarkPlane::Fixed(set) => Ok(set),
            MarkPlane::Choice { who, way } => {
                let result = self.asm.fresh_set();
                self.asm.emit(Code::Clear, 0, result.0, 0, 0);
                self.each_mark_plane(memory, who, way, |c, plane| {
                    c.asm.emit(Code::Copy, 0, result.0, plane.0, 0);
                    Ok(())
                })?;
                Ok(result)
            }
        }
    }

    /// Returns the register of a remembered set.
    pub(super) fn mark_plane(
        &mut self,
        memory: MemoryId,
        player: Option<&'r Spanned<PlayerOf>>,
        direction: Option<&'r Spanned<DirectionOf>>,
        scope: &Scope<'r>,
    ) -> Compiled<MarkPlane> {
        let who = match player {
            Some(player) => self.player_operand(player, scope)?,
            None => PlayerOperand::Fixed(PlayerId(0)),
        };
        let way = match direction {
            Some(direction) => Some(self.direction_operand(direction, scope)?),
            None => None,
        };
        match (who, way) {
            (_, Some(DirectionOperand::Nowhere)) => Ok(MarkPlane::None),
            (PlayerOperand::Fixed(player), None) => Ok(self.plane(memory, player, 0)),
            (PlayerOperand::Fixed(player), Some(DirectionOperand::Fixed(direction))) => {
                let directions = &self.rules.memories[memory.index()].per_direction;
                match directions.iter().position(|&one| one == direction) {
                    Some(position) => Ok(self.plane(memory, player, position)),
                    None => Ok(MarkPlane::None),
                }
            }
            _ => Ok(MarkPlane::Choice { who, way }),
        }
    }

    fn plane(&self, memory: MemoryId, player: PlayerId, position: usize) -> MarkPlane {
        let directions = self.rules.memories[memory.index()].per_direction.len().max(1);
        match self.layout.home(memory) {
            Home::Sets { first } => {
                MarkPlane::Fixed(Set(first + (player.index() * directions + position) as u16))
            }
            _ => MarkPlane::None,
        }
    }

    /// Emits code for every register that a remembered set may be in, of which only that of the
    /// right one is executed.
    pub(super) fn each_mark_plane(
        &mut self,
        memory: MemoryId,
        who: PlayerOperand,
        way: Option<DirectionOperand>,
        mut emit: impl FnMut(&mut Self, Set) -> Compiled<()>,
    ) -> Compiled<()> {
        let mut emit_at = |c: &mut Self, player: PlayerId, position: Option<usize>| match position
            .map(|position| c.plane(memory, player, position))
        {
            Some(MarkPlane::Fixed(set)) => emit(c, set),
            _ => Ok(()),
        };
        let position = |c: &Self, direction| {
            c.rules.memories[memory.index()].per_direction.iter().position(|&one| one == direction)
        };
        let mut for_player = |c: &mut Self, player: PlayerId| match way {
            None => emit_at(c, player, Some(0)),
            Some(DirectionOperand::Nowhere) => Ok(()),
            Some(DirectionOperand::Fixed(direction)) => {
                let position = position(c, direction);
                emit_at(c, player, position)
            }
            Some(DirectionOperand::In(way)) => c.each_direction(way, |c, direction| {
                let position = position(c, direction);
                emit_at(c, player, position)
            }),
        };
        match who {
            PlayerOperand::Fixed(player) => for_player(self, player),
            PlayerOperand::In(who) => self.each_player(who, for_player),
        }
    }

    /// Returns the sites one step from a region in any of the directions.
    pub(super) fn beside(&mut self, of: Set, directions: &[crate::board::Direction]) -> Set {
        if of == self.asm.none() {
            return of;
        }
        match directions {
            [] => self.asm.none(),
            [direction] => {
                let way = direction.index() as u8;
                match self.shifted_constant(of, *direction) {
                    Some(shifted) => {
                        self.asm.shifts_to(of, way, shifted);
                        shifted
                    }
                    None => self.asm.shift(of, way),
                }
            }
            _ => self.asm.set(Code::Beside, Self::mask(directions), of.0, 0),
        }
    }
}
