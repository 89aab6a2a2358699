//! Who can force a win, depth first.
//!
//! In: a match of two players without dice, of more positions than there is memory for. Out: whether a player can force a win, from any position after it, by as few positions as can be. It refuses to know distances.
//!
//! What is proven is kept in a table of fixed size, in which less work makes room for more. Of two plies the one is tried first that leaves the other player fewer.
//!
//! Where positions come round, a position that stands on the way already is taken for one from which the win is not forced: that is right for the way at hand, and what follows from it is kept only
//! once it no longer depends on that way. A win never depends on it. (The remedy for the graph history interaction that keeps only what holds for every history; Akihiro Kishimoto and Martin Müller, AAAI 2004, section 2, say
//! when it is needed.)
//!
//! A key of one word is kept as it is. Of longer ones 118 bits of a hash are kept: the chance that any two of a thousand million positions are taken for each other is below 10⁻¹⁷.

use super::memory::Meter;
use super::name::Namer;
use super::{Clock, RanOut, Stopped};
use crate::engine::game::{Match, Turn};
use crate::engine::position::{Outcome, Position};
use crate::engine::walker::Walker;
use crate::language::rules::PlayerId;
use crate::random::mix;
use std::collections::HashMap;

/// Two words for an entry, so many entries beside each other.
const ENTRY: usize = 2;
const BUCKET: usize = 4;
/// The low bits of an entry's second word: for each player, that he can force a win, and that he cannot; then the logarithm of the work.
const PLAYER_BITS: u32 = 2;
const WORK: u32 = 4;
const KNOWN: u64 = (1 << 10) - 1;
/// No position of the way is relied on.
const FREE: usize = usize::MAX;

type Key = Box<[u64]>;

/// Proves things of the positions after one.
pub struct Prover {
    namer: Namer,
    walker: Walker,
    position: Position,
    table: Vec<u64>,
    meter: Meter,
    /// How many positions were looked at.
    pub nodes: u64,
    /// Whether a position ever came round.
    pub round: bool,
}

/// A position on the way, with what is still to be tried.
struct Step {
    key: Key,
    /// Whether whoever wants the win acts.
    wants: bool,
    /// The positions after it, the next one to be tried last.
    left: Vec<Key>,
    /// The least place on the way that what is known so far relies on.
    relies: usize,
    /// How many positions had been looked at before.
    nodes: u64,
}

/// What is to be had after a ply.
enum After {
    Known(bool),
    /// It stands on the way, at that place.
    Round(usize),
    Open(u32, Key),
}

impl Prover {
    /// Prepares to prove, with a table that takes nearly all of the memory.
    ///
    /// # Errors
    /// Tells if there is too little memory for any table.
    pub fn new(from: &Match, symmetric: bool, memory: u64) -> Result<Prover, RanOut> {
        let namer = Namer::new(from, symmetric);
        let mut meter = Meter::new(memory);
        // What the way and the numbers of the game take is little beside the table.
        let entries = (memory / 8 * 7) as usize / (8 * ENTRY * BUCKET);
        let table = meter.array(0u64, entries.max(1) * ENTRY * BUCKET)?;
        let position = namer.blank();
        Ok(Prover { namer, walker: Walker::new(from), position, table, meter, nodes: 0, round: false })
    }

    /// How many symmetries make positions one.
    pub fn symmetries(&self) -> usize {
        self.namer.symmetries()
    }

    /// Whether a player can force a win from where a match is.
    ///
    /// # Errors
    /// Tells if time ran out, or the rules go round without end somewhere.
    pub fn wins(&mut self, player: PlayerId, of: &Match, clock: &mut Clock) -> Result<bool, Stopped> {
        if let Some(outcome) = of.outcome() {
            return Ok(outcome == Outcome::Win(player));
        }
        let key: Key = self.namer.name(&of.position(), &mut self.meter)?.into();
        match self.look(&key, player) {
            Some(known) => Ok(known),
            None => self.prove(player, key, clock),
        }
    }

    /// Whether it is known already that a player can force a win from where a match is, and how much was looked at to prove it, as a logarithm.
    pub fn known(&mut self, player: PlayerId, of: &Match) -> Option<(bool, u64)> {
        if let Some(outcome) = of.outcome() {
            return Some((outcome == Outcome::Win(player), 0));
        }
        let key: Key = self.namer.name(&of.position(), &mut self.meter).ok()?.into();
        let known = self.look(&key, player)?;
        let (tag, rest) = tags(&key);
        let place = self.bucket(tag, rest).find(|&place| self.is_at(place, tag, rest))?;
        Some((known, (self.table[place + 1] & KNOWN) >> WORK))
    }

    fn prove(&mut self, player: PlayerId, root: Key, clock: &mut Clock) -> Result<bool, Stopped> {
        let mut places: HashMap<Key, usize> = HashMap::new();
        let mut way: Vec<Step> = Vec::new();
        let mut next = Some(root);
        loop {
            // What the last position that was settled is worth, and what that relies on.
            let (mut known, mut relies) = match next.take() {
                Some(key) => match self.expand(player, key, &places, way.len(), clock)? {
                    Ok(step) => {
                        places.insert(step.key.clone(), way.len());
                        way.push(step);
                        (None, FREE)
                    }
                    Err(settled) => (Some(settled.0), settled.1),
                },
                None => (None, FREE),
            };
            // Goes back for as long as that settles the positions before.
            loop {
                let Some(step) = way.last_mut() else {
                    if let Some(known) = known {
                        return Ok(known);
                    }
                    break;
                };
                if let Some(wins) = known.take() {
                    step.relies = step.relies.min(relies);
                    if wins == step.wants {
                        step.left.clear();
                        // A win relies on nothing; where it is not forced, on this one ply alone.
                        step.relies = relies;
                        known = Some(wins);
                    }
                }
                if known.is_none() {
                    if let Some(key) = step.left.pop() {
                        next = Some(key);
                        break;
                    }
                    known = Some(!step.wants);
                }
                let Some(step) = way.pop() else { break };
                places.remove(&step.key);
                let wins = known == Some(true);
                relies = if wins || step.relies >= way.len() { FREE } else { step.relies };
                if relies == FREE {
                    let work = self.nodes - step.nodes;
                    self.keep(&step.key, player, wins, work);
                }
            }
        }
    }

    /// Lists what is after a position, unless that settles it.
    fn expand(
        &mut self,
        player: PlayerId,
        key: Key,
        places: &HashMap<Key, usize>,
        place: usize,
        clock: &mut Clock,
    ) -> Result<Result<Step, (bool, usize)>, Stopped> {
        // It may have been settled, or come to stand on the way, since it was listed.
        if let Some(known) = self.look(&key, player) {
            return Ok(Err((known, FREE)));
        }
        if let Some(&place) = places.get(&key) {
            self.round = true;
            return Ok(Err((false, place)));
        }
        self.nodes += 1;
        clock.tick(self.nodes)?;
        self.namer.read(&key, &mut self.position);
        self.walker.resume_at(&self.position);
        let wants = self.walker.turn() == Turn::Player(player);
        let mut open: Vec<(u32, Key)> = Vec::new();
        let mut relies = FREE;
        for ply in self.walker.legal() {
            let position = &mut self.position;
            let (outcome, offered) = self.walker.ahead(ply, |walker| {
                walker.read(position);
                (walker.outcome(), walker.breadth())
            });
            let after = match outcome {
                Some(outcome) => After::Known(outcome == Outcome::Win(player)),
                None => {
                    let next: Key = self.namer.name(&self.position, &mut self.meter)?.into();
                    match (self.look(&next, player), places.get(&next)) {
                        (Some(known), _) => After::Known(known),
                        (None, Some(&place)) => After::Round(place),
                        (None, None) if next == key => After::Round(place),
                        (None, None) => After::Open(offered, next),
                    }
                }
            };
            match after {
                After::Known(wins) if wins == wants => {
                    self.keep(&key, player, wins, 1);
                    return Ok(Err((wins, FREE)));
                }
                After::Known(_) => {}
                After::Round(at) => {
                    self.round = true;
                    relies = relies.min(at);
                    if !wants {
                        return Ok(Err((false, if at >= place { FREE } else { at })));
                    }
                }
                After::Open(offered, next) => open.push((offered, next)),
            }
        }
        if let Some(fault) = self.walker.fault() {
            return Err(Stopped::Fault(fault));
        }
        // The next one to be tried stands last. Equal ones are tried in the order in which they are listed.
        open.reverse();
        open.sort_by_key(|(offered, _)| std::cmp::Reverse(*offered));
        let mut left: Vec<Key> = open.into_iter().map(|(_, key)| key).collect();
        left.dedup();
        Ok(Ok(Step { key, wants, left, relies, nodes: self.nodes }))
    }

    /// Where the entries of a key may stand.
    fn bucket(&self, tag: u64, rest: u64) -> impl Iterator<Item = usize> + use<> {
        let buckets = self.table.len() / (ENTRY * BUCKET);
        let bucket = ((u128::from(mix(tag, rest)) * buckets as u128) >> 64) as usize;
        (0..BUCKET).map(move |entry| (bucket * BUCKET + entry) * ENTRY)
    }

    fn is_at(&self, place: usize, tag: u64, rest: u64) -> bool {
        self.table[place] == tag && self.table[place + 1] & !KNOWN == rest && self.table[place + 1] != 0
    }

    /// What is known of a position.
    fn look(&self, key: &[u64], player: PlayerId) -> Option<bool> {
        let (tag, rest) = tags(key);
        let place = self.bucket(tag, rest).find(|&place| self.is_at(place, tag, rest))?;
        let entry = self.table[place + 1] >> (PLAYER_BITS * u32::from(player.0));
        match entry & 3 {
            1 => Some(true),
            2 => Some(false),
            _ => None,
        }
    }

    /// Notes what is known of a position.
    fn keep(&mut self, key: &[u64], player: PlayerId, wins: bool, work: u64) {
        let (tag, rest) = tags(key);
        let mut known = (if wins { 1 } else { 2 }) << (PLAYER_BITS * u32::from(player.0));
        if wins {
            // Then the other player cannot.
            known |= 2 << (PLAYER_BITS * u32::from(1 - player.0));
        }
        let work = u64::from(u64::BITS - work.leading_zeros()).min(63);
        let least = |&place: &usize| match self.table[place + 1] {
            0 => 0,
            entry => 1 + ((entry & KNOWN) >> WORK),
        };
        let here = self.bucket(tag, rest).find(|&place| self.is_at(place, tag, rest));
        let Some(place) = here.or_else(|| self.bucket(tag, rest).min_by_key(least)) else { return };
        let before = if here.is_some() { self.table[place + 1] & KNOWN } else { 0 };
        self.table[place] = tag;
        self.table[place + 1] = rest | known | before & ((1 << WORK) - 1) | work.max(before >> WORK) << WORK;
    }
}

/// What stands in a table for a key.
fn tags(key: &[u64]) -> (u64, u64) {
    if let [word] = key {
        return (*word, 0);
    }
    let hash = |seed: u64| key.iter().fold(seed, |sum, &word| mix(sum, word).rotate_left(29) ^ word.wrapping_mul(seed | 1));
    (mix(hash(0x243f_6a88_85a3_08d3), 0), mix(hash(0x1319_8a2e_0370_7344), 1) & !KNOWN)
}
