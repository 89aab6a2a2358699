//! Quiescence search: at the end of the depth, plies that take or exchange pieces are followed
//! until the position is quiet, since an evaluation does not see what the next ply takes. The
//! player to act may also stop there. (Don Beal, *A Generalised Quiescence Search Algorithm*,
//! Artificial Intelligence 43, 1990.)

use super::{INFINITE, Search};
use crate::engine::PackedMove;
use crate::engine::game::{Game, State, Turn};
use crate::engine::position::Position;
use crate::language::rules::PlayerId;
use crate::learn::sites::occupants;
use crate::random::{Random, mix};
use std::ops::RangeInclusive;

/// The greatest depth of the quiescence search in plies.
pub(super) const MAX_PLIES: i32 = 8;
/// Quiescence search is worth trying if this share of the plies of random games is not quiet, in
/// per cent.
const WORTH_TRYING: RangeInclusive<u32> = 2..=40;
/// The number of these random games, the most plies of each, and the most moves listed in all.
const GAMES: u64 = 20;
const MAX_GAME_PLIES: u32 = 200;
const MAX_LISTED: usize = 300_000;

/// Counts the pieces of each player.
struct Material {
    /// The owner and the set of each kind of owned piece.
    kinds: Vec<(PlayerId, u16)>,
    width: usize,
    position: Position,
}

/// The working memory of a search.
pub(super) struct Quiescence {
    material: Material,
    before: Vec<u32>,
    after: Vec<u32>,
    listed: Vec<PackedMove>,
}

impl Quiescence {
    pub fn new(state: &State) -> Quiescence {
        let (before, after, listed) = Default::default();
        Quiescence { material: Material::new(state), before, after, listed }
    }
}

impl Material {
    fn new(state: &State) -> Material {
        let game = state.game();
        let occupants = occupants(game.rules(), game.program()).into_iter();
        let kinds = occupants.filter_map(|(occupant, set)| Some((occupant.owner?, set))).collect();
        Material { kinds, width: game.width(), position: state.position() }
    }

    /// Writes the number of pieces of each owner and kind.
    fn count(&mut self, state: &State, counts: &mut Vec<u32>) {
        state.read(&mut self.position);
        let Material { kinds, width, position } = self;
        let size = |set: u16| -> u32 {
            position.set(set, *width).iter().map(|word| word.count_ones()).sum()
        };
        counts.clear();
        counts.extend(kinds.iter().map(|&(_, set)| size(set)));
    }

    /// Tests if a ply between these counts was quiet: not if another player has lost a piece, or a
    /// piece of the player has become another one.
    fn is_quiet(&self, before: &[u32], after: &[u32], player: PlayerId) -> bool {
        let (mut lost, mut won) = (false, false);
        for ((&(owner, _), before), after) in self.kinds.iter().zip(before).zip(after) {
            if owner != player && after < before {
                return false;
            }
            lost |= owner == player && after < before;
            won |= owner == player && after > before;
        }
        !(lost && won)
    }
}

/// Tests if quiescence search is worth trying: in random games pieces are taken, but not by most
/// plies.
pub fn can_settle(game: &Game) -> bool {
    let Ok(first) = game.begin() else { return false };
    let mut material = Material::new(&first);
    let (mut before, mut after) = (Vec::new(), Vec::new());
    let (mut plies, mut noisy, mut listed) = (0, 0, 0);
    'games: for number in 0..GAMES {
        let mut random = Random::new(mix(3, number));
        let mut state = first.clone();
        for _ in 0..MAX_GAME_PLIES {
            let turn = state.turn();
            let legal = state.candidates();
            listed += legal.len();
            if state.fault().is_some() || listed > MAX_LISTED {
                break 'games;
            }
            if legal.is_empty() {
                break;
            }
            material.count(&state, &mut before);
            state.advance(legal[random.below(legal.len() as u32) as usize]);
            if let Turn::Player(player) = turn {
                material.count(&state, &mut after);
                plies += 1;
                noisy += u32::from(!material.is_quiet(&before, &after, player));
            }
        }
    }
    WORTH_TRYING.contains(&(100 * noisy / plies.max(1)))
}

impl Search<'_> {
    /// Returns the value of a position at the end of the depth for the player to act, within a
    /// window.
    pub(super) fn settle(
        &mut self,
        state: &mut State,
        mover: usize,
        [alpha, beta]: [i32; 2],
        plies: i32,
        left: i32,
    ) -> i32 {
        let stand = self.evaluate(state);
        let Turn::Player(player) = state.turn() else { return stand };
        if stand >= beta || left == 0 {
            return stand;
        }
        let noisy = self.noisy_plies(state, player, mover, plies);
        let (mut best, mut alpha) = (stand, alpha.max(stand));
        for (_, ply) in noisy {
            let value = state.descend(ply, |after| match super::mover(after) {
                None => self.result(after, mover, plies + 1),
                Some(next) => {
                    if self.is_stopped() {
                        return -INFINITE;
                    }
                    let left = left - 1;
                    match next == mover {
                        true => self.settle(after, next, [alpha, beta], plies + 1, left),
                        false => -self.settle(after, next, [-beta, -alpha], plies + 1, left),
                    }
                }
            });
            if self.stopped {
                return best;
            }
            best = best.max(value);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// Lists the plies that are not quiet or end the game, the best for the player first.
    fn noisy_plies(
        &mut self,
        state: &mut State,
        player: PlayerId,
        mover: usize,
        plies: i32,
    ) -> Vec<(i32, PackedMove)> {
        let Some(mut working) = self.quiescence.take() else { return Vec::new() };
        let Quiescence { material, before, after, listed } = &mut working;
        state.candidates_into(listed);
        material.count(state, before);
        let mut noisy = Vec::new();
        for &ply in listed.iter() {
            let value = state.descend(ply, |next| {
                if next.outcome().is_none() {
                    material.count(next, after);
                    if material.is_quiet(before, after, player) {
                        return None;
                    }
                }
                Some(self.glance(next, mover, plies + 1))
            });
            noisy.extend(value.map(|value| (value, ply)));
        }
        self.quiescence = Some(working);
        noisy.sort_by_key(|&(value, _)| std::cmp::Reverse(value));
        noisy
    }
}
