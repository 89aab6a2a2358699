//! Compares a game with its variants that lack one rule each.

use super::{CompareLimits, Comparison, Names, compare};
use crate::engine::game::Game;
use crate::language::finding::Edit;
use crate::language::rules::{Condition, Rules};
use crate::language::sources::Sources;
use crate::language::visit::Expression;
use crate::load::load;
use crate::syntax::Span;
use std::collections::BTreeSet;

/// A rule of a game, and the game without it.
pub struct LeftOut {
    /// The clause that was left out.
    pub clause: Span,
    pub without: Without,
}

/// The result of leaving a rule out.
pub enum Without {
    /// The variant is a game, compared with the original.
    Game(Box<Comparison>),
    /// The variant's rules do not end, or never reach the first ply.
    Endless,
}

/// Returns the clauses of the game's own file that can be left out, in the order of the text:
/// statements, the parts of `and` and `or`, and the rule on repetition.
pub fn clauses(rules: &Rules) -> Vec<Span> {
    let mut found = BTreeSet::new();
    for statement in rules.statements() {
        found.insert(statement.span);
    }
    for expression in rules.expressions() {
        if let Expression::Condition(condition) = expression
            && let Condition::And(parts) | Condition::Or(parts) = &condition.node
            && parts.len() > 1
        {
            found.extend(parts.iter().map(|part| part.span));
        }
    }
    if let Some(repetition) = &rules.repetition {
        found.insert(repetition.span);
        // A rule on repetition without its result is no rule.
        for statement in &repetition.then {
            found.remove(&statement.span);
        }
    }
    found.retain(|span| !span.is_empty() && rules.files.file_of(*span) == 0);
    found.into_iter().collect()
}

/// Compares a game with its variants that lack one rule each. Rules without which the text
/// describes no game are skipped. The limits apply to each comparison; `watch` receives the number
/// of rules done, and of all rules.
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
