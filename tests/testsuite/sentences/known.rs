//! What the tests of sentences know of a game: its expressions and statements, and its variables
//! with their types and possible values.

use super::reader::{Type, type_of};
use ludwright::board::Direction;
use ludwright::language::rules::{
    Condition, DefinitionId, DirectionOf, Directions, Domain, Local, Number, Parameter, PieceId,
    PieceOf, PlayerId, PlayerOf, Rules, SiteOf, Sites, Spanned, Statement, Value as Written,
};
use ludwright::language::visit::{Composite, Expression};
use ludwright::pages::Words;
use ludwright::random::Random;
use ludwright::reference::{ONE, Region, Value, View};
use std::collections::{BTreeSet, HashMap};

/// What is known of the variables and definitions of a game.
#[derive(Default)]
pub struct Names {
    pub types: HashMap<Local, Type>,
    /// Variables that are never nowhere, no kind or no direction.
    pub certain: BTreeSet<u16>,
    pub parameters: HashMap<DefinitionId, Vec<Type>>,
}

impl Names {
    pub fn of(rules: &Rules) -> Names {
        let mut names = Names::default();
        for rule in &rules.moves {
            names.parameters(&rule.parameters);
        }
        for statement in all_statements(rules) {
            match statement {
                Statement::For(binder, _) => names.bind(binder.variable, &binder.domain),
                Statement::Chain { variable, .. } => names.add(*variable, Type::Site),
                Statement::ByScore(local, _) => names.add(*local, Type::Player),
                Statement::Then { parameters, .. } => names.parameters(parameters),
                Statement::Let(local, value) => {
                    if let Some(kind) = type_of(value) {
                        names.types.insert(*local, kind);
                    }
                }
                Statement::Do(definition, values) => names.arguments(rules, *definition, values),
                _ => {}
            }
        }
        for expression in all_expressions(rules) {
            if let Some(binder) = expression.binder() {
                names.bind(binder.variable, &binder.domain);
            }
            if let Some((definition, values)) = called(expression) {
                names.arguments(rules, definition, values);
            }
        }
        names
    }

    fn add(&mut self, local: Local, kind: Type) {
        self.types.insert(local, kind);
        self.certain.insert(local.0);
    }

    fn bind(&mut self, local: Local, domain: &Domain) {
        self.add(
            local,
            match domain {
                Domain::Sites(_) => Type::Site,
                Domain::Directions(_) => Type::Direction,
                Domain::Players(_) | Domain::Team(..) => Type::Player,
                Domain::Pieces(..) => Type::Piece,
                Domain::Numbers { .. } => Type::Number,
                Domain::Groups { .. } => Type::Sites,
            },
        );
    }

    fn parameters(&mut self, parameters: &[Parameter]) {
        parameters.iter().for_each(|parameter| self.bind(parameter.variable, &parameter.domain));
    }

    fn arguments(&mut self, rules: &Rules, definition: DefinitionId, values: &[Written]) {
        let types: Vec<Type> = values.iter().filter_map(type_of).collect();
        let parameters = &rules.definitions[definition.index()].parameters;
        self.types.extend(parameters.iter().copied().zip(types.iter().copied()));
        self.parameters.insert(definition, types);
    }
}

pub fn called(expression: Expression<'_>) -> Option<(DefinitionId, &[Written])> {
    macro_rules! call {
        ($type:ident, $it:ident) => {
            if let $type::Call(id, values) = &$it.node { Some((*id, &values[..])) } else { None }
        };
    }
    match expression {
        Expression::Number(it) => call!(Number, it),
        Expression::Condition(it) => call!(Condition, it),
        Expression::Sites(it) => call!(Sites, it),
        Expression::Site(it) => call!(SiteOf, it),
        Expression::Direction(it) => call!(DirectionOf, it),
        Expression::Directions(it) => call!(Directions, it),
        Expression::Player(it) => call!(PlayerOf, it),
        Expression::Piece(it) => call!(PieceOf, it),
    }
}

pub fn all_statements(rules: &Rules) -> Vec<&Statement> {
    let mut all: Vec<&Spanned<Statement>> = rules.statements().collect();
    let mut left: Vec<&Spanned<Statement>> =
        rules.repetition.iter().flat_map(|repetition| &repetition.then).collect();
    while let Some(statement) = left.pop() {
        left.extend(statement.node.bodies().into_iter().flatten());
        all.push(statement);
    }
    // What keeps piles from growing too high is said once, with the board.
    all.retain(|statement| !rules.keeps_bound(statement));
    all.into_iter().map(|statement| &statement.node).collect()
}

/// Lists every expression of a game, with those inside them.
pub fn all_expressions(rules: &Rules) -> Vec<Expression<'_>> {
    let mut left: Vec<Expression> = Vec::new();
    for rule in &rules.moves {
        left.extend(rule.parameters.iter().flat_map(|parameter| parameter.domain.parts()));
    }
    for statement in all_statements(rules) {
        left.extend(statement.parts());
    }
    left.extend(rules.definitions.iter().filter_map(|definition| definition.body.expression()));
    let mut all = Vec::new();
    while let Some(expression) = left.pop() {
        left.extend(expression.parts());
        // What the checker adds has no text, and is not written.
        if !expression.span().is_empty() {
            all.push(expression);
        }
    }
    all
}

/// Returns the variables that an expression does not bind itself.
pub fn free(expression: Expression) -> BTreeSet<u16> {
    let (mut used, mut bound) = (BTreeSet::new(), BTreeSet::new());
    let mut left = vec![expression];
    while let Some(expression) = left.pop() {
        used.extend(expression.local().map(|local| local.0));
        bound.extend(expression.binder().map(|binder| binder.variable.0));
        left.extend(expression.parts());
    }
    used.difference(&bound).copied().collect()
}

pub fn type_and_kind(expression: Expression) -> (Type, String) {
    let (kind, node) = match expression {
        Expression::Number(it) => (Type::Number, format!("{:?}", it.node)),
        Expression::Condition(it) => (Type::Condition, format!("{:?}", it.node)),
        Expression::Sites(it) => (Type::Sites, format!("{:?}", it.node)),
        Expression::Site(it) => (Type::Site, format!("{:?}", it.node)),
        Expression::Direction(it) => (Type::Direction, format!("{:?}", it.node)),
        Expression::Directions(it) => (Type::Directions, format!("{:?}", it.node)),
        Expression::Player(it) => (Type::Player, format!("{:?}", it.node)),
        Expression::Piece(it) => (Type::Piece, format!("{:?}", it.node)),
    };
    (kind, variant(&node))
}

/// Returns the name of a variant from its debugging text.
pub fn variant(debug: &str) -> String {
    debug.chars().take_while(|letter| letter.is_alphanumeric()).collect()
}

pub fn written(words: Words, expression: Expression) -> String {
    match expression {
        Expression::Number(it) => words.number(&it.node),
        Expression::Condition(it) => words.condition(&it.node),
        Expression::Sites(it) => words.sites(&it.node),
        Expression::Site(it) => words.site(&it.node),
        Expression::Direction(it) => words.direction(&it.node),
        Expression::Directions(it) => words.directions(&it.node),
        Expression::Player(it) => words.player(&it.node),
        Expression::Piece(it) => words.piece(&it.node),
    }
    .to_string()
}

pub fn value_of(view: &View, expression: Expression) -> Value {
    sorted(match expression {
        Expression::Number(it) => Value::Number(view.number(&it.node)),
        Expression::Condition(it) => Value::Condition(view.condition(&it.node)),
        Expression::Sites(it) => Value::Sites(view.sites(&it.node)),
        Expression::Site(it) => Value::Site(view.site(&it.node)),
        Expression::Direction(it) => Value::Direction(view.direction(&it.node)),
        Expression::Directions(it) => Value::Directions(view.directions(&it.node)),
        Expression::Player(it) => Value::Player(view.player(&it.node)),
        Expression::Piece(it) => Value::Piece(view.piece(&it.node)),
    })
}

/// The order of directions is not said.
pub fn sorted(value: Value) -> Value {
    match value {
        Value::Directions(mut ways) => {
            ways.sort_by_key(|way| way.index());
            ways.dedup();
            Value::Directions(ways)
        }
        value => value,
    }
}

/// Draws a value for a variable.
pub fn draw(rules: &Rules, kind: Type, is_certain: bool, random: &mut Random) -> Value {
    let board = &rules.board;
    let mut below = |count: usize| random.below(count.max(1) as u32) as usize;
    let is_none = !is_certain && below(6) == 0;
    let all: Vec<_> = board.sites().collect();
    match kind {
        Type::Number => Value::Number(ONE * (below(10) as i128 - 2)),
        Type::Condition => Value::Condition(below(2) == 0),
        Type::Sites => {
            let chosen: BTreeSet<_> =
                (0..below(all.len())).map(|_| all[below(all.len())]).collect();
            Value::Sites(Region::of(board, |site| chosen.contains(&site)))
        }
        Type::Site => Value::Site((!is_none).then(|| all[below(all.len())])),
        Type::Direction => {
            Value::Direction((!is_none).then(|| board.all()[below(board.all().len())]))
        }
        Type::Directions => {
            let ways: Vec<Direction> =
                board.all().iter().copied().filter(|_| below(2) == 0).collect();
            Value::Directions(ways)
        }
        Type::Player => Value::Player(PlayerId(below(rules.players.len()) as u16)),
        Type::Piece => Value::Piece(
            (!is_none && !rules.pieces.is_empty())
                .then(|| PieceId(below(rules.pieces.len()) as u16)),
        ),
    }
}
