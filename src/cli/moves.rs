//! `ludwright moves`: lists the legal moves of a position.

use crate::program::answers::position::describe;
use crate::program::arguments::Moves;
use crate::program::console::Console;
use crate::program::failure::Failure;
use crate::program::game::Loaded;
use ludwright::engine::game::Turn;
use ludwright::notation::{inflected, legal, shown_outcome, turn};
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
