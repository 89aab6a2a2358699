//! Loads a game, its options and a starting position; every command about one game begins here.

use super::answers::subject::Subject;
use super::arguments::{Beginning, GameFile, Options};
use super::console::Console;
use super::failure::Failure;
use super::files::{read_record, read_source, read_text};
use ludwright::analysis::{Effort, Examined, examine};
use ludwright::engine::game::{Fault, Game, State};
use ludwright::language::finding::Finding;
use ludwright::language::sources::Sources;
use ludwright::load::Cause;
use ludwright::notation::Misread;
use ludwright::record::{self, CHANGED, Record, Start, Stopped, load};
use std::path::Path;

/// A game with the texts that it was loaded from.
pub struct Loaded {
    pub source: Sources,
    pub game: Game,
    /// The ply assumed to come next, if the text of the starting position is ambiguous.
    pub assumed: Option<String>,
}

impl Loaded {
    /// Loads a game with the given options and the options of a record, whose path is used in
    /// messages.
    ///
    /// # Errors
    /// If a file cannot be read, the rules have errors (then the findings are printed), or
    /// the options do not fit.
    pub fn new(
        file: &GameFile,
        record: Option<(&Path, &Record)>,
        console: &Console,
    ) -> Result<Loaded, Failure> {
        let choices = &file.options.choices;
        agree(choices)?;
        let source = read_source(&file.file)?;
        let cause = match load(&source, choices, record.map(|(_, record)| record)) {
            Ok(game) => return Ok(Loaded { source, game, assumed: None }),
            Err(error) => error.into_cause(),
        };
        Err(match cause {
            Cause::Unreadable(error) => Failure::file("read", &file.file, &error),
            Cause::Rules(findings) => {
                console.findings(&source, &findings);
                Failure::AlreadyReported(1)
            }
            Cause::Options(faults) => wrong_choices(faults),
            Cause::Record { message, help } => {
                let name = record.map(|(path, _)| path.display().to_string()).unwrap_or_default();
                Failure::input(format!("{name}: {message}")).with_help(help)
            }
        })
    }

    /// Loads a game with its own options, and with the `shared` options that it declares.
    ///
    /// # Errors
    /// As [`Loaded::new`].
    pub fn with_own_of(
        path: &Path,
        shared: &[(String, String)],
        own: &[(String, String)],
        console: &Console,
    ) -> Result<Loaded, Failure> {
        let source = read_source(path)?;
        // The rules name their options even if the default values do not make a game.
        let known = ludwright::language::check(&source, &[]).rules;
        let fits = |name: &str| known.as_ref().is_none_or(|rules| rules.has_option(name));
        let shared = shared.iter().filter(|(name, _)| fits(name)).cloned();
        let options = Options { choices: shared.chain(own.iter().cloned()).collect() };
        Loaded::new(&GameFile { file: path.to_owned(), options }, None, console)
    }

    /// Loads a game and plays the record, if any, to its end. With `true`, an illegal move ends the
    /// replay with a warning.
    ///
    /// # Errors
    /// If the rules, the record or the options are at fault.
    pub fn at_end_of(
        file: &GameFile,
        from: Option<(&Path, bool)>,
        console: &Console,
    ) -> Result<(Loaded, State, Option<Record>), Failure> {
        let Some((path, force)) = from else {
            let loaded = Loaded::new(file, None, console)?;
            let position = loaded.begin()?;
            return Ok((loaded, position, None));
        };
        let record = read_record(path)?;
        let loaded = Loaded::new(file, Some((path, &record)), console)?;
        let position = loaded.play_over(path, &record, force, console)?;
        Ok((loaded, position, Some(record)))
    }

    /// Plays a record. With `force`, an illegal move ends the replay with a warning.
    ///
    /// # Errors
    /// If a move cannot be played.
    pub fn play_over(
        &self,
        path: &Path,
        record: &Record,
        force: bool,
        console: &Console,
    ) -> Result<State, Failure> {
        let mut position =
            record.begin(&self.game).map_err(|stopped| self.stopped(path, stopped))?;
        match record.replay(&mut position) {
            Err(stopped) if force => console.warn(&format!("{}: {stopped}", path.display())),
            Ok(()) if record.is_changed(self.game.rules()) => {
                console.warn(&format!("{}: {CHANGED}", path.display()))
            }
            done => done.map_err(|stopped| self.stopped(path, stopped))?,
        }
        Ok(position)
    }

    /// Loads a game and starts at the end of a record, at the position in a file, or at the first
    /// position.
    ///
    /// # Errors
    /// If the rules, the record, the position or the options are at fault.
    pub fn at_start_of(
        file: &GameFile,
        beginning: &Beginning,
        console: &Console,
    ) -> Result<(Loaded, State, Option<Record>), Failure> {
        let Some(path) = beginning.position.as_deref() else {
            return Loaded::at_end_of(
                file,
                beginning.from.as_deref().map(|from| (from, beginning.force)),
                console,
            );
        };
        let text = read_text(path, record::LIMIT)?;
        let misread =
            |misread: Misread| Failure::input(format!("in {}, {misread}", path.display()));
        let start = Start::parse(&text).map_err(misread)?;
        // The options of a position are treated like the options of a record.
        let options = Record { options: start.options.clone(), ..Record::default() };
        let mut loaded = Loaded::new(file, Some((path, &options)), console)?;
        let (begun, assumed) = start.begin_assuming(&loaded.game).map_err(misread)?;
        if let Some(assumed) = &assumed {
            let message = format!(
                "{}: this position fits several points in the order of play; assuming `{assumed}`",
                path.display()
            );
            console.note(&message, "to choose another, add a line `phase:`, `step:` or `left:`");
        }
        loaded.assumed = assumed;
        Ok((loaded, begun, None))
    }

    /// Starts a game at the first position.
    ///
    /// # Errors
    /// If the rules do not terminate.
    pub fn begin(&self) -> Result<State, Failure> {
        self.game.begin().map_err(|fault| self.fault(fault))
    }

    /// Describes the game in JSON.
    pub fn subject(&self) -> Subject {
        Subject { assumed: self.assumed.clone(), ..Subject::of(self.game.rules()) }
    }

    /// Makes a failure of a clause that does not terminate.
    pub fn fault(&self, fault: Fault) -> Failure {
        Failure::endless(fault, &self.source)
    }

    /// Makes a failure of a record's ply that cannot be played.
    pub fn stopped(&self, path: &Path, stopped: Stopped) -> Failure {
        let message = format!("{}: {stopped}", path.display());
        match stopped.endless {
            Some(span) => self.fault(Fault { message, span }),
            None => {
                let force =
                    stopped.changed.then(|| "`--force` plays it as far as it is legal".to_owned());
                let help: Vec<String> = stopped.help.into_iter().chain(force).collect();
                Failure::input(message).with_help((!help.is_empty()).then(|| help.join("; ")))
            }
        }
    }
}

/// Makes a failure of options that do not exist or do not fit.
pub fn wrong_choices(faults: Vec<ludwright::language::ChoiceFault>) -> Failure {
    let help: Vec<String> = faults.iter().filter_map(|fault| fault.help.clone()).collect();
    let messages: Vec<String> = faults.into_iter().map(|fault| fault.message).collect();
    Failure::usage(messages.join("; ")).with_help((!help.is_empty()).then(|| help.join("; ")))
}

/// Checks that no option has two values.
pub fn agree(choices: &[(String, String)]) -> Result<(), Failure> {
    for (index, (name, value)) in choices.iter().enumerate() {
        if let Some((_, other)) =
            choices[..index].iter().find(|(known, other)| known == name && other != value)
        {
            return Err(Failure::usage(format!(
                "{name} is given twice, as {name}={other} and {name}={value}"
            )));
        }
    }
    Ok(())
}

/// Checks a game, analyzes its play with the given effort, and returns all findings.
pub fn findings(
    source: &Sources,
    choices: &[(String, String)],
    effort: Effort,
) -> Result<Vec<Finding>, Failure> {
    examined(source, choices, effort).map(|examined| examined.findings)
}

/// Like [`findings`], with the coverage of the analysis.
pub fn examined(
    source: &Sources,
    choices: &[(String, String)],
    effort: Effort,
) -> Result<Examined, Failure> {
    examine(source, choices, effort).map_err(wrong_choices)
}
