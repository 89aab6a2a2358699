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
        Fault { message: "these rules go round without end here, or take too long".into(), span }
    }

    /// Says what to do about the clause, by the word that it begins with. `source` is the text that
    /// the span points into.
    pub fn advice(&self, source: &str) -> &'static str {
        let text = self.span.text(source);
        let Some(clause) = text.strip_prefix('(') else {
            // A move is named by its verb alone.
            return "trying its moves takes too long: choose from fewer sites, or require first what \
                    rules out most moves";
        };
        let word = clause.trim_start().split(|c: char| c.is_whitespace() || c == '(' || c == ')').next();
        match word.unwrap_or_default() {
            "while" => {
                "change in the loop what its condition asks for, or make a ply in it with `choose`; \
                 a loop without a ply ends only when its condition no longer holds"
            }
            "turns" | "forever" => {
                "no move is legal at any `choose` in it, and nothing in it ends the game: say what \
                 happens then, such as `(otherwise (draw))`"
            }
            "repeat" => "take a smaller number of rounds, or make a ply in every round with `choose`",
            "steps" => {
                "either no ply of it can be made, and nothing else happens then, or too many \
                 sequences have to be tried: take a smaller number, or let `so-that` ask for less"
            }
            "choose" if text.contains("(otherwise") => {
                "no move of it is legal, and what `otherwise` says leads back here: say what \
                 happens then, such as `(otherwise (draw))`"
            }
            "choose" | "chance" => {
                "too many moves have to be tried, or a turn has no end: choose from fewer sites, or \
                 let another player come to move"
            }
            _ => {
                "loops inside loops take the product of their rounds: run through fewer sites, or \
                 remember what is worked out again and again"
            }
        }
    }

    /// What the checker says where this happens before the first ply.
    pub(super) fn before_first_ply(&self, rules: &Rules) -> Finding {
        let message = "these rules go round without end before the first ply, or take too long";
        let help = self.advice(rules.source());
        let mut finding = Finding::new(Code::NoStart, self.span, message).with_help(help);
        let blamed = rules.statements().find(|statement| statement.span == self.span);
        if let Some(Statement::While(condition, _)) = blamed.map(|statement| &statement.node) {
            finding = finding.with_other(condition.span, "holds again and again");
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
