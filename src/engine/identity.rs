//! The identity of a game with its options.
//!
//! The tree or table of a search, the result of a training, or a move makes no sense in another
//! game, or in the same game with other options: two positions may even have the same hash. Each of
//! them keeps the identity of its game, and compares it with the game of every position that it is
//! used with.

use crate::compile::program::Program;
use crate::language::rules::Rules;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The identity of a game: of the text of its rules, the chosen options, and how its positions and
/// moves are packed. A game that is loaded twice has the same identity both times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GameId {
    /// The hash of the rules, the options and the registers of positions.
    rules: u64,
    /// The hash of the meaning of the numbers in packed moves.
    moves: u64,
}

impl GameId {
    pub(super) fn of(rules: &Rules, program: &Program) -> GameId {
        let mut hasher = DefaultHasher::new();
        (rules.source(), program.fingerprint).hash(&mut hasher);
        for option in &rules.options {
            (&option.name, option.value()).hash(&mut hasher);
        }
        let rules = hasher.finish();
        let mut hasher = DefaultHasher::new();
        program.specializations.len().hash(&mut hasher);
        for specialization in &program.specializations {
            (specialization.rule, &specialization.sources).hash(&mut hasher);
        }
        GameId { rules, moves: hasher.finish() }
    }

    /// Tests if positions of the two games have the same meaning. Moves may differ: a game that
    /// also [watches conditions](super::game::Game::compile_watching) may pack them otherwise.
    pub fn has_same_rules(self, other: GameId) -> bool {
        self.rules == other.rules
    }
}
