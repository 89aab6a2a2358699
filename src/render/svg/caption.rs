//! Lays out the text below the board: who is to move, the players with their hands and dice, and
//! the legend of the marks. Pages get the parts of the legend and lay them out themselves.

use super::figures::{FONTS, die, mark, piece};
use super::ground::{INK, LAST};
use super::plane::Point;
use super::writer::{Writer, attributes, short};
use crate::engine::snapshot::Occupant;
use crate::language::look::{Color, Figure, Shape};
use crate::language::rules::{MemoryId, PieceId, PlayerId};
use crate::render::scene::{Fact, Scene};

const SIZE: f64 = 15.0;
const LINE: f64 = 27.0;
const GAP: f64 = 22.0;
const SWATCH: f64 = 8.0;

/// An element of a line.
enum CaptionPart {
    Words(String),
    Piece(Figure, Color),
    Mark(Shape, Color),
    Die(String, Color),
}

/// Parts that are kept on one line, and whether they have a background.
struct Item {
    parts: Vec<CaptionPart>,
    set_off: bool,
    player: Option<PlayerId>,
}

/// An entry of the legend for a page: a player with the player's values, a kind of piece, a mark or
/// a value.
#[derive(Clone, Debug)]
pub struct LegendEntry {
    pub parts: Vec<LegendPart>,
    pub player: Option<PlayerId>,
}

/// Words or a small picture of an entry.
#[derive(Clone, Debug)]
pub enum LegendPart {
    Words(String),
    Picture(String),
}

/// Lists the entries that explain a picture of the scene.
pub fn legend(scene: &Scene) -> Vec<LegendEntry> {
    let part = |part: CaptionPart| match part {
        CaptionPart::Words(words) => LegendPart::Words(words),
        drawn => {
            let mut writer = Writer::default();
            let half = part_width(&drawn) / 2.0;
            let view = "-11 -11 22 22";
            let style = attributes! { "xmlns": "http://www.w3.org/2000/svg", "viewBox": view, "font-family": FONTS, "aria-hidden": "true" };
            writer.open("svg", style);
            draw(&mut writer, &drawn, Point::new(-half, 0.0));
            writer.close("svg");
            LegendPart::Picture(writer.finish())
        }
    };
    let entry = |item: Item| LegendEntry {
        parts: item.parts.into_iter().map(part).collect(),
        player: item.player,
    };
    players(scene).into_iter().chain(others(scene)).map(entry).collect()
}

impl Item {
    fn plain(parts: Vec<CaptionPart>) -> Item {
        Item { parts, set_off: false, player: None }
    }
}

/// Text broken into lines.
pub struct Caption {
    lines: Vec<Vec<Item>>,
    pub width: f64,
    pub height: f64,
}

impl Caption {
    /// Composes the caption of a position in lines of about the given width.
    pub fn of(scene: &Scene, width: f64) -> Caption {
        let situation = Item::plain(vec![CaptionPart::Words(scene.situation.clone())]);
        let mut lines = vec![vec![situation]];
        lines.extend(broken(players(scene), width));
        lines.extend(broken(others(scene), width));
        let width = lines.iter().map(|line| line_width(line)).fold(0.0, f64::max);
        let height = LINE * lines.len() as f64;
        Caption { lines, width, height }
    }

    /// Draws the lines downwards from the top left corner.
    pub fn draw(&self, writer: &mut Writer, left: Point) {
        writer.open("g", attributes! { "font-family": FONTS, "font-size": SIZE, "fill": INK });
        for (index, line) in self.lines.iter().enumerate() {
            let mut x = left.x;
            let y = left.y + LINE * (index as f64 + 0.5);
            for item in line {
                let width = item_width(item);
                if item.set_off {
                    let (x, y) = (x - 6.0, y - LINE / 2.0 + 2.0);
                    let style = attributes! { "x": x, "y": y, "width": width + 12.0, "height": LINE - 4.0, "rx": 7.0, "fill": LAST, "fill-opacity": "0.3" };
                    writer.element("rect", style);
                }
                for part in &item.parts {
                    draw(writer, part, Point::new(x, y));
                    x += part_width(part) + 7.0;
                }
                x += GAP - 7.0;
            }
        }
        writer.close("g");
    }
}

fn draw(writer: &mut Writer, part: &CaptionPart, at: Point) {
    let middle = Point::new(at.x + SWATCH, at.y);
    match part {
        CaptionPart::Words(words) => {
            writer.text("text", attributes! { "x": at.x, "y": at.y + SIZE * 0.36 }, words)
        }
        CaptionPart::Mark(shape, color) => mark(writer, *shape, *color, 5.0, middle),
        CaptionPart::Die(number, color) => {
            die(writer, number, *color, 9.0, Point::new(at.x + 9.0, at.y))
        }
        CaptionPart::Piece(figure, color) => {
            let place = format!("translate({} {})", short(middle.x), short(middle.y));
            writer.open("g", attributes! { "transform": &*place });
            piece(writer, figure, *color, SWATCH, None);
            writer.close("g");
        }
    }
}

/// Returns one item per player, with the player's values.
fn players(scene: &Scene) -> Vec<Item> {
    let facts = scene.facts();
    let tokens = scene.has_owned_tokens();
    let owned =
        scene.rules.pieces.iter().position(|piece| piece.owned).map(|index| PieceId(index as u16));
    let item = |player: PlayerId| {
        let mut parts = Vec::new();
        let color = scene.palette.player(player);
        match owned {
            Some(piece) if !tokens => parts.push(CaptionPart::Piece(
                scene.palette.figure(Occupant { piece, owner: Some(player) }),
                color,
            )),
            _ if tokens => parts.push(CaptionPart::Piece(
                Figure { shape: Some(Shape::Triangle), letters: None },
                color,
            )),
            _ => {}
        }
        let own: Vec<&Fact> = facts.iter().filter(|fact| fact.player == Some(player)).collect();
        let words: String = own
            .iter()
            .filter(|fact| !fact.die)
            .map(|fact| format!(" · {} {}", fact.name, fact.value))
            .collect();
        parts.push(CaptionPart::Words(format!(
            "{}{words}",
            scene.rules.players[player.index()].name
        )));
        parts.extend(
            own.iter()
                .filter(|fact| fact.die)
                .map(|fact| CaptionPart::Die(fact.value.clone(), color)),
        );
        Item { parts, set_off: scene.mover == Some(player), player: Some(player) }
    };
    (0..scene.rules.players.len()).map(|index| item(PlayerId(index as u16))).collect()
}

/// Returns the items for unowned pieces, marks, and values that belong to no player.
fn others(scene: &Scene) -> Vec<Item> {
    let rules = scene.rules;
    let item = |part: CaptionPart, words: &str| {
        Item::plain(vec![part, CaptionPart::Words(words.to_owned())])
    };
    let mut items = Vec::new();
    for (index, kind) in rules.pieces.iter().enumerate().filter(|(_, kind)| !kind.owned) {
        let occupant = Occupant { piece: PieceId(index as u16), owner: None };
        items.push(item(
            CaptionPart::Piece(scene.palette.figure(occupant), scene.palette.piece(occupant)),
            &kind.name,
        ));
    }
    let mut shown: Vec<MemoryId> = scene.marks().iter().map(|mark| mark.memory).collect();
    shown.extend(scene.links().map(|(link, _)| link.memory));
    for (index, memory) in rules.memories.iter().enumerate() {
        let id = MemoryId(index as u16);
        if shown.contains(&id) {
            // Marks of a per-player memory have the players' colours.
            let color = if memory.per_player { INK } else { scene.palette.mark(id) };
            items.push(item(CaptionPart::Mark(scene.palette.mark_shape(id), color), &memory.name));
        }
    }
    for fact in scene.facts().iter().filter(|fact| fact.player.is_none()) {
        let part = match fact.die {
            true => CaptionPart::Die(fact.value.clone(), Color::rgb(0xf7f3ea)),
            false => CaptionPart::Words(format!("{} {}", fact.name, fact.value)),
        };
        items.push(match part {
            CaptionPart::Words(_) => Item::plain(vec![part]),
            die => item(die, &fact.name),
        });
    }
    items
}

/// Breaks items into lines of at most the given width, with at least one item each.
fn broken(items: Vec<Item>, width: f64) -> Vec<Vec<Item>> {
    let mut lines: Vec<Vec<Item>> = Vec::new();
    for item in items {
        match lines.last_mut() {
            Some(line) if line_width(line) + GAP + item_width(&item) <= width => line.push(item),
            _ => lines.push(vec![item]),
        }
    }
    lines
}

fn line_width(line: &[Item]) -> f64 {
    line.iter().map(|item| item_width(item) + GAP).sum::<f64>() - GAP
}

fn item_width(item: &Item) -> f64 {
    item.parts.iter().map(|part| part_width(part) + 7.0).sum::<f64>() - 7.0
}

fn part_width(part: &CaptionPart) -> f64 {
    match part {
        CaptionPart::Words(words) => words.chars().map(width_of).sum::<f64>() * SIZE,
        CaptionPart::Piece(..) | CaptionPart::Mark(..) => 2.0 * SWATCH,
        CaptionPart::Die(..) => 18.0,
    }
}

/// Estimates the width of a character in units of the font size.
fn width_of(character: char) -> f64 {
    match character {
        'i' | 'j' | 'l' | '\'' => 0.28,
        ' ' | '.' | ',' | '·' | ':' | 'I' => 0.33,
        'f' | 't' | 'r' | '(' | ')' | '-' => 0.4,
        'm' | 'w' | 'M' | 'W' => 0.92,
        'A'..='Z' => 0.7,
        _ => 0.61,
    }
}
