//! What programs find out at a desk, as the page shows it.

use crate::engine::game::{State, Turn};
use crate::notation::spell;
use crate::search::{Choice, Thinking, thought};
use serde_json::{Value, json};

/// Describes a ply that a program would choose, as a hint.
pub fn hint(position: &State, choice: &Choice) -> Result<Value, String> {
    let Turn::Player(mover) = position.turn() else {
        return Err("no player is to move".to_owned());
    };
    let rules = position.game().rules();
    let ply = spell(rules, &choice.ply);
    let text = match &choice.thinking {
        Some(thinking) => thought(rules, mover, thinking),
        None => format!("`{ply}` is the only move"),
    };
    Ok(json!({ "ply": ply, "text": text }))
}

/// Describes the winning chances in a position.
pub fn evaluation(position: &State, thinking: &Thinking) -> Value {
    let rules = position.game().rules();
    let players = rules
        .players
        .iter()
        .zip(&thinking.win_probabilities)
        .map(|(player, chance)| json!({ "player": player.name, "chance": chance }));
    // A roll is not chosen.
    let best = thinking.plies.first().filter(|_| position.turn() != Turn::Chance);
    json!({
        "ply": position.ply_count(),
        "players": players.collect::<Vec<Value>>(),
        "best": best.map(|best| spell(rules, &best.ply)),
    })
}
