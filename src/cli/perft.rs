//! `ludwright perft`: counts the sequences of plies or turns from a position.

use super::arguments::{Perft, Unit};
use super::console::Console;
use super::failure::Failure;
use super::game::Loaded;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ludwright::engine::game::{Fault, Move, PlayError, State, Turn};
pub use ludwright::notation::grouped;
use ludwright::notation::spell;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::time::{Duration, Instant};

/// After this time a progress bar appears.
const LONG: Duration = Duration::from_millis(700);

/// Counts for every depth up to the one requested.
pub fn run(task: &Perft, console: &Console, out: &mut dyn Write) -> Result<u8, Failure> {
    let (loaded, start, _) = Loaded::at_start_of(&task.game, &task.start, console)?;
    let fault = |fault: Fault| loaded.fault(fault);
    let text = !console.json();
    let mut counts = Vec::new();
    let mut divided = BTreeMap::new();
    if text {
        let rate = match task.by {
            Unit::Ply => "plies/s",
            Unit::Turn => "turns/s",
        };
        writeln!(out, "{:>5} {:>20} {:>12} {rate:>14}", "depth", "count", "time")?;
    }
    for depth in 1..=task.depth {
        let began = Instant::now();
        let divide = task.divide && depth == task.depth;
        let count = if divide || (text && console.terminal && depth > 2) {
            divided = divide_at(&start, depth, task.by, text && console.terminal).map_err(fault)?;
            divided.values().fold(0, |sum: u64, count| sum.saturating_add(*count))
        } else {
            count(&start, depth, task.by).map_err(fault)?
        };
        let seconds = began.elapsed().as_secs_f64();
        counts.push(count);
        if text {
            let rate = count as f64 / seconds.max(1e-9);
            writeln!(
                out,
                "{depth:>5} {:>20} {:>12} {:>14}",
                grouped(count),
                time(seconds),
                grouped(rate as u64)
            )?;
            out.flush()?;
        }
    }
    if task.divide && task.depth == 0 {
        divided.clear();
    }
    if text {
        if task.divide {
            writeln!(out)?;
            for (spelled, count) in &divided {
                writeln!(out, "{spelled}: {count}")?;
            }
        }
        return Ok(0);
    }
    let mut report = Map::new();
    report.insert("perft".to_owned(), json!(counts));
    if task.divide {
        let divided =
            divided.into_iter().map(|(spelled, count)| (spelled, Value::from(count))).collect();
        report.insert("divide".to_owned(), Value::Object(divided));
    }
    writeln!(out, "{}", loaded.add_assumed(Value::Object(report)))?;
    Ok(0)
}

fn count(from: &State, depth: u32, unit: Unit) -> Result<u64, Fault> {
    match unit {
        Unit::Ply => from.game().perft(from, depth),
        Unit::Turn => from.game().perft_turns(from, depth),
    }
}

/// Counts below each first ply or turn, with a progress bar on a terminal.
fn divide_at(
    start: &State,
    depth: u32,
    unit: Unit,
    terminal: bool,
) -> Result<BTreeMap<String, u64>, Fault> {
    let game = start.game();
    if unit == Unit::Turn {
        // Fails here if a first turn never ends; `below` would recurse without end.
        game.perft_turns(start, 1)?;
    }
    let bar = ProgressBar::with_draw_target(
        Some(start.legal().len() as u64),
        ProgressDrawTarget::hidden(),
    );
    if let Ok(style) = ProgressStyle::with_template(
        "{prefix} [{bar:40}] {pos}/{len} first plies, {elapsed} of about {duration}",
    ) {
        bar.set_style(style);
    }
    bar.set_prefix(format!("depth {depth}"));
    let began = Instant::now();
    let mut divided = BTreeMap::new();
    for ply in start.legal() {
        below(start, ply, "", depth, unit, &mut divided)?;
        bar.inc(1);
        if terminal && bar.is_hidden() && began.elapsed() > LONG {
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }
    bar.finish_and_clear();
    Ok(divided)
}

/// Counts below a ply that follows those spelled in `before`; by turns, below each turn that it can
/// become.
fn below(
    from: &State,
    ply: &Move,
    before: &str,
    depth: u32,
    unit: Unit,
    divided: &mut BTreeMap<String, u64>,
) -> Result<(), Fault> {
    let mut after = from.clone();
    match after.play(ply) {
        Ok(()) => {}
        Err(PlayError::Illegal) => return Ok(()),
        Err(PlayError::Fault(fault)) => return Err(fault),
    }
    let spelled = format!("{before}{}", spell(from.game().rules(), ply));
    if unit == Unit::Turn && matches!(from.turn(), Turn::Player(_)) && after.turn() == from.turn() {
        let before = format!("{spelled}, ");
        return after
            .legal()
            .iter()
            .try_for_each(|ply| below(&after, ply, &before, depth, unit, divided));
    }
    divided.insert(spelled, count(&after, depth - 1, unit)?);
    Ok(())
}

fn time(seconds: f64) -> String {
    match seconds {
        _ if seconds < 0.001 => format!("{:.1} µs", seconds * 1e6),
        _ if seconds < 1.0 => format!("{:.1} ms", seconds * 1e3),
        _ => format!("{seconds:.2} s"),
    }
}
