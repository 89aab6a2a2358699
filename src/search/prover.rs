//! A search for forced wins, in any game: depth-first proof-number search (Ayumu Nagai, *Df-pn
//! Algorithm for Searching AND/OR Trees and Its Applications*, University of Tokyo, 2002), with
//! thresholds that grow by a fraction instead of by one (Jakub Pawlewicz and Łukasz Lew, *Improving
//! Depth-First PN-Search: 1+ε Trick*, CG 2006) and the greatest child's number instead of the sum,
//! so that a position on two paths does not count twice (Toru Ueda, Tsuyoshi Hashimoto, Junichi
//! Hashimoto and Hiroyuki Iida, *Weak Proof-Number Search*, CG 2008). Unlike [`crate::solve`] it
//! takes dice, any number of players and a few milliseconds, and answers yes or nothing.
//!
//! The question is whether one player wins against all play of the others and all rolls. Only the
//! answer yes is reported. A position that is too deep, or repeats a position on the path to it,
//! counts as not won under every rule of repetition, so that a no may depend on the path. A
//! yes does not: a position is proven only after the positions that its proof needs, so that play
//! by the proof never repeats one. If rules depend on more of the past, the hash of a position
//! includes its past.

use super::mcts::SearchLimits;
use crate::engine::PackedMove;
use crate::engine::game::{Fault, GameId, State, Turn};
use crate::engine::position::Outcome;
use crate::language::rules::PlayerId;
use crate::random::mix;

/// The proof number of an impossible proof, or the refutation number of an impossible refutation.
const INFINITE: u32 = u32::MAX;
/// The greatest proof or refutation number of an open position.
const MAX_NUMBER: u32 = 1 << 30;
/// No search is deeper than this.
const MAX_DEPTH: usize = 160;
/// The longest line of play that is returned.
const MAX_LINE: usize = 40;
/// The entries of a bucket of the table.
const WAYS: usize = 4;

/// Lower bounds on the positions still to be decided to prove and to refute the win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Numbers {
    proof: u32,
    refutation: u32,
}

const PROVEN: Numbers = Numbers { proof: 0, refutation: INFINITE };
const REFUTED: Numbers = Numbers { proof: INFINITE, refutation: 0 };

#[derive(Clone, Copy)]
struct Entry {
    /// The hash of the position, mixed with the player.
    key: u64,
    numbers: Numbers,
    /// The positions searched below it; 0 for an empty entry.
    work: u32,
}

const EMPTY: Entry = Entry { key: 0, numbers: PROVEN, work: 0 };

/// A position one ply ahead.
#[derive(Clone, Copy)]
struct Child {
    ply: PackedMove,
    key: u64,
    numbers: Numbers,
}

/// A searcher; it keeps its table between searches of a game, and forgets it with another game.
pub struct Prover {
    table: Vec<Entry>,
    /// The game that was searched last.
    game: Option<GameId>,
    /// Lists of children for each ply of depth.
    lists: Vec<Vec<Child>>,
    candidates: Vec<PackedMove>,
    /// The number of times that the results were forgotten.
    age: u64,
}

/// The answer of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The player wins, by this ply if he is to act.
    Wins(Option<PackedMove>),
    /// No win was found, and more time finds none.
    NotFound,
    /// The limits were reached.
    Open,
}

/// A search in progress.
struct Search<'p, 's> {
    prover: &'p mut Prover,
    player: PlayerId,
    salt: u64,
    limits: SearchLimits<'s>,
    /// The positions reached.
    positions: u64,
    stopped: bool,
    /// The keys of the positions on the way to the current one.
    path: Vec<u64>,
    winning: Option<PackedMove>,
}

impl Prover {
    /// Makes a searcher with a table of about that many bytes.
    pub fn new(memory: usize) -> Prover {
        let entries = 1 << (memory / size_of::<Entry>()).max(1_024).ilog2();
        Prover {
            table: vec![EMPTY; entries],
            game: None,
            lists: Vec::new(),
            candidates: Vec::new(),
            age: 0,
        }
    }

    /// Forgets all stored results. Where the rules count repetitions, values depend on the game so
    /// far.
    pub fn clear(&mut self) {
        self.age += 1;
    }

    /// Searches for a forced win of a person in a position that is not over; iterations are
    /// positions. Also returns the number of positions. If the rules run out of fuel, the state
    /// reports a fault, and the answer is meaningless.
    pub fn prove(
        &mut self,
        state: &mut State,
        player: PlayerId,
        limits: &SearchLimits,
    ) -> (Answer, u64) {
        let game = Some(state.game().id());
        if self.game != game {
            // Outdated entries would take the room of new ones.
            self.table.fill(EMPTY);
            self.game = game;
        }
        let salt = self.salt(player);
        let mut search = Search {
            prover: self,
            player,
            salt,
            limits: limits.clone(),
            positions: 0,
            stopped: false,
            path: Vec::new(),
            winning: None,
        };
        let most = Numbers { proof: MAX_NUMBER, refutation: MAX_NUMBER };
        let key = state.situation() ^ search.salt;
        let numbers = search.search(state, key, most);
        let answer = match numbers {
            PROVEN => Answer::Wins(search.winning),
            _ if search.stopped || state.fault().is_some() => Answer::Open,
            _ => Answer::NotFound,
        };
        (answer, search.positions)
    }

    /// As [`prove`](Self::prove), on a copy of the state.
    ///
    /// # Errors
    /// Returns the [`Fault`] if the rules do not terminate in a position of the search.
    pub fn prove_from(
        &mut self,
        position: &State,
        player: PlayerId,
        limits: &SearchLimits,
    ) -> Result<(Answer, u64), Fault> {
        let mut state = position.clone();
        let found = self.prove(&mut state, player, limits);
        state.fault().map_or(Ok(found), Err)
    }

    /// Follows a proof that was just found, as far as the table still contains it: the player makes
    /// winning plies, the others the plies that took the most work.
    pub fn line(&self, from: &State, player: PlayerId) -> Vec<PackedMove> {
        let salt = self.salt(player);
        let mut line = Vec::new();
        let mut state = from.clone();
        let mut plies = Vec::new();
        while line.len() < MAX_LINE && state.outcome().is_none() {
            let is_own = state.team_turn() == Turn::Player(player);
            state.candidates_into(&mut plies);
            let rate = |ply: PackedMove| {
                let seen = state.ahead(ply, |after| match after.team_outcome() {
                    Some(outcome) => Err(outcome == Outcome::Win(player)),
                    None => Ok(after.situation() ^ salt),
                });
                match seen {
                    Err(wins) => wins.then_some(0),
                    Ok(key) => {
                        let entry = self.find(key).filter(|entry| entry.numbers == PROVEN)?;
                        Some(if is_own { -i64::from(entry.work) } else { i64::from(entry.work) })
                    }
                }
            };
            let rated: Vec<Option<i64>> = plies.iter().copied().map(rate).collect();
            let best = (0..plies.len()).rev().filter(|&index| rated[index].is_some());
            let Some(best) = best.max_by_key(|&index| rated[index]) else { break };
            line.push(plies[best]);
            if state.turn() == Turn::Chance || !state.advance(plies[best]) {
                break;
            }
        }
        line
    }

    /// Mixed with hashes, so that each player has separate entries.
    fn salt(&self, player: PlayerId) -> u64 {
        mix(self.age, u64::from(player.0))
    }

    fn find(&self, key: u64) -> Option<&Entry> {
        let first = key as usize & (self.table.len() - 1) & !(WAYS - 1);
        let mut ways = self.table[first..first + WAYS].iter();
        ways.find(|entry| entry.key == key && entry.work > 0)
    }

    fn look(&self, key: u64) -> Option<Numbers> {
        self.find(key).map(|entry| entry.numbers)
    }

    /// Stores numbers, in place of the entry that took the least work.
    fn keep(&mut self, key: u64, numbers: Numbers, work: u64) {
        let first = key as usize & (self.table.len() - 1) & !(WAYS - 1);
        let ways = &mut self.table[first..first + WAYS];
        let same = ways.iter().position(|entry| entry.key == key && entry.work > 0);
        let least = || (0..WAYS).min_by_key(|&way| ways[way].work).unwrap_or(0);
        let place = same.unwrap_or_else(least);
        let before = if same.is_some() { ways[place].work } else { 0 };
        let work = u32::try_from(work.max(1)).unwrap_or(u32::MAX);
        ways[place] = Entry { key, numbers, work: before.saturating_add(work) };
    }
}

/// Returns a threshold for a child that lets its search end soon after it is worse than the second
/// best.
fn with_room(number: u32) -> u32 {
    number.saturating_add(number / 4 + 1).min(MAX_NUMBER)
}

impl Search<'_, '_> {
    /// Counts a position, and tests if the search must end.
    fn is_stopped(&mut self) -> bool {
        self.positions += 1;
        self.stopped |= self.limits.iterations.is_some_and(|most| self.positions >= most)
            || self.limits.deadline.is_over()
            || self.limits.is_stopped();
        self.stopped
    }

    /// Searches a position that is not over until one of its numbers reaches a limit.
    fn search(&mut self, state: &mut State, key: u64, limit: Numbers) -> Numbers {
        let depth = self.path.len();
        if depth >= MAX_DEPTH || self.path.contains(&key) {
            return REFUTED;
        }
        if self.prover.lists.len() <= depth {
            self.prover.lists.push(Vec::new());
        }
        let mut children = std::mem::take(&mut self.prover.lists[depth]);
        let before = self.positions;
        self.path.push(key);
        let numbers = self.search_children(state, &mut children, limit);
        self.path.pop();
        self.prover.lists[depth] = children;
        if !self.stopped || numbers == PROVEN {
            self.prover.keep(key, numbers, self.positions - before);
        }
        numbers
    }

    fn search_children(
        &mut self,
        state: &mut State,
        children: &mut Vec<Child>,
        limit: Numbers,
    ) -> Numbers {
        let is_own = state.team_turn() == Turn::Player(self.player);
        if let Some(decided) = self.list(state, children, is_own) {
            return decided;
        }
        loop {
            let (numbers, best, second) = sum_up(children, is_own);
            let is_decided = numbers.proof == 0 || numbers.refutation == 0;
            if is_decided && is_own && self.path.len() == 1 {
                self.winning = children.get(best).map(|child| child.ply);
            }
            if is_decided
                || numbers.proof >= limit.proof
                || numbers.refutation >= limit.refutation
                || self.stopped
            {
                return numbers;
            }
            let open = children.iter().filter(|child| is_open(child.numbers)).count();
            let others = u32::try_from(open).unwrap_or(MAX_NUMBER).saturating_sub(1);
            // The limit of the child's number so that this position's number stays below its own
            // limit.
            let left = |limit: u32| limit.saturating_sub(others).max(1);
            let child_limit = match is_own {
                true => Numbers {
                    proof: limit.proof.min(with_room(second)),
                    refutation: left(limit.refutation),
                },
                false => Numbers {
                    proof: left(limit.proof),
                    refutation: limit.refutation.min(with_room(second)),
                },
            };
            let Child { ply, key, numbers } = children[best];
            // The child may have been searched since it was listed.
            let now = self.prover.look(key).unwrap_or(numbers);
            children[best].numbers = match now == numbers {
                true => state.descend(ply, |after| self.search(after, key, child_limit)),
                false => now,
            };
        }
    }

    /// Tests if the game has ended after a position of the path has occurred again; `past` is the
    /// length of the history before. The history grows only by positions in which nothing else ends
    /// the game.
    fn ends_by_path(&self, after: &State, past: usize) -> bool {
        let repeated = after.history().get(past);
        repeated.is_some_and(|hash| self.path.contains(&(hash ^ self.salt)))
    }

    /// Lists the positions after each ply; returns the numbers if one child decides the position.
    fn list(
        &mut self,
        state: &mut State,
        children: &mut Vec<Child>,
        is_own: bool,
    ) -> Option<Numbers> {
        children.clear();
        let mut candidates = std::mem::take(&mut self.prover.candidates);
        state.candidates_into(&mut candidates);
        let mut decided = None;
        for &ply in &candidates {
            if self.is_stopped() {
                // The remaining children count as open.
                decided = Some(Numbers { proof: 1, refutation: 1 });
                break;
            }
            let past = state.history().len();
            let (key, numbers) = state.descend(ply, |after| match after.team_outcome() {
                // A rule of repetition gives this win only on this path: see the module head.
                Some(_) if self.ends_by_path(after, past) => (0, REFUTED),
                Some(Outcome::Win(winner)) if winner == self.player => (0, PROVEN),
                Some(_) => (0, REFUTED),
                None => {
                    let key = after.situation() ^ self.salt;
                    let first = || {
                        let plies = after.move_count_bound().clamp(1, 1 << 16);
                        match after.team_turn() == Turn::Player(self.player) {
                            true => Numbers { proof: 1, refutation: plies },
                            false => Numbers { proof: plies, refutation: 1 },
                        }
                    };
                    (key, self.prover.look(key).unwrap_or_else(first))
                }
            });
            children.push(Child { ply, key, numbers });
            if is_own && numbers.proof == 0 || !is_own && numbers.refutation == 0 {
                if is_own && self.path.len() == 1 {
                    self.winning = Some(ply);
                }
                decided = Some(numbers);
                break;
            }
        }
        self.prover.candidates = candidates;
        // Without a ply, no player wins: the rules have run out of fuel.
        decided.or(children.is_empty().then_some(REFUTED))
    }
}

fn is_open(numbers: Numbers) -> bool {
    numbers.proof > 0 && numbers.refutation > 0
}

/// Returns the numbers of a position, the index of the child to search next, and the number of the
/// second-best child.
fn sum_up(children: &[Child], is_own: bool) -> (Numbers, usize, u32) {
    // The number for which one child suffices, and the number for which all children count.
    let pair = |numbers: Numbers| match is_own {
        true => (numbers.proof, numbers.refutation),
        false => (numbers.refutation, numbers.proof),
    };
    let (mut best, mut least, mut second) = (0, INFINITE, INFINITE);
    let (mut most, mut open) = (0, 0u32);
    for (index, child) in children.iter().enumerate() {
        let (any, all) = pair(child.numbers);
        if any < least {
            (best, least, second) = (index, any, least);
        } else {
            second = second.min(any);
        }
        if all > 0 {
            most = most.max(all);
            open += 1;
        }
    }
    let all = match (least, most) {
        // One child has decided the position.
        (0, _) => INFINITE,
        (_, 0) => 0,
        _ => most.saturating_add(open - 1).min(MAX_NUMBER),
    };
    let any = if all == 0 { INFINITE } else { least };
    let numbers = match is_own {
        true => Numbers { proof: any, refutation: all },
        false => Numbers { proof: all, refutation: any },
    };
    (numbers, best, second)
}
