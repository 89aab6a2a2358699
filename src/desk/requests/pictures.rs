//! Pictures of the current game, which the page saves as files.

use super::Refused;
use super::share::stem;
use crate::desk::Desk;
use crate::engine::game::{Game, State};
use crate::language::sources::Sources;
use crate::random::Random;
use crate::render::{Scene, svg, touch_svg};
use serde_json::{Value, json};

/// The most positions of a moving picture.
const MAX_FRAMES: usize = 300;

/// Draws the positions from the start of the game to the current one.
pub fn frames(desk: &mut Desk) -> Result<Value, Refused> {
    desk.settle();
    let run = desk.run.as_ref().ok_or("the rules cannot be played yet")?;
    let mut state = run.state.clone();
    let mut frames = vec![svg(&Scene::of(&state))];
    // Of a long game, only the last positions are drawn.
    while frames.len() < MAX_FRAMES && state.undo() {
        frames.push(svg(&Scene::of(&state)));
    }
    frames.reverse();
    Ok(json!({ "frames": frames, "name": stem(desk) }))
}

/// Draws rules as a small picture; `None` if they have errors. `name` keeps the ids in the picture
/// distinct from other pictures in the page.
pub fn picture(sources: &Sources, name: &str) -> Option<String> {
    thumbnail(&crate::load::load(sources, &[]).ok()?, name)
}

/// Draws the board alone, with a position from the middle of a game.
pub fn thumbnail(game: &Game, name: &str) -> Option<String> {
    Some(touch_svg(&Scene::of(&middle(game)?), name).svg)
}

/// Returns the first position of a game or, if that is empty, a position from the middle.
pub fn telling(game: &Game) -> Option<State> {
    let start = game.begin().ok()?;
    let is_empty = start.snapshot().pieces.iter().all(Option::is_none);
    if is_empty { middle(game) } else { Some(start) }
}

/// Plays as many random plies as show the character of the game; fewer if it would be over by then.
fn middle(game: &Game) -> Option<State> {
    let mut plies = (game.rules().board.sites().count() / 2).clamp(4, 30) as u32;
    loop {
        let mut state = game.begin().ok()?;
        state.play_out(&mut Random::new(3), plies);
        if plies == 0 || state.outcome().is_none() && state.fault().is_none() {
            return Some(state);
        }
        plies /= 2;
    }
}
