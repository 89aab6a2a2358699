//! Alpha-beta search with a learned evaluation.
//!
//! Principal variation search with iterative deepening (Donald Knuth and Ronald Moore, *An Analysis
//! of Alpha-Beta Pruning*, Artificial Intelligence 6, 1975; Tony Marsland and Murray Campbell,
//! *Parallel Search of Strongly Ordered Game Trees*, ACM Computing Surveys 14, 1982). The
//! ply of the transposition table is tried first, then plies that win at once, then the others by
//! the evaluation of the position after them, or near the leaves by killers and history; late plies
//! are searched less deeply first. A quiescence search may follow captures where the depth ends.
//!
//! A value is from the view of the player to act, so that several plies in one turn need no special
//! case. At a roll the value is the mean chance over all rolls, or over a sample if there are many.
//! With three or more players every player maximizes his own score (max^n: Carol Luckhardt and Keki
//! Irani, AAAI 1986).
//!
//! A limit on iterations counts positions, and gives the same ply everywhere: the search then runs
//! on one thread. With a time limit it may have helpers on other threads, which search the same
//! position and share their results through the tables.

mod exhaustive;
mod helpers;
mod max_n;
mod quiescence;

pub use quiescence::can_settle;

use super::history::place;
use super::mcts::{RootMove, SearchLimits, Thinking};
use super::table::{Bound, EvaluationCache, Known, TranspositionTable};
use crate::budget::Instant;
use crate::engine::PackedMove;
use crate::engine::game::{Fault, State, Turn};
use crate::engine::position::Outcome;
use crate::language::rules::PlayerId;
use crate::learn::network::{MAX_LOGIT, logistic, logit};
use crate::learn::{Evaluation, Scratch};
use crate::random::{Random, mix};
use helpers::{Found, Working};
use quiescence::Quiescence;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

/// The value of a win at the root. A win after n plies is worth n less.
const WIN: i32 = 1_000_000;
/// Values from here on are proven wins.
const PROVEN: i32 = WIN - 10_000;
/// The value of log-odds of one.
const SCALE: f32 = 1_000.0;
const INFINITE: i32 = i32::MAX;
/// The most that the seed adds to the value of a ply at the root if plies are varied.
const LEEWAY: u32 = 60;
/// No search is deeper than this.
const MAX_DEPTH: i32 = 64;
/// From this depth on, plies are ordered by the evaluation.
const ORDERED_DEPTH: i32 = 3;
/// From this depth on, late plies are first searched less deeply.
const REDUCED_DEPTH: i32 = 3;
/// Where there are fewer plies than this, none of them counts as late.
const REDUCED_COUNT: usize = 10;
/// At most this many rolls are searched.
const MAX_ROLLS: usize = 12;
/// The longest principal variation that is returned.
const MAX_LINE: usize = 12;

/// A searcher of the game of its evaluation; it keeps its tables between moves.
pub struct AlphaBeta {
    shared: Shared,
    own: Working,
    /// The working memory of the helpers.
    others: Vec<Working>,
}

/// The data that all threads of a search share.
struct Shared {
    evaluation: Arc<Evaluation>,
    table: TranspositionTable,
    cache: EvaluationCache,
    /// Whether plies that take pieces are followed where the depth ends.
    settles: bool,
    /// Whether the seed decides between plies of nearly the same value.
    is_varied: bool,
}

/// Working memory for a position on the path.
#[derive(Clone, Default)]
struct List {
    plies: Vec<PackedMove>,
    /// Each ply with its rating and its index in the engine's order.
    rated: Vec<(i64, u16, PackedMove)>,
}

/// A search in progress.
struct Search<'s> {
    shared: &'s Shared,
    own: &'s mut Working,
    limits: SearchLimits<'s>,
    /// Ends the search when set.
    ended: &'s AtomicBool,
    scratch: Scratch,
    /// Working memory of the quiescence search, if there is to be one.
    quiescence: Option<Quiescence>,
    players: usize,
    seed: u64,
    /// The positions reached.
    positions: u64,
    /// The number of positions at which the search ends.
    until: u64,
    stopped: bool,
    /// Whether the search goes to the end of the game, and asks only who wins.
    is_exhaustive: bool,
    /// Whether a roll was met: nothing is proven then.
    rolled: bool,
}

/// A ply of the root with its value for the player to act.
#[derive(Clone)]
struct RootPly {
    ply: PackedMove,
    value: i32,
    /// The bonus from the seed, added to the value when plies are compared.
    extra: i32,
    /// The positions searched below it.
    positions: u64,
}

impl RootPly {
    /// Returns the value by which the ply is compared with others. Proven values get no bonus.
    fn rank(&self) -> i32 {
        if self.value.abs() >= PROVEN { self.value } else { self.value + self.extra }
    }
}

impl Shared {
    /// Follows the best plies of the table.
    fn line(&self, state: &mut State, first: Option<PackedMove>) -> Vec<PackedMove> {
        let mut line = Vec::new();
        let mut next = first;
        let mark = state.mark();
        while let Some(ply) = next.filter(|_| line.len() < MAX_LINE) {
            line.push(ply);
            state.advance(ply);
            let is_player = matches!(state.turn(), Turn::Player(_));
            let known = self.table.get(state.situation()).filter(|_| is_player);
            next =
                known.and_then(|known| state.candidates().get(usize::from(known.place)).copied());
        }
        state.return_to(&mark);
        line
    }
}

impl AlphaBeta {
    /// Creates a searcher with tables of about `memory` bytes.
    pub fn new(evaluation: Arc<Evaluation>, memory: usize) -> AlphaBeta {
        AlphaBeta {
            shared: Shared {
                evaluation,
                table: TranspositionTable::new(memory / 2),
                cache: EvaluationCache::new(memory / 4),
                settles: false,
                is_varied: false,
            },
            own: Working::new(),
            others: Vec::new(),
        }
    }

    /// Adds a quiescence search, in games of at most two players.
    pub fn with_quiescence(mut self) -> AlphaBeta {
        self.shared.settles = true;
        self
    }

    /// Lets the seed decide between plies of nearly the same value: it may choose a ply whose
    /// winning chance is up to 1.5 % lower, the more rarely the lower it is. With 5 %, 35 % of 60
    /// games were won against a player without variation; with 1.5 %, 45 % of 200.
    pub fn varied(mut self) -> AlphaBeta {
        self.shared.is_varied = true;
        self
    }

    /// Searches a position in which a player is to act, on one thread.
    ///
    /// # Errors
    /// Returns the [`Fault`] if the rules do not terminate in a position of the search, or the
    /// evaluation is of another game.
    pub fn think(
        &mut self,
        position: &State,
        seed: u64,
        limits: &SearchLimits,
    ) -> Result<Thinking, Fault> {
        self.think_on(1, position, seed, limits, &AtomicBool::new(false))
    }

    /// As [`AlphaBeta::think`], with helpers on other threads, unless the number of iterations is
    /// limited or there are more than two players. The search ends early if `ended` is set, and
    /// sets it at its end.
    ///
    /// # Errors
    /// As [`AlphaBeta::think`].
    pub fn think_on(
        &mut self,
        threads: usize,
        position: &State,
        seed: u64,
        limits: &SearchLimits,
        ended: &AtomicBool,
    ) -> Result<Thinking, Fault> {
        self.shared.evaluation.features.fit(position.game())?;
        let began = Instant::now();
        let mut state = position.clone();
        let teams = position.game().rules().teams;
        let players = teams.count();
        let helpers = match (limits.iterations, players) {
            (None, 1..=2) => threads.saturating_sub(1),
            _ => 0,
        };
        let Found { root, depth, positions, rolled } =
            self.search(helpers, &mut state, seed, limits, ended)?;
        let rules = position.game().rules();
        let best = root.first().map_or(0, |best| best.value);
        let chance = |value: i32| match value {
            value if value >= PROVEN => 1.0,
            value if value <= -PROVEN => 0.0,
            value => f64::from(logistic(value as f32 / SCALE)),
        };
        let is_proven = !rolled && rules.repetition.is_none();
        let solved = is_proven && best.abs() >= PROVEN && players == 2;
        let mover = match position.turn() {
            Turn::Player(player) => teams.of(player),
            Turn::Chance | Turn::Nobody => PlayerId(0),
        };
        let others = (1.0 - chance(best)) / (players.max(2) - 1) as f64;
        let line = match players {
            2 => self.shared.line(&mut state, root.first().map(|best| best.ply)),
            _ => root.first().map(|best| best.ply).into_iter().collect(),
        };
        let game = position.game();
        Ok(Thinking {
            iterations: positions,
            plies_made: positions,
            seconds: began.elapsed().as_secs_f64(),
            nodes: positions as usize,
            depth: Some(depth.unsigned_abs()),
            recycled: 0,
            win_probabilities: (0..rules.players.len() as u16)
                .map(|player| teams.of(PlayerId(player)) == mover)
                .map(|is_own| if is_own { chance(best) } else { others })
                .collect(),
            solved,
            line: line.into_iter().map(|ply| game.spell_out(ply)).collect(),
            plies: root
                .iter()
                .map(|tried| RootMove {
                    ply: game.spell_out(tried.ply),
                    visits: u32::try_from(tried.positions).unwrap_or(u32::MAX),
                    chance: chance(tried.value),
                    solved: is_proven && tried.value.abs() >= PROVEN,
                })
                .collect(),
        })
    }
}

/// Returns the team that is to act; `None` if the game is over.
fn mover(state: &State) -> Option<usize> {
    let decision = state.decision()?;
    Some(state.team(state.game().program().decisions[decision].mover).index())
}

/// Converts a value relative to a position into one relative to the root, `plies` plies before it;
/// a negative number converts back.
fn from_root(value: i32, plies: i32) -> i32 {
    match value {
        value if value >= PROVEN => value - plies,
        value if value <= -PROVEN => value + plies,
        value => value,
    }
}

impl Search<'_> {
    /// Counts a position, and tests if the search must end.
    fn is_stopped(&mut self) -> bool {
        self.positions += 1;
        self.stopped |= self.positions >= self.until
            || self.limits.deadline.is_over()
            || self.limits.is_stopped()
            || self.ended.load(Relaxed);
        self.stopped
    }

    /// Searches with increasing depth, starting at `first`; returns the plies of the root, best
    /// first, and the depth reached.
    fn deepen(&mut self, state: &mut State, first: i32) -> (Vec<RootPly>, i32) {
        let mut plies = self.root(state);
        let Some(mover) = mover(state) else { return (plies, 0) };
        let is_near_end = self.players == 2 && exhaustive::is_near_end(state, self.seed);
        let mut reached = 0;
        let mut spent = 0;
        for depth in first..=MAX_DEPTH {
            let mut best = -INFINITE;
            let mut done = 0;
            for index in 0..plies.len() {
                let ply = plies[index].ply;
                let before = self.positions;
                // One win is as good as another.
                let mut search =
                    |window: [i32; 2]| self.child(state, ply, mover, depth - 1, window, 1);
                // Only values above this one improve on the best so far.
                let least = if best.abs() >= PROVEN { best } else { best - plies[index].extra };
                let value = if index == 0 {
                    search([-INFINITE, PROVEN])
                } else {
                    match search([least, least + 1]) {
                        value if value > least && value < PROVEN => search([least, PROVEN]),
                        value => value,
                    }
                };
                if self.stopped {
                    break;
                }
                done = index + 1;
                plies[index].value = value;
                plies[index].positions += self.positions - before;
                if plies[index].rank() > best {
                    best = plies[index].rank();
                    // The best ply so far comes first, even if this depth is not finished.
                    plies[..=index].rotate_right(1);
                }
                if best >= PROVEN {
                    break;
                }
            }
            if done > 0 {
                reached = depth;
            }
            if self.stopped || best.abs() >= PROVEN || plies.len() < 2 {
                break;
            }
            if is_near_end && depth >= ORDERED_DEPTH {
                // As many positions as were searched since the last attempt.
                let most = self.positions - spent;
                if self.solve(state, mover, &mut plies, most) {
                    break;
                }
                spent = self.positions;
            }
        }
        (plies, reached)
    }

    /// Lists the plies of the root by the evaluation of the positions after them, without the plies
    /// that the limits leave no time for.
    fn root(&mut self, state: &mut State) -> Vec<RootPly> {
        let Some(mover) = mover(state) else { return Vec::new() };
        let mut plies = state.candidates();
        // The order of equal plies depends on the seed.
        let mut random = Random::new(mix(self.seed, 0));
        random.shuffle(&mut plies);
        let mut rated: Vec<RootPly> = Vec::new();
        for ply in plies {
            let value = self.child(state, ply, mover, 0, [-INFINITE, INFINITE], 1);
            if self.stopped && !rated.is_empty() {
                break;
            }
            let extra = self.extra(&mut random);
            rated.push(RootPly { ply, value, extra, positions: 0 });
        }
        rated.sort_by_key(|ply| std::cmp::Reverse(ply.rank()));
        rated
    }

    /// Draws the bonus that is added to the value of a ply of the root.
    fn extra(&self, random: &mut Random) -> i32 {
        if self.shared.is_varied { random.below(LEEWAY + 1) as i32 } else { 0 }
    }

    /// Returns the value of the position after a ply for the player who makes it, within a window.
    /// Each search descends anew: plies cannot be listed again after other plies were made.
    fn child(
        &mut self,
        state: &mut State,
        ply: PackedMove,
        mover: usize,
        depth: i32,
        [alpha, beta]: [i32; 2],
        plies: i32,
    ) -> i32 {
        state.descend(ply, |after| match self::mover(after) {
            None => self.result(after, mover, plies),
            Some(next) if next == mover => self.value(after, next, depth, [alpha, beta], plies),
            Some(next) => -self.value(after, next, depth, [-beta, -alpha], plies),
        })
    }

    /// Returns the value of a game that is over.
    fn result(&self, state: &State, player: usize, plies: i32) -> i32 {
        match state.team_outcome() {
            Some(Outcome::Win(winner)) if winner.index() == player => WIN - plies,
            Some(Outcome::Win(_)) => plies - WIN,
            Some(Outcome::Draw) | None if self.players == 1 => plies - WIN,
            Some(Outcome::Draw | Outcome::Shared(_)) | None => 0,
        }
    }

    /// Returns the evaluation of a position for the player to act.
    fn evaluate(&mut self, state: &State) -> i32 {
        let hash = state.hash();
        if let Some(known) = self.shared.cache.get(hash) {
            return known;
        }
        let logit = self.shared.evaluation.logit(state, &mut self.scratch);
        let value = (logit.clamp(-MAX_LOGIT, MAX_LOGIT) * SCALE) as i32;
        self.shared.cache.insert(hash, value);
        value
    }

    /// Returns the value of a position for the player to act, within a window.
    fn value(
        &mut self,
        state: &mut State,
        mover: usize,
        depth: i32,
        [alpha, beta]: [i32; 2],
        plies: i32,
    ) -> i32 {
        if self.is_stopped() {
            return 0;
        }
        let depth = if self.is_exhaustive && depth > 0 { MAX_DEPTH } else { depth };
        if depth <= 0 && self.quiescence.is_some() {
            return self.settle(state, mover, [alpha, beta], plies, quiescence::MAX_PLIES);
        }
        if depth <= 0 || plies >= MAX_DEPTH {
            return self.evaluate(state);
        }
        if state.turn() == Turn::Chance {
            return self.mean(state, mover, depth, plies);
        }
        let hash = state.situation();
        let known = self.shared.table.get(hash);
        // A proven value holds at any depth.
        let is_deep =
            |known: &Known| i32::from(known.depth) >= depth || known.value.abs() >= PROVEN;
        if let Some(known) = known.filter(is_deep) {
            let value = from_root(known.value, plies);
            match known.bound {
                Bound::Exact => return value,
                Bound::Lower if value >= beta => return value,
                Bound::Upper if value <= alpha => return value,
                Bound::Lower | Bound::Upper => {}
            }
        }
        let mut list = std::mem::take(&mut self.own.lists[plies as usize]);
        state.candidates_into(&mut list.plies);
        let first = known.map(|known| known.place);
        let value = match self.order(state, mover, &mut list, first, depth, plies) {
            Some(decided) => decided,
            None => self.best(state, mover, &list.rated, depth, [alpha, beta], plies),
        };
        self.own.lists[plies as usize] = list;
        value
    }

    /// Returns the evaluation of a position for a player who has just made a ply.
    fn glance(&mut self, after: &State, mover: usize, plies: i32) -> i32 {
        match self::mover(after) {
            None => self.result(after, mover, plies),
            Some(next) if next == mover => self.evaluate(after),
            Some(_) => -self.evaluate(after),
        }
    }

    /// Returns the value of the best ply; the plies are given in the order in which they are tried.
    fn best(
        &mut self,
        state: &mut State,
        mover: usize,
        rated: &[(i64, u16, PackedMove)],
        depth: i32,
        [mut alpha, beta]: [i32; 2],
        plies: i32,
    ) -> i32 {
        let hash = state.situation();
        let count = rated.len();
        let reduces = depth >= REDUCED_DEPTH && !self.is_exhaustive && count >= REDUCED_COUNT;
        let (mut best, mut chosen, least) = (-INFINITE, 0, alpha);
        for (index, &(_, place, ply)) in rated.iter().enumerate() {
            let is_reduced = reduces && index >= 3 + count / 4;
            let less = if index >= 8 + count / 2 { 2 } else { 1 };
            let mut search = |depth: i32, window: [i32; 2]| {
                self.child(state, ply, mover, depth, window, plies + 1)
            };
            let value = if index == 0 {
                search(depth - 1, [alpha, beta])
            } else {
                let mut value = alpha + 1;
                if is_reduced {
                    value = search(depth - 1 - less, [alpha, alpha + 1]);
                }
                if value > alpha {
                    value = search(depth - 1, [alpha, alpha + 1]);
                }
                if value > alpha && value < beta {
                    value = search(depth - 1, [alpha, beta]);
                }
                value
            };
            if self.stopped {
                return best.max(-WIN);
            }
            if value > best {
                (best, chosen) = (value, place);
            }
            alpha = alpha.max(best);
            if alpha >= beta {
                self.remember(ply, depth, plies);
                break;
            }
        }
        let bound = match best {
            best if best >= beta => Bound::Lower,
            best if best > least => Bound::Exact,
            _ => Bound::Upper,
        };
        self.shared.table.insert(hash, from_root(best, -plies), depth, bound, chosen.into());
        best
    }

    /// Returns the mean value over the rolls.
    fn mean(&mut self, state: &mut State, mover: usize, depth: i32, plies: i32) -> i32 {
        self.rolled = true;
        let rolls = state.candidates();
        let step = rolls.len().div_ceil(MAX_ROLLS).max(1);
        let from = Random::new(mix(self.seed, state.hash())).below(step as u32) as usize;
        let (mut sum, mut count) = (0.0, 0);
        for &roll in rolls.iter().skip(from).step_by(step) {
            let value = self.child(state, roll, mover, depth - 1, [-INFINITE, INFINITE], plies + 1);
            sum += logistic(value as f32 / SCALE);
            count += 1;
        }
        if self.stopped || count == 0 {
            return 0;
        }
        (logit(sum / count as f32) * SCALE) as i32
    }

    /// Puts plies in the order in which they are tried. Returns the value of the position if a ply
    /// wins or there is no ply.
    fn order(
        &mut self,
        state: &mut State,
        mover: usize,
        list: &mut List,
        first: Option<u16>,
        depth: i32,
        plies: i32,
    ) -> Option<i32> {
        let List { plies: listed, rated } = list;
        rated.clear();
        if listed.is_empty() {
            return Some(self.evaluate(state));
        }
        let killers = self.own.killers[plies as usize];
        for (index, &ply) in listed.iter().enumerate() {
            let mut rate = i64::from(self.own.history[place(ply, 0)]);
            if depth >= ORDERED_DEPTH {
                let value = state.descend(ply, |after| self.glance(after, mover, plies + 1));
                if self.is_stopped() {
                    return Some(0);
                }
                if value >= PROVEN {
                    return Some(value);
                }
                rate = i64::from(value) * 2;
            } else if killers.contains(&Some(ply)) {
                rate += 1 << 40;
            }
            let index = u16::try_from(index).unwrap_or(u16::MAX);
            if first == Some(index) {
                rate += 1 << 50;
            }
            rated.push((rate, index, ply));
        }
        rated.sort_unstable_by_key(|&(rate, index, _)| (std::cmp::Reverse(rate), index));
        None
    }

    /// Remembers a ply that caused a cutoff.
    fn remember(&mut self, ply: PackedMove, depth: i32, plies: i32) {
        let count = &mut self.own.history[place(ply, 0)];
        *count = count.saturating_add((depth * depth) as u32);
        let killers = &mut self.own.killers[plies as usize];
        if killers[0] != Some(ply) {
            *killers = [Some(ply), killers[0]];
        }
    }
}
