//! Who can force a win, depth first.
//!
//! In: a match of two players without dice, of more positions than there is memory for. Out:
//! whether a player can force a win, from any position after it, by as few positions as can be. It
//! refuses to know distances.
//!
//! What is proven is kept in a table, and in less memory what took less work makes room. Of two
//! plies the one is tried first that leaves the other player fewer. As long as neither a draw nor a
//! position that comes round was ever met, whoever cannot force a win is lost, so that one proof
//! settles both players.
//!
//! Where positions come round, a position that stands on the way already is taken for one from
//! which the win is not forced: that is right for the way at hand, and what follows from it is kept
//! only once it no longer depends on that way. A win never depends on it. (The remedy for the graph
//! history interaction that keeps only what holds for every history; Akihiro Kishimoto and Martin
//! Müller, AAAI 2004, section 2, say when it is needed.)

use super::canonical::Canonicalizer;
use super::memory::MemoryBudget;
use super::proof_table::{Proven, Table, Tag};
use super::{Clock, RanOut, Stopped};
use crate::engine::game::{State, Turn};
use crate::engine::position::{Outcome, Position};
use crate::language::rules::PlayerId;
use std::collections::HashMap;

/// No position of the way is relied on.
const INDEPENDENT: usize = usize::MAX;
/// What a step of the way takes in bytes besides the positions after it, at most.
const STEP_BYTES: u64 = 4 * (size_of::<ProofStep>() + size_of::<(Tag, usize)>()) as u64;

/// Proves things of the positions after one.
pub struct Prover {
    canonicalizer: Canonicalizer,
    state: State,
    /// The hashes of the positions before the proof begins.
    history: Vec<u64>,
    position: Position,
    table: Table,
    memory_budget: MemoryBudget,
    /// The key of the position at hand.
    key: Vec<u64>,
    /// The keys of the positions that are still to be tried, those of the last step last, and of
    /// those the next one last.
    open: Vec<u64>,
    /// The positions after the one at hand: what each leaves the other player, and its key.
    after: Vec<(u32, usize)>,
    keys: Vec<u64>,
    /// How many positions were looked at.
    pub nodes: u64,
    /// Whether a position ever came round.
    pub round: bool,
    /// Whether a game ever ended in a draw.
    drawn: bool,
}

/// A position on the way, with what is still to be tried.
struct ProofStep {
    tag: Tag,
    /// Whether whoever wants the win acts.
    wants: bool,
    /// Where the positions after it begin among those to be tried.
    open: usize,
    /// The least place on the way that what is known so far relies on.
    relies: usize,
    /// How many positions had been looked at before.
    nodes: u64,
}

/// The positions on the way, by tag.
type PathPlaces = HashMap<Tag, usize>;

/// What looking at a position tells.
enum Inspection {
    /// Whether the win is forced, and the place on the way that this relies on.
    Settled(bool, usize),
    Open(ProofStep),
}

/// What is to be had after a ply.
enum After {
    Known(bool),
    /// It stands on the way, at that place.
    Round(usize),
    Open,
}

impl Prover {
    /// Prepares to prove, with a table that may take nearly all of the memory.
    ///
    /// # Errors
    /// Tells if there is too little memory for any table.
    pub fn new(from: &State, symmetric: bool, memory: u64) -> Result<Prover, RanOut> {
        let canonicalizer = Canonicalizer::new(from, symmetric);
        let mut memory_budget = MemoryBudget::new(memory);
        // The rest is for the way and the numbers of the game.
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

    /// How many symmetries make positions one.
    pub fn symmetries(&self) -> usize {
        self.canonicalizer.symmetries()
    }

    /// Whether a player can force a win from where a match is.
    ///
    /// # Errors
    /// Tells if time ran out, or the rules go round without end somewhere.
    pub fn wins(
        &mut self,
        player: PlayerId,
        of: &State,
        clock: &mut Clock,
    ) -> Result<bool, Stopped> {
        if let Some(outcome) = of.outcome() {
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

    /// Whether it is known already that a player can force a win from where a match is, and how
    /// much was looked at to prove it, as a logarithm.
    pub fn known(&mut self, player: PlayerId, of: &State) -> Option<(bool, u64)> {
        if let Some(outcome) = of.outcome() {
            return Some((outcome == Outcome::Win(player), 0));
        }
        let tag = Tag::of(
            self.canonicalizer.canonical_key(&of.position(), &mut self.memory_budget).ok()?,
        );
        Some((self.table.look(tag, player)?, self.table.work(tag)?))
    }

    /// Proves it for the position at hand.
    fn prove(&mut self, player: PlayerId, clock: &mut Clock) -> Result<bool, Stopped> {
        let mut places = PathPlaces::new();
        let mut way: Vec<ProofStep> = Vec::new();
        self.forget(0);
        loop {
            // What the last position that was settled is worth, and what that relies on.
            let (mut settled, mut relies) = match self.expand(player, &places, way.len(), clock)? {
                Inspection::Settled(wins, relies) => (Some(wins), relies),
                Inspection::Open(step) => {
                    self.memory_budget.take(STEP_BYTES)?;
                    places.insert(step.tag, way.len());
                    way.push(step);
                    (None, INDEPENDENT)
                }
            };
            // Goes back for as long as that settles the positions before.
            loop {
                let Some(step) = way.last_mut() else {
                    return Ok(settled == Some(true));
                };
                if let Some(wins) = settled.take() {
                    if wins == step.wants {
                        // A win relies on nothing; where it is not forced, on this one ply alone.
                        step.relies = relies;
                        settled = Some(wins);
                    } else {
                        step.relies = step.relies.min(relies);
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
                let Some(step) = way.pop() else { break };
                places.remove(&step.tag);
                self.memory_budget.give_back(STEP_BYTES);
                self.forget(step.open);
                let wins = settled == Some(true);
                relies = if wins || step.relies >= way.len() { INDEPENDENT } else { step.relies };
                if relies == INDEPENDENT {
                    let work = self.nodes - step.nodes;
                    self.keep(step.tag, player, wins, work);
                }
            }
        }
    }

    /// Looks at the position at hand: lists what is after it, unless that settles it.
    fn expand(
        &mut self,
        player: PlayerId,
        places: &PathPlaces,
        place: usize,
        clock: &mut Clock,
    ) -> Result<Inspection, Stopped> {
        let tag = Tag::of(&self.key);
        // It may have been settled, or come to stand on the way, since it was listed.
        if let Some(known) = self.table.look(tag, player) {
            return Ok(Inspection::Settled(known, INDEPENDENT));
        }
        if let Some(&place) = places.get(&tag) {
            self.round = true;
            return Ok(Inspection::Settled(false, place));
        }
        self.nodes += 1;
        clock.tick(self.nodes)?;
        self.canonicalizer.read(&self.key, &mut self.position);
        self.state.go_to_after(&self.position, &self.history);
        let wants = self.state.turn() == Turn::Player(player);
        let mut relies = INDEPENDENT;
        self.after.clear();
        self.keys.clear();
        let plies = self.state.candidates();
        self.go_on()?;
        for ply in plies {
            clock.pass(self.nodes)?;
            let position = &mut self.position;
            let (outcome, offered) = self.state.ahead(ply, |state| {
                state.read(position);
                (state.outcome(), state.breadth())
            });
            let after = match outcome {
                Some(outcome) => {
                    self.drawn |= outcome == Outcome::Draw;
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
                        After::Round(place)
                    } else if let Some(&place) = places.get(&after) {
                        After::Round(place)
                    } else {
                        self.after.push((offered, self.keys.len()));
                        self.keys.extend_from_slice(next);
                        After::Open
                    }
                }
            };
            match after {
                After::Known(wins) if wins == wants => {
                    self.go_on()?;
                    self.keep(tag, player, wins, 1);
                    return Ok(Inspection::Settled(wins, INDEPENDENT));
                }
                After::Round(at) => {
                    self.round = true;
                    relies = relies.min(at);
                    if !wants {
                        self.go_on()?;
                        return Ok(Inspection::Settled(
                            false,
                            if at >= place { INDEPENDENT } else { at },
                        ));
                    }
                }
                After::Known(_) | After::Open => {}
            }
        }
        self.go_on()?;
        let open = self.open.len();
        self.list_open()?;
        Ok(Inspection::Open(ProofStep { tag, wants, open, relies, nodes: self.nodes }))
    }

    /// Tells if the rules went round without end at the position at hand or after it.
    fn go_on(&self) -> Result<(), Stopped> {
        self.state.fault().map_or(Ok(()), |fault| Err(Stopped::Fault(fault)))
    }

    /// Lists the positions after the one at hand as those to be tried. Equal ones are tried in the
    /// order in which their plies are listed.
    fn list_open(&mut self) -> Result<(), RanOut> {
        let words = self.key.len();
        // The vector may take twice its length, and for a moment half of that besides.
        self.memory_budget.take(3 * size_of_val(self.keys.as_slice()) as u64)?;
        self.after.sort_by_key(|&(offered, key)| std::cmp::Reverse((offered, key)));
        for &(_, key) in &self.after {
            self.open.extend_from_slice(&self.keys[key..key + words]);
        }
        Ok(())
    }

    /// Drops the keys from there on.
    fn forget(&mut self, from: usize) {
        self.memory_budget.give_back(3 * size_of_val(&self.open[from..]) as u64);
        self.open.truncate(from);
    }

    /// Notes what is proven.
    fn keep(&mut self, tag: Tag, player: PlayerId, wins: bool, work: u64) {
        let other = PlayerId(1 - player.0);
        let proven = match (wins, self.drawn || self.round) {
            (true, _) => Proven::Wins(player),
            (false, true) => Proven::Not(player),
            (false, false) => Proven::Wins(other),
        };
        self.table.keep(tag, proven, work);
    }
}
