//! Why a command cannot go on, and whose fault it is.

use ludwright::engine::game::Fault;
use ludwright::files::reason;
use ludwright::language::sources::Sources;
use std::path::Path;

/// Why a command cannot go on.
#[derive(Debug)]
pub enum Failure {
    /// The input is at fault.
    Input(FailureMessage),
    /// The command is at fault, or a file cannot be read or written.
    Usage(FailureMessage),
    /// The rules go round without end; the clause that does is to be shown in their text.
    Endless { fault: Fault, name: String, text: String },
    /// Everything has been said already.
    AlreadyReported(u8),
    /// Standard output cannot be written to.
    Output(std::io::Error),
}

/// What there is to say.
#[derive(Debug, Default)]
pub struct FailureMessage {
    pub message: String,
    pub help: Option<String>,
}

impl Failure {
    /// Puts the blame on the input.
    pub fn input(message: impl Into<String>) -> Failure {
        Failure::Input(FailureMessage { message: message.into(), help: None })
    }

    /// Puts the blame on the command.
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure::Usage(FailureMessage { message: message.into(), help: None })
    }

    /// Puts the blame on a clause of the rules.
    pub fn endless(fault: Fault, source: &Sources) -> Failure {
        let (file, span) = source.place(fault.span);
        let name = source.names().nth(file).unwrap_or_default().to_owned();
        Failure::Endless {
            fault: Fault { span, ..fault },
            name,
            text: source.text_of(file).to_owned(),
        }
    }

    /// Tells where it came to that.
    pub fn after(mut self, place: &str) -> Failure {
        let (Failure::Input(FailureMessage { message, .. })
        | Failure::Usage(FailureMessage { message, .. })
        | Failure::Endless { fault: Fault { message, .. }, .. }) = &mut self
        else {
            return self;
        };
        *message = format!("{place}: {message}");
        self
    }

    /// Says that a file cannot be read or written.
    pub fn file(doing: &str, path: &Path, error: &std::io::Error) -> Failure {
        Failure::usage(format!("cannot {doing} {}: {}", path.display(), reason(error)))
    }

    /// Adds what to do about it.
    pub fn with_help(mut self, help: Option<String>) -> Failure {
        if let Failure::Input(complaint) | Failure::Usage(complaint) = &mut self {
            complaint.help = help;
        }
        self
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        Failure::Output(error)
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Failure {
        Failure::Output(error.into())
    }
}
