//! Exact and exhaustive answers: solving, deep checks, claims, comparison with the saved file, rule
//! cases.

use super::{Outcome, Reporter, Subject};
use crate::program::answers::comparison::Report;
use crate::program::answers::{claims, coverage, diagnostic, position, solution};
use crate::program::case_files::{LIMIT, cases_of};
use crate::program::game::Loaded;
use crate::program::workload::cores;
use crate::studio::api::Arguments;
use crate::studio::folder::read_case;
use ludwright::analysis::{Effort, Examined, examine};
use ludwright::cases::{CaseReport, Difference, Runner};
use ludwright::claims::{ClaimLimits, decide_while};
use ludwright::compare::{CompareLimits, Names, Progress as Compared, compare};
use ludwright::desk::requests::assist::with_own_text;
use ludwright::desk::{describe_board, describe_case};
use ludwright::engine::game::State;
use ludwright::language::sources::Sources;
use ludwright::notation::grouped;
use ludwright::solve::{Progress, SolveLimits, solve};
use ludwright::syntax::visible::shown;
use serde_json::{Value, json};
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
/// The most failed rule cases that are drawn.
const MAX_DRAWN: usize = 20;

fn outcome(found: Value) -> Outcome {
    Outcome { found: Some(found), page: None }
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
            let line = format!("{} positions searched …", grouped(progress.nodes));
            reporter.say(progress.seconds / self.time.as_secs_f64(), line);
            !reporter.is_stopped()
        };
        let solution =
            solve(&subject.position, &limits, progress).map_err(|fault| fault.message)?;
        let rules = subject.game().rules();
        Ok(outcome(json!({
            "solution": solution::describe(rules, &solution),
            "headline": solution::headline(rules, &solution),
            "seconds": self.time.as_secs(),
            "position": describe_board(&subject.position, "solved-"),
            "mover": position::to_move(&subject.position),
        })))
    }
}

/// Searches the positions of the game for what its rules do not mean.
///
/// # Errors
/// If the options do not fit.
pub fn deep(subject: &Subject) -> Result<Outcome, String> {
    let found = examine(&subject.sources, &subject.options, Effort::Deep);
    let Examined { findings, looked, unreached } =
        found.map_err(|_| "The options do not fit the rules.".to_owned())?;
    Ok(outcome(json!({
        "findings": diagnostic::of_findings(&subject.sources, &findings),
        "looked": coverage::describe(&subject.sources, looked, unreached),
    })))
}

/// Tests the claims of the file, one after the other.
///
/// # Errors
/// None; the list may be empty.
pub fn claims(subject: &Subject, reporter: &Reporter) -> Result<Outcome, String> {
    let claims = &subject.game().rules().claims;
    let announce = |number: usize| {
        if let Some(claim) = claims.get(number) {
            let line = format!("Claim {} of {}: {}", number + 1, claims.len(), shown(&claim.text));
            reporter.say(number as f64 / claims.len() as f64, line);
        }
    };
    announce(0);
    let limits = ClaimLimits { time: Some(CLAIM), ..ClaimLimits::default() };
    let mut decided = Vec::new();
    let found =
        |decided: &Vec<claims::ClaimAnswer>| json!({ "claims": decided, "of": claims.len() });
    decide_while(&subject.sources, &subject.options, &limits, &mut |one| {
        decided.push(claims::describe(&one));
        reporter.show(found(&decided));
        announce(decided.len());
        !reporter.is_stopped()
    });
    Ok(outcome(found(&decided)))
}

/// Compares the game with the one in the file as it was saved.
///
/// # Errors
/// If the saved file is no game.
pub fn diff(subject: &Subject, saved: String, reporter: &Reporter) -> Result<Outcome, String> {
    let load = |sources: Sources| {
        let game = ludwright::load(&sources, &subject.options);
        let game =
            game.map_err(|error| format!("The saved file is no game: {}.", error.summary()))?;
        Ok::<Loaded, String>(Loaded { source: sources, game, assumed: None })
    };
    let saved = with_own_text(&subject.sources, saved);
    let sides = [load(saved)?, load(subject.sources.clone())?];
    let limits =
        CompareLimits { time: Some(COMPARISON), memory: MAX_MEMORY, ..CompareLimits::default() };
    let mut watch = |progress: Compared| match progress {
        Compared::Matching { tried, of } => {
            reporter.say(0.0, format!("Names are matched: {tried} of {of} …"))
        }
        Compared::Searching { positions, depth } => {
            let line = format!("{} positions, {depth} plies deep …", grouped(positions));
            reporter.say(0.3, line);
        }
        Compared::Playing { games } => {
            reporter.say(0.6, format!("{} random games …", grouped(games.into())));
        }
        Compared::Shortening { plies } => {
            let line = format!("A shorter game is looked for that shows it, from {plies} plies …");
            reporter.say(0.9, line);
        }
    };
    let names = [Path::new("as saved"), Path::new("as it is now")];
    let report = Report::new(names, &sides);
    let rules = sides.each_ref().map(|side| side.game.rules());
    let matched = match Names::new(rules[0], rules[1], &[]) {
        Err(apart) => {
            let starts = sides.each_ref().map(|side| side.game.begin().ok());
            let [left, right] = drawn(starts.each_ref().map(Option::as_ref));
            let differ = report.answer_apart(&apart, None);
            return Ok(outcome(json!({ "difference": differ, "left": left, "right": right })));
        }
        Ok(names) => names,
    };
    let compared = compare(&sides[0].game, &sides[1].game, &matched, &limits, &mut watch);
    let comparison = compared.map_err(|stuck| stuck.fault.message)?;
    let difference = comparison.difference.as_ref();
    let [left, right] = drawn([
        difference.map(|difference| &difference.left),
        difference.map(|difference| &difference.right),
    ]);
    let answer = report.answer(&matched, &comparison);
    Ok(outcome(json!({ "difference": answer, "left": left, "right": right })))
}

/// Draws two positions, as far as there are any.
fn drawn(positions: [Option<&State>; 2]) -> [Option<Value>; 2] {
    let [left, right] = positions;
    [(left, "left-"), (right, "right-")]
        .map(|(position, name)| position.map(|position| describe_board(position, name)))
}

/// Runs the rule cases of the file.
///
/// # Errors
/// None; the list may be empty.
pub fn cases(
    subject: &Subject,
    file: Option<&Path>,
    reporter: &Reporter,
) -> Result<Outcome, String> {
    let cases = file.map(cases_of).unwrap_or_default();
    let folder = file.map(|file| file.with_extension("cases"));
    let folder = folder.as_deref().and_then(Path::file_name);
    let folder = folder.map(|folder| folder.to_string_lossy().into_owned());
    let mut runner = Runner::new(&subject.sources);
    let mut run = Vec::new();
    let mut failed = 0;
    let of = cases.len().min(MAX_CASES);
    let found = |run: &Vec<Value>| json!({ "cases": run, "of": of, "folder": folder });
    for (number, case) in cases.iter().take(MAX_CASES).enumerate() {
        if reporter.is_stopped() {
            break;
        }
        let stem = case.file_stem().unwrap_or_default();
        reporter.say(number as f64 / cases.len() as f64, stem.to_string_lossy());
        let report = match read_case(case, LIMIT) {
            Some(source) => runner.run(&source, &subject.options),
            None => CaseReport {
                differences: vec![Difference::unreadable(1, "the file cannot be read")],
                ..CaseReport::default()
            },
        };
        failed += usize::from(!report.passed());
        let name = (failed <= MAX_DRAWN).then(|| format!("case{number}-"));
        run.push(describe_case(&stem.to_string_lossy(), &report, name.as_deref()));
        reporter.show(found(&run));
    }
    Ok(outcome(found(&run)))
}
