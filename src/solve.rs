//! Finds the exact value of a position under best play, its distance, and the best moves.
//!
//! All reachable positions are explored and evaluated by retrograde analysis or, with dice, by
//! interval iteration. For two-player games without dice, a depth-first proof search takes turns
//! with the exploration, by counts of positions: it finds who wins, but not in how many plies.
//!
//! - [`symmetry`]: symmetries proven from the rules. `key`: exact keys of a few words; `image`:
//!   keys under a symmetry; `canonical`: one key for a position and its images; `memory`: chunked
//!   vectors.
//! - `alternation`: exploring and proof search in turns.
//! - `graph`: the reachable positions and their successors. `retrograde`: forced results.
//!   `interval_iteration`: expected scores with dice.
//! - `components`: positions that can occur again after each other; `repetition`: the rule of
//!   repetition, and the earliest ply at which it can apply.
//! - `verdict`: the value of every position; `table`: looks up these values. `best_line`: first
//!   moves and a line of best play.
//! - `number_search`: depth-first proof-number search of any graph without cycles. `by_history`:
//!   games whose rules depend on more of the past than repetition counts, solved by such a search.
//! - `proof`: proof search in rounds of several searches; `proof_search`: one alpha-beta search;
//!   `proof_helper`: the searches that help the first one; `proof_by_numbers`: the search by proof
//!   numbers, with `number_table`; `lookahead`: the positions after each ply; `ply_order`: the
//!   order of plies; `tags`: hashes of positions; `dead_pieces` and `filling`: positions that the
//!   rules prove to have the same value, in `placing` games; `packed`: positions on stacks;
//!   `proof_table`: the transposition table; `proof_solution`: the solution that follows from the
//!   proofs.
//!
//! # What a value means
//!
//! - A player *wins* if they can force a win in a finite number of plies against every defence. The
//!   distance counts plies: the winner minimizes it, the others maximize it. It is not reported
//!   where a rule of repetition might let somebody win sooner.
//! - It is a *draw* if every player can force at least a draw. Infinite play is a draw; retrograde
//!   analysis evaluates cycles accordingly (Thompson 1986).
//! - A player who has dropped out has lost.
//! - With three or more players, perhaps no player can force anything. The value is then *open*: it
//!   depends on which winner a player who cannot win himself chooses.
//! - With dice, it is the expected score of the first player: 1 for a win, ½ for a draw.
//! - A single player wins or does not: a draw is an end without a win and scores 0.
//!
//! # Repetition
//!
//! A position is one node whatever its history, and rules of repetition are ignored in the graph.
//! The values are correct nevertheless:
//!
//! - A forced win never repeats a position, since the distance falls with every ply. So it holds
//!   under every rule of repetition.
//! - If the rule makes repetition a draw, a player who can hold a draw in infinite play can hold it
//!   under the rule, too. So a draw holds. Likewise, where the rule always lets the same player
//!   win, a player who can hold infinite play wins; a single player finds the shortest way to it.
//! - If the rule looks at the position or at who repeats it, and positions can repeat, a draw is
//!   not certain: the value is reported as unknown, with the reason. (The general case is the graph
//!   history interaction problem: Akihiro Kishimoto and Martin Müller, *A general solution to the
//!   graph history interaction problem*, AAAI 2004.)
//! - With dice, a rule of repetition limits the number of tries. Scores are reported if their
//!   bounds meet nevertheless; see `interval_iteration`.
//! - If rules depend on more of the past than repetition counts (`Rules::depends_on_past`), a node
//!   is a position with its past.
//! - The plies before the starting position count: if a position has occurred so often that the
//!   rule ends the game at its next occurrence, that occurrence is a result.

mod alternation;
mod best_line;
mod by_history;
mod canonical;
mod certificate;
mod components;
mod dead_pieces;
mod filling;
mod graph;
mod image;
mod interval_iteration;
mod key;
mod lookahead;
mod memory;
mod number_search;
mod number_table;
mod packed;
mod placing;
mod ply_order;
mod proof;
mod proof_by_numbers;
mod proof_helper;
mod proof_search;
mod proof_solution;
pub mod proof_table;
mod repetition;
mod retrograde;
pub mod symmetry;
mod table;
pub mod tags;
mod verdict;

pub use crate::budget::{Instant, RanOut};
pub use canonical::{Canonicalizer, symmetries_of};
pub use table::{Table, tabulate};

use crate::budget::{Deadline, MemoryBudget};
use crate::engine::game::{Fault, Move, State};
use crate::engine::position::Outcome;
use crate::language::rules::PlayerId;
use crate::verify::Certificate;
use alternation::Place;
use std::time::Duration;

/// Upper limit of the plies between two clock readings; one ply may be expensive.
const PLIES_BETWEEN_CLOCK_CHECKS: u32 = 32;

/// Positions between two checks of [`SolveLimits::positions`].
pub const POSITIONS_BETWEEN_CHECKS: u32 = 1 << 7;

/// The resources that a solver may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolveLimits {
    /// In bytes; covers all stored positions and tables.
    pub memory: u64,
    /// Unlimited if `None`.
    pub time: Option<Duration>,
    /// Stops after exploring about this many positions and searching as many for a proof, with
    /// [`RanOut::Steps`]; unlimited if `None`. Unlike a time limit it stops at the same position on
    /// every computer.
    pub positions: Option<u64>,
    /// Stops likewise after about this many plies; unlimited if `None`. Where a position may have
    /// hundreds of thousands of plies, a number of positions does not limit the time.
    pub plies: Option<u64>,
    /// Whether symmetric positions count as one.
    pub symmetric: bool,
    /// The number of threads that search for a proof. It affects only the time.
    pub threads: usize,
    /// Whether proofs are searched by numbers alone, as long as no position repeats: this finds
    /// some long narrow proofs sooner, as of races, and others later.
    pub by_numbers: bool,
}

impl Default for SolveLimits {
    /// 2 GiB, ten minutes, every symmetry, and one thread.
    fn default() -> Self {
        SolveLimits {
            memory: 2 << 30,
            time: Some(Duration::from_secs(600)),
            positions: None,
            plies: None,
            symmetric: true,
            threads: 1,
            by_numbers: false,
        }
    }
}

/// The value of a position under best play. Players are persons: after a swap by the pie rule, a
/// person wins if the other colour does. In games with teams, players stand for the numbers of
/// [teams](crate::language::rules::Teams).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// The player can force a win.
    Win(PlayerId),
    /// No player can force a win, and every player can force at least a draw.
    Draw,
    /// Three or more players: none can force a win, and not every player can force a draw.
    Open,
    /// Games with dice: the expected score of the first player. The second player's is 1 minus it.
    Score(f64),
    Unknown(Unknown),
}

/// Why a value is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    RanOut(RanOut),
    /// No player can force a win without a repetition, and the result of a repetition depends on
    /// the position or on who repeats it.
    Repetition,
    /// Dice, positions that can repeat, and a rule of repetition.
    DiceRepetition,
    /// The rules depend on more of the past than how often whole positions have occurred, and there
    /// are dice, or three players or more.
    Past,
    /// Dice and three or more players: there is no single value.
    DiceForMany,
    /// Dice, and play that can be infinite whatever numbers they show.
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
    Repeats(usize),
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
    /// `None` also if proof search found the value, and if a repetition might win sooner.
    pub distance: Option<u32>,
    /// Every legal first move, sorted by spelling. After proof search, some values may be unknown
    /// for lack of time or positions.
    pub first: Vec<FirstMove>,
    /// A line of best play.
    pub line: Vec<Move>,
    pub ending: Ending,
    /// The number of distinct reachable positions if [`acyclic`](Self::acyclic) is known; otherwise
    /// the number of positions that proof search expanded, repeats included.
    pub nodes: u64,
    /// The number of plies that were tried.
    pub plies: u64,
    /// The number of symmetries of board and rules that were used, including the identity.
    pub symmetries: usize,
    /// Whether no position can occur twice from here on; known only if all positions were explored.
    pub acyclic: Option<bool>,
    /// The longest possible play in plies, if no play is infinite.
    pub longest: Option<u32>,
    /// Whether every best play is infinite, which is a draw: for ever, or until the rule of
    /// repetition applies.
    pub goes_round: bool,
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
    /// The value, once proof search has found it. The values of the first moves and a line follow.
    pub value: Option<Value>,
}

/// Solves the position of a state. Calls `tell` at intervals with the progress, and when the value
/// is found but not yet the values of the first moves; if it returns false, everything still
/// unknown stays unknown, because of [`RanOut::Cancelled`].
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
/// If the rules do not terminate in a position of the search.
pub fn solve(
    from: &State,
    limits: &SolveLimits,
    tell: &mut dyn FnMut(&Progress) -> bool,
) -> Result<Solution, Fault> {
    certified(from, limits, None, tell)
}

/// As [`solve`], and if there is a place for it, writes a certificate of the value, for
/// [`verify`](crate::verify), as far as memory and time allow.
///
/// # Errors
/// As [`solve`].
pub fn certified(
    from: &State,
    limits: &SolveLimits,
    place: Option<&mut Option<Certificate>>,
    tell: &mut dyn FnMut(&Progress) -> bool,
) -> Result<Solution, Fault> {
    let mut clock = Clock::new(limits, tell);
    let solved = match is_provable(from) {
        _ if depends_on_past(from) => by_history::solve(from, limits, &mut clock),
        true => alternation::solve(from, limits, place, &mut clock),
        false => explored(from, limits, place, &mut clock),
    };
    finished(from, solved, &clock)
}

/// As [`solve`], by proof search alone: it finds who wins where exploring all positions takes too
/// long, but not in how many plies. For games of three or more players, or with dice, it finds
/// nothing.
///
/// # Errors
/// As [`solve`].
pub fn prove(
    from: &State,
    limits: &SolveLimits,
    tell: &mut dyn FnMut(&Progress) -> bool,
) -> Result<Solution, Fault> {
    prove_certified(from, limits, None, tell)
}

/// As [`prove`], with a certificate as in [`certified`].
///
/// # Errors
/// As [`solve`].
pub fn prove_certified(
    from: &State,
    limits: &SolveLimits,
    place: Option<&mut Option<Certificate>>,
    tell: &mut dyn FnMut(&Progress) -> bool,
) -> Result<Solution, Fault> {
    let mut clock = Clock::new(limits, tell);
    let solved = match is_provable(from) {
        _ if depends_on_past(from) => by_history::solve(from, limits, &mut clock),
        true => alternation::solve_by_proof(from, limits, place, &mut clock),
        false => Err(Stopped::RanOut(RanOut::Cancelled)),
    };
    finished(from, solved, &clock)
}

/// Tests if a position with another past is another node.
fn depends_on_past(from: &State) -> bool {
    from.game().rules().depends_on_past()
}

/// Tests if proof search can decide a game: at most two teams and no dice.
fn is_provable(from: &State) -> bool {
    from.game().rules().teams.count() <= 2
        && from.game().decisions().iter().all(|decision| decision.mover.is_some())
}

/// Tests if images of a position may be identified with it. Repetition counts distinguish them, so
/// no symmetry is used if the next repetition could end the game.
fn is_symmetric(from: &State, limits: &SolveLimits) -> bool {
    let rules = from.game().rules();
    // A single player may win by repeating a position itself, but not by reaching its image.
    let wins_alone = rules.players.len() == 1
        && matches!(repetition::EndlessPlay::of(rules), repetition::EndlessPlay::Win(_));
    let rule = rules.repetition.as_ref();
    limits.symmetric
        && !wins_alone
        && rule.is_none_or(|rule| from.max_repetitions() + 1 < rule.times as usize)
}

fn finished(
    from: &State,
    solved: Result<Solution, Stopped>,
    clock: &Clock,
) -> Result<Solution, Fault> {
    let solution = match solved {
        Ok(solution) => solution,
        Err(Stopped::RanOut(ran_out)) => {
            best_line::unknown(from, Unknown::RanOut(ran_out), clock.nodes + clock.elsewhere)
        }
        Err(Stopped::Fault(fault)) => return Err(fault),
    };
    let seconds = clock.began.elapsed().as_secs_f64();
    Ok(Solution { plies: clock.plies, seconds, ..solution })
}

/// Writes the certificate of a value, if there is a place for it. If memory or time runs out
/// meanwhile, the value remains.
fn certify(
    from: &State,
    value: Value,
    oracle: &mut dyn certificate::Oracle,
    place: Place,
    memory_budget: &mut MemoryBudget,
    clock: &mut Clock,
) -> Result<(), Stopped> {
    let Some(place) = place else { return Ok(()) };
    match certificate::certificate(from, value, oracle, memory_budget, clock) {
        Ok(written) => *place = written,
        Err(Stopped::RanOut(_)) => {}
        Err(stopped) => return Err(stopped),
    }
    Ok(())
}

/// Solves by exploring every position.
fn explored(
    from: &State,
    limits: &SolveLimits,
    place: Place,
    clock: &mut Clock,
) -> Result<Solution, Stopped> {
    let mut memory_budget = MemoryBudget::new(limits.memory);
    let symmetric = is_symmetric(from, limits);
    let exploration = verdict::Verdicts::exploration(from, symmetric, &mut memory_budget)?;
    alternation::evaluate(from, exploration, place, &mut memory_budget, clock)
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

/// Fails if the rules did not terminate at a position or after a ply looked at from there. Called
/// after each ply: the other plies may hang too, and would use up the time before the fault is
/// told.
fn check_fault(state: &State) -> Result<(), Stopped> {
    state.fault().map_or(Ok(()), |fault| Err(Stopped::Fault(fault)))
}

/// Enforces the limits of time, positions and plies, and reports progress.
struct Clock<'t> {
    began: Instant,
    deadline: Deadline,
    positions: Option<u64>,
    /// The number of plies so far, and its limit.
    plies: u64,
    most_plies: u64,
    ticks: u32,
    /// Positions found at the last check.
    nodes: u64,
    /// Positions found by the other method, which are reported but do not count for the limit.
    elsewhere: u64,
    /// The value of the first position, once it is found.
    value: Option<Value>,
    tell: &'t mut dyn FnMut(&Progress) -> bool,
}

impl<'t> Clock<'t> {
    fn new(limits: &SolveLimits, tell: &'t mut dyn FnMut(&Progress) -> bool) -> Clock<'t> {
        let mut clock = Clock {
            began: Instant::now(),
            deadline: Deadline::default(),
            positions: limits.positions,
            plies: 0,
            most_plies: limits.plies.unwrap_or(u64::MAX),
            ticks: 0,
            nodes: 0,
            elsewhere: 0,
            value: None,
            tell,
        };
        let until = limits.time.and_then(|time| clock.began.checked_add(time));
        clock.deadline = Deadline::paced(until, PLIES_BETWEEN_CLOCK_CHECKS);
        clock
    }

    /// Makes a clock without a time limit that reports to this function.
    fn free(tell: &'t mut dyn FnMut(&Progress) -> bool) -> Clock<'t> {
        Clock::new(&SolveLimits { time: None, ..SolveLimits::default() }, tell)
    }

    /// Counts one more position, and checks the limits at intervals.
    ///
    /// # Errors
    /// Returns the exhausted limit, or [`RanOut::Cancelled`].
    #[inline(always)]
    fn tick(&mut self, nodes: u64) -> Result<(), RanOut> {
        self.ticks = self.ticks.wrapping_add(1);
        if self.ticks.is_multiple_of(POSITIONS_BETWEEN_CHECKS)
            && self.positions.is_some_and(|most| nodes > most)
        {
            return Err(RanOut::Steps);
        }
        self.poll(nodes)
    }

    /// Counts one more ply, and at intervals checks the time and reports progress.
    ///
    /// # Errors
    /// Returns [`RanOut::Time`], [`RanOut::Steps`] if there were too many plies, or
    /// [`RanOut::Cancelled`] if the callback asks to stop.
    #[inline(always)]
    fn pass(&mut self, nodes: u64) -> Result<(), RanOut> {
        if self.plies >= self.most_plies {
            return Err(RanOut::Steps);
        }
        self.plies += 1;
        self.poll(nodes)
    }

    #[inline(always)]
    fn poll(&mut self, nodes: u64) -> Result<(), RanOut> {
        self.nodes = nodes;
        self.deadline.poll().map_or(Ok(()), |is_over| self.look(is_over))
    }

    #[cold]
    fn look(&mut self, is_over: bool) -> Result<(), RanOut> {
        if is_over {
            return Err(RanOut::Time);
        }
        self.tell()
    }

    /// Reports the value of the first position.
    ///
    /// # Errors
    /// Returns [`RanOut::Cancelled`] if the callback asks to stop.
    fn tell_value(&mut self, value: Value) -> Result<(), RanOut> {
        self.value = Some(value);
        self.tell()
    }

    fn tell(&mut self) -> Result<(), RanOut> {
        let Clock { nodes, elsewhere, value, .. } = *self;
        let seconds = self.began.elapsed().as_secs_f64();
        if (self.tell)(&Progress { nodes: nodes + elsewhere, seconds, value }) {
            Ok(())
        } else {
            Err(RanOut::Cancelled)
        }
    }
}
