//! Loads a game from a rules file or its text, or reports all that is wrong with it.

use crate::diagnostics::{Places, SourcePosition, Style, report};
use crate::engine::game::Game;
use crate::files::{self, reason};
use crate::language::finding::{Finding, Severity};
use crate::language::quantities::counted;
use crate::language::sources::Sources;
use crate::language::{self, ChoiceFault};
use serde::Serialize;
use std::fmt;
use std::path::Path;

/// Checks and compiles a game with the chosen options, given as names and values as for `-o`.
///
/// # Errors
/// If the text is not a game that can be played, or an option does not fit: all findings, or all
/// faults of the options.
pub fn load(source: impl Into<Sources>, choices: &[(String, String)]) -> Result<Game, LoadError> {
    let sources = source.into();
    let checked = language::check(&sources, choices);
    let compiled = match checked.rules {
        Some(rules) => Game::compile(rules).map_err(|finding| vec![finding]),
        None => Err(checked.findings),
    };
    compiled.map_err(|findings| match checked.choice_faults.is_empty() {
        true => LoadError::new(Cause::Rules(findings), sources),
        false => LoadError::new(Cause::Options(checked.choice_faults), sources),
    })
}

/// Loads a game from its file and the files that it takes from.
///
/// # Errors
/// If the file cannot be read, and as [`load`].
pub fn load_file(path: &Path, choices: &[(String, String)]) -> Result<Game, LoadError> {
    load(gather(path)?, choices)
}

/// Reads a rules file and the files that it takes from.
///
/// # Errors
/// If the file cannot be read.
pub(crate) fn gather(path: &Path) -> Result<Sources, LoadError> {
    files::gather(path).map_err(|error| {
        let named = Sources::named(&path.display().to_string(), "");
        LoadError::new(Cause::Unreadable(error), named)
    })
}

/// The reasons why a game could not be loaded: all errors, not only the first.
///
/// [`Display`](fmt::Display) writes one line that begins with the position of the first error, as
/// compilers do; [`report`](Self::report) shows all findings with their lines.
///
/// ```
/// use ludwright::{Game, LoadErrorKind};
///
/// let text = "(game \"Fill\" (players White Black)\n  (board (sqare 3)) (piece Stone)\n  (move drop (to t (empty)) (put Stone t))\n  (play (turns (choose drop))))";
/// let error = Game::from_source(text, &[]).unwrap_err();
/// assert_eq!(error.kind(), LoadErrorKind::Rules);
/// assert_eq!((error.line(), error.column()), (Some(2), Some(11)));
/// assert_eq!(error.to_string(), "2:11: there is no ludeme `sqare`");
/// assert_eq!(error.findings()[0].help.as_deref(), Some("did you mean `square`?"));
///
/// let error = Game::from_file("no-such.game", &[]).unwrap_err();
/// assert_eq!(error.to_string(), "no-such.game: there is no such file");
/// ```
pub struct LoadError(Box<Inner>);

struct Inner {
    cause: Cause,
    sources: Sources,
}

/// The cause of a [`LoadError`], with findings as the checker makes them.
#[doc(hidden)]
#[derive(Debug)]
pub enum Cause {
    /// The game's own file cannot be read.
    Unreadable(std::io::Error),
    /// The errors of the checker or the compiler, at least one, and warnings.
    Rules(Vec<Finding>),
    /// The faults of the options that were chosen.
    Options(Vec<ChoiceFault>),
    /// The record is faulty, or does not fit the rules or the options.
    Record { message: String, help: Option<String> },
}

/// The kind of a [`LoadError`]. More kinds may be added.
///
/// ```
/// use ludwright::{Game, LoadErrorKind};
///
/// let error = Game::from_file("no-such.game", &[]).unwrap_err();
/// assert_eq!(error.kind(), LoadErrorKind::Unreadable);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LoadErrorKind {
    /// The game's own file cannot be read.
    Unreadable,
    /// The rules have errors.
    Rules,
    /// An option does not exist or does not have the value.
    Options,
    /// The record is of another game, or its options do not fit.
    Record,
}

/// A finding about the rules, with its position.
///
/// ```
/// let error = ludwright::Game::from_source("(game \"Nothing\")", &[]).unwrap_err();
/// let missing = error.findings().into_iter().find(|found| found.code == "missing-part").expect("parts are missing");
/// assert!(missing.is_error);
/// assert_eq!((missing.line, missing.column), (1, 2));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The kind of finding, in kebab case; stable across versions.
    pub code: &'static str,
    /// Whether it is an error, so that the game cannot be played, or a warning.
    pub is_error: bool,
    /// The message: a sentence without its period.
    pub message: String,
    /// Advice, if there is any.
    pub help: Option<String>,
    /// The record of a game that shows it, if there is one, as text.
    pub record: Option<String>,
    /// The name of the file; empty for a text without a name.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl LoadError {
    pub(crate) fn new(cause: Cause, sources: Sources) -> LoadError {
        LoadError(Box::new(Inner { cause, sources }))
    }

    /// Returns the kind of error.
    ///
    /// ```
    /// use ludwright::{Game, LoadErrorKind};
    ///
    /// let error = Game::from_file("games/kitaran.game", &[("Sise", "5")]).unwrap_err();
    /// assert_eq!(error.kind(), LoadErrorKind::Options);
    /// ```
    #[must_use]
    pub fn kind(&self) -> LoadErrorKind {
        match self.0.cause {
            Cause::Unreadable(_) => LoadErrorKind::Unreadable,
            Cause::Rules(_) => LoadErrorKind::Rules,
            Cause::Options(_) => LoadErrorKind::Options,
            Cause::Record { .. } => LoadErrorKind::Record,
        }
    }

    /// Returns the name of the file that contains the first error or that cannot be read; `None` if
    /// the error is not in a file, or the text has no name.
    ///
    /// ```
    /// let error = ludwright::Game::from_file("no-such.game", &[]).unwrap_err();
    /// assert_eq!(error.file(), Some("no-such.game"));
    /// ```
    #[must_use]
    pub fn file(&self) -> Option<&str> {
        let Inner { cause, sources } = &*self.0;
        let file = match cause {
            Cause::Unreadable(_) => 0,
            Cause::Rules(_) => sources.file_of(self.first()?.span),
            Cause::Options(_) | Cause::Record { .. } => return None,
        };
        sources.names().nth(file).filter(|name| !name.is_empty())
    }

    /// Returns the line of the first error in its file, from 1; `None` if the error is not in the
    /// rules.
    ///
    /// ```
    /// let error = ludwright::Game::from_source("(game\n  \"Nothing\"", &[]).unwrap_err();
    /// assert_eq!(error.line(), Some(1));
    /// ```
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        self.first().map(|finding| self.place(finding).line)
    }

    /// Returns the column of the first error in characters, from 1; `None` if the error is not in
    /// the rules.
    ///
    /// ```
    /// let error = ludwright::Game::from_source("(game\n  \"Nothing\"", &[]).unwrap_err();
    /// assert_eq!(error.column(), Some(1));
    /// ```
    #[must_use]
    pub fn column(&self) -> Option<usize> {
        self.first().map(|finding| self.place(finding).column)
    }

    /// Lists the findings about the rules, including warnings, in the order of the text; empty if
    /// the error is not in the rules.
    ///
    /// ```
    /// let text = r#"(game "Two faults" (players A B) (board (sqare 3)) (piece Stone)
    ///   (move drop (to t (emty)) (put Stone t)) (play (turns (choose drop))))"#;
    /// let error = ludwright::Game::from_source(text, &[]).unwrap_err();
    /// let messages: Vec<String> = error.findings().into_iter().map(|found| found.message).collect();
    /// assert_eq!(messages, ["there is no ludeme `sqare`", "there is no ludeme `emty`"]);
    /// ```
    #[must_use]
    pub fn findings(&self) -> Vec<Diagnostic> {
        match &self.0.cause {
            Cause::Rules(findings) => diagnostics(&self.0.sources, findings),
            _ => Vec::new(),
        }
    }

    /// Formats all errors as `ludwright check` does without colours: each finding with its lines
    /// and advice.
    ///
    /// ```
    /// let error = ludwright::Game::from_file("games/kitaran.game", &[("Size", "99")]).unwrap_err();
    /// assert!(error.report().starts_with("error: "));
    /// ```
    #[must_use]
    pub fn report(&self) -> String {
        match &self.0.cause {
            Cause::Rules(findings) => report(&self.0.sources, findings, Style::PLAIN),
            Cause::Unreadable(error) => {
                format!("error: cannot read {}: {}\n", self.0.sources.name(), reason(error))
            }
            Cause::Options(faults) => {
                let fault = |fault: &ChoiceFault| {
                    with_advice(&fault.message, fault.help.as_deref(), "\n  help: ")
                };
                faults.iter().map(|one| format!("error: {}\n", fault(one))).collect()
            }
            Cause::Record { message, help } => {
                format!("error: {}\n", with_advice(message, help.as_deref(), "\n  help: "))
            }
        }
    }

    /// Returns all messages in one line, without positions.
    #[doc(hidden)]
    pub fn summary(&self) -> String {
        let messages: Vec<String> = match &self.0.cause {
            Cause::Unreadable(error) => vec![reason(error)],
            Cause::Rules(findings) => {
                let errors =
                    findings.iter().filter(|finding| finding.severity() == Severity::Error);
                errors.map(|finding| finding.message.clone()).collect()
            }
            Cause::Options(faults) => faults
                .iter()
                .map(|fault| with_advice(&fault.message, fault.help.as_deref(), "; "))
                .collect(),
            Cause::Record { message, help } => vec![with_advice(message, help.as_deref(), "; ")],
        };
        messages.join("; ")
    }

    /// Returns the cause.
    #[doc(hidden)]
    pub fn cause(&self) -> &Cause {
        &self.0.cause
    }

    /// Returns the cause by value.
    #[doc(hidden)]
    pub fn into_cause(self) -> Cause {
        self.0.cause
    }

    /// Returns the first error in the rules.
    fn first(&self) -> Option<&Finding> {
        let Cause::Rules(findings) = &self.0.cause else { return None };
        findings.iter().find(|finding| finding.severity() == Severity::Error)
    }

    fn place(&self, finding: &Finding) -> SourcePosition {
        place(&self.0.sources, finding)
    }
}

fn place(sources: &Sources, finding: &Finding) -> SourcePosition {
    let (file, span) = sources.place(finding.span);
    Places::new(sources.text_of(file)).of(span.start)
}

/// Describes findings about texts.
pub(crate) fn diagnostics(sources: &Sources, findings: &[Finding]) -> Vec<Diagnostic> {
    let diagnostic = |finding: &Finding| {
        let SourcePosition { line, column } = place(sources, finding);
        let file = sources.names().nth(sources.file_of(finding.span)).unwrap_or_default();
        Diagnostic {
            code: finding.code.name(),
            is_error: finding.severity() == Severity::Error,
            message: finding.message.clone(),
            help: finding.help.clone(),
            record: finding.record.as_ref().map(|record| record.0.clone()),
            file: file.to_owned(),
            line,
            column,
        }
    };
    findings.iter().map(diagnostic).collect()
}

fn with_advice(message: &str, help: Option<&str>, separator: &str) -> String {
    help.map_or_else(|| message.to_owned(), |help| format!("{message}{separator}{help}"))
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if let Some(file) = self.file() {
            write!(f, "{file}:")?;
        }
        let Some(first) = self.first() else {
            let space = if self.file().is_some() { " " } else { "" };
            return write!(f, "{space}{}", self.summary());
        };
        let place = self.place(first);
        write!(f, "{}:{}: {}", place.line, place.column, first.message)?;
        let errors = self.findings().into_iter().filter(|finding| finding.is_error).count();
        match errors - 1 {
            0 => Ok(()),
            more => write!(f, " (and {})", counted(more as u64, "more error")),
        }
    }
}

impl fmt::Debug for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        // `unwrap` prints this: show everything.
        write!(f, "{self}\n{}", self.report())
    }
}

impl std::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0.cause {
            Cause::Unreadable(error) => Some(error),
            _ => None,
        }
    }
}
