//! What a position is worth when everybody plays as well as can be.
//!
//! In: a match, and how much memory and time there is. Out: the exact value, in how many plies, the
//! first moves that keep it, and a line of best play; or, said plainly, that it ran out. It refuses
//! to know screens and files, and any one game.
//!
//! - [`symmetry`]: ways of turning the board, proven from the rules. `key`: positions as a few
//!   words, exactly; `image`: keys turned; `canonical`: one key for a position and its images;
//!   `memory`: memory that is counted before it is taken.
//! - `graph`: every position that can arise, found once, and what leads where.
//! - `retrograde`: what somebody can force, by retrograde analysis. `interval_iteration`: what can
//!   be expected where dice are rolled.
//! - `verdict`: the two together, for every position that was found. `best_line`: first moves, and
//!   a line of best play.
//! - `proof`: where there is too little memory for every position, who can force a win, depth
//!   first; `proof_table`: what is proven; `proof_solution`: what that tells.
//!
//! # What a value means
//!
//! - A player *wins* if he can bring his win about in a finite number of plies, whatever the others
//!   do. The distance counts plies: the winner hurries, the others hold out.
//! - It is a *draw* if nobody can be kept from at least that. A play that never ends is a draw.
//!   Retrograde analysis gets this right where positions come round (Thompson 1986).
//! - Among three players or more it may be that nobody can force anything; then it is *open*, for
//!   it depends on whom the one who is lost lets win.
//! - Where dice are rolled, the value is the score that the first player can expect: 1 for a win, ½
//!   for a draw.
//!
//! # Repetition
//!
//! Positions are taken for the same whatever came before them, and a rule of repetition is left out
//! of account at first. That is right all the same:
//!
//! - A win that can be forced can be forced without a position ever arising twice, since the
//!   distance falls with every ply. So it stands under every rule of repetition.
//! - Where the rule makes a repetition a draw, who can hold a draw when play may go on for ever can
//!   hold it under the rule too. So a draw stands.
//! - Where the rule says something else, and positions do come round, a draw is not known: the
//!   value is then given as unknown, with the reason. (The general case is Kishimoto and Müller's
//!   graph history interaction: *A general solution to the graph history interaction problem*, AAAI
//!   2004.)
//! - What was played before the match's own position counts: where a position has been there so
//!   often that the rule ends the game when it arises next, it is an end.

mod best_line;
mod canonical;
mod graph;
mod image;
mod interval_iteration;
mod key;
mod memory;
mod proof;
mod proof_solution;
mod proof_table;
mod retrograde;
pub mod symmetry;
mod verdict;

use crate::deadline::Pace;
use crate::engine::game::{Fault, Move, State};
use crate::engine::position::Outcome;
use crate::language::rules::PlayerId;
use std::time::{Duration, Instant};

/// To look at every position takes so many parts of the time at most, as one to this, where another
/// method may do.
const GRAPH_TIME_SHARE: u32 = 3;

/// So many plies are made at most between two looks at the clock; each may take a million rounds.
const PLIES_BETWEEN_CLOCK_CHECKS: u32 = 32;

/// So many positions are looked at between two looks at how many there were.
const POSITIONS_BETWEEN_CHECKS: u32 = 1 << 7;

/// How much may be spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// In bytes; what is found is kept in so many at most.
    pub memory: u64,
    /// No end to it where none is given.
    pub time: Option<Duration>,
    /// How many positions are looked at, about; no end to it where none is given. It is over at the
    /// same position on every computer.
    pub positions: Option<u64>,
    /// Whether positions count as one that are images of each other.
    pub symmetric: bool,
}

impl Default for Budget {
    /// Two gigabytes, ten minutes, and every symmetry.
    fn default() -> Self {
        Budget {
            memory: 2 << 30,
            time: Some(Duration::from_secs(600)),
            positions: None,
            symmetric: true,
        }
    }
}

/// What a position is worth with best play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// The player can force a win.
    Win(PlayerId),
    /// Nobody can force a win, and everybody can force at least a draw.
    Draw,
    /// Among three players or more: none can force a win, and not all can force a draw.
    Open,
    /// Where dice are rolled: the score that the first player can expect. That of the second is
    /// what is missing to 1.
    Score(f64),
    Unknown(Unknown),
}

/// Why a value is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    RanOut(RanOut),
    /// Nobody can force a win before a position arises again, and what the rules say of that is no
    /// draw.
    Repetition,
    /// Dice are rolled among three players or more: there is no one value.
    DiceForMany,
    /// Dice are rolled, and play can go on for ever, whatever they show.
    Endless,
}

/// What there was too little of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RanOut {
    Memory,
    Time,
    /// Somebody asked to stop.
    Cancelled,
}

/// A first move, and what is to be had after it.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstMove {
    pub ply: Move,
    pub value: Value,
    /// In how many plies, that move included, where the value is a win.
    pub distance: Option<u32>,
    /// Whether it keeps what the position is worth.
    pub optimal: bool,
}

/// How a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The game is over.
    Over(Outcome),
    /// The position after its last ply arose in it before, after so many plies; it goes on like
    /// that for ever.
    Round(usize),
    /// It leads up to a ply of chance.
    Chance,
    /// There is no more to it.
    Open,
}

/// What was found out.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    pub value: Value,
    /// In how many plies, where the value is a win: the winner hurries, the others hold out. None
    /// also where the value was proven without looking at every position.
    pub distance: Option<u32>,
    /// Every legal first move, sorted by their spelling. Where the value was proven without looking
    /// at every position, there may have been no time left for some.
    pub first: Vec<FirstMove>,
    /// A line of best play.
    pub line: Vec<Move>,
    pub ending: Ending,
    /// How many positions were looked at: all that can arise, where [`acyclic`](Self::acyclic) is
    /// known; else as many as the proof took, again and again ones among them.
    pub nodes: u64,
    /// How many symmetries of board and rules were used, the one that leaves everything where it is
    /// among them; each is proven from the rules.
    pub symmetries: usize,
    /// Whether no position can arise twice, where every one was looked at.
    pub acyclic: Option<bool>,
    /// The longest that play can go on, in plies, where no position can arise twice.
    pub longest: Option<u32>,
    pub seconds: f64,
}

impl Solution {
    /// The first moves that keep what the position is worth.
    pub fn optimal(&self) -> impl Iterator<Item = &FirstMove> {
        self.first.iter().filter(|first| first.optimal)
    }
}

/// How far it is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// How many positions have been found.
    pub nodes: u64,
    pub seconds: f64,
}

/// Solves the position of a match. Now and then somebody is told how far it is, and says whether to
/// go on.
///
/// ```
/// use ludwright::solve::{Budget, Value, solve};
///
/// let text = r#"
/// (game "Last Stone"
///   (players A B)
///   (board (rectangle 4 1))
///   (piece Stone)
///   (move put (to t (empty)) (put Stone t))
///   (play (turns (choose put (otherwise (lose mover))))))
/// "#;
/// let game = ludwright::load(text, &[])?;
/// let solution = solve(&game.begin()?, &Budget::default(), &mut |_| true)?;
/// assert_eq!(solution.value, Value::Win(ludwright::language::rules::PlayerId(1)));
/// assert_eq!(solution.distance, Some(4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails where the rules go round without end in some position.
pub fn solve(
    from: &State,
    budget: &Budget,
    tell: &mut dyn FnMut(&Progress) -> bool,
) -> Result<Solution, Fault> {
    let Budget { time, positions, .. } = *budget;
    let mut clock = Clock {
        began: Instant::now(),
        time,
        positions,
        ticks: 0,
        pace: Pace::new(PLIES_BETWEEN_CLOCK_CHECKS),
        nodes: 0,
        tell,
    };
    let rules = from.game().rules();
    let provable = rules.players.len() == 2
        && from.game().decisions().iter().all(|decision| decision.mover.is_some());
    // A position that has been there too often already is no image of one that has not.
    let spent = rules
        .repetition
        .as_ref()
        .is_some_and(|rule| from.max_repetitions() + 1 >= rule.times as usize);
    let symmetric = budget.symmetric && !spent;
    // Where depth-first search may do, it is left most of the time.
    clock.time =
        if provable { budget.time.map(|time| time / GRAPH_TIME_SHARE) } else { budget.time };
    let mut solved = whole(from, symmetric, budget.memory, &mut clock);
    if provable && matches!(solved, Err(Stopped::RanOut(RanOut::Memory | RanOut::Time))) {
        clock.time = budget.time;
        clock.nodes = 0;
        solved = proof::Prover::new(from, symmetric, budget.memory)
            .map_err(Stopped::RanOut)
            .and_then(|mut prover| proof_solution::describe(from, &mut prover, &mut clock));
    }
    let solution = match solved {
        Ok(solution) => solution,
        Err(Stopped::RanOut(ran_out)) => {
            best_line::unknown(from, Unknown::RanOut(ran_out), clock.nodes)
        }
        Err(Stopped::Fault(fault)) => return Err(fault),
    };
    Ok(Solution { seconds: clock.began.elapsed().as_secs_f64(), ..solution })
}

/// Solves by looking at every position.
fn whole(
    from: &State,
    symmetric: bool,
    memory: u64,
    clock: &mut Clock,
) -> Result<Solution, Stopped> {
    let mut memory_budget = memory::MemoryBudget::new(memory);
    let mut verdicts = verdict::Verdicts::find(from, symmetric, &mut memory_budget, clock)?;
    best_line::describe(from, &mut verdicts, &mut memory_budget)
}

/// Why nothing was found.
enum Stopped {
    RanOut(RanOut),
    Fault(Fault),
}

impl From<RanOut> for Stopped {
    fn from(ran_out: RanOut) -> Stopped {
        Stopped::RanOut(ran_out)
    }
}

/// Keeps the time.
struct Clock<'t> {
    began: Instant,
    time: Option<Duration>,
    positions: Option<u64>,
    ticks: u32,
    pace: Pace,
    /// How many positions were found when it was last asked.
    nodes: u64,
    tell: &'t mut dyn FnMut(&Progress) -> bool,
}

impl Clock<'_> {
    /// Looks at the time and at the number of positions after one more of them, though not always.
    ///
    /// # Errors
    /// Tells if one of them is used up, or somebody asked to stop.
    #[inline(always)]
    fn tick(&mut self, nodes: u64) -> Result<(), RanOut> {
        self.ticks = self.ticks.wrapping_add(1);
        if self.ticks.is_multiple_of(POSITIONS_BETWEEN_CHECKS)
            && self.positions.is_some_and(|most| nodes > most)
        {
            return Err(RanOut::Cancelled);
        }
        self.pass(nodes)
    }

    /// Looks at the time after one more ply at a position, though not always.
    ///
    /// # Errors
    /// Tells if it is over, or somebody asked to stop.
    #[inline(always)]
    fn pass(&mut self, nodes: u64) -> Result<(), RanOut> {
        self.nodes = nodes;
        if self.pace.count(1).is_some() { self.look() } else { Ok(()) }
    }

    #[cold]
    fn look(&mut self) -> Result<(), RanOut> {
        let spent = self.began.elapsed();
        if self.time.is_some_and(|time| spent >= time) {
            return Err(RanOut::Time);
        }
        if (self.tell)(&Progress { nodes: self.nodes, seconds: spent.as_secs_f64() }) {
            Ok(())
        } else {
            Err(RanOut::Cancelled)
        }
    }
}
