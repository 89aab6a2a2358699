//! Paths that pass a site more than once have no one next site there: what takes one is an error.
//!
//! Which paths a variable, a parameter or a memory can be is the least solution of the flow of
//! directions through the rules: what is bound to it, handed to it or set is among its paths.

use crate::board::{Board, Direction};
use crate::language::rules::*;
use crate::language::visit::{Expression, Label};
use crate::syntax::Span;

/// A word that takes one next site, with a path that has several at some site.
pub(in crate::language) struct ReturningStep {
    pub word: &'static str,
    pub track: u8,
    /// The directions that the word takes.
    pub span: Span,
}

/// The paths that directions can be, each set of them by the numbers of their tracks.
struct Flow<'r> {
    rules: &'r Rules,
    by_local: Vec<u16>,
    by_memory: Vec<u16>,
    has_changed: bool,
}

/// Lists what takes one next site on a path that passes a site more than once.
pub(in crate::language) fn returning_steps(rules: &Rules) -> Vec<ReturningStep> {
    if !rules.board.has_passages() {
        return Vec::new();
    }
    let mut flow = Flow {
        rules,
        by_local: vec![0; rules.locals.len()],
        by_memory: vec![0; rules.memories.len()],
        has_changed: true,
    };
    let expressions: Vec<Expression> = rules.expressions().collect();
    while std::mem::take(&mut flow.has_changed) {
        flow.spread(&expressions);
    }
    let returning = expressions.into_iter().filter_map(|expression| {
        let (word, directions) = step_of(expression)?;
        let paths = flow.paths(directions);
        let track = paths.trailing_zeros() as u8;
        (paths != 0).then(|| ReturningStep { word, track, span: directions.span() })
    });
    returning.collect()
}

impl<'r> Flow<'r> {
    /// Lets every binding, argument and assignment add its paths.
    fn spread(&mut self, expressions: &[Expression<'r>]) {
        let rules = self.rules;
        for rule in &rules.moves {
            rule.parameters.iter().for_each(|one| self.bind(one.variable, &one.domain));
        }
        for &expression in expressions {
            if let Some(binder) = expression.binder() {
                self.bind(binder.variable, &binder.domain);
            }
            if let Some((definition, arguments)) = expression.call() {
                self.hand(definition, arguments);
            }
        }
        for statement in rules.statements() {
            match &statement.node {
                Statement::For(binder, _) => self.bind(binder.variable, &binder.domain),
                Statement::Then { parameters, .. } => {
                    parameters.iter().for_each(|one| self.bind(one.variable, &one.domain));
                }
                Statement::Let(local, value) | Statement::Assign(local, value) => {
                    self.give(*local, value);
                }
                Statement::Do(definition, arguments) => self.hand(*definition, arguments),
                Statement::SetDirection { memory, to, .. } => {
                    let paths = self.paths(Expression::Direction(to));
                    add(&mut self.by_memory[memory.index()], paths, &mut self.has_changed);
                }
                _ => {}
            }
        }
    }

    fn bind(&mut self, local: Local, domain: &'r Domain) {
        if let Domain::Directions(directions) = domain {
            let paths = self.paths(Expression::Directions(directions));
            add(&mut self.by_local[local.index()], paths, &mut self.has_changed);
        }
    }

    fn hand(&mut self, definition: DefinitionId, arguments: &'r [Value]) {
        let parameters = &self.rules.definitions[definition.index()].parameters;
        for (&local, value) in parameters.iter().zip(arguments) {
            self.give(local, value);
        }
    }

    fn give(&mut self, local: Local, value: &'r Value) {
        let paths = value.expression().map_or(0, |value| self.paths(value));
        add(&mut self.by_local[local.index()], paths, &mut self.has_changed);
    }

    /// Returns the paths with a site passed more than once that a direction can be.
    fn paths(&self, of: Expression<'r>) -> u16 {
        if !matches!(of, Expression::Direction(_) | Expression::Directions(_)) {
            return 0;
        }
        let labels = of.labels();
        let mut paths = fixed(&self.rules.board, &labels);
        paths |= of.local().map_or(0, |local| self.by_local[local.index()]);
        for label in labels {
            if let Label::Memory(memory) = label {
                paths |= self.by_memory[memory.index()];
            }
        }
        let body = of.definition().map(|definition| &self.rules.definitions[definition.index()]);
        let parts = match body {
            // What the body makes of its parameters is known from them.
            Some(definition) => definition.body.expression().into_iter().collect(),
            None => of.parts(),
        };
        parts.into_iter().fold(paths, |paths, part| paths | self.paths(part))
    }
}

/// Adds paths to a set.
fn add(paths: &mut u16, more: u16, has_changed: &mut bool) {
    *has_changed |= more & !*paths != 0;
    *paths |= more;
}

/// Returns the word of an expression that takes one next site, and the directions that it takes.
/// `distance` was checked before: its directions are known.
fn step_of(expression: Expression<'_>) -> Option<(&'static str, Expression<'_>)> {
    Some(match expression {
        Expression::Site(site) => match &site.node {
            SiteOf::Step(_, direction, _) | SiteOf::StepBy(_, direction, _) => {
                ("step", Expression::Direction(direction))
            }
            SiteOf::First { direction, .. } => ("first", Expression::Direction(direction)),
            _ => return None,
        },
        Expression::Sites(sites) => match &sites.node {
            Sites::Lines { directions, .. } => ("line", Expression::Directions(directions)),
            _ => return None,
        },
        _ => return None,
    })
}

/// Returns the paths with a site passed more than once among directions that are known before play.
fn fixed(board: &Board, labels: &[Label]) -> u16 {
    let directions = labels.iter().flat_map(|label| match label {
        Label::Direction(direction) => vec![*direction],
        Label::Directions(directions) => directions.to_vec(),
        _ => Vec::new(),
    });
    let returning = directions.filter(|&direction| board.returns(direction));
    returning.filter_map(Direction::track).fold(0, |paths, track| paths | 1 << track)
}
