//! Solves games whose rules depend on more of the past than repetition counts: at most two players,
//! no dice.
//!
//! A node is a position together with its past, so that no play comes back to a node. Whether the
//! first person wins, and whether he does not lose, are two questions with yes or no, answered by
//! [proof-number search](super::number_search) with a table that keeps every node. There are far
//! more nodes than positions: only games that a short proof decides, or tiny ones, can be solved.

use super::number_search::{Expansion, Graph, NumberSearch, Numbers, Open};
use super::{
    Clock, Ending, Solution, SolveLimits, Stopped, Unknown, Value, best_line, check_fault,
};
use crate::budget::{MemoryBudget, RanOut};
use crate::engine::PackedMove;
use crate::engine::game::{State, Turn};
use crate::engine::position::Outcome;
use crate::engine::state::Mark;
use crate::language::rules::PlayerId;
use rustc_hash::FxHashMap;

/// The longest play that is searched, in plies: the whole history of each of its positions is kept.
const MAX_DEPTH: usize = 500;
/// The approximate size of a table entry in bytes.
const ENTRY: u64 = 80;

/// A value: 1 if the first person wins, -1 if he loses, 0 for a draw.
type Score = i8;

/// The search.
struct HistorySearch<'c, 't> {
    state: State,
    /// By node and the least score in question.
    known: FxHashMap<(u128, Score), Numbers>,
    /// The least score in question.
    least: Score,
    /// The positions on the path, each with its history.
    path: Vec<Mark>,
    /// The plies to the open nodes.
    plies: Vec<PackedMove>,
    memory: MemoryBudget,
    clock: &'c mut Clock<'t>,
}

/// Solves a game whose rules depend on more of the past than repetition counts.
pub(super) fn solve(
    from: &State,
    limits: &SolveLimits,
    clock: &mut Clock,
) -> Result<Solution, Stopped> {
    let rules = from.game().rules();
    let has_dice = from.game().decisions().iter().any(|decision| decision.mover.is_none());
    if rules.teams.count() > 2 || has_dice {
        return Ok(best_line::unknown(from, Unknown::Past, 0));
    }
    let memory = MemoryBudget::new(limits.memory);
    let known = FxHashMap::default();
    let (path, plies) = (Vec::new(), Vec::new());
    let mut search =
        HistorySearch { state: from.clone(), known, least: 0, path, plies, memory, clock };
    let total = search.score(from)?;
    let mut solution = best_line::unknown(from, Unknown::Past, 0);
    solution.value = value(total, rules.teams.count());
    solution.ending = from.outcome().map_or(Ending::Open, Ending::Over);
    // The value is known, even if the first moves and the line take too long.
    match search.describe(from, total, &mut solution) {
        Ok(()) | Err(Stopped::RanOut(_)) => {}
        Err(stopped) => return Err(stopped),
    }
    solution.nodes = search.known.len() as u64;
    Ok(solution)
}

impl HistorySearch<'_, '_> {
    /// Finds a line of best play and the values of the first moves.
    fn describe(
        &mut self,
        from: &State,
        total: Score,
        solution: &mut Solution,
    ) -> Result<(), Stopped> {
        let players = from.game().rules().teams.count();
        self.follow(from.clone(), total, solution)?;
        for (index, after) in best_line::after_each(from).enumerate() {
            let (_, after) = after.map_err(Stopped::Fault)?;
            let score = self.score(&after);
            let first = &mut solution.first[index];
            first.value = match score {
                Ok(score) => value(score, players),
                Err(Stopped::RanOut(ran_out)) => Value::Unknown(Unknown::RanOut(ran_out)),
                Err(stopped) => return Err(stopped),
            };
            first.optimal = first.value == solution.value;
        }
        Ok(())
    }

    /// Appends best play to the line.
    fn follow(
        &mut self,
        mut state: State,
        total: Score,
        solution: &mut Solution,
    ) -> Result<(), Stopped> {
        while state.outcome().is_none() && solution.line.len() < MAX_DEPTH {
            let wants_more = side(&state) == 1;
            let mut best = None;
            for after in best_line::after_each(&state) {
                let (ply, after) = after.map_err(Stopped::Fault)?;
                self.clock.pass(self.known.len() as u64)?;
                // The first person keeps at least the value, the second allows him no more.
                let keeps = match wants_more {
                    true => self.is_at_least(&after, total)?,
                    false => !self.is_at_least(&after, total + 1)?,
                };
                if keeps {
                    best = Some((ply, after));
                    break;
                }
            }
            let Some((ply, after)) = best else { return Ok(()) };
            solution.line.push(ply);
            state = after;
        }
        solution.ending = state.outcome().map_or(Ending::Open, Ending::Over);
        Ok(())
    }

    /// Returns the value of a state.
    fn score(&mut self, of: &State) -> Result<Score, Stopped> {
        if self.is_at_least(of, 1)? {
            return Ok(1);
        }
        // A single player who does not win has a draw.
        let alone = of.game().rules().players.len() == 1;
        Ok(if alone || self.is_at_least(of, 0)? { 0 } else { -1 })
    }

    /// Tests if the first person can get at least this score.
    fn is_at_least(&mut self, of: &State, least: Score) -> Result<bool, Stopped> {
        if let Some(over) = of.team_outcome() {
            return Ok(result(over) >= least);
        }
        if !(0..=1).contains(&least) {
            return Ok(least < 0);
        }
        self.state.return_to(&of.mark());
        self.least = least;
        self.path.clear();
        self.plies.clear();
        let mut search = NumberSearch::new();
        search.begin(self.state.situation_key());
        Ok(search.search(self, u64::MAX)?.unwrap_or_default())
    }

    fn enter(&mut self, key: u128, numbers: Numbers) -> Result<(), Stopped> {
        if self.known.insert((key, self.least), numbers).is_none() {
            self.memory.take(ENTRY)?;
        }
        Ok(())
    }

    fn numbers(&self, key: u128) -> Option<Numbers> {
        self.known.get(&(key, self.least)).copied()
    }

    /// Lists the nodes after each ply, up to the first with the answer that the player to act
    /// wants.
    fn list(
        &mut self,
        mark: &Mark,
        wants: bool,
        open: &mut Vec<Open<u128>>,
    ) -> Result<bool, Stopped> {
        let plies = self.state.candidates();
        check_fault(&self.state)?;
        for ply in plies {
            self.clock.pass(self.known.len() as u64)?;
            self.state.advance_from(mark.position(), mark.history(), ply);
            check_fault(&self.state)?;
            let key = self.state.situation_key();
            let known = self.numbers(key);
            let over = self.state.team_outcome().map(|over| result(over) >= self.least);
            match over.or_else(|| known?.answer()) {
                Some(answer) if answer == wants => return Ok(true),
                Some(_) => {}
                None => {
                    let wants = side(&self.state) == 1;
                    let unknown = || Numbers::open(wants, self.state.move_count_bound());
                    open.push(Open { key, numbers: known.unwrap_or_else(unknown) });
                    self.plies.push(ply);
                }
            }
        }
        Ok(false)
    }
}

impl Graph for HistorySearch<'_, '_> {
    type Key = u128;
    type Answer = bool;

    fn expand(
        &mut self,
        key: u128,
        open: &mut Vec<Open<u128>>,
    ) -> Result<Expansion<bool>, Stopped> {
        if let Some(answer) = self.numbers(key).and_then(Numbers::answer) {
            return Ok(Expansion::Settled(answer));
        }
        if self.path.len() >= MAX_DEPTH {
            return Err(Stopped::RanOut(RanOut::Steps));
        }
        self.clock.tick(self.known.len() as u64)?;
        let (mark, first) = (self.state.mark(), open.len());
        // The first person wants a yes.
        let wants = side(&self.state) == 1;
        if self.list(&mark, wants, open)? {
            open.truncate(first);
            self.plies.truncate(first);
            self.enter(key, Numbers::decided(wants))?;
            return Ok(Expansion::Settled(wants));
        }
        self.path.push(mark);
        Ok(Expansion::Open { wants, otherwise: !wants })
    }

    fn go_to(&mut self, place: usize) {
        if let Some(mark) = self.path.last() {
            self.state.advance_from(mark.position(), mark.history(), self.plies[place]);
        }
    }

    fn leave(&mut self, _: u128, open: usize) {
        self.path.pop();
        self.plies.truncate(open);
    }

    fn keep(&mut self, key: u128, answer: bool, _: u64) -> Result<(), Stopped> {
        self.enter(key, Numbers::decided(answer))
    }

    fn note(&mut self, key: u128, numbers: Numbers) -> Result<(), Stopped> {
        self.enter(key, numbers)
    }

    fn is_yes(&self, answer: bool) -> bool {
        answer
    }

    fn both(&self, one: bool, _: bool) -> bool {
        one
    }
}

/// Returns the side of the team to act.
fn side(state: &State) -> Score {
    if state.team_turn() == Turn::Player(PlayerId(1)) { -1 } else { 1 }
}

/// Returns the value of a result.
fn result(over: Outcome) -> Score {
    match over {
        Outcome::Win(PlayerId(0)) => 1,
        Outcome::Win(_) => -1,
        Outcome::Draw | Outcome::Shared(_) => 0,
    }
}

/// Returns the value that a score stands for; a single player who does not win has a draw.
fn value(score: Score, players: usize) -> Value {
    match score {
        1 => Value::Win(PlayerId(0)),
        0 => Value::Draw,
        _ if players == 1 => Value::Draw,
        _ => Value::Win(PlayerId(1)),
    }
}
