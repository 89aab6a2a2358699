//! Games in which pieces are only put on empty sites and stay there, and the lines of pieces that
//! their rules read.

use crate::board::Direction;
use crate::language::rules::{
    Binder, Directions, Domain, Local, PieceId, PieceOf, PlayerId, Rules, SiteOf, Sites, Spanned,
    Statement, Value, Whose,
};
use crate::language::visit::{Composite, Expression, Label, StatementClass};
use std::collections::HashMap;

/// How deep regions are followed through variables and definitions.
const DEEPEST: u32 = 16;

/// Kinds of piece, each with its owner if the kind is owned.
pub type OwnedPieces = Vec<(PieceId, Option<PlayerId>)>;

/// Lines that the rules read: at least `number` of these pieces, in these directions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadLines {
    pub number: usize,
    pub pieces: OwnedPieces,
    pub directions: Vec<Direction>,
}

/// A game in which no piece ever leaves its site or is replaced, and no site is cut out.
pub struct PlacingGame<'r> {
    rules: &'r Rules,
    /// All statements that can be executed after the setup.
    statements: Vec<&'r Statement>,
    /// The expressions that variables can stand for.
    values: HashMap<Local, Vec<Expression<'r>>>,
}

impl<'r> PlacingGame<'r> {
    /// Recognizes a placing game; `None` also if that cannot be proven.
    pub fn of(rules: &'r Rules) -> Option<PlacingGame<'r>> {
        let is_plain = rules.piles.is_none()
            && rules.repetition.is_none()
            && rules.drop_outs.is_none()
            && !rules.board.has_passages()
            && !rules.memories.iter().any(|memory| memory.travels);
        if !is_plain {
            return None;
        }
        let moves = rules.moves.iter().map(|rule| &rule.body);
        let statements = rules.reachable(moves.chain([&rules.play, &rules.end]).flatten());
        let values = values(rules, &statements);
        let game = PlacingGame { rules, statements, values };
        game.statements.iter().all(|statement| game.is_placing(statement)).then_some(game)
    }

    /// Tests if a statement neither moves, changes nor removes a piece.
    fn is_placing(&self, statement: &Statement) -> bool {
        match statement {
            Statement::Put { at, .. } => self.is_within_empty(&at.node, DEEPEST),
            Statement::Assign(..) | Statement::EndTurn | Statement::ExtraTurn => true,
            Statement::Chance(_) => false,
            // Every statement that sets a memory has the memory as a label.
            other => {
                other.class() != StatementClass::Effect
                    || other.labels().iter().any(|label| matches!(label, Label::Memory(_)))
            }
        }
    }

    /// Tests if a region has only sites that were empty before the ply.
    fn is_within_empty(&self, region: &Sites, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        let within = |region: &Spanned<Sites>| self.is_within_empty(&region.node, depth);
        match region {
            Sites::Empty | Sites::Nowhere => true,
            Sites::One(site) => self.was_empty(&site.node, depth),
            Sites::And(all) => all.iter().any(within),
            Sites::Or(all) | Sites::ByPlayer(_, all) => all.iter().all(within),
            Sites::When(_, region) => within(region),
            Sites::Where(binder, _) => self.is_domain_empty(binder, depth),
            Sites::Local(local) => self.is_variable_empty(*local, depth),
            Sites::Call(definition, _) => match &self.rules.definitions[definition.index()].body {
                Value::Sites(body) => within(body),
                _ => false,
            },
            _ => false,
        }
    }

    fn was_empty(&self, site: &SiteOf, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        let was = |site: &Spanned<SiteOf>| self.was_empty(&site.node, depth);
        match site {
            SiteOf::Nowhere => true,
            SiteOf::Local(local) => self.is_variable_empty(*local, depth),
            SiteOf::Only(region) | SiteOf::First { stops: region, .. } => {
                self.is_within_empty(&region.node, depth)
            }
            SiteOf::ByPlayer(_, all) => all.iter().all(was),
            SiteOf::If(_, then, otherwise) => was(then) && was(otherwise),
            _ => false,
        }
    }

    fn is_domain_empty(&self, binder: &Binder, depth: u32) -> bool {
        match &binder.domain {
            Domain::Sites(region) => self.is_within_empty(&region.node, depth),
            _ => false,
        }
    }

    fn is_variable_empty(&self, variable: Local, depth: u32) -> bool {
        let is_empty = |value: &Expression| match value {
            Expression::Sites(region) => self.is_within_empty(&region.node, depth),
            Expression::Site(site) => self.was_empty(&site.node, depth),
            _ => false,
        };
        self.values.get(&variable).is_some_and(|values| values.iter().all(is_empty))
    }

    /// Returns the lines of pieces that the rules read in play; `None` if they read anything else
    /// of a piece than that its site is not empty.
    pub fn lines(&self) -> Option<Vec<ReadLines>> {
        let mut found = Vec::new();
        let domains = self.rules.moves.iter().flat_map(|rule| &rule.parameters);
        let mut left: Vec<Expression> = domains.flat_map(|it| it.domain.parts()).collect();
        left.extend(self.statements.iter().flat_map(|statement| statement.parts()));
        let mut seen = vec![false; self.rules.definitions.len()];
        while let Some(expression) = left.pop() {
            if let Some((definition, _)) = expression.call()
                && !std::mem::replace(&mut seen[definition.index()], true)
            {
                left.extend(self.rules.definitions[definition.index()].body.expression());
            }
            match expression {
                Expression::Sites(sites) => match &sites.node {
                    Sites::Lines { number, region, directions } => {
                        let lines = self.pieces(&region.node, DEEPEST).zip(fixed(directions));
                        let Some((all, directions)) = lines else {
                            left.extend(expression.parts());
                            continue;
                        };
                        found.extend(all.into_iter().map(|pieces| {
                            let directions = directions.to_vec();
                            ReadLines { number: *number, pieces, directions }
                        }));
                    }
                    Sites::Pieces { kinds, whose: Whose::Anyones } if kinds.is_empty() => {}
                    Sites::Pieces { .. } => return None,
                    _ => left.extend(expression.parts()),
                },
                Expression::Piece(Spanned { node: PieceOf::At(_), .. }) => return None,
                _ => left.extend(expression.parts()),
            }
        }
        Some(found)
    }

    /// Returns the pieces of a region that consists of pieces alone, for each owner that the rules
    /// may mean.
    fn pieces(&self, region: &Sites, depth: u32) -> Option<Vec<OwnedPieces>> {
        let depth = depth.checked_sub(1)?;
        let (kinds, whose) = match region {
            Sites::Pieces { kinds, whose } => (kinds, whose),
            Sites::Call(definition, _) => match &self.rules.definitions[definition.index()].body {
                Value::Sites(body) => return self.pieces(&body.node, depth),
                _ => return None,
            },
            _ => return None,
        };
        let all = (0..).map(PieceId).take(self.rules.pieces.len());
        let kinds: Vec<PieceId> = match kinds.is_empty() {
            true => all.collect(),
            false => kinds.iter().map(|kind| kind.node.fixed()).collect::<Option<_>>()?,
        };
        let players = || (0..).map(PlayerId).take(self.rules.players.len());
        let of = |is_owner: &dyn Fn(Option<PlayerId>) -> bool| {
            let owners = |kind: PieceId| match self.rules.pieces[kind.index()].owned {
                true => players().map(|player| (kind, Some(player))).collect(),
                false => vec![(kind, None)],
            };
            let all = kinds.iter().flat_map(|&kind| owners(kind));
            all.filter(|(_, owner)| is_owner(*owner)).collect::<OwnedPieces>()
        };
        Some(match whose {
            Whose::Anyones => vec![of(&|_| true)],
            Whose::Players(_) => players().map(|player| of(&|it| it == Some(player))).collect(),
            Whose::Others(_) => {
                players().map(|player| of(&|it| it.is_some_and(|it| it != player))).collect()
            }
        })
    }
}

/// Returns the directions if they are the same in every position.
fn fixed(directions: &Spanned<Directions>) -> Option<&[Direction]> {
    match &directions.node {
        Directions::Fixed(all) => Some(all),
        _ => None,
    }
}

/// Returns the possible expressions of each variable that is bound only between two decisions:
/// variables of moves, of loops without a decision, and of definitions.
fn values<'r>(rules: &'r Rules, in_play: &[&'r Statement]) -> HashMap<Local, Vec<Expression<'r>>> {
    let mut values: HashMap<Local, Vec<Expression>> = HashMap::new();
    let mut add = |variable: Local, value: Option<Expression<'r>>| {
        values.entry(variable).or_default().extend(value);
    };
    for parameter in rules.moves.iter().flat_map(|rule| &rule.parameters) {
        add(parameter.variable, parameter.domain.expression());
    }
    for statement in rules.reachable(rules.moves.iter().flat_map(|rule| &rule.body)) {
        match statement {
            Statement::Let(variable, value) => add(*variable, value.expression()),
            Statement::Then { parameters, .. } => {
                for parameter in parameters {
                    add(parameter.variable, parameter.domain.expression());
                }
            }
            _ => {}
        }
    }
    for statement in in_play.iter().filter(|statement| !rules.belongs_to_flow(statement)) {
        match statement {
            Statement::For(binder, _) => add(binder.variable, binder.domain.expression()),
            Statement::Do(definition, arguments) => {
                let parameters = &rules.definitions[definition.index()].parameters;
                for (&parameter, argument) in parameters.iter().zip(arguments) {
                    add(parameter, argument.expression());
                }
            }
            _ => {}
        }
    }
    let assigned = rules.assigned();
    values.retain(|variable, values| !values.is_empty() && !assigned.contains(variable));
    values
}
