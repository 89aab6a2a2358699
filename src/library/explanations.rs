//! Why moves are legal or not, and why a game ended as it did.
//!
//! ```
//! use ludwright::{Game, explanations::Verdict};
//!
//! let mut state = Game::from_file("games/kitaran.game", &[("Size", "3")])?.start();
//! for text in ["b2", "b3"] {
//!     state.play(state.parse_move(text)?)?;
//! }
//! let reasons = state.why("convert b2")?;
//! assert_eq!(reasons[0].verdict, Verdict::Forbidden);
//! assert!(reasons[0].message.ends_with("`(and taken Fresh)` contains b3"), "{reasons:?}");
//! let clause = reasons[0].clause.as_ref().expect("a requirement");
//! assert_eq!(clause.text, "(require (none (and taken Fresh)))");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::error::ParseMoveError;
use super::state::State;
use crate::diagnostics::place;
use crate::syntax::Span;
use crate::why::{self, Reply, ask};
use serde::Serialize;

/// Why a move is legal or not, or the game has ended.
///
/// See the [module](self) for an example.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Explanation {
    /// The move in its full spelling, or `result`.
    pub about: String,
    /// The answer.
    pub verdict: Verdict,
    /// The answer in a sentence, without its period.
    pub message: String,
    /// The decisive clause of the rules.
    pub clause: Option<Clause>,
    /// The values of the clause's parts, the decisive one first.
    pub notes: Vec<(Clause, String)>,
    /// Advice.
    pub help: Option<String>,
}

/// The verdict of an explanation.
///
/// See the [module](self) for an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Verdict {
    /// The move is legal.
    Legal,
    /// The rules do not offer the move: one of its parts is not among the choices.
    NotOffered,
    /// A requirement forbids it.
    Forbidden,
    /// The turn could not be completed after the move.
    Incomplete,
    /// The rules ask for another choice now.
    NotNow,
    /// The game is over.
    Over,
    /// The text is no move.
    Unreadable,
}

/// A place in the rules.
///
/// See the [module](self) for an example.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Clause {
    /// The name of the file; empty for a text without a name.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The text there, on one line.
    pub text: String,
}

impl State {
    /// Explains why a move is legal or not, for each move that the text may stand for; `result`
    /// asks why the game has ended.
    ///
    /// # Errors
    /// If there is nothing to explain, such as the result of a game that goes on.
    ///
    /// See the [module](crate::explanations) for an example.
    pub fn why(&self, question: &str) -> Result<Vec<Explanation>, ParseMoveError> {
        let nothing = |message: String| ParseMoveError::new(message, None);
        if question.trim().is_empty() {
            return Err(nothing("expected a move, or `result`".to_owned()));
        }
        match ask(&self.inner, question).map_err(nothing)? {
            Reply::Answers(answers) => {
                Ok(answers.iter().map(|one| self.explanation(one)).collect())
            }
            Reply::Stories(_) => Ok(Vec::new()),
        }
    }

    fn explanation(&self, answer: &why::Answer) -> Explanation {
        Explanation {
            about: answer.about.clone(),
            verdict: answer.verdict.into(),
            message: answer.message.clone(),
            clause: answer.clause.map(|span| self.clause(span)),
            notes: answer
                .notes
                .iter()
                .map(|note| (self.clause(note.span), note.text.clone()))
                .collect(),
            help: answer.help.clone(),
        }
    }

    fn clause(&self, span: Span) -> Clause {
        let rules = self.inner.game().rules();
        let place = place(span, rules, &rules.files);
        Clause { file: place.file, line: place.line, column: place.column, text: place.text }
    }
}

impl From<why::Verdict> for Verdict {
    fn from(verdict: why::Verdict) -> Verdict {
        match verdict {
            why::Verdict::Legal | why::Verdict::Value => Verdict::Legal,
            why::Verdict::NotOffered => Verdict::NotOffered,
            why::Verdict::Requirement => Verdict::Forbidden,
            why::Verdict::Incomplete => Verdict::Incomplete,
            why::Verdict::NotNow => Verdict::NotNow,
            why::Verdict::Over => Verdict::Over,
            why::Verdict::Unreadable => Verdict::Unreadable,
        }
    }
}
