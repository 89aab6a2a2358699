//! Going from any position of a game to any other.
//!
//! In: a game, and positions of it. Out: the plies that are legal there, and the positions that they lead to. It refuses to know what came before a position:
//! no rule of repetition is ever met on the way.

use super::driver::Candidate;
use super::game::{Game, fault};
use super::position::{Outcome, Position};
use super::runner::Runner;
use crate::language::rules::MoveId;

/// Stands at one position at a time.
pub struct Explorer {
    game: Game,
    runner: Box<dyn Runner>,
}

impl Explorer {
    /// Stands at the first position; none where the rules go round without end before it.
    pub fn new(game: &Game) -> Option<Explorer> {
        let begun = game.begin().ok()?;
        Some(Explorer { game: game.clone(), runner: begun.runner().boxed_clone() })
    }

    /// Goes to a position that an explorer of the same game has stood at.
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

    /// How the game has ended.
    pub fn outcome(&self) -> Option<Outcome> {
        self.runner.outcome()
    }

    /// Whether the rules went round without end since it went somewhere. Nothing else means anything then.
    pub fn is_lost(&self) -> bool {
        fault(&*self.runner).is_some()
    }

    /// Lists the legal plies, always in the same order; none when the game is over.
    pub fn legal(&mut self) -> Vec<Candidate> {
        self.runner.legal()
    }

    /// The move that a ply makes.
    pub fn rule(&self, ply: Candidate) -> MoveId {
        self.game.program().variations[usize::from(ply.variation)].rule
    }

    /// Plays a ply; false, with nothing changed, where it is illegal.
    pub fn play(&mut self, ply: Candidate) -> bool {
        self.runner.play(ply)
    }
}

impl Position {
    /// What the number with this register is in the position.
    pub fn number(&self, register: u16) -> i32 {
        self.numbers.get(usize::from(register)).copied().unwrap_or(0)
    }

    /// The index of the decision that the game is at; meaningless once it is over.
    pub fn decision(&self) -> u16 {
        self.at
    }
}
