//! Proof search: a depth-first AND/OR search that decides if a player can force a win, for
//! two-player games without dice whose graph does not fit into memory. It finds values, not
//! distances.
//!
//! Proofs are kept in a transposition table that replaces the entries with the least work first.
//! Successors that leave the opponent the fewest replies are tried first. Until a draw or a
//! repetition is met, every refutation ends in a win of the opponent, so that one proof settles
//! both players.
//!
//! A position that is already on the search path counts as "win not forced". This holds for the
//! current path only, so results that depend on it are stored only once the search has left the
//! position that they depend on. A forced win never depends on the path. (This avoids the graph
//! history interaction problem by storing only what holds for every history; Akihiro Kishimoto and
//! Martin Müller, AAAI 2004, section 2, say when that is needed.)

use super::canonical::Canonicalizer;
use super::proof_table::{Proven, Table, Tag};
use super::{Clock, RanOut, Stopped, check_fault};
use crate::budget::MemoryBudget;
use crate::engine::game::{State, Turn};
use crate::engine::position::{Outcome, Position};
use crate::language::rules::PlayerId;
use std::collections::HashMap;

/// The result does not depend on the path.
const INDEPENDENT: usize = usize::MAX;
/// Upper bound of the bytes per position on the path, without its successors.
const STEP_BYTES: u64 = 4 * (size_of::<ProofStep>() + size_of::<(Tag, usize)>()) as u64;

/// A proof search over the positions reachable from one.
pub struct Prover {
    canonicalizer: Canonicalizer,
    state: State,
    /// The hashes of the positions before the search began.
    history: Vec<u64>,
    position: Position,
    table: Table,
    memory_budget: MemoryBudget,
    /// The key of the current position.
    key: Vec<u64>,
    /// A stack of keys: the untried successors of every position on the path, the next one last.
    open: Vec<u64>,
    /// The undecided successors of the current position: an upper bound of the number of plies, and
    /// the offset of the key in `keys`.
    after: Vec<(u32, usize)>,
    keys: Vec<u64>,
    /// How many positions were expanded.
    pub nodes: u64,
    /// Whether a repetition was ever met.
    pub round: bool,
    /// Whether a drawn end was ever met.
    drawn: bool,
}

/// An expanded position on the search path.
struct ProofStep {
    tag: Tag,
    /// Whether the player to act is the one whose win is in question (an OR node).
    wants: bool,
    /// The length of [`Prover::open`] below this position's successors.
    open: usize,
    /// The lowest index on the path on which the result so far depends.
    depends_on: usize,
    /// The number of expanded positions before this one.
    nodes: u64,
}

/// The indices of the positions on the path, by tag.
type PathPlaces = HashMap<Tag, usize>;

/// The result of expanding a position.
enum Expansion {
    /// Whether the win is forced, and the path index on which that depends.
    Settled(bool, usize),
    Open(ProofStep),
}

/// What is known of a successor.
enum After {
    Known(bool),
    /// It is on the path, at this index.
    OnPath(usize),
    Open,
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
            history: from.history().to_vec(),
            position,
            table,
            memory_budget,
            key,
            open: Vec::new(),
            after: Vec::new(),
            keys: Vec::new(),
            nodes: 0,
            round: false,
            drawn: false,
        })
    }

    /// Returns the number of symmetries under which positions are identified.
    pub fn symmetries(&self) -> usize {
        self.canonicalizer.symmetries()
    }

    /// Decides if a player can force a win from the position of a state.
    ///
    /// # Errors
    /// Stops if memory or time runs out, or if the rules do not terminate somewhere.
    pub fn wins(
        &mut self,
        player: PlayerId,
        of: &State,
        clock: &mut Clock,
    ) -> Result<bool, Stopped> {
        if let Some(outcome) = of.personal_outcome() {
            return Ok(outcome == Outcome::Win(player));
        }
        let key = self.canonicalizer.canonical_key(&of.position(), &mut self.memory_budget)?;
        match self.table.look(Tag::of(key), player) {
            Some(known) => Ok(known),
            None => {
                self.key.copy_from_slice(key);
                self.prove(player, clock)
            }
        }
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
        anew.nodes = self.nodes;
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
        Some((self.table.look(tag, player)?, self.table.work(tag)?))
    }

    /// Searches from the current position, with an explicit stack.
    fn prove(&mut self, player: PlayerId, clock: &mut Clock) -> Result<bool, Stopped> {
        let mut places = PathPlaces::new();
        let mut path: Vec<ProofStep> = Vec::new();
        // An earlier search that ran out of time may have left keys.
        self.forget(0);
        loop {
            // The result of the position settled last, and the path index on which it depends.
            let (mut settled, mut depends_on) =
                match self.expand(player, &places, path.len(), clock)? {
                    Expansion::Settled(wins, depends_on) => (Some(wins), depends_on),
                    Expansion::Open(step) => {
                        self.memory_budget.take(STEP_BYTES)?;
                        places.insert(step.tag, path.len());
                        path.push(step);
                        (None, INDEPENDENT)
                    }
                };
            // Backs up the result for as long as it settles the parent.
            loop {
                let Some(step) = path.last_mut() else {
                    return Ok(settled == Some(true));
                };
                if let Some(wins) = settled.take() {
                    if wins == step.wants {
                        // A win is independent; a refutation depends only on this one ply.
                        step.depends_on = depends_on;
                        settled = Some(wins);
                    } else {
                        step.depends_on = step.depends_on.min(depends_on);
                    }
                }
                if settled.is_none() {
                    if self.open.len() > step.open {
                        let next = self.open.len() - self.key.len();
                        self.key.copy_from_slice(&self.open[next..]);
                        self.forget(next);
                        break;
                    }
                    settled = Some(!step.wants);
                }
                let Some(step) = path.pop() else { break };
                places.remove(&step.tag);
                self.memory_budget.give_back(STEP_BYTES);
                self.forget(step.open);
                let wins = settled == Some(true);
                // A result that depends only on this position or deeper ones holds in general.
                depends_on = if wins || step.depends_on >= path.len() {
                    INDEPENDENT
                } else {
                    step.depends_on
                };
                if depends_on == INDEPENDENT {
                    let work = self.nodes - step.nodes;
                    self.keep(step.tag, player, wins, work);
                }
            }
        }
    }

    /// Expands the current position: lists its undecided successors, unless one settles it.
    fn expand(
        &mut self,
        player: PlayerId,
        places: &PathPlaces,
        place: usize,
        clock: &mut Clock,
    ) -> Result<Expansion, Stopped> {
        let tag = Tag::of(&self.key);
        // Since it was listed, the position may have been settled or reached on the path.
        if let Some(known) = self.table.look(tag, player) {
            return Ok(Expansion::Settled(known, INDEPENDENT));
        }
        if let Some(&place) = places.get(&tag) {
            self.round = true;
            return Ok(Expansion::Settled(false, place));
        }
        self.nodes += 1;
        clock.tick(self.nodes)?;
        self.canonicalizer.read(&self.key, &mut self.position);
        self.state.go_to_after(&self.position, &self.history);
        let wants = self.state.personal_turn() == Turn::Player(player);
        let mut depends_on = INDEPENDENT;
        self.after.clear();
        self.keys.clear();
        let plies = self.state.candidates();
        check_fault(&self.state)?;
        for ply in plies {
            clock.pass(self.nodes)?;
            let position = &mut self.position;
            let (outcome, offered) = self.state.ahead(ply, |state| {
                state.read(position);
                (state.personal_outcome(), state.move_count_bound())
            });
            check_fault(&self.state)?;
            let after = match outcome {
                Some(outcome) => {
                    self.drawn |= outcome.is_draw();
                    After::Known(outcome == Outcome::Win(player))
                }
                None => {
                    let next = self
                        .canonicalizer
                        .canonical_key(&self.position, &mut self.memory_budget)?;
                    let after = Tag::of(next);
                    if let Some(known) = self.table.look(after, player) {
                        After::Known(known)
                    } else if after == tag {
                        After::OnPath(place)
                    } else if let Some(&place) = places.get(&after) {
                        After::OnPath(place)
                    } else {
                        self.after.push((offered, self.keys.len()));
                        self.keys.extend_from_slice(next);
                        After::Open
                    }
                }
            };
            match after {
                // One win settles an OR node, one refutation an AND node.
                After::Known(wins) if wins == wants => {
                    self.keep(tag, player, wins, 1);
                    return Ok(Expansion::Settled(wins, INDEPENDENT));
                }
                After::OnPath(at) => {
                    self.round = true;
                    depends_on = depends_on.min(at);
                    // A repetition refutes. One that returns to this position itself does so on
                    // every path.
                    if !wants {
                        return Ok(Expansion::Settled(
                            false,
                            if at >= place { INDEPENDENT } else { at },
                        ));
                    }
                }
                After::Known(_) | After::Open => {}
            }
        }
        let open = self.open.len();
        self.list_open()?;
        Ok(Expansion::Open(ProofStep { tag, wants, open, depends_on, nodes: self.nodes }))
    }

    /// Pushes the undecided successors, ordered by the number of replies; ties keep the order of
    /// the plies.
    fn list_open(&mut self) -> Result<(), RanOut> {
        let words = self.key.len();
        // A growing vector may take twice its length, and half of that again while it is copied.
        self.memory_budget.take(3 * size_of_val(self.keys.as_slice()) as u64)?;
        self.after.sort_by_key(|&(offered, key)| std::cmp::Reverse((offered, key)));
        for &(_, key) in &self.after {
            self.open.extend_from_slice(&self.keys[key..key + words]);
        }
        Ok(())
    }

    /// Pops the keys from index `from` on.
    fn forget(&mut self, from: usize) {
        self.memory_budget.give_back(3 * size_of_val(&self.open[from..]) as u64);
        self.open.truncate(from);
    }

    /// Stores a result.
    fn keep(&mut self, tag: Tag, player: PlayerId, wins: bool, work: u64) {
        let other = PlayerId(1 - player.0);
        // As long as no draw and no repetition was met, "does not win" means "the other one wins".
        let proven = match (wins, self.drawn || self.round) {
            (true, _) => Proven::Wins(player),
            (false, true) => Proven::Not(player),
            (false, false) => Proven::Wins(other),
        };
        self.table.keep(tag, proven, work);
    }
}
