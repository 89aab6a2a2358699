//! The state of each site as a small number, read from the bit sets of a position, set by set.
//!
//! A state consists of the occupant of a site and of the memories and
//! [observations](super::observations) of the site: sets of sites, numbers and kinds per site.
//! States are numbered by their frequency in random games, from 0 for the most frequent. A state
//! without a number counts as the nearest state with the same occupant.

use super::channels::{self, Channel, KEY_BITS};
use super::observations::Observations;
use super::sides::Exchange;
use crate::board::Site;
use crate::compile::program::Program;
use crate::engine::position::Position;
use crate::language::rules::{PieceId, PlayerId, Rules};
use rustc_hash::FxHashMap;

/// The most states where memories and observations are added to the occupants.
const MAX_STATES: usize = 24;
/// The most states in any case; further occupants count as the last one.
const STATE_LIMIT: usize = 40;
/// The lowest bits of a key, which hold the occupant.
const OCCUPANT_BITS: u32 = 6;

/// An occupant of a site: a kind of piece, and its owner if it is owned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occupant {
    pub piece: PieceId,
    pub owner: Option<PlayerId>,
}

/// Reads site states from positions of one game.
#[derive(Debug)]
pub struct SiteStates {
    slots: usize,
    width: usize,
    pub occupants: Vec<Occupant>,
    pub channels: Vec<Channel>,
    /// Each set with what membership adds to a key: as it is, and with the sides exchanged.
    adds: [Vec<(u16, u16)>; 2],
    /// By key: its state.
    states: Vec<u8>,
    /// The key of each state.
    pub keys: Vec<u16>,
    /// The image of each slot where the sides are exchanged.
    images: Vec<u16>,
}

/// Lists the possible occupants with the indices of their sets.
pub fn occupants(rules: &Rules, program: &Program) -> Vec<(Occupant, u16)> {
    let mut all = Vec::new();
    for piece in (0..rules.pieces.len() as u16).map(PieceId) {
        let players = (0..rules.players.len() as u16).map(PlayerId);
        let owners: Vec<Option<PlayerId>> = match rules.pieces[piece.index()].owned {
            true => players.map(Some).collect(),
            false => vec![None],
        };
        all.extend(
            owners
                .into_iter()
                .map(|owner| (Occupant { piece, owner }, program.layout.piece(piece, owner).0)),
        );
    }
    all
}

impl SiteStates {
    /// Determines the states from positions of random games.
    pub fn new(
        rules: &Rules,
        program: &Program,
        observations: &Observations,
        exchange: Option<&Exchange>,
        width: usize,
        samples: &[Position],
    ) -> SiteStates {
        let listed = occupants(rules, program);
        let known = listed.len().min((1 << OCCUPANT_BITS) - 1).min(STATE_LIMIT - 1);
        let mut adds: [Vec<(u16, u16)>; 2] = [Vec::new(), Vec::new()];
        let occupant_add = |index: usize| (index.min(known.saturating_sub(1)) + 1) as u16;
        for (index, &(occupant, set)) in listed.iter().enumerate() {
            adds[0].push((set, occupant_add(index)));
            let image = Occupant { owner: occupant.owner.map(other), ..occupant };
            let place = listed.iter().position(|&(known, _)| known == image).unwrap_or(index);
            adds[1].push((set, occupant_add(place)));
        }
        let slots = rules.board.slots();
        let images = (0..slots as u16)
            .map(|slot| exchange.map_or(slot, |exchange| exchange.site(slot)))
            .collect();
        let mut read = SiteStates {
            slots,
            width,
            occupants: listed.iter().map(|&(occupant, _)| occupant).collect(),
            channels: Vec::new(),
            adds,
            states: Vec::new(),
            keys: Vec::new(),
            images,
        };
        read.choose_channels(rules, program, observations, exchange.is_some(), samples);
        read.number_states(rules, exchange.is_some(), known, samples);
        read
    }

    /// Adds channels, narrow ones first. A channel that makes more than [`MAX_STATES`] is added
    /// only if there are at most half as many without it.
    fn choose_channels(
        &mut self,
        rules: &Rules,
        program: &Program,
        observations: &Observations,
        exchanged: bool,
        samples: &[Position],
    ) {
        let mut shift = OCCUPANT_BITS;
        let mut count = self.keys_seen(rules, exchanged, samples).len();
        for group in channels::groups(rules, program, observations) {
            if shift + group.bits() > KEY_BITS {
                continue;
            }
            let (channels, before) = (self.channels.len(), self.adds.clone());
            for (adds, own) in self.adds.iter_mut().zip(group.sides()) {
                adds.extend(own.map(|(set, added)| (set, (added << shift) as u16)));
            }
            self.channels.extend(
                group
                    .channels
                    .iter()
                    .map(|channel| Channel { shift: channel.shift + shift, ..*channel }),
            );
            let with = self.keys_seen(rules, exchanged, samples).len();
            if with > MAX_STATES && count > MAX_STATES / 2 {
                self.channels.truncate(channels);
                self.adds = before;
                continue;
            }
            shift += group.bits();
            count = with;
        }
    }

    /// Counts how often each key occurs.
    fn keys_seen(
        &self,
        rules: &Rules,
        exchanged: bool,
        samples: &[Position],
    ) -> FxHashMap<u16, u64> {
        let mut counts: FxHashMap<u16, u64> = FxHashMap::default();
        let mut keys = vec![0u16; self.slots];
        for sample in samples {
            for side in 0..=usize::from(exchanged) {
                self.read_keys(sample, side, &mut keys);
                for site in rules.board.sites() {
                    *counts.entry(keys[site.index()]).or_default() += 1;
                }
            }
        }
        counts
    }

    /// Numbers the states: every occupant without memories first, then by frequency.
    fn number_states(
        &mut self,
        rules: &Rules,
        exchanged: bool,
        known: usize,
        samples: &[Position],
    ) {
        let counts = self.keys_seen(rules, exchanged, samples);
        let occupant = |key: u16| key & ((1 << OCCUPANT_BITS) - 1);
        let mut seen: Vec<(u16, u64)> = counts.into_iter().collect();
        seen.sort_by_key(|&(key, count)| (std::cmp::Reverse(count), key));
        self.keys = (0..=known as u16).collect();
        // The plain state of each occupant is listed already.
        let most = MAX_STATES.max(self.keys.len());
        let added = seen.iter().map(|&(key, _)| key).filter(|&key| occupant(key) != key);
        self.keys.extend(added.take(most - self.keys.len()));
        let spread = |one: u16, another: u16| -> u32 {
            let part = |key: u16, channel: &Channel| {
                u32::from(key) >> channel.shift & ((1 << channel.bits) - 1)
            };
            self.channels
                .iter()
                .map(|channel| part(one, channel).abs_diff(part(another, channel)))
                .sum()
        };
        let nearest = |key: u16| {
            let alike =
                (0..).zip(&self.keys).filter(|(_, known)| occupant(**known) == occupant(key));
            alike.min_by_key(|(_, known)| spread(**known, key)).map_or(0, |(state, _)| state)
        };
        self.states = (0..=u16::MAX).map(nearest).collect();
    }

    /// Returns the number of states.
    pub fn count(&self) -> usize {
        self.keys.len()
    }

    /// Returns the occupant of a state; `None` if it is empty.
    pub fn occupant(&self, state: usize) -> Option<Occupant> {
        let occupant = self.keys[state] & ((1 << OCCUPANT_BITS) - 1);
        occupant.checked_sub(1).and_then(|index| self.occupants.get(usize::from(index))).copied()
    }

    /// Returns the values of the channels of a state that are not zero.
    pub fn remembered(&self, state: usize) -> impl Iterator<Item = (Channel, u32)> + '_ {
        let key = u32::from(self.keys[state]);
        self.channels
            .iter()
            .map(move |channel| (*channel, key >> channel.shift & ((1 << channel.bits) - 1)))
            .filter(|&(_, value)| value > 0)
    }

    /// Returns the site of the position that is seen at `place`; with `side` 1, after exchanging
    /// the sides.
    pub fn seen_from(&self, place: Site, side: usize) -> Site {
        let at = self.images.iter().position(|&image| side == 1 && image == place.0);
        at.map_or(place, |at| Site(at as u16))
    }

    /// Reads the keys by slot; with `side` 1, of the position with its sides exchanged.
    fn read_keys(&self, position: &Position, side: usize, keys: &mut [u16]) {
        keys.fill(0);
        let words = position.words();
        let last = self.slots - 1;
        for &(set, added) in &self.adds[side] {
            let set = usize::from(set) * self.width;
            for (index, &word) in words[set..set + self.width].iter().enumerate() {
                let mut left = word;
                while left != 0 {
                    let slot = (index * 64 + left.trailing_zeros() as usize).min(last);
                    let slot = if side == 0 { slot } else { usize::from(self.images[slot]) };
                    keys[slot] = keys[slot].wrapping_add(added);
                    left &= left - 1;
                }
            }
        }
    }

    /// Reads the states by slot; with `side` 1, of the position with its sides exchanged. `keys`
    /// is working memory.
    pub fn read(&self, position: &Position, side: usize, keys: &mut Vec<u16>, states: &mut [u32]) {
        keys.resize(self.slots, 0);
        self.read_keys(position, side, keys);
        for (state, &key) in states.iter_mut().zip(&*keys) {
            *state = u32::from(self.states[usize::from(key)]);
        }
    }
}

/// Returns the other of two players.
pub fn other(player: PlayerId) -> PlayerId {
    PlayerId(1 - player.0.min(1))
}
