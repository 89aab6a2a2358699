//! Solves games in which more of the past matters than how often whole positions have occurred: at
//! most two players, no dice.
//!
//! A node is a position together with its past, so that no play comes back to a node. Whether the
//! first person wins, and whether he does not lose, are two questions with yes or no, answered by
//! depth-first proof-number search (Ayumu Nagai, *Df-pn Algorithm for Searching AND/OR Trees and Its
//! Applications*, University of Tokyo, 2002) with a table that keeps every node. There are far more
//! nodes than positions: only games that a short proof decides, or tiny ones, can be solved.

use super::{Clock, Ending, Solution, SolveLimits, Stopped, Unknown, Value, best_line};
use crate::budget::{MemoryBudget, RanOut};
use crate::engine::PackedMove;
use crate::engine::game::{State, Turn};
use crate::engine::position::Outcome;
use crate::engine::state::Mark;
use crate::language::rules::PlayerId;
use rustc_hash::FxHashMap;

/// The longest play that is searched, in plies: each takes a frame of the stack.
const MAX_DEPTH: usize = 500;
/// About what an entry of the table takes, in bytes.
const ENTRY: u64 = 80;
/// The number of a proof or refutation that is impossible.
const IMPOSSIBLE: u32 = u32::MAX;

/// A value: 1 if the first person wins, -1 if he loses, 0 for a draw.
type Score = i8;

/// How many nodes, at the least, are still to be decided to answer a question by yes and by no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Numbers {
    yes: u32,
    no: u32,
}

impl Numbers {
    const OPEN: Numbers = Numbers { yes: 1, no: 1 };

    fn decided(answer: bool) -> Numbers {
        match answer {
            true => Numbers { yes: 0, no: IMPOSSIBLE },
            false => Numbers { yes: IMPOSSIBLE, no: 0 },
        }
    }

    /// Returns the answer if there is one.
    fn answer(self) -> Option<bool> {
        match self {
            Numbers { yes: 0, .. } => Some(true),
            Numbers { no: 0, .. } => Some(false),
            _ => None,
        }
    }

    /// Exchanges yes and no unless `keeps`: then `yes` is what the person to act wants.
    fn seen_by(self, keeps: bool) -> Numbers {
        if keeps { self } else { Numbers { yes: self.no, no: self.yes } }
    }
}

/// A node one ply ahead.
struct Child {
    ply: PackedMove,
    key: u128,
    /// The answer if the game is over there.
    over: Option<bool>,
}

/// The search.
struct HistorySearch<'c, 't> {
    state: State,
    /// By node and least score that is asked for.
    known: FxHashMap<(u128, Score), Numbers>,
    memory: MemoryBudget,
    clock: &'c mut Clock<'t>,
}

/// Solves such a game.
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
    let mut search = HistorySearch { state: from.clone(), known, memory, clock };
    let total = search.score(from)?;
    let mut solution = best_line::unknown(from, Unknown::Past, 0);
    solution.value = value(total, rules.teams.count());
    solution.ending = from.outcome().map_or(Ending::Open, Ending::Over);
    // The value is known, even if what follows takes too long.
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
                // The first person keeps at least the value, the second lets him have no more.
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

    /// Tests if the first person can get that much.
    fn is_at_least(&mut self, of: &State, least: Score) -> Result<bool, Stopped> {
        if let Some(over) = of.team_outcome() {
            return Ok(result(over) >= least);
        }
        if !(0..=1).contains(&least) {
            return Ok(least < 0);
        }
        self.state.return_to(&of.mark());
        let most = Numbers { yes: IMPOSSIBLE, no: IMPOSSIBLE };
        let key = self.state.situation_key();
        loop {
            if let Some(answer) = self.known.get(&(key, least)).and_then(|known| known.answer()) {
                return Ok(answer);
            }
            self.state.return_to(&of.mark());
            self.search(key, least, most, 0)?;
        }
    }

    /// Searches from the state until a number reaches its limit, and enters the numbers.
    fn search(
        &mut self,
        key: u128,
        least: Score,
        limit: Numbers,
        depth: usize,
    ) -> Result<(), Stopped> {
        if depth >= MAX_DEPTH {
            return Err(Stopped::RanOut(RanOut::Steps));
        }
        self.clock.tick(self.known.len() as u64)?;
        let mark = self.state.mark();
        // The first person wants a yes.
        let wants = side(&self.state) == 1;
        let limit = limit.seen_by(wants);
        let children = self.children(&mark, least)?;
        loop {
            let (mut best, mut least_yes, mut second) = (0, IMPOSSIBLE, IMPOSSIBLE);
            let mut no = 0u32;
            for (index, child) in children.iter().enumerate() {
                let numbers = self.numbers(child, least).seen_by(wants);
                if numbers.yes < least_yes {
                    (best, least_yes, second) = (index, numbers.yes, least_yes);
                } else {
                    second = second.min(numbers.yes);
                }
                no = match numbers.no {
                    IMPOSSIBLE => IMPOSSIBLE,
                    more if no == IMPOSSIBLE || more == 0 => no,
                    more => no.saturating_add(more).min(IMPOSSIBLE - 1),
                };
            }
            let numbers = Numbers { yes: least_yes, no };
            let is_over = numbers.answer().is_some();
            if is_over || numbers.yes >= limit.yes || numbers.no >= limit.no {
                if self.known.insert((key, least), numbers.seen_by(wants)).is_none() {
                    self.memory.take(ENTRY)?;
                }
                return Ok(());
            }
            let child = &children[best];
            let own = self.numbers(child, least).seen_by(wants);
            let child_limit = Numbers {
                yes: limit.yes.min(second.saturating_add(1)),
                no: match limit.no {
                    IMPOSSIBLE => IMPOSSIBLE,
                    most => most - (numbers.no - own.no),
                },
            };
            self.clock.pass(self.known.len() as u64)?;
            self.state.advance_from(mark.position(), mark.history(), child.ply);
            self.search(child.key, least, child_limit.seen_by(wants), depth + 1)?;
        }
    }

    /// Lists the nodes after each ply.
    fn children(&mut self, mark: &Mark, least: Score) -> Result<Vec<Child>, Stopped> {
        let plies = self.state.candidates();
        super::check_fault(&self.state)?;
        let mut children = Vec::with_capacity(plies.len());
        for ply in plies {
            self.clock.pass(self.known.len() as u64)?;
            self.state.advance_from(mark.position(), mark.history(), ply);
            super::check_fault(&self.state)?;
            let over = self.state.team_outcome().map(|over| result(over) >= least);
            children.push(Child { ply, key: self.state.situation_key(), over });
        }
        Ok(children)
    }

    fn numbers(&self, child: &Child, least: Score) -> Numbers {
        match child.over {
            Some(answer) => Numbers::decided(answer),
            None => self.known.get(&(child.key, least)).copied().unwrap_or(Numbers::OPEN),
        }
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

/// Returns what a value means; a single player who does not win has a draw.
fn value(score: Score, players: usize) -> Value {
    match score {
        1 => Value::Win(PlayerId(0)),
        0 => Value::Draw,
        _ if players == 1 => Value::Draw,
        _ => Value::Win(PlayerId(1)),
    }
}
