//! Games that are the same, ply for ply or by a symmetry of the game. Players that choose nearly
//! always the same repeat whole games, and a repeated game says nothing new.

use super::game_rows::GameRow;
use super::plan::Plan;
use super::results::Results;
use crate::engine::game::{Argument, Game, Move};
use crate::random::mix;
use crate::solve::symmetry::{Symmetry, symmetries};
use std::collections::HashMap;

/// Computes fingerprints: numbers that are the same for games that a symmetry maps to each other.
pub struct Fingerprints {
    symmetries: Vec<Symmetry>,
}

impl Fingerprints {
    /// Finds the symmetries of a game.
    pub fn new(game: &Game) -> Fingerprints {
        Fingerprints { symmetries: symmetries(game) }
    }

    /// Returns the fingerprint of a game, from its plies and the number of legal plies at each.
    pub fn of(&self, plies: &[Move], legal: &[u32]) -> u64 {
        let hash = |image: &dyn Fn(Argument) -> Argument| {
            plies.iter().zip(legal).fold(0, |hash, (ply, &legal)| {
                let hash = mix(mix(hash, u64::from(legal)), ply.rule.index() as u64);
                ply.arguments.iter().fold(hash, |hash, &argument| mix(hash, code(image(argument))))
            })
        };
        let images = self.symmetries.iter().map(|one| hash(&|argument| one.argument(argument)));
        images.fold(hash(&|argument| argument), u64::min)
    }
}

fn code(argument: Argument) -> u64 {
    let (kind, number) = match argument {
        Argument::Site(site) => (1, site.index() as u64),
        Argument::Direction(direction) => (2, direction.index() as u64),
        Argument::Number(number) => (3, number as u64),
        Argument::Piece(piece) => (4, piece.index() as u64),
    };
    mix(kind, number)
}

/// How many of some games differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Variety {
    pub games: u64,
    pub different: u64,
    /// The share of the games that counts as an independent sample.
    pub independent: f64,
}

impl Variety {
    /// Counts the different games among some games of a plan. Games of different pairings or seats
    /// differ. So does every random game, which has no fingerprint, and every game with dice, which
    /// may fall alike in independent games.
    ///
    /// If the i-th different game occurs mᵢ times, the mean result has the variance of
    /// (Σ mᵢ)² / Σ mᵢ² independent games (Leslie Kish, *Survey Sampling*, 1965).
    pub fn of<'r>(plan: &Plan, rows: impl Iterator<Item = &'r GameRow>) -> Variety {
        let mut counts: HashMap<(usize, u64, &str), u64> = HashMap::new();
        let mut alone = 0;
        for row in rows {
            match row.fingerprint.as_str() {
                "" => alone += 1,
                _ if row.is_rolled() => alone += 1,
                known => {
                    let pairing = plan.pairings.get(row.pairing);
                    let arrangements = pairing.map_or(1, |pairing| pairing.seats.len().max(1));
                    let key = (row.pairing, row.game % arrangements as u64, known);
                    *counts.entry(key).or_default() += 1;
                }
            }
        }
        let games = alone + counts.values().sum::<u64>();
        let squares = alone + counts.values().map(|count| count * count).sum::<u64>();
        Variety {
            games,
            different: alone + counts.len() as u64,
            independent: if games == 0 { 1.0 } else { games as f64 / squares as f64 },
        }
    }
}

impl Results {
    /// Returns how many games of a pairing differ. Random games are an independent sample even if
    /// some are the same.
    pub fn variety(&self, pairing: usize) -> Variety {
        let described = &self.plan.pairings[pairing];
        if described.is_random() {
            let games = self.games(pairing);
            return Variety { games, different: games, independent: 1.0 };
        }
        Variety::of(&self.plan, self.rows(pairing))
    }
}
