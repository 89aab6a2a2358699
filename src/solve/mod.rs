//! What a position is worth when everybody plays as well as can be.
//!
//! In: a match, and how much memory and time there is. Out: the exact value, in how many plies, the
//! first moves that keep it, and a line of best play; or, said plainly, that it ran out. It refuses
//! to know screens and files, and any one game.
//!
//! - [`symmetry`]: ways of turning the board, proven from the rules. `key`: positions as a few
//!   words, exactly; `image`: keys turned; `canonical`: one key for a position and its images;
//!   `memory`: arrays that grow part by part.
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

pub use crate::budget::RanOut;

use crate::budget::{Deadline, MemoryBudget};
use crate::engine::game::{Fault, Move, State};
use crate::engine::position::Outcome;
use crate::language::rules::PlayerId;
use std::time::{Duration, Instant};

/// The exploration of all positions gets at most 1 / this of the time where proof search is
/// available as a fallback.
const GRAPH_TIME_SHARE: u32 = 3;

/// Upper limit of the plies between two clock readings; one ply may be expensive.
const PLIES_BETWEEN_CLOCK_CHECKS: u32 = 32;

/// Positions between two checks of [`Budget::positions`].
const POSITIONS_BETWEEN_CHECKS: u32 = 1 << 7;

/// The resources that a solver may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolveLimits {
    /// In bytes; covers all stored positions and tables.
    pub memory: u64,
    /// Unlimited if `None`.
    pub time: Option<Duration>,
    /// Stops after about this many positions, with [`RanOut::Cancelled`]; unlimited if `None`.
    /// Unlike a time limit it stops at the same position on every computer.
    pub positions: Option<u64>,
    /// Whether symmetric positions count as one.
    pub symmetric: bool,
}

impl Default for SolveLimits {
    /// 2 GiB, ten minutes, and every symmetry.
    fn default() -> Self {
        SolveLimits {
            memory: 2 << 30,
            time: Some(Duration::from_secs(600)),
            positions: None,
            symmetric: true,
        }
    }
}

/// The value of a position under best play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// The player can force a win.
    Win(PlayerId),
    /// Nobody can force a win, and everybody can force at least a draw.
    Draw,
    /// Three or more players: nobody can force a win, and not everybody can force a draw.
    Open,
    /// Games with dice: the expected score of the first player. The second player's is 1 minus it.
    Score(f64),
    Unknown(Unknown),
}

/// Why a value is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    RanOut(RanOut),
    /// Nobody can force a win without a repetition, and the rules do not make repetition a draw.
    Repetition,
    /// Dice and three or more players: there is no single value.
    DiceForMany,
    /// Dice, and play that can be infinite whatever they show.
    Endless,
}

/// A first move and the value of the position after it.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstMove {
    pub ply: Move,
    pub value: Value,
    /// Plies to the win, this move included, if the value is a win.
    pub distance: Option<u32>,
    /// Whether the move keeps the value of the position.
    pub optimal: bool,
}

/// How a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The game is over.
    Over(Outcome),
    /// The position after the last ply repeats the one after this many plies of the line.
    Round(usize),
    /// The line ends before a roll of the dice.
    Chance,
    /// The line stops here: no continuation is known.
    Open,
}

/// The result of [`solve`].
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    pub value: Value,
    /// Plies to the win, if the value is a win: the winner minimizes it, the others maximize it.
    /// `None` also if proof search found the value.
    pub distance: Option<u32>,
    /// Every legal first move, sorted by spelling. After proof search, some values may be unknown
    /// for lack of time.
    pub first: Vec<FirstMove>,
    /// A line of best play.
    pub line: Vec<Move>,
    pub ending: Ending,
    /// The number of distinct reachable positions if [`acyclic`](Self::acyclic) is known; otherwise
    /// the number of positions that proof search expanded, repeats included.
    pub nodes: u64,
    /// The number of symmetries of board and rules that were used, including the identity.
    pub symmetries: usize,
    /// Whether no position can occur twice; known only if all positions were explored.
    pub acyclic: Option<bool>,
    /// The longest possible play in plies, if no position can occur twice.
    pub longest: Option<u32>,
    pub seconds: f64,
}

impl Solution {
    /// Returns the first moves that keep the value of the position.
    pub fn optimal(&self) -> impl Iterator<Item = &FirstMove> {
        self.first.iter().filter(|first| first.optimal)
    }
}

/// The progress of a solver.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Positions found so far.
    pub nodes: u64,
    pub seconds: f64,
}

/// Solves the position of a match. Now and then somebody is told how far it is, and says whether to
/// go on.
///
/// ```
/// use ludwright::solve::{SolveLimits, Value, solve};
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
/// let solution = solve(&game.begin()?, &SolveLimits::default(), &mut |_| true)?;
/// assert_eq!(solution.value, Value::Win(ludwright::language::rules::PlayerId(1)));
/// assert_eq!(solution.distance, Some(4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails where the rules go round without end in some position.
pub fn solve(
    from: &State,
    limits: &SolveLimits,
    tell: &mut dyn FnMut(&Progress) -> bool,
) -> Result<Solution, Fault> {
    let SolveLimits { time, positions, .. } = *limits;
    let began = Instant::now();
    let deadline = |time: Option<Duration>| {
        Deadline::paced(time.and_then(|time| began.checked_add(time)), PLIES_BETWEEN_CLOCK_CHECKS)
    };
    let rules = from.game().rules();
    let provable = rules.players.len() == 2
        && from.game().decisions().iter().all(|decision| decision.mover.is_some());
    // A repetition count makes a position differ from its images. So no symmetry is used where the
    // next repetition could end the game.
    let spent = rules
        .repetition
        .as_ref()
        .is_some_and(|rule| from.max_repetitions() + 1 >= rule.times as usize);
    let symmetric = limits.symmetric && !spent;
    // Proof search gets the rest of the time.
    let graph_time = if provable { time.map(|time| time / GRAPH_TIME_SHARE) } else { time };
    let mut clock =
        Clock { began, deadline: deadline(graph_time), positions, ticks: 0, nodes: 0, tell };
    let mut solved = whole(from, symmetric, limits.memory, &mut clock);
    if provable && matches!(solved, Err(Stopped::RanOut(RanOut::Memory | RanOut::Time))) {
        clock.deadline = deadline(time);
        clock.nodes = 0;
        solved = proof::Prover::new(from, symmetric, limits.memory)
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

/// Solves by exploring every position.
fn whole(
    from: &State,
    symmetric: bool,
    memory: u64,
    clock: &mut Clock,
) -> Result<Solution, Stopped> {
    let mut memory_budget = MemoryBudget::new(memory);
    let mut verdicts = verdict::Verdicts::find(from, symmetric, &mut memory_budget, clock)?;
    best_line::describe(from, &mut verdicts, &mut memory_budget)
}

/// Why solving stopped without a result.
enum Stopped {
    RanOut(RanOut),
    Fault(Fault),
}

impl From<RanOut> for Stopped {
    fn from(ran_out: RanOut) -> Stopped {
        Stopped::RanOut(ran_out)
    }
}

/// Enforces the limits of time and positions, and reports progress.
struct Clock<'t> {
    began: Instant,
    deadline: Deadline,
    positions: Option<u64>,
    ticks: u32,
    /// Positions found at the last check.
    nodes: u64,
    tell: &'t mut dyn FnMut(&Progress) -> bool,
}

impl Clock<'_> {
    /// Counts one more position; now and then checks the limits.
    ///
    /// # Errors
    /// Returns the exhausted limit, or [`RanOut::Cancelled`].
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

    /// Counts one more ply; now and then checks the time.
    ///
    /// # Errors
    /// Returns [`RanOut::Time`], or [`RanOut::Cancelled`] if the callback asks to stop.
    #[inline(always)]
    fn pass(&mut self, nodes: u64) -> Result<(), RanOut> {
        self.nodes = nodes;
        self.deadline.poll().map_or(Ok(()), |is_over| self.look(is_over))
    }

    #[cold]
    fn look(&mut self, is_over: bool) -> Result<(), RanOut> {
        if is_over {
            return Err(RanOut::Time);
        }
        let seconds = self.began.elapsed().as_secs_f64();
        if (self.tell)(&Progress { nodes: self.nodes, seconds }) {
            Ok(())
        } else {
            Err(RanOut::Cancelled)
        }
    }
}
