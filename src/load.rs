//! Turns a rules file or its text into a game, or into all that is wrong with it.

use crate::diagnostics::{Places, Style, report};
use crate::engine::game::Game;
use crate::files::{self, reason};
use crate::language::finding::{Finding, Severity};
use crate::language::sources::Sources;
use crate::language::{self, ChoiceFault};
use std::fmt;
use std::path::Path;

/// Checks and compiles a game with the chosen options, each a name and a value as `-o` spells them.
///
/// # Errors
/// Gives every finding when the text is not a game that can be played, and every choice that does
/// not fit it.
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
/// Tells if the file cannot be read, and else as [`load`].
pub fn load_file(path: &Path, choices: &[(String, String)]) -> Result<Game, LoadError> {
    let sources = files::gather(path).map_err(|error| {
        let named = Sources::named(&path.display().to_string(), "");
        LoadError::new(Cause::Unreadable(error), named)
    })?;
    load(&sources, choices)
}

/// Tells why a game could not be loaded: everything that is wrong, not the first thing.
///
/// [`Display`](fmt::Display) writes one line that begins with the place of the first error, as
/// compilers do; [`report`](Self::report) shows all findings with the lines that they are about.
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

/// What the program asks for: why there is no game, with the findings as the checker has them.
#[doc(hidden)]
#[derive(Debug)]
pub enum Cause {
    /// The game's own file cannot be read.
    Unreadable(std::io::Error),
    /// What the checker or the compiler finds in the rules, one error at least.
    Rules(Vec<Finding>),
    /// The options that were asked for are not the rules'.
    Options(Vec<ChoiceFault>),
    /// A record is at fault, or does not go with what was asked for.
    Record { message: String, help: Option<String> },
}

/// Tells whose fault it is that a game could not be loaded. More kinds may come.
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
    /// There are no such options, or they do not have these values.
    Options,
    /// A record is of another game, or its options do not fit.
    Record,
}

/// Something that there is to say about the rules, and where.
///
/// ```
/// let error = ludwright::Game::from_source("(game \"Nothing\")", &[]).unwrap_err();
/// let missing = error.findings().into_iter().find(|found| found.code == "missing-part").expect("parts are missing");
/// assert!(missing.is_error);
/// assert_eq!((missing.line, missing.column), (1, 2));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The kind of finding, in kebab case; it is the same in all versions.
    pub code: &'static str,
    /// Whether the game cannot be played because of it; otherwise it is a warning.
    pub is_error: bool,
    /// A full sentence without its period.
    pub message: String,
    /// What to do about it, where that is known.
    pub help: Option<String>,
    /// The name of the file; empty for a text without one.
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

    /// Tells whose fault it is.
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

    /// Names the file that the first error is in, or that cannot be read. None where the fault is
    /// in no file, or the text was given without a name.
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

    /// Gives the line of the first error in its file, from 1; none where the fault is not in the
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

    /// Gives the column of the first error, in characters from 1; none where the fault is not in
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

    /// Lists all that there is to say about the rules, warnings included, in the order of the text;
    /// nothing where the fault is not in them.
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
        let Cause::Rules(findings) = &self.0.cause else { return Vec::new() };
        let diagnostic = |finding: &Finding| {
            let place = self.place(finding);
            let file = self
                .0
                .sources
                .names()
                .nth(self.0.sources.file_of(finding.span))
                .unwrap_or_default();
            Diagnostic {
                code: finding.code.name(),
                is_error: finding.severity() == Severity::Error,
                message: finding.message.clone(),
                help: finding.help.clone(),
                file: file.to_owned(),
                line: place.line,
                column: place.column,
            }
        };
        findings.iter().map(diagnostic).collect()
    }

    /// Draws all of it as `ludwright check` shows it on a page without colours: every finding with
    /// its lines, and what to do about it.
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
                let fault =
                    |fault: &ChoiceFault| said(&fault.message, fault.help.as_deref(), "\n  help: ");
                faults.iter().map(|one| format!("error: {}\n", fault(one))).collect()
            }
            Cause::Record { message, help } => {
                format!("error: {}\n", said(message, help.as_deref(), "\n  help: "))
            }
        }
    }

    /// All that is wrong in one line, without places.
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
                .map(|fault| said(&fault.message, fault.help.as_deref(), "; "))
                .collect(),
            Cause::Record { message, help } => vec![said(message, help.as_deref(), "; ")],
        };
        messages.join("; ")
    }

    /// Why there is no game.
    #[doc(hidden)]
    pub fn cause(&self) -> &Cause {
        &self.0.cause
    }

    /// Why there is no game, to keep.
    #[doc(hidden)]
    pub fn into_cause(self) -> Cause {
        self.0.cause
    }

    /// The first error in the rules.
    fn first(&self) -> Option<&Finding> {
        let Cause::Rules(findings) = &self.0.cause else { return None };
        findings.iter().find(|finding| finding.severity() == Severity::Error)
    }

    fn place(&self, finding: &Finding) -> crate::diagnostics::SourcePosition {
        let (file, span) = self.0.sources.place(finding.span);
        Places::new(self.0.sources.text_of(file)).of(span.start)
    }
}

fn said(message: &str, help: Option<&str>, joint: &str) -> String {
    help.map_or_else(|| message.to_owned(), |help| format!("{message}{joint}{help}"))
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
            1 => f.write_str(" (and 1 more error)"),
            more => write!(f, " (and {more} more errors)"),
        }
    }
}

impl fmt::Debug for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        // What `unwrap` shows is what there is to know.
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
