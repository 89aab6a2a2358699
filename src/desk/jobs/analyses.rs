//! Exact and exhaustive answers: solving, deep checks, claims, comparison with the rules before the
//! changes, rule cases.

use super::{Before, Host, Outcome, Subject};
use crate::analysis::{Effort, Examined, examine};
use crate::answers::difference::Pair;
use crate::answers::{claims, coverage, diagnostic, position, solution};
use crate::cases::{CaseReport, Difference, Runner};
use crate::claims::{ClaimLimits, decide_while};
use crate::compare::{CompareLimits, Names, Progress as Compared, compare};
use crate::desk::requests::Arguments;
use crate::desk::requests::assist::with_own_text;
use crate::desk::{describe_board, describe_case};
use crate::engine::game::{Game, State};
use crate::language::sources::Sources;
use crate::load::load;
use crate::notation::grouped;
use crate::solve::{Progress, SolveLimits, solve};
use crate::syntax::visible::shown;
use serde_json::{Value, json};
use std::time::Duration;

/// The most time that solving may take, in seconds.
const MAX_SECONDS: usize = 3_600;
const SECONDS: usize = 60;
/// The limits of a comparison.
const COMPARISON: Duration = Duration::from_secs(20);
/// The most time for a claim.
const CLAIM: Duration = Duration::from_secs(30);
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
    pub fn run(&self, subject: &Subject, host: &dyn Host) -> Result<Outcome, String> {
        subject.game().jit_compile_in_background();
        let limits = SolveLimits {
            memory: host.memory(),
            time: Some(self.time),
            threads: host.threads(),
            ..SolveLimits::default()
        };
        let progress = &mut |progress: &Progress| {
            let line = format!("{} positions searched …", grouped(progress.nodes));
            host.say(progress.seconds / self.time.as_secs_f64(), line);
            !host.is_stopped()
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

/// Runs the deep checks on the positions of the game.
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
pub fn claims(subject: &Subject, host: &dyn Host) -> Result<Outcome, String> {
    let claims = &subject.game().rules().claims;
    let announce = |number: usize| {
        if let Some(claim) = claims.get(number) {
            let line = format!("Claim {} of {}: {}", number + 1, claims.len(), shown(&claim.text));
            host.say(number as f64 / claims.len() as f64, line);
        }
    };
    announce(0);
    let limits = ClaimLimits { time: Some(CLAIM), ..ClaimLimits::default() };
    let mut decided = Vec::new();
    let found =
        |decided: &Vec<claims::ClaimAnswer>| json!({ "claims": decided, "of": claims.len() });
    decide_while(&subject.sources, &subject.options, &limits, &mut |one| {
        decided.push(claims::describe(&one));
        host.show(found(&decided));
        announce(decided.len());
        !host.is_stopped()
    });
    Ok(outcome(found(&decided)))
}

/// Compares the game with the rules before the designer's changes.
///
/// # Errors
/// If either version of the rules has errors, or does not terminate.
pub fn diff(subject: &Subject, before: Before, host: &dyn Host) -> Result<Outcome, String> {
    let load = |sources: &Sources| {
        let game = load(sources.clone(), &subject.options);
        game.map_err(|error| format!("The game {} is none: {}.", before.name, error.summary()))
    };
    let saved = with_own_text(&subject.sources, before.text);
    let sources = [&saved, &subject.sources];
    let [left, right] = sources.map(load);
    let sides: [Game; 2] = [left?, right?];
    let limits =
        CompareLimits { time: Some(COMPARISON), memory: host.memory(), ..CompareLimits::default() };
    let mut watch = |progress: Compared| match progress {
        Compared::Matching { tried, of } => {
            host.say(0.0, format!("Names are matched: {tried} of {of} …"))
        }
        Compared::Searching { positions, depth } => {
            let line = format!("{} positions, {depth} plies deep …", grouped(positions));
            host.say(0.3, line);
        }
        Compared::Playing { games } => {
            host.say(0.6, format!("{} random games …", grouped(games.into())));
        }
        Compared::Shortening { plies } => {
            let line = format!("A shorter game is looked for that shows it, from {plies} plies …");
            host.say(0.9, line);
        }
    };
    let pair = Pair {
        files: [before.name, "as it is now"].map(str::to_owned),
        sides: [(sources[0], &sides[0]), (sources[1], &sides[1])],
    };
    let rules = sides.each_ref().map(Game::rules);
    let outcome = |mut found: Value| {
        found["before"] = json!(before.name);
        outcome(found)
    };
    let matched = match Names::new(rules[0], rules[1], &[]) {
        Err(apart) => {
            let starts = sides.each_ref().map(|side| side.begin().ok());
            let [left, right] = drawn(starts.each_ref().map(Option::as_ref));
            let differ = pair.answer_apart(&apart, None);
            return Ok(outcome(json!({ "difference": differ, "left": left, "right": right })));
        }
        Ok(names) => names,
    };
    let compared = compare(&sides[0], &sides[1], &matched, &limits, &mut watch);
    let comparison = compared.map_err(|stuck| stuck.fault.message)?;
    let difference = comparison.difference.as_ref();
    let [left, right] = drawn([
        difference.map(|difference| &difference.left),
        difference.map(|difference| &difference.right),
    ]);
    let answer = pair.answer(&matched, &comparison);
    Ok(outcome(json!({ "difference": answer, "left": left, "right": right })))
}

/// Draws two positions, as far as there are any.
fn drawn(positions: [Option<&State>; 2]) -> [Option<Value>; 2] {
    let [left, right] = positions;
    [(left, "left-"), (right, "right-")]
        .map(|(position, name)| position.map(|position| describe_board(position, name)))
}

/// The name of a rule case, and its text, unless it cannot be read.
pub type CaseText = (String, Option<String>);

/// The rule cases of a file.
pub struct Cases {
    /// The number of cases.
    pub of: usize,
    /// The folder in which they are kept.
    pub folder: Option<String>,
    pub texts: Box<dyn Iterator<Item = CaseText> + Send>,
}

/// Runs the rule cases of the file; the list may be empty.
pub fn cases(subject: &Subject, list: Cases, host: &dyn Host) -> Outcome {
    let Cases { of, folder, texts } = list;
    let mut runner = Runner::new(&subject.sources);
    let mut run = Vec::new();
    let mut failed = 0;
    let found = |run: &Vec<Value>| json!({ "cases": run, "of": of, "folder": folder });
    for (number, (name, text)) in texts.enumerate() {
        if host.is_stopped() {
            break;
        }
        host.say(number as f64 / of as f64, name.clone());
        let report = match text {
            Some(text) => runner.run(&text, &subject.options),
            None => CaseReport {
                differences: vec![Difference::unreadable(1, "the file cannot be read")],
                ..CaseReport::default()
            },
        };
        failed += usize::from(!report.passed());
        let drawn = (failed <= MAX_DRAWN).then(|| format!("case{number}-"));
        run.push(describe_case(&name, &report, drawn.as_deref()));
        host.show(found(&run));
    }
    outcome(found(&run))
}
