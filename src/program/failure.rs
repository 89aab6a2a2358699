//! The reasons for which a command fails; they determine its exit code.

use ludwright::engine::game::Fault;
use ludwright::evaluate::Rejected;
use ludwright::files::reason;
use ludwright::language::sources::Sources;
use ludwright::play::Refused;
use std::path::Path;

/// The exit code of a command that Ctrl-C has ended, with or without a handler of its own.
pub const INTERRUPTED: u8 = 130;

/// Why a command fails.
#[derive(Debug)]
pub enum Failure {
    /// The input is at fault.
    Input(FailureMessage),
    /// The usage is at fault, or a file cannot be read or written.
    Usage(FailureMessage),
    /// A clause of the rules does not terminate; the message quotes it.
    Endless { fault: Fault, name: String, text: String },
    /// An expression is at fault.
    Rejected(Box<Rejected>),
    /// The failure is already printed; holds the exit code.
    AlreadyReported(u8),
    /// Standard output cannot be written to.
    Output(std::io::Error),
}

/// Message with optional help.
#[derive(Debug, Default)]
pub struct FailureMessage {
    pub message: String,
    pub help: Option<String>,
}

impl Failure {
    /// Makes a failure for faulty input.
    pub fn input(message: impl Into<String>) -> Failure {
        Failure::Input(FailureMessage { message: message.into(), help: None })
    }

    /// Makes a failure for wrong usage.
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure::Usage(FailureMessage { message: message.into(), help: None })
    }

    /// Makes a failure for a clause of the rules that does not terminate.
    pub fn endless(fault: Fault, source: &Sources) -> Failure {
        let (file, span) = source.place(fault.span);
        let name = source.names().nth(file).unwrap_or_default().to_owned();
        Failure::Endless {
            fault: Fault { span, ..fault },
            name,
            text: source.text_of(file).to_owned(),
        }
    }

    /// Returns the exit code of a command that fails for this reason.
    pub fn exit_code(&self) -> u8 {
        match self {
            Failure::AlreadyReported(code) => *code,
            Failure::Input(_) | Failure::Endless { .. } | Failure::Rejected(_) => 1,
            Failure::Usage(_) | Failure::Output(_) => 2,
        }
    }

    /// Prefixes the message with the place where it happened.
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

    /// Makes a failure for a file that cannot be read or written.
    pub fn file(doing: &str, path: &Path, error: &std::io::Error) -> Failure {
        Failure::usage(format!("cannot {doing} {}: {}", path.display(), reason(error)))
    }

    /// Sets the help.
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

/// Makes a failure of a prompt's refusal.
pub fn refusal_failure(refused: Refused, source: &Sources) -> Failure {
    if let Some(rejected) = refused.rejected {
        return Failure::Rejected(rejected);
    }
    match refused.fault {
        Some(fault) => Failure::endless(Fault { message: refused.message, ..fault }, source),
        None => Failure::input(refused.message).with_help(refused.help),
    }
}
