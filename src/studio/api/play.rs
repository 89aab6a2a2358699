//! Plays at a desk.

use super::{Arguments, Refused};
use crate::studio::desk::Desk;
use crate::studio::desk::variations::read;
use crate::studio::{DeskCell, Studio, lock, thinking};
use ludwright::notation::spell;
use ludwright::play::{Choices, Part, choices as next};
use serde_json::{Value, json};
use std::sync::Arc;

/// The most parts of a move.
const MAX_PARTS: usize = 200;

/// Reads the parts that were chosen; those that the game does not have are an error of the page,
/// or the rules have changed.
fn parts(desk: &Desk, arguments: &Arguments) -> Result<Option<Vec<Part>>, Refused> {
    let texts = arguments.texts("chosen")?;
    if texts.len() > MAX_PARTS {
        return Err("too many parts of a move".into());
    }
    let rules = desk.rules().ok_or("the rules cannot be played yet")?;
    Ok(texts.iter().map(|text| Part::parse(rules, text)).collect())
}

fn chosen(desk: &Desk, arguments: &Arguments) -> Result<Choices, Refused> {
    let parts = parts(desk, arguments)?;
    let run = desk.run.as_ref().ok_or("the rules cannot be played yet")?;
    desk.listable()?;
    Ok(match parts {
        Some(parts) => next(&run.state, &parts),
        None => Choices { is_reset: true, ..next(&run.state, &[]) },
    })
}

/// Lists what can be chosen after the parts chosen so far.
pub fn choices(cell: &DeskCell, arguments: &Arguments) -> Result<Value, Refused> {
    let desk = lock(&cell.desk);
    if desk.run.is_none() {
        return Ok(json!({ "sites": [], "menus": [], "reset": true }));
    }
    let choices = chosen(&desk, arguments)?;
    let rules = desk.rules().ok_or("the rules cannot be played yet")?;
    let sites = choices
        .sites
        .iter()
        .map(|(site, count)| json!({ "site": rules.board.label(*site), "count": count }));
    let menus = choices.menu.iter().map(|entry| {
        json!({ "label": entry.label, "value": entry.part.write(rules), "about": entry.about })
    });
    let complete = choices.complete.as_ref().map(|ply| json!({ "text": spell(rules, ply) }));
    let mut answer = json!({
        "sites": sites.collect::<Vec<Value>>(),
        "menus": menus.collect::<Vec<Value>>(),
        "reset": choices.is_reset,
    });
    if let Some(complete) = complete {
        answer["complete"] = complete;
    }
    Ok(answer)
}

/// Plays a move that is written as at the prompt.
pub fn play(
    studio: &Arc<Studio>,
    cell: &Arc<DeskCell>,
    arguments: &Arguments,
) -> Result<Value, Refused> {
    let text = arguments.text("text")?;
    change(studio, cell, |desk| {
        desk.listable()?;
        let (run, _) = desk.run()?;
        let ply = read(&run.state, text)?;
        desk.play(&ply, None)
    })
}

/// Plays the move of the parts chosen.
pub fn play_chosen(
    studio: &Arc<Studio>,
    cell: &Arc<DeskCell>,
    arguments: &Arguments,
) -> Result<Value, Refused> {
    change(studio, cell, |desk| {
        let choices = chosen(desk, arguments).map_err(|refused| refused.message)?;
        let ply = choices.complete.filter(|_| !choices.is_reset);
        let ply = ply.ok_or("this is not a whole move yet")?;
        desk.play(&ply, None)
    })
}

/// Changes the game of a desk, keeps it, describes it, and lets programs play.
pub fn change(
    studio: &Arc<Studio>,
    cell: &Arc<DeskCell>,
    change: impl FnOnce(&mut Desk) -> Result<(), String>,
) -> Result<Value, Refused> {
    let mut desk = lock(&cell.desk);
    desk.settle();
    change(&mut desk)?;
    studio.keep(&cell.id, &mut desk);
    drop(desk);
    thinking::interrupt(cell);
    thinking::wake(studio, cell);
    let game = lock(&cell.desk).describe_game();
    Ok(json!({ "game": game }))
}
