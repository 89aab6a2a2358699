//! Exact and exhaustive answers: solving, deep checks, claims, comparison with the saved file, rule
//! cases.

use super::{Outcome, Reporter, Subject};
use crate::program::answers::claims::{show, summary};
use crate::program::answers::comparison::Report;
use crate::program::answers::coverage;
use crate::program::answers::solution::tell;
use crate::program::arguments::{Color, Format};
use crate::program::case_files::{LIMIT, cases_of};
use crate::program::console::Console;
use crate::program::game::Loaded;
use crate::program::workload::cores;
use crate::studio::api::Arguments;
use crate::studio::folder::read_case;
use ludwright::analysis::{Effort, Examined, examine};
use ludwright::cases::Runner;
use ludwright::claims::{ClaimLimits, decide_while};
use ludwright::compare::{CompareLimits, Names, Progress as Compared, compare};
use ludwright::desk::requests::assist::with_own_text;
use ludwright::diagnostics::{Style, report};
use ludwright::language::finding::Severity;
use ludwright::language::sources::Sources;
use ludwright::notation::grouped;
use ludwright::solve::{Progress, SolveLimits, solve};
use ludwright::syntax::visible::shown;
use std::path::Path;
use std::time::Duration;

/// The most memory and time that solving may take, in bytes and seconds.
const MAX_MEMORY: u64 = 1 << 30;
const MAX_SECONDS: usize = 3_600;
const SECONDS: usize = 60;
/// The limits of a comparison.
const COMPARISON: Duration = Duration::from_secs(20);
/// The most time for a claim.
const CLAIM: Duration = Duration::from_secs(30);
/// The most rule cases.
const MAX_CASES: usize = 1_000;

fn outcome(text: String) -> Outcome {
    Outcome { text, page: None }
}

/// Solves the current position.
pub struct Solve {
    time: Duration,
}

impl Solve {
    /// Reads the arguments.
    pub fn new(arguments: &Arguments) -> Solve {
        let seconds = arguments.number("seconds").unwrap_or(SECONDS).clamp(1, MAX_SECONDS);
        Solve { time: Duration::from_secs(seconds as u64) }
    }

    /// Finds the value.
    ///
    /// # Errors
    /// If the rules do not terminate.
    pub fn run(&self, subject: &Subject, reporter: &Reporter) -> Result<Outcome, String> {
        subject.game().jit_compile_in_background();
        let limits = SolveLimits {
            memory: MAX_MEMORY,
            time: Some(self.time),
            threads: cores(),
            ..SolveLimits::default()
        };
        let progress = &mut |progress: &Progress| {
            let line = format!("{} positions, {:.0} s", grouped(progress.nodes), progress.seconds);
            reporter.say(progress.seconds / self.time.as_secs_f64(), line);
            !reporter.is_stopped()
        };
        let solution =
            solve(&subject.position, &limits, progress).map_err(|fault| fault.message)?;
        Ok(outcome(tell(subject.game().rules(), &solution)))
    }
}

/// Searches the positions of the game for what its rules do not mean.
///
/// # Errors
/// If the options do not fit.
pub fn deep(subject: &Subject) -> Result<Outcome, String> {
    let found = examine(&subject.sources, &subject.options, Effort::Deep);
    let Examined { findings, looked, unreached } =
        found.map_err(|_| "the options do not fit the rules".to_owned())?;
    let errors = findings.iter().filter(|finding| finding.severity() == Severity::Error).count();
    let mut text = match (errors, findings.len()) {
        (0, 0) => "Nothing was found.\n".to_owned(),
        _ => report(&subject.sources, &findings, Style::PLAIN),
    };
    text.push_str(&coverage::tell(&looked, &unreached));
    Ok(outcome(text))
}

/// Tests the claims of the file, one after the other.
pub fn claims(subject: &Subject, reporter: &Reporter) -> Outcome {
    let claims = &subject.game().rules().claims;
    let Some(first) = claims.first() else {
        let example = "(claim \"No game is drawn.\" (never-draws))";
        return outcome(format!(
            "The rules claim nothing yet. A claim is a part of the rules that says what you believe \
             of the game:\n{example}\n"
        ));
    };
    let announce = |number: usize, text: &str| {
        let line = format!("claim {} of {}: {}", number + 1, claims.len(), shown(text));
        reporter.say(number as f64 / claims.len() as f64, line);
    };
    announce(0, &first.text);
    let limits = ClaimLimits { time: Some(CLAIM), ..ClaimLimits::default() };
    let (mut decided, mut text) = (Vec::new(), String::new());
    decide_while(&subject.sources, &subject.options, &limits, &mut |one| {
        text.push_str(&show(&one, false));
        decided.push(one);
        reporter.show(&text);
        if let Some(next) = claims.get(decided.len()) {
            announce(decided.len(), &next.text);
        }
        !reporter.is_stopped()
    });
    text.push_str(&summary(&decided));
    outcome(text)
}

/// Compares the game with the one in the file as it was saved.
///
/// # Errors
/// If the saved file is no game.
pub fn diff(subject: &Subject, saved: String, reporter: &Reporter) -> Result<Outcome, String> {
    let load = |sources: Sources| {
        let game = ludwright::load(&sources, &subject.options);
        let game =
            game.map_err(|error| format!("the saved file is no game: {}", error.summary()))?;
        Ok::<Loaded, String>(Loaded { source: sources, game, assumed: None })
    };
    let saved = with_own_text(&subject.sources, saved);
    let sides = [load(saved)?, load(subject.sources.clone())?];
    let limits =
        CompareLimits { time: Some(COMPARISON), memory: MAX_MEMORY, ..CompareLimits::default() };
    let mut watch = |progress: Compared| match progress {
        Compared::Matching { tried, of } => reporter.say(0.0, format!("names: {tried} of {of}")),
        Compared::Searching { positions, depth } => {
            reporter.say(0.3, format!("{} positions, {depth} plies deep", grouped(positions)));
        }
        Compared::Playing { games } => {
            reporter.say(0.6, format!("random games: {}", grouped(games.into())));
        }
        Compared::Shortening { plies } => {
            reporter.say(0.9, format!("shortening the difference from {plies} plies"));
        }
    };
    let names = [Path::new("as saved"), Path::new("as it is now")];
    Ok(outcome(told(&sides, names, &limits, &mut watch)?))
}

/// Compares two games that are loaded, and returns the report as text.
///
/// # Errors
/// Says which clause does not terminate.
fn told(
    sides: &[Loaded; 2],
    names: [&Path; 2],
    limits: &CompareLimits,
    watch: &mut dyn FnMut(Compared),
) -> Result<String, String> {
    let console = Console::new(Format::Text, Color::Never);
    let mut report = Report::new(names, sides);
    let mut out = Vec::new();
    let written = match Names::new(sides[0].game.rules(), sides[1].game.rules(), &[]) {
        Err(apart) => report.apart(&apart, None, &console, &mut out),
        Ok(names) => {
            let compared = compare(&sides[0].game, &sides[1].game, &names, limits, watch);
            let comparison = compared.map_err(|stuck| stuck.fault.message)?;
            report.write(&names, &comparison, false, &console, &mut out)
        }
    };
    written.map_err(|_| "the report cannot be written".to_owned())?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// Runs the rule cases of the file.
pub fn cases(subject: &Subject, file: &Path, reporter: &Reporter) -> Outcome {
    let cases = cases_of(file);
    if cases.is_empty() {
        let folder = file.with_extension("cases");
        let folder = folder.file_name().unwrap_or_default().display();
        return outcome(format!(
            "There are no rule cases yet. A case is a file of the folder {folder}, beside the \
             rules, whose name ends with .case: a position, what is played, and what must follow.\n"
        ));
    }
    let mut runner = Runner::new(&subject.sources);
    let (mut text, mut passed, mut failed) = (String::new(), 0, 0);
    for (number, case) in cases.iter().take(MAX_CASES).enumerate() {
        if reporter.is_stopped() {
            break;
        }
        let stem = case.file_stem().unwrap_or_default().display();
        reporter.say(number as f64 / cases.len() as f64, format!("{stem}"));
        let Some(source) = read_case(case, LIMIT) else {
            failed += 1;
            text.push_str(&format!("FAILED  {stem}: it cannot be read\n"));
            continue;
        };
        let report = runner.run(&source, &subject.options);
        match report.passed() {
            true => {
                passed += 1;
                text.push_str(&format!("ok      {stem}: {}\n", report.title));
            }
            false => {
                failed += 1;
                text.push_str(&format!("FAILED  {stem}: {}\n", report.title));
                report.explain().lines().for_each(|line| text.push_str(&format!("  {line}\n")));
            }
        }
        reporter.show(&text);
    }
    text.push_str(&format!("{passed} passed, {failed} failed\n"));
    outcome(text)
}
