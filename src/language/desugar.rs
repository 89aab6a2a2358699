//! Rewrites typed rules so that compiler and interpreter need not know every word: questions about
//! the last ply, players who drop out, pieces that go on, and the pie rule, become memories,
//! definitions and statements.
//!
//! The stage follows the checker and its lints, and only sees rules without errors. Clauses that
//! the author wrote keep their spans; generated clauses have an empty span before the clause that
//! they come from, so that no report mentions them.

mod drop_outs;
mod go_on;
mod last_moves;
mod pie;

use super::rules::*;
use crate::syntax::Span;
use std::collections::BTreeSet;

pub(super) use pie::{SWAP, first_players};

/// The words of a game that are rewritten.
#[derive(Clone, Default)]
pub(super) struct Sugar {
    /// Whether the game has three players or more, and `lose`: players can drop out.
    pub drop_outs: bool,
    /// The verbs in `go-on`, and where the first stands.
    pub go_on: Option<(Span, BTreeSet<String>)>,
    /// The `pie-rule` of the game.
    pub pie: Option<Span>,
}

/// Rewrites rules without errors.
pub(super) fn desugar(rules: &mut Rules, sugar: &Sugar) {
    last_moves::rewrite(rules);
    if let Some((span, verbs)) = &sugar.go_on {
        go_on::rewrite(rules, *span, verbs);
    }
    if sugar.drop_outs {
        drop_outs::rewrite(rules);
    }
    if let Some(span) = sugar.pie {
        pie::rewrite(rules, span);
    }
}

/// Returns the place before the first effect of a move. Requirements before all effects can be
/// tested for many moves at once.
fn before_effects(body: &[Spanned<Statement>]) -> usize {
    let is_effect = |statement: &Spanned<Statement>| {
        !matches!(statement.node, Statement::Require(_) | Statement::Let(..))
    };
    body.iter().position(is_effect).unwrap_or(body.len())
}

/// Builds nodes at a span.
#[derive(Clone, Copy)]
struct Builder {
    span: Span,
}

impl Builder {
    /// Builds at the empty span before a clause.
    fn before(span: Span) -> Builder {
        Builder { span: Span::new(span.start, span.start) }
    }

    fn at<T>(self, node: T) -> Spanned<T> {
        Spanned { node, span: self.span }
    }

    /// Adds a memory of a condition.
    fn memory(self, rules: &mut Rules, name: &str, per_player: bool, initial: i32) -> MemoryId {
        let id = MemoryId(rules.memories.len() as u16);
        let memory = Memory::new(name.to_owned(), self.span, MemoryType::Condition);
        rules.memories.push(Memory { per_player, initial, ..memory });
        id
    }

    fn holds(self, memory: MemoryId, player: Option<Spanned<PlayerOf>>) -> Spanned<Condition> {
        self.at(Condition::Memory { memory, player: player.map(Box::new) })
    }

    fn not(self, condition: Spanned<Condition>) -> Spanned<Condition> {
        self.at(Condition::Not(Box::new(condition)))
    }

    fn and(self, conditions: Vec<Spanned<Condition>>) -> Spanned<Condition> {
        self.at(Condition::And(conditions))
    }

    fn set(
        self,
        memory: MemoryId,
        player: Option<Spanned<PlayerOf>>,
        to: bool,
    ) -> Spanned<Statement> {
        let to = self.at(Condition::Constant(to));
        self.at(Statement::SetCondition { memory, player, to })
    }

    fn when(
        self,
        condition: Spanned<Condition>,
        then: Vec<Spanned<Statement>>,
        otherwise: Vec<Spanned<Statement>>,
    ) -> Spanned<Statement> {
        self.at(Statement::If { condition, then, otherwise })
    }
}
