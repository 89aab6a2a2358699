//! Describes a position in JSON.

use super::ByName;
use crate::engine::game::{State, Turn};
use crate::engine::position::Outcome;
use crate::language::rules::{PlayerId, Rules};
use crate::notation::{legal, outcome, turn};
use serde::Serialize;

/// A position: the player to move, the legal moves, the result.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct PositionAnswer {
    /// The player to move, or `chance`; null when the game is over.
    pub to_move: Option<String>,
    /// The legal moves, spelled as in records.
    pub legal: Vec<String>,
    #[serde(flatten)]
    pub result: ResultAnswer,
}

/// The result of a game.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ResultAnswer {
    /// The result in words: `NAME wins`, `draw` or `draw of NAME and NAME`; null while the game goes
    /// on.
    pub result: Option<String>,
    /// The score of each player: 1 for a win, 0 for a loss, a part of 1 for a draw (0 for a single
    /// player); null while the game goes on.
    pub scores: Option<ByName<f64>>,
}

impl ResultAnswer {
    /// Describes the result at a position.
    pub fn of(position: &State) -> ResultAnswer {
        let rules = position.game().rules();
        let over = position.outcome();
        ResultAnswer {
            result: over.map(|over| outcome(rules, Some(over))),
            scores: over.map(|over| scores(rules, over)),
        }
    }
}

/// Describes a position: player to move, legal moves, result.
pub fn describe(position: &State) -> PositionAnswer {
    PositionAnswer {
        to_move: to_move(position).map(str::to_owned),
        legal: legal(position),
        result: ResultAnswer::of(position),
    }
}

/// Returns the player to move, or chance; `None` when the game is over.
pub fn to_move(position: &State) -> Option<&str> {
    match position.turn() {
        Turn::Nobody => None,
        who => Some(turn(position.game().rules(), who)),
    }
}

/// Returns the score of each player, which is the score of his team.
pub fn scores(rules: &Rules, outcome: Outcome) -> ByName<f64> {
    let score = |id| outcome.score_with(PlayerId(id), rules.teams);
    rules.players.iter().zip(0..).map(|(player, id)| (player.name.clone(), score(id))).collect()
}
