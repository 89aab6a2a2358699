//! Evaluates typed expressions by direct recursion, site by site.
//!
//! Evaluation changes nothing. Once the fuel is exhausted, domains are empty and values are
//! meaningless, which callers detect with [`Fuel::is_empty`].
//!
//! Numbers are fixed-point multiples of [`ONE`]. A site can be `None` (off the board), and so can a
//! direction (no step leads from one site to the other). A step in direction `None` leads to site
//! `None`, a per-direction region is empty for it, and `None` equals nothing, not even `None`.

mod regions;

use super::moves::has_choice;
use super::passages;
use super::position::{Key, memory_value};
use super::values::{ONE, Region, Value, Variables, bounded};
use crate::board::{Board, Direction, Site};
use crate::budget::Fuel;
use crate::engine::snapshot::{MemoryValue, Snapshot};
use crate::language::rules::{
    Binder, Condition, DefinitionId, DirectionOf, Directions, Domain, KeyOf, Local, MemoryId,
    Number, PieceId, PieceOf, PlayerId, PlayerOf, Rules, SiteOf, Sites, Spanned,
    Value as Expression,
};

/// The environment in which a clause is evaluated: position, variables and mover.
#[derive(Clone)]
pub struct View<'a> {
    pub rules: &'a Rules,
    pub snapshot: &'a Snapshot,
    pub variables: Variables,
    pub mover: PlayerId,
    pub fuel: &'a Fuel,
}

impl<'a> View<'a> {
    /// Replaces the position; variables and mover stay.
    pub fn at<'s>(&self, snapshot: &'s Snapshot) -> View<'s>
    where
        'a: 's,
    {
        View { snapshot, ..self.clone() }
    }

    /// Evaluates a variable's initializer or an argument.
    pub fn value(&self, expression: &Expression) -> Value {
        match expression {
            Expression::Number(number) => Value::Number(self.number(&number.node)),
            Expression::Condition(condition) => Value::Condition(self.condition(&condition.node)),
            Expression::Sites(sites) => Value::Sites(self.sites(&sites.node)),
            Expression::Site(site) => Value::Site(self.site(&site.node)),
            Expression::Direction(direction) => Value::Direction(self.direction(&direction.node)),
            Expression::Directions(directions) => {
                Value::Directions(self.directions(&directions.node))
            }
            Expression::Player(player) => Value::Player(self.player(&player.node)),
            Expression::Piece(piece) => Value::Piece(self.piece(&piece.node)),
            Expression::Statements(_) => unreachable!("statements have no value"),
        }
    }

    /// Lists the values that a variable ranges over.
    pub fn domain(&self, domain: &Domain) -> Vec<Value> {
        if self.fuel.is_empty() {
            return Vec::new();
        }
        match domain {
            Domain::Sites(sites) => self
                .sites(&sites.node)
                .list()
                .into_iter()
                .map(|site| Value::Site(Some(site)))
                .collect(),
            Domain::Directions(directions) => self
                .directions(&directions.node)
                .into_iter()
                .map(|direction| Value::Direction(Some(direction)))
                .collect(),
            Domain::Players(_) => self.players().map(Value::Player).collect(),
            Domain::Team(player, _) => {
                let teams = self.rules.teams;
                let team = teams.of(self.player(&player.node));
                teams.members(team).map(Value::Player).collect()
            }
            Domain::Pieces(pieces, _) => {
                pieces.iter().map(|&piece| Value::Piece(Some(piece))).collect()
            }
            Domain::Numbers { least, most, .. } => {
                (*least..=*most).map(|number| Value::Number(ONE * i128::from(number))).collect()
            }
            Domain::Groups { region, directions, .. } => {
                self.groups(&region.node, &directions.node).into_iter().map(Value::Sites).collect()
            }
        }
    }

    /// Lists the groups of a region, each grown from its lowest site by steps both ways.
    pub fn groups(&self, region: &Sites, directions: &Directions) -> Vec<Region> {
        let board = self.board();
        let (region, directions) = (self.sites(region), self.directions(directions));
        let mut groups: Vec<Region> = Vec::new();
        for start in region.list() {
            if groups.iter().any(|group| group.contains(start)) {
                continue;
            }
            self.fuel.spend(1 + board.slots() as u64 / 16);
            let mut group = Region::none(board);
            let mut to_visit = vec![start];
            while let Some(site) = to_visit.pop() {
                if region.contains(site) && !group.contains(site) {
                    group.insert(site);
                    let ways = directions.iter().flat_map(|one| [*one, one.opposite()]);
                    let next = ways.flat_map(|direction| passages::next(board, site, direction));
                    to_visit.extend(next.map(|next| next.site));
                }
            }
            groups.push(group);
        }
        groups
    }

    /// Evaluates the key of a memory's value; `None` for no kind.
    pub fn key(&self, key: Option<&KeyOf>) -> Option<Key> {
        match key {
            None => Some(Key::None),
            Some(KeyOf::Kind(kind)) => self.piece(&kind.node).map(Key::Kind),
            Some(KeyOf::Number(number)) => {
                let whole = self.number(&number.node).div_euclid(ONE);
                i64::try_from(whole).ok().map(Key::Number)
            }
        }
    }

    /// Evaluates a number, in multiples of [`ONE`].
    pub fn number(&self, number: &Number) -> i128 {
        self.fuel.spend(1);
        let all = |numbers: &[Spanned<Number>]| -> Vec<i128> {
            numbers.iter().map(|number| self.number(&number.node)).collect()
        };
        match number {
            Number::Constant(halves) => i128::from(*halves) * (ONE / 2),
            Number::Local(local) => match self.variables.get(*local) {
                Value::Number(number) => *number,
                other => unreachable!("expected a number, found {other:?}"),
            },
            Number::Memory { memory, player, site, key } => {
                let player = player.as_ref().map(|player| self.player(&player.node));
                let Some(key) = self.key(key.as_ref()) else { return 0 };
                let Some(place) = memory_value(self.rules, *memory, player, key) else { return 0 };
                match (&self.snapshot.memories[memory.index()][place], site) {
                    (MemoryValue::Number(number), None) => ONE * i128::from(*number),
                    (MemoryValue::NumberPerSite(numbers), Some(site)) => self
                        .site(&site.node)
                        .map_or(0, |site| ONE * i128::from(numbers[site.index()])),
                    (other, _) => unreachable!("expected a number, found {other:?}"),
                }
            }
            Number::Add(numbers) => {
                all(numbers).into_iter().fold(0, |sum, number| bounded(sum + number))
            }
            Number::Subtract(from, number) => {
                bounded(self.number(&from.node) - self.number(&number.node))
            }
            Number::Multiply(numbers) => all(numbers)
                .into_iter()
                .fold(ONE, |product, number| bounded(product * number / ONE)),
            Number::Divide(number, by) => {
                ONE * self.number(&number.node).div_euclid(ONE * i128::from(*by))
            }
            Number::Remainder(number, by) => {
                self.number(&number.node).rem_euclid(ONE * i128::from(*by))
            }
            Number::Least(numbers) => all(numbers).into_iter().min().unwrap_or(0),
            Number::Greatest(numbers) => all(numbers).into_iter().max().unwrap_or(0),
            Number::Count(sites) => ONE * self.sites(&sites.node).list().len() as i128,
            Number::CountWhere(binder, condition) => {
                ONE * self
                    .each(binder)
                    .iter()
                    .filter(|view| view.condition(&condition.node))
                    .count() as i128
            }
            Number::Sum(binder, number) => self
                .each(binder)
                .iter()
                .fold(0, |sum, view| bounded(sum + view.number(&number.node))),
            Number::LeastOver(binder, number) => {
                let all = self.each(binder);
                all.iter().map(|view| view.number(&number.node)).min().unwrap_or(0)
            }
            Number::GreatestOver(binder, number) => {
                let all = self.each(binder);
                all.iter().map(|view| view.number(&number.node)).max().unwrap_or(0)
            }
            Number::RowOf(site) => {
                let row = self.site(&site.node).map_or(0, |site| self.board().row_of(site));
                ONE * row as i128
            }
            Number::ColumnOf(site) => {
                let column = self.site(&site.node).map_or(0, |site| self.board().column_of(site));
                ONE * column as i128
            }
            Number::Distance { from, to, directions } => {
                let (from, to) = (self.site(&from.node), self.site(&to.node));
                ONE * self.distance(from, to, directions) as i128
            }
            Number::ByPlayer(player, numbers) => {
                self.number(&numbers[self.player(&player.node).index()].node)
            }
            Number::If(condition, then, otherwise) => match self.condition(&condition.node) {
                true => self.number(&then.node),
                false => self.number(&otherwise.node),
            },
            Number::Call(definition, arguments) => match self.call(*definition, arguments) {
                (view, Expression::Number(body)) => view.number(&body.node),
                (_, other) => unreachable!("expected a number, found {other:?}"),
            },
        }
    }

    /// Returns the least number of steps in these directions to a site.
    fn distance(&self, from: Option<Site>, to: Option<Site>, directions: &[Direction]) -> usize {
        let (Some(from), Some(to)) = (from, to) else { return Board::FAR };
        let board = self.board();
        let mut reached = Region::listed(board, &[from]);
        for steps in 0..Board::FAR {
            if reached.contains(to) {
                return steps;
            }
            self.fuel.spend(1 + board.slots() as u64 / 16);
            let before = reached.list();
            for site in &before {
                for next in directions.iter().filter_map(|&one| board.step(*site, one)) {
                    reached.insert(next);
                }
            }
            if reached.list().len() == before.len() {
                break;
            }
        }
        Board::FAR
    }

    /// Evaluates a condition; `and` and `or` short-circuit.
    pub fn condition(&self, condition: &Condition) -> bool {
        self.fuel.spend(1);
        match condition {
            Condition::Constant(truth) => *truth,
            Condition::And(conditions) => {
                conditions.iter().all(|condition| self.condition(&condition.node))
            }
            Condition::Or(conditions) => {
                conditions.iter().any(|condition| self.condition(&condition.node))
            }
            Condition::Not(condition) => !self.condition(&condition.node),
            Condition::ByPlayer(player, conditions) => {
                self.condition(&conditions[self.player(&player.node).index()].node)
            }
            Condition::Local(local) => match self.variables.get(*local) {
                Value::Condition(truth) => *truth,
                other => unreachable!("expected a condition, found {other:?}"),
            },
            Condition::Memory { memory, player } => {
                let player = player.as_ref().map(|player| self.player(&player.node));
                match self.memory_value(*memory, player, Key::None) {
                    MemoryValue::Condition(truth) => *truth,
                    other => unreachable!("expected a condition, found {other:?}"),
                }
            }
            Condition::Call(definition, arguments) => match self.call(*definition, arguments) {
                (view, Expression::Condition(body)) => view.condition(&body.node),
                (_, other) => unreachable!("expected a condition, found {other:?}"),
            },
            Condition::Any(sites) => !self.sites(&sites.node).list().is_empty(),
            Condition::None(sites) => self.sites(&sites.node).list().is_empty(),
            Condition::In(site, sites) => {
                let (site, sites) = (self.site(&site.node), self.sites(&sites.node));
                site.is_some_and(|site| sites.contains(site))
            }
            Condition::Exists(binder, condition) => {
                self.each(binder).iter().any(|view| view.condition(&condition.node))
            }
            Condition::Every(binder, condition) => {
                self.each(binder).iter().all(|view| view.condition(&condition.node))
            }
            Condition::Compare(comparison, left, right) => {
                let (left, right) = (self.number(&left.node), self.number(&right.node));
                comparison.holds(left, right)
            }
            Condition::Can(player, moves) => {
                let mover = self.player(&player.node);
                has_choice(&View { mover, ..self.clone() }, moves)
            }
            Condition::Connected(region, directions) => {
                self.groups(&region.node, &directions.node).len() <= 1
            }
            Condition::SamePlayer(left, right) => {
                self.player(&left.node) == self.player(&right.node)
            }
            Condition::SameSite(left, right) => {
                let (left, right) = (self.site(&left.node), self.site(&right.node));
                left.is_some() && left == right
            }
            Condition::SameDirection(left, right) => {
                let (left, right) = (self.direction(&left.node), self.direction(&right.node));
                left.is_some() && left == right
            }
            Condition::SameKind(left, right) => {
                let (left, right) = (self.piece(&left.node), self.piece(&right.node));
                left.is_some() && left == right
            }
        }
    }

    /// Evaluates a kind of piece; `None` is no kind.
    pub fn piece(&self, piece: &PieceOf) -> Option<PieceId> {
        self.fuel.spend(1);
        match piece {
            PieceOf::Fixed(piece) => Some(*piece),
            PieceOf::At(site) => {
                let occupant = self.snapshot.pieces[self.site(&site.node)?.index()];
                occupant.map(|occupant| occupant.piece)
            }
            PieceOf::Memory { memory, player, site } => {
                let player = player.as_ref().map(|player| self.player(&player.node));
                match (self.memory_value(*memory, player, Key::None), site) {
                    (MemoryValue::Kind(value), None) => *value,
                    (MemoryValue::KindPerSite(values), Some(site)) => {
                        self.site(&site.node).and_then(|site| values[site.index()])
                    }
                    (other, _) => unreachable!("expected a kind, found {other:?}"),
                }
            }
            PieceOf::ByPlayer(player, kinds) => {
                self.piece(&kinds[self.player(&player.node).index()].node)
            }
            PieceOf::If(condition, then, otherwise) => match self.condition(&condition.node) {
                true => self.piece(&then.node),
                false => self.piece(&otherwise.node),
            },
            PieceOf::Call(definition, arguments) => match self.call(*definition, arguments) {
                (view, Expression::Piece(body)) => view.piece(&body.node),
                (_, other) => unreachable!("expected a kind, found {other:?}"),
            },
            PieceOf::Local(local) => match self.variables.get(*local) {
                Value::Piece(piece) => *piece,
                other => unreachable!("expected a piece, found {other:?}"),
            },
        }
    }

    /// Evaluates a site; `None` is off the board.
    pub fn site(&self, site: &SiteOf) -> Option<Site> {
        let board = self.board();
        match site {
            SiteOf::Literal(site) => Some(*site),
            SiteOf::Nowhere => None,
            SiteOf::Local(local) => match self.variables.get(*local) {
                Value::Site(site) => *site,
                other => unreachable!("expected a site, found {other:?}"),
            },
            SiteOf::Step(from, direction, number) => {
                let (from, direction) = (self.site(&from.node), self.direction(&direction.node));
                let (from, direction) = (from?, direction?);
                (0..*number).try_fold(from, |site, _| board.step(site, direction))
            }
            SiteOf::StepBy(from, direction, number) => {
                let (from, direction) = (self.site(&from.node), self.direction(&direction.node));
                let number = self.number(&number.node).div_euclid(ONE);
                self.fuel.spend(1 + board.slots() as u64 / 16);
                board.steps(from?, direction?, number as i64)
            }
            SiteOf::First { from, direction, stops } => {
                let (from, direction) = (self.site(&from.node), self.direction(&direction.node));
                let stops = self.sites(&stops.node);
                let direction = direction?;
                let mut passed = Region::none(board);
                let mut next = board.step(from?, direction);
                while let Some(site) = next.filter(|&site| !stops.contains(site)) {
                    // On a wrapped board, a line without a stop is a cycle.
                    if passed.contains(site) {
                        return None;
                    }
                    passed.insert(site);
                    next = board.step(site, direction);
                }
                next
            }
            SiteOf::Memory { memory, player, site } => {
                let player = player.as_ref().map(|player| self.player(&player.node));
                match (self.memory_value(*memory, player, Key::None), site) {
                    (MemoryValue::Site(value), None) => *value,
                    (MemoryValue::SitePerSite(values), Some(site)) => {
                        self.site(&site.node).and_then(|site| values[site.index()])
                    }
                    (other, _) => unreachable!("expected a site, found {other:?}"),
                }
            }
            SiteOf::Only(region) => match self.sites(&region.node).list()[..] {
                [site] => Some(site),
                _ => None,
            },
            SiteOf::ByPlayer(player, sites) => {
                self.site(&sites[self.player(&player.node).index()].node)
            }
            SiteOf::If(condition, then, otherwise) => match self.condition(&condition.node) {
                true => self.site(&then.node),
                false => self.site(&otherwise.node),
            },
            SiteOf::Call(definition, arguments) => match self.call(*definition, arguments) {
                (view, Expression::Site(body)) => view.site(&body.node),
                (_, other) => unreachable!("expected a site, found {other:?}"),
            },
        }
    }

    /// Evaluates a direction; `None` is no direction.
    pub fn direction(&self, direction: &DirectionOf) -> Option<Direction> {
        match direction {
            DirectionOf::Fixed(direction) => Some(*direction),
            DirectionOf::Local(local) => match self.variables.get(*local) {
                Value::Direction(direction) => *direction,
                other => unreachable!("expected a direction, found {other:?}"),
            },
            DirectionOf::Between(from, to) => {
                let (from, to) = (self.site(&from.node)?, self.site(&to.node)?);
                let mut straight = self.board().straight();
                straight.find(|&direction| self.board().step(from, direction) == Some(to))
            }
            DirectionOf::Turned(direction, steps) => {
                self.board().turned(self.direction(&direction.node)?, i32::from(steps.0))
            }
            DirectionOf::Memory { memory, player, site } => {
                let player = player.as_ref().map(|player| self.player(&player.node));
                match (self.memory_value(*memory, player, Key::None), site) {
                    (MemoryValue::Direction(value), None) => *value,
                    (MemoryValue::DirectionPerSite(values), Some(site)) => {
                        self.site(&site.node).and_then(|site| values[site.index()])
                    }
                    (other, _) => unreachable!("expected a direction, found {other:?}"),
                }
            }
            DirectionOf::ByPlayer(player, directions) => {
                self.direction(&directions[self.player(&player.node).index()].node)
            }
            DirectionOf::If(condition, then, otherwise) => match self.condition(&condition.node) {
                true => self.direction(&then.node),
                false => self.direction(&otherwise.node),
            },
            DirectionOf::Call(definition, arguments) => match self.call(*definition, arguments) {
                (view, Expression::Direction(body)) => view.direction(&body.node),
                (_, other) => unreachable!("expected a direction, found {other:?}"),
            },
        }
    }

    /// Lists directions without repetition.
    pub fn directions(&self, directions: &Directions) -> Vec<Direction> {
        match directions {
            Directions::Fixed(directions) => directions.clone(),
            Directions::List(listed) => {
                let mut directions = Vec::new();
                for direction in
                    listed.iter().filter_map(|direction| self.direction(&direction.node))
                {
                    if !directions.contains(&direction) {
                        directions.push(direction);
                    }
                }
                directions
            }
            Directions::One(direction) => self.direction(&direction.node).into_iter().collect(),
            Directions::ByPlayer(player, directions) => {
                self.directions(&directions[self.player(&player.node).index()].node)
            }
            Directions::Half(of) => {
                self.directions(&of.node).into_iter().map(Direction::half).collect()
            }
            Directions::Local(local) => match self.variables.get(*local) {
                Value::Directions(directions) => directions.clone(),
                other => unreachable!("expected directions, found {other:?}"),
            },
            Directions::Call(definition, arguments) => match self.call(*definition, arguments) {
                (view, Expression::Directions(body)) => view.directions(&body.node),
                (_, other) => unreachable!("expected directions, found {other:?}"),
            },
        }
    }

    /// Evaluates a player.
    pub fn player(&self, player: &PlayerOf) -> PlayerId {
        match player {
            PlayerOf::Fixed(player) => *player,
            PlayerOf::Mover => self.mover,
            PlayerOf::Next(player) => {
                let mut next = next_player(self.rules, self.player(&player.node));
                for _ in 1..self.rules.players.len() {
                    if is_out(self.rules, self.snapshot, next) {
                        next = next_player(self.rules, next);
                    }
                }
                next
            }
            PlayerOf::Local(local) => match self.variables.get(*local) {
                Value::Player(player) => *player,
                other => unreachable!("expected a player, found {other:?}"),
            },
            PlayerOf::Memory { memory, player } => {
                let player = player.as_ref().map(|player| self.player(&player.node));
                match self.memory_value(*memory, player, Key::None) {
                    MemoryValue::Player(player) => *player,
                    other => unreachable!("expected a player, found {other:?}"),
                }
            }
            PlayerOf::ByPlayer(player, players) => {
                self.player(&players[self.player(&player.node).index()].node)
            }
            PlayerOf::If(condition, then, otherwise) => match self.condition(&condition.node) {
                true => self.player(&then.node),
                false => self.player(&otherwise.node),
            },
            PlayerOf::Call(definition, arguments) => match self.call(*definition, arguments) {
                (view, Expression::Player(body)) => view.player(&body.node),
                (_, other) => unreachable!("expected a player, found {other:?}"),
            },
        }
    }

    /// Evaluates the arguments of a definition and returns the view for its body, which sees only
    /// its parameters.
    pub fn call(
        &self,
        definition: DefinitionId,
        arguments: &[Expression],
    ) -> (View<'a>, &'a Expression) {
        let definition = &self.rules.definitions[definition.index()];
        let mut variables = Variables::default();
        for (&parameter, argument) in definition.parameters.iter().zip(arguments) {
            variables = variables.with(parameter, self.value(argument));
        }
        (View { variables, ..self.clone() }, &definition.body)
    }

    fn board(&self) -> &'a Board {
        &self.rules.board
    }

    /// Returns the players in the order of play.
    pub fn players(&self) -> impl Iterator<Item = PlayerId> + use<> {
        (0..self.rules.players.len() as u16).map(PlayerId)
    }

    /// Adds a variable to the view.
    pub fn with(&self, variable: Local, value: Value) -> View<'a> {
        View { variables: self.variables.with(variable, value), ..self.clone() }
    }

    /// Returns one view per value of the variable.
    fn each(&self, binder: &Binder) -> Vec<View<'a>> {
        self.domain(&binder.domain)
            .into_iter()
            .map(|value| self.with(binder.variable, value))
            .collect()
    }

    fn memory_value(
        &self,
        memory: MemoryId,
        player: Option<PlayerId>,
        key: Key,
    ) -> &'a MemoryValue {
        let Some(place) = memory_value(self.rules, memory, player, key) else {
            unreachable!("nothing is remembered so")
        };
        &self.snapshot.memories[memory.index()][place]
    }
}

/// Returns the successor of a player in the order of play.
pub fn next_player(rules: &Rules, player: PlayerId) -> PlayerId {
    PlayerId((player.0 + 1) % rules.players.len() as u16)
}

/// Tests if a player has dropped out.
pub fn is_out(rules: &Rules, snapshot: &Snapshot, player: PlayerId) -> bool {
    rules.drop_outs.is_some_and(|drop_outs| {
        let out = &snapshot.memories[drop_outs.out.index()];
        out.get(player.index()) == Some(&MemoryValue::Condition(true))
    })
}
