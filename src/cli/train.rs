//! `ludwright train`: learns an evaluation of a game by self-play, and keeps it for the players
//! `learned` and `strong`.

use super::interrupt;
use crate::program::answers::subject::Subject;
use crate::program::arguments::Train;
use crate::program::console::Console;
use crate::program::failure::{Failure, INTERRUPTED};
use crate::program::game::Loaded;
use crate::program::journal::state;
use crate::program::output::Out;
use crate::program::schema::{Answer, print};
use crate::program::target::{Content, Target};
use crate::program::workload::cores;
use ludwright::budget::Deadline;
use ludwright::files::{read, reason};
use ludwright::language::rules::Rules;
use ludwright::learn::file::{LIMIT, key};
use ludwright::learn::{
    Beliefs, Features, Learned, MatchResult, Method, Training, TrainingLimits, store,
};
use ludwright::measure::CostModel;
use ludwright::notation::grouped;
use ludwright::notation::{counted, equal_share, list};
use ludwright::search::PlayerKind;
use ludwright::search::player::untrained;
use ludwright::search::selection::{MatchLimits, USUAL_GAMES, USUAL_TIME, best, play_matches};
use schemars::JsonSchema;
use serde::Serialize;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// The processor time of learning without `--time` and `--games`, in estimated seconds. If fewer
/// than [`WANTED_GAMES`] fit, it grows up to [`MOST_SECONDS`].
const DEFAULT_SECONDS: f64 = 60.0;
const MOST_SECONDS: f64 = 300.0;
const WANTED_GAMES: u64 = 2_000;
/// The processor time of the matches, in estimated seconds.
const MATCH_SECONDS: f64 = 240.0;
/// The processor time of a training for a playtest, in estimated seconds, and the share of
/// learning; the matches have the rest.
pub const PLAYTEST_SECONDS: f64 = 60.0;
const LEARNING: f64 = 0.6;
/// A training that takes this many times as long as estimated for its threads, and this many
/// seconds longer, lacked processor time.
const STARVED: f64 = 3.0;
const STARVED_SECONDS: f64 = 10.0;

/// What a training has learned.
#[derive(Serialize, JsonSchema)]
pub struct TrainAnswer {
    #[serde(flatten)]
    subject: Subject,
    /// The games it has learned from.
    games: u64,
    plies: u64,
    seconds: f64,
    /// The number of weights that are not zero.
    weights: usize,
    /// How the player `strong` searches: `alpha-beta`, `quiescence`, `tree`, `leaves` or `mcts`.
    strong: &'static str,
    /// The constant of its tree, if it is not the usual one.
    exploration: Option<f64>,
    matches: Vec<MatchAnswer>,
    /// What is worth how much, in words, what explains most first.
    believes: Vec<String>,
    /// The share of the variance of its values that these explain together, from 0 to 1.
    explained: f64,
    /// Where it was written.
    file: Option<String>,
}

impl Answer for TrainAnswer {
    const NAME: &'static str = "train";
}

/// A match between two ways of searching.
#[derive(Serialize, JsonSchema)]
struct MatchAnswer {
    method: &'static str,
    exploration: Option<f64>,
    /// The method of the opponent.
    against: &'static str,
    against_exploration: Option<f64>,
    /// The mean score, from 0 to 1.
    score: f64,
    games: u32,
    /// The time of each ply.
    milliseconds: u64,
}

/// Trains, plays the matches, and writes the training.
pub fn run(task: &Train, console: &Console, out: &mut Out) -> Result<u8, Failure> {
    let output = task.output.as_deref();
    let target = output.map(|path| Target::new(path, Content::Evaluation)).transpose()?;
    let loaded = Loaded::new(&task.game, None, console)?;
    let rules = loaded.game.rules();
    let is_limited = task.time.is_some() || task.games.is_some();
    let effort = TrainingEffort {
        seconds: match task.time {
            Some(time) => Some(time.as_secs_f64()),
            None => (!is_limited).then_some(DEFAULT_SECONDS),
        },
        most_seconds: if is_limited { 0.0 } else { MOST_SECONDS },
        games: task.games,
        match_games: task.match_games,
        match_seconds: MATCH_SECONDS,
        seed: task.seed,
        threads: task.threads.map_or_else(cores, usize::from),
    };
    // The training that players have used until now.
    let before = if target.is_none() { store::find(&loaded.game) } else { None };
    announce(&effort, console);
    let (learned, plies) = learn(&loaded, &effort, console)?;
    if learned.games == 0 {
        console.warn("stopped before the end of the first game; nothing was learned");
        return Ok(INTERRUPTED);
    }
    let text = learned.write(rules);
    let target = match target {
        Some(target) => Some(target),
        None => kept(rules)?,
    };
    if let Some(target) = &target {
        target.write(text.as_bytes())?;
    }
    tell(&learned, plies, rules, target.as_ref(), console, out)?;
    if let (Some(before), false) = (before, console.json()) {
        let games = counted(before.games, "game");
        writeln!(out, "            in place of a training from {games}")?;
    }
    if interrupt::is_wished() {
        console.warn("stopped; what was learned until then is kept");
        return Ok(INTERRUPTED);
    }
    Ok(0)
}

/// Announces the stages if there are matches, whose time is not part of the learning time.
fn announce(effort: &TrainingEffort, console: &Console) {
    let learning = match (effort.seconds, effort.games) {
        (Some(seconds), None) if effort.most_seconds > seconds => {
            format!("for {seconds:.0} to {:.0} s of processor time", effort.most_seconds)
        }
        (Some(seconds), None) => format!("for about {:.0} s of processor time", seconds.ceil()),
        (None, Some(games)) => format!("from {}", counted(games, "game")),
        _ => "as long as both limits allow".to_owned(),
    };
    if effort.match_games > 0 {
        console.say(&format!(
            "learning {learning}, then matches: at most about {:.0} s; on {} a part of it\n",
            effort.match_seconds,
            counted(effort.threads as u64, "thread")
        ));
    }
}

/// The resources of a training; times are estimated seconds of one core.
struct TrainingEffort {
    /// The time of learning.
    seconds: Option<f64>,
    /// The time of learning if fewer than [`WANTED_GAMES`] fit.
    most_seconds: f64,
    /// The games to learn from.
    games: Option<u64>,
    /// The games of each match; `match_seconds` is the time of all matches.
    match_games: u32,
    match_seconds: f64,
    seed: u64,
    threads: usize,
}

/// Learns, and plays the matches. Also returns the number of plies.
fn learn(
    loaded: &Loaded,
    effort: &TrainingEffort,
    console: &Console,
) -> Result<(Learned, u64), Failure> {
    let (game, rules) = (&loaded.game, loaded.game.rules());
    game.jit_compile_in_background();
    let began = Instant::now();
    let stop = Some(interrupt::watch());
    let features = Arc::new(Features::new(game));
    let costs = CostModel::of(game).costs(&features);
    let mut limits = TrainingLimits {
        games: effort.games,
        seconds: effort.seconds,
        costs,
        deadline: Deadline::default().or_when(stop),
        seed: effort.seed,
        threads: effort.threads,
    };
    let mut training = Training::new(game, features, effort.seed);
    training.run(&limits, &mut |_| true).map_err(|fault| loaded.fault(fault))?;
    let needed = training.seconds() / training.games().max(1) as f64 * WANTED_GAMES as f64;
    if let Some(seconds) = limits.seconds
        && needed.min(effort.most_seconds) > seconds
    {
        limits.seconds = Some(needed.min(effort.most_seconds));
        training.run(&limits, &mut |_| true).map_err(|fault| loaded.fault(fault))?;
    }
    let seconds = began.elapsed().as_secs_f64();
    let expected = training.seconds() / effort.threads as f64;
    if seconds > STARVED * expected && seconds > expected + STARVED_SECONDS {
        console.warn(&format!(
            "learning took {seconds:.0} s instead of about {expected:.0} s: the computer is busy or \
             slow; what is learned does not depend on it"
        ));
    }
    // The matches use the weights as they are rounded for the file.
    let evaluation = training.rounded();
    let limits = MatchLimits {
        games: effort.match_games,
        costs,
        time: USUAL_TIME,
        most: Some(effort.match_seconds),
        seed: effort.seed,
        threads: effort.threads,
        stop,
    };
    let results = play_matches(game, &evaluation, &limits).map_err(|fault| loaded.fault(fault))?;
    let learned = Learned {
        beliefs: Beliefs::of(game, &evaluation),
        evaluation,
        seed: effort.seed,
        games: training.games(),
        seconds,
        style: best(&results, rules.players.len()),
        results,
    };
    Ok((learned, training.plies()))
}

/// Trains for a playtest, within [`PLAYTEST_SECONDS`] of processor time, and keeps the training for
/// it and for all later players. Does nothing if there already is a training.
pub fn train_once(loaded: &Loaded, threads: Option<u16>, console: &Console) -> Result<(), Failure> {
    if store::find(&loaded.game).is_some() {
        return Ok(());
    }
    if let Some(trouble) = store::trouble(&loaded.game) {
        console.warn(&format!("the training that is kept is replaced: {trouble}"));
    }
    let threads = threads.map_or_else(cores, usize::from).max(1);
    console.say(&format!(
        "training first, once: at most about {PLAYTEST_SECONDS:.0} s of processor time\n"
    ));
    let effort = TrainingEffort {
        seconds: Some(PLAYTEST_SECONDS * LEARNING),
        most_seconds: 0.0,
        games: None,
        match_games: USUAL_GAMES,
        match_seconds: PLAYTEST_SECONDS * (1.0 - LEARNING),
        seed: 1,
        threads,
    };
    let (learned, _) = learn(loaded, &effort, console)?;
    if learned.games == 0 {
        return Ok(());
    }
    let rules = loaded.game.rules();
    if let Some(target) = kept(rules)? {
        target.write(learned.write(rules).as_bytes())?;
    }
    store::insert(rules, Arc::new(learned));
    Ok(())
}

fn tell(
    learned: &Learned,
    plies: u64,
    rules: &Rules,
    target: Option<&Target>,
    console: &Console,
    out: &mut Out,
) -> Result<(), Failure> {
    let Learned { evaluation, games, seconds, style, results, beliefs, .. } = learned;
    let weights = evaluation.weights.iter().filter(|weight| **weight != 0.0).count();
    let Beliefs { sentences, explained } = beliefs;
    let file = target.map(|target| target.path().display().to_string());
    if console.json() {
        let matches =
            results.iter().map(|MatchResult { style, against, score, games, milliseconds }| {
                MatchAnswer {
                    method: style.method.name(),
                    exploration: decimal(style.exploration),
                    against: against.method.name(),
                    against_exploration: decimal(against.exploration),
                    score: *score,
                    games: *games,
                    milliseconds: *milliseconds,
                }
            });
        let answer = TrainAnswer {
            subject: Subject::of(rules),
            games: *games,
            plies,
            seconds: *seconds,
            weights,
            strong: style.method.name(),
            exploration: decimal(style.exploration),
            matches: matches.collect(),
            believes: sentences.clone(),
            explained: *explained,
            file,
        };
        print(&answer, out)?;
        return Ok(());
    }
    writeln!(
        out,
        "learned     from {}, {}, in {seconds:.1} s",
        counted(*games, "game"),
        counted(plies, "ply")
    )?;
    writeln!(out, "weights     {} that are not zero", grouped(weights as u64))?;
    for (index, sentence) in sentences.iter().enumerate() {
        writeln!(out, "{:12}{sentence}", if index == 0 { "believes" } else { "" })?;
    }
    if !sentences.is_empty() {
        writeln!(
            out,
            "{:12}from an even position; this explains {:.0} % of what it expects, patterns of\n{:12}neighbouring sites the rest",
            "",
            100.0 * explained,
            ""
        )?;
    }
    for (index, result) in results.iter().enumerate() {
        let head = if index == 0 { "matches" } else { "" };
        let MatchResult { style, against, score, games, milliseconds } = result;
        let with = if style.method == Method::Mcts { "" } else { " with it" };
        if *games == 0 {
            writeln!(out, "{head:12}{style}{with}: no game against {against} ended in the time")?;
            continue;
        }
        let points = |share: f64| format!("{:.1}", f64::from(*games) * share);
        let even = equal_share(rules.players.len(), points);
        writeln!(
            out,
            "{head:12}{style}{with} scores {score:.1} of {games}{even} against {against} at {milliseconds} ms a ply"
        )?;
    }
    match style.method {
        Method::AlphaBeta => writeln!(out, "strong      searches by alpha-beta with it")?,
        Method::Quiescence => writeln!(
            out,
            "strong      searches by alpha-beta with it, and follows captures to their end"
        )?,
        Method::Tree => writeln!(out, "strong      searches by mcts with it and playouts")?,
        Method::Leaves => {
            writeln!(out, "strong      searches by mcts with it in place of playouts")?
        }
        Method::Mcts if results.is_empty() => {
            writeln!(out, "strong      stays with mcts: no match was played")?
        }
        Method::Mcts => writeln!(out, "strong      stays with mcts, which nothing surely beats")?,
    }
    if let Some(exploration) = style.exploration.filter(|_| *style != style.method.into()) {
        writeln!(out, "            and explores with the constant {exploration}")?;
    }
    match file {
        Some(file) => writeln!(out, "written to  {file}")?,
        None => console.warn("LUDWRIGHT_STATE is empty, so that nothing was kept; use `-O FILE`"),
    }
    Ok(())
}

/// Widens a number but keeps its short decimal form.
fn decimal(number: Option<f32>) -> Option<f64> {
    number.and_then(|number| number.to_string().parse().ok())
}

/// Returns the file in which players look for the training of a game, and creates its folder;
/// `None` if there is no state folder.
fn kept(rules: &Rules) -> Result<Option<Target>, Failure> {
    let Some(path) = path(&key(rules)) else { return Ok(None) };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| Failure::file("write", folder, &error))?;
    }
    Target::new(&path, Content::Evaluation).map(Some)
}

fn path(key: &str) -> Option<PathBuf> {
    Some(state()?.join("trainings").join(format!("{key}.evaluation")))
}

/// Finds the text of a training for players.
pub fn look_up(key: &str) -> Option<Result<String, String>> {
    let path = path(key)?;
    match read(&path, LIMIT) {
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => Some(Err(format!("{}: {}", path.display(), reason(&error)))),
        Ok(bytes) => Some(
            String::from_utf8(bytes)
                .map_err(|_| format!("{}: it is not text in UTF-8", path.display())),
        ),
    }
}

/// Warns about players that could use a training but have none.
pub fn note_untrained(loaded: &Loaded, seats: &[(String, PlayerKind)], console: &Console) {
    let Some((_, kind)) = seats.iter().find(|(_, kind)| kind.uses_training()) else { return };
    if let Some(note) = untrained(&loaded.game, *kind) {
        console.note(&note, "`ludwright train FILE` makes one");
    }
}

/// Notes which variants of a game have a training, unless all or none have one.
pub fn note_partly_trained<'l>(
    variants: impl Iterator<Item = (String, &'l Loaded)>,
    console: &Console,
) {
    let (trained, untrained): (Vec<_>, Vec<_>) =
        variants.partition(|(_, loaded)| store::find(&loaded.game).is_some());
    let names = |variants: Vec<(String, &Loaded)>| {
        list(&variants.into_iter().map(|(name, _)| name).collect::<Vec<String>>(), "and")
    };
    if !trained.is_empty() && !untrained.is_empty() {
        console.note(
            &format!(
                "there are trainings of {}, but not of {}: their players cannot be compared",
                names(trained),
                names(untrained)
            ),
            "`ludwright train FILE -o NAME=VALUE` makes one",
        );
    }
}
