//! The player that uses a training: it looks for a forced win, searches by the style that the
//! training found best, and avoids plies after which another player can force a win, as far as the
//! limits allow. With several threads and a time limit, the prover runs beside the search instead
//! of before it.
//!
//! The seed decides between plies that are nearly as good as the best one. Without it, a
//! deterministic evaluation would repeat the same few games.

use super::alpha_beta::AlphaBeta;
use super::mcts::{Mcts, RootMove, SearchLimits, Tell, Thinking};
use super::prover::{Answer, Prover};
use crate::budget::Instant;
use crate::engine::PackedMove;
use crate::engine::game::{Fault, State, Turn};
use crate::language::rules::PlayerId;
use crate::learn::{Evaluation, Method, Style};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::Duration;

/// The search for a win gets 1 / this of the limits, and the test of the chosen ply as much.
const PROOF_SHARE: u32 = 10;
/// The same beside a tree with playouts, which itself proves many values.
const PROOF_SHARE_OF_TREE: u32 = 20;
/// A search on several threads does not wait for the prover, which gets 1 / this of the time on a
/// thread of its own: beside a tree, and beside alpha-beta.
const PROOF_SHARE_BESIDE_TREE: u32 = 2;
const PROOF_SHARE_BESIDE_ALPHA_BETA: u32 = 5;

/// A searcher of the game of its evaluation; it keeps its tables between moves.
pub struct Strong {
    best: BestSearch,
    prover: Prover,
}

/// The search that the training found best.
struct BestSearch {
    evaluation: Arc<Evaluation>,
    style: Style,
    alpha_beta: Option<AlphaBeta>,
    /// The memory of the tables of alpha-beta, in bytes.
    memory: usize,
}

impl BestSearch {
    /// Searches until `ended` is set, and sets it at the end.
    fn search(
        &mut self,
        mcts: &mut Mcts,
        position: &State,
        seed: u64,
        limits: &SearchLimits,
        ended: &AtomicBool,
        tell: Tell,
    ) -> Result<Thinking, Fault> {
        match self.style.method {
            Method::AlphaBeta | Method::Quiescence => {
                let (evaluation, memory) = (&self.evaluation, self.memory);
                let plain = || AlphaBeta::new(Arc::clone(evaluation), memory).varied();
                let new = || match self.style.method {
                    Method::Quiescence => plain().with_quiescence(),
                    _ => plain(),
                };
                let search = self.alpha_beta.get_or_insert_with(new);
                search.think_on(mcts.threads(), position, seed, limits, ended)
            }
            Method::Tree | Method::Leaves | Method::Mcts => {
                mcts.search_by(self.style, &self.evaluation);
                let mut tell = |found: &Thinking| tell(found) && !ended.load(Relaxed);
                let found = mcts.think(position, seed, limits, &mut tell);
                ended.store(true, Relaxed);
                found
            }
        }
    }
}

impl Strong {
    /// Makes a searcher with tables of about `memory` bytes.
    pub fn new(evaluation: Arc<Evaluation>, style: impl Into<Style>, memory: usize) -> Strong {
        let memory = memory / 2;
        let best = BestSearch { evaluation, style: style.into(), alpha_beta: None, memory };
        Strong { best, prover: Prover::new(memory) }
    }

    /// Tests if this searches with the given evaluation and style.
    pub fn is(&self, evaluation: &Arc<Evaluation>, style: Style) -> bool {
        Arc::ptr_eq(&self.best.evaluation, evaluation) && self.best.style == style
    }

    /// Searches a position in which a player is to act, with a searcher by trees for the methods
    /// that need one. A number of iterations is divided between proofs and search.
    ///
    /// # Errors
    /// Returns the [`Fault`] if the rules do not terminate in a position of the search, or the
    /// evaluation is of another game.
    pub fn think(
        &mut self,
        mcts: &mut Mcts,
        position: &State,
        seed: u64,
        limits: &SearchLimits,
    ) -> Result<Thinking, Fault> {
        self.think_aloud(mcts, position, seed, limits, &mut |_| true)
    }

    /// As [`Strong::think`]; a search by a tree calls `tell` as [`Mcts::think`] does.
    ///
    /// # Errors
    /// As [`Strong::think`].
    pub fn think_aloud(
        &mut self,
        mcts: &mut Mcts,
        position: &State,
        seed: u64,
        limits: &SearchLimits,
        tell: Tell,
    ) -> Result<Thinking, Fault> {
        self.best.evaluation.features.fit(position.game())?;
        let began = Instant::now();
        let proof_share = match self.best.style.method {
            Method::AlphaBeta | Method::Quiescence | Method::Leaves => PROOF_SHARE,
            Method::Tree | Method::Mcts => PROOF_SHARE_OF_TREE,
        };
        let all = limits.deadline.left();
        let is_limited = all.is_some() || limits.iterations.is_some();
        let share = SearchLimits {
            iterations: limits.iterations.map(|all| all / u64::from(proof_share)),
            deadline: match all {
                Some(all) => limits.deadline.clone().within(all / proof_share),
                None => limits.deadline.clone(),
            },
            stop: limits.stop,
        };
        if position.game().rules().repetition.is_some() {
            self.prover.clear();
        }
        // A number of iterations gives the same on any number of threads.
        let beside = all.filter(|_| mcts.threads() > 1 && limits.iterations.is_none());
        if is_limited
            && beside.is_none()
            && let Some(thinking) = self.find_win(position, &share, began)?
        {
            return Ok(thinking);
        }
        let spent = share.iterations.unwrap_or(0);
        let rest = SearchLimits {
            iterations: limits.iterations.map(|all| (all - 2 * spent).max(1)),
            deadline: match all.zip(limits.deadline.left()) {
                Some((all, left)) => {
                    limits.deadline.clone().within(left.saturating_sub(all / proof_share))
                }
                None => limits.deadline.clone(),
            },
            stop: limits.stop,
        };
        let mut thinking = match beside {
            Some(all) => {
                let (thinking, is_won) =
                    self.search_beside_proof(mcts, position, seed, &rest, all, tell)?;
                if is_won {
                    return Ok(thinking);
                }
                thinking
            }
            None => self.best.search(mcts, position, seed, &rest, &AtomicBool::new(false), tell)?,
        };
        if is_limited && !thinking.solved {
            let test = SearchLimits {
                iterations: share.iterations,
                deadline: limits.deadline.clone(),
                stop: limits.stop,
            };
            self.avoid_losses(position, &test, &mut thinking)?;
        }
        thinking.seconds = began.elapsed().as_secs_f64();
        Ok(thinking)
    }

    /// Searches by the best style, and at the same time for a forced win of the player to act,
    /// which ends the other search. Also returns whether there is a forced win.
    fn search_beside_proof(
        &mut self,
        mcts: &mut Mcts,
        position: &State,
        seed: u64,
        limits: &SearchLimits,
        all: Duration,
        tell: Tell,
    ) -> Result<(Thinking, bool), Fault> {
        let ended = AtomicBool::new(false);
        let Turn::Player(person) = position.team_turn() else {
            return Ok((self.best.search(mcts, position, seed, limits, &ended, tell)?, false));
        };
        let began = Instant::now();
        let share = match self.best.style.method {
            Method::AlphaBeta | Method::Quiescence => PROOF_SHARE_BESIDE_ALPHA_BETA,
            Method::Tree | Method::Leaves | Method::Mcts => PROOF_SHARE_BESIDE_TREE,
        };
        let of_proof = SearchLimits {
            deadline: limits.deadline.clone().within(all / share),
            stop: Some(&ended),
            ..SearchLimits::default()
        };
        let Strong { best, prover } = self;
        let (proof, thinking) = thread::scope(|scope| {
            let prove = || {
                let found = prover.prove_from(position, person, &of_proof);
                if !matches!(found, Ok((Answer::NotFound | Answer::Open, _))) {
                    ended.store(true, Relaxed);
                }
                found
            };
            // Without another thread there is no proof.
            let proof = thread::Builder::new().spawn_scoped(scope, prove).ok();
            let thinking = best.search(mcts, position, seed, limits, &ended, tell);
            (proof.map(|proof| proof.join().unwrap_or_else(|panic| resume_unwind(panic))), thinking)
        });
        let won = proof.transpose()?.and_then(|found| self.won(position, person, found, began));
        match won {
            Some(won) => Ok((won, true)),
            None => Ok((thinking?, false)),
        }
    }

    /// Searches for a forced win of the player to act.
    fn find_win(
        &mut self,
        position: &State,
        limits: &SearchLimits,
        began: Instant,
    ) -> Result<Option<Thinking>, Fault> {
        let Turn::Player(person) = position.team_turn() else { return Ok(None) };
        let found = self.prover.prove_from(position, person, limits)?;
        Ok(self.won(position, person, found, began))
    }

    /// Returns the win of the player to act that was just proven, if the answer is one.
    fn won(
        &self,
        position: &State,
        person: PlayerId,
        (answer, positions): (Answer, u64),
        began: Instant,
    ) -> Option<Thinking> {
        let Answer::Wins(Some(winning)) = answer else { return None };
        let game = position.game();
        let ply = game.spell_out(winning);
        let mut line: Vec<PackedMove> = self.prover.line(position, person);
        if line.first() != Some(&winning) {
            line = vec![winning];
        }
        let players = game.rules().players.len() as u16;
        // If the rules count repetitions, the value depends on the plies before, too.
        let solved = game.rules().repetition.is_none();
        let wins = |player: u16| f64::from(position.team(PlayerId(player)) == person);
        Some(Thinking {
            iterations: positions,
            plies_made: positions,
            seconds: began.elapsed().as_secs_f64(),
            nodes: positions as usize,
            depth: Some(line.len() as u32),
            recycled: 0,
            win_probabilities: (0..players).map(wins).collect(),
            solved,
            line: line.into_iter().map(|ply| game.spell_out(ply)).collect(),
            plies: vec![RootMove {
                ply,
                visits: u32::try_from(positions).unwrap_or(u32::MAX),
                chance: 1.0,
                solved,
            }],
        })
    }

    /// Tests the plies in their order until one is not known to lose, and moves it to the front.
    fn avoid_losses(
        &mut self,
        position: &State,
        limits: &SearchLimits,
        thinking: &mut Thinking,
    ) -> Result<(), Fault> {
        let Turn::Player(person) = position.team_turn() else { return Ok(()) };
        let teams = position.game().rules().teams;
        let mut limits = limits.clone();
        let mut state = position.clone();
        let start = state.mark();
        for index in 0..thinking.plies.len() {
            let place = position.legal().iter().position(|ply| *ply == thinking.plies[index].ply);
            let Some(&ply) = place.and_then(|place| position.packed().get(place)) else { continue };
            let mut loses = false;
            for player in teams.numbers().filter(|&team| team != person) {
                state.return_to(&start);
                let (answer, positions) = state.descend(ply, |after| match after.outcome() {
                    Some(_) => (Answer::NotFound, 0),
                    None => self.prover.prove(after, player, &limits),
                });
                if let Some(fault) = state.fault() {
                    return Err(fault);
                }
                limits.iterations = limits.iterations.map(|left| left.saturating_sub(positions));
                loses |= matches!(answer, Answer::Wins(_));
            }
            if !loses {
                // Lost plies come last.
                thinking.plies.rotate_left(index);
                if index > 0 {
                    thinking.line = vec![thinking.plies[0].ply.clone()];
                }
                return Ok(());
            }
        }
        Ok(())
    }
}
