//! The player that uses a training: it looks for a forced win, searches as the training found best,
//! and does not make a ply after which another player can force a win, as far as the limits allow.
//! Where a tree has several threads, a forced win is looked for beside it instead of before.
//!
//! The seed decides between plies that are nearly as good as the best one. An evaluation always
//! says the same, and without this its players would repeat the same few games.

use super::alpha_beta::AlphaBeta;
use super::mcts::{Mcts, RootMove, SearchLimits, Thinking};
use super::prover::{Answer, Prover};
use crate::engine::PackedMove;
use crate::engine::game::{Fault, State, Turn};
use crate::language::rules::PlayerId;
use crate::learn::{Evaluation, Method, Style};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::{Duration, Instant};

/// The search for a win gets 1 / this of the limits, and the test of the chosen ply as much.
const PROOF_SHARE: u32 = 10;
/// The same beside a tree with playouts, which proves much itself.
const PROOF_SHARE_OF_TREE: u32 = 20;
/// A tree on several threads does not wait for the search for a win, which gets 1 / this of the time
/// on a thread of its own.
const PROOF_SHARE_BESIDE: u32 = 2;

/// A searcher; it keeps its tables between moves.
pub struct Strong {
    evaluation: Arc<Evaluation>,
    style: Style,
    alpha_beta: Option<AlphaBeta>,
    prover: Prover,
    memory: usize,
}

impl Strong {
    /// Makes a searcher with tables of about `memory` bytes.
    pub fn new(evaluation: Arc<Evaluation>, style: impl Into<Style>, memory: usize) -> Strong {
        let (style, prover) = (style.into(), Prover::new(memory / 2));
        Strong { evaluation, style, alpha_beta: None, prover, memory: memory / 2 }
    }

    /// Tests if this searches with that evaluation, by that style.
    pub fn is(&self, evaluation: &Arc<Evaluation>, style: Style) -> bool {
        Arc::ptr_eq(&self.evaluation, evaluation) && self.style == style
    }

    /// Searches a position in which a player is to act, with a searcher by trees for the methods
    /// that need one. A number of iterations is divided between proofs and search.
    ///
    /// # Errors
    /// Returns the [`Fault`] if the rules do not terminate in a position of the search.
    pub fn think(
        &mut self,
        mcts: &mut Mcts,
        position: &State,
        seed: u64,
        limits: &SearchLimits,
    ) -> Result<Thinking, Fault> {
        let began = Instant::now();
        let proof_share = match self.style.method {
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
        let is_tree = self.style.method.exploration().is_some();
        let beside = all.filter(|_| is_tree && mcts.threads() > 1 && limits.iterations.is_none());
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
        let mut thinking = match self.style.method {
            Method::AlphaBeta | Method::Quiescence => {
                let (evaluation, memory) = (&self.evaluation, self.memory);
                let plain = || AlphaBeta::new(Arc::clone(evaluation), memory).varied();
                let new = || match self.style.method {
                    Method::Quiescence => plain().with_quiescence(),
                    _ => plain(),
                };
                self.alpha_beta.get_or_insert_with(new).think(position, seed, &rest)?
            }
            Method::Tree | Method::Leaves | Method::Mcts => {
                mcts.search_by(self.style, &self.evaluation);
                match beside {
                    Some(all) => {
                        let (thinking, is_won) =
                            self.search_beside_proof(mcts, position, seed, &rest, all)?;
                        if is_won {
                            return Ok(thinking);
                        }
                        thinking
                    }
                    None => mcts.think(position, seed, &rest, &mut |_| true)?,
                }
            }
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

    /// Searches by the tree, and for a forced win of the player to act at the same time, which ends
    /// the search of the tree. Also returns whether there is one.
    fn search_beside_proof(
        &mut self,
        mcts: &mut Mcts,
        position: &State,
        seed: u64,
        limits: &SearchLimits,
        all: Duration,
    ) -> Result<(Thinking, bool), Fault> {
        let Turn::Player(person) = position.personal_turn() else {
            return Ok((mcts.think(position, seed, limits, &mut |_| true)?, false));
        };
        let began = Instant::now();
        let (is_searched, is_proven) = (AtomicBool::new(false), AtomicBool::new(false));
        let of_proof = SearchLimits {
            deadline: limits.deadline.clone().within(all / PROOF_SHARE_BESIDE),
            stop: Some(&is_searched),
            ..SearchLimits::default()
        };
        let prover = &mut self.prover;
        let (proof, thinking) = thread::scope(|scope| {
            let prove = || {
                let found = prover.prove_from(position, person, &of_proof);
                is_proven
                    .store(!matches!(found, Ok((Answer::NotFound | Answer::Open, _))), Relaxed);
                found
            };
            // Without another thread there is no proof.
            let proof = thread::Builder::new().spawn_scoped(scope, prove).ok();
            let thinking = mcts.think(position, seed, limits, &mut |_| !is_proven.load(Relaxed));
            is_searched.store(true, Relaxed);
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
        let Turn::Player(person) = position.personal_turn() else { return Ok(None) };
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
        // With repetitions, the plies before count too.
        let solved = game.rules().repetition.is_none();
        let wins = |player: u16| f64::from(position.turn() == Turn::Player(PlayerId(player)));
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

    /// Tests the plies in their order until one is not known to lose, and puts that one first.
    fn avoid_losses(
        &mut self,
        position: &State,
        limits: &SearchLimits,
        thinking: &mut Thinking,
    ) -> Result<(), Fault> {
        let Turn::Player(person) = position.personal_turn() else { return Ok(()) };
        let players = position.game().rules().players.len() as u16;
        let mut limits = limits.clone();
        let mut state = position.clone();
        let start = state.mark();
        for index in 0..thinking.plies.len() {
            let place = position.legal().iter().position(|ply| *ply == thinking.plies[index].ply);
            let Some(&ply) = place.and_then(|place| position.packed().get(place)) else { continue };
            let mut loses = false;
            for player in (0..players).map(PlayerId).filter(|&player| player != person) {
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
