//! Draws pieces, marks and dice.

use super::plane::Point;
use super::writer::{Writer, attributes, closed, short};
use crate::language::look::{Color, Figure, Shape};

/// The fonts of all text, the embedded one first.
pub const FONTS: &str = "DejaVu Sans, Verdana, sans-serif";
/// The base colour of outlines and shadows.
pub const DARK: Color = Color::rgb(0x1f1c18);
pub const LIGHT: Color = Color::rgb(0xfffdf8);

/// Defines the gradients of light on pieces, for [`piece`].
pub fn define_shine(writer: &mut Writer, id: &str) {
    let ball = attributes! { "id": id, "cx": "0.38", "cy": "0.3", "r": "0.72" };
    writer.open("radialGradient", ball);
    for (offset, color, opacity) in
        [("0", LIGHT, "0.42"), ("0.45", LIGHT, "0.06"), ("0.6", DARK, "0"), ("1", DARK, "0.34")]
    {
        let stop = attributes! { "offset": offset, "stop-color": color, "stop-opacity": opacity };
        writer.element("stop", stop);
    }
    writer.close("radialGradient");
}

/// Draws a piece with its shadow around the origin; with `shine`, it is shaded like a round body.
pub fn piece(writer: &mut Writer, figure: &Figure, color: Color, radius: f64, shine: Option<&str>) {
    let edge = color.towards(DARK, 60);
    if let Some(shape) = figure.shape {
        let path = outline(shape, radius);
        let drop = format!("translate({} {})", short(radius * 0.05), short(radius * 0.13));
        writer.element(
            "path",
            attributes! { "d": &*path, "transform": &*drop, "fill": DARK, "fill-opacity": "0.3", "fill-rule": "evenodd" },
        );
        let fill = attributes! { "d": &*path, "fill": color, "fill-rule": "evenodd", "stroke": edge, "stroke-width": 1.3, "stroke-linejoin": "round" };
        writer.element("path", fill);
        if let Some(shine) = shine {
            let light = format!("url(#{shine})");
            writer.element(
                "path",
                attributes! { "d": &*path, "fill": &*light, "fill-rule": "evenodd" },
            );
        }
    }
    let Some(letters) = &figure.letters else { return };
    let length = letters.chars().count().max(1) as f64;
    match figure.shape {
        Some(_) => {
            let ink = if color.lightness() > 140 { DARK } else { LIGHT };
            let size = radius * if length > 1.0 { 1.6 / length.max(1.6) } else { 1.15 };
            let at = short(size * 0.36);
            let style =
                attributes! { "y": &*at, "font-size": size, "text-anchor": "middle", "fill": ink };
            writer.text("text", style, letters);
        }
        None => {
            let size = radius * if length > 1.0 { 3.2 / length } else { 2.4 };
            // The rim contrasts with the piece, so that the letter stands out from any board.
            let rim = if color.lightness() > 110 { DARK } else { LIGHT };
            let style = attributes! {
                "y": size * 0.36, "font-size": size, "text-anchor": "middle", "fill": color, "stroke": rim, "stroke-width": 2.0,
                "stroke-linejoin": "round", "paint-order": "stroke",
            };
            writer.text("text", style, letters);
        }
    }
}

/// Draws a mark with a light rim around a point.
pub fn mark(writer: &mut Writer, shape: Shape, color: Color, radius: f64, at: Point) {
    let path = outline(shape, radius);
    let place = format!("translate({} {})", short(at.x), short(at.y));
    let style = attributes! {
        "d": &*path, "transform": &*place, "fill": color, "fill-rule": "evenodd", "stroke": LIGHT, "stroke-width": 2.0, "stroke-linejoin": "round",
        "paint-order": "stroke",
    };
    writer.element("path", style);
}

/// Draws a die with sides of twice the radius around a point: pips for 1 to 6, otherwise the
/// number.
pub fn die(writer: &mut Writer, number: &str, color: Color, radius: f64, at: Point) {
    let place = format!("translate({} {})", short(at.x), short(at.y));
    writer.open("g", attributes! { "transform": &*place });
    let (ink, edge) = (if color.lightness() > 140 { DARK } else { LIGHT }, color.towards(DARK, 60));
    let path = outline(Shape::Die, radius);
    writer.element(
        "path",
        attributes! { "d": &*path, "fill": color, "stroke": edge, "stroke-width": 1.2 },
    );
    let third = radius * 0.52;
    let pips: &[(f64, f64)] = match number {
        "1" => &[(0.0, 0.0)],
        "2" => &[(-1.0, 1.0), (1.0, -1.0)],
        "3" => &[(-1.0, 1.0), (0.0, 0.0), (1.0, -1.0)],
        "4" => &[(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)],
        "5" => &[(-1.0, -1.0), (-1.0, 1.0), (0.0, 0.0), (1.0, -1.0), (1.0, 1.0)],
        "6" => &[(-1.0, -1.0), (-1.0, 0.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 0.0), (1.0, 1.0)],
        _ => &[],
    };
    for (x, y) in pips {
        writer.element(
            "circle",
            attributes! { "cx": x * third, "cy": y * third, "r": radius * 0.18, "fill": ink },
        );
    }
    if pips.is_empty() {
        let size = radius * 1.2;
        writer.text("text", attributes! { "y": size * 0.36, "font-size": size, "text-anchor": "middle", "fill": ink }, number);
    }
    writer.close("g");
}

/// The greatest number of seeds that are drawn.
const MOST_SEEDS: i32 = 48;

/// Draws seeds within a radius around a point, in the spiral of a sunflower's seeds.
pub fn seeds(writer: &mut Writer, number: i32, color: Color, radius: f64, at: Point) {
    let count = number.clamp(0, MOST_SEEDS);
    let size = (radius * 0.36 / f64::from(count).sqrt()).clamp(radius * 0.08, radius * 0.16);
    let spread = (radius * 0.7 - size) * (f64::from(count) / 12.0).sqrt().clamp(0.7, 1.0);
    let edge = color.towards(DARK, 60);
    writer.open("g", attributes! { "fill": color, "stroke": edge, "stroke-width": 1.0 });
    for index in 0..count {
        let share = (f64::from(index) + 0.5) / f64::from(count);
        let out = if count == 1 { 0.0 } else { spread * share.sqrt() };
        let Point { x, y } = at.away(out, 137.508 * f64::from(index));
        writer.element("circle", attributes! { "cx": x, "cy": y, "r": size });
    }
    writer.close("g");
}

/// Returns the corners of an arrowhead around a point.
pub fn arrow(at: Point, radius: f64, angle: f64) -> [Point; 4] {
    [(0.0, 1.0), (140.0, 1.0), (180.0, 0.4), (220.0, 1.0)]
        .map(|(turn, share)| at.away(radius * share, angle + turn))
}

/// Returns the outline of a shape around the origin. Sizes are adjusted so that all shapes look
/// equally large.
fn outline(shape: Shape, radius: f64) -> String {
    let origin = Point::new(0.0, 0.0);
    let regular = |count: u32, radius: f64, turn: f64| -> Vec<Point> {
        (0..count)
            .map(|corner| origin.away(radius, turn + f64::from(corner) * 360.0 / f64::from(count)))
            .collect()
    };
    match shape {
        Shape::Disc | Shape::Seeds => circle(radius),
        Shape::Arrow => closed(&arrow(origin, radius, 0.0)),
        Shape::Line => bar(radius),
        Shape::Ring => format!("{}{}", circle(radius), circle(radius * 0.52)),
        Shape::Square => rounded(radius * 0.86, radius * 0.16),
        Shape::Die => rounded(radius, radius * 0.3),
        Shape::Triangle => {
            let lower = |point: Point| Point::new(point.x, point.y + radius * 0.18);
            closed(&regular(3, radius * 1.2, 0.0).into_iter().map(lower).collect::<Vec<Point>>())
        }
        Shape::Diamond => closed(&regular(4, radius * 1.15, 0.0)),
        Shape::Hexagon => closed(&regular(6, radius * 1.05, 30.0)),
        Shape::Star => {
            let tips = regular(5, radius * 1.2, 0.0);
            let hollows = regular(5, radius * 0.52, 36.0);
            closed(
                &tips
                    .into_iter()
                    .zip(hollows)
                    .flat_map(|(tip, hollow)| [tip, hollow])
                    .collect::<Vec<Point>>(),
            )
        }
        Shape::Cross => {
            // Each arm has two corners, and a concave corner separates it from the next.
            let arm = |turn: f64| {
                [
                    origin.away(radius * 1.12, turn - 14.0),
                    origin.away(radius * 1.12, turn + 14.0),
                    origin.away(radius * 0.38, turn + 45.0),
                ]
            };
            closed(&[45.0, 135.0, 225.0, 315.0].into_iter().flat_map(arm).collect::<Vec<Point>>())
        }
    }
}

fn circle(radius: f64) -> String {
    let r = short(radius);
    format!("M-{r} 0A{r} {r} 0 1 1 {r} 0A{r} {r} 0 1 1 -{r} 0Z")
}

/// Returns a piece of a thick line from west to east.
fn bar(half: f64) -> String {
    let (far, thick) = (short(half * 1.2), short(half * 0.25));
    format!("M-{far} -{thick}H{far}V{thick}H-{far}Z")
}

/// Returns a square with rounded corners; `half` is half of its side.
fn rounded(half: f64, corner: f64) -> String {
    let (near, side, far, r) =
        (short(half - corner), short(2.0 * (half - corner)), short(half), short(corner));
    let turn = |x: &str, y: &str| format!("a{r} {r} 0 0 1 {x}{r} {y}{r}");
    let (top, right, bottom, left) = (turn("", ""), turn("-", ""), turn("-", "-"), turn("", "-"));
    format!("M-{near} -{far}h{side}{top}v{side}{right}h-{side}{bottom}v-{side}{left}Z")
}
