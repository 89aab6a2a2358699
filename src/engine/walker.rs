//! Many short walks from one position, for searches.
//!
//! In: a match. Out: the positions that its plies lead to, one ply at a time, without spelling anything or keeping what was before. It refuses to know where a walk should go.

use super::driver::Candidate;
use super::game::{Fault, Game, Match, Turn, fault};
use super::position::{Outcome, Position};
use super::runner::{Playout, Runner};
use crate::language::rules::MoveId;
use crate::random::Random;

/// Walks from one position as often as one likes.
pub struct Walker {
    game: Game,
    runner: Box<dyn Runner>,
    start: Position,
    history: Vec<u64>,
}

impl Clone for Walker {
    fn clone(&self) -> Self {
        Walker { game: self.game.clone(), runner: self.runner.boxed_clone(), start: self.start.clone(), history: self.history.clone() }
    }
}

impl Walker {
    /// Makes a walker that stands where the match does.
    pub fn new(from: &Match) -> Walker {
        let runner = from.runner().boxed_clone();
        Walker { game: from.game().clone(), start: runner.position(), history: runner.history().to_vec(), runner }
    }

    /// Goes back to where the walks begin.
    pub fn restart(&mut self) {
        self.runner.load(&self.start, &self.history);
    }

    /// Goes to a position that a walker of the same game has stood at. It refuses to know what came before: no rule of repetition is met on the way from there.
    pub fn go_to(&mut self, position: &Position) {
        self.runner.load(position, &[]);
    }

    /// Where it stands.
    pub fn position(&self) -> Position {
        self.runner.position()
    }

    /// The index of the decision at hand; meaningless once the game is over.
    pub fn decision(&self) -> usize {
        self.runner.at()
    }

    /// The move that a ply makes.
    pub fn rule(&self, ply: Candidate) -> MoveId {
        self.game.program().variations[usize::from(ply.variation)].rule
    }

    /// Who is to act.
    pub fn turn(&self) -> Turn {
        match self.runner.outcome() {
            Some(_) => Turn::Nobody,
            None => self.game.decisions()[self.runner.at()].mover.map_or(Turn::Chance, Turn::Player),
        }
    }

    /// How the game has ended.
    pub fn outcome(&self) -> Option<Outcome> {
        self.runner.outcome()
    }

    /// A hash of the position: what stands, what is remembered, which decision it is. The positions before it have no part in it.
    pub fn hash(&self) -> u64 {
        self.runner.hash()
    }

    /// The clause of the rules that goes round without end, if one did since the walk began. Nothing else means anything then.
    pub fn fault(&self) -> Option<Fault> {
        fault(&*self.runner)
    }

    /// Lists the legal plies, always in the same order; none when the game is over.
    pub fn legal(&mut self) -> Vec<Candidate> {
        self.runner.legal()
    }

    /// Plays a ply; false, with nothing changed, where it is illegal.
    pub fn play(&mut self, ply: Candidate) -> bool {
        self.runner.play(ply)
    }

    /// Plays uniformly random plies until the game ends or so many are made.
    pub fn play_out(&mut self, random: &mut Random, cap: u32) -> Playout {
        self.runner.playout(random, cap)
    }
}
