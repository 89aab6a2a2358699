//! Replies of the prompt.

use crate::engine::game::{Fault, Turn};
use crate::evaluate::{Evaluation, Expression, Rejected};
use crate::notation::Refusal;
use crate::record::Stopped;
use crate::search::Thinking;
use crate::why;

/// The reply to a line.
#[derive(Clone, Debug)]
pub enum Reply {
    /// The position has changed; the text shows it.
    Moved(String),
    /// An answer.
    Said(String),
    /// The answer to a question about the rules.
    Explained(why::Reply),
    /// The value of an expression; the text shows it.
    Evaluated {
        expression: Box<Expression>,
        evaluation: Evaluation,
        shown: String,
    },
    /// The answer to a question about an expression.
    ExplainedValue {
        expression: Box<Expression>,
        answer: Box<why::Answer>,
    },
    /// The caller must write the text to the file.
    Save {
        file: String,
        text: String,
    },
    /// The caller must read the file and pass its text to [`Session::take`](super::Session::take).
    Load {
        file: String,
        wanted: Wanted,
    },
    Quit,
}

/// The purpose of reading a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A record to continue; with `force`, up to its first illegal ply.
    Record { force: bool },
    /// A position to set up.
    Position,
}

/// A ply of a program.
#[derive(Clone, Debug)]
pub struct Played {
    pub mover: Turn,
    /// The ply in canonical spelling.
    pub ply: String,
    pub thinking: Option<Thinking>,
    /// The result of the search, as whole lines; empty if there was no search.
    pub thought: String,
    pub reply: Reply,
}

/// Why a line was refused.
#[derive(Clone, Debug)]
pub struct Refused {
    /// A sentence without its period.
    pub message: String,
    pub help: Option<String>,
    /// The clause that does not terminate, if this is the reason.
    pub fault: Option<Fault>,
    /// The faults of the expression, if the line is one.
    pub rejected: Option<Box<Rejected>>,
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refused {}

impl From<String> for Refused {
    fn from(message: String) -> Refused {
        Refused { message, help: None, fault: None, rejected: None }
    }
}

impl From<&str> for Refused {
    fn from(message: &str) -> Refused {
        message.to_owned().into()
    }
}

impl From<Fault> for Refused {
    fn from(fault: Fault) -> Refused {
        Refused { fault: Some(fault.clone()), ..fault.message.into() }
    }
}

impl From<Rejected> for Refused {
    fn from(rejected: Rejected) -> Refused {
        let first = rejected.findings.first();
        let message = first.map(|finding| finding.message.clone()).unwrap_or_default();
        let help = first.and_then(|finding| finding.help.clone());
        Refused { help, rejected: Some(Box::new(rejected)), ..message.into() }
    }
}

impl From<Refusal> for Refused {
    fn from(Refusal { message, help, .. }: Refusal) -> Refused {
        Refused { help, ..message.into() }
    }
}

impl From<Stopped> for Refused {
    fn from(stopped: Stopped) -> Refused {
        let message = stopped.to_string();
        match stopped.endless {
            Some(span) => Fault { message, span }.into(),
            None => {
                let force = stopped
                    .changed
                    .then(|| "`load --force FILE` plays it as far as it is legal".to_owned());
                let help: Vec<String> = stopped.help.into_iter().chain(force).collect();
                Refused { help: (!help.is_empty()).then(|| help.join("; ")), ..message.into() }
            }
        }
    }
}
