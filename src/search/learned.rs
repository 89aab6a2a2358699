//! A player that looks one ply ahead with a learned evaluation, and names the deciding features.

use super::mcts::SearchLimits;
use crate::engine::game::{Fault, Move, State, Turn};
use crate::learn::describe::reasons;
use crate::learn::{Evaluation, Scratch};
use crate::random::Random;

/// At most this many features are named.
const MAX_REASONS: usize = 3;

/// Chooses the ply after which the evaluation expects the highest score for the player to act. Ties
/// are broken at random with the seed. When it is stopped or its time is up, it chooses the best
/// ply evaluated so far, at least one. Also returns the features that decided against the
/// second-best ply. `None` if no player is to act.
///
/// # Errors
/// Returns the [`Fault`] if the rules do not terminate after any of the plies, or the evaluation is
/// of another game.
pub fn choose(
    position: &State,
    evaluation: &Evaluation,
    seed: u64,
    limits: &SearchLimits,
) -> Result<Option<(Move, String)>, Fault> {
    let Turn::Player(mover) = position.turn() else { return Ok(None) };
    evaluation.features.fit(position.game())?;
    let person = position.team(mover);
    let mut random = Random::new(seed);
    let mut state = position.clone();
    let mut scratch = Scratch::new(&evaluation.features, &state.position());
    let mut scores = vec![0.0; evaluation.features.players];
    let mut rated = Vec::new();
    let mut deadline = limits.deadline.clone();
    for ply in state.candidates() {
        // Some games have hundreds of thousands of legal plies.
        if !rated.is_empty() && (deadline.is_over() || limits.is_stopped()) {
            break;
        }
        state.ahead(ply, |after| evaluation.scores(after, &mut scratch, &mut scores));
        rated.push((scores[person.index()], random.bits32(), ply));
    }
    if let Some(fault) = state.fault() {
        return Err(fault);
    }
    rated.sort_by(|one, another| another.0.total_cmp(&one.0).then(one.1.cmp(&another.1)));
    let Some(&(best, _, chosen)) = rated.first() else { return Ok(None) };
    let mut look = |ply| {
        state.ahead(ply, |after| {
            let is_over = after.decision().is_none();
            (!is_over).then(|| (after.position(), after.move_count_bound()))
        })
    };
    let second = rated.get(1).and_then(|&(_, _, ply)| look(ply));
    let told = look(chosen).zip(second).map(|((chosen, moves), (second, second_moves))| {
        let found = reasons(
            position.game().rules(),
            evaluation,
            person,
            (&chosen, moves),
            (&second, second_moves),
            MAX_REASONS,
        );
        let found: Vec<String> = found
            .into_iter()
            .map(|reason| format!("{} ({:+.2})", reason.text, reason.weight))
            .collect();
        found.join("; ")
    });
    let name = &position.game().rules().players[mover.index()].name;
    let chance = format!("{name} expects {:.0} %", best * 100.0);
    let reason = match told {
        Some(told) if !told.is_empty() => format!("{chance}; decided by {told}"),
        _ => chance,
    };
    Ok(Some((position.game().spell_out(chosen), reason)))
}
