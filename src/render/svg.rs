//! Renders a scene as SVG.

mod caption;
mod figures;
mod ground;
mod heat;
mod plane;
mod touch;
pub mod writer;

pub use caption::{LegendEntry, LegendPart};
pub use heat::heat;
pub use touch::{TouchPicture, TouchSite, touch_svg};

use super::scene::{Mark, Scene, Token};
use crate::board::{Site, Sort};
use crate::engine::snapshot::Occupant;
use crate::language::look::{Color, Grid};
use crate::language::rules::{PieceId, PlayerId, Rules};
use crate::render::palette::Palette;
use caption::Caption;
use figures::{DARK, FONTS, arrow, define_shine, mark, piece, seeds};
use ground::{LAST, PAGE, TARGET, define_light, frame, ground, label_distance, label_size, labels};
use plane::{Plane, Point};
use writer::{Writer, attributes, closed, short};

/// Space around the picture.
const MARGIN: f64 = 18.0;
/// Radii relative to the inner radius of a cell: of the plate below a piece, and of the ring around
/// a target's piece.
const PLATE: f64 = 0.95;
const RING: f64 = 0.86;
/// The side of a small picture of a piece.
const FIGURE: f64 = 40.0;
/// Minimum width of a picture.
const NARROWEST: f64 = 280.0;

/// Renders a scene.
pub fn svg(scene: &Scene) -> String {
    svg_among(scene, "")
}

/// Renders a scene for a page with several pictures. Ids are global in a page, so the ids of this
/// picture start with `name`.
pub fn svg_among(scene: &Scene, name: &str) -> String {
    picture(scene, name, None)
}

/// Draws the elements above the board.
type Overlay<'o> = &'o dyn Fn(&mut Writer, &Plane);

/// Renders a scene. With an overlay, the picture is a part of a page: it has no legend and no
/// ground below the board, which the page has, and no title, which would appear as a tooltip over
/// the picture.
fn picture(scene: &Scene, name: &str, overlay: Option<Overlay>) -> String {
    let tokens = scene.has_tokens();
    let mut plane = plane_of(scene);
    plane.is_of_page = overlay.is_some();
    let (least, most) = bounds(&plane);
    let board = Point::new(most.x - least.x, most.y - least.y);
    let caption = overlay.is_none().then(|| Caption::of(scene, board.x.max(NARROWEST)));
    let (margin, below) = match &caption {
        Some(caption) => (MARGIN, caption.height + 10.0),
        None => (2.0, 0.0),
    };
    let written = caption.as_ref().map_or(0.0, |caption| caption.width.max(NARROWEST));
    let width = board.x.max(written) + 2.0 * margin;
    let height = board.y + below + 2.0 * margin;
    // The board is centred; the caption is aligned left.
    let left = least.x - (width - board.x) / 2.0;
    let top = least.y - margin;

    let mut writer = Writer::default();
    let view = format!("{} {} {} {}", short(left), short(top), short(width), short(height));
    writer.open("svg", attributes! { "xmlns": "http://www.w3.org/2000/svg", "width": width, "height": height, "viewBox": &*view });
    if overlay.is_none() {
        writer.text("title", &[], &format!("{}: {}", scene.rules.title, scene.situation));
        let page = attributes! { "x": left, "y": top, "width": width, "height": height, "rx": 10.0, "fill": PAGE };
        writer.element("rect", page);
    }
    let occupants = figures_used(scene, overlay.is_some());
    define(&mut writer, scene, name, &occupants, piece_radius(&plane, tokens));
    ground(&mut writer, &plane, scene, name);
    labels(&mut writer, &plane);
    highlights(&mut writer, &plane, scene);
    links(&mut writer, &plane, scene);
    pieces(&mut writer, &plane, scene, name, &occupants);
    pointers(&mut writer, &plane, scene);
    marks(&mut writer, &plane, scene);
    shown_targets(&mut writer, &plane, scene);
    if let Some(caption) = caption {
        caption.draw(&mut writer, Point::new(left + margin, most.y + 10.0));
    }
    if let Some(overlay) = overlay {
        overlay(&mut writer, &plane);
    }
    writer.close("svg");
    writer.finish()
}

/// Lays out the board of a scene.
fn plane_of<'s>(scene: &'s Scene) -> Plane<'s> {
    let unit = if scene.has_tokens() { 76.0 } else { 46.0 };
    Plane::new(&scene.rules.board, unit).with_curves(&scene.rules.look.curves)
}

/// Lists the pieces of a game by name and owner, each with a small picture.
pub fn figures(rules: &Rules) -> Vec<(String, String)> {
    let palette = Palette::of(rules);
    let mut listed = Vec::new();
    for (index, kind) in rules.pieces.iter().enumerate() {
        let piece = PieceId(index as u16);
        let owners: Vec<Option<PlayerId>> = match kind.owned {
            true => (0..rules.players.len()).map(|player| Some(PlayerId(player as u16))).collect(),
            false => vec![None],
        };
        for owner in owners {
            let name = match owner {
                Some(player) => format!("{} of {}", kind.name, rules.players[player.index()].name),
                None => kind.name.clone(),
            };
            listed.push((name, drawn(&palette, Occupant { piece, owner })));
        }
    }
    listed
}

/// Draws a piece alone, as small as a word.
pub fn figure(rules: &Rules, occupant: Occupant) -> String {
    drawn(&Palette::of(rules), occupant)
}

fn drawn(palette: &Palette, occupant: Occupant) -> String {
    let mut writer = Writer::default();
    let style = attributes! {
        "xmlns": "http://www.w3.org/2000/svg", "width": FIGURE, "height": FIGURE, "viewBox": "-20 -20 40 40", "font-family": FONTS, "aria-hidden": "true",
    };
    writer.open("svg", style);
    figures::piece(&mut writer, &palette.figure(occupant), palette.piece(occupant), 12.0, None);
    writer.close("svg");
    writer.finish()
}

fn piece_radius(plane: &Plane, tokens: bool) -> f64 {
    let room = if plane.board.has_borders() { 0.8 } else { 1.0 };
    plane.inner_radius() * room * if tokens { 0.4 } else { 0.74 }
}

/// Returns the top left and bottom right corners of the board with its labels.
fn bounds(plane: &Plane) -> (Point, Point) {
    let edge = frame(plane) + 1.0;
    let cells = plane.places().into_iter().flat_map(|at| plane.cell(at, -edge));
    let size = label_size(plane);
    let labels = plane.labels(label_distance(plane)).into_iter().flat_map(|(text, at)| {
        let (half, high) = (text.len() as f64 * size * 0.35, size * 0.54);
        [Point::new(at.x - half, at.y - high), Point::new(at.x + half, at.y + high)]
    });
    let far = f64::INFINITY;
    cells.chain(labels).fold(
        (Point::new(far, far), Point::new(-far, -far)),
        |(least, most), point| {
            (
                Point::new(least.x.min(point.x), least.y.min(point.y)),
                Point::new(most.x.max(point.x), most.y.max(point.y)),
            )
        },
    )
}

/// Lists the pieces on the board without repetition, including covered pieces if they are shown.
fn figures_used(scene: &Scene, with_covered: bool) -> Vec<Occupant> {
    let mut used: Vec<Occupant> = Vec::new();
    let piles = scene.piles().flat_map(|(_, pile)| pile).filter(|_| with_covered);
    let shown = scene.rules.board.sites().filter_map(|site| scene.occupant(site));
    for occupant in shown.chain(piles) {
        if !used.contains(&occupant) {
            used.push(occupant);
        }
    }
    used.sort_by_key(|occupant| (occupant.piece, occupant.owner));
    used
}

fn define(writer: &mut Writer, scene: &Scene, name: &str, occupants: &[Occupant], radius: f64) {
    writer.open("defs", &[]);
    define_light(writer, &format!("{name}light"));
    let shine = format!("{name}shine");
    if !occupants.is_empty() {
        define_shine(writer, &shine);
    }
    for (index, &occupant) in occupants.iter().enumerate() {
        let id = format!("{name}piece{index}");
        writer.open("g", attributes! { "id": &*id, "font-family": FONTS });
        let (figure, color) = (scene.palette.figure(occupant), scene.palette.piece(occupant));
        piece(writer, &figure, color, radius, Some(&shine));
        writer.close("g");
    }
    writer.close("defs");
}

/// Highlights the sites of the last move and the chosen site.
fn highlights(writer: &mut Writer, plane: &Plane, scene: &Scene) {
    let points = scene.palette.grid() == Grid::Points;
    for (index, &site) in scene.last.iter().enumerate() {
        let strength = if index + 1 == scene.last.len() { "0.65" } else { "0.35" };
        let at = plane.center(site);
        match points {
            true => {
                let radius = plane.inner_radius() * 0.94;
                writer.element("circle", attributes! { "cx": at.x, "cy": at.y, "r": radius, "fill": LAST, "fill-opacity": strength });
            }
            // Only the rim of a hole is coloured.
            false if scene.is_cut(site) => {
                let path = closed(&plane.area(site, 2.5));
                writer.element("path", attributes! { "d": &*path, "fill": "none", "stroke": LAST, "stroke-width": 5.0 });
            }
            false => {
                let path = closed(&plane.area(site, 1.0));
                writer.element(
                    "path",
                    attributes! { "d": &*path, "fill": LAST, "fill-opacity": strength },
                );
            }
        }
    }
    if let Some(site) = scene.chosen {
        let path = closed(&plane.area(site, 2.5));
        writer.element("path", attributes! { "d": &*path, "fill": TARGET, "fill-opacity": "0.2", "stroke": TARGET, "stroke-width": 3.0 });
    }
}

/// Tests if pieces stand on plates, which have slots for the tokens that travel with a piece.
fn has_plates(scene: &Scene) -> bool {
    !scene.places().is_empty()
}

fn pieces(writer: &mut Writer, plane: &Plane, scene: &Scene, name: &str, occupants: &[Occupant]) {
    let plates = has_plates(scene);
    for site in scene.rules.board.sites() {
        let Some(occupant) = scene.occupant(site) else { continue };
        if plane.board.sort(site) != Sort::Cell {
            let (path, color) = (closed(&plane.bar(site)), scene.palette.piece(occupant));
            let edge = color.towards(DARK, 45);
            let style = attributes! { "d": &*path, "fill": color, "stroke": edge, "stroke-width": 0.8, "stroke-linejoin": "round" };
            writer.element("path", style);
            continue;
        }
        if plates {
            let at = plane.center(site);
            let color = scene.palette.piece(occupant).towards(scene.palette.board(), 50);
            let style = attributes! {
                "cx": at.x, "cy": at.y, "r": plane.inner_radius() * PLATE, "fill": color, "stroke": color.towards(DARK, 60), "stroke-width": 1.5,
            };
            writer.element("circle", style);
        }
        let Some(index) = occupants.iter().position(|&known| known == occupant) else { continue };
        let (id, at) = (format!("#{name}piece{index}"), plane.center(site));
        writer.element("use", attributes! { "href": &*id, "x": at.x, "y": at.y });
    }
}

/// Draws the lines from sites to their neighbours; a player's lines have his colour.
fn links(writer: &mut Writer, plane: &Plane, scene: &Scene) {
    let line = |(link, end): (Token, Site)| {
        let (from, mut to) = (plane.center(link.site), plane.center(end));
        // Over a joined edge, only a stub is drawn.
        if plane.board.crosses_edge(link.site, link.direction) {
            to = from.away(plane.unit * 0.62, plane.angle(link.direction));
        }
        (from, to, scene.color_of(link.owner, link.memory))
    };
    let lines: Vec<(Point, Point, Color)> = scene.links().map(line).collect();
    // The edges of all lines lie below all lines.
    for (width, is_edge) in [(6.0, true), (4.0, false)] {
        for &(from, to, color) in &lines {
            let color = if is_edge { color.towards(DARK, 60) } else { color };
            let style = attributes! { "x1": from.x, "y1": from.y, "x2": to.x, "y2": to.y, "stroke": color, "stroke-width": width, "stroke-linecap": "round" };
            writer.element("line", style);
        }
    }
}

/// Draws the tokens around their sites, and the empty slots of pieces.
fn pointers(writer: &mut Writer, plane: &Plane, scene: &Scene) {
    let tokens = scene.tokens();
    let reach = plane.inner_radius() * 0.7;
    for &direction in &scene.places() {
        let bare = |site: &Site| {
            !tokens.iter().any(|token| token.site == *site && token.direction == direction)
        };
        for site in
            scene.rules.board.sites().filter(|&site| scene.occupant(site).is_some()).filter(bare)
        {
            let at = plane.center(site).away(reach, plane.angle(direction));
            writer.element("circle", attributes! { "cx": at.x, "cy": at.y, "r": 1.8, "fill": DARK, "fill-opacity": "0.3" });
        }
    }
    for (index, token) in tokens.iter().enumerate() {
        let angle = plane.angle(token.direction);
        // Tokens with the same direction are placed side by side.
        let before = tokens[..index]
            .iter()
            .rev()
            .take_while(|other| (other.site, other.direction) == (token.site, token.direction))
            .count();
        let at = plane.center(token.site).away(reach, angle + 17.0 * before as f64);
        let color = scene.color_of(token.owner, token.memory);
        if scene.is_last(*token) {
            writer
                .element("circle", attributes! { "cx": at.x, "cy": at.y, "r": 10.5, "fill": LAST });
        }
        let corners = [0.0, 125.0, 235.0]
            .map(|turn| at.away(if turn == 0.0 { 8.0 } else { 7.4 }, angle + turn));
        let path = closed(&corners);
        let edge = color.towards(DARK, 70);
        let style = attributes! { "d": &*path, "fill": color, "stroke": edge, "stroke-width": 1.6, "stroke-linejoin": "round" };
        writer.element("path", style);
    }
}

/// Draws each pile's pieces at the left of its site: a bar for every piece, the lowest at the
/// bottom.
fn piles(writer: &mut Writer, plane: &Plane, scene: &Scene) {
    let radius = plane.inner_radius();
    for (site, pile) in scene.piles() {
        let center = plane.center(site);
        let step = (radius * 1.6 / pile.len() as f64).min(radius * 0.2);
        for (level, &occupant) in pile.iter().enumerate() {
            let y = center.y + radius * 0.8 - step * (level + 1) as f64;
            let style = attributes! {
                "x": center.x - radius * 0.95, "y": y, "width": radius * 0.34, "height": step * 0.8, "rx": step * 0.2,
                "fill": scene.palette.piece(occupant), "stroke": DARK, "stroke-width": 0.6,
            };
            writer.element("rect", style);
        }
    }
}

/// Draws the marks and numbers of sites.
fn marks(writer: &mut Writer, plane: &Plane, scene: &Scene) {
    piles(writer, plane, scene);
    let all = scene.marks();
    for (index, &Mark { site, owner, memory }) in all.iter().enumerate() {
        let before = all[..index].iter().filter(|other| other.site == site).count();
        let center = plane.center(site);
        // The first mark is at the centre, the others are around it.
        let at = if before == 0 {
            center
        } else {
            center.away(plane.inner_radius() * 0.62, 135.0 + 90.0 * (before - 1) as f64)
        };
        mark(writer, scene.palette.mark_shape(memory), scene.color_of(owner, memory), 4.6, at);
    }
    for (site, direction, memory) in scene.facings() {
        let (center, color) = (plane.center(site), scene.palette.mark(memory));
        let tip = center.away(plane.inner_radius() * 0.72, plane.way(site, direction));
        let path = closed(&arrow(tip, plane.inner_radius() * 0.26, plane.way(site, direction)));
        let edge = color.towards(DARK, 70);
        let style = attributes! { "d": &*path, "fill": color, "stroke": edge, "stroke-width": 1.2, "stroke-linejoin": "round" };
        writer.element("path", style);
    }
    for (site, number, memory) in scene.numbers() {
        let at = plane.center(site);
        if scene.is_seeds(memory) {
            seeds(writer, number, scene.palette.mark(memory), plane.inner_radius(), at);
        }
        let (x, y) = (at.x + plane.inner_radius() * 0.6, at.y - plane.inner_radius() * 0.42);
        let style = attributes! {
            "x": x, "y": y, "font-family": FONTS, "font-size": 12.0, "text-anchor": "middle", "fill": DARK, "stroke": PAGE, "stroke-width": 3.0,
            "stroke-linejoin": "round", "paint-order": "stroke",
        };
        writer.text("text", style, &number.to_string());
    }
}

fn shown_targets(writer: &mut Writer, plane: &Plane, scene: &Scene) {
    // On a plate, the ring is at the edge, so that it covers no tokens.
    let ring = if has_plates(scene) { PLATE } else { RING };
    for &site in &scene.targets {
        let at = plane.center(site);
        match scene.occupant(site) {
            None => writer.element(
                "circle",
                attributes! { "cx": at.x, "cy": at.y, "r": plane.inner_radius() * 0.26, "fill": TARGET, "fill-opacity": "0.8" },
            ),
            Some(_) => {
                let radius = plane.inner_radius() * ring;
                writer.element("circle", attributes! { "cx": at.x, "cy": at.y, "r": radius, "fill": "none", "stroke": TARGET, "stroke-width": 3.5, "stroke-opacity": "0.85" });
            }
        }
    }
}
