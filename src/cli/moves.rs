//! `ludwright moves`: lists the legal moves of a position.

use crate::program::answers::position::{PositionAnswer, describe};
use crate::program::answers::subject::Subject;
use crate::program::arguments::Moves;
use crate::program::console::Console;
use crate::program::failure::Failure;
use crate::program::game::Loaded;
use crate::program::schema::{Answer, print};
use ludwright::engine::game::Turn;
use ludwright::notation::{inflected, legal, turn};
use ludwright::render::situation;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;

/// The legal moves of a position.
#[derive(Serialize, JsonSchema)]
pub struct MovesAnswer {
    #[serde(flatten)]
    subject: Subject,
    #[serde(flatten)]
    position: PositionAnswer,
}

impl Answer for MovesAnswer {
    const NAME: &'static str = "moves";
}

/// Lists the legal moves.
pub fn run(task: &Moves, console: &Console, out: &mut dyn Write) -> Result<u8, Failure> {
    let (loaded, position, _) = Loaded::at_start_of(&task.game, &task.start, console)?;
    if console.json() {
        print(&MovesAnswer { subject: loaded.subject(), position: describe(&position) }, out)?;
        return Ok(0);
    }
    let rules = position.game().rules();
    match position.outcome() {
        Some(_) => writeln!(out, "{}", situation(&position))?,
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
