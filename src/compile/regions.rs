//! Compiles regions that depend on no column: what `relation` makes regions of, such as pieces,
//! memories, lines and the results of loops.

use super::assembler::{Assembler, Label, LoopRegion, Num, Set};
use super::directions::Guard;
use super::layout::Home;
use super::lift::conjuncts;
use super::lines::Extent;
use super::plan::{ClauseKind, How, Why};
use super::relation::{Lowered, SetId};
use super::values::{Binding, DirectionOperand, PieceOperand, PlayerOperand, Scope, SiteOperand};
use super::{Compiled, Compiler, Stop};
use crate::language::rules::{
    Condition, DirectionOf, Directions, Domain, Local, MemoryId, PieceId, PieceOf, PlayerId,
    PlayerOf, Sites, Spanned, Teams, Whose,
};

impl<'r> Compiler<'r> {
    /// Evaluates a region that does not depend on a lifted site.
    pub(super) fn region(&mut self, sites: &'r Spanned<Sites>, scope: &Scope<'r>) -> Compiled<Set> {
        let set = self.closed_set(sites, scope)?;
        self.emit_set(set)
    }

    /// Lowers a region that depends on no column.
    pub(super) fn closed_set(
        &mut self,
        sites: &'r Spanned<Sites>,
        scope: &Scope<'r>,
    ) -> Compiled<SetId> {
        self.at(sites.span, |c| match c.leaf(sites, scope)? {
            Some(leaf) => Ok(c.known_set(leaf)),
            None => c.lower_members(sites, scope),
        })
    }

    /// Emits a region that is not made of others by operations on sets.
    fn leaf(&mut self, sites: &'r Spanned<Sites>, scope: &Scope<'r>) -> Compiled<Option<Set>> {
        if let Some(known) = self.board_region(sites, scope) {
            return Ok(Some(known));
        }
        Ok(Some(match &sites.node {
            Sites::Everywhere => {
                let board = self.asm.board();
                self.not_cut(board)
            }
            Sites::Nowhere => self.asm.none(),
            Sites::Empty => self.empty(),
            Sites::CutOut => self.layout.cut.unwrap_or(self.asm.none()),
            Sites::Pieces { kinds, whose } => self.pieces(kinds, whose, scope)?,
            Sites::Memory { memory, player, direction } => {
                self.remembered_sites(*memory, player.as_ref(), direction.as_ref(), scope)?
            }
            Sites::Literal(sites) => self.constant(sites.clone()),
            Sites::Lines { number, region, directions } => {
                self.lines(*number, region, directions, scope, Extent::Whole)?
            }
            Sites::Between(from, to) => {
                let from = self.site_operand(from, scope)?;
                let to = self.site_operand(to, scope)?;
                let from = self.site_number(&from)?;
                let to = self.site_number(&to)?;
                self.asm.between(from, to)
            }
            Sites::When(condition, region) if self.settled(condition, scope).is_none() => {
                let result = self.asm.fresh_set();
                self.asm.clear(result);
                let no = self.asm.label();
                let from = self.asm.length();
                self.asm.open();
                self.jump(condition, scope, false, no)?;
                self.asm.close_before(no, from);
                self.asm.open();
                let region = self.region(region, scope)?;
                self.asm.copy_to(result, region);
                self.asm.close();
                self.asm.place(no);
                result
            }
            Sites::Union(binder, region) if matches!(binder.domain, Domain::Groups { .. }) => {
                let Domain::Groups { region: from, directions, .. } = &binder.domain else {
                    return Ok(None);
                };
                let found = self.asm.fresh_set();
                self.asm.clear(found);
                self.each_group(
                    from,
                    directions,
                    scope,
                    Assembler::open_pure_loop,
                    |c, group, _| {
                        let scope = scope.with(binder.variable, Binding::Sites(group));
                        let part = c.region(region, &scope)?;
                        c.asm.join(found, part);
                        Ok(())
                    },
                )?;
                found
            }
            Sites::Where(binder, condition) => {
                let Domain::Sites(domain) = &binder.domain else {
                    return Err(Stop::NotLiftable(Why::Value));
                };
                let domain = self.region(domain, scope)?;
                self.domain_where(binder.variable, domain, condition, scope)?
            }
            Sites::Local(local) => match self.bound(*local, scope) {
                Some(Binding::Sites(set)) => set,
                _ => return Ok(None),
            },
            Sites::Call(definition, arguments) => {
                let key = self.call_key(*definition, arguments, scope);
                if let Some(known) = key.as_deref().and_then(|key| self.asm.defined(key)) {
                    return Ok(Some(Set(known)));
                }
                let (body, scope) = self.open_call(*definition, arguments, scope)?;
                let region = self.region(body, &scope)?;
                if let Some(key) = key {
                    self.asm.define(&key, region.0);
                }
                region
            }
            Sites::One(_)
            | Sites::Beside(..)
            | Sites::Group { .. }
            | Sites::Walk { .. }
            | Sites::Slide { .. }
            | Sites::When(..)
            | Sites::Union(..)
            | Sites::Reach(..)
            | Sites::And(_)
            | Sites::Or(_)
            | Sites::Not(_)
            | Sites::ByPlayer(..) => return Ok(None),
        }))
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
            _ => {
                let set = self.closed_set(sites, scope)?;
                self.emit_tested(set)
            }
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
        // What can be lifted narrows the domain of the loop.
        let parts = conjuncts(condition);
        let (mut domain, mut others) = (domain, Vec::new());
        for part in parts {
            let lifted = match parts.len() {
                1 => None,
                _ => self.attempt(|c| {
                    c.lifting(variable, scope, |c, scope| c.lift_condition(part, scope))
                })?,
            };
            match lifted {
                Some(holds) => domain = self.asm.and(domain, holds),
                None => others.push(part),
            }
        }
        let (from, how) = (self.asm.length(), How::Each(Some(unlifted)));
        let found = self.asm.fresh_set();
        self.asm.clear(found);
        self.each_site(domain, Assembler::open_pure_loop, |c, site| {
            let scope = scope.with(variable, Binding::Site(site.clone()));
            let no = c.asm.label();
            c.asm.open();
            for part in others {
                c.jump(part, &scope, false, no)?;
            }
            let single = c.single(&site)?;
            c.asm.join(found, single);
            c.asm.close();
            c.asm.place(no);
            Ok(())
        })?;
        self.note(ClauseKind::Loop, condition.span, how, from);
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
        self.asm.loop_back(clause, again);
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
        self.asm.copy_to(rest, region);
        let done = self.asm.label();
        let again = self.asm.label();
        let round = open(&mut self.asm);
        self.asm.place(again);
        let site = self.asm.fresh_num();
        self.asm.take(site, rest, done);
        let emitted = emit(self, site, rest);
        self.asm.jump(again);
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
            let first = c.asm.single(site);
            let left = c.asm.or(first, rest);
            let group = c.group_of(first, left, &cases)?;
            c.asm.drop(rest, group);
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
    /// any other team if the flag is not set.
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
                let teams = self.rules.teams;
                Ok(self.owned(kinds, |owner| is_meant(teams, owner, player, is)))
            }
            Some((PlayerOperand::In(who), is)) => self.set_by_player(who, |c, player| {
                let teams = c.rules.teams;
                Ok(c.owned(kinds, |owner| is_meant(teams, owner, player, is)))
            }),
        }
    }

    /// Returns the registers of pieces of these kinds, if the kinds and their owners are known
    /// before play.
    pub(super) fn registers(
        &mut self,
        kinds: &'r [Spanned<PieceOf>],
        whose: &'r Whose,
    ) -> Option<Vec<u16>> {
        let (player, wanted) = match whose {
            Whose::Anyones => (None, true),
            Whose::Players(player) => (Some(player), true),
            Whose::Others(player) => (Some(player), false),
        };
        let player = match player {
            Some(player) => Some(self.board_player(player, &Scope::default())?),
            None => None,
        };
        let kinds: Vec<PieceId> =
            kinds.iter().map(|kind| kind.node.fixed()).collect::<Option<_>>()?;
        let is_meant = |owner: Option<PlayerId>| match (player, owner) {
            (None, _) => true,
            (Some(player), Some(owner)) => is_meant(self.rules.teams, owner, player, wanted),
            (Some(_), None) => false,
        };
        let all = (0..self.rules.pieces.len() as u16).map(PieceId);
        let all = all.filter(|piece| kinds.is_empty() || kinds.contains(piece));
        let homes = all.flat_map(|piece| self.homes(piece));
        Some(homes.filter(|(owner, _)| is_meant(*owner)).map(|(_, home)| home.0).collect())
    }

    /// Returns the registers of a kind of piece, each with the owner.
    fn homes(&self, kind: PieceId) -> Vec<(Option<PlayerId>, Set)> {
        let owners = match self.rules.pieces[kind.index()].owned {
            true => {
                (0..self.rules.players.len() as u16).map(|player| Some(PlayerId(player))).collect()
            }
            false => vec![None],
        };
        owners.into_iter().map(|owner| (owner, self.layout.piece(kind, owner))).collect()
    }

    /// Returns the sites with an owned piece of these kinds whose owner satisfies the predicate.
    pub(super) fn owned(&mut self, kinds: &[PieceId], owner: impl Fn(PlayerId) -> bool) -> Set {
        let homes: Vec<_> = kinds.iter().flat_map(|&kind| self.homes(kind)).collect();
        let owned = homes.into_iter().filter(|(whose, _)| whose.is_some_and(&owner));
        owned.fold(self.asm.none(), |all, (_, home)| self.asm.or(all, home))
    }

    /// Returns the sites with a piece of this kind; if it is owned, of owners that satisfy the
    /// predicate.
    pub(super) fn sites_with(&mut self, kind: PieceId, owner: impl Fn(PlayerId) -> bool) -> Set {
        let meant = self.homes(kind).into_iter().filter(|(whose, _)| whose.is_none_or(&owner));
        meant.fold(self.asm.none(), |all, (_, home)| self.asm.or(all, home))
    }

    fn remembered_sites(
        &mut self,
        memory: MemoryId,
        player: Option<&'r Spanned<PlayerOf>>,
        direction: Option<&'r Spanned<DirectionOf>>,
        scope: &Scope<'r>,
    ) -> Compiled<Set> {
        let mut all = Lowered::never();
        for (guard, set) in self.homes_of_sets(memory, player, direction, scope)? {
            let part = Lowered::gate(self.known_set(set));
            let part = self.under_guard(&guard, part)?;
            all = self.either(all, part)?;
        }
        self.emit_set(all.gate)
    }

    /// Returns the registers that a remembered set may be in, each with the guard under which it
    /// is.
    pub(super) fn homes_of_sets(
        &mut self,
        memory: MemoryId,
        player: Option<&'r Spanned<PlayerOf>>,
        direction: Option<&'r Spanned<DirectionOf>>,
        scope: &Scope<'r>,
    ) -> Compiled<Vec<(Guard, Set)>> {
        let Home::Sets { first } = self.layout.home(memory) else { return Ok(Vec::new()) };
        let whose = match player {
            Some(player) => self.player_operand(player, scope)?,
            None => PlayerOperand::Fixed(PlayerId(0)),
        };
        let owners: Vec<(u16, Guard)> = match whose {
            PlayerOperand::Fixed(player) => vec![(player.0, Guard::default())],
            PlayerOperand::In(who) => (0..self.rules.players.len() as u16)
                .map(|player| (player, Guard::equal(who, i32::from(player))))
                .collect(),
        };
        let listed = self.rules.memories[memory.index()].per_direction.iter();
        let listed = (0..).zip(listed);
        let ways: Vec<(u16, Guard)> = match direction {
            None => vec![(0, Guard::default())],
            Some(direction) => match self.direction_operand(direction, scope)? {
                DirectionOperand::Nowhere => Vec::new(),
                DirectionOperand::Fixed(way) => listed
                    .filter(|(_, one)| **one == way)
                    .map(|(place, _)| (place, Guard::default()))
                    .collect(),
                DirectionOperand::In(way) => listed
                    .map(|(place, one)| (place, Guard::equal(way, one.index() as i32)))
                    .collect(),
            },
        };
        let width = self.rules.memories[memory.index()].per_direction.len().max(1) as u16;
        let mut homes = Vec::with_capacity(owners.len() * ways.len());
        for (owner, is_owner) in owners {
            for (place, is_way) in &ways {
                homes.push((is_owner.clone().and(is_way), Set(first + owner * width + place)));
            }
        }
        Ok(homes)
    }

    /// Returns the sites one step from a region in any of the directions.
    pub(super) fn beside(&mut self, of: Set, directions: &[crate::board::Direction]) -> Set {
        if of == self.asm.none() {
            return of;
        }
        match directions {
            [] => self.asm.none(),
            &[direction] => match self.shifted_constant(of, direction) {
                Some(shifted) => {
                    self.asm.shifts_to(of, direction, shifted);
                    shifted
                }
                None => self.asm.shift(of, direction),
            },
            _ => {
                let ways = self.ways(Self::mask(directions));
                self.asm.beside(ways, of)
            }
        }
    }
}

/// Tests if an owner is the player or, if the flag is not set, of another team.
fn is_meant(teams: Teams, owner: PlayerId, player: PlayerId, is: bool) -> bool {
    if is { owner == player } else { teams.of(owner) != teams.of(player) }
}
