//! Decides if two games are the same, under a given renaming.
//!
//! The result is exact where all reachable pairs of positions fit into memory and time: the games
//! are the same, or a shortest sequence of plies leads to a difference. Otherwise random games look
//! for a difference, which is then shortened.
//!
//! Two positions agree if the same pieces of the same owners are on the same sites; the same sites
//! are cut; all memories that both games show under the same name have the same value; the same
//! player (or chance) is to act; the same moves are legal; and the games have the same result or
//! are both in progress. Games are the same if the positions after the same moves always agree.
//!
//! - [`names`]: which names correspond; `matching`: finds renamings.
//! - `lockstep`: plays both games at once; `search`: exact breadth-first search; `random_walk`:
//!   random games, and shortening.
//! - `divergence`, [`mod@reasons`]: the differences, and the clauses that cause them.
//! - [`mod@leave_out`]: a game compared with itself, without one of its rules.
//!
//! ```
//! use ludwright::compare::{CompareLimits, Names, compare};
//!
//! let text = |number: u32| format!(r#"(game "Fill" (players A B) (board (square 2)) (piece Stone)
//!   (move place (to t (empty)) (put Stone t))
//!   (play (turns (choose place)))
//!   (end (if (>= (count (pieces Stone)) {number}) (win mover))))"#);
//! let (left, right) = (ludwright::load(&*text(3), &[])?, ludwright::load(&*text(4), &[])?);
//! let names = Names::new(left.rules(), right.rules(), &[]).expect("the same board and players");
//! let found = compare(&left, &right, &names, &CompareLimits::default(), &mut |_| {}).expect("both go on");
//! let difference = found.difference.expect("three stones are enough for one of them");
//! assert_eq!((difference.left.ply_count(), difference.is_shortest), (3, true));
//! assert_eq!(difference.divergence.result.expect("one is over"), ["A wins", "unfinished"]);
//! # Ok::<(), ludwright::LoadError>(())
//! ```

mod divergence;
pub mod leave_out;
mod lockstep;
mod matching;
pub mod names;
mod random_walk;
pub mod reasons;
mod search;

pub use divergence::Divergence;
pub use matching::{TooManyMatchings, match_names};
pub use names::{Incompatible, Names, Namespace, Renaming, UnmatchedName};
pub use reasons::{Reason, ToldStory, reasons};

use crate::budget::{Deadline, Instant, MemoryBudget};
use crate::engine::game::{Fault, Game, Move, State};
use crate::notation::spell;
use lockstep::{Halt, Pair};
use random_walk::{Lost, follow, random_walk, shorten};
use search::{HistoryMode, Search, SearchBudget, SearchEnd, SearchResult, Stopped};
use std::time::Duration;

/// The limits of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct CompareLimits {
    /// The time limit; unlimited if `None`. Exact search takes at most half of it.
    pub time: Option<Duration>,
    /// The most pairs of positions of each search; unlimited if `None`. Unlike a time limit, this
    /// limit stops at the same pair on every computer.
    pub positions: Option<u64>,
    /// The memory limit in bytes, approximately.
    pub memory: u64,
    /// Random games if exact search is incomplete.
    pub games: u32,
    pub seed: u64,
}

impl Default for CompareLimits {
    fn default() -> CompareLimits {
        CompareLimits {
            time: Some(Duration::from_secs(60)),
            positions: None,
            memory: 1 << 30,
            games: 1000,
            seed: 1,
        }
    }
}

impl CompareLimits {
    /// The deadline at a share of the time.
    fn deadline(&self, begun: Instant, share: f64) -> Deadline {
        Deadline::at(self.time.and_then(|time| begun.checked_add(time.mul_f64(share))))
    }
}

/// One of the two games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Left,
    Right,
}

/// The progress of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Names are being matched.
    Matching {
        tried: usize,
        of: usize,
    },
    Searching {
        positions: u64,
        depth: u32,
    },
    Playing {
        games: u32,
    },
    Shortening {
        plies: usize,
    },
}

/// Why exact search is incomplete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incomplete {
    OfTime,
    OfMemory,
    OfPositions,
}

/// The result of a comparison.
pub struct Comparison {
    /// `None` if no difference was found.
    pub difference: Option<Difference>,
    /// Pairs of positions searched. If the games are the same and share all memories, this is the
    /// number of reachable positions.
    pub positions: u64,
    /// All pairs up to this depth in plies were searched.
    pub depth: u32,
    /// Why the search is incomplete; `None` if it is complete.
    pub short: Option<Incomplete>,
    /// Random games played afterwards, and their plies.
    pub games: u32,
    pub plies: u64,
}

/// Two positions that differ, after the same plies in both games.
pub struct Difference {
    pub left: State,
    pub right: State,
    /// Whether no shorter sequence leads to a difference.
    pub is_shortest: bool,
    pub divergence: Divergence,
}

/// Rules that do not terminate, so that the games cannot be compared.
#[derive(Clone, Debug)]
pub struct Stuck {
    pub side: Side,
    pub fault: Fault,
    /// The plies before, in the left game's spelling.
    pub plies: Vec<String>,
}

impl Comparison {
    /// Tests if the games are the same, up to the error probability of [`Comparison::confusion`].
    pub fn is_same(&self) -> bool {
        self.difference.is_none() && self.short.is_none()
    }

    /// Returns the binary logarithm of an upper bound on the probability of a collision among the
    /// 128-bit keys of the searched pairs (birthday bound).
    pub fn confusion(&self) -> f64 {
        2.0 * (self.positions.max(1) as f64).log2() - 129.0
    }
}

/// Compares two games. The result is deterministic unless time runs out.
///
/// # Errors
/// Returns [`Stuck`] if the rules of a game do not terminate.
pub fn compare(
    left: &Game,
    right: &Game,
    names: &Names,
    limits: &CompareLimits,
    watch: &mut dyn FnMut(Progress),
) -> Result<Comparison, Stuck> {
    let begun = Instant::now();
    let begin =
        |game: &Game, side| game.begin().map_err(|fault| Stuck { side, fault, plies: Vec::new() });
    let starts = [begin(left, Side::Left)?, begin(right, Side::Right)?];
    let mut pair = Pair::new(names, &starts[0], &starts[1]);
    let (searched, mut difference) =
        search(&mut pair, limits, begun, watch).map_err(|lost| stuck(left, lost))?;
    let short = match searched.end {
        _ if difference.is_some() => None,
        SearchEnd::OutOfTime => Some(Incomplete::OfTime),
        SearchEnd::OutOfMemory => Some(Incomplete::OfMemory),
        SearchEnd::OutOfPositions => Some(Incomplete::OfPositions),
        SearchEnd::Complete | SearchEnd::Differs(_) | SearchEnd::Uncertain => None,
    };
    let mut comparison = Comparison {
        difference: None,
        positions: searched.positions,
        depth: searched.depth,
        short,
        games: 0,
        plies: 0,
    };
    if short.is_some() {
        let deadline = limits.deadline(begun, 0.85);
        let mut playing = |games| watch(Progress::Playing { games });
        let walk = random_walk(&mut pair, limits.games, limits.seed, deadline, &mut playing)
            .map_err(|lost| stuck(left, lost))?;
        (comparison.games, comparison.plies) = (walk.games, walk.plies);
        difference = walk.difference.map(|plies| {
            let mut shortening = |plies| watch(Progress::Shortening { plies });
            let (plies, is_shortest) =
                shorten(&mut pair, plies, &mut limits.deadline(begun, 1.0), &mut shortening);
            let is_shortest = is_shortest || plies.len() as u64 <= u64::from(searched.depth) + 1;
            (plies, is_shortest)
        });
    }
    comparison.difference = difference.map(|(plies, is_shortest)| {
        let [left, right] = replay(names, starts, &plies);
        let divergence = Divergence::between(names, &left, &right);
        Difference { left, right, is_shortest, divergence }
    });
    Ok(comparison)
}

/// The plies that lead to a difference, and whether no shorter sequence does.
type PathToDifference = (Vec<Move>, bool);

/// Searches for a difference. History is ignored at first and tracked only if it can matter.
fn search(
    pair: &mut Pair,
    limits: &CompareLimits,
    begun: Instant,
    watch: &mut dyn FnMut(Progress),
) -> Result<(SearchResult, Option<PathToDifference>), Lost> {
    let mut watch = |positions, depth| watch(Progress::Searching { positions, depth });
    let budget = SearchBudget {
        deadline: limits.deadline(begun, 0.5),
        memory: MemoryBudget::new(limits.memory),
        positions: limits.positions.unwrap_or(u64::MAX),
        depth: u32::MAX,
        continue_when_uncertain: false,
    };
    if pair.games().iter().any(|game| game.rules().depends_on_past()) {
        let kept = run(pair, HistoryMode::Kept, &budget, &mut watch)?;
        let plies = difference(pair, &kept)?;
        return Ok((kept, plies.map(|plies| (plies, true))));
    }
    let found = run(pair, HistoryMode::Ignored, &budget, &mut watch)?;
    if found.end != SearchEnd::Uncertain {
        let plies = difference(pair, &found)?;
        return Ok((found, plies.map(|plies| (plies, true))));
    }
    // Repetition can matter. Tracking it is exact but expensive, so it gets a quarter of the time.
    let deadline = limits.deadline(begun, 0.25);
    let kept =
        run(pair, HistoryMode::Kept, &SearchBudget { deadline, ..budget.clone() }, &mut watch)?;
    if matches!(kept.end, SearchEnd::Complete | SearchEnd::Differs(_)) {
        let plies = difference(pair, &kept)?;
        let found = if plies.is_none() {
            run(
                pair,
                HistoryMode::Ignored,
                &SearchBudget { continue_when_uncertain: true, ..budget.clone() },
                &mut watch,
            )?
        } else {
            kept.clone()
        };
        // Reports the number of positions without history, if the search without history completes.
        let found = if found.end == SearchEnd::Complete { found } else { kept };
        return Ok((found, plies.map(|plies| (plies, true))));
    }
    let found = run(
        pair,
        HistoryMode::Ignored,
        &SearchBudget { continue_when_uncertain: true, ..budget },
        &mut watch,
    )?;
    match difference(pair, &found)? {
        Some(plies) => {
            let is_shortest = plies.len() as u64 <= u64::from(kept.depth) + 1;
            Ok((found, Some((plies, is_shortest))))
        }
        None => Ok((SearchResult { end: kept.end, depth: kept.depth, ..found }, None)),
    }
}

fn run(
    pair: &mut Pair,
    past: HistoryMode,
    budget: &SearchBudget,
    watch: &mut dyn FnMut(u64, u32),
) -> Result<SearchResult, Lost> {
    pair.restart();
    Search::new(pair, past).run(budget, watch).map_err(|Stopped { halt, way }| {
        pair.restart();
        match follow(pair, &way) {
            Err(lost) => lost,
            Ok(plies) => Lost { halt, plies: plies.unwrap_or_default() },
        }
    })
}

/// Converts the path that a search found to plies, and replays it with its history.
fn difference(pair: &mut Pair, found: &SearchResult) -> Result<Option<Vec<Move>>, Lost> {
    let SearchEnd::Differs(way) = &found.end else { return Ok(None) };
    pair.restart();
    follow(pair, way)
}

fn stuck(left: &Game, lost: Lost) -> Stuck {
    let Halt { side, fault } = lost.halt;
    Stuck { side, fault, plies: lost.plies.iter().map(|ply| spell(left.rules(), ply)).collect() }
}

/// Replays plies that are legal in both games.
fn replay(names: &Names, starts: [State; 2], plies: &[Move]) -> [State; 2] {
    let [mut left, mut right] = starts;
    for ply in plies {
        let other = right.legal().iter().find(|other| names.ply(other) == *ply).cloned();
        let Some(other) = other else { break };
        if left.play(ply).is_err() || right.play(&other).is_err() {
            break;
        }
    }
    [left, right]
}
