//! Evaluates regions and numbers that rules define but that are no part of a position, such as the
//! sites that a player attacks.
//!
//! An observer has a program of its own: the rules of the game with further memories, and
//! statements that set them. It takes over the registers of a position, executes the statements,
//! and reads the values of the further memories.

use super::position::Position;
use super::runner::{Runner, runner};
use crate::compile::program::Program;
use crate::compile::{Observing, compile_observing};
use crate::language::rules::Rules;
use std::sync::Arc;

/// Executes statements in positions of a game.
pub struct Observer {
    runner: Box<dyn Runner>,
    /// The registers of the game's positions: sets and numbers.
    sets: usize,
    numbers: usize,
    /// The registers of the further memories, which follow.
    observed_sets: usize,
    observed_numbers: usize,
    /// A position of the observer.
    buffer: Position,
}

impl Clone for Observer {
    fn clone(&self) -> Observer {
        Observer { runner: self.runner.another(), buffer: self.buffer.clone(), ..*self }
    }
}

impl std::fmt::Debug for Observer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Observer")
            .field("sets", &self.observed_sets)
            .field("numbers", &self.observed_numbers)
            .finish_non_exhaustive()
    }
}

impl Observer {
    /// Makes an observer of the game with this program. `rules` are its rules with further memories
    /// at the end, each one set of sites or one number, which the statements set. `None` if the
    /// statements cannot be compiled or are too many.
    pub fn new(game: &Program, rules: &Rules, statements: &[Observing]) -> Option<Observer> {
        let memories = rules.memories.len().checked_sub(game.layout.memories())?;
        let program = Arc::new(compile_observing(rules, memories, statements).ok()?);
        let runner = runner(&rules.board, &program)?;
        let (own, game) = (&program.layout, &game.layout);
        let observed = |own: u16, game: u16| usize::from(own - game);
        Some(Observer {
            sets: usize::from(game.sets),
            numbers: usize::from(game.nums),
            observed_sets: observed(own.sets, game.sets),
            observed_numbers: observed(own.nums, game.nums),
            buffer: runner.position(),
            runner,
        })
    }

    /// Returns a copy of a position of the game with room for the observed sets and numbers after
    /// its own.
    pub fn with_room(&self, position: &Position) -> Position {
        let zeros = vec![0; self.observed_sets * self.runner.width()];
        let numbers = vec![0; self.observed_numbers];
        Position {
            words: position.words.iter().copied().chain(zeros).collect(),
            numbers: position.numbers.iter().copied().chain(numbers).collect(),
            ..position.clone()
        }
    }

    /// Executes the statements in a position [with room](Observer::with_room), and writes the
    /// observed values there. Values not set within the limits of a ply stay empty or zero.
    pub fn observe(&mut self, position: &mut Position) {
        let own = self.sets * self.runner.width();
        let buffer = &mut self.buffer;
        buffer.words[..own].copy_from_slice(&position.words[..own]);
        buffer.words[own..].fill(0);
        buffer.numbers[..self.numbers].copy_from_slice(&position.numbers[..self.numbers]);
        buffer.numbers[self.numbers..].fill(0);
        self.runner.observe(buffer);
        position.words[own..].copy_from_slice(&buffer.words[own..]);
        let own = position.numbers.len() - self.observed_numbers;
        let observed = &buffer.numbers[self.numbers..][..self.observed_numbers];
        position.numbers[own..].copy_from_slice(observed);
    }

    /// Returns the fuel used so far.
    pub fn fuel_used(&self) -> u64 {
        self.runner.fuel_used()
    }
}
