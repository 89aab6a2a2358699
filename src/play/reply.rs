//! What a line at the prompt leads to, or why to nothing.

use crate::engine::game::{Fault, Turn};
use crate::notation::Refusal;
use crate::record::Stopped;
use crate::search::Thinking;
use crate::why;

/// What a line leads to.
#[derive(Clone, Debug)]
pub enum Reply {
    /// The position is another now; the text shows it.
    Moved(String),
    /// An answer.
    Said(String),
    /// The answer to a question about the rules.
    Explained(why::Reply),
    /// The text is to be written to the file.
    Save {
        file: String,
        text: String,
    },
    /// The file is to be read and given to [`Session::take`](super::Session::take).
    Load {
        file: String,
        wanted: Wanted,
    },
    Quit,
}

/// What a file is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// It is a record to go on from, as far as it goes if `force` is set.
    Record { force: bool },
    /// It is a position to go to.
    Position,
}

/// What a program did at the table.
#[derive(Clone, Debug)]
pub struct Played {
    pub mover: Turn,
    /// The ply as it is spelled.
    pub ply: String,
    pub thinking: Option<Thinking>,
    /// What it thought, in whole lines; empty if it did not think.
    pub thought: String,
    pub reply: Reply,
}

/// Why a line was not obeyed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// A sentence without its period.
    pub message: String,
    pub help: Option<String>,
    /// What in the rules goes round without end, where that is why.
    pub fault: Option<Fault>,
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refused {}

impl From<String> for Refused {
    fn from(message: String) -> Refused {
        Refused { message, help: None, fault: None }
    }
}

impl From<&str> for Refused {
    fn from(message: &str) -> Refused {
        message.to_owned().into()
    }
}

impl From<Fault> for Refused {
    fn from(fault: Fault) -> Refused {
        Refused { message: fault.message.clone(), help: None, fault: Some(fault) }
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
