//! Counters: numbers of a position that are not bound to a place, each in a few ranges with a
//! weight of its own.
//!
//! They count the pieces of each kind and owner, the contents of memories and hands, the
//! [observations](super::observations), the surplus of one side over the other, the point in the
//! order of play with the rounds that remain of its loops, and the moves of the player to act.

use super::observations::{Found, Observation, Observations};
use super::sides::Exchange;
use super::sites::{Occupant, occupants, other};
use crate::compile::layout::Home;
use crate::compile::program::Program;
use crate::engine::position::Position;
use crate::language::rules::{DefinitionId, MemoryId, MemoryType, PlayerId, Rules};
use indexmap::IndexSet;

/// The most ranges of a counter.
const MAX_RANGES: i64 = 64;

/// Where a number is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// The number of members of a set.
    Count(u16),
    /// A number of the position.
    Number(u16),
    /// A number of the position that means a player, with the players exchanged.
    OtherPlayer(u16),
    /// The size of one set minus the size of another.
    Surplus(u16, u16),
    /// One number minus another.
    Lead(u16, u16),
    /// The size of an overlap.
    Overlap(u16),
    /// The size of one overlap minus the size of another.
    OverlapSurplus(u16, u16),
    Decision,
    /// The number of moves that are generated for the player to act.
    Moves,
}

/// What a counter counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    Pieces(Occupant),
    /// The number of this player's pieces less the other player's.
    Surplus(Occupant),
    /// A memory's value or number of sites; this player's if the memory is kept per player.
    Memory(MemoryId, Option<PlayerId>),
    Lead(MemoryId, PlayerId),
    /// The number of sites of an observed region, or the sum of a number observed at its sites.
    Observed(Observed, Within),
    /// The count for this player, minus the count for the other player.
    ObservedSurplus(Observed, Within),
    /// The value of a definition; 1 for a condition that holds.
    Defined(DefinitionId, Option<PlayerId>),
    DefinedLead(DefinitionId, PlayerId),
    Decision,
    /// The rounds that remain of a loop in the order of play.
    Loop,
    Moves,
}

/// What is observed of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Observed {
    pub definition: DefinitionId,
    pub player: Option<PlayerId>,
    /// For sites of a lead: by how much the player's number exceeds the other player's, at least.
    pub lead: Option<i64>,
}

impl Observed {
    fn of(observation: Observation) -> Observed {
        let Observation { definition, player, found } = observation;
        let lead = if let Found::Lead(least) = found { Some(least) } else { None };
        Observed { definition, player, lead }
    }
}

/// Which of the observed sites are counted, by their occupants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Within {
    All,
    Empty,
    Occupied(Occupant),
}

/// The observed sites of a definition that have certain occupants.
#[derive(Clone, Debug)]
struct Overlap {
    of: (Observed, Within),
    observed: Vec<u16>,
    /// The set whose sites count, or all sites if there is none; except sites of `without`.
    within: Option<u16>,
    without: Vec<u16>,
}

/// A number with its ranges.
#[derive(Clone, Debug)]
pub struct Counter {
    pub counted: Counted,
    /// Where the number is read: in the position as it is, and with the sides exchanged.
    sources: [Source; 2],
    pub least: i64,
    /// How many consecutive numbers make a range.
    pub stride: i64,
    pub ranges: u32,
    /// The index of the first range's weight.
    pub first: u32,
}

/// The counters of a game.
#[derive(Debug, Default)]
pub struct Counters {
    pub counters: Vec<Counter>,
    overlaps: Vec<Overlap>,
    width: usize,
    /// By decision: the other side's decision that corresponds to it.
    partners: Vec<u16>,
    pub weights: u32,
}

impl Counters {
    /// Makes the counters of a game. Their ranges cover `samples`, positions of random games with
    /// their numbers of moves; numbers that never change there are left out.
    pub fn new(
        rules: &Rules,
        program: &Program,
        observations: &Observations,
        exchange: Option<&Exchange>,
        width: usize,
        samples: &[(Position, u32)],
    ) -> Counters {
        let decision =
            |index: usize| exchange.map_or(index, |exchange| exchange.decision(index)) as u16;
        let mut made = Counters {
            width,
            partners: (0..program.decisions.len()).map(decision).collect(),
            ..Counters::default()
        };
        let mut listed = Vec::new();
        pieces(rules, program, &mut listed);
        memories(rules, program, exchange, &mut listed);
        made.observed(rules, program, observations, &mut listed);
        let loops: std::collections::BTreeSet<u16> =
            program.decisions.iter().flat_map(|code| code.counters.iter().copied()).collect();
        for register in loops {
            listed.push((Counted::Loop, [Source::Number(register); 2]));
        }
        listed.push((Counted::Decision, [Source::Decision; 2]));
        listed.push((Counted::Moves, [Source::Moves; 2]));
        let sides = 1 + usize::from(exchange.is_some());
        let overlaps: Vec<Vec<i64>> = samples
            .iter()
            .map(|(sample, _)| {
                let mut counts = Vec::new();
                made.count_overlaps(sample, &mut counts);
                counts
            })
            .collect();
        for (counted, sources) in listed {
            let all = || {
                samples.iter().zip(&overlaps).flat_map(|((position, moves), overlaps)| {
                    let read =
                        |side: usize| made.read(sources[side], side, position, overlaps, *moves);
                    (0..sides).map(read).collect::<Vec<i64>>()
                })
            };
            let (Some(least), Some(most)) = (all().min(), all().max()) else { continue };
            if least == most {
                continue;
            }
            let stride = (most - least + 1).div_euclid(MAX_RANGES) + 1;
            let stride = if most - least < MAX_RANGES { 1 } else { stride };
            let ranges = ((most - least) / stride + 1) as u32;
            let first = made.weights;
            made.weights += ranges;
            made.counters.push(Counter { counted, sources, least, stride, ranges, first });
        }
        made.drop_unread_overlaps();
        made
    }

    /// Drops the overlaps that no counter reads: each takes time in every position.
    fn drop_unread_overlaps(&mut self) {
        let mut kept: IndexSet<u16> = IndexSet::new();
        let mut place = |old: u16| kept.insert_full(old).0 as u16;
        for source in self.counters.iter_mut().flat_map(|counter| &mut counter.sources) {
            match source {
                Source::Overlap(one) => *one = place(*one),
                Source::OverlapSurplus(one, another) => {
                    (*one, *another) = (place(*one), place(*another));
                }
                _ => {}
            }
        }
        self.overlaps =
            kept.iter().map(|&index| self.overlaps[usize::from(index)].clone()).collect();
    }

    /// Computes the size of each overlap.
    fn count_overlaps(&self, position: &Position, counts: &mut Vec<i64>) {
        let words = |set: u16| position.set(set, self.width);
        counts.clear();
        counts.extend(self.overlaps.iter().map(|overlap| {
            let mut sum = 0;
            for word in 0..self.width {
                let within = overlap.within.map_or(u64::MAX, |set| words(set)[word]);
                let without = overlap.without.iter().fold(0, |all, &set| all | words(set)[word]);
                let counted = within & !without;
                for &set in &overlap.observed {
                    sum += (words(set)[word] & counted).count_ones();
                }
            }
            i64::from(sum)
        }));
    }

    fn read(
        &self,
        source: Source,
        side: usize,
        position: &Position,
        overlaps: &[i64],
        moves: u32,
    ) -> i64 {
        let count = |set: u16| -> i64 {
            position.set(set, self.width).iter().map(|word| i64::from(word.count_ones())).sum()
        };
        let overlap = |index: u16| overlaps[usize::from(index)];
        let number = |register: u16| i64::from(position.number(register));
        match source {
            Source::Count(set) => count(set),
            Source::Number(register) => number(register),
            Source::OtherPlayer(register) => 1 - number(register),
            Source::Surplus(one, another) => count(one) - count(another),
            Source::Lead(one, another) => number(one) - number(another),
            Source::Overlap(one) => overlap(one),
            Source::OverlapSurplus(one, another) => overlap(one) - overlap(another),
            Source::Decision => {
                let at = position.decision();
                let at =
                    if side == 0 { Some(at) } else { self.partners.get(at).map(|&at| at.into()) };
                at.map_or(0, |at| at as i64)
            }
            Source::Moves => i64::from(moves),
        }
    }

    /// Returns the number of each counter; with `side` 1, for the position with its sides
    /// exchanged.
    pub fn numbers(&self, position: &Position, side: usize, moves: u32) -> Vec<i64> {
        let mut overlaps = Vec::new();
        self.count_overlaps(position, &mut overlaps);
        let read =
            |counter: &Counter| self.read(counter.sources[side], side, position, &overlaps, moves);
        self.counters.iter().map(read).collect()
    }

    /// Calls `add` with the weight of each counter's range; with `side` 1, for the position with
    /// its sides exchanged. `overlaps` is working memory.
    #[inline]
    pub fn ranges(
        &self,
        position: &Position,
        side: usize,
        moves: u32,
        overlaps: &mut Vec<i64>,
        mut add: impl FnMut(u32),
    ) {
        self.count_overlaps(position, overlaps);
        for counter in &self.counters {
            let number = self.read(counter.sources[side], side, position, overlaps, moves);
            let above = number - counter.least;
            // A division takes as long as everything else here.
            let range = if counter.stride == 1 { above } else { above / counter.stride };
            add(counter.first + range.clamp(0, i64::from(counter.ranges) - 1) as u32);
        }
    }
}

impl Counters {
    /// Lists the observations: counted on all sites, on empty ones, and under each kind of piece.
    fn observed(
        &mut self,
        rules: &Rules,
        program: &Program,
        observations: &Observations,
        listed: &mut Listed,
    ) {
        let pieces = occupants(rules, program);
        let classes: Vec<Within> = [Within::All, Within::Empty]
            .into_iter()
            .chain(pieces.iter().map(|&(occupant, _)| Within::Occupied(occupant)))
            .collect();
        let has_image = rules.players.len() == 2;
        for &(observation, register) in &observations.all {
            let (definition, player) = (observation.definition, observation.player);
            let image = if has_image { player.map(other) } else { player };
            if observation.found == Found::Number {
                let other = observations
                    .all
                    .iter()
                    .find(|(known, _)| known.definition == definition && known.player == image);
                let image = other.map_or(register, |&(_, register)| register);
                let sources = [Source::Number(register), Source::Number(image)];
                listed.push((Counted::Defined(definition, player), sources));
                if has_image && player == Some(PlayerId(0)) {
                    let sources = [Source::Lead(register, image), Source::Lead(image, register)];
                    listed.push((Counted::DefinedLead(definition, PlayerId(0)), sources));
                }
                continue;
            }
            let observed = Observed::of(observation);
            for &within in &classes {
                let counted = Counted::Observed(observed, within);
                let is_known = listed.iter().any(|&(known, _)| known == counted);
                // A lead is worth more or less by occupant, so it is not counted over all sites.
                if is_known || within == Within::All && observed.lead.is_some() {
                    continue;
                }
                let own = self.overlap(observations, &pieces, observed, within);
                let mirrored = match within {
                    Within::Occupied(occupant) if has_image => {
                        Within::Occupied(Occupant { owner: occupant.owner.map(other), ..occupant })
                    }
                    within => within,
                };
                let theirs = Observed { player: image, ..observed };
                let theirs = self.overlap(observations, &pieces, theirs, mirrored);
                let sources = [Source::Overlap(own), Source::Overlap(theirs)];
                listed.push((counted, sources));
                if has_image && player == Some(PlayerId(0)) {
                    let sources =
                        [Source::OverlapSurplus(own, theirs), Source::OverlapSurplus(theirs, own)];
                    listed.push((Counted::ObservedSurplus(observed, within), sources));
                }
            }
        }
    }

    /// Returns the index of an overlap, which is added if it is new.
    fn overlap(
        &mut self,
        observations: &Observations,
        pieces: &[(Occupant, u16)],
        of: Observed,
        within: Within,
    ) -> u16 {
        let key = (of, within);
        if let Some(index) = self.overlaps.iter().position(|overlap| overlap.of == key) {
            return index as u16;
        }
        let observed = observations
            .all
            .iter()
            .filter(|&&(known, _)| Observed::of(known) == of)
            .map(|&(_, register)| register)
            .collect();
        let set_of =
            |occupant| pieces.iter().find(|(known, _)| *known == occupant).map(|&(_, set)| set);
        let (within, without) = match within {
            Within::All => (None, Vec::new()),
            Within::Empty => (None, pieces.iter().map(|&(_, set)| set).collect()),
            Within::Occupied(occupant) => (set_of(occupant), Vec::new()),
        };
        self.overlaps.push(Overlap { of: key, observed, within, without });
        (self.overlaps.len() - 1) as u16
    }
}

type Listed = Vec<(Counted, [Source; 2])>;

fn pieces(rules: &Rules, program: &Program, listed: &mut Listed) {
    let all = occupants(rules, program);
    let set_of =
        |wanted: Occupant| all.iter().find(|(known, _)| *known == wanted).map(|&(_, set)| set);
    for &(occupant, set) in &all {
        let image = Occupant { owner: occupant.owner.map(other), ..occupant };
        let partner = set_of(image).unwrap_or(set);
        listed.push((Counted::Pieces(occupant), [Source::Count(set), Source::Count(partner)]));
        if rules.players.len() == 2 && occupant.owner == Some(PlayerId(0)) {
            let sources = [Source::Surplus(set, partner), Source::Surplus(partner, set)];
            listed.push((Counted::Surplus(occupant), sources));
        }
    }
}

fn memories(rules: &Rules, program: &Program, exchange: Option<&Exchange>, listed: &mut Listed) {
    let players = rules.players.len() as u16;
    for (index, memory) in rules.memories.iter().enumerate() {
        let id = MemoryId(index as u16);
        let copies = if memory.per_player { players } else { 1 };
        let each = memory.values_per_player() as u16;
        let (first, is_set) = match program.layout.home(id) {
            Home::Sets { first } => (first, true),
            Home::Nums { first } => (first, false),
            Home::Field { .. } => continue,
        };
        let is_number = matches!(
            memory.holds,
            MemoryType::Number { .. } | MemoryType::Condition | MemoryType::Kind
        );
        if !is_set && !is_number && memory.holds != MemoryType::Player {
            continue;
        }
        let source = |register| match is_set {
            true => Source::Count(register),
            false => Source::Number(register),
        };
        for copy in 0..copies {
            let image = if copies == 2 { 1 - copy } else { copy };
            let player = memory.per_player.then_some(PlayerId(copy));
            for value in 0..each {
                let partner = exchange.map_or(value, |exchange| exchange.rank(memory, value));
                let own = first + copy * each + value;
                let others = first + image * each + partner;
                // Exchanging the sides also exchanges a remembered player.
                if memory.holds == MemoryType::Player && players == 2 {
                    let sources = [Source::Number(own), Source::OtherPlayer(others)];
                    listed.push((Counted::Memory(id, player), sources));
                    continue;
                }
                listed.push((Counted::Memory(id, player), [source(own), source(others)]));
                if copies == 2 && copy == 0 {
                    let sources = match is_set {
                        true => [Source::Surplus(own, others), Source::Surplus(others, own)],
                        false => [Source::Lead(own, others), Source::Lead(others, own)],
                    };
                    listed.push((Counted::Lead(id, PlayerId(0)), sources));
                }
            }
        }
    }
}
