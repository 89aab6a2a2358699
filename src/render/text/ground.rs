//! Draws the borders of cells or the lines between points, and the labels, on a canvas.

use super::canvas::Canvas;
use super::plan::{Plan, Size};
use super::styles::{FAINT, of};
use crate::board::{Direction, Sort};
use crate::render::scene::Scene;
use std::collections::BTreeMap;

/// Bits for the lines that leave a crossing: 1 north, 2 east, 4 south, 8 west.
type Arms = u8;
const CROSSINGS: [char; 16] =
    [' ', '╵', '╶', '└', '╷', '│', '┌', '├', '╴', '┘', '─', '┴', '┐', '┤', '┬', '┼'];

/// Draws the empty board.
pub fn ground(canvas: &mut Canvas, plan: &Plan, scene: &Scene) {
    match (plan.size, plan.points, plan.six) {
        (Size::Compact, ..) => {}
        _ if plan.board.has_borders() => posts(canvas, plan),
        (Size::Full, false, false) => boxes(canvas, plan),
        (Size::Full, false, true) => hexagons(canvas, plan),
        (Size::Full, true, _) => lines(canvas, plan, scene),
    }
    if plan.size == Size::Full {
        links(canvas, plan, scene);
    }
    labels(canvas, plan);
}

/// Draws the corners of cells whose borders are sites, and the borders that are no sites.
fn posts(canvas: &mut Canvas, plan: &Plan) {
    let has_sides = plan.board.of_sort(Sort::Side).next().is_some();
    for site in plan.board.cells() {
        let (line, middle) = plan.center(site);
        let (across, down) = plan.step;
        for row in [line - down, line + down] {
            if !has_sides {
                (middle - across..=middle + across)
                    .for_each(|column| canvas.put(row, column, FAINT, "─"));
            }
            for column in [middle - across, middle + across] {
                if !has_sides {
                    canvas.put(line, column, FAINT, "│");
                }
                canvas.put(row, column, FAINT, if has_sides { "·" } else { "┼" });
            }
        }
    }
}

/// Draws the borders of squares; wrapped edges are dotted.
fn boxes(canvas: &mut Canvas, plan: &Plan) {
    let mut crossings: BTreeMap<(usize, usize), Arms> = BTreeMap::new();
    let mut join = |row: usize, column: usize, arms: Arms| {
        *crossings.entry((row, column)).or_default() |= arms
    };
    let (across, down) = plan.inner;
    for site in plan.board.sites() {
        let (line, middle) = plan.center(site);
        let (top, bottom) = (line - down / 2 - 1, line + down / 2 + 1);
        let (left, right) = (middle - across / 2 - 1, middle + across - across / 2);
        for (row, arms, direction) in [(top, [4, 4], Direction::N), (bottom, [1, 1], Direction::S)]
        {
            join(row, left, arms[0] | 2);
            join(row, right, arms[1] | 8);
            let sign = if plan.board.crosses_edge(site, direction) { '┄' } else { '─' };
            (left + 1..right)
                .for_each(|column| canvas.put(row, column, FAINT, sign.encode_utf8(&mut [0; 4])));
        }
        for (column, direction) in [(left, Direction::W), (right, Direction::E)] {
            let sign = if plan.board.crosses_edge(site, direction) { '┆' } else { '│' };
            (top + 1..bottom)
                .for_each(|row| canvas.put(row, column, FAINT, sign.encode_utf8(&mut [0; 4])));
        }
    }
    for ((row, column), arms) in crossings {
        canvas.put(row, column, FAINT, CROSSINGS[usize::from(arms)].encode_utf8(&mut [0; 4]));
    }
}

/// Draws the borders of hexagons.
fn hexagons(canvas: &mut Canvas, plan: &Plan) {
    let half = plan.step.0 / 2;
    let rise = plan.inner.1 / 2;
    for site in plan.board.sites() {
        let (line, middle) = plan.center(site);
        for (column, direction) in [(middle - half, Direction::W), (middle + half, Direction::E)] {
            let sign = if plan.board.crosses_edge(site, direction) { "┆" } else { "│" };
            (line - rise..=line + rise).for_each(|row| canvas.put(row, column, FAINT, sign));
        }
        for away in 1..half {
            let (above, below) = (line - rise - (half - away), line + rise + (half - away));
            canvas.put(above, middle - away, FAINT, "/");
            canvas.put(above, middle + away, FAINT, "\\");
            canvas.put(below, middle - away, FAINT, "\\");
            canvas.put(below, middle + away, FAINT, "/");
        }
    }
}

/// Draws the lines between points, except those to cut sites.
fn lines(canvas: &mut Canvas, plan: &Plan, scene: &Scene) {
    if scene.rules.look.draws_lines() {
        return listed(canvas, plan, scene);
    }
    let half = plan.step.0 / 2;
    if plan.board.has_lines() {
        slants(canvas, plan, scene);
    }
    for site in plan.board.sites().filter(|&site| !scene.is_cut(site)) {
        let (line, middle) = plan.center(site);
        let mut arms: Arms = 0;
        for &direction in plan.board.orthogonal() {
            let Some(to) = plan.board.step(site, direction).filter(|&to| !scene.is_cut(to)) else {
                continue;
            };
            let over = plan.board.crosses_edge(site, direction);
            match (direction, plan.six) {
                (Direction::E, _) if !over => {
                    let end = plan.center(to).1;
                    (middle + 1..end).for_each(|column| canvas.put(line, column, FAINT, "─"));
                }
                (Direction::N, _) if !over => (plan.center(to).0 + 1..line)
                    .for_each(|row| canvas.put(row, middle, FAINT, "│")),
                (Direction::E, _) => canvas.put(line, middle + 1, FAINT, "╌"),
                (Direction::W, _) if over => canvas.put(line, middle - 1, FAINT, "╌"),
                (Direction::NE | Direction::NW, true) if !over => {
                    for up in 1..plan.step.1 {
                        let across = up * half / plan.step.1;
                        let (column, sign) = if direction == Direction::NE {
                            (middle + across, "/")
                        } else {
                            (middle - across, "\\")
                        };
                        canvas.put(line - up, column, FAINT, sign);
                    }
                }
                _ => {}
            }
            arms |= match direction {
                Direction::N => 1,
                Direction::E => 2,
                Direction::S => 4,
                Direction::W => 8,
                _ => 0,
            };
        }
        let sign = if plan.six { '·' } else { CROSSINGS[usize::from(arms)] };
        // A point in the middle of a straight line would be invisible.
        let is_straight = plan.board.has_lines() && matches!(arms, 0b0101 | 0b1010);
        let sign = if arms == 0 || is_straight { '·' } else { sign };
        canvas.put(line, middle, FAINT, sign.encode_utf8(&mut [0; 4]));
    }
}

/// Draws the lines of a board that do not cross the sides of its cells.
fn slants(canvas: &mut Canvas, plan: &Plan, scene: &Scene) {
    let mut signs: BTreeMap<(usize, usize), &str> = BTreeMap::new();
    for site in plan.board.sites().filter(|&site| !scene.is_cut(site)) {
        let from = plan.center(site);
        let is_first = |way: &Direction| {
            use Direction::{Along, N, NE, NW};
            matches!(way, N | NE | NW | Along(_)) && !plan.board.orthogonal().contains(way)
        };
        for direction in plan.board.straight().filter(is_first) {
            let Some(to) = plan.board.step(site, direction).filter(|&to| !scene.is_cut(to)) else {
                continue;
            };
            if plan.board.crosses_edge(site, direction) {
                continue;
            }
            slant(&mut signs, from, plan.center(to));
        }
    }
    for ((row, column), sign) in signs {
        canvas.put(row, column, FAINT, sign);
    }
}

/// Draws the lines from sites to their neighbours; a player's lines have his colour.
fn links(canvas: &mut Canvas, plan: &Plan, scene: &Scene) {
    for (link, end) in
        scene.links().filter(|(link, _)| !plan.board.crosses_edge(link.site, link.direction))
    {
        let style = of(scene.color_of(link.owner, link.memory));
        let (from, to) = (plan.center(link.site), plan.center(end));
        let mut signs = BTreeMap::new();
        match (from.0 == to.0, from.1 == to.1) {
            (true, _) => {
                let between = from.1.min(to.1) + 1..from.1.max(to.1);
                signs.extend(between.map(|column| ((from.0, column), "━")));
            }
            (_, true) => {
                let between = from.0.min(to.0) + 1..from.0.max(to.0);
                signs.extend(between.map(|line| ((line, from.1), "┃")));
            }
            _ => slant(&mut signs, from, to),
        }
        for ((line, column), sign) in signs {
            canvas.put(line, column, style, sign);
        }
    }
}

/// Draws a slanting line between two places.
fn slant(signs: &mut BTreeMap<(usize, usize), &str>, from: (usize, usize), to: (usize, usize)) {
    // A step of a listed line may point otherwise than the name of its direction.
    let (rises, leads_right) = (to.0 < from.0, to.1 > from.1);
    let sign = match to.1 == from.1 {
        true => "│",
        false if rises == leads_right => "/",
        false => "\\",
    };
    let (up, across) = (from.0.abs_diff(to.0), to.1.abs_diff(from.1));
    for row in 1..up {
        let by = (2 * row * across + up) / (2 * up);
        let column = if leads_right { from.1 + by } else { from.1 - by };
        let line = if rises { from.0 - row } else { from.0 + row };
        let crossing = |other: &mut &str| {
            if *other != sign {
                *other = "X"
            }
        };
        signs.entry((line, column)).and_modify(crossing).or_insert(sign);
    }
}

/// Draws the lines that the look lists, and the sites on them.
fn listed(canvas: &mut Canvas, plan: &Plan, scene: &Scene) {
    let mut signs: BTreeMap<(usize, usize), &str> = BTreeMap::new();
    let mut arms: BTreeMap<(usize, usize), Arms> = BTreeMap::new();
    let lines = scene.rules.look.lines.iter();
    for (from, to) in lines.filter(|(from, to)| !scene.is_cut(*from) && !scene.is_cut(*to)) {
        let (from, to) = (plan.center(*from), plan.center(*to));
        let ((top, left), (bottom, right)) =
            ((from.0.min(to.0), from.1.min(to.1)), (from.0.max(to.0), from.1.max(to.1)));
        if top == bottom {
            for column in left..right {
                *arms.entry((top, column)).or_default() |= 2;
                *arms.entry((top, column + 1)).or_default() |= 8;
            }
        } else if left == right {
            for line in top..bottom {
                *arms.entry((line, left)).or_default() |= 4;
                *arms.entry((line + 1, left)).or_default() |= 1;
            }
        } else {
            slant(&mut signs, from, to);
        }
    }
    for ((line, column), sign) in signs {
        canvas.put(line, column, FAINT, sign);
    }
    for (&(line, column), &arms) in &arms {
        let sign = CROSSINGS[usize::from(arms)];
        canvas.put(line, column, FAINT, sign.encode_utf8(&mut [0; 4]));
    }
    for site in plan.board.sites().filter(|&site| !scene.is_cut(site)) {
        let (line, column) = plan.center(site);
        // A point in the middle of a straight line would be invisible.
        if matches!(arms.get(&(line, column)), None | Some(0b0101 | 0b1010)) {
            canvas.put(line, column, FAINT, "·");
        }
    }
}

fn labels(canvas: &mut Canvas, plan: &Plan) {
    for (number, sites) in plan.board.rows_top_down() {
        if let Some(&first) = sites.first() {
            let (line, column) = plan.row_label(first, &number);
            canvas.put(line, column, FAINT, &number);
        }
    }
    let mut seen: Vec<usize> = Vec::new();
    for site in plan.board.sites() {
        let (column, _) = plan.board.place(site);
        if seen.contains(&column) {
            continue;
        }
        seen.push(column);
        let letters = plan.board.column_letters(site);
        let (line, at) = plan.column_label(site);
        // On a board with holes, the position may already be taken.
        if canvas.is_blank(line, at) {
            canvas.put(line, at, FAINT, &letters);
        }
    }
}
