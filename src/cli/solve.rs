//! `ludwright solve`: finds the value of a position under best play, or of every board size of a
//! game.
//!
//! In JSON a solution has the keys `value` (`NAME wins`, `draw`, `open`, `NAME scores N`, or
//! `unknown`; with the pie rule NAME is `the first player` or `the second player`), `why` (why it
//! is unknown, or null), `scores` (by player, in games with dice), `distance` (plies to the win, or
//! null), `optimal` (the first moves that keep the value), `moves` (every first move with its
//! `move`, `value` and `distance`), `line` (a line of best play), `ending` (how that line ends),
//! `nodes` (positions visited), `symmetries` (proven symmetries of board and rules), `acyclic`
//! (whether no position can repeat, or null), `longest` (length of the longest game in plies, or
//! null) and `seconds`. With `--table` there is a list of them, each with its `options`; sizes that
//! were not tried are absent.

use super::arguments::{GameFile, Options, Solve};
use super::console::Console;
use super::failure::Failure;
use super::game::Loaded;
use super::perft::grouped;
use super::target::{Content, Target};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ludwright::engine::game::State;
use ludwright::engine::position::Outcome;
use ludwright::language::board_sizes::{SizeOption, size_options};
use ludwright::language::rules::{PlayerId, Rules};
use ludwright::language::sources::Sources;
use ludwright::notation::{counted, outcome, person, spell};
use ludwright::record::Record;
use ludwright::solve::{
    Ending, FirstMove, Progress, RanOut, Solution, SolveLimits, Unknown, Value, solve,
};
use serde_json::{Map, Value as Json, json};
use std::io::Write;
use std::time::Instant;

/// Exit code for an unknown value.
const VALUE_UNKNOWN: u8 = 3;
/// At most this many moves are listed.
const MAX_LISTED_MOVES: usize = 12;

/// Solves a position, or every board size.
pub fn run(task: &Solve, console: &Console, out: &mut dyn Write) -> Result<u8, Failure> {
    if task.table {
        return table(task, console, out);
    }
    let target = task.line.as_deref().map(|path| Target::new(path, Content::Record)).transpose()?;
    let (loaded, start, _) = Loaded::at_start_of(&task.game, &task.start, console)?;
    let rules = loaded.game.rules();
    let limits =
        SolveLimits { memory: task.memory, time: Some(task.time), ..SolveLimits::default() };
    let solution = find(&loaded, &start, &limits, console)?;
    if console.json() {
        writeln!(out, "{}", loaded.add_assumed(Json::Object(describe(rules, &solution))))?;
    } else {
        write!(out, "{}", tell(rules, &solution))?;
    }
    if let Some(target) = target {
        let mut played = start;
        for ply in &solution.line {
            if played.play(ply).is_err() {
                break;
            }
        }
        let record = Record { comment: Some(headline(rules, &solution)), ..Record::of(&played, 0) };
        target.write(record.write().as_bytes())?;
    }
    Ok(if matches!(solution.value, Value::Unknown(_)) { VALUE_UNKNOWN } else { 0 })
}

/// Solves a position, with progress on a terminal.
fn find(
    loaded: &Loaded,
    start: &State,
    limits: &SolveLimits,
    console: &Console,
) -> Result<Solution, Failure> {
    loaded.game.jit_compile_in_background();
    let bar = match console.terminal {
        true => ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()),
        false => ProgressBar::hidden(),
    };
    if let Ok(style) = ProgressStyle::with_template("{spinner} {human_pos} positions, {elapsed}") {
        bar.set_style(style);
    }
    let tell = &mut |progress: &Progress| {
        bar.set_position(progress.nodes);
        true
    };
    let solution = solve(start, limits, tell).map_err(|fault| loaded.fault(fault));
    bar.finish_and_clear();
    solution
}

/// Describes the value in one line.
fn headline(rules: &Rules, solution: &Solution) -> String {
    match solution.distance {
        Some(0) => format!("{}: the game is over", worth(rules, solution.value)),
        Some(plies) => {
            format!("{} in {}", worth(rules, solution.value), counted(u64::from(plies), "ply"))
        }
        None if solution.goes_round => match rules.repetition {
            Some(_) => "draw by repetition: with best play nothing else ends the game".to_owned(),
            None => "draw: with best play the game never ends".to_owned(),
        },
        None => worth(rules, solution.value),
    }
}

fn worth(rules: &Rules, value: Value) -> String {
    match value {
        Value::Win(winner) => format!("{} wins", person(rules, winner)),
        Value::Draw if rules.players.len() == 1 => format!("{} cannot win", rules.players[0].name),
        Value::Draw => "draw".to_owned(),
        Value::Open => "open".to_owned(),
        Value::Score(score) => format!("{} scores {}", person(rules, PlayerId(0)), points(score)),
        Value::Unknown(_) => "unknown".to_owned(),
    }
}

/// Formats a score with up to six decimals, without trailing zeros.
fn points(score: f64) -> String {
    let text = format!("{score:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    text.to_owned()
}

/// Describes why a value is unknown.
fn reason(why: Unknown) -> &'static str {
    match why {
        Unknown::RanOut(RanOut::Memory) => "memory ran out",
        Unknown::RanOut(RanOut::Time) => "time ran out",
        Unknown::RanOut(RanOut::Cancelled) => "stopped",
        Unknown::Repetition => {
            "no player can force a win before a position repeats, and what a repetition means depends on the position or on who repeats it"
        }
        Unknown::DiceRepetition => {
            "positions can repeat, and with dice the value then depends on how often each has occurred before"
        }
        Unknown::DiceForMany => {
            "with dice and three or more players, best play has no unique value"
        }
        Unknown::Endless => "games can go on for ever, whatever the dice show",
    }
}

/// Suggests what to change.
fn advice(why: Unknown) -> Option<&'static str> {
    match why {
        Unknown::RanOut(RanOut::Memory) => {
            Some("a higher `--memory`, a smaller board (`-o`), or a later position (`--from`)")
        }
        Unknown::RanOut(RanOut::Time) => {
            Some("a higher `--time`, a smaller board (`-o`), or a later position (`--from`)")
        }
        _ => None,
    }
}

/// Formats a solution as text.
pub fn tell(rules: &Rules, solution: &Solution) -> String {
    let mut lines: Vec<(&str, String)> = Vec::new();
    match solution.value {
        Value::Unknown(why) => {
            lines.push(("value", format!("unknown: {}", reason(why))));
            lines.extend(advice(why).map(|advice| ("try", advice.to_owned())));
        }
        _ => lines.push(("value", headline(rules, solution))),
    }
    let optimal: Vec<&FirstMove> = solution.optimal().collect();
    if !optimal.is_empty() {
        let open =
            solution.first.iter().filter(|first| matches!(first.value, Value::Unknown(_))).count();
        let open = if open > 0 { format!("; {open} unknown") } else { String::new() };
        let which = if optimal.len() == solution.first.len() {
            "all ".to_owned()
        } else {
            format!("{} of ", optimal.len())
        };
        let named = |first: &&FirstMove| match first
            .distance
            .filter(|_| Some(first.distance) != Some(solution.distance))
        {
            Some(plies) => format!("{} (in {plies})", spell(rules, &first.ply)),
            None => spell(rules, &first.ply),
        };
        let mut names: Vec<String> = optimal.iter().take(MAX_LISTED_MOVES).map(named).collect();
        if optimal.len() > MAX_LISTED_MOVES {
            names.push("…".to_owned());
        }
        lines.push((
            "optimal",
            format!("{which}{}: {}{open}", solution.first.len(), names.join(", ")),
        ));
    }
    if !solution.line.is_empty() {
        let plies: Vec<String> = solution.line.iter().map(|ply| spell(rules, ply)).collect();
        lines.push(("line", format!("{}; {}", plies.join(", "), ending(rules, solution))));
    }
    let symmetries = match solution.symmetries {
        1 => String::new(),
        many => format!(", symmetric ones counted once ({many} symmetries)"),
    };
    let how = match (solution.acyclic, solution.value) {
        (None, Value::Unknown(_)) => " searched",
        (None, _) => " by depth-first search",
        _ => "",
    };
    lines.push((
        "positions",
        format!("{}{how}{symmetries}, in {}", grouped(solution.nodes), seconds(solution.seconds)),
    ));
    match (solution.acyclic, solution.longest) {
        (Some(true), Some(longest)) => lines.push((
            "ends",
            format!(
                "no position can repeat; every game ends within {}",
                counted(u64::from(longest), "ply")
            ),
        )),
        (Some(false), Some(longest)) => lines.push((
            "ends",
            format!(
                "positions can repeat; every game ends within {}",
                counted(u64::from(longest), "ply")
            ),
        )),
        (Some(false), None) => {
            let rule = match &rules.repetition {
                Some(rule) => {
                    format!("`repetition` has its effect when one occurs {} times", rule.times)
                }
                None => "no rule ends the game then".to_owned(),
            };
            lines.push(("ends", format!("positions can repeat; {rule}")));
        }
        _ => {}
    }
    lines.into_iter().map(|(name, value)| format!("{name:<11} {value}\n")).collect()
}

fn ending(rules: &Rules, solution: &Solution) -> String {
    match solution.ending {
        Ending::Over(Outcome::Draw) if rules.players.len() == 1 => "no win".to_owned(),
        Ending::Over(over) => outcome(rules, Some(over)),
        Ending::Repeats(before) => {
            let until = match rules.repetition {
                Some(_) => "until the rule of repetition ends the game",
                None => "for ever",
            };
            format!("then the position after ply {before} repeats, {until}")
        }
        Ending::Chance => "then dice are rolled".to_owned(),
        Ending::Open => "and so on".to_owned(),
    }
}

fn seconds(seconds: f64) -> String {
    if seconds < 100.0 { format!("{seconds:.2} s") } else { format!("{seconds:.0} s") }
}

/// Describes a solution in JSON.
fn describe(rules: &Rules, solution: &Solution) -> Map<String, Json> {
    let why = match solution.value {
        Value::Unknown(why) => Some(reason(why)),
        _ => None,
    };
    let scores = match solution.value {
        Value::Score(score) => {
            let scores = rules.players.iter().zip([score, 1.0 - score]);
            let scores = scores.map(|(player, score)| (player.name.clone(), json!(score)));
            Json::Object(scores.collect())
        }
        _ => Json::Null,
    };
    let moves = solution
        .first
        .iter()
        .map(|first| json!({"move": spell(rules, &first.ply), "value": worth(rules, first.value), "distance": first.distance}));
    let spelled = |plies: &mut dyn Iterator<Item = &ludwright::engine::game::Move>| {
        plies.map(|ply| spell(rules, ply)).collect::<Vec<String>>()
    };
    let solved = json!({
        "value": worth(rules, solution.value),
        "why": why,
        "scores": scores,
        "distance": solution.distance,
        "optimal": spelled(&mut solution.optimal().map(|first| &first.ply)),
        "moves": moves.collect::<Vec<Json>>(),
        "line": spelled(&mut solution.line.iter()),
        "ending": ending(rules, solution),
        "nodes": solution.nodes,
        "symmetries": solution.symmetries,
        "acyclic": solution.acyclic,
        "longest": solution.longest,
        "seconds": solution.seconds,
    });
    match solved {
        Json::Object(solved) => solved,
        _ => Map::new(),
    }
}

/// Solves every size within the memory and time limits.
fn table(task: &Solve, console: &Console, out: &mut dyn Write) -> Result<u8, Failure> {
    let Loaded { source, game, .. } = Loaded::new(&task.game, None, console)?;
    let choices = &task.game.options.choices;
    let sizes = size_options(&source, choices, game.rules(), choices);
    let names: Vec<&str> = sizes.iter().map(|size| size.name.as_str()).collect();
    let widths: Vec<usize> = sizes
        .iter()
        .map(|size| size.values.iter().map(String::len).chain([size.name.len()]).max().unwrap_or(0))
        .collect();
    let row = |cells: &[String]| -> String {
        cells.iter().zip(&widths).map(|(cell, width)| format!("{cell:>width$}  ")).collect()
    };
    if !console.json() {
        let head: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        writeln!(
            out,
            "{}{:<24} {:>8} {:>12} {:>14} {:>10}",
            row(&head),
            "value",
            "plies",
            "first moves",
            "positions",
            "time"
        )?;
    }
    let began = Instant::now();
    let mut beyond: Vec<Vec<usize>> = Vec::new();
    let mut rows: Vec<Json> = Vec::new();
    let (mut solved, mut left_out) = (0, 0u64);
    for places in ordered(&source, &task.game, &sizes) {
        let values: Vec<String> =
            places.iter().zip(&sizes).map(|(&place, size)| size.values[place].clone()).collect();
        let time = task.time.saturating_sub(began.elapsed());
        // Skips sizes that are at least as large in every option as one that ran out of memory or
        // time.
        if time.is_zero()
            || beyond
                .iter()
                .any(|beyond| beyond.iter().zip(&places).all(|(beyond, place)| place >= beyond))
        {
            left_out += 1;
            continue;
        }
        let loaded = Loaded::new(&sized(&task.game, &sizes, &values), None, console)?;
        let limits =
            SolveLimits { memory: task.memory, time: Some(time), ..SolveLimits::default() };
        let solution = find(&loaded, &loaded.begin()?, &limits, console)?;
        let rules = loaded.game.rules();
        if matches!(solution.value, Value::Unknown(Unknown::RanOut(_))) {
            beyond.push(places);
        } else {
            solved += 1;
        }
        if console.json() {
            let options: Map<String, Json> = names
                .iter()
                .zip(&values)
                .map(|(name, value)| (name.to_string(), json!(value)))
                .collect();
            let mut row = Map::from_iter([("options".to_owned(), Json::Object(options))]);
            row.extend(describe(rules, &solution));
            rows.push(Json::Object(row));
        } else {
            let value = match solution.value {
                Value::Unknown(why) => format!("unknown: {}", reason(why)),
                Value::Draw if solution.goes_round => match rules.repetition {
                    Some(_) => "draw, by repetition".to_owned(),
                    None => "draw, never ends".to_owned(),
                },
                value => worth(rules, value),
            };
            let plies = solution.distance.map_or_else(|| "-".to_owned(), |plies| plies.to_string());
            let first = format!("{} of {}", solution.optimal().count(), solution.first.len());
            writeln!(
                out,
                "{}{value:<24} {plies:>8} {first:>12} {:>14} {:>10}",
                row(&values),
                grouped(solution.nodes),
                seconds(solution.seconds)
            )?;
            out.flush()?;
        }
    }
    if console.json() {
        writeln!(out, "{}", Json::Array(rows))?;
    } else if left_out > 0 {
        let were = if left_out == 1 { "was" } else { "were" };
        writeln!(out, "{} {were} not tried", counted(left_out, "more size"))?;
    }
    Ok(if solved > 0 { 0 } else { VALUE_UNKNOWN })
}

/// Returns the game's file with these values of its size options.
fn sized(game: &GameFile, sizes: &[SizeOption], values: &[String]) -> GameFile {
    let chosen = sizes.iter().zip(values).map(|(size, value)| (size.name.clone(), value.clone()));
    GameFile {
        file: game.file.clone(),
        options: Options { choices: game.options.choices.iter().cloned().chain(chosen).collect() },
    }
}

/// Lists every combination of sizes that makes a game, as indices of their values, ordered by
/// number of sites.
fn ordered(source: &Sources, game: &GameFile, sizes: &[SizeOption]) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for size in sizes {
        all = all
            .iter()
            .flat_map(|before| {
                (0..size.values.len()).map(|place| [before.as_slice(), &[place]].concat())
            })
            .collect();
    }
    let mut ordered: Vec<(usize, Vec<usize>)> = Vec::new();
    for places in all {
        let values: Vec<String> =
            places.iter().zip(sizes).map(|(&place, size)| size.values[place].clone()).collect();
        let file = sized(game, sizes, &values);
        if let Ok(game) = ludwright::load(source, &file.options.choices) {
            ordered.push((game.rules().board.sites().count(), places));
        }
    }
    ordered.sort();
    ordered.into_iter().map(|(_, places)| places).collect()
}
