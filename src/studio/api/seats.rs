//! Requests about computer players: stopping them, hints, winning chances.

use super::{Arguments, Refused};
use crate::studio::{DeskCell, lock, thinking};
use ludwright::search::PlayerKind;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The program that suggests plies.
const HINT: PlayerKind = PlayerKind::Time(Duration::from_secs(1));

/// Stops the program that is choosing, and pauses all programs.
pub fn stop(cell: &DeskCell) -> Value {
    let mut desk = lock(&cell.desk);
    desk.paused = true;
    desk.turn += 1;
    let game = desk.describe_game();
    drop(desk);
    thinking::interrupt(cell);
    json!({ "game": game })
}

/// Suggests a ply.
pub fn hint(cell: &DeskCell) -> Result<Value, Refused> {
    if cell.is_hinting.swap(true, Ordering::AcqRel) {
        return Err("a hint is being looked for already".into());
    }
    let found = hinted(cell);
    cell.is_hinting.store(false, Ordering::Release);
    found
}

fn hinted(cell: &DeskCell) -> Result<Value, Refused> {
    let (position, turn, seed) = {
        let desk = lock(&cell.desk);
        let run = desk.run.as_ref().ok_or("the rules cannot be played yet")?;
        desk.listable()?;
        (run.state.clone(), desk.turn, desk.draft.variations.seed)
    };
    let found = thinking::hint(&position, HINT, seed)?;
    match lock(&cell.desk).is_at(turn) {
        true => Ok(found),
        false => Err("the position has changed meanwhile; ask again".into()),
    }
}

/// Starts or stops estimating the winning chances.
pub fn evaluate(cell: &Arc<DeskCell>, arguments: &Arguments) -> Value {
    let on = arguments.flag("on");
    let mut desk = lock(&cell.desk);
    desk.evaluates = on;
    // A new turn makes the current position be estimated anew.
    desk.turn += 1;
    drop(desk);
    if on {
        thinking::evaluate(cell);
    }
    json!({ "on": on })
}
