//! Single sites, directions and players.

use super::assembler::{Num, Set};
use super::layout::Home;
use super::op::Code;
use super::plan::Why;
use super::values::{Bound, Place, Scope, Way, Who};
use super::{Compiled, Compiler, Stop};
use crate::board::Direction;
use crate::language::rules::{Condition, DirectionOf, Directions, MemoryId, PieceId, PieceOf, PlayerId, PlayerOf, SiteOf, Spanned, Value};

const UNKNOWN_WAY: &str = "this direction is known only in play, and here it must be known before";

impl<'r> Compiler<'r> {
    /// A single site.
    pub(super) fn place_of(&mut self, site: &'r Spanned<SiteOf>, scope: &Scope<'r>) -> Compiled<Place> {
        self.at(site.span, |c| c.place_within(site, scope))
    }

    fn place_within(&mut self, site: &'r Spanned<SiteOf>, scope: &Scope<'r>) -> Compiled<Place> {
        match &site.node {
            SiteOf::Literal(site) => Ok(Place::Fixed(*site)),
            SiteOf::Local(local) => match scope.get(*local) {
                Some(Bound::Site(Place::Lifted { lift, .. })) if lift != self.context.lift => Err(Stop::Open(Why::TwoSites)),
                Some(Bound::Site(place)) => Ok(place),
                Some(Bound::Open(Value::Site(site), scope)) => self.place_of(site, &scope),
                _ => Err(Stop::Open(Why::Value)),
            },
            SiteOf::Step(from, direction) => {
                let from = self.place_of(from, scope)?;
                let way = self.way_of(direction, scope)?;
                self.step(from, way)
            }
            SiteOf::First { from, direction, stops } => {
                let from = self.place_of(from, scope)?;
                let stops = self.region(stops, scope)?;
                let way = self.way_of(direction, scope)?;
                let from = self.site_number(&from)?;
                let first = |c: &mut Self, direction: Direction| {
                    let first = c.sight(from, &[direction], stops);
                    c.asm.num(Code::Lowest, 0, first.0, 0)
                };
                match way {
                    Way::Nowhere => Ok(Place::Nowhere),
                    Way::Fixed(direction) => Ok(Place::In(first(self, direction))),
                    Way::In(way) => self.by_way(way, |c, direction| Ok(first(c, direction))),
                }
            }
            SiteOf::Memory { memory, player, site } => self.remembered_site(*memory, player.as_ref(), site.as_deref(), scope),
            SiteOf::ByPlayer(player, branches) => match self.who(player, scope)? {
                Who::Fixed(player) => self.place_of(&branches[player.index()], scope),
                Who::In(who) => self
                    .by_player(who, |c, player| {
                        let place = c.place_of(&branches[player.index()], scope)?;
                        c.site_number(&place)
                    })
                    .map(Place::In),
            },
            SiteOf::Call(definition, arguments) => match self.open_arguments(*definition, arguments, scope) {
                (scope, Value::Site(body)) => self.place_of(body, &scope),
                _ => Err(Stop::Open(Why::Value)),
            },
        }
    }

    /// The sites of `stops` that are first on the way from the site, one in each of the directions at most.
    fn sight(&mut self, from: Num, directions: &[Direction], stops: Set) -> Set {
        self.asm.set(Code::Sight, Self::mask(directions), from.0, stops.0)
    }

    /// The sites that are in a region and the first on the way from one site in so many directions, one in each, where each of the conditions asks of another direction whether there is one. On a board
    /// that does not wrap, no two are the same.
    pub(super) fn seen(&mut self, cases: &[(&'r Spanned<Condition>, Scope<'r>)]) -> Compiled<Set> {
        let mut common = None;
        let mut directions = Vec::new();
        for (condition, scope) in cases {
            let (direction, sight) = self.sighted(condition, scope)?;
            if self.board.is_wrapped() || directions.contains(&direction) || *common.get_or_insert(sight) != sight {
                return Err(Stop::Open(Why::Direction));
            }
            directions.push(direction);
        }
        let (from, stops, region) = common.ok_or(Stop::Open(Why::Direction))?;
        let seen = self.sight(from, &directions, stops);
        Ok(self.asm.and(seen, region))
    }

    /// The direction, the site, the stops and the region of a condition that asks whether the first of the stops in that direction from the site is in the region.
    fn sighted(&mut self, condition: &'r Spanned<Condition>, scope: &Scope<'r>) -> Compiled<(Direction, (Num, Set, Set))> {
        match &condition.node {
            Condition::In(site, region) => {
                let SiteOf::First { from, direction, stops } = &site.node else { return Err(Stop::Open(Why::Site)) };
                let from = self.place_of(from, scope)?;
                let from = self.site_number(&from)?;
                let stops = self.region(stops, scope)?;
                let Way::Fixed(direction) = self.way_of(direction, scope)? else { return Err(Stop::Open(Why::Direction)) };
                Ok((direction, (from, stops, self.region(region, scope)?)))
            }
            Condition::Local(local) => match scope.get(*local) {
                Some(Bound::Open(Value::Condition(condition), scope)) => self.sighted(condition, &scope),
                _ => Err(Stop::Open(Why::Value)),
            },
            Condition::Call(definition, arguments) => match self.open_arguments(*definition, arguments, scope) {
                (scope, Value::Condition(body)) => self.sighted(body, &scope),
                _ => Err(Stop::Open(Why::Value)),
            },
            _ => Err(Stop::Open(Why::Value)),
        }
    }

    fn remembered_site(
        &mut self,
        memory: MemoryId,
        player: Option<&'r Spanned<PlayerOf>>,
        site: Option<&'r Spanned<SiteOf>>,
        scope: &Scope<'r>,
    ) -> Compiled<Place> {
        match self.layout.home(memory) {
            Home::Nums { .. } => self.remembered(memory, player, scope).map(Place::In),
            Home::Field { first, bits } => {
                let index = match site {
                    Some(site) => self.place_of(site, scope)?,
                    None => Place::Nowhere,
                };
                let index = self.site_number(&index)?;
                Ok(Place::In(self.field_at(first, bits, index, -1)))
            }
            Home::Sets { .. } => Ok(Place::Nowhere),
        }
    }

    /// The number that a stack of sets spells at a site, and an offset.
    pub(super) fn field_at(&mut self, first: u16, bits: u16, site: Num, offset: i32) -> Num {
        let number = self.asm.fresh_num();
        let start = self.asm.constant(offset);
        self.asm.emit(Code::Assign, 0, number.0, start.0, 0);
        for bit in 0..bits {
            self.asm.emit(Code::Bit, bit as u8, number.0, first + bit, site.0);
        }
        number
    }

    /// The register of a remembered number, site or player that is not kept for each site. Where the player is known only in play, a copy.
    pub(super) fn remembered(&mut self, memory: MemoryId, player: Option<&'r Spanned<PlayerOf>>, scope: &Scope<'r>) -> Compiled<Num> {
        let Home::Nums { first } = self.layout.home(memory) else { return Err(Stop::Open(Why::Value)) };
        match player {
            None => Ok(Num(first)),
            Some(player) => match self.who(player, scope)? {
                Who::Fixed(player) => Ok(Num(first + player.0)),
                Who::In(who) => self.by_player(who, |_, player| Ok(Num(first + player.0))),
            },
        }
    }

    /// The site one step on.
    pub(super) fn step(&mut self, from: Place, way: Way) -> Compiled<Place> {
        match (from, way) {
            (Place::Nowhere, _) | (_, Way::Nowhere) => Ok(Place::Nowhere),
            (Place::Fixed(site), Way::Fixed(direction)) => Ok(self.board.step(site, direction).map_or(Place::Nowhere, Place::Fixed)),
            (Place::In(site), Way::Fixed(direction)) => Ok(Place::In(self.asm.num(Code::Step, direction.index() as u8, site.0, 0))),
            (Place::Lifted { lift, mut path }, Way::Fixed(direction)) => {
                path.push(direction);
                Ok(Place::Lifted { lift, path })
            }
            (Place::Lifted { .. }, Way::In(_)) => Err(Stop::Open(Why::Direction)),
            (from, Way::In(way)) => {
                let site = self.site_number(&from)?;
                self.by_way(way, |c, direction| Ok(c.asm.num(Code::Step, direction.index() as u8, site.0, 0)))
            }
        }
    }

    /// The number of a site, -1 for nowhere.
    pub(super) fn site_number(&mut self, place: &Place) -> Compiled<Num> {
        match place {
            Place::Nowhere => Ok(self.asm.constant(-1)),
            Place::Fixed(site) => Ok(self.asm.constant(i32::from(site.0))),
            Place::In(num) => Ok(*num),
            Place::Lifted { .. } => Err(Stop::Open(Why::Site)),
        }
    }

    /// The site as a region.
    pub(super) fn single(&mut self, place: &Place) -> Compiled<Set> {
        match place {
            Place::Nowhere => Ok(self.asm.none()),
            Place::Fixed(site) => Ok(self.constant(vec![*site])),
            Place::In(num) => Ok(self.asm.set(Code::Single, 0, num.0, 0)),
            Place::Lifted { .. } => Err(Stop::Open(Why::Site)),
        }
    }

    /// A single direction.
    pub(super) fn way_of(&mut self, direction: &'r Spanned<DirectionOf>, scope: &Scope<'r>) -> Compiled<Way> {
        self.at(direction.span, |c| c.way_within(direction, scope))
    }

    fn way_within(&mut self, direction: &'r Spanned<DirectionOf>, scope: &Scope<'r>) -> Compiled<Way> {
        match &direction.node {
            DirectionOf::Fixed(direction) => Ok(Way::Fixed(*direction)),
            DirectionOf::Local(local) => match scope.get(*local) {
                Some(Bound::Direction(way)) => Ok(way),
                Some(Bound::Open(Value::Direction(direction), scope)) => self.way_of(direction, &scope),
                _ => Err(Stop::Open(Why::Value)),
            },
            DirectionOf::Between(from, to) => {
                let from = self.place_of(from, scope)?;
                let to = self.place_of(to, scope)?;
                self.between(&from, &to)
            }
            DirectionOf::Opposite(direction) => match self.way_of(direction, scope)? {
                Way::Nowhere => Ok(Way::Nowhere),
                Way::Fixed(direction) => Ok(Way::Fixed(direction.opposite())),
                Way::In(way) => {
                    let back = self.asm.fresh_num();
                    let none = self.asm.constant(-1);
                    self.asm.emit(Code::Assign, 0, back.0, none.0, 0);
                    self.each_way(way, |c, direction| {
                        let number = c.asm.constant(direction.opposite().index() as i32);
                        c.asm.emit(Code::Assign, 0, back.0, number.0, 0);
                        Ok(())
                    })?;
                    Ok(Way::In(back))
                }
            },
            DirectionOf::ByPlayer(player, branches) => match self.who(player, scope)? {
                Who::Fixed(player) => self.way_of(&branches[player.index()], scope),
                Who::In(who) => self
                    .by_player(who, |c, player| match c.way_of(&branches[player.index()], scope)? {
                        Way::Nowhere => Ok(c.asm.constant(-1)),
                        Way::Fixed(direction) => Ok(c.asm.constant(direction.index() as i32)),
                        Way::In(way) => Ok(way),
                    })
                    .map(Way::In),
            },
            DirectionOf::Call(definition, arguments) => match self.open_arguments(*definition, arguments, scope) {
                (scope, Value::Direction(body)) => self.way_of(body, &scope),
                _ => Err(Stop::Open(Why::Value)),
            },
        }
    }

    fn between(&mut self, from: &Place, to: &Place) -> Compiled<Way> {
        match (from, to) {
            (Place::Nowhere, _) | (_, Place::Nowhere) => Ok(Way::Nowhere),
            (Place::Fixed(from), Place::Fixed(to)) => {
                let found = self.board.all().iter().find(|&&direction| self.board.step(*from, direction) == Some(*to));
                Ok(found.map_or(Way::Nowhere, |direction| Way::Fixed(*direction)))
            }
            // Of other steps it is not known that they lead anywhere.
            (Place::Lifted { lift, path: from }, Place::Lifted { path: to, .. }) => match (self.offered, &from[..], &to[..]) {
                (Some((offered, direction)), [], [step]) if offered == *lift && direction == *step => Ok(Way::Fixed(direction)),
                (Some((offered, direction)), [step], []) if offered == *lift && direction == *step => Ok(Way::Fixed(direction.opposite())),
                _ => Err(Stop::Open(Why::Direction)),
            },
            (Place::In(from), Place::In(to)) if self.context.stepped.get(&to.0).is_some_and(|(start, _)| *start == from.0) => {
                Ok(self.context.stepped.get(&to.0).map_or(Way::Nowhere, |&(_, direction)| Way::Fixed(direction)))
            }
            _ => {
                let from = self.site_number(from)?;
                let to = self.site_number(to)?;
                Ok(Way::In(self.asm.num(Code::Direction, 0, from.0, to.0)))
            }
        }
    }

    /// Some directions; they are always known when the game is compiled, but for the player.
    pub(super) fn ways(&mut self, directions: &'r Spanned<Directions>, scope: &Scope<'r>) -> Compiled<Vec<Direction>> {
        self.at(directions.span, |c| c.ways_within(directions, scope))
    }

    fn ways_within(&mut self, directions: &'r Spanned<Directions>, scope: &Scope<'r>) -> Compiled<Vec<Direction>> {
        match &directions.node {
            Directions::Fixed(directions) => Ok(directions.clone()),
            Directions::One(direction) => match self.way_of(direction, scope)? {
                Way::Nowhere => Ok(Vec::new()),
                Way::Fixed(direction) => Ok(vec![direction]),
                Way::In(_) => Err(Stop::Misplaced(directions.span, UNKNOWN_WAY)),
            },
            Directions::List(listed) => {
                let mut directions = Vec::with_capacity(listed.len());
                for direction in listed {
                    match self.way_of(direction, scope)? {
                        Way::Fixed(direction) if !directions.contains(&direction) => directions.push(direction),
                        Way::Fixed(_) | Way::Nowhere => {}
                        Way::In(_) => return Err(Stop::Misplaced(direction.span, UNKNOWN_WAY)),
                    }
                }
                Ok(directions)
            }
            Directions::ByPlayer(player, branches) => match self.who(player, scope)? {
                Who::Fixed(player) => self.ways(&branches[player.index()], scope),
                Who::In(_) => {
                    Err(Stop::Misplaced(player.span, "this player is known only in play, and the directions must be known before"))
                }
            },
            Directions::Local(local) => match scope.get(*local) {
                Some(Bound::Directions(directions)) => Ok(directions),
                Some(Bound::Open(Value::Directions(directions), scope)) => self.ways(directions, &scope),
                _ => Err(Stop::Open(Why::Value)),
            },
            Directions::Call(definition, arguments) => match self.open_arguments(*definition, arguments, scope) {
                (scope, Value::Directions(body)) => self.ways(body, &scope),
                _ => Err(Stop::Open(Why::Value)),
            },
        }
    }

    /// A kind of piece; it is always known when the game is compiled.
    pub(super) fn piece_of(&mut self, piece: &'r Spanned<PieceOf>, scope: &Scope<'r>) -> Compiled<PieceId> {
        match &piece.node {
            PieceOf::Fixed(piece) => Ok(*piece),
            PieceOf::Local(local) => match scope.get(*local) {
                Some(Bound::Piece(piece)) => Ok(piece),
                Some(Bound::Open(Value::Piece(piece), scope)) => self.piece_of(piece, &scope),
                _ => Err(Stop::Open(Why::Value)),
            },
        }
    }

    /// A player.
    pub(super) fn who(&mut self, player: &'r Spanned<PlayerOf>, scope: &Scope<'r>) -> Compiled<Who> {
        self.at(player.span, |c| c.who_within(player, scope))
    }

    fn who_within(&mut self, player: &'r Spanned<PlayerOf>, scope: &Scope<'r>) -> Compiled<Who> {
        match &player.node {
            PlayerOf::Fixed(player) => Ok(Who::Fixed(*player)),
            PlayerOf::Mover => Ok(Who::Fixed(self.mover)),
            PlayerOf::Next(player) => match self.who(player, scope)? {
                Who::Fixed(player) => Ok(Who::Fixed(self.after(player))),
                Who::In(who) => self
                    .by_player(who, |c, player| {
                        let next = c.after(player);
                        Ok(c.asm.constant(i32::from(next.0)))
                    })
                    .map(Who::In),
            },
            PlayerOf::Local(local) => match scope.get(*local) {
                Some(Bound::Player(who)) => Ok(who),
                Some(Bound::Open(Value::Player(player), scope)) => self.who(player, &scope),
                _ => Err(Stop::Open(Why::Value)),
            },
            PlayerOf::Memory { memory, player } => self.remembered(*memory, player.as_deref(), scope).map(Who::In),
            PlayerOf::ByPlayer(player, branches) => match self.who(player, scope)? {
                Who::Fixed(player) => self.who(&branches[player.index()], scope),
                Who::In(who) => self
                    .by_player(who, |c, player| {
                        let who = c.who(&branches[player.index()], scope)?;
                        Ok(c.player_number(who))
                    })
                    .map(Who::In),
            },
            PlayerOf::Call(definition, arguments) => match self.open_arguments(*definition, arguments, scope) {
                (scope, Value::Player(body)) => self.who(body, &scope),
                _ => Err(Stop::Open(Why::Value)),
            },
        }
    }

    /// The player after this one.
    pub(super) fn after(&self, player: PlayerId) -> PlayerId {
        PlayerId((player.0 + 1) % self.rules.players.len() as u16)
    }

    /// A player's index in a register.
    pub(super) fn player_number(&mut self, who: Who) -> Num {
        match who {
            Who::Fixed(player) => self.asm.constant(i32::from(player.0)),
            Who::In(num) => num,
        }
    }

    /// Emits code for each of these, of which the one whose index is in the register is gone through.
    fn each_of<T>(
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

    /// A register with the number of nothing, -1, for what may be found.
    fn nothing(&mut self) -> Num {
        let result = self.asm.fresh_num();
        let none = self.asm.constant(-1);
        self.asm.emit(Code::Assign, 0, result.0, none.0, 0);
        result
    }

    /// Emits code for each player, of which the one whose index is in the register is gone through.
    pub(super) fn each_player(&mut self, who: Num, emit: impl FnMut(&mut Self, PlayerId) -> Compiled<()>) -> Compiled<()> {
        let players = (0..self.rules.players.len() as u16).map(|player| (i32::from(player), PlayerId(player)));
        self.each_of(who, players, emit)
    }

    /// The number that the function computes for the player whose index is in the register.
    pub(super) fn by_player(&mut self, who: Num, mut compute: impl FnMut(&mut Self, PlayerId) -> Compiled<Num>) -> Compiled<Num> {
        let result = self.nothing();
        self.each_player(who, |c, player| {
            let value = compute(c, player)?;
            c.asm.emit(Code::Assign, 0, result.0, value.0, 0);
            Ok(())
        })?;
        Ok(result)
    }

    /// The set that the function computes for the player whose index is in the register.
    pub(super) fn set_by_player(&mut self, who: Num, mut compute: impl FnMut(&mut Self, PlayerId) -> Compiled<Set>) -> Compiled<Set> {
        let result = self.asm.fresh_set();
        self.asm.emit(Code::Clear, 0, result.0, 0, 0);
        self.each_player(who, |c, player| {
            let value = compute(c, player)?;
            c.asm.emit(Code::Copy, 0, result.0, value.0, 0);
            Ok(())
        })?;
        Ok(result)
    }

    /// Emits code for each direction of the board, of which the one whose index is in the register is gone through.
    pub(super) fn each_way(&mut self, way: Num, emit: impl FnMut(&mut Self, Direction) -> Compiled<()>) -> Compiled<()> {
        let board = self.board;
        self.each_of(way, board.all().iter().map(|&direction| (direction.index() as i32, direction)), emit)
    }

    /// The site that the function computes for the direction whose index is in the register.
    fn by_way(&mut self, way: Num, mut compute: impl FnMut(&mut Self, Direction) -> Compiled<Num>) -> Compiled<Place> {
        let result = self.nothing();
        self.each_way(way, |c, direction| {
            let value = compute(c, direction)?;
            c.asm.emit(Code::Assign, 0, result.0, value.0, 0);
            Ok(())
        })?;
        Ok(Place::In(result))
    }
}
