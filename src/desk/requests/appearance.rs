//! The look of the game: details that can be changed by clicking, and the resulting edits of the
//! text.

use super::{Arguments, Refused};
use crate::desk::offsets::Offsets;
use crate::editor::CheckedSources;
use crate::editor::look::{Detail, set};
use crate::engine::snapshot::Occupant;
use crate::language::look::{COLORS, Grid, Shape};
use crate::language::rules::{PieceId, PlayerId};
use crate::render::palette::Palette;
use serde_json::{Value, json};

/// Describes the look of the game and its choices; empty while the rules have errors.
pub fn looks(study: &CheckedSources) -> Value {
    let Some(rules) = &study.checked.rules else { return json!({}) };
    let palette = Palette::of(rules);
    let players = rules.players.iter().enumerate().map(|(index, player)| {
        let color = palette.player(PlayerId(index as u16)).to_string();
        json!({ "name": player.name, "color": color })
    });
    let pieces = rules.pieces.iter().enumerate().map(|(index, kind)| {
        let owner = kind.owned.then_some(PlayerId(0));
        let occupant = Occupant { piece: PieceId(index as u16), owner };
        let shape = palette.figure(occupant).shape;
        let shape = Shape::WORDS.iter().find(|word| Shape::from_word(word) == shape);
        let color = (!kind.owned).then(|| palette.piece(occupant).to_string());
        json!({ "name": kind.name, "shape": shape, "color": color })
    });
    let grid = Grid::WORDS.iter().find(|word| Grid::from_word(word) == Some(palette.grid()));
    let colors = COLORS.iter().map(|(name, color)| json!([name, color.to_string()]));
    let of_pieces = |word: &&&str| Shape::from_word(word).is_some_and(Shape::is_of_pieces);
    json!({
        "board": palette.board().to_string(),
        "grid": grid,
        "players": players.collect::<Vec<Value>>(),
        "pieces": pieces.collect::<Vec<Value>>(),
        "colors": colors.collect::<Vec<Value>>(),
        "grids": Grid::WORDS,
        "shapes": Shape::WORDS.iter().filter(of_pieces).collect::<Vec<_>>(),
    })
}

/// Returns the edits that give a detail of the look a value, or no edit for the default.
pub fn set_look(arguments: &Arguments) -> Result<Value, Refused> {
    let text = arguments.rules()?;
    let detail = Detail {
        head: arguments.text("detail")?,
        of: arguments.maybe_text("of"),
        value: arguments.maybe_text("value"),
    };
    let edit = set(&text, detail).ok_or("the look cannot be changed here; write it by hand")?;
    let offsets = Offsets::new(&text);
    let change = edit.map(|edit| json!({ "at": offsets.range(edit.span), "text": edit.text }));
    Ok(json!({ "changes": change.into_iter().collect::<Vec<Value>>() }))
}
