//! Faults: rules that run out of fuel before the next ply, with the clause to blame and advice.
//!
//! Every loop iteration and every move tried consumes fuel in proportion to its cost. The limits
//! are far beyond what real rules need, so that an endless loop becomes an error message, not a
//! hang.

use crate::language::finding::{Code, Finding};
use crate::language::rules::{Rules, Statement};
use crate::syntax::Span;
use std::fmt;

/// The reason why play cannot continue from a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub message: String,
    /// The clause to blame.
    pub span: Span,
}

impl Fault {
    /// Makes the fault of a clause that has run out of fuel.
    pub fn out_of_fuel(span: Span) -> Fault {
        Fault { message: "these rules never reach the next ply, or take too long".into(), span }
    }

    /// Returns advice that depends on the keyword of the clause. `source` is the text that the span
    /// points into.
    pub fn advice(&self, source: &str) -> &'static str {
        let text = self.span.text(source);
        let Some(clause) = text.strip_prefix('(') else {
            // The span of a move that takes too long is its name alone.
            return "finding its legal moves takes too long: choose from fewer sites, or put the \
                    requirements that rule out most moves first";
        };
        let word =
            clause.trim_start().split(|c: char| c.is_whitespace() || c == '(' || c == ')').next();
        match word.unwrap_or_default() {
            "while" => {
                "a loop without a ply ends only when its condition becomes false: change in the loop \
                 what the condition tests, or add a ply with `choose`"
            }
            "turns" | "forever" => {
                "no `choose` in it has a legal move, and nothing in it ends the game: say what \
                 happens then, such as `(otherwise (draw))`"
            }
            "repeat" => "repeat it fewer times, or add a ply to the loop with `choose`",
            "steps" => {
                "either none of its plies is possible and nothing else happens then, or there are too \
                 many sequences to try: reduce the number of steps, or relax `so-that`"
            }
            "choose" if text.contains("(otherwise") => {
                "none of its moves is legal, and `otherwise` leads back here: say what happens then, \
                 such as `(otherwise (draw))`"
            }
            "choose" | "chance" => {
                "there are too many moves to try, or the turn never ends: choose from fewer sites, or \
                 give the turn to another player"
            }
            _ => {
                "nested loops multiply: loop over fewer sites, or keep in a memory what is computed \
                 again and again"
            }
        }
    }

    /// Makes the checker's finding for a fault before the first ply.
    pub(super) fn before_first_ply(&self, rules: &Rules) -> Finding {
        let message = "these rules never reach the first ply, or take too long";
        let help = self.advice(rules.source());
        let mut finding = Finding::new(Code::NoStart, self.span, message).with_help(help);
        let blamed = rules.statements().find(|statement| statement.span == self.span);
        if let Some(Statement::While(condition, _)) = blamed.map(|statement| &statement.node) {
            finding = finding.with_other(condition.span, "this condition stays true");
        }
        finding
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}
