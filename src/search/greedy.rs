//! A one-ply greedy player.

use super::mcts::SearchLimits;
use crate::engine::game::{Fault, Move, PlayError, State, Turn};
use crate::engine::position::Outcome;
use crate::language::rules::PlayerId;
use crate::random::Random;

/// Chooses the ply that, in this order of priority: wins; does not lose; gives the largest surplus
/// of pieces over all others together; leaves the fewest legal plies to the next player, if that is
/// another player. Ties are broken at random with the seed. When it is stopped or its time is up,
/// it chooses the best ply evaluated so far, at least one. `None` if no player is to act.
///
/// # Errors
/// Returns the [`Fault`] if the rules do not terminate after any of the plies.
pub fn choose(position: &State, seed: u64, limits: &SearchLimits) -> Result<Option<Move>, Fault> {
    let Turn::Player(team) = position.team_turn() else { return Ok(None) };
    let mut random = Random::new(seed);
    let mut after = position.clone();
    let mut deadline = limits.deadline.clone();
    let (mut best, mut equals, mut failed) = (None, 0, None);
    for &ply in position.packed() {
        // Some games have hundreds of thousands of legal plies.
        if best.is_some() && (deadline.is_over() || limits.is_stopped()) {
            break;
        }
        match after.play_packed(ply) {
            Ok(()) => {}
            Err(PlayError::Illegal) => continue,
            Err(PlayError::Fault(fault)) => {
                failed = Some(fault);
                continue;
            }
        }
        let evaluate = evaluate(&after, team);
        after.undo();
        let evaluate = match evaluate {
            Ok(evaluate) => evaluate,
            Err(fault) => {
                failed = Some(fault);
                continue;
            }
        };
        let ordering =
            best.as_ref().map_or(std::cmp::Ordering::Greater, |(most, _)| evaluate.cmp(most));
        equals = if ordering.is_gt() { 1 } else { equals + u32::from(ordering.is_eq()) };
        // Reservoir sampling: the nth of equals replaces the earlier ones with probability 1/n.
        if ordering.is_gt() || ordering.is_eq() && random.below(equals) == 0 {
            best = Some((evaluate, ply));
        }
    }
    match (best, failed) {
        (Some((_, ply)), _) => Ok(Some(position.game().spell_out(ply))),
        (None, Some(fault)) => Err(fault),
        (None, None) => Ok(None),
    }
}

/// Evaluates a position for a team of persons, who may have just taken over the other colour;
/// larger values are better.
fn evaluate(position: &State, team: PlayerId) -> Result<(i32, i64, i64), Fault> {
    let result = match position.team_outcome() {
        Some(Outcome::Win(winner)) if winner == team => 1,
        Some(Outcome::Win(_)) => -1,
        // A single player who has not won has lost.
        Some(Outcome::Draw) if position.game().rules().players.len() == 1 => -1,
        Some(Outcome::Shared(among)) if !among.contains(team) => -1,
        Some(Outcome::Draw | Outcome::Shared(_)) | None => 0,
    };
    let owners =
        position.snapshot().pieces.into_iter().flatten().filter_map(|standing| standing.owner);
    let surplus = owners.map(|owner| if position.team(owner) == team { 1 } else { -1 }).sum();
    let left = match position.team_turn() {
        // Counted, not listed: there may be many replies to each of many plies.
        Turn::Player(next) if next != team => -(position.game().perft(position, 1)? as i64),
        _ => 0,
    };
    Ok((result, surplus, left))
}
