//! `ludwright solve`: finds the value of a position under best play, or of every board size of a
//! game.

use crate::program::answers::solution::{
    SolutionAnswer, describe, headline, reason, seconds, tell, worth,
};
use crate::program::answers::subject::Subject;
use crate::program::arguments::{GameFile, Options, Solve};
use crate::program::console::Console;
use crate::program::failure::Failure;
use crate::program::game::Loaded;
use crate::program::schema::{Answer, ByName, print};
use crate::program::target::{Content, Target};
use crate::program::workload::cores;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ludwright::engine::game::State;
use ludwright::language::board_sizes::{SizeOption, size_options};
use ludwright::language::sources::Sources;
use ludwright::notation::counted;
use ludwright::notation::grouped;
use ludwright::record::Record;
use ludwright::solve::{Progress, Solution, SolveLimits, Unknown, Value, certified};
use ludwright::verify::Certificate;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;
use std::time::{Duration, Instant};

/// The time limit without `--time` and `--positions`.
const DEFAULT_TIME: Duration = Duration::from_secs(600);
/// The warning if an unknown value has no certificate.
const UNKNOWN: &str = "no certificate was written: the value is unknown";
/// Exit code for an unknown value.
const VALUE_UNKNOWN: u8 = 3;

/// The value of a position, or of every board size.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub enum SolveAnswer {
    One {
        #[serde(flatten)]
        subject: Subject,
        #[serde(flatten)]
        solution: SolutionAnswer,
    },
    /// With `--table`.
    Table {
        #[serde(flatten)]
        subject: Subject,
        /// The sizes that were tried, by number of sites.
        sizes: Vec<SolvedSize>,
        /// The number of sizes that were not tried.
        left_out: u64,
    },
}

impl Answer for SolveAnswer {
    const NAME: &'static str = "solve";
}

/// The value of a board size.
#[derive(Serialize, JsonSchema)]
pub struct SolvedSize {
    /// The options that set the size.
    options: ByName<String>,
    #[serde(flatten)]
    solution: SolutionAnswer,
}

/// Solves a position, or every board size.
pub fn run(task: &Solve, console: &Console, out: &mut dyn Write) -> Result<u8, Failure> {
    if task.table {
        return table(task, console, out);
    }
    let target = task.line.as_deref().map(|path| Target::new(path, Content::Record)).transpose()?;
    let (loaded, start, _) = Loaded::at_start_of(&task.game, &task.start, console)?;
    let rules = loaded.game.rules();
    let limits = limits(task, time(task));
    let certificate = task.certificate.as_deref();
    let certificate =
        certificate.map(|path| Target::new(path, Content::Certificate)).transpose()?;
    let mut shown = None;
    let place = certificate.as_ref().map(|_| &mut shown);
    let solution = find(&loaded, &start, &limits, place, console)?;
    if console.json() {
        let solution = describe(rules, &solution);
        print(&SolveAnswer::One { subject: loaded.subject(), solution }, out)?;
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
    if let Some(target) = certificate {
        match shown {
            Some(shown) => target.write(shown.write(rules).as_bytes())?,
            // The exit code says so.
            None if matches!(solution.value, Value::Unknown(_)) => console.warn(UNKNOWN),
            None => return Err(not_shown(&solution)),
        }
    }
    Ok(if matches!(solution.value, Value::Unknown(_)) { VALUE_UNKNOWN } else { 0 })
}

/// Says why there is no certificate.
fn not_shown(solution: &Solution) -> Failure {
    let message = match solution.value {
        Value::Unknown(_) => UNKNOWN,
        Value::Score(_) => "no certificate was written: no strategy shows an expected score",
        Value::Open => "no certificate was written: no player can force anything",
        _ => {
            "no certificate was written: memory or time ran out, there are more than two players, or play goes round in a way that no strategy shows"
        }
    };
    Failure::input(message.to_owned())
}

/// Solves a position, with progress on a terminal.
fn find(
    loaded: &Loaded,
    start: &State,
    limits: &SolveLimits,
    place: Option<&mut Option<Certificate>>,
    console: &Console,
) -> Result<Solution, Failure> {
    loaded.game.jit_compile_in_background();
    let rules = loaded.game.rules();
    let bar = match console.terminal {
        true => ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()),
        false => ProgressBar::hidden(),
    };
    let template = "{spinner} {human_pos} positions, {elapsed}{msg}";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    let tell = &mut |progress: &Progress| {
        bar.set_position(progress.nodes);
        if let Some(value) = progress.value {
            bar.set_message(format!("; {}, now the first moves", worth(rules, value)));
        }
        true
    };
    let solution = certified(start, limits, place, tell);
    bar.finish_and_clear();
    solution.map_err(|fault| loaded.fault(fault))
}

/// Returns the time limit of the arguments; the default if neither time nor positions are limited.
fn time(task: &Solve) -> Option<Duration> {
    task.time.or(task.positions.is_none().then_some(DEFAULT_TIME))
}

fn limits(task: &Solve, time: Option<Duration>) -> SolveLimits {
    SolveLimits {
        memory: task.memory,
        time,
        positions: task.positions,
        threads: task.threads.map_or_else(cores, usize::from),
        by_numbers: task.by_numbers,
        ..SolveLimits::default()
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
    let mut sizes_solved: Vec<SolvedSize> = Vec::new();
    let (mut solved, mut left_out) = (0, 0u64);
    for places in ordered(&source, &task.game, &sizes) {
        let values: Vec<String> =
            places.iter().zip(&sizes).map(|(&place, size)| size.values[place].clone()).collect();
        let time = time(task).map(|time| time.saturating_sub(began.elapsed()));
        // Skips sizes that are at least as large in every option as one that ran out of memory or
        // time.
        if time.is_some_and(|time| time.is_zero())
            || beyond
                .iter()
                .any(|beyond| beyond.iter().zip(&places).all(|(beyond, place)| place >= beyond))
        {
            left_out += 1;
            continue;
        }
        let loaded = Loaded::new(&sized(&task.game, &sizes, &values), None, console)?;
        let solution = find(&loaded, &loaded.begin()?, &limits(task, time), None, console)?;
        let rules = loaded.game.rules();
        if matches!(solution.value, Value::Unknown(Unknown::RanOut(_))) {
            beyond.push(places);
        } else {
            solved += 1;
        }
        if console.json() {
            let options = names.iter().map(|name| (*name).to_owned()).zip(values).collect();
            sizes_solved.push(SolvedSize { options, solution: describe(rules, &solution) });
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
        let subject = Subject::of(game.rules());
        print(&SolveAnswer::Table { subject, sizes: sizes_solved, left_out }, out)?;
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
