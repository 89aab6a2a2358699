//! `ludwright perft`: counts the sequences of plies or turns from a position.

use crate::program::answers::subject::Subject;
use crate::program::arguments::{self, Perft};
use crate::program::console::Console;
use crate::program::failure::Failure;
use crate::program::game::Loaded;
use crate::program::schema::{Answer, print};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ludwright::engine::game::{Fault, Move, PlayError, State, Turn};
use ludwright::engine::position::Position;
use ludwright::engine::{Finished, Unit};
pub use ludwright::notation::grouped;
use ludwright::notation::spell;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::time::{Duration, Instant};

/// After this time a progress bar appears.
const PROGRESS_DELAY: Duration = Duration::from_millis(700);

/// Numbers of sequences of plies or turns.
#[derive(Serialize, JsonSchema)]
pub struct PerftAnswer {
    #[serde(flatten)]
    subject: Subject,
    /// The unit of depth.
    by: arguments::Unit,
    /// Whether a game that ends before the depth is reached counts as one sequence.
    finished: arguments::Finished,
    /// The counts for depths 1, 2 and so on.
    perft: Vec<u64>,
    /// The counts below each first ply or turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<BTreeMap<String, u64>>,
}

impl Answer for PerftAnswer {
    const NAME: &'static str = "perft";
}

/// Counts for every depth up to the one requested.
pub fn run(task: &Perft, console: &Console, out: &mut dyn Write) -> Result<u8, Failure> {
    let (loaded, start, _) = Loaded::at_start_of(&task.game, &task.start, console)?;
    let fault = |fault: Fault| loaded.fault(fault);
    let text = !console.json();
    let mut counts = Vec::new();
    let mut divided = BTreeMap::new();
    if text {
        let rate = match task.by {
            arguments::Unit::Ply => "plies/s",
            arguments::Unit::Turn | arguments::Unit::Position => "turns/s",
        };
        writeln!(out, "{:>5} {:>20} {:>12} {rate:>14}", "depth", "count", "time")?;
    }
    let rule = Counted::by(task);
    for depth in 1..=task.depth {
        let began = Instant::now();
        let divide = task.divide && depth == task.depth;
        let count = if divide || (text && console.terminal && depth > 2) {
            divided = divide_at(&start, depth, rule, text && console.terminal).map_err(fault)?;
            divided.values().fold(0, |sum: u64, count| sum.saturating_add(*count))
        } else {
            rule.count(&start, depth).map_err(fault)?
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
    let answer = PerftAnswer {
        subject: loaded.subject(),
        by: task.by,
        finished: task.finished,
        perft: counts,
        divide: task.divide.then_some(divided),
    };
    print(&answer, out)?;
    Ok(0)
}

/// The unit of depth, and whether sequences that end early count.
#[derive(Clone, Copy)]
struct Counted {
    unit: Unit,
    finished: Finished,
}

impl Counted {
    fn by(task: &Perft) -> Counted {
        let unit = match task.by {
            arguments::Unit::Ply => Unit::Ply,
            arguments::Unit::Turn => Unit::Turn,
            arguments::Unit::Position => Unit::Position,
        };
        let finished = match task.finished {
            arguments::Finished::Count => Finished::Count,
            arguments::Finished::Skip => Finished::Skip,
        };
        Counted { unit, finished }
    }

    fn count(self, from: &State, depth: u32) -> Result<u64, Fault> {
        from.game().count(from, depth, self.unit, self.finished)
    }
}

/// Counts below each first ply or turn, with a progress bar on a terminal.
fn divide_at(
    start: &State,
    depth: u32,
    rule: Counted,
    terminal: bool,
) -> Result<BTreeMap<String, u64>, Fault> {
    let game = start.game();
    if rule.unit != Unit::Ply {
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
    let mut divided = Divided::default();
    for ply in start.legal() {
        below(start, ply, "", depth, rule, &mut divided)?;
        bar.inc(1);
        if terminal && bar.is_hidden() && began.elapsed() > PROGRESS_DELAY {
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }
    bar.finish_and_clear();
    Ok(divided.counts)
}

/// Counts by first ply or turn.
#[derive(Default)]
struct Divided {
    counts: BTreeMap<String, u64>,
    /// The positions after the turns counted so far, if positions are counted.
    after_turns: HashSet<Position>,
}

/// Counts below a ply that follows the plies spelled in `before`; by turns, below each turn that
/// begins with these plies.
fn below(
    from: &State,
    ply: &Move,
    before: &str,
    depth: u32,
    rule: Counted,
    divided: &mut Divided,
) -> Result<(), Fault> {
    let mut after = from.clone();
    match after.play(ply) {
        Ok(()) => {}
        Err(PlayError::Illegal) => return Ok(()),
        Err(PlayError::Fault(fault)) => return Err(fault),
    }
    let spelled = format!("{before}{}", spell(from.game().rules(), ply));
    if rule.unit != Unit::Ply
        && matches!(from.turn(), Turn::Player(_))
        && after.turn() == from.turn()
    {
        let before = format!("{spelled}, ");
        return after
            .legal()
            .iter()
            .try_for_each(|ply| below(&after, ply, &before, depth, rule, divided));
    }
    if rule.unit == Unit::Position && !divided.after_turns.insert(after.position()) {
        return Ok(());
    }
    divided.counts.insert(spelled, rule.count(&after, depth - 1)?);
    Ok(())
}

fn time(seconds: f64) -> String {
    match seconds {
        _ if seconds < 0.001 => format!("{:.1} µs", seconds * 1e6),
        _ if seconds < 1.0 => format!("{:.1} ms", seconds * 1e3),
        _ => format!("{seconds:.2} s"),
    }
}
