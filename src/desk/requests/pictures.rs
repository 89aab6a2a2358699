//! Pictures of the game at hand, for the page to make files of.

use super::Refused;
use crate::desk::Desk;
use crate::language::sources::Sources;
use crate::record::Record;
use crate::render::{Scene, svg, svg_among};
use serde_json::{Value, json};

/// The most positions of a moving picture.
const MAX_FRAMES: usize = 300;

/// Draws the positions from the start of the game to the one at hand.
pub fn frames(desk: &mut Desk) -> Result<Value, Refused> {
    desk.settle();
    let run = desk.run.as_ref().ok_or("the rules cannot be played yet")?;
    let game = run.state.game();
    let record = Record::of(&run.state, desk.draft.variations.seed);
    let stopped = |message: String| Refused::from(message);
    let mut state = record.begin(game).map_err(|error| stopped(error.to_string()))?;
    let count = record.plies.len();
    // Of a long game, the last positions.
    let first = count.saturating_sub(MAX_FRAMES - 1);
    let mut frames = Vec::new();
    for ply in 0..=count {
        if ply >= first {
            frames.push(svg(&Scene::of(&state)));
        }
        if ply < count {
            record.play(ply, &mut state).map_err(|error| stopped(error.to_string()))?;
        }
    }
    Ok(json!({ "frames": frames, "title": game.rules().title }))
}

/// Draws the first position of a game; `None` if its rules have errors. `name` tells its parts from
/// those of other pictures in the page.
pub fn first_position(sources: &Sources, name: &str) -> Option<String> {
    let game = crate::load::load(sources, &[]).ok()?;
    let start = game.begin().ok()?;
    Some(svg_among(&Scene::of(&start), name))
}
