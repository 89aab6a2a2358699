//! Leaves out each rule of a game in turn, and compares the game with the one without it.

use super::{CompareLimits, Comparison, Names, compare};
use crate::engine::game::Game;
use crate::language::finding::Edit;
use crate::language::rules::{Condition, Rules, Spanned, Statement};
use crate::language::sources::Sources;
use crate::language::visit::{Composite, Expression};
use crate::load::load;
use crate::syntax::Span;
use std::collections::BTreeSet;

/// A rule of a game, and what the game is without it.
pub struct LeftOut {
    /// The clause that was left out.
    pub clause: Span,
    pub without: Without,
}

/// What a game is without one of its rules.
pub enum Without {
    /// Compared with the game as it is.
    Game(Box<Comparison>),
    /// Its rules do not end, or never reach the first ply.
    Endless,
}

/// Returns the clauses of the game's own file that can be left out: statements, the parts of `and` and
/// `or`, and the rule on repetition. In the order of the text.
pub fn clauses(rules: &Rules) -> Vec<Span> {
    let mut found = BTreeSet::new();
    for statement in rules.statements() {
        found.insert(statement.span);
        statement.node.parts().into_iter().for_each(|part| add_parts(part, &mut found));
    }
    let bodies = rules.definitions.iter().filter_map(|definition| definition.body.expression());
    bodies.for_each(|body| add_parts(body, &mut found));
    if let Some(repetition) = &rules.repetition {
        found.insert(repetition.span);
        let all: Vec<&Spanned<Statement>> = repetition.then.iter().collect();
        // Without its result, a rule on repetition is none.
        all.iter().for_each(|statement| {
            found.remove(&statement.span);
        });
    }
    found.retain(|span| !span.is_empty() && rules.files.file_of(*span) == 0);
    found.into_iter().collect()
}

/// Adds the parts of the conjunctions and disjunctions in an expression.
fn add_parts(expression: Expression, found: &mut BTreeSet<Span>) {
    if let Expression::Condition(condition) = expression
        && let Condition::And(parts) | Condition::Or(parts) = &condition.node
        && parts.len() > 1
    {
        found.extend(parts.iter().map(|part| part.span));
    }
    expression.parts().into_iter().for_each(|part| add_parts(part, found));
}

/// Compares a game with what it is without each of its rules, one at a time. Rules without which the
/// text describes no game are passed over. The limits are those of each comparison; `watch` is told
/// how many rules are done, and of how many.
pub fn leave_out(
    game: &Game,
    sources: &Sources,
    choices: &[(String, String)],
    limits: &CompareLimits,
    watch: &mut dyn FnMut(usize, usize),
) -> Vec<LeftOut> {
    let clauses = clauses(game.rules());
    let mut left_out = Vec::new();
    for (done, &clause) in clauses.iter().enumerate() {
        watch(done, clauses.len());
        let edit = Edit { span: clause, text: String::new() };
        let Ok(other) = load(sources.spliced(&edit), choices) else { continue };
        let Ok(names) = Names::new(game.rules(), other.rules(), &[]) else { continue };
        let without = match compare(game, &other, &names, limits, &mut |_| {}) {
            Ok(comparison) => Without::Game(Box::new(comparison)),
            Err(_) => Without::Endless,
        };
        left_out.push(LeftOut { clause, without });
    }
    left_out
}
