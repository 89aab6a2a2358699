//! Describes a position in JSON.

use ludwright::engine::game::{State, Turn};
use ludwright::notation::{legal, outcome, turn};
use serde_json::{Value, json};

/// Describes a position in JSON: player to move, legal moves, result.
pub fn describe(position: &State) -> Value {
    let rules = position.game().rules();
    json!({
        "to_move": to_move(position),
        "legal": legal(position),
        "result": position.outcome().map(|over| outcome(rules, Some(over))),
    })
}

/// Returns the player to move, or chance; `None` when the game is over.
pub fn to_move(position: &State) -> Option<&str> {
    match position.turn() {
        Turn::Nobody => None,
        who => Some(turn(position.game().rules(), who)),
    }
}
