//! `ludwright show`: a position in, its diagram out, as `--position` and rule cases read it.

use super::arguments::Show;
use super::failure::Failure;
use super::game::Loaded;
use super::moves::to_move;
use super::screen::Screen;
use ludwright::notation::outcome;
use ludwright::record::Start;
use serde_json::json;
use std::io::Write;

/// Shows the position.
pub fn run(task: &Show, screen: &Screen, out: &mut dyn Write) -> Result<u8, Failure> {
    let (_, position, _) = Loaded::at_start_of(&task.game, &task.start, screen)?;
    let text = Start::write(&position);
    if screen.json() {
        let result = position.outcome().map(|over| outcome(position.game().rules(), Some(over)));
        writeln!(out, "{}", json!({ "position": text, "to_move": to_move(&position), "result": result }))?;
    } else {
        write!(out, "{text}")?;
    }
    Ok(0)
}
