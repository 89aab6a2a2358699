//! Draws the empty board: frame, cells or lines, labels and wrapped edges.

use super::figures::{DARK, FONTS, LIGHT};
use super::plane::{Arc, Plane, Point};
use super::writer::{Writer, attributes, closed, short};
use crate::board::Site;
use crate::language::look::{Color, Grid};
use crate::render::scene::Scene;

/// The page colour, also visible through holes.
pub const PAGE: Color = Color::rgb(0xfbf9f4);
pub const INK: Color = Color::rgb(0x4a443b);
pub const LAST: Color = Color::rgb(0xf0a92e);
pub const TARGET: Color = Color::rgb(0x1f8a70);
/// Minimum font sizes of labels: in a picture at its own size, and in a page, which enlarges small
/// boards. [`LARGEST_LABEL`] is the maximum, because large boards are shown smaller.
const LABEL: f64 = 13.0;
const LABEL_OF_PAGE: f64 = 7.0;
const LARGEST_LABEL: f64 = 21.0;

/// Returns the width of the frame around the cells.
pub fn frame(plane: &Plane) -> f64 {
    if plane.board.is_wrapped() { 14.0 } else { 6.0 }
}

/// Returns the font size of labels.
pub fn label_size(plane: &Plane) -> f64 {
    let least = if plane.is_of_page { LABEL_OF_PAGE } else { LABEL };
    (plane.extent() * 0.03).clamp(least, LARGEST_LABEL)
}

/// Returns the distance from the centre of the last cell of a row or column to its label.
pub fn label_distance(plane: &Plane) -> f64 {
    plane.inner_radius() + plane.margin() + frame(plane) + label_size(plane) * 0.85
}

/// Defines the gradient of light on the board, for [`ground`].
pub fn define_light(writer: &mut Writer, id: &str) {
    writer.open(
        "linearGradient",
        attributes! { "id": id, "x1": "0", "y1": "0", "x2": "0.7", "y2": "1" },
    );
    for (offset, color, opacity) in
        [("0", LIGHT, "0.2"), ("0.5", LIGHT, "0"), ("0.5", DARK, "0"), ("1", DARK, "0.13")]
    {
        let stop = attributes! { "offset": offset, "stop-color": color, "stop-opacity": opacity };
        writer.element("stop", stop);
    }
    writer.close("linearGradient");
}

/// Draws the empty board. The gradient `light` of [`define_light`] lights it. Its outline is
/// written once, with an id that begins with `name`.
pub fn ground(writer: &mut Writer, plane: &Plane, scene: &Scene, name: &str) {
    writer.open("g", attributes! { "class": "ground" });
    let color = scene.palette.board();
    let points = scene.palette.grid() == Grid::Points && !plane.board.has_borders();
    let rim = if points { color } else { color.towards(Color::rgb(0x6b4a25), 55) };
    let all: String = plane.places().into_iter().map(|at| closed(&plane.cell(at, 0.0))).collect();
    let id = format!("{name}outline");
    writer.open("defs", &[]);
    writer.element("path", attributes! { "id": &*id, "d": &*all });
    writer.close("defs");
    let outline = format!("#{id}");
    let width = 2.0 * frame(plane);
    let border = rim.towards(DARK, 35);
    let shadow = attributes! { "href": &*outline, "transform": "translate(0 3)", "fill": "none", "stroke": DARK, "stroke-opacity": "0.22", "stroke-width": width + 2.0, "stroke-linejoin": "round" };
    writer.element("use", shadow);
    let mut layers = vec![(border, width + 2.0), (rim, width)];
    if !points {
        // The cells lie lower than the frame, whose inner edge is therefore dark.
        layers.push((border, 3.0));
    }
    for (color, width) in layers {
        let style = attributes! { "href": &*outline, "fill": color, "stroke": color, "stroke-width": width, "stroke-linejoin": "round" };
        writer.element("use", style);
    }
    if !points {
        cells(writer, plane, scene, color, &outline);
    }
    let light = format!("url(#{name}light)");
    writer.element("use", attributes! { "href": &*outline, "fill": &*light });
    if plane.board.has_borders() {
        posts(writer, plane, color.towards(DARK, 45));
    } else if points {
        lines(writer, plane, scene, color.towards(DARK, 55));
    } else if scene.rules.look.draws_lines() {
        let path = listed(plane, scene);
        writer.element("path", &attributes_of(&path, color.towards(DARK, 55)));
    }
    edges(writer, plane, scene, color, points);
    writer.close("g");
}

/// Draws the labels of rows and columns.
pub fn labels(writer: &mut Writer, plane: &Plane) {
    let size = label_size(plane);
    let style = attributes! { "class": "labels", "font-family": FONTS, "font-size": size, "text-anchor": "middle", "fill": INK };
    writer.open("g", style);
    for (label, at) in plane.labels(label_distance(plane)) {
        writer.text("text", attributes! { "x": at.x, "y": at.y + size * 0.36 }, &label);
    }
    writer.close("g");
}

fn cells(writer: &mut Writer, plane: &Plane, scene: &Scene, color: Color, outline: &str) {
    let tones = match scene.palette.grid() {
        Grid::Checkered if plane.board.all().len() == 6 => {
            vec![color.towards(DARK, 22), color.towards(DARK, 10), color]
        }
        Grid::Checkered => vec![color.towards(Color::rgb(0x8a5a2b), 48), color],
        _ => vec![color],
    };
    let line = color.towards(Color::rgb(0x6b4a25), 50);
    for (tone, &fill) in tones.iter().enumerate() {
        if tones.len() == 1 && scene.snapshot.cut.is_empty() {
            let style =
                attributes! { "href": outline, "fill": fill, "stroke": line, "stroke-width": 1.0 };
            writer.element("use", style);
            continue;
        }
        let own =
            |site: &Site| !scene.is_cut(*site) && (tones.len() == 1 || plane.tone(*site) == tone);
        let path: String = plane
            .board
            .cells()
            .filter(own)
            .map(|site| closed(&plane.cell(plane.center(site), 0.0)))
            .collect();
        if !path.is_empty() {
            writer.element(
                "path",
                attributes! { "d": &*path, "fill": fill, "stroke": line, "stroke-width": 1.0 },
            );
        }
    }
    let cut: String =
        scene.snapshot.cut.iter().map(|&site| closed(&plane.area(site, 1.5))).collect();
    if !cut.is_empty() {
        let rim = color.towards(Color::rgb(0x6b4a25), 75);
        writer.element("path", attributes! { "class": "hole", "d": &*cut, "fill": PAGE, "stroke": rim, "stroke-width": 3.0, "stroke-linejoin": "round" });
    }
}

/// Draws a dot at each corner of a cell.
fn posts(writer: &mut Writer, plane: &Plane, color: Color) {
    let mut drawn: Vec<(usize, usize)> = Vec::new();
    for (column, row) in plane.board.cells().map(|site| plane.board.place(site)) {
        // Cells are at odd columns and rows; their corners are at the even ones around.
        for place in [(0, 0), (2, 0), (0, 2), (2, 2)].map(|(x, y)| (column - 1 + x, row - 1 + y)) {
            if !drawn.contains(&place) {
                drawn.push(place);
                let at = plane.at(place.0 as f64, place.1 as f64);
                let style =
                    attributes! { "cx": at.x, "cy": at.y, "r": plane.unit * 0.06, "fill": color };
                writer.element("circle", style);
            }
        }
    }
}

/// Returns the lines and curves that the look lists, except those to cut sites.
fn listed(plane: &Plane, scene: &Scene) -> String {
    let look = &scene.rules.look;
    let is_drawn = |from, to| !scene.is_cut(from) && !scene.is_cut(to);
    let mut path = String::new();
    for &(from, to) in look.lines.iter().filter(|(from, to)| is_drawn(*from, *to)) {
        path.push_str(&stroke(plane.center(from), plane.center(to)));
    }
    for curve in look.curves.iter().filter(|curve| is_drawn(curve.from, curve.to)) {
        let (from, to) = (plane.center(curve.from), plane.center(curve.to));
        path.push_str(
            &plane.arc(curve).map_or_else(|| stroke(from, to), |arc| bend(from, to, arc)),
        );
    }
    path
}

fn bend(from: Point, to: Point, arc: Arc) -> String {
    let (large, clockwise) = (u8::from(arc.is_large), u8::from(arc.is_clockwise));
    let (radius, [x, y]) = (short(arc.radius), [to.x, to.y].map(short));
    let start = [from.x, from.y].map(short);
    format!("M{} {}A{radius} {radius} 0 {large} {clockwise} {x} {y}", start[0], start[1])
}

fn stroke(from: Point, to: Point) -> String {
    format!("M{} {}L{} {}", short(from.x), short(from.y), short(to.x), short(to.y))
}

/// Draws the lines of a board that is played on points, except those to cut sites.
fn lines(writer: &mut Writer, plane: &Plane, scene: &Scene, color: Color) {
    let board = plane.board;
    let mut path = listed(plane, scene);
    let has_own = scene.rules.look.draws_lines();
    let mut wrapped_stubs = String::new();
    for site in board.sites().filter(|&site| !has_own && !scene.is_cut(site)) {
        let from = plane.center(site);
        let ways = board.straight();
        for direction in ways.filter(|way| board.has_lines() || board.orthogonal().contains(way)) {
            let Some(next) = board.step(site, direction).filter(|&next| !scene.is_cut(next)) else {
                continue;
            };
            let to = plane.center(next);
            let end = from.away(plane.unit * 0.62, plane.angle(direction));
            match board.crosses_edge(site, direction) {
                // Across a wrapped edge, only a stub is drawn on each side.
                true => wrapped_stubs.push_str(&stroke(from, end)),
                false if next > site => path.push_str(&stroke(from, to)),
                false => {}
            }
        }
    }
    let style = |path| attributes_of(path, color);
    writer.element("path", &style(&path));
    // Crossings of declared lines without a site have no dot.
    let has_dots = board.has_lines() || has_own;
    for site in board.sites().filter(|&site| has_dots && !scene.is_cut(site)) {
        let at = plane.center(site);
        writer.element("circle", attributes! { "cx": at.x, "cy": at.y, "r": 3.4, "fill": color });
    }
    if !wrapped_stubs.is_empty() {
        let dashed = attributes! { "d": &*wrapped_stubs, "fill": "none", "stroke": color, "stroke-width": 1.6, "stroke-dasharray": "3 3" };
        writer.element("path", dashed);
    }
    for &site in &scene.snapshot.cut {
        let at = plane.center(site);
        let arm = 5.0;
        let cross = [(45.0, 225.0), (135.0, 315.0)].map(|(one, other)| {
            let (from, to) = (at.away(arm, one), at.away(arm, other));
            stroke(from, to)
        });
        writer.element("path", &attributes_of(&cross.concat(), color));
    }
}

fn attributes_of(path: &str, color: Color) -> [(&'static str, super::writer::Value<'_>); 5] {
    [
        ("d", path.into()),
        ("fill", "none".into()),
        ("stroke", color.into()),
        ("stroke-width", 1.6.into()),
        ("stroke-linecap", "round".into()),
    ]
}

/// Draws arrowheads on the frame at wrapped edges.
fn edges(writer: &mut Writer, plane: &Plane, scene: &Scene, color: Color, points: bool) {
    let board = plane.board;
    if !board.is_wrapped() || points {
        return;
    }
    let mut path = String::new();
    for site in board.sites().filter(|&site| !scene.is_cut(site)) {
        for &direction in board.orthogonal() {
            if !board.crosses_edge(site, direction) {
                continue;
            }
            let angle = plane.angle(direction);
            let foot = plane.center(site).away(plane.inner_radius() + 4.0, angle);
            path.push_str(&closed(&[
                foot.away(5.0, angle - 90.0),
                foot.away(6.0, angle),
                foot.away(5.0, angle + 90.0),
            ]));
        }
    }
    writer.element("path", attributes! { "d": &*path, "fill": color });
}
