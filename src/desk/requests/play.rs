//! Chooses moves and plays them.

use super::{Arguments, Refused};
use crate::desk::Desk;
use crate::engine::snapshot::Occupant;
use crate::notation::spell;
use crate::play::variations::read;
use crate::play::{Choices, Part, choices as next};
use crate::record::Record;
use crate::render::figure;
use serde_json::{Map, Value, json};

/// The most parts of a move.
const MAX_PARTS: usize = 200;

/// Reads the chosen parts of a move. A part that the game does not have is an error of the page, or
/// the rules have changed.
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

/// Lists the choices that follow the parts chosen so far.
pub fn choices(desk: &Desk, arguments: &Arguments) -> Result<Value, Refused> {
    if desk.run.is_none() {
        return Ok(json!({ "sites": [], "menus": [], "reset": true }));
    }
    let choices = chosen(desk, arguments)?;
    let rules = desk.rules().ok_or("the rules cannot be played yet")?;
    let sites = choices
        .sites
        .iter()
        .map(|(site, count)| json!({ "site": rules.board.label(*site), "count": count }));
    let mover = desk.run.as_ref().and_then(|run| run.state.turn().player());
    let menus = choices.menu.iter().map(|entry| {
        let picture = match entry.part {
            Part::Piece(piece) => {
                let owner = mover.filter(|_| rules.pieces[piece.index()].owned);
                Some(figure(rules, Occupant { piece, owner }))
            }
            _ => None,
        };
        json!({
            "label": entry.label, "value": entry.part.write(rules), "about": entry.about,
            "picture": picture,
        })
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

/// Plays a move given as text, in the prompt's notation.
pub fn play(desk: &mut Desk, arguments: &Arguments) -> Result<(), Refused> {
    let text = arguments.text("text")?;
    desk.listable()?;
    let (run, _) = desk.run()?;
    let ply = read(&run.state, text)?;
    Ok(desk.play(&ply, None)?)
}

/// Plays the move that consists of the chosen parts.
pub fn play_chosen(desk: &mut Desk, arguments: &Arguments) -> Result<(), Refused> {
    let choices = chosen(desk, arguments)?;
    let ply = choices.complete.filter(|_| !choices.is_reset);
    let ply = ply.ok_or("this is not a whole move yet")?;
    Ok(desk.play(&ply, None)?)
}

/// Plays the plies of a line from the start, and goes to one of its plies.
pub fn line(desk: &mut Desk, arguments: &Arguments) -> Result<(), Refused> {
    let plies = arguments.texts("plies")?;
    let at = if arguments.has("at") { arguments.number("at")? } else { plies.len() };
    desk.listable()?;
    Ok(desk.follow(&plies, at.min(plies.len()))?)
}

/// Reads the plies of a record and its options.
pub fn line_of(arguments: &Arguments) -> Result<Value, Refused> {
    let record = Record::parse(arguments.text("record")?);
    let record = record.map_err(|misread| Refused::from(misread.message))?;
    let options = record.options.into_iter().map(|(name, value)| (name, json!(value)));
    Ok(json!({
        "plies": record.plies.iter().map(|ply| ply.text.as_str()).collect::<Vec<&str>>(),
        "options": options.collect::<Map<String, Value>>(),
    }))
}
