//! Proof search: a depth-first alpha-beta search for the value of two-player games without dice
//! whose graph is too large to be explored. It finds values, not distances.
//!
//! Every search asks if one player wins, so that its window is a single value; a player who is found
//! not to win may be found to lose at the same time (fail-soft), and a transposition table keeps
//! bounds of both kinds: the question for the other player begins with what the first one has found.
//! The table replaces the entries with the least work first.
//!
//! A position is expanded by looking at each successor once: a win in one ply, or a successor with a
//! known value that decides, is found before anything is searched. Plies that have refuted the
//! positions beside this one are looked at first, so that an answer to a threat costs one ply where
//! it does not answer it. The other successors are searched in order: those first that leave the
//! opponent the fewest replies, then those by plies that have decided most often elsewhere (Jonathan
//! Schaeffer, *The History Heuristic and Alpha-Beta Search Enhancements in Practice*, IEEE PAMI 11,
//! 1989).
//!
//! A position that is already on the search path counts as "win not forced". This holds for the
//! current path only, so results that depend on it are stored only once the search has left the
//! position that they depend on. A forced win of either player never depends on the path. (This
//! avoids the graph history interaction problem by storing only what holds for every history; Akihiro
//! Kishimoto and Martin Müller, AAAI 2004, section 2, say when that is needed.)

use super::canonical::Canonicalizer;
use super::proof_table::{Proven, Table, Tag};
use super::{Clock, RanOut, Stopped, check_fault};
use crate::budget::MemoryBudget;
use crate::engine::PackedMove;
use crate::engine::game::{State, Turn};
use crate::engine::position::{Outcome, Position};
use crate::language::rules::PlayerId;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// The result does not depend on the path.
const INDEPENDENT: usize = usize::MAX;
/// The number of places in the history of plies; plies that fall on the same place share it.
const HISTORY: usize = 1 << 14;
/// The scale of the share of plies that have decided.
const SHARE_BITS: u32 = 16;
/// Upper bound of the bytes per position on the path, without its successors.
const STEP_BYTES: u64 =
    4 * (size_of::<ProofStep>() + size_of::<(Tag, usize)>() + size_of::<Killers>()) as u64;

/// A proof search over the positions reachable from one.
pub struct Prover {
    canonicalizer: Canonicalizer,
    state: State,
    /// The hashes of the positions before the search began.
    history_before: Vec<u64>,
    position: Position,
    table: Table,
    memory_budget: MemoryBudget,
    /// The key of the current position.
    key: Vec<u64>,
    /// A stack: the untried successors of every position on the path, the next one last, and their
    /// keys in their own orientation, so that plies mean the same in all of them.
    open: Vec<Successor>,
    open_keys: Vec<u64>,
    /// The undecided successors of the current position, and their keys.
    listed: Vec<Listed>,
    listed_keys: Vec<u64>,
    /// The plies of the current position, with their places in the history.
    plies: Vec<(PackedMove, u16)>,
    /// By place, how often a ply has decided a position, and how often it was searched.
    history: Vec<[u32; 2]>,
    /// By the number of positions on the path, the plies that have decided there last.
    killers: Vec<Killers>,
    /// The positions on the way to the one that is expanded next, with their places.
    path: Vec<ProofStep>,
    places: PathPlaces,
    /// The question whose search paused.
    paused: Option<(Tag, PlayerId)>,
    /// How many positions were expanded.
    pub nodes: u64,
    /// Searches that have no other limit stop when this many were.
    pub until: u64,
    /// Whether a repetition was ever met.
    pub round: bool,
}

/// The places in the history of two plies.
type Killers = [Option<u16>; 2];

/// A successor that is still to be searched.
#[derive(Clone, Copy)]
struct Successor {
    tag: Tag,
    /// The place in the history of the ply that leads to it.
    place: u16,
}

/// A successor with what decides about its turn.
struct Listed {
    successor: Successor,
    /// An upper bound of the number of replies.
    replies: u32,
    /// How often its ply has decided, as a share of how often it was searched.
    share: u64,
    /// The offset of its key.
    key: usize,
}

/// An expanded position on the search path.
struct ProofStep {
    tag: Tag,
    /// Whether the player to act is the one whose win is in question (an OR node).
    wants: bool,
    /// The length of [`Prover::open`] below this position's successors.
    open: usize,
    /// The place in the history of the ply that is searched.
    place: u16,
    /// What follows from the successors so far, if none of the others decides.
    proven: Proven,
    /// The lowest index on the path on which the result so far depends.
    depends_on: usize,
    /// The number of expanded positions before this one.
    nodes: u64,
}

/// The indices of the positions on the path, by tag.
type PathPlaces = FxHashMap<Tag, usize>;

/// The result of expanding a position.
enum Expansion {
    /// What is proven, and the path index on which that depends.
    Settled(Proven, usize),
    Open(ProofStep),
}

impl Prover {
    /// Creates a search whose table may take 7/8 of `memory` bytes.
    ///
    /// # Errors
    /// Returns [`RanOut::Memory`] if not even the smallest table fits.
    pub fn new(from: &State, symmetric: bool, memory: u64) -> Result<Prover, RanOut> {
        let canonicalizer = Canonicalizer::new(from, symmetric);
        let mut memory_budget = MemoryBudget::new(memory);
        // The rest is for the path and the interned remainders of keys.
        let table = Table::new(memory / 8 * 7, &mut memory_budget)?;
        let position = canonicalizer.blank();
        let key = vec![0; canonicalizer.words()];
        Ok(Prover {
            canonicalizer,
            state: from.clone(),
            history_before: from.history().to_vec(),
            position,
            table,
            memory_budget,
            key,
            open: Vec::new(),
            open_keys: Vec::new(),
            listed: Vec::new(),
            listed_keys: Vec::new(),
            plies: Vec::new(),
            history: vec![[0; 2]; HISTORY],
            killers: Vec::new(),
            path: Vec::new(),
            places: PathPlaces::default(),
            paused: None,
            nodes: 0,
            until: u64::MAX,
            round: false,
        })
    }

    /// Returns the number of symmetries under which positions are identified.
    pub fn symmetries(&self) -> usize {
        self.canonicalizer.symmetries()
    }

    /// Changes the memory, of which the table may take 7/8: it can only grow.
    pub fn set_memory(&mut self, memory: u64) {
        let more = self.memory_budget.raise(memory) / 8 * 7;
        // What was raised is left.
        if self.memory_budget.take(more).is_ok() {
            self.table.allow(more);
        }
    }

    /// Decides if a player can force a win from the position of a state.
    ///
    /// # Errors
    /// Stops if memory or time runs out, at the number of positions [`until`](Self::until), or if
    /// the rules do not terminate somewhere.
    pub fn wins(
        &mut self,
        player: PlayerId,
        of: &State,
        clock: &mut Clock,
    ) -> Result<bool, Stopped> {
        let wins = self.decide(player, of, self.until, clock)?;
        wins.ok_or(Stopped::RanOut(RanOut::Steps))
    }

    /// As [`wins`](Self::wins), but pauses when this many positions were expanded in all, and returns
    /// `None`. The same question then goes on where it paused.
    ///
    /// # Errors
    /// As [`wins`](Self::wins).
    pub fn decide(
        &mut self,
        player: PlayerId,
        of: &State,
        until: u64,
        clock: &mut Clock,
    ) -> Result<Option<bool>, Stopped> {
        if let Some(outcome) = of.personal_outcome() {
            return Ok(Some(outcome == Outcome::Win(player)));
        }
        let key = self.canonicalizer.canonical_key(&of.position(), &mut self.memory_budget)?;
        let tag = Tag::of(key);
        if let Some(known) = self.table.look(tag, player) {
            return Ok(Some(known.is_win_of(player)));
        }
        if self.paused.take() != Some((tag, player)) {
            self.begin();
            self.push(Successor { tag, place: 0 })?;
        }
        let found = self.prove(player, until, clock)?;
        if found.is_none() {
            self.paused = Some((tag, player));
        }
        Ok(found.map(|found| found.is_win_of(player)))
    }

    /// Forgets the path of an earlier search that paused or ran out of time.
    fn begin(&mut self) {
        self.memory_budget.give_back(STEP_BYTES * self.path.len() as u64);
        self.path.clear();
        self.places.clear();
        self.forget(0);
    }

    /// Asks a search that begins at a state, with half of the memory that is left: to it, every
    /// position that the state came through counts for the rule of repetition.
    ///
    /// # Errors
    /// As [`Prover::wins`].
    pub fn anew<T>(
        &mut self,
        from: &State,
        ask: impl FnOnce(&mut Prover) -> Result<T, Stopped>,
    ) -> Result<T, Stopped> {
        let memory = self.memory_budget.left() / 2;
        let mut anew = Prover::new(from, false, memory)?;
        self.memory_budget.take(memory)?;
        (anew.nodes, anew.until) = (self.nodes, self.until);
        let answer = ask(&mut anew);
        self.nodes = anew.nodes;
        self.memory_budget.give_back(memory);
        answer
    }

    /// Looks up if a player can force a win from the position of a state, with the bit length of
    /// the number of positions that the proof took.
    pub fn known(&mut self, player: PlayerId, of: &State) -> Option<(bool, u64)> {
        if let Some(outcome) = of.personal_outcome() {
            return Some((outcome == Outcome::Win(player), 0));
        }
        let tag = Tag::of(
            self.canonicalizer.canonical_key(&of.position(), &mut self.memory_budget).ok()?,
        );
        Some((self.table.look(tag, player)?.is_win_of(player), self.table.work(tag)?))
    }

    /// Searches the successor on top of the stack, which is the only one in the beginning, until this
    /// many positions were expanded.
    fn prove(
        &mut self,
        player: PlayerId,
        until: u64,
        clock: &mut Clock,
    ) -> Result<Option<Proven>, Stopped> {
        loop {
            if self.nodes >= until {
                return Ok(None);
            }
            let successor = self.pop();
            if let Some(step) = self.path.last_mut() {
                step.place = successor.place;
            }
            // The result of the position settled last, and the path index on which it depends.
            let mut settled = match self.expand(successor.tag, player, clock)? {
                Expansion::Settled(proven, depends_on) => Some((proven, depends_on)),
                Expansion::Open(step) => {
                    self.memory_budget.take(STEP_BYTES)?;
                    self.places.insert(step.tag, self.path.len());
                    self.path.push(step);
                    None
                }
            };
            // Backs up the result for as long as it settles the parent.
            loop {
                let depth = self.path.len();
                let Some(step) = self.path.last_mut() else {
                    return Ok(settled.map(|(proven, _)| proven));
                };
                let mut decided = None;
                if let Some((proven, depends_on)) = settled.take() {
                    let place = usize::from(step.place);
                    self.history[place][1] = self.history[place][1].saturating_add(1);
                    if proven.is_win_of(player) == step.wants {
                        // A win is independent; a refutation depends only on this one ply.
                        step.depends_on = depends_on;
                        decided = Some(proven);
                        let place = step.place;
                        self.remember(depth, place);
                    } else {
                        step.depends_on = step.depends_on.min(depends_on);
                        step.proven = weaker(step.proven, proven);
                    }
                }
                let Some(step) = self.path.last() else { break };
                if decided.is_none() && self.open.len() > step.open {
                    break;
                }
                let Some(step) = self.path.pop() else { break };
                self.places.remove(&step.tag);
                self.memory_budget.give_back(STEP_BYTES);
                self.forget(step.open);
                let proven = decided.unwrap_or(step.proven);
                // A result that depends only on this position or deeper ones holds in general.
                let depends_on = match proven.is_decisive() || step.depends_on >= self.path.len() {
                    true => INDEPENDENT,
                    false => step.depends_on,
                };
                if depends_on == INDEPENDENT {
                    self.table.keep(step.tag, proven, self.nodes - step.nodes);
                }
                settled = Some((proven, depends_on));
            }
        }
    }

    /// Expands the position whose key was popped last: lists its undecided successors, unless the
    /// others settle it.
    fn expand(
        &mut self,
        tag: Tag,
        player: PlayerId,
        clock: &mut Clock,
    ) -> Result<Expansion, Stopped> {
        let place = self.path.len();
        // Since it was listed, the position may have been settled or reached on the path.
        if let Some(known) = self.table.look(tag, player) {
            return Ok(Expansion::Settled(known, INDEPENDENT));
        }
        if let Some(&place) = self.places.get(&tag) {
            self.round = true;
            return Ok(Expansion::Settled(Proven::Not(player), place));
        }
        self.nodes += 1;
        clock.tick(self.nodes)?;
        self.canonicalizer.read(&self.key, &mut self.position);
        self.state.go_to_after(&self.position, &self.history_before);
        let wants = self.state.personal_turn() == Turn::Player(player);
        self.list_plies(place)?;
        self.listed.clear();
        self.listed_keys.clear();
        let mut depends_on = INDEPENDENT;
        // What follows if the undecided successors do not decide, and a successor that does.
        let other = PlayerId(1 - player.0);
        let mut proven = if wants { Proven::Wins(other) } else { Proven::Wins(player) };
        let mut refuted: Option<(usize, u16)> = None;
        for index in 0..self.plies.len() {
            clock.pass(self.nodes)?;
            let (ply, ply_place) = self.plies[index];
            let position = &mut self.position;
            let (outcome, replies) = self.state.ahead(ply, |state| {
                state.read(position);
                (state.personal_outcome(), state.move_count_bound())
            });
            check_fault(&self.state)?;
            // A known result, with the path index on which it depends.
            let known = match outcome {
                Some(Outcome::Win(winner)) => Some((Proven::Wins(winner), INDEPENDENT)),
                Some(Outcome::Draw | Outcome::Shared(_)) => {
                    Some((Proven::Not(player), INDEPENDENT))
                }
                None => {
                    let key = self
                        .canonicalizer
                        .canonical_key(&self.position, &mut self.memory_budget)?;
                    let after = Tag::of(key);
                    let known = self.table.look(after, player).map(|known| (known, INDEPENDENT));
                    let on_path = || match after == tag {
                        true => Some(place),
                        false => self.places.get(&after).copied(),
                    };
                    let known = known.or_else(|| {
                        let at = on_path()?;
                        self.round = true;
                        // What returns to this position itself does so on every path.
                        let is_here = !wants && at >= place;
                        Some((Proven::Not(player), if is_here { INDEPENDENT } else { at }))
                    });
                    if known.is_none() {
                        let [decided, searched] = self.history[usize::from(ply_place)];
                        let share = (u64::from(decided) << SHARE_BITS) / (u64::from(searched) + 1);
                        self.listed.push(Listed {
                            successor: Successor { tag: after, place: ply_place },
                            replies,
                            share,
                            key: self.listed_keys.len(),
                        });
                        self.listed_keys.extend_from_slice(self.canonicalizer.own_key());
                    }
                    known
                }
            };
            let Some((known, at)) = known else { continue };
            if wants {
                if known.is_win_of(player) {
                    self.remember(place + 1, ply_place);
                    self.table.keep(tag, known, 1);
                    return Ok(Expansion::Settled(known, INDEPENDENT));
                }
                proven = weaker(proven, known);
                depends_on = depends_on.min(at);
            } else if known == Proven::Wins(other) {
                self.remember(place + 1, ply_place);
                self.table.keep(tag, known, 1);
                return Ok(Expansion::Settled(known, INDEPENDENT));
            } else if !known.is_win_of(player) && refuted.is_none_or(|(before, _)| before < at) {
                // A later ply may do more than prevent the win.
                refuted = Some((at, ply_place));
            }
        }
        if let Some((at, ply_place)) = refuted {
            self.remember(place + 1, ply_place);
            if at == INDEPENDENT {
                self.table.keep(tag, Proven::Not(player), 1);
            }
            return Ok(Expansion::Settled(Proven::Not(player), at));
        }
        let open = self.open.len();
        self.push_listed()?;
        let nodes = self.nodes;
        Ok(Expansion::Open(ProofStep { tag, wants, open, place: 0, proven, depends_on, nodes }))
    }

    /// Lists the plies of the current position, which is to come at this place of the path: those
    /// first that have decided there last.
    fn list_plies(&mut self, place: usize) -> Result<(), Stopped> {
        let mover = match self.state.personal_turn() {
            Turn::Player(person) => person.0 as u8,
            Turn::Chance | Turn::Nobody => 0,
        };
        let plies = self.state.candidates();
        check_fault(&self.state)?;
        self.plies.clear();
        let placed = |ply: PackedMove| (ply, (ply.hash_by(mover) as usize % HISTORY) as u16);
        self.plies.extend(plies.into_iter().map(placed));
        let mut first = 0;
        for killer in self.killers.get(place + 1).into_iter().flatten().flatten() {
            let at = self.plies[first..].iter().position(|(_, place)| place == killer);
            if let Some(at) = at {
                self.plies[first..=first + at].rotate_right(1);
                first += 1;
            }
        }
        Ok(())
    }

    /// Remembers a ply that has decided a position with this many on the path, itself included.
    fn remember(&mut self, depth: usize, place: u16) {
        let count = &mut self.history[usize::from(place)][0];
        *count = count.saturating_add(1);
        if self.killers.len() <= depth {
            self.killers.resize(depth + 1, [None; 2]);
        }
        let killers = &mut self.killers[depth];
        if killers[0] != Some(place) {
            *killers = [Some(place), killers[0]];
        }
    }

    /// Pushes the undecided successors, the first to be searched last.
    fn push_listed(&mut self) -> Result<(), RanOut> {
        self.listed
            .sort_by_key(|listed| Reverse((listed.replies, Reverse(listed.share), listed.key)));
        self.memory_budget.take(self.open_bytes(self.listed.len()))?;
        let words = self.key.len();
        for listed in &self.listed {
            self.open.push(listed.successor);
            self.open_keys.extend_from_slice(&self.listed_keys[listed.key..listed.key + words]);
        }
        Ok(())
    }

    /// Pushes the position whose canonical key was computed last.
    fn push(&mut self, successor: Successor) -> Result<(), RanOut> {
        self.memory_budget.take(self.open_bytes(1))?;
        self.open.push(successor);
        self.open_keys.extend_from_slice(self.canonicalizer.own_key());
        Ok(())
    }

    /// Pops the next successor, and its key.
    fn pop(&mut self) -> Successor {
        let next = self.open.len() - 1;
        let successor = self.open[next];
        let words = self.key.len();
        self.key.copy_from_slice(&self.open_keys[next * words..]);
        self.forget(next);
        successor
    }

    /// Pops the successors from index `from` on.
    fn forget(&mut self, from: usize) {
        self.memory_budget.give_back(self.open_bytes(self.open.len() - from));
        self.open.truncate(from);
        self.open_keys.truncate(from * self.key.len());
    }

    /// Returns the bytes of successors on the stack: a growing vector may take twice its length, and
    /// half of that again while it is copied.
    fn open_bytes(&self, count: usize) -> u64 {
        (3 * count * (size_of::<Successor>() + size_of_val(self.key.as_slice()))) as u64
    }
}

/// Returns what two results of successors leave for a position that neither of them decides: that
/// somebody wins only if he does after both.
fn weaker(one: Proven, other: Proven) -> Proven {
    match (one, other) {
        (Proven::Wins(_), Proven::Not(_)) => other,
        _ => one,
    }
}
