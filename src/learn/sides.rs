//! The exchange of the two sides: a map of the board under which each player stands where the other
//! stood.
//!
//! With an exchange, a position is always seen by the player to act, and both sides learn from the
//! same games. An exchange is tested on positions of random games: the exchanged position must have
//! the exchanged successors. No proof is needed: an exchange that is wrong in a rare position only
//! makes the evaluation weaker.

use super::sites::other;
use crate::board::{Direction, Site};
use crate::engine::game::{Game, State};
use crate::engine::position::Outcome;
use crate::engine::snapshot::{MemoryValue, Snapshot};
use crate::language::rules::{Memory, Rules};
use crate::random::{Random, mix};
use crate::solve::symmetry::{Symmetry, automorphisms};
use rustc_hash::FxHashMap;

/// The random games whose positions are tested, and the tested positions of each.
const GAMES: u64 = 12;
const POSITIONS: u32 = 6;
/// The longest random game.
const MAX_PLIES: u32 = 200;
/// The most successors that are compared in one position.
const MAX_SUCCESSORS: usize = 300;
/// The most maps that are tested: a board that wraps has hundreds.
const MAX_MAPS: usize = 32;

/// An exchange of sides that passed the test.
#[derive(Debug)]
pub struct Exchange {
    symmetry: Symmetry,
    /// By decision: the other player's corresponding decision, if there is one.
    partners: Vec<Option<u16>>,
}

/// A successor as it is compared: its outcome; its board, next decision and counters.
type Seen = (Option<Outcome>, Option<(Snapshot, usize, Vec<i32>)>);

impl Exchange {
    /// Finds an exchange that the rules allow. `None` if the game has not two players, a quarter of
    /// the sampled decisions has no counterpart, or no map passes the test.
    pub fn find(game: &Game, seed: u64) -> Option<Exchange> {
        let rules = game.rules();
        let partners = partners(game)?;
        let mut samples = samples(game, seed);
        let all = samples.len();
        // Where one player begins with plies of his own, the rest of the game may be the same for
        // both.
        let has_partner =
            |sample: &State| sample.decision().is_some_and(|decision| partners[decision].is_some());
        samples.retain(has_partner);
        if samples.len() * 4 < all * 3 {
            return None;
        }
        let forward = |player: usize| rules.players[player].forward;
        let fits = |symmetry: &Symmetry| match (forward(0), forward(1)) {
            (Some(one), Some(another)) => {
                symmetry.direction(one) == another && symmetry.direction(another) == one
            }
            (None, None) => true,
            _ => false,
        };
        let maps = automorphisms(&rules.board).into_iter().filter(fits).take(MAX_MAPS);
        maps.map(|symmetry| Exchange { symmetry, partners: partners.clone() })
            .find(|exchange| samples.iter().all(|sample| exchange.holds_at(sample) == Some(true)))
    }

    /// Returns the image of a slot.
    pub fn site(&self, slot: u16) -> u16 {
        self.symmetry.site(Site(slot)).0
    }

    /// Returns the other player's decision that corresponds to this one; itself if there is none.
    pub fn decision(&self, decision: usize) -> usize {
        self.partners.get(decision).copied().flatten().map_or(decision, usize::from)
    }

    /// Returns the rank of the value of a memory to which the value of this rank is exchanged: the
    /// rank of the image of its direction, where the memory has directions.
    pub fn rank(&self, memory: &Memory, rank: u16) -> u16 {
        let directions = &memory.per_direction;
        let Some(&direction) = directions.get(usize::from(rank)) else { return rank };
        let image = self.symmetry.direction(direction);
        let place = directions.iter().position(|&known| known == image);
        place.map_or(rank, |place| place as u16)
    }

    /// Tests if the successors of the exchanged position are the exchanged successors. `None` if
    /// the rules run out of fuel.
    fn holds_at(&self, state: &State) -> Option<bool> {
        let game = state.game();
        let rules = game.rules();
        let decision = self.decision(state.decision()?);
        let image = game
            .begin_at(&self.image(rules, &state.snapshot()), decision, &state.counters())
            .ok()?;
        if image.decision() != Some(decision) || image.packed().len() != state.packed().len() {
            return Some(false);
        }
        let exchanged = |(outcome, rest): Seen| -> Seen {
            let outcome = outcome.map(|outcome| match outcome {
                Outcome::Win(player) => Outcome::Win(other(player)),
                Outcome::Draw => Outcome::Draw,
                Outcome::Shared(among) => Outcome::Shared(among.iter().map(other).collect()),
            });
            let rest = rest.map(|(snapshot, decision, counters)| {
                (self.image(rules, &snapshot), self.decision(decision), counters)
            });
            (outcome, rest)
        };
        let mut counts: FxHashMap<Seen, i32> = FxHashMap::default();
        for seen in successors(state)? {
            *counts.entry(exchanged(seen)).or_default() += 1;
        }
        for seen in successors(&image)? {
            *counts.entry(seen).or_default() -= 1;
        }
        // Of more successors each side lists others, so that only their numbers are compared.
        Some(state.packed().len() > MAX_SUCCESSORS || counts.values().all(|&count| count == 0))
    }

    /// Returns the exchanged board and memories.
    pub fn image(&self, rules: &Rules, snapshot: &Snapshot) -> Snapshot {
        let site = |site: Site| self.symmetry.site(site);
        let mut image = Snapshot::empty(rules);
        for (slot, occupant) in snapshot.pieces.iter().enumerate() {
            let occupant = occupant.map(|mut occupant| {
                occupant.owner = occupant.owner.map(other);
                occupant
            });
            if let Some(place) = image.pieces.get_mut(site(Site(slot as u16)).index()) {
                *place = occupant;
            }
        }
        image.cut = sorted(snapshot.cut.iter().map(|&cut| site(cut)).collect());
        for ((memory, from), to) in
            rules.memories.iter().zip(&snapshot.memories).zip(&mut image.memories)
        {
            let each = memory.values_per_player();
            for (index, value) in from.iter().enumerate() {
                let player = index / each;
                let player = if memory.per_player { 1 - player.min(1) } else { player };
                let rank = self.rank(memory, (index % each) as u16);
                if let Some(place) = to.get_mut(player * each + usize::from(rank)) {
                    *place = self.value(value);
                }
            }
        }
        image
    }

    fn value(&self, value: &MemoryValue) -> MemoryValue {
        use MemoryValue as V;
        let site = |site: Site| self.symmetry.site(site);
        let direction = |direction: Direction| self.symmetry.direction(direction);
        match value {
            V::Number(number) => V::Number(*number),
            V::Sites(sites) => V::Sites(sorted(sites.iter().map(|&each| site(each)).collect())),
            V::Site(one) => V::Site(one.map(site)),
            V::Player(player) => V::Player(other(*player)),
            V::NumberPerSite(all) => V::NumberPerSite(self.moved(all, |&number| number)),
            V::SitePerSite(all) => V::SitePerSite(self.moved(all, |one| one.map(site))),
            V::Kind(kind) => V::Kind(*kind),
            V::KindPerSite(all) => V::KindPerSite(self.moved(all, |&kind| kind)),
            V::Direction(one) => V::Direction(one.map(direction)),
            V::DirectionPerSite(all) => {
                V::DirectionPerSite(self.moved(all, |one| one.map(direction)))
            }
            V::Condition(holds) => V::Condition(*holds),
        }
    }

    /// Moves the values of sites to the images of the sites.
    fn moved<T: Clone>(&self, all: &[T], image: impl Fn(&T) -> T) -> Vec<T> {
        let mut moved = all.to_vec();
        for (slot, value) in all.iter().enumerate() {
            if let Some(place) = moved.get_mut(usize::from(self.site(slot as u16))) {
                *place = image(value);
            }
        }
        moved
    }
}

fn sorted(mut sites: Vec<Site>) -> Vec<Site> {
    sites.sort_unstable();
    sites
}

/// Returns for each decision the other player's decision in the same phase and step with the same
/// moves, if there is one; `None` if the game has not two players.
fn partners(game: &Game) -> Option<Vec<Option<u16>>> {
    if game.rules().players.len() != 2 {
        return None;
    }
    let codes = &game.program().decisions;
    let partner = |index: usize| {
        let code = &codes[index];
        let is_partner = |(_, known): &(usize, &crate::compile::program::DecisionCode)| {
            known.mover == other(code.mover)
                && (known.chance, &known.phase, known.step) == (code.chance, &code.phase, code.step)
                && known.moves == code.moves
                && known.counters.len() == code.counters.len()
        };
        let found = codes.iter().enumerate().find(is_partner)?.0;
        u16::try_from(found).ok()
    };
    Some((0..codes.len()).map(partner).collect())
}

/// Returns positions of random games.
fn samples(game: &Game, seed: u64) -> Vec<State> {
    let mut samples = Vec::new();
    for number in 0..GAMES {
        let mut random = Random::new(mix(seed, number));
        let Ok(mut state) = game.begin() else { return samples };
        let mut plies = 0;
        let mut due = 0;
        while plies < MAX_PLIES && samples.len() < (GAMES * u64::from(POSITIONS)) as usize {
            let legal = state.candidates();
            if legal.is_empty() || state.fault().is_some() {
                break;
            }
            if plies == due {
                due += 1 + random.below(2 * POSITIONS);
                samples.push(state.clone());
            }
            state.advance(legal[random.below(legal.len() as u32) as usize]);
            plies += 1;
        }
    }
    samples
}

/// Returns the successor of each legal ply; `None` if the rules run out of fuel.
fn successors(state: &State) -> Option<Vec<Seen>> {
    let mut after = state.clone();
    let mut found = Vec::new();
    for &ply in state.packed().iter().take(MAX_SUCCESSORS) {
        let seen = after.ahead(ply, |after| {
            let rest =
                after.decision().map(|decision| (after.snapshot(), decision, after.counters()));
            (after.fault().is_none()).then_some((after.outcome(), rest))
        });
        found.push(seen?);
    }
    Some(found)
}
