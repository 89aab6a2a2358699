//! Playtests of the game, with its options or with several values of some options.

mod others;

use super::{Host, Outcome, Subject};
use crate::answers::ByName;
use crate::budget::Instant;
use crate::desk::describe_board;
use crate::desk::requests::pictures::telling;
use crate::desk::requests::{Arguments, Refused};
use crate::engine::game::{Game, State};
use crate::language::sources::Sources;
use crate::load::load;
use crate::measure::report::STRENGTH_NAMES;
use crate::measure::write::{self, Comparison, ReportAnswer};
use crate::measure::{
    CostModel, Plan, Progress, Report, Request, Results, play, sweep, team_seats,
};
use crate::play::Seats;
use crate::random::mix;
use crate::search::PlayerKind;
use serde_json::{Value, json};
use std::time::Duration;

/// The most games of a playtest, and variants of a sweep.
const MAX_GAMES: u64 = 100_000;
const MAX_VARIANTS: usize = 24;
const PLANNING: &str = "Planning the games …";
/// The time between two partial reports; longer where reporting would take over a tenth of the
/// time.
const PARTIAL: Duration = Duration::from_secs(2);

/// A playtest of the game from the position at its start.
pub struct Playtest {
    testing: Testing,
    others: others::Others,
}

/// Playtests of variants.
pub struct Sweep {
    testing: Testing,
    /// The options that vary.
    axes: Vec<String>,
    variants: Vec<Vec<(String, String)>>,
}

/// How games are played.
struct Testing {
    games: Option<u64>,
    seats: Vec<(String, PlayerKind)>,
    /// The strength of all players, as an index of [`STRENGTH_NAMES`].
    strength: Option<usize>,
    seed: u64,
}

impl Testing {
    fn new(arguments: &Arguments) -> Result<Testing, Refused> {
        let games = match arguments.has("games") {
            true => Some(arguments.number("games").unwrap_or(0) as u64),
            false => None,
        };
        if games.is_some_and(|games| games == 0 || games > MAX_GAMES) {
            return Err(format!("expected a number of games from 1 to {MAX_GAMES}").into());
        }
        let seats = arguments.maybe_pairs("seats")?.unwrap_or_default();
        let seats = seats
            .into_iter()
            .map(|(name, text)| match text.parse::<PlayerKind>()? {
                PlayerKind::Human => Err(format!("a human cannot play as {name} in a playtest")),
                kind => Ok((name, kind)),
            })
            .collect::<Result<_, String>>()?;
        let strength = match arguments.maybe_text("strength") {
            None => None,
            Some(wanted) => {
                let known = STRENGTH_NAMES.iter().position(|name| *name == wanted);
                Some(known.ok_or_else(|| format!("there are no players named {wanted}"))?)
            }
        };
        let seed = arguments.number("seed").unwrap_or(1) as u64;
        Ok(Testing { games, seats, strength, seed })
    }

    /// Plans the playtest of a game.
    fn plan(
        &self,
        start: &State,
        sources: &Sources,
        effort: &CostModel,
        seed: u64,
    ) -> Result<Plan, String> {
        let rules = start.game().rules();
        if let Some(at) = self.strength {
            let kind = PlayerKind::Iterations(effort.strengths(false)[at]);
            let seats = Some(vec![kind; rules.teams.count()]);
            let request = Request { games: self.games, seats, seed, limited: true };
            let named = vec![(kind, STRENGTH_NAMES[at].to_owned())];
            return Ok(Plan { named, ..Plan::new(start, sources, &request, effort) });
        }
        let seats = match self.seats.is_empty() {
            true => None,
            false => {
                let seats = Seats::new(rules, &self.seats, 0).map_err(|refused| refused.message)?;
                let kinds = seats.wanted(rules).into_iter();
                let kinds = kinds
                    .map(|(name, kind)| match kind {
                        PlayerKind::Human => Err(format!("no program plays as {name}")),
                        kind => Ok(kind),
                    })
                    .collect::<Result<Vec<PlayerKind>, String>>()?;
                Some(team_seats(rules, &kinds)?)
            }
        };
        let request = Request { games: self.games, seats, seed, limited: true };
        Ok(Plan::new(start, sources, &request, effort))
    }
}

/// Slows the cost model down on a slow computer, so that games are planned for the usual time.
fn paced(effort: CostModel, start: &State, host: &dyn Host) -> CostModel {
    if host.is_slow() { effort.slowed(effort.slowness(start)) } else { effort }
}

/// Plays the games of a plan, until all are played or the job is stopped. `partial` is called with
/// the results so far from time to time.
fn test(
    start: &State,
    plan: Plan,
    host: &dyn Host,
    tell: &(dyn Fn(f64) + Sync),
    partial: &mut (dyn FnMut(&Results) + Send),
) -> Results {
    let mut results = Results::new(plan);
    let mut progress = Progress::default();
    tell(0.0);
    let mut next = Instant::now() + PARTIAL;
    loop {
        let batches = results.missing();
        if batches.is_empty() || host.is_stopped() {
            return results;
        }
        let plan = results.plan.clone();
        let listed = plan.batches();
        progress.begin_round(&results, &batches);
        play(
            &plan,
            start,
            &batches,
            host.threads().saturating_sub(1).max(1),
            host.stop(),
            &mut |played| {
                progress.add(&results, listed[played.lot], &played);
                // The batch comes from this plan, so it fits.
                let _ = results.enter(played);
                tell(progress.part());
                if Instant::now() >= next && !host.is_stopped() {
                    let began = Instant::now();
                    partial(&results);
                    next = Instant::now() + PARTIAL.max(began.elapsed() * 10);
                }
            },
        );
    }
}

/// Describes the results of a playtest, with the first position.
fn found(start: &State, report: &Report) -> Value {
    json!({
        "report": ReportAnswer::without_games(report), "start": describe_board(start, "start-"),
        "note": report.strengths.note(),
    })
}

fn start_of(game: &Game) -> Result<State, String> {
    let start = game.begin().map_err(|fault| fault.message)?;
    match start.outcome() {
        None => Ok(start),
        Some(_) => Err("The game is over before the first ply.".to_owned()),
    }
}

impl Playtest {
    /// Reads the arguments.
    ///
    /// # Errors
    /// Says which argument is wrong.
    pub fn new(arguments: &Arguments, subject: &Subject) -> Result<Playtest, Refused> {
        let testing = Testing::new(arguments)?;
        Seats::new(subject.game().rules(), &testing.seats, 0).map_err(|refused| refused.message)?;
        Ok(Playtest { testing, others: others::Others::new(arguments)? })
    }

    /// Plays and reports the games, and compares them with the other games.
    ///
    /// # Errors
    /// Says why the game cannot be played.
    pub fn run(&self, subject: &Subject, host: &dyn Host) -> Result<Outcome, String> {
        let start = start_of(subject.game())?;
        host.say(0.0, PLANNING.to_owned());
        let effort = paced(CostModel::of(subject.game()), &start, host);
        let plan = self.testing.plan(&start, &subject.sources, &effort, self.testing.seed)?;
        let others = self.others.planned(subject.game(), &plan, &effort, host)?;
        let tell = |part: f64| host.say(others.own_part(part), "Programs play …".to_owned());
        let show = |report: &Report| {
            if report.games() > 0 {
                host.keep(write::html(report));
                host.show(found(&start, report));
            }
        };
        let results = test(&start, plan, host, &tell, &mut |results| {
            show(&Report::new(subject.game(), &subject.sources, results));
        });
        let report = Report::new(subject.game(), &subject.sources, &results);
        if report.games() == 0 {
            return Err("It was stopped before the first game was finished.".to_owned());
        }
        let report = others.compared(report, host, &show);
        Ok(Outcome { found: Some(found(&start, &report)), page: Some(write::html(&report)) })
    }
}

impl Sweep {
    /// Reads the arguments.
    ///
    /// # Errors
    /// Says which argument is wrong.
    pub fn new(arguments: &Arguments, subject: &Subject) -> Result<Sweep, Refused> {
        let axes = arguments.maybe_pairs("axes")?.unwrap_or_default();
        if axes.is_empty() {
            return Err("Choose the values of at least one option, such as 3 4 5.".into());
        }
        let axes = axes
            .into_iter()
            .map(|(name, text)| Ok((name, sweep::values(&text)?)))
            .collect::<Result<Vec<(String, Vec<String>)>, String>>()?;
        let variants = sweep::product(&axes)?;
        if variants.len() > MAX_VARIANTS {
            return Err(format!(
                "these are {} variants; at most {MAX_VARIANTS} are compared here",
                variants.len()
            )
            .into());
        }
        let testing = Testing::new(arguments)?;
        let fixed =
            subject.options.iter().filter(|(name, _)| !axes.iter().any(|(axis, _)| axis == name));
        let fixed: Vec<(String, String)> = fixed.cloned().collect();
        let whole = |variant: Vec<(String, String)>| fixed.iter().cloned().chain(variant).collect();
        let axes = axes.into_iter().map(|(name, _)| name).collect();
        Ok(Sweep { testing, axes, variants: variants.into_iter().map(whole).collect() })
    }

    /// Plays every variant and compares them.
    ///
    /// # Errors
    /// Says which variant is no game.
    pub fn run(&self, subject: &Subject, host: &dyn Host) -> Result<Outcome, String> {
        host.say(0.0, PLANNING.to_owned());
        let load = |variant: &Vec<(String, String)>| {
            let game = load(subject.sources.clone(), variant);
            game.map_err(|error| format!("{}: {}", name(variant), error.summary()))
        };
        let games: Vec<Game> = self.variants.iter().map(load).collect::<Result<_, _>>()?;
        // One cost model gives all variants the same players.
        let effort = CostModel::of_all(games.iter());
        let effort = match games.first() {
            Some(game) => paced(effort, &start_of(game)?, host),
            None => effort,
        };
        let mut tested: Vec<Results> = Vec::new();
        for (number, (game, variant)) in games.iter().zip(&self.variants).enumerate() {
            let start = start_of(game)?;
            let seed = mix(self.testing.seed, number as u64);
            let plan = self.testing.plan(&start, &subject.sources, &effort, seed)?;
            let tell = |part: f64| {
                let line = format!("Variant {} of {}: {}", number + 1, games.len(), name(variant));
                host.say((number as f64 + part) / games.len() as f64, line);
            };
            let results = test(&start, plan, host, &tell, &mut |_| {});
            tested.push(results);
            if host.is_stopped() {
                break;
            }
            let comparison = self.comparison(subject, &games, &tested);
            host.keep(comparison.html());
            host.show(self.found(subject, &games, &comparison));
        }
        tested.retain(|results| !results.lots.is_empty());
        if tested.is_empty() {
            return Err("It was stopped before the first game was finished.".to_owned());
        }
        let comparison = self.comparison(subject, &games, &tested);
        let found = self.found(subject, &games, &comparison);
        Ok(Outcome { found: Some(found), page: Some(comparison.html()) })
    }

    /// Describes the results, with a position of each variant, and how many variants there are.
    fn found(&self, subject: &Subject, games: &[Game], comparison: &Comparison) -> Value {
        let boards = games
            .iter()
            .enumerate()
            .map(|(at, game)| Some(describe_board(&telling(game)?, &format!("variant{at}-"))));
        let axes: Vec<&str> = self.axes.iter().map(String::as_str).collect();
        json!({
            "sweep": comparison.without_games(), "boards": boards.collect::<Vec<Option<Value>>>(),
            "of": games.len(), "axes": axes,
            "options": ByName(subject.game().rules().chosen_options()),
        })
    }

    fn comparison<'r>(
        &self,
        subject: &'r Subject,
        games: &'r [Game],
        tested: &'r [Results],
    ) -> Comparison<'r> {
        let reports =
            games.iter().zip(&self.variants).zip(tested).map(|((game, variant), results)| {
                (name(variant), Report::new(game, &subject.sources, results))
            });
        Comparison::new(reports.collect())
    }
}

fn name(variant: &[(String, String)]) -> String {
    let options: Vec<String> =
        variant.iter().map(|(name, value)| format!("{name}={value}")).collect();
    if options.is_empty() { "as it is".to_owned() } else { options.join(" ") }
}
