//! Traversal of the typed rules: the direct children of statements and expressions.
//!
//! The matches on expressions have no wildcard, so a new expression does not compile until its
//! children are listed.

use super::rules::{
    Binder, Condition, DefinitionId, DirectionOf, Directions, Domain, Number, PlayerOf, Rules,
    SiteOf, Sites, Spanned, Statement, Value, Whose,
};

/// An expression of any type except kinds of piece.
#[derive(Clone, Copy)]
pub enum Expression<'r> {
    Number(&'r Spanned<Number>),
    Condition(&'r Spanned<Condition>),
    Sites(&'r Spanned<Sites>),
    Site(&'r Spanned<SiteOf>),
    Direction(&'r Spanned<DirectionOf>),
    Directions(&'r Spanned<Directions>),
    Player(&'r Spanned<PlayerOf>),
}

/// Collects expressions.
#[derive(Default)]
struct Parts<'r>(Vec<Expression<'r>>);

impl<'r> Parts<'r> {
    fn numbers(&mut self, all: impl IntoIterator<Item = &'r Spanned<Number>>) {
        self.0.extend(all.into_iter().map(Expression::Number));
    }

    fn conditions(&mut self, all: impl IntoIterator<Item = &'r Spanned<Condition>>) {
        self.0.extend(all.into_iter().map(Expression::Condition));
    }

    fn regions(&mut self, all: impl IntoIterator<Item = &'r Spanned<Sites>>) {
        self.0.extend(all.into_iter().map(Expression::Sites));
    }

    fn sites(&mut self, all: impl IntoIterator<Item = &'r Spanned<SiteOf>>) {
        self.0.extend(all.into_iter().map(Expression::Site));
    }

    fn directions(&mut self, all: impl IntoIterator<Item = &'r Spanned<DirectionOf>>) {
        self.0.extend(all.into_iter().map(Expression::Direction));
    }

    fn players(&mut self, all: impl IntoIterator<Item = &'r Spanned<PlayerOf>>) {
        self.0.extend(all.into_iter().map(Expression::Player));
    }

    fn domain(&mut self, domain: &'r Domain) {
        match domain {
            Domain::Sites(sites) => self.regions([sites]),
            Domain::Directions(directions) => self.0.push(Expression::Directions(directions)),
            Domain::Players(_) | Domain::Pieces(..) | Domain::Numbers { .. } => {}
        }
    }

    fn binder(&mut self, binder: &'r Binder) {
        self.domain(&binder.domain);
    }

    fn values(&mut self, values: &'r [Value]) {
        for value in values {
            match value {
                Value::Number(it) => self.numbers([it]),
                Value::Condition(it) => self.conditions([it]),
                Value::Sites(it) => self.regions([it]),
                Value::Site(it) => self.sites([it]),
                Value::Direction(it) => self.directions([it]),
                Value::Directions(it) => self.0.push(Expression::Directions(it)),
                Value::Player(it) => self.players([it]),
                Value::Piece(_) | Value::Statements(_) => {}
            }
        }
    }
}

impl<'r> Expression<'r> {
    /// Returns the definition that it calls.
    pub fn definition(self) -> Option<DefinitionId> {
        match self {
            Expression::Number(Spanned { node: Number::Call(id, _), .. })
            | Expression::Condition(Spanned { node: Condition::Call(id, _), .. })
            | Expression::Sites(Spanned { node: Sites::Call(id, _), .. })
            | Expression::Site(Spanned { node: SiteOf::Call(id, _), .. })
            | Expression::Direction(Spanned { node: DirectionOf::Call(id, _), .. })
            | Expression::Directions(Spanned { node: Directions::Call(id, _), .. })
            | Expression::Player(Spanned { node: PlayerOf::Call(id, _), .. }) => Some(*id),
            _ => None,
        }
    }

    /// Returns its direct children. The body of a called definition is not included.
    pub fn parts(self) -> Vec<Expression<'r>> {
        let mut parts = Parts::default();
        match self {
            Expression::Number(number) => number_parts(&number.node, &mut parts),
            Expression::Condition(condition) => condition_parts(&condition.node, &mut parts),
            Expression::Sites(sites) => sites_parts(&sites.node, &mut parts),
            Expression::Site(site) => match &site.node {
                SiteOf::Literal(_) | SiteOf::Local(_) => {}
                SiteOf::Step(from, direction) => {
                    parts.sites([&**from]);
                    parts.directions([&**direction]);
                }
                SiteOf::First { from, direction, stops } => {
                    parts.sites([&**from]);
                    parts.directions([&**direction]);
                    parts.regions([&**stops]);
                }
                SiteOf::Memory { player, site, .. } => {
                    parts.players(player);
                    parts.sites(site.as_deref());
                }
                SiteOf::ByPlayer(player, branches) => {
                    parts.players([&**player]);
                    parts.sites(branches);
                }
                SiteOf::Call(_, arguments) => parts.values(arguments),
            },
            Expression::Direction(direction) => match &direction.node {
                DirectionOf::Fixed(_) | DirectionOf::Local(_) => {}
                DirectionOf::Between(from, to) => parts.sites([&**from, &**to]),
                DirectionOf::Opposite(of) => parts.directions([&**of]),
                DirectionOf::ByPlayer(player, branches) => {
                    parts.players([&**player]);
                    parts.directions(branches);
                }
                DirectionOf::Call(_, arguments) => parts.values(arguments),
            },
            Expression::Directions(directions) => match &directions.node {
                Directions::Fixed(_) | Directions::Local(_) => {}
                Directions::One(direction) => parts.directions([&**direction]),
                Directions::List(list) => parts.directions(list),
                Directions::ByPlayer(player, branches) => {
                    parts.players([&**player]);
                    parts.0.extend(branches.iter().map(Expression::Directions));
                }
                Directions::Call(_, arguments) => parts.values(arguments),
            },
            Expression::Player(player) => match &player.node {
                PlayerOf::Fixed(_) | PlayerOf::Mover | PlayerOf::Local(_) => {}
                PlayerOf::Next(of) => parts.players([&**of]),
                PlayerOf::Memory { player, .. } => parts.players(player.as_deref()),
                PlayerOf::ByPlayer(player, branches) => {
                    parts.players([&**player]);
                    parts.players(branches);
                }
                PlayerOf::Call(_, arguments) => parts.values(arguments),
            },
        }
        parts.0
    }
}

fn number_parts<'r>(number: &'r Number, parts: &mut Parts<'r>) {
    match number {
        Number::Constant(_) | Number::Local(_) => {}
        Number::Memory { player, site, .. } => {
            parts.players(player);
            parts.sites(site.as_deref());
        }
        Number::Add(all) | Number::Multiply(all) | Number::Least(all) | Number::Greatest(all) => {
            parts.numbers(all)
        }
        Number::Subtract(from, what) => parts.numbers([&**from, &**what]),
        Number::Divide(what, _) | Number::Remainder(what, _) => parts.numbers([&**what]),
        Number::Count(sites) => parts.regions([&**sites]),
        Number::CountWhere(binder, condition) => {
            parts.binder(binder);
            parts.conditions([&**condition]);
        }
        Number::Sum(binder, of) => {
            parts.binder(binder);
            parts.numbers([&**of]);
        }
        Number::ByPlayer(player, branches) => {
            parts.players([&**player]);
            parts.numbers(branches);
        }
        Number::Call(_, arguments) => parts.values(arguments),
    }
}

fn condition_parts<'r>(condition: &'r Condition, parts: &mut Parts<'r>) {
    match condition {
        Condition::Constant(_) | Condition::Local(_) => {}
        Condition::And(all) | Condition::Or(all) => parts.conditions(all),
        Condition::Not(inner) => parts.conditions([&**inner]),
        Condition::Any(sites) | Condition::None(sites) => parts.regions([&**sites]),
        Condition::In(site, sites) => {
            parts.sites([&**site]);
            parts.regions([&**sites]);
        }
        Condition::Exists(binder, inner) | Condition::Every(binder, inner) => {
            parts.binder(binder);
            parts.conditions([&**inner]);
        }
        Condition::Compare(_, left, right) => parts.numbers([&**left, &**right]),
        Condition::SamePlayer(left, right) => parts.players([&**left, &**right]),
        Condition::SameSite(left, right) => parts.sites([&**left, &**right]),
        Condition::SameDirection(left, right) => parts.directions([&**left, &**right]),
        Condition::ByPlayer(player, branches) => {
            parts.players([&**player]);
            parts.conditions(branches);
        }
        Condition::Call(_, arguments) => parts.values(arguments),
    }
}

fn sites_parts<'r>(sites: &'r Sites, parts: &mut Parts<'r>) {
    match sites {
        Sites::Everywhere
        | Sites::Nowhere
        | Sites::Empty
        | Sites::CutOut
        | Sites::Literal(_)
        | Sites::Local(_) => {}
        Sites::Pieces { whose, .. } => match whose {
            Whose::Anyones => {}
            Whose::Players(player) | Whose::Others(player) => parts.players([player]),
        },
        Sites::Memory { player, direction, .. } => {
            parts.players(player);
            parts.directions(direction);
        }
        Sites::One(site) => parts.sites([&**site]),
        Sites::Beside(of, directions) => {
            parts.regions([&**of]);
            parts.0.push(Expression::Directions(directions));
        }
        Sites::Group { of, within, directions } => {
            parts.regions([&**of, &**within]);
            parts.0.push(Expression::Directions(directions));
        }
        Sites::Walk { from, directions, through } => {
            parts.sites([&**from]);
            parts.0.push(Expression::Directions(directions));
            parts.regions([&**through]);
        }
        Sites::Between(from, to) => parts.sites([&**from, &**to]),
        Sites::When(condition, region) => {
            parts.conditions([&**condition]);
            parts.regions([&**region]);
        }
        Sites::Union(binder, region) => {
            parts.binder(binder);
            parts.regions([&**region]);
        }
        Sites::And(all) | Sites::Or(all) => parts.regions(all),
        Sites::Not(inner) => parts.regions([&**inner]),
        Sites::Where(binder, condition) => {
            parts.binder(binder);
            parts.conditions([&**condition]);
        }
        Sites::ByPlayer(player, branches) => {
            parts.players([&**player]);
            parts.regions(branches);
        }
        Sites::Call(_, arguments) => parts.values(arguments),
    }
}

impl Value {
    /// Returns it as an expression; `None` for statements and kinds of piece.
    pub fn expression(&self) -> Option<Expression<'_>> {
        let mut parts = Parts::default();
        parts.values(std::slice::from_ref(self));
        parts.0.pop()
    }
}

impl Domain {
    /// Returns its expression; `None` for players, numbers and kinds of piece.
    pub fn expression(&self) -> Option<Expression<'_>> {
        let mut parts = Parts::default();
        parts.domain(self);
        parts.0.pop()
    }
}

impl Statement {
    /// Returns the expressions directly inside it, excluding those in nested statements.
    pub fn expressions(&self) -> Vec<Expression<'_>> {
        let mut parts = Parts::default();
        match self {
            Statement::Require(condition)
            | Statement::If { condition, .. }
            | Statement::While(condition, _) => {
                parts.conditions([condition]);
            }
            Statement::Let(_, value) => parts.values(std::slice::from_ref(value)),
            Statement::For(binder, _) => parts.binder(binder),
            Statement::ByPlayer(player, _)
            | Statement::Turn(player, _)
            | Statement::Win(player)
            | Statement::Lose(player) => {
                parts.players([player]);
            }
            Statement::Chain { from: sites, .. }
            | Statement::Join(sites)
            | Statement::Remove(sites)
            | Statement::Cut(sites) => {
                parts.regions([sites]);
            }
            Statement::Do(_, arguments) => parts.values(arguments),
            Statement::Put { at, owner, .. } | Statement::Replace { at, owner, .. } => {
                parts.regions([at]);
                parts.players(owner);
            }
            Statement::Relocate { from, to } => parts.sites([from, to]),
            Statement::Convert { at, to } => {
                parts.regions([at]);
                parts.players([to]);
            }
            Statement::SetNumber { player, site, to: number, .. }
            | Statement::Raise { player, site, by: number, .. }
            | Statement::Lower { player, site, by: number, .. } => {
                parts.players(player);
                parts.sites(site);
                parts.numbers([number]);
            }
            Statement::SetSite { player, site, to, .. } => {
                parts.players(player);
                parts.sites(site);
                parts.sites([to]);
            }
            Statement::SetSites { player, direction, to: sites, .. }
            | Statement::Mark { player, direction, sites, .. }
            | Statement::Unmark { player, direction, sites, .. } => {
                parts.players(player);
                parts.directions(direction);
                parts.regions([sites]);
            }
            Statement::SetPlayer { player, to, .. } => {
                parts.players(player);
                parts.players([to]);
            }
            Statement::ByScore(_, number) | Statement::Repeat(number, _) => parts.numbers([number]),
            Statement::Steps { count, ending, .. } => {
                parts.numbers([count]);
                parts.conditions([ending]);
            }
            Statement::Draw
            | Statement::EndTurn
            | Statement::Forever(_)
            | Statement::Turns(_)
            | Statement::Phase(..)
            | Statement::Choose { .. }
            | Statement::Chance(_) => {}
        }
        parts.0
    }

    /// Returns the nested lists of statements, excluding definitions.
    pub fn bodies(&self) -> Vec<&[Spanned<Statement>]> {
        match self {
            Statement::If { then, otherwise, .. } => vec![then, otherwise],
            Statement::ByPlayer(_, branches) => branches.iter().map(Vec::as_slice).collect(),
            Statement::For(_, body)
            | Statement::Chain { body, .. }
            | Statement::Forever(body)
            | Statement::While(_, body)
            | Statement::Repeat(_, body)
            | Statement::Turns(body)
            | Statement::Turn(_, body)
            | Statement::Phase(_, body)
            | Statement::Choose { otherwise: Some(body), .. } => vec![body],
            _ => Vec::new(),
        }
    }

    /// Returns the nested lists of statements, mutably.
    pub fn bodies_mut(&mut self) -> Vec<&mut Vec<Spanned<Statement>>> {
        match self {
            Statement::If { then, otherwise, .. } => vec![then, otherwise],
            Statement::ByPlayer(_, branches) => branches.iter_mut().collect(),
            Statement::For(_, body)
            | Statement::Chain { body, .. }
            | Statement::Forever(body)
            | Statement::While(_, body)
            | Statement::Repeat(_, body)
            | Statement::Turns(body)
            | Statement::Turn(_, body)
            | Statement::Phase(_, body)
            | Statement::Choose { otherwise: Some(body), .. } => vec![body],
            _ => Vec::new(),
        }
    }
}

impl Rules {
    /// Iterates over all statements of the rules, nested ones included, in no particular order.
    pub fn statements(&self) -> impl Iterator<Item = &Spanned<Statement>> {
        let mut left: Vec<&Spanned<Statement>> =
            self.setup.iter().chain(&self.play).chain(&self.end).collect();
        left.extend(self.moves.iter().flat_map(|rule| &rule.body));
        left.extend(self.definitions.iter().flat_map(|definition| match &definition.body {
            Value::Statements(body) => &body[..],
            _ => &[],
        }));
        std::iter::from_fn(move || {
            let statement = left.pop()?;
            left.extend(statement.node.bodies().into_iter().flatten());
            Some(statement)
        })
    }

    /// Tests if `such` holds for a statement, one nested in it, or one in a definition that it
    /// calls.
    pub fn holds(&self, statement: &Statement, such: &impl Fn(&Statement) -> bool) -> bool {
        self.holds_unseen(statement, such, &mut vec![false; self.definitions.len()])
    }

    /// Implements [`Rules::holds`], skipping definitions that were searched already.
    fn holds_unseen(
        &self,
        statement: &Statement,
        such: &impl Fn(&Statement) -> bool,
        seen: &mut [bool],
    ) -> bool {
        if such(statement) {
            return true;
        }
        if let Statement::Do(definition, _) = statement
            && let Some(seen_before) = seen.get_mut(definition.index())
            && !std::mem::replace(seen_before, true)
            && let Value::Statements(body) = &self.definitions[definition.index()].body
            && body.iter().any(|statement| self.holds_unseen(&statement.node, such, seen))
        {
            return true;
        }
        statement
            .bodies()
            .into_iter()
            .flatten()
            .any(|statement| self.holds_unseen(&statement.node, such, seen))
    }
}
