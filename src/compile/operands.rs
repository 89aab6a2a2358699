//! Compiles single sites, directions and players; `kinds` compiles kinds of piece.

use super::assembler::{Num, Set};
use super::layout::Home;
use super::op::Code;
use super::plan::Why;
use super::values::{Binding, DirectionOperand, PieceOperand, PlayerOperand, Scope, SiteOperand};
use super::{Compiled, Compiler, Stop, unevaluated};
use crate::board::Direction;
use crate::language::rules::{
    Condition, DirectionOf, MemoryId, PieceId, PieceOf, PlayerId, PlayerOf, SiteOf, Spanned,
};

/// Emits the code of one of several cases, of which one is executed.
pub(super) type EmitCase<'e, 'r, T> = &'e mut dyn FnMut(&mut Compiler<'r>, T) -> Compiled<()>;

impl<'r> Compiler<'r> {
    /// Evaluates a single site.
    pub(super) fn site_operand(
        &mut self,
        site: &'r Spanned<SiteOf>,
        scope: &Scope<'r>,
    ) -> Compiled<SiteOperand> {
        self.at(site.span, |c| c.site_operand_within(site, scope))
    }

    fn site_operand_within(
        &mut self,
        site: &'r Spanned<SiteOf>,
        scope: &Scope<'r>,
    ) -> Compiled<SiteOperand> {
        match &site.node {
            SiteOf::Literal(site) => Ok(SiteOperand::Fixed(*site)),
            SiteOf::Nowhere => Ok(SiteOperand::Nowhere),
            SiteOf::Local(local) => match scope.get(*local) {
                Some(Binding::Site(SiteOperand::Lifted { lift, .. }))
                    if lift != self.context.lift =>
                {
                    Err(Stop::NotLiftable(Why::TwoSites))
                }
                Some(Binding::Site(place)) => Ok(place),
                binding => {
                    let (site, scope) = unevaluated(binding)?;
                    self.site_operand(site, &scope)
                }
            },
            SiteOf::Step(from, direction, number) => {
                let from = self.site_operand(from, scope)?;
                let way = self.direction_operand(direction, scope)?;
                (0..*number).try_fold(from, |site, _| self.step(site, way))
            }
            SiteOf::First { from, direction, stops } => {
                let from = self.site_operand(from, scope)?;
                let stops = self.region(stops, scope)?;
                let way = self.direction_operand(direction, scope)?;
                let from = self.site_number(&from)?;
                let first = |c: &mut Self, direction: Direction| {
                    let first = c.asm.set(Code::Sight, Self::mask(&[direction]), from.0, stops.0);
                    c.asm.num(Code::Lowest, 0, first.0, 0)
                };
                match way {
                    DirectionOperand::Nowhere => Ok(SiteOperand::Nowhere),
                    DirectionOperand::Fixed(direction) => {
                        Ok(SiteOperand::In(first(self, direction)))
                    }
                    DirectionOperand::In(way) => {
                        self.by_direction(way, |c, direction| Ok(first(c, direction)))
                    }
                }
            }
            SiteOf::Memory { memory, player, site } => {
                self.remembered_site(*memory, player.as_ref(), site.as_deref(), scope)
            }
            SiteOf::Only(region) => {
                let region = self.region(region, scope)?;
                let count = self.asm.num(Code::Count, 0, region.0, 0);
                let lowest = self.asm.num(Code::Lowest, 0, region.0, 0);
                let (site, one) = (self.nothing(), self.asm.constant(1));
                let over = self.asm.label();
                self.asm.emit(Code::IfUnequal, 0, count.0, one.0, over.0);
                self.asm.open();
                self.asm.emit(Code::Assign, 0, site.0, lowest.0, 0);
                self.asm.close();
                self.asm.place(over);
                Ok(SiteOperand::In(site))
            }
            SiteOf::ByPlayer(player, branches) => match self.player_operand(player, scope)? {
                PlayerOperand::Fixed(player) => self.site_operand(&branches[player.index()], scope),
                PlayerOperand::In(who) => self
                    .by_player(who, |c, player| {
                        let place = c.site_operand(&branches[player.index()], scope)?;
                        c.site_number(&place)
                    })
                    .map(SiteOperand::In),
            },
            SiteOf::If(condition, then, otherwise) => match self.settled(condition, scope)? {
                Some(holds) => self.site_operand(if holds { then } else { otherwise }, scope),
                None => self
                    .num_if(condition, scope, |c, holds| {
                        let site = c.site_operand(if holds { then } else { otherwise }, scope)?;
                        c.site_number(&site)
                    })
                    .map(SiteOperand::In),
            },
            SiteOf::Call(definition, arguments) => {
                let (body, scope) = self.open_call(*definition, arguments, scope)?;
                self.site_operand(body, &scope)
            }
        }
    }

    fn remembered_site(
        &mut self,
        memory: MemoryId,
        player: Option<&'r Spanned<PlayerOf>>,
        site: Option<&'r Spanned<SiteOf>>,
        scope: &Scope<'r>,
    ) -> Compiled<SiteOperand> {
        match self.layout.home(memory) {
            Home::Nums { .. } => self.remembered(memory, player, None, scope).map(SiteOperand::In),
            Home::Field { first, bits } => {
                let index = match site {
                    Some(site) => self.site_operand(site, scope)?,
                    None => SiteOperand::Nowhere,
                };
                let index = self.site_number(&index)?;
                Ok(SiteOperand::In(self.field_at(first, bits, index, -1)))
            }
            Home::Sets { .. } => Ok(SiteOperand::Nowhere),
        }
    }

    /// Returns the number that bit planes hold at a site, plus an offset.
    pub(super) fn field_at(&mut self, first: u16, bits: u16, site: Num, offset: i32) -> Num {
        let number = self.asm.fresh_num();
        let start = self.asm.constant(offset);
        self.asm.emit(Code::Assign, 0, number.0, start.0, 0);
        for bit in 0..bits {
            self.asm.emit(Code::Bit, bit as u8, number.0, first + bit, site.0);
        }
        number
    }

    /// Returns the register of a remembered number, site, player or kind that is not per-site; a
    /// copy if it is per player or per kind and these are known only in play.
    pub(super) fn remembered(
        &mut self,
        memory: MemoryId,
        player: Option<&'r Spanned<PlayerOf>>,
        kind: Option<&'r Spanned<PieceOf>>,
        scope: &Scope<'r>,
    ) -> Compiled<Num> {
        let Home::Nums { first } = self.layout.home(memory) else {
            return Err(Stop::NotLiftable(Why::Value));
        };
        let kind = match kind {
            Some(kind) => Some(self.piece_operand(kind, scope)?),
            None => None,
        };
        let who = match player {
            Some(player) => self.player_operand(player, scope)?,
            None => PlayerOperand::Fixed(PlayerId(0)),
        };
        let width = self.rules.memories[memory.index()].values_per_player() as u16;
        match (who, &kind) {
            (PlayerOperand::Fixed(player), None) => Ok(Num(first + player.0)),
            (PlayerOperand::Fixed(player), Some(PieceOperand::Fixed(kind))) => {
                let zero = self.asm.constant(0);
                let place = self.place_of(memory, *kind);
                Ok(place.map_or(zero, |place| Num(first + player.0 * width + place)))
            }
            (PlayerOperand::In(who), None) => {
                self.by_player(who, |_, player| Ok(Num(first + player.0)))
            }
            (who, Some(kind)) => {
                let result = self.asm.fresh_num();
                let zero = self.asm.constant(0);
                self.asm.emit(Code::Assign, 0, result.0, zero.0, 0);
                self.each_kept_number(memory, who, kind, |c, register| {
                    c.asm.emit(Code::Assign, 0, result.0, register, 0);
                    Ok(())
                })?;
                Ok(result)
            }
        }
    }

    /// Returns the index of a kind in a per-kind memory; `None` if the memory has no value for it.
    fn place_of(&self, memory: MemoryId, kind: PieceId) -> Option<u16> {
        let kinds = &self.rules.memories[memory.index()].per_kind;
        kinds.iter().position(|&kept| kept == kind).map(|place| place as u16)
    }

    /// Emits code for each register that a per-kind number may be in, of which only that of the
    /// actual register is executed; none for a kind that the memory has no value for.
    pub(super) fn each_kept_number(
        &mut self,
        memory: MemoryId,
        who: PlayerOperand,
        kind: &PieceOperand,
        mut emit: impl FnMut(&mut Self, u16) -> Compiled<()>,
    ) -> Compiled<()> {
        let Home::Nums { first } = self.layout.home(memory) else {
            return Err(Stop::NotLiftable(Why::Value));
        };
        let width = self.rules.memories[memory.index()].values_per_player() as u16;
        self.each_kind(kind, |c, kind| {
            let Some(place) = c.place_of(memory, kind) else { return Ok(()) };
            match who {
                PlayerOperand::Fixed(player) => emit(c, first + player.0 * width + place),
                PlayerOperand::In(who) => {
                    c.each_player(who, |c, player| emit(c, first + player.0 * width + place))
                }
            }
        })
    }

    /// Returns the site one step from another.
    pub(super) fn step(
        &mut self,
        from: SiteOperand,
        way: DirectionOperand,
    ) -> Compiled<SiteOperand> {
        match (from, way) {
            (SiteOperand::Nowhere, _) | (_, DirectionOperand::Nowhere) => Ok(SiteOperand::Nowhere),
            (SiteOperand::Fixed(site), DirectionOperand::Fixed(direction)) => Ok(self
                .board
                .step(site, direction)
                .map_or(SiteOperand::Nowhere, SiteOperand::Fixed)),
            (SiteOperand::In(site), DirectionOperand::Fixed(direction)) => {
                Ok(SiteOperand::In(self.asm.num(Code::Step, direction.index() as u8, site.0, 0)))
            }
            (SiteOperand::Lifted { lift, mut path }, DirectionOperand::Fixed(direction)) => {
                path.push(direction);
                Ok(SiteOperand::Lifted { lift, path })
            }
            (SiteOperand::Lifted { .. }, DirectionOperand::In(_)) => {
                Err(Stop::NotLiftable(Why::Direction))
            }
            (from, DirectionOperand::In(way)) => {
                let site = self.site_number(&from)?;
                self.by_direction(way, |c, direction| {
                    Ok(c.asm.num(Code::Step, direction.index() as u8, site.0, 0))
                })
            }
        }
    }

    /// Returns the number of a site, -1 for nowhere.
    pub(super) fn site_number(&mut self, place: &SiteOperand) -> Compiled<Num> {
        match place {
            SiteOperand::Nowhere => Ok(self.asm.constant(-1)),
            SiteOperand::Fixed(site) => Ok(self.asm.constant(i32::from(site.0))),
            SiteOperand::In(num) => Ok(*num),
            SiteOperand::Lifted { .. } => Err(Stop::NotLiftable(Why::Site)),
        }
    }

    /// Returns the set of just this site.
    pub(super) fn single(&mut self, place: &SiteOperand) -> Compiled<Set> {
        match place {
            SiteOperand::Nowhere => Ok(self.asm.none()),
            SiteOperand::Fixed(site) => Ok(self.constant(vec![*site])),
            SiteOperand::In(num) => Ok(self.asm.set(Code::Single, 0, num.0, 0)),
            SiteOperand::Lifted { .. } => Err(Stop::NotLiftable(Why::Site)),
        }
    }

    /// Evaluates a single direction.
    pub(super) fn direction_operand(
        &mut self,
        direction: &'r Spanned<DirectionOf>,
        scope: &Scope<'r>,
    ) -> Compiled<DirectionOperand> {
        self.at(direction.span, |c| c.direction_operand_within(direction, scope))
    }

    fn direction_operand_within(
        &mut self,
        direction: &'r Spanned<DirectionOf>,
        scope: &Scope<'r>,
    ) -> Compiled<DirectionOperand> {
        match &direction.node {
            DirectionOf::Fixed(direction) => Ok(DirectionOperand::Fixed(*direction)),
            DirectionOf::Local(local) => match scope.get(*local) {
                Some(Binding::Direction(way)) => Ok(way),
                binding => {
                    let (direction, scope) = unevaluated(binding)?;
                    self.direction_operand(direction, &scope)
                }
            },
            DirectionOf::Between(from, to) => {
                let from = self.site_operand(from, scope)?;
                let to = self.site_operand(to, scope)?;
                self.between(&from, &to)
            }
            DirectionOf::Turned(direction, steps) => {
                let (board, steps) = (self.board, i32::from(*steps));
                let turned = |direction| board.turned(direction, steps);
                match self.direction_operand(direction, scope)? {
                    DirectionOperand::Nowhere => Ok(DirectionOperand::Nowhere),
                    DirectionOperand::Fixed(direction) => Ok(turned(direction)
                        .map_or(DirectionOperand::Nowhere, DirectionOperand::Fixed)),
                    DirectionOperand::In(way) => {
                        let result = self.nothing();
                        let ways = Direction::ALL.into_iter().filter_map(|direction| {
                            Some((direction.index() as i32, turned(direction)?))
                        });
                        self.emit_matching(way, ways, |c, turned| {
                            let number = c.asm.constant(turned.index() as i32);
                            c.asm.emit(Code::Assign, 0, result.0, number.0, 0);
                            Ok(())
                        })?;
                        Ok(DirectionOperand::In(result))
                    }
                }
            }
            DirectionOf::ByPlayer(player, branches) => match self.player_operand(player, scope)? {
                PlayerOperand::Fixed(player) => {
                    self.direction_operand(&branches[player.index()], scope)
                }
                PlayerOperand::In(who) => self
                    .by_player(who, |c, player| {
                        let direction = c.direction_operand(&branches[player.index()], scope)?;
                        Ok(c.direction_number(direction))
                    })
                    .map(DirectionOperand::In),
            },
            DirectionOf::If(condition, then, otherwise) => match self.settled(condition, scope)? {
                Some(holds) => self.direction_operand(if holds { then } else { otherwise }, scope),
                None => self
                    .num_if(condition, scope, |c, holds| {
                        let branch = if holds { then } else { otherwise };
                        let direction = c.direction_operand(branch, scope)?;
                        Ok(c.direction_number(direction))
                    })
                    .map(DirectionOperand::In),
            },
            DirectionOf::Call(definition, arguments) => {
                let (body, scope) = self.open_call(*definition, arguments, scope)?;
                self.direction_operand(body, &scope)
            }
        }
    }

    fn between(&mut self, from: &SiteOperand, to: &SiteOperand) -> Compiled<DirectionOperand> {
        match (from, to) {
            (SiteOperand::Nowhere, _) | (_, SiteOperand::Nowhere) => Ok(DirectionOperand::Nowhere),
            (SiteOperand::Fixed(from), SiteOperand::Fixed(to)) => {
                let found = self
                    .board
                    .all()
                    .iter()
                    .find(|&&direction| self.board.step(*from, direction) == Some(*to));
                Ok(found.map_or(DirectionOperand::Nowhere, |direction| {
                    DirectionOperand::Fixed(*direction)
                }))
            }
            // Only steps that a move set was generated by are known to stay on the board.
            (SiteOperand::Lifted { lift, path: from }, SiteOperand::Lifted { path: to, .. }) => {
                match (self.offered, &from[..], &to[..]) {
                    (Some((offered, direction)), [], [step])
                        if offered == *lift && direction == *step =>
                    {
                        Ok(DirectionOperand::Fixed(direction))
                    }
                    (Some((offered, direction)), [step], [])
                        if offered == *lift && direction == *step =>
                    {
                        Ok(DirectionOperand::Fixed(direction.opposite()))
                    }
                    _ => Err(Stop::NotLiftable(Why::Direction)),
                }
            }
            (SiteOperand::In(from), SiteOperand::In(to))
                if self.context.stepped.get(&to.0).is_some_and(|(start, _)| *start == from.0) =>
            {
                Ok(self
                    .context
                    .stepped
                    .get(&to.0)
                    .map_or(DirectionOperand::Nowhere, |&(_, direction)| {
                        DirectionOperand::Fixed(direction)
                    }))
            }
            _ => {
                let from = self.site_number(from)?;
                let to = self.site_number(to)?;
                Ok(DirectionOperand::In(self.asm.num(Code::Direction, 0, from.0, to.0)))
            }
        }
    }

    /// Evaluates a player.
    pub(super) fn player_operand(
        &mut self,
        player: &'r Spanned<PlayerOf>,
        scope: &Scope<'r>,
    ) -> Compiled<PlayerOperand> {
        self.at(player.span, |c| c.player_operand_within(player, scope))
    }

    fn player_operand_within(
        &mut self,
        player: &'r Spanned<PlayerOf>,
        scope: &Scope<'r>,
    ) -> Compiled<PlayerOperand> {
        match &player.node {
            PlayerOf::Fixed(player) => Ok(PlayerOperand::Fixed(*player)),
            PlayerOf::Mover => Ok(PlayerOperand::Fixed(self.mover)),
            PlayerOf::Next(player) => match self.player_operand(player, scope)? {
                PlayerOperand::Fixed(player) => Ok(PlayerOperand::Fixed(self.after(player))),
                PlayerOperand::In(who) => self
                    .by_player(who, |c, player| {
                        let next = c.after(player);
                        Ok(c.asm.constant(i32::from(next.0)))
                    })
                    .map(PlayerOperand::In),
            },
            PlayerOf::Local(local) => match scope.get(*local) {
                Some(Binding::Player(who)) => Ok(who),
                binding => {
                    let (player, scope) = unevaluated(binding)?;
                    self.player_operand(player, &scope)
                }
            },
            PlayerOf::Memory { memory, player } => {
                self.remembered(*memory, player.as_deref(), None, scope).map(PlayerOperand::In)
            }
            PlayerOf::ByPlayer(player, branches) => match self.player_operand(player, scope)? {
                PlayerOperand::Fixed(player) => {
                    self.player_operand(&branches[player.index()], scope)
                }
                PlayerOperand::In(who) => self
                    .by_player(who, |c, player| {
                        let who = c.player_operand(&branches[player.index()], scope)?;
                        Ok(c.player_number(who))
                    })
                    .map(PlayerOperand::In),
            },
            PlayerOf::If(condition, then, otherwise) => match self.settled(condition, scope)? {
                Some(holds) => self.player_operand(if holds { then } else { otherwise }, scope),
                None => self
                    .num_if(condition, scope, |c, holds| {
                        let player =
                            c.player_operand(if holds { then } else { otherwise }, scope)?;
                        Ok(c.player_number(player))
                    })
                    .map(PlayerOperand::In),
            },
            PlayerOf::Call(definition, arguments) => {
                let (body, scope) = self.open_call(*definition, arguments, scope)?;
                self.player_operand(body, &scope)
            }
        }
    }

    /// Returns the register with the number that `compute` yields for the condition, which is not
    /// known before play. Only the branch for the value that the condition has is executed.
    pub(super) fn num_if(
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
            self.asm.emit(Code::Assign, 0, result.0, value.0, 0);
            self.asm.close();
            if holds {
                self.asm.emit(Code::Jump, 0, 0, 0, end.0);
                self.asm.place(no);
            }
        }
        self.asm.place(end);
        Ok(result)
    }

    /// Returns the register with a direction's index, -1 for no direction.
    pub(super) fn direction_number(&mut self, direction: DirectionOperand) -> Num {
        match direction {
            DirectionOperand::Nowhere => self.asm.constant(-1),
            DirectionOperand::Fixed(direction) => self.asm.constant(direction.index() as i32),
            DirectionOperand::In(num) => num,
        }
    }

    /// Returns the player after this one.
    pub(super) fn after(&self, player: PlayerId) -> PlayerId {
        PlayerId((player.0 + 1) % self.rules.players.len() as u16)
    }

    /// Returns the register with a player's index.
    pub(super) fn player_number(&mut self, who: PlayerOperand) -> Num {
        match who {
            PlayerOperand::Fixed(player) => self.asm.constant(i32::from(player.0)),
            PlayerOperand::In(num) => num,
        }
    }

    /// Emits code for each item, of which only that with the index in the register is executed.
    pub(super) fn emit_matching<T>(
        &mut self,
        which: Num,
        all: impl IntoIterator<Item = (i32, T)>,
        mut emit: impl FnMut(&mut Self, T) -> Compiled<()>,
    ) -> Compiled<()> {
        let end = self.asm.label();
        self.asm.open();
        for (index, one) in all {
            let other = self.asm.label();
            let index = self.asm.constant(index);
            self.asm.emit(Code::IfUnequal, 0, which.0, index.0, other.0);
            self.asm.open();
            emit(self, one)?;
            self.asm.close();
            self.asm.emit(Code::Jump, 0, 0, 0, end.0);
            self.asm.place(other);
        }
        self.asm.close();
        self.asm.place(end);
        Ok(())
    }

    /// Returns a register that holds -1, for a result that may not be found.
    pub(super) fn nothing(&mut self) -> Num {
        let result = self.asm.fresh_num();
        let none = self.asm.constant(-1);
        self.asm.emit(Code::Assign, 0, result.0, none.0, 0);
        result
    }

    /// Returns the number that `compute` yields for the case that is executed among those that
    /// `each` emits; -1 for none.
    pub(super) fn number_of_case<T>(
        &mut self,
        each: impl FnOnce(&mut Self, EmitCase<'_, 'r, T>) -> Compiled<()>,
        mut compute: impl FnMut(&mut Self, T) -> Compiled<Num>,
    ) -> Compiled<Num> {
        let result = self.nothing();
        each(self, &mut |c, case| {
            let value = compute(c, case)?;
            c.asm.emit(Code::Assign, 0, result.0, value.0, 0);
            Ok(())
        })?;
        Ok(result)
    }

    /// Returns the set that `compute` yields for the case that is executed among those that `each`
    /// emits; no site for none.
    pub(super) fn set_of_case<T>(
        &mut self,
        each: impl FnOnce(&mut Self, EmitCase<'_, 'r, T>) -> Compiled<()>,
        mut compute: impl FnMut(&mut Self, T) -> Compiled<Set>,
    ) -> Compiled<Set> {
        let result = self.asm.fresh_set();
        self.asm.emit(Code::Clear, 0, result.0, 0, 0);
        each(self, &mut |c, case| {
            let set = compute(c, case)?;
            c.asm.emit(Code::Copy, 0, result.0, set.0, 0);
            Ok(())
        })?;
        Ok(result)
    }

    /// Emits code for each player, of which only that with the index in the register is executed.
    pub(super) fn each_player(
        &mut self,
        who: Num,
        emit: impl FnMut(&mut Self, PlayerId) -> Compiled<()>,
    ) -> Compiled<()> {
        let players = (0..self.rules.players.len() as u16)
            .map(|player| (i32::from(player), PlayerId(player)));
        self.emit_matching(who, players, emit)
    }

    /// Returns the number that `compute` yields for the player whose index is in the register.
    pub(super) fn by_player(
        &mut self,
        who: Num,
        compute: impl FnMut(&mut Self, PlayerId) -> Compiled<Num>,
    ) -> Compiled<Num> {
        self.number_of_case(|c, emit| c.each_player(who, emit), compute)
    }

    /// Returns the set that `compute` yields for the player whose index is in the register.
    pub(super) fn set_by_player(
        &mut self,
        who: Num,
        compute: impl FnMut(&mut Self, PlayerId) -> Compiled<Set>,
    ) -> Compiled<Set> {
        self.set_of_case(|c, emit| c.each_player(who, emit), compute)
    }

    /// Emits code for each direction of the board, of which only that with the index in the
    /// register is executed.
    pub(super) fn each_direction(
        &mut self,
        way: Num,
        emit: impl FnMut(&mut Self, Direction) -> Compiled<()>,
    ) -> Compiled<()> {
        let board = self.board;
        self.emit_matching(
            way,
            board.all().iter().map(|&direction| (direction.index() as i32, direction)),
            emit,
        )
    }

    /// Returns the site that `compute` yields for the direction whose index is in the register.
    fn by_direction(
        &mut self,
        way: Num,
        compute: impl FnMut(&mut Self, Direction) -> Compiled<Num>,
    ) -> Compiled<SiteOperand> {
        self.number_of_case(|c, emit| c.each_direction(way, emit), compute).map(SiteOperand::In)
    }
}
