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
//! opponent the fewest replies, then those by plies nearest to the middle of the board, then those by
//! plies that have decided most often elsewhere (Jonathan Schaeffer, *The History Heuristic and
//! Alpha-Beta Search Enhancements in Practice*, IEEE PAMI 11, 1989).
//!
//! A position that is already on the search path counts as "win not forced". This holds for the
//! current path only, so results that depend on it are stored only once the search has left the
//! position that they depend on. A forced win of either player never depends on the path. (This
//! avoids the graph history interaction problem by storing only what holds for every history; Akihiro
//! Kishimoto and Martin Müller, AAAI 2004, section 2, say when that is needed.)

mod division;
mod order;

use super::packed::{pack, packed_words, unpack};
use super::proof::Shared;
use super::proof_table::{Fresh, Proven};
use super::tags::{Tag, Tagger};
use super::{Clock, RanOut, Stopped, check_fault};
use crate::budget::MemoryBudget;
use crate::engine::PackedMove;
use crate::engine::game::{State, Turn};
use crate::engine::position::{Outcome, Position};
use crate::language::rules::PlayerId;
use order::{Killers, PlyOrder};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::ops::Range;

/// The result does not depend on the path.
const INDEPENDENT: usize = usize::MAX;
/// How many plies are looked at together: the table is read while the next one is made.
const BATCH: usize = 4;
/// Upper bound of the bytes per position on the path, without its successors.
const STEP_BYTES: u64 =
    4 * (size_of::<ProofStep>() + size_of::<(Tag, usize)>() + size_of::<Killers>()) as u64;

/// One search over the positions reachable from one.
pub struct Search {
    pub tagger: Tagger,
    state: State,
    /// The hashes of the positions before the search began.
    history_before: Vec<u64>,
    position: Position,
    pub memory_budget: MemoryBudget,
    /// The number of words of a packed position.
    packed: usize,
    /// A stack: the untried successors of every position on the path, the next one last, and their
    /// packed positions.
    open: Vec<Successor>,
    open_positions: Vec<u64>,
    /// The undecided successors of the current position, and their packed positions.
    listed: Vec<Listed>,
    listed_positions: Vec<u64>,
    /// What the plies lead to that are looked at together.
    batch: Vec<After>,
    /// The plies of the current position, with their places in the history.
    plies: Vec<(PackedMove, u16)>,
    /// Those plies as the engine lists them.
    legal: Vec<PackedMove>,
    order: PlyOrder,
    /// The positions on the way to the one that is expanded next, with their places.
    path: Vec<ProofStep>,
    places: PathPlaces,
    /// Whether the path and the stack are those of a search that goes on.
    is_begun: bool,
    /// How many positions were expanded, and how many by others when this one went on last.
    pub nodes: u64,
    pub others: u64,
    /// Whether a repetition was ever met.
    pub round: bool,
    /// What this search has found in a round with others.
    pub fresh: Fresh,
    /// The successors that others search, to be put off.
    pub busy: FxHashSet<Tag>,
}

/// A successor that is still to be searched.
#[derive(Clone, Copy)]
struct Successor {
    tag: Tag,
    /// The place in the history of the ply that leads to it.
    place: u16,
}

/// A successor with what decides about its turn.
#[derive(Clone, Copy)]
struct Listed {
    successor: Successor,
    /// An upper bound of the number of replies.
    replies: u32,
    /// How far from the middle of the board its ply ends.
    off_centre: u32,
    /// How often its ply has decided, as a share of how often it was searched.
    share: u64,
    /// The offset of its packed position.
    at: usize,
}

/// What a ply leads to. If the game is over, there is nothing to search.
#[derive(Clone, Copy)]
struct After {
    outcome: Option<Outcome>,
    listed: Listed,
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
    /// How many successors were searched or are, and how many were put off to the last.
    searched: u32,
    put_off: usize,
}

/// The indices of the positions on the path, by tag.
type PathPlaces = FxHashMap<Tag, usize>;

/// The result of expanding a position.
enum Expansion {
    /// What is proven, and the path index on which that depends.
    Settled(Proven, usize),
    Open(ProofStep),
}

impl Search {
    /// Creates a search with this many bytes for its path.
    pub fn new(from: &State, tagger: Tagger, memory: u64) -> Search {
        let position = from.position();
        Search {
            tagger,
            state: from.clone(),
            history_before: from.history().to_vec(),
            packed: packed_words(&position),
            position,
            memory_budget: MemoryBudget::new(memory),
            open: Vec::new(),
            open_positions: Vec::new(),
            listed: Vec::new(),
            listed_positions: Vec::new(),
            batch: Vec::new(),
            plies: Vec::new(),
            legal: Vec::new(),
            order: PlyOrder::new(from),
            path: Vec::new(),
            places: PathPlaces::default(),
            is_begun: false,
            nodes: 0,
            others: 0,
            round: false,
            fresh: Fresh::default(),
            busy: FxHashSet::default(),
        }
    }

    /// Returns the tag of the position of a state.
    pub fn tag(&mut self, of: &State) -> Tag {
        self.tagger.tag(&of.position())
    }

    /// Begins at the position of a state, unless a search of it has paused.
    ///
    /// # Errors
    /// Returns [`RanOut::Memory`] if there is no room.
    pub fn begin(&mut self, from: &State) -> Result<(), RanOut> {
        if self.is_begun {
            return Ok(());
        }
        let position = from.position();
        let tag = self.tagger.tag(&position);
        let mut packed = Vec::new();
        pack(&position, &mut packed);
        self.begin_at(tag, &packed)
    }

    /// Begins at a packed position with this tag.
    ///
    /// # Errors
    /// Returns [`RanOut::Memory`] if there is no room.
    pub fn begin_at(&mut self, tag: Tag, packed: &[u64]) -> Result<(), RanOut> {
        self.end();
        self.memory_budget.take(self.open_bytes(1))?;
        self.open.push(Successor { tag, place: 0 });
        self.open_positions.extend_from_slice(packed);
        self.is_begun = true;
        Ok(())
    }

    /// Forgets the path of a search that paused or ran out of time.
    pub fn end(&mut self) {
        self.memory_budget.give_back(STEP_BYTES * self.path.len() as u64);
        self.path.clear();
        self.places.clear();
        self.forget(0);
        self.is_begun = false;
    }

    /// Searches from the position where it has begun, until this search has expanded so many
    /// positions or is to pause. If [`settled_elsewhere`](Self::settled_elsewhere) has found a
    /// result, begins with it.
    ///
    /// # Errors
    /// Stops if memory or time runs out, or if the rules do not terminate somewhere. The search then
    /// has to begin anew.
    pub fn prove(
        &mut self,
        shared: &Shared,
        player: PlayerId,
        until: u64,
        mut elsewhere: Option<Proven>,
        clock: &mut Clock,
    ) -> Result<Option<Proven>, Stopped> {
        debug_assert!(self.is_begun);
        // Only a search that pauses goes on.
        self.is_begun = false;
        while elsewhere.is_some() || self.nodes < until && !shared.is_paused() {
            // The result of the position settled last, and the path index on which it depends.
            let mut settled = match elsewhere.take() {
                Some(proven) => Some((proven, INDEPENDENT)),
                None => self.advance(shared, player, clock)?,
            };
            // Backs up the result for as long as it settles the parent.
            loop {
                let depth = self.path.len();
                let Some(step) = self.path.last_mut() else {
                    match settled {
                        Some((proven, _)) => return Ok(Some(proven)),
                        None => break,
                    }
                };
                let mut decided = None;
                if let Some((proven, depends_on)) = settled.take() {
                    self.order.count(step.place);
                    if proven.is_win_of(player) == step.wants {
                        // A win is independent; a refutation depends only on this one ply.
                        step.depends_on = depends_on;
                        decided = Some(proven);
                        self.order.remember(depth, step.place);
                    } else {
                        step.depends_on = step.depends_on.min(depends_on);
                        step.proven = weaker(step.proven, proven);
                    }
                }
                let Some(step) = self.path.last() else { break };
                if decided.is_none() && self.open.len() > step.open {
                    break;
                }
                let Some(step) = self.leave() else { break };
                let proven = decided.unwrap_or(step.proven);
                // A result that depends only on this position or deeper ones holds in general.
                let depends_on = match proven.is_decisive() || step.depends_on >= self.path.len() {
                    true => INDEPENDENT,
                    false => step.depends_on,
                };
                if depends_on == INDEPENDENT {
                    self.keep(shared, step.tag, proven, self.nodes - step.nodes);
                }
                settled = Some((proven, depends_on));
            }
        }
        self.is_begun = true;
        Ok(None)
    }

    /// Goes on to the next successor: returns what is proven of it and the path index on which that
    /// depends, or enters it.
    fn advance(
        &mut self,
        shared: &Shared,
        player: PlayerId,
        clock: &mut Clock,
    ) -> Result<Option<(Proven, usize)>, Stopped> {
        if !self.busy.is_empty() {
            self.put_off();
        }
        let successor = self.pop();
        if let Some(next) = self.open.last() {
            shared.table.prefetch(next.tag);
        }
        if let Some(step) = self.path.last_mut() {
            step.place = successor.place;
            step.searched += 1;
        }
        match self.expand(successor.tag, shared, player, clock)? {
            Expansion::Settled(proven, depends_on) => Ok(Some((proven, depends_on))),
            Expansion::Open(step) => {
                self.memory_budget.take(STEP_BYTES)?;
                self.places.insert(step.tag, self.path.len());
                self.path.push(step);
                Ok(None)
            }
        }
    }

    /// Leaves the last position of the path.
    fn leave(&mut self) -> Option<ProofStep> {
        let step = self.path.pop()?;
        self.places.remove(&step.tag);
        self.memory_budget.give_back(STEP_BYTES);
        self.forget(step.open);
        Some(step)
    }

    /// Looks up what is known of a player's win, by this search or by all.
    #[inline]
    pub fn look(&self, shared: &Shared, tag: Tag, player: PlayerId) -> Option<Proven> {
        let fresh = if shared.is_frozen { self.fresh.look(tag, player) } else { None };
        fresh.or_else(|| shared.table.look(tag, player))
    }

    /// Keeps a result with the number of positions that it took.
    #[inline]
    fn keep(&mut self, shared: &Shared, tag: Tag, proven: Proven, work: u64) {
        match shared.is_frozen {
            true => self.fresh.keep(tag, proven, work),
            false => shared.keep(tag, proven, work),
        }
    }

    /// Expands the current position: lists its undecided successors, unless the
    /// others settle it.
    fn expand(
        &mut self,
        tag: Tag,
        shared: &Shared,
        player: PlayerId,
        clock: &mut Clock,
    ) -> Result<Expansion, Stopped> {
        let place = self.path.len();
        // Since it was listed, the position may have been settled or reached on the path.
        if let Some(known) = self.look(shared, tag, player) {
            return Ok(Expansion::Settled(known, INDEPENDENT));
        }
        if let Some(&place) = self.places.get(&tag) {
            self.round = true;
            return Ok(Expansion::Settled(Proven::Not(player), place));
        }
        self.nodes += 1;
        clock.tick(self.nodes + self.others)?;
        self.tagger.go_to(&self.position);
        self.state.go_to_after(&self.position, &self.history_before);
        let wants = self.state.team_turn() == Turn::Player(player);
        self.list_plies(place)?;
        self.listed.clear();
        self.listed_positions.clear();
        let mut depends_on = INDEPENDENT;
        // What follows if the undecided successors do not decide, and a successor that does.
        let other = PlayerId(1 - player.0);
        let mut proven = if wants { Proven::Wins(other) } else { Proven::Wins(player) };
        let mut refuted: Option<(usize, u16)> = None;
        let mut first = 0;
        while first < self.plies.len() {
            self.look_ahead(shared, first..(first + BATCH).min(self.plies.len()), clock)?;
            first += self.batch.len();
            for index in 0..self.batch.len() {
                let After { outcome, listed } = self.batch[index];
                let Successor { tag: after, place: ply_place } = listed.successor;
                // A known result, with the path index on which it depends.
                let known = match outcome {
                    Some(Outcome::Win(winner)) => Some((Proven::Wins(winner), INDEPENDENT)),
                    Some(Outcome::Draw | Outcome::Shared(_)) => {
                        Some((Proven::Not(player), INDEPENDENT))
                    }
                    None => {
                        let known = self.look(shared, after, player);
                        known.map(|known| (known, INDEPENDENT)).or_else(|| {
                            let here = (after == tag).then_some(place);
                            let at = here.or_else(|| self.places.get(&after).copied())?;
                            self.round = true;
                            // What returns to this position itself does so on every path.
                            let is_here = !wants && at >= place;
                            Some((Proven::Not(player), if is_here { INDEPENDENT } else { at }))
                        })
                    }
                };
                let Some((known, at)) = known else {
                    self.listed.push(listed);
                    continue;
                };
                if wants {
                    if known.is_win_of(player) {
                        self.order.remember(place + 1, ply_place);
                        self.keep(shared, tag, known, 1);
                        return Ok(Expansion::Settled(known, INDEPENDENT));
                    }
                    proven = weaker(proven, known);
                    depends_on = depends_on.min(at);
                } else if known == Proven::Wins(other) {
                    self.order.remember(place + 1, ply_place);
                    self.keep(shared, tag, known, 1);
                    return Ok(Expansion::Settled(known, INDEPENDENT));
                } else if !known.is_win_of(player) && refuted.is_none_or(|(before, _)| before < at)
                {
                    // A later ply may do more than prevent the win.
                    refuted = Some((at, ply_place));
                }
            }
        }
        if let Some((at, ply_place)) = refuted {
            self.order.remember(place + 1, ply_place);
            if at == INDEPENDENT {
                self.keep(shared, tag, Proven::Not(player), 1);
            }
            return Ok(Expansion::Settled(Proven::Not(player), at));
        }
        let open = self.open.len();
        self.push_listed()?;
        let nodes = self.nodes;
        Ok(Expansion::Open(ProofStep {
            tag,
            wants,
            open,
            place: 0,
            proven,
            depends_on,
            nodes,
            searched: 0,
            put_off: 0,
        }))
    }

    /// Looks at the positions after some of the plies; a win ends the batch.
    fn look_ahead(
        &mut self,
        shared: &Shared,
        plies: Range<usize>,
        clock: &mut Clock,
    ) -> Result<(), Stopped> {
        self.batch.clear();
        for index in plies {
            clock.pass(self.nodes + self.others)?;
            let (ply, place) = self.plies[index];
            let position = &mut self.position;
            let (outcome, replies) = self.state.ahead(ply, |state| {
                state.read(position);
                (state.team_outcome(), state.move_count_bound())
            });
            check_fault(&self.state)?;
            let tag = self.tagger.tag(&self.position);
            shared.table.prefetch(tag);
            let listed = Listed {
                successor: Successor { tag, place },
                replies,
                off_centre: self.order.off_centre(ply),
                share: self.order.share(place),
                at: self.listed_positions.len(),
            };
            self.batch.push(After { outcome, listed });
            match outcome {
                None => pack(&self.position, &mut self.listed_positions),
                Some(Outcome::Win(_)) => break,
                Some(Outcome::Draw | Outcome::Shared(_)) => {}
            }
        }
        Ok(())
    }

    /// Lists the plies of the current position, which is to come at this place of the path: those
    /// first that have decided there last.
    fn list_plies(&mut self, place: usize) -> Result<(), Stopped> {
        let mover = match self.state.team_turn() {
            Turn::Player(person) => person.0 as u8,
            Turn::Chance | Turn::Nobody => 0,
        };
        self.state.candidates_into(&mut self.legal);
        check_fault(&self.state)?;
        self.plies.clear();
        self.plies.extend(self.legal.iter().map(|&ply| (ply, PlyOrder::place(ply, mover))));
        self.order.killers_first(place + 1, &mut self.plies);
        Ok(())
    }

    /// Pushes the undecided successors, the first to be searched last.
    fn push_listed(&mut self) -> Result<(), RanOut> {
        self.listed.sort_by_key(|listed| {
            Reverse((listed.replies, listed.off_centre, Reverse(listed.share), listed.at))
        });
        self.memory_budget.take(self.open_bytes(self.listed.len()))?;
        let words = self.packed;
        for listed in &self.listed {
            self.open.push(listed.successor);
            let position = &self.listed_positions[listed.at..listed.at + words];
            self.open_positions.extend_from_slice(position);
        }
        Ok(())
    }

    /// Pops the next successor, whose position becomes the current one.
    fn pop(&mut self) -> Successor {
        let next = self.open.len() - 1;
        let successor = self.open[next];
        unpack(&self.open_positions[next * self.packed..], &mut self.position);
        self.forget(next);
        successor
    }

    /// Pops the successors from index `from` on.
    fn forget(&mut self, from: usize) {
        self.memory_budget.give_back(self.open_bytes(self.open.len() - from));
        self.open.truncate(from);
        self.open_positions.truncate(from * self.packed);
    }

    /// Returns the bytes of successors on the stack: a growing vector may take twice its length, and
    /// half of that again while it is copied.
    fn open_bytes(&self, count: usize) -> u64 {
        (3 * count * (size_of::<Successor>() + self.packed * size_of::<u64>())) as u64
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
