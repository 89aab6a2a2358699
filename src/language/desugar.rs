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

use super::builder::Builder;
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
