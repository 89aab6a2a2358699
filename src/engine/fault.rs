//! Rules that never reach the next ply, or take too long to: the clause at fault and what to do.
//!
//! The engine counts the rounds of loops and the moves that it tries. Where they exceed what any
//! rules need, it stops at a clause and blames it: an endless loop becomes a message, not a hang.

use crate::language::finding::{Code, Finding};
use crate::language::rules::{Rules, Statement};
use crate::syntax::Span;
use std::fmt;

/// Why a position cannot go on: the rules ask for something without end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub message: String,
    /// The clause of the rules that does it.
    pub span: Span,
}

impl Fault {
    /// Blames the clause that goes round without end.
    pub fn out_of_fuel(span: Span) -> Fault {
        Fault { message: "these rules never reach the next ply, or take too long".into(), span }
    }

    /// Says what to do about the clause, by the word that it begins with. `source` is the text that
    /// the span points into.
    pub fn advice(&self, source: &str) -> &'static str {
        let text = self.span.text(source);
        let Some(clause) = text.strip_prefix('(') else {
            // A move is named by its verb alone.
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

    /// What the checker says where this happens before the first ply.
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
