//! `ludwright moves`: lists the legal moves of a position.

use super::arguments::Moves;
use super::console::Console;
use super::failure::Failure;
use super::game::Loaded;
use ludwright::engine::game::{State, Turn};
use ludwright::notation::{inflected, legal, outcome, shown_outcome, turn};
use serde_json::{Value, json};
use std::io::Write;

/// Lists the legal moves.
pub fn run(task: &Moves, console: &Console, out: &mut dyn Write) -> Result<u8, Failure> {
    let (loaded, position, _) = Loaded::at_start_of(&task.game, &task.start, console)?;
    if console.json() {
        writeln!(out, "{}", loaded.add_assumed(describe(&position)))?;
        return Ok(0);
    }
    let rules = position.game().rules();
    match position.outcome() {
        over @ Some(_) => writeln!(out, "The game is over: {}", shown_outcome(rules, over))?,
        None => {
            let moves = legal(&position);
            let who = match position.turn() {
                Turn::Chance => "The next ply is a roll".to_owned(),
                mover => format!("{} to move", turn(rules, mover)),
            };
            let noun = inflected(moves.len() as u64, "legal move");
            writeln!(out, "{who}, {} {noun}:", moves.len())?;
            for spelled in moves {
                writeln!(out, "{spelled}")?;
            }
        }
    }
    Ok(0)
}

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
