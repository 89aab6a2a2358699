//! Draws pieces, highlights, marks and tokens on a canvas.

use super::canvas::{Canvas, width};
use super::plan::{Plan, Size};
use super::styles::{FAINT, LAST, TARGET, of, on};
use crate::board::{Direction, Site, Sort};
use crate::engine::snapshot::Occupant;
use crate::language::rules::{MemoryId, PlayerId, Rules};
use crate::render::scene::Scene;
use anstyle::Style;

/// The signs of marks, by memory.
const MARKS: [&str; 6] = ["*", "'", "°", "^", "~", "\""];

/// Returns the sign of a memory's marks.
pub fn mark_sign(memory: MemoryId) -> &'static str {
    MARKS[memory.index() % MARKS.len()]
}

/// Returns the sign of a player's tokens: the lower-case initial, or the player's number if
/// initials clash.
pub fn token_sign(rules: &Rules, owner: Option<PlayerId>) -> String {
    let Some(owner) = owner else { return "•".to_owned() };
    let initial = |index: usize| {
        rules.players[index]
            .name
            .chars()
            .next()
            .map(|first| first.to_lowercase().to_string())
            .unwrap_or_default()
    };
    let own = initial(owner.index());
    let alone = (0..rules.players.len()).filter(|&index| initial(index) == own).count() == 1;
    if alone && width(&own) == 1 { own } else { (owner.index() + 1).to_string() }
}

/// Draws the contents of every site.
pub fn draw_pieces(canvas: &mut Canvas, plan: &Plan, scene: &Scene) {
    for site in plan.board.sites() {
        draw_site(canvas, plan, scene, site);
    }
    if plan.size == Size::Compact {
        return;
    }
    for (site, text, style) in beside(scene) {
        let (line, middle) = plan.center(site);
        let mut column = middle - plan.symbol / 2 + plan.symbol + 1;
        while !canvas.is_blank(line, column) && column <= middle + plan.inner.0 / 2 && !plan.points
        {
            column += 1;
        }
        canvas.put(line, column, style, &text);
    }
    if plan.tokens {
        pointers(canvas, plan, scene);
    }
}

/// Lists the marks and numbers of sites.
fn beside(scene: &Scene) -> Vec<(Site, String, Style)> {
    let marks = scene.marks().into_iter().map(|mark| {
        (mark.site, mark_sign(mark.memory).to_owned(), of(scene.color_of(mark.owner, mark.memory)))
    });
    let numbers = scene.numbers().into_iter().filter(|(.., memory)| !scene.is_seeds(*memory));
    let numbers = numbers.map(|(site, number, _)| (site, number.to_string(), Style::new()));
    marks.chain(numbers).collect()
}

fn draw_site(canvas: &mut Canvas, plan: &Plan, scene: &Scene, site: Site) {
    let (line, middle) = plan.center(site);
    let start = middle - plan.symbol / 2;
    let occupant = scene.occupant(site);
    let seeds = scene.seeds_of(site).filter(|_| occupant.is_none());
    let (style, text) = match occupant {
        _ if scene.is_cut(site) => (FAINT, "#".to_owned()),
        Some(occupant) => {
            (on(scene.palette.piece(occupant)), symbol(scene.rules, occupant).to_owned())
        }
        None if scene.targets.contains(&site) && seeds.is_none() => (TARGET, "+".to_owned()),
        None => match seeds {
            Some(number) => (Style::new(), number.to_string()),
            None if plan.size == Size::Full => (FAINT, String::new()),
            None => (FAINT, "·".to_owned()),
        },
    };
    let brackets = match scene.last.contains(&site) {
        _ if scene.chosen == Some(site) => Some((TARGET, "{", "}")),
        true => Some((LAST, "[", "]")),
        false if scene.targets.contains(&site) && (occupant.is_some() || seeds.is_some()) => {
            Some((TARGET, ">", "<"))
        }
        false => None,
    };
    if scene.is_cut(site) && plan.is_bordered() {
        let (across, down) = plan.inner;
        let fill = "#".repeat(across);
        (0..down)
            .for_each(|row| canvas.put(line - down / 2 + row, middle - across / 2, FAINT, &fill));
        if scene.last.contains(&site) {
            canvas.put(line, middle - across / 2, LAST, "[");
            canvas.put(line, middle + across / 2, LAST, "]");
        }
        return;
    }
    if let Some(occupant) = occupant.filter(|_| plan.size == Size::Full)
        && plan.board.sort(site) != Sort::Cell
    {
        let half = plan.half_width(site);
        let bar = match (plan.board.sort(site), half) {
            (Sort::Post, _) => "■",
            (_, 0) => "┃",
            _ => "━",
        };
        let style = of(scene.palette.piece(occupant));
        (middle - half..=middle + half).for_each(|column| canvas.put(line, column, style, bar));
        if occupant.owner.is_some() {
            canvas.put(line, start, style, &text);
        }
        if scene.last.contains(&site) && half > 0 {
            canvas.put(line, middle - half, LAST, "[");
            canvas.put(line, middle + half, LAST, "]");
        }
        return;
    }
    // All pieces have the width of the widest symbol; in a cell, one column is added on each side.
    let chip = format!(
        "{text:^wide$}",
        wide = plan.symbol + text.chars().count() - width(&text).min(plan.symbol)
    );
    match occupant {
        Some(_) if plan.size == Size::Full => {
            canvas.put(line, start - 1, style, &format!(" {chip} "))
        }
        Some(_) => canvas.put(line, start, style, &chip),
        None if !text.is_empty() => {
            canvas.put(line, middle - (width(&text) - 1) / 2, style, &text);
        }
        None => {}
    }
    if let Some((bracket, before, after)) = brackets {
        let style = if occupant.is_some() && plan.size == Size::Full { style } else { bracket };
        canvas.put(line, start - 1, style, before);
        canvas.put(line, start + plan.symbol, style, after);
    }
}

fn symbol(rules: &Rules, occupant: Occupant) -> &str {
    let symbols = &rules.pieces[occupant.piece.index()].symbols;
    symbols
        .get(occupant.owner.map_or(0, PlayerId::index))
        .or(symbols.first())
        .map_or("?", String::as_str)
}

/// Draws the tokens around their sites, and the empty slots of pieces.
fn pointers(canvas: &mut Canvas, plan: &Plan, scene: &Scene) {
    let (across, down) = (plan.inner.0 / 2, plan.inner.1 / 2);
    let at = |site: Site, direction: Direction| {
        let (line, middle) = plan.center(site);
        // On boards with six neighbours, two slots are above and two below, between west and east.
        let side = if plan.six && !matches!(direction, Direction::E | Direction::W) {
            across / 2
        } else {
            across
        };
        let column = match direction {
            Direction::N | Direction::S => middle,
            Direction::NE | Direction::E | Direction::SE => middle + side,
            Direction::NW | Direction::W | Direction::SW => middle - side,
            Direction::Along(_) | Direction::Against(_) => middle,
        };
        let row = match direction {
            Direction::E | Direction::W => line,
            Direction::NW | Direction::N | Direction::NE => line - down,
            Direction::SW | Direction::S | Direction::SE => line + down,
            Direction::Along(_) | Direction::Against(_) => line,
        };
        (row, column)
    };
    for site in plan.board.sites().filter(|&site| scene.occupant(site).is_some()) {
        for &direction in &scene.places() {
            let (row, column) = at(site, direction);
            canvas.put(row, column, FAINT, "·");
        }
    }
    let tokens = scene.tokens();
    for (index, token) in tokens.iter().enumerate() {
        let (row, column) = at(token.site, token.direction);
        let shared = index > 0
            && (tokens[index - 1].site, tokens[index - 1].direction)
                == (token.site, token.direction);
        let sign = if shared { "&".to_owned() } else { token_sign(scene.rules, token.owner) };
        let style = on(scene.color_of(token.owner, token.memory));
        let style = if scene.is_last(*token) { style.underline() } else { style };
        canvas.put(row, column, style, &sign);
    }
}
