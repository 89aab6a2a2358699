//! Proof search: a depth-first alpha-beta search for the value of two-player games without dice
//! whose graph is too large to be explored. It finds values, not distances.
//!
//! Every search asks if one player wins, so that its window is a single value; a player who is
//! found not to win may be found to lose at the same time (fail-soft), and a transposition table
//! keeps bounds of both kinds: the question for the other player starts from the results of the
//! first one. The table replaces the entries with the least work first.
//!
//! A position is expanded by looking at each successor once: a win in one ply, or a successor with
//! a known value that decides, is found before anything is searched. Plies that have refuted
//! sibling positions are looked at first, so that a ply that does not answer a threat costs only
//! one ply. The other successors are searched in this order: fewest replies of the opponent, then
//! plies nearest to the middle of the board, then plies that have decided most often elsewhere
//! (Jonathan Schaeffer, *The History Heuristic and Alpha-Beta Search Enhancements in Practice*,
//! IEEE PAMI 11, 1989).
//!
//! A position that is already on the search path counts as "win not forced". This holds for the
//! current path only, so results that depend on it are stored only once the search has left the
//! position that they depend on. A forced win of either player never depends on the path. (This
//! avoids the graph history interaction problem by storing only results that hold for every
//! history; Akihiro Kishimoto and Martin Müller, AAAI 2004, section 2, say when that is needed.)

mod division;

use super::lookahead::{After, Lookahead};
use super::packed::{pack, unpack};
use super::ply_order::Killers;
use super::proof::Shared;
use super::proof_table::{Fresh, Proven};
use super::tags::Tag;
use super::{Clock, RanOut, Stopped};
use crate::budget::MemoryBudget;
use crate::engine::game::{State, Turn};
use crate::language::rules::PlayerId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;

/// Marks a result that does not depend on the path.
const INDEPENDENT: usize = usize::MAX;
/// Upper bound of the bytes per position on the path, without its successors.
const STEP_BYTES: u64 =
    4 * (size_of::<ProofStep>() + size_of::<(Tag, usize)>() + size_of::<Killers>()) as u64;

/// One search over the positions reachable from one.
pub struct Search {
    pub ahead: Lookahead,
    pub memory_budget: MemoryBudget,
    /// A stack: the untried successors of every position on the path, the next one last, and their
    /// packed positions.
    open: Vec<Successor>,
    open_positions: Vec<u64>,
    /// The undecided successors of the current position, each with the share of searches in which
    /// its ply has decided a position.
    listed: Vec<(After, u64)>,
    /// The positions on the path to the position that is expanded next, with their indices.
    path: Vec<ProofStep>,
    places: PathPlaces,
    /// Whether the path and the stack belong to a paused search.
    is_begun: bool,
    /// The number of positions expanded by this search, and by the others when this one was last
    /// resumed.
    pub nodes: u64,
    pub others: u64,
    /// Whether a repetition was ever met.
    pub round: bool,
    /// The results of this search in a round with others.
    pub fresh: Fresh,
    /// The successors that others search, to be put off.
    pub busy: FxHashSet<Tag>,
}

/// A successor that is still to be searched.
#[derive(Clone, Copy)]
struct Successor {
    tag: Tag,
    /// The history index of the ply that leads to it.
    place: u16,
}

/// An expanded position on the search path.
struct ProofStep {
    tag: Tag,
    /// Whether the player to act is the one whose win is in question (an OR node).
    wants: bool,
    /// The length of [`Search::open`] below this position's successors.
    open: usize,
    /// The history index of the ply that is searched.
    place: u16,
    /// The result of the successors so far, if no other successor decides.
    proven: Proven,
    /// The lowest index on the path on which the result so far depends.
    depends_on: usize,
    /// The number of expanded positions before this one.
    nodes: u64,
    /// The number of successors that were or are being searched, and the number that were put off.
    searched: u32,
    put_off: usize,
}

/// The indices of the positions on the path, by tag.
type PathPlaces = FxHashMap<Tag, usize>;

/// The result of expanding a position.
enum Expansion {
    /// The proven result, and the path index on which it depends.
    Settled(Proven, usize),
    Open(ProofStep),
}

impl Search {
    /// Creates a search with this many bytes for its path.
    pub fn new(ahead: Lookahead, memory: u64) -> Search {
        Search {
            ahead,
            memory_budget: MemoryBudget::new(memory),
            open: Vec::new(),
            open_positions: Vec::new(),
            listed: Vec::new(),
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
        self.ahead.tagger.tag(&of.position())
    }

    /// Begins at the position of a state, unless a search from there has paused.
    ///
    /// # Errors
    /// Returns [`RanOut::Memory`] if there is no room.
    pub fn begin(&mut self, from: &State) -> Result<(), RanOut> {
        if self.is_begun {
            return Ok(());
        }
        let position = from.position();
        let tag = self.ahead.tagger.tag(&position);
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

    /// Searches from the position where it has begun, until this search has expanded `until`
    /// positions or must pause. If [`settled_elsewhere`](Self::settled_elsewhere) has found a
    /// result, begins with it.
    ///
    /// # Errors
    /// Stops if memory or time runs out, or if the rules do not terminate somewhere. The search
    /// then has to begin anew.
    pub fn prove(
        &mut self,
        shared: &Shared,
        player: PlayerId,
        until: u64,
        mut elsewhere: Option<Proven>,
        clock: &mut Clock,
    ) -> Result<Option<Proven>, Stopped> {
        debug_assert!(self.is_begun);
        // Only a paused search can be resumed; an error leaves this unset.
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
                    self.ahead.order.count(step.place);
                    if proven.is_win_of(player) == step.wants {
                        // A win is independent; a refutation depends only on this one ply.
                        step.depends_on = depends_on;
                        decided = Some(proven);
                        self.ahead.order.remember(depth, step.place);
                    } else {
                        step.depends_on = step.depends_on.min(depends_on);
                        step.proven = step.proven.weaker(proven);
                    }
                }
                let Some(step) = self.path.last() else { break };
                if decided.is_none() && self.open.len() > step.open {
                    break;
                }
                let Some(step) = self.leave() else { break };
                let proven = decided.unwrap_or(step.proven);
                // A result that depends only on this position or deeper ones holds on every path.
                let depends_on = match proven.is_decisive() || step.depends_on >= self.path.len() {
                    true => INDEPENDENT,
                    false => step.depends_on,
                };
                if depends_on == INDEPENDENT {
                    self.fresh.keep(shared, step.tag, proven, self.nodes - step.nodes);
                }
                settled = Some((proven, depends_on));
            }
        }
        self.is_begun = true;
        Ok(None)
    }

    /// Goes on to the next successor: returns its proven result and the path index on which that
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

    /// Expands the current position: lists its undecided successors, unless the other successors
    /// settle it.
    fn expand(
        &mut self,
        tag: Tag,
        shared: &Shared,
        player: PlayerId,
        clock: &mut Clock,
    ) -> Result<Expansion, Stopped> {
        let place = self.path.len();
        // The position may have been settled or reached on the path since it was listed.
        if let Some(known) = self.fresh.look(shared, tag, player) {
            return Ok(Expansion::Settled(known, INDEPENDENT));
        }
        if let Some(&place) = self.places.get(&tag) {
            self.round = true;
            return Ok(Expansion::Settled(Proven::Not(player), place));
        }
        self.nodes += 1;
        clock.tick(self.nodes + self.others)?;
        let wants = self.ahead.expand(place)? == Turn::Player(player);
        self.listed.clear();
        let mut depends_on = INDEPENDENT;
        // The result if the undecided successors do not decide, and a successor that does.
        let mut proven = Proven::by_default(wants, player);
        let mut refuted: Option<(usize, u16)> = None;
        let prefetch = |tag| shared.table.prefetch(tag);
        while self.ahead.look(prefetch, self.nodes + self.others, clock)? {
            for index in 0..self.ahead.batch().len() {
                let after = self.ahead.batch()[index];
                // A known result, with the path index on which it depends.
                let known = after.known(player, |tag| self.fresh.look(shared, tag, player));
                let known = known.map(|known| (known, INDEPENDENT)).or_else(|| {
                    let here = (after.tag == tag).then_some(place);
                    let at = here.or_else(|| self.places.get(&after.tag).copied())?;
                    self.round = true;
                    // A return to this position itself happens on every path.
                    let is_here = !wants && at >= place;
                    Some((Proven::Not(player), if is_here { INDEPENDENT } else { at }))
                });
                let Some((known, at)) = known else {
                    self.listed.push((after, self.ahead.order.share(after.place)));
                    continue;
                };
                if known.is_win_of(player) != wants {
                    proven = proven.weaker(known);
                    depends_on = depends_on.min(at);
                } else if known.is_decisive() {
                    self.ahead.order.remember(place + 1, after.place);
                    self.fresh.keep(shared, tag, known, 1);
                    return Ok(Expansion::Settled(known, INDEPENDENT));
                } else if refuted.is_none_or(|(before, _)| before < at) {
                    // A later ply may not only prevent the win but win itself.
                    refuted = Some((at, after.place));
                }
            }
        }
        if let Some((at, ply_place)) = refuted {
            self.ahead.order.remember(place + 1, ply_place);
            if at == INDEPENDENT {
                self.fresh.keep(shared, tag, Proven::Not(player), 1);
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

    /// Pushes the undecided successors, the first to be searched last.
    fn push_listed(&mut self) -> Result<(), RanOut> {
        self.listed.sort_by_key(|(after, share)| {
            Reverse((after.replies, after.off_centre, Reverse(*share), after.at))
        });
        self.memory_budget.take(self.open_bytes(self.listed.len()))?;
        for (after, _) in &self.listed {
            self.open.push(Successor { tag: after.tag, place: after.place });
            self.open_positions.extend_from_slice(self.ahead.packed(after.at));
        }
        Ok(())
    }

    /// Pops the next successor, whose position becomes the current one.
    fn pop(&mut self) -> Successor {
        let next = self.open.len() - 1;
        let successor = self.open[next];
        let words = self.ahead.words;
        unpack(&self.open_positions[next * words..], &mut self.ahead.position);
        self.forget(next);
        successor
    }

    /// Pops the successors from index `from` on.
    fn forget(&mut self, from: usize) {
        self.memory_budget.give_back(self.open_bytes(self.open.len() - from));
        self.open.truncate(from);
        self.open_positions.truncate(from * self.ahead.words);
    }

    /// Returns the bytes of successors on the stack: a growing vector may take twice its length,
    /// and half as much again while it is copied.
    fn open_bytes(&self, count: usize) -> u64 {
        (3 * count * (size_of::<Successor>() + self.ahead.words * size_of::<u64>())) as u64
    }
}
