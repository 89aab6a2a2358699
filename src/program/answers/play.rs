//! Describes what happens at the prompt in JSON.

use super::evaluation::EvaluationAnswer;
use super::position::PositionAnswer;
use crate::program::schema::{Answer, ByName};
use schemars::JsonSchema;
use serde::Serialize;

/// What happens at the prompt.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub enum PlayAnswer {
    /// A new position.
    Position {
        #[serde(flatten)]
        position: PositionAnswer,
        /// The rolls before it.
        rolled: Vec<String>,
        /// The values of the expressions that are watched.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        watched: Vec<EvaluationAnswer>,
    },
    /// A ply of a computer player.
    Ply {
        /// The player who makes it.
        to_move: String,
        played: String,
        /// The same as `to_move`.
        by: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        thinking: Option<ThinkingAnswer>,
    },
    /// An answer in words.
    Said { said: String },
}

impl Answer for PlayAnswer {
    const NAME: &'static str = "play";
}

/// What a search has found.
#[derive(Serialize, JsonSchema)]
pub struct ThinkingAnswer {
    /// The expected score of each player, from 0 to 1.
    pub winning_chances: ByName<f64>,
    /// Whether they are proven.
    pub solved: bool,
    /// The expected line of play.
    pub line: Vec<String>,
    pub iterations: u64,
    pub seconds: f64,
}
