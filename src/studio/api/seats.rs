//! Who plays, and what programs think.

use super::{Arguments, Refused, play};
use crate::studio::{DeskCell, Studio, lock, thinking};
use ludwright::search::PlayerKind;
use ludwright::search::player::untrained;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The longest time that a program may have for a ply.
const MAX_TIME: Duration = Duration::from_secs(600);
const MAX_ITERATIONS: u64 = 10_000_000;
/// The program that is asked for hints.
const HINT: PlayerKind = PlayerKind::Time(Duration::from_secs(1));

/// Reads who plays, within limits.
fn kind(text: &str) -> Result<PlayerKind, Refused> {
    match text.parse::<PlayerKind>()? {
        PlayerKind::Time(time) | PlayerKind::StrongTime(time) if time > MAX_TIME => {
            Err(format!("a program may think for at most {} seconds here", MAX_TIME.as_secs())
                .into())
        }
        PlayerKind::Iterations(count) | PlayerKind::StrongIterations(count)
            if count > MAX_ITERATIONS =>
        {
            Err(format!("a program may make at most {MAX_ITERATIONS} iterations here").into())
        }
        kind => Ok(kind),
    }
}

/// Sets who plays. The answer has a note if a player does without the training that it could use.
pub fn seats(
    studio: &Arc<Studio>,
    cell: &Arc<DeskCell>,
    arguments: &Arguments,
) -> Result<Value, Refused> {
    let wanted = arguments.maybe_pairs("seats")?.unwrap_or_default();
    let wanted: Vec<(String, PlayerKind)> = wanted
        .into_iter()
        .map(|(name, text)| Ok((name, kind(&text)?)))
        .collect::<Result<_, Refused>>()?;
    let kinds: Vec<PlayerKind> = wanted.iter().map(|(_, kind)| *kind).collect();
    thinking::interrupt(cell);
    let mut answer = play::change(studio, cell, |desk| {
        for (name, kind) in wanted {
            match desk.draft.seats.iter_mut().find(|(known, _)| *known == name) {
                Some((_, seated)) => *seated = kind,
                None => return Err("there is no such player".to_owned()),
            }
        }
        desk.paused = false;
        desk.turn += 1;
        Ok(())
    })?;
    let game = lock(&cell.desk).run.as_ref().map(|run| run.state.game().clone());
    let note = game.and_then(|game| kinds.into_iter().find_map(|kind| untrained(&game, kind)));
    answer["note"] = json!(note);
    Ok(answer)
}

/// Lets waiting programs go on.
pub fn go_on(studio: &Arc<Studio>, cell: &Arc<DeskCell>) -> Result<Value, Refused> {
    play::change(studio, cell, |desk| {
        desk.paused = false;
        Ok(())
    })
}

/// Stops the program that is choosing, and lets programs wait.
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

/// Begins or ends to estimate winning chances.
pub fn evaluate(cell: &Arc<DeskCell>, arguments: &Arguments) -> Value {
    let on = arguments.flag("on");
    let mut desk = lock(&cell.desk);
    desk.evaluates = on;
    // The position at hand is estimated anew.
    desk.turn += 1;
    drop(desk);
    if on {
        thinking::evaluate(cell);
    }
    json!({ "on": on })
}
