//! Compiles single sites, directions and players; `kinds` compiles kinds of piece.

mod cases;
mod directions;

use super::assembler::{Num, Set};
use super::calls::unevaluated;
use super::layout::Home;
use super::plan::Why;
use super::values::{
    Amount, Binding, DirectionOperand, KeyOperand, PieceOperand, PlayerOperand, Quantity, Scope,
    SiteOperand,
};
use super::{Compiled, Compiler, Stop};
use crate::board::Direction;
use crate::language::rules::{
    Definition, DropOuts, KeyOf, Keys, MemoryId, PlayerId, PlayerOf, SiteOf, Spanned, Value,
};

/// The greatest number of steps, known before play, that become single ones.
const MAX_SINGLE_STEPS: i64 = 16;

/// Emits the code of one case. Of the cases, one is executed in play.
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
        if let Some(known) = self.board_site(site, scope) {
            return Ok(known);
        }
        match &site.node {
            SiteOf::Literal(site) => Ok(SiteOperand::Fixed(*site)),
            SiteOf::Nowhere => Ok(SiteOperand::Nowhere),
            SiteOf::Local(local) => match self.bound(*local, scope) {
                Some(Binding::Site(SiteOperand::Lifted { lift, path })) => {
                    match self.fixed_column(lift) {
                        Some(site) => path.iter().try_fold(SiteOperand::In(site), |site, &way| {
                            self.step(site, DirectionOperand::Fixed(way))
                        }),
                        None if lift == self.context.lift => Ok(SiteOperand::Lifted { lift, path }),
                        None => Err(Stop::NotLiftable(Why::TwoSites)),
                    }
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
            SiteOf::StepBy(from, direction, number) => {
                let from = self.site_operand(from, scope)?;
                let way = self.direction_operand(direction, scope)?;
                let number = self.lift_number(number, scope)?;
                let number = self.whole(number)?;
                self.step_by(from, way, &number)
            }
            SiteOf::First { from, direction, stops } => {
                let from = self.site_operand(from, scope)?;
                let stops = self.region(stops, scope)?;
                let way = self.direction_operand(direction, scope)?;
                let from = self.site_number(&from)?;
                let first = |c: &mut Self, direction: Direction| {
                    let ways = c.ways(Self::mask(&[direction]));
                    let first = c.asm.sight(ways, from, stops);
                    c.asm.lowest(first)
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
            SiteOf::Memory { memory, player, site } => Ok(self
                .remembered_index(*memory, player.as_ref(), site.as_deref(), scope)?
                .map_or(SiteOperand::Nowhere, SiteOperand::In)),
            SiteOf::Only(region) => {
                let region = self.region(region, scope)?;
                let count = self.asm.count(region);
                let lowest = self.asm.lowest(region);
                let (site, one) = (self.nothing(), self.asm.constant(1));
                let over = self.asm.label();
                self.asm.if_unequal(count, one, over);
                self.asm.open();
                self.asm.assign_to(site, lowest);
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
            SiteOf::If(condition, then, otherwise) => match self.settled(condition, scope) {
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

    /// Returns the register with the index of a remembered site, kind or direction, -1 for none;
    /// `None` for a memory of sets.
    pub(super) fn remembered_index(
        &mut self,
        memory: MemoryId,
        player: Option<&'r Spanned<PlayerOf>>,
        site: Option<&'r Spanned<SiteOf>>,
        scope: &Scope<'r>,
    ) -> Compiled<Option<Num>> {
        match self.layout.home(memory) {
            Home::Nums { .. } => self.remembered(memory, player, None, scope).map(Some),
            Home::Field { first, bits } => {
                let index = match site {
                    Some(site) => self.site_operand(site, scope)?,
                    None => SiteOperand::Nowhere,
                };
                let index = self.site_number(&index)?;
                Ok(Some(self.field_at(first, bits, index, -1)))
            }
            Home::Sets { .. } => Ok(None),
        }
    }

    /// Returns the number that bit planes hold at a site, plus an offset.
    pub(super) fn field_at(&mut self, first: u16, bits: u16, site: Num, offset: i32) -> Num {
        let planes: Vec<Set> = (first..first + bits).map(Set).collect();
        self.number_in_planes(&planes, site, offset)
    }

    /// Returns the register of a remembered number, site, player or kind that is not per-site; a
    /// copy if its player or key is known only in play.
    pub(super) fn remembered(
        &mut self,
        memory: MemoryId,
        player: Option<&'r Spanned<PlayerOf>>,
        key: Option<&'r KeyOf>,
        scope: &Scope<'r>,
    ) -> Compiled<Num> {
        let Home::Nums { first } = self.layout.home(memory) else {
            return Err(Stop::NotLiftable(Why::Value));
        };
        let key = match key {
            Some(key) => Some(self.key_operand(key, scope)?),
            None => None,
        };
        let who = match player {
            Some(player) => self.player_operand(player, scope)?,
            None => PlayerOperand::Fixed(PlayerId(0)),
        };
        let kept = &self.rules.memories[memory.index()];
        let width = kept.values_per_player() as u16;
        let place = match &key {
            Some(KeyOperand::Kind(PieceOperand::Fixed(kind))) => {
                Some(kept.keys.place_of_kind(*kind))
            }
            Some(KeyOperand::Number(Amount::Fixed(number))) => {
                Some(kept.keys.place_of_number(*number))
            }
            _ => None,
        };
        match (who, &key) {
            (PlayerOperand::Fixed(player), None) => Ok(Num(first + player.0)),
            (PlayerOperand::Fixed(player), Some(_)) if let Some(place) = place => {
                let zero = self.asm.constant(0);
                Ok(place.map_or(zero, |place| Num(first + player.0 * width + place as u16)))
            }
            (PlayerOperand::In(who), None) => {
                self.by_player(who, |_, player| Ok(Num(first + player.0)))
            }
            (who, Some(key)) => {
                let result = self.starting_at(0);
                self.each_kept_number(memory, who, key, |c, register| {
                    c.asm.assign_to(result, register);
                    Ok(())
                })?;
                Ok(result)
            }
        }
    }

    /// Evaluates which value of a memory is meant.
    pub(super) fn key_operand(
        &mut self,
        key: &'r KeyOf,
        scope: &Scope<'r>,
    ) -> Compiled<KeyOperand> {
        Ok(match key {
            KeyOf::Kind(kind) => KeyOperand::Kind(self.piece_operand(kind, scope)?),
            KeyOf::Number(number) => {
                let number = self.lift_number(number, scope)?;
                KeyOperand::Number(match number.amount {
                    Amount::Fixed(fixed) => Amount::Fixed(fixed / number.scale),
                    _ => {
                        let held = self.held(&number)?;
                        Amount::In(self.frozen_number(held))
                    }
                })
            }
        })
    }

    /// Emits code for each register that can hold a number with a key; only the code of the actual
    /// register is executed, and none for a key that the memory has no value for.
    pub(super) fn each_kept_number(
        &mut self,
        memory: MemoryId,
        who: PlayerOperand,
        key: &KeyOperand,
        mut emit: impl FnMut(&mut Self, Num) -> Compiled<()>,
    ) -> Compiled<()> {
        let Home::Nums { first } = self.layout.home(memory) else {
            return Err(Stop::NotLiftable(Why::Value));
        };
        let rules = self.rules;
        let kept = &rules.memories[memory.index()];
        let width = kept.values_per_player() as u16;
        let mut of_place = |c: &mut Self, place: Option<usize>| {
            let Some(place) = place.map(|place| first + place as u16) else { return Ok(()) };
            match who {
                PlayerOperand::Fixed(player) => emit(c, Num(place + player.0 * width)),
                PlayerOperand::In(who) => {
                    c.each_player(who, |c, player| emit(c, Num(place + player.0 * width)))
                }
            }
        };
        match (key, &kept.keys) {
            (KeyOperand::Kind(kind), keys) => {
                self.each_kind(kind, |c, kind| of_place(c, keys.place_of_kind(kind)))
            }
            (KeyOperand::Number(Amount::In(which)), Keys::Numbers(numbers)) => {
                let places = numbers.clone().zip((0..).map(Some));
                self.emit_matching(*which, places, of_place)
            }
            (KeyOperand::Number(Amount::Fixed(number)), keys) => {
                of_place(self, keys.place_of_number(*number))
            }
            (KeyOperand::Number(_), _) => Ok(()),
        }
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
                Ok(SiteOperand::In(self.asm.step(direction, site)))
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
                self.by_direction(way, |c, direction| Ok(c.asm.step(direction, site)))
            }
        }
    }

    /// Returns the site that many steps from another.
    fn step_by(
        &mut self,
        from: SiteOperand,
        way: DirectionOperand,
        number: &Quantity,
    ) -> Compiled<SiteOperand> {
        if let (&Amount::Fixed(number), DirectionOperand::Fixed(direction)) = (&number.amount, way)
            && number.abs() <= MAX_SINGLE_STEPS
        {
            let way = if number < 0 { direction.opposite() } else { direction };
            let way = DirectionOperand::Fixed(way);
            return (0..number.abs()).try_fold(from, |site, _| self.step(site, way));
        }
        let site = self.site_number(&from)?;
        let number = self.held(number)?;
        let steps = |c: &mut Self, direction: Direction| c.asm.step_by(direction, site, number);
        match way {
            DirectionOperand::Nowhere => Ok(SiteOperand::Nowhere),
            DirectionOperand::Fixed(direction) => Ok(SiteOperand::In(steps(self, direction))),
            DirectionOperand::In(way) => {
                self.by_direction(way, |c, direction| Ok(steps(c, direction)))
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
            SiteOperand::In(num) => Ok(self.asm.single(*num)),
            SiteOperand::Lifted { .. } => Err(Stop::NotLiftable(Why::Site)),
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
            PlayerOf::Next(player) => {
                let of = self.player_operand(player, scope)?;
                let definition = |drop_outs: DropOuts| self.definition(drop_outs.next);
                if let Some(Definition { body: Value::Player(next), parameters, .. }) =
                    self.rules.drop_outs.map(definition)
                    && let [parameter] = parameters[..]
                {
                    let scope = Scope::default().with(parameter, Binding::Player(of));
                    return self.player_operand(next, &scope);
                }
                match of {
                    PlayerOperand::Fixed(player) => Ok(PlayerOperand::Fixed(self.after(player))),
                    PlayerOperand::In(who) => self
                        .by_player(who, |c, player| {
                            let next = c.after(player);
                            Ok(c.asm.constant(i32::from(next.0)))
                        })
                        .map(PlayerOperand::In),
                }
            }
            PlayerOf::Local(local) => match self.bound(*local, scope) {
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
            PlayerOf::If(condition, then, otherwise) => match self.settled(condition, scope) {
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
}
