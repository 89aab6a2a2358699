//! `ludwright bench`: measures the speed and the results of uniformly random games on one thread.

use crate::program::answers::subject::Subject;
use crate::program::arguments::Bench;
use crate::program::console::Console;
use crate::program::failure::Failure;
use crate::program::game::Loaded;
use crate::program::schema::{Answer, ByName, print};
use ludwright::budget::Deadline;
use ludwright::engine::position::Outcome;
use ludwright::language::rules::PlayerId;
use ludwright::notation::grouped;
use ludwright::notation::{team, team_does};
use ludwright::random::mix;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;
use std::time::{Duration, Instant};

/// Ply limit of a playout; at the limit it counts as unfinished.
const MAX_PLIES: u32 = 2_000;
/// Minimum time granted to the first game.
const MIN_FIRST_GAME_TIME: Duration = Duration::from_millis(500);

/// The speed and the results of random games.
#[derive(Serialize, JsonSchema)]
pub struct BenchAnswer {
    #[serde(flatten)]
    subject: Subject,
    /// The number of games.
    playouts: u64,
    seconds: f64,
    playouts_per_second: f64,
    plies_per_second: f64,
    /// Absent if no game ended in time.
    #[serde(flatten)]
    results: Option<BenchResults>,
}

impl Answer for BenchAnswer {
    const NAME: &'static str = "bench";
}

/// How random games end.
#[derive(Serialize, JsonSchema)]
struct BenchResults {
    mean_plies: f64,
    /// The part of the games that each player wins, or wins with his team; with the pie rule, each
    /// person.
    wins: ByName<f64>,
    /// The part of the games that are drawn.
    draws: f64,
    /// The part of the games that are stopped at the limit of plies.
    unfinished: f64,
}

/// Plays random games until the time is up.
pub fn run(task: &Bench, console: &Console, out: &mut dyn Write) -> Result<u8, Failure> {
    let (loaded, start, _) = Loaded::at_end_of(&task.game, None, console)?;
    let rules = loaded.game.rules();
    let mut wins = vec![0_u64; rules.teams.count()];
    let (mut playouts, mut plies, mut draws, mut unfinished) = (0_u64, 0_u64, 0_u64, 0_u64);
    // Plies of the game that the deadline interrupts. It is used only if no game finishes: counting
    // an interrupted game among finished ones would make the sample depend on the length of games.
    let mut begun = 0_u64;
    // Excludes compilation, and the first game as a warm-up, from the measurement.
    loaded.game.jit_compile();
    let mut source = loaded.game.playouts(&start);
    let time = Duration::try_from_secs_f64(task.seconds).ok();
    // The first game gets at least `MIN_FIRST_GAME_TIME`, however short the time limit is.
    let one_game = || Deadline::after(time.map(|time| time.max(MIN_FIRST_GAME_TIME)));
    let deadline = one_game();
    source
        .play_until(mix(task.seed, 0), MAX_PLIES, &mut || deadline.has_passed())
        .map_err(|fault| loaded.fault(fault))?;
    let began = Instant::now();
    let (deadline, one_game) = (Deadline::after(time), one_game());
    // Reads the clock about once per millisecond: for short games, reading it per game would show
    // in the result.
    let mut due = 0;
    let seconds = loop {
        let mut late = false;
        let mut stop = || {
            late = if playouts == 0 { one_game.has_passed() } else { deadline.has_passed() };
            late
        };
        let playout = source
            .play_until(mix(task.seed, playouts), MAX_PLIES, &mut stop)
            .map_err(|fault| loaded.fault(fault))?;
        if late && playout.outcome.is_none() && playout.plies < MAX_PLIES {
            begun += u64::from(playout.plies);
            break began.elapsed().as_secs_f64().max(1e-9);
        }
        playouts += 1;
        plies += u64::from(playout.plies);
        match playout.team_outcome() {
            Some(Outcome::Win(winner)) => wins[winner.index()] += 1,
            Some(Outcome::Draw | Outcome::Shared(_)) => draws += 1,
            None => unfinished += 1,
        }
        if playouts > due {
            let seconds = began.elapsed().as_secs_f64().max(1e-9);
            if seconds >= task.seconds {
                break seconds;
            }
            due = playouts + (rate(playouts, seconds) / 1000.0) as u64;
        }
    };
    if playouts == 0 {
        return no_game(&loaded, begun, seconds, console, out);
    }
    let share = |count: u64| count as f64 / playouts as f64;
    let shares: Vec<(PlayerId, f64)> =
        rules.teams.numbers().zip(&wins).map(|(team, &wins)| (team, share(wins))).collect();
    if console.json() {
        let results = BenchResults {
            mean_plies: share(plies),
            wins: shares.into_iter().map(|(one, share)| (team(rules, one), share)).collect(),
            draws: share(draws),
            unfinished: share(unfinished),
        };
        let answer = BenchAnswer {
            subject: loaded.subject(),
            playouts,
            seconds,
            playouts_per_second: rate(playouts, seconds),
            plies_per_second: rate(plies, seconds),
            results: Some(results),
        };
        print(&answer, out)?;
        return Ok(0);
    }
    writeln!(out, "{} random games in {seconds:.2} s", grouped(playouts))?;
    writeln!(out, "{:>14} games a second", grouped(rate(playouts, seconds) as u64))?;
    writeln!(out, "{:>14} plies a second", grouped(rate(plies, seconds) as u64))?;
    writeln!(out, "{:>14.1} plies a game", share(plies))?;
    for (team, share) in shares {
        let wins = team_does(rules, team, "wins", "win");
        writeln!(out, "{:>12.1} % {wins}", share * 100.0)?;
    }
    let drawn = if rules.players.len() == 1 { "lost" } else { "draws" };
    writeln!(out, "{:>12.1} % {drawn}", share(draws) * 100.0)?;
    writeln!(
        out,
        "{:>12.1} % unfinished after {} plies",
        share(unfinished) * 100.0,
        grouped(MAX_PLIES.into())
    )?;
    Ok(0)
}

/// Reports that no game finished in time.
fn no_game(
    loaded: &Loaded,
    plies: u64,
    seconds: f64,
    console: &Console,
    out: &mut dyn Write,
) -> Result<u8, Failure> {
    if console.json() {
        let answer = BenchAnswer {
            subject: loaded.subject(),
            playouts: 0,
            seconds,
            playouts_per_second: 0.0,
            plies_per_second: rate(plies, seconds),
            results: None,
        };
        print(&answer, out)?;
    } else {
        writeln!(out, "no random game ended in {seconds:.2} s")?;
        writeln!(out, "{:>14.1} plies a second", rate(plies, seconds))?;
    }
    Ok(0)
}

fn rate(count: u64, seconds: f64) -> f64 {
    count as f64 / seconds
}
