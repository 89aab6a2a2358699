//! Random beginnings of games for matches: without them two players would play the same few games,
//! and a beginning that already decides the game says nothing about who plays better.

use super::mcts::SearchLimits;
use super::prover::{Answer, Prover};
use crate::engine::game::{Fault, Game, PlayError, State};
use crate::random::Random;

/// The positions of the search for a forced win, for each player. Five times as many find no more
/// wins; this limit takes 1 to 25 ms.
const POSITIONS: u64 = 1_000;
/// The memory of the search for a forced win, in bytes.
const MEMORY: usize = 1 << 20;
/// After this many decided beginnings, the next beginning is taken without a test.
const MAX_REJECTED: u32 = 20;

/// Returns a position after some random plies, in which the game is not over and no player is found
/// to have a forced win; in a game for one player, any position in which it is not over.
///
/// If nearly all positions are decided by then, the returned position may be decided, too.
///
/// # Errors
/// Returns the [`Fault`] if the rules do not terminate.
pub fn undecided(game: &Game, plies: usize, seed: u64) -> Result<State, Fault> {
    let mut random = Random::new(seed);
    let mut prover = Prover::new(MEMORY);
    let mut rejected = 0;
    loop {
        let state = after_random(game, plies, &mut random)?;
        if rejected == MAX_REJECTED || !is_decided(&state, &mut prover)? {
            return Ok(state);
        }
        rejected += 1;
    }
}

/// Returns the position after some random plies, or fewer if the game is over.
fn after_random(game: &Game, plies: usize, random: &mut Random) -> Result<State, Fault> {
    let mut state = game.begin()?;
    for _ in 0..plies {
        let legal = state.legal();
        if legal.is_empty() {
            break;
        }
        let ply = legal[random.below(legal.len() as u32) as usize].clone();
        if let Err(PlayError::Fault(fault)) = state.play(&ply) {
            return Err(fault);
        }
    }
    Ok(state)
}

/// Tests if the game is over, or a player can force a win over others.
fn is_decided(state: &State, prover: &mut Prover) -> Result<bool, Fault> {
    if state.outcome().is_some() {
        return Ok(true);
    }
    let teams = state.game().rules().teams;
    if teams.count() == 1 {
        return Ok(false);
    }
    // Where the rules count repetitions, a proof depends on the game so far.
    prover.clear();
    let limits = SearchLimits { iterations: Some(POSITIONS), ..SearchLimits::default() };
    for team in teams.numbers() {
        if let (Answer::Wins(_), _) = prover.prove_from(state, team, &limits)? {
            return Ok(true);
        }
    }
    Ok(false)
}
