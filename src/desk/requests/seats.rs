//! Who plays.

use super::{Arguments, Refused};
use crate::desk::Desk;
use crate::search::PlayerKind;
use crate::search::player::untrained;
use std::time::Duration;

/// The longest time that a program may have for a ply.
const MAX_TIME: Duration = Duration::from_secs(600);
const MAX_ITERATIONS: u64 = 10_000_000;

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

/// Sets who plays. Returns a note if a player does without the training that it could use.
pub fn seat(desk: &mut Desk, arguments: &Arguments) -> Result<Option<String>, Refused> {
    let wanted = arguments.maybe_pairs("seats")?.unwrap_or_default();
    let wanted: Vec<(String, PlayerKind)> = wanted
        .into_iter()
        .map(|(name, text)| Ok((name, kind(&text)?)))
        .collect::<Result<_, Refused>>()?;
    for (name, kind) in &wanted {
        match desk.draft.seats.iter_mut().find(|(known, _)| known == name) {
            Some((_, seated)) => *seated = *kind,
            None => return Err("there is no such player".into()),
        }
    }
    desk.paused = false;
    desk.turn += 1;
    let game = desk.game.as_ref();
    Ok(game.and_then(|game| wanted.into_iter().find_map(|(_, kind)| untrained(game, kind))))
}
