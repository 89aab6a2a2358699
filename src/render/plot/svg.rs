//! Renders a plot as SVG.

use super::{Interval, Plot, Series, Shape, marks, spelled};
use crate::language::look::Color;
use crate::render::svg::writer::{Writer, attributes, short};

const WIDTH: f64 = 460.0;
const HEIGHT: f64 = 220.0;
/// Space around the axes.
const LEFT: f64 = 64.0;
const TOP: f64 = 30.0;
const RIGHT: f64 = 14.0;
const BOTTOM: f64 = 42.0;
const FONT: &str = "'DejaVu Sans', Verdana, sans-serif";
const INK: Color = Color::rgb(0x4a443b);
const FAINT: Color = Color::rgb(0xddd6c8);
/// Colours of lines, in this order.
const COLORS: [Color; 6] = [
    Color::rgb(0x3a69b0),
    Color::rgb(0xe0803a),
    Color::rgb(0x2f8a88),
    Color::rgb(0x79539b),
    Color::rgb(0xc63d3a),
    Color::rgb(0x8b8f45),
];

/// Maps numbers to coordinates.
struct Axes {
    across: (f64, f64),
    up: (f64, f64),
    bottom: f64,
}

impl Axes {
    fn x(&self, number: f64) -> f64 {
        let (low, high) = self.across;
        LEFT + (number - low) / (high - low).max(1e-12) * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, number: f64) -> f64 {
        let (low, high) = self.up;
        self.bottom - (number - low) / (high - low).max(1e-12) * (self.bottom - TOP)
    }
}

/// Renders a plot.
pub fn svg(plot: &Plot) -> String {
    let [across, up] = plot.shape.bounds();
    let legend = match &plot.shape {
        Shape::Lines(lines) if lines.len() > 1 => 18.0 * lines.len() as f64 + 4.0,
        _ => 0.0,
    };
    let axes = Axes {
        across,
        up: if up.0 < up.1 { up } else { (up.0, up.0 + 1.0) },
        bottom: HEIGHT - BOTTOM,
    };
    let height = HEIGHT + legend;
    let mut writer = Writer::default();
    let view = format!("0 0 {} {}", short(WIDTH), short(height));
    writer.open(
        "svg",
        attributes! { "xmlns": "http://www.w3.org/2000/svg", "width": WIDTH, "height": height, "viewBox": &*view, "font-family": FONT },
    );
    writer.text("title", &[], &plot.title);
    writer.text(
        "text",
        attributes! { "x": LEFT, "y": 17.0, "font-size": 13.0, "fill": INK, "font-weight": "bold" },
        &plot.title,
    );
    frame(&mut writer, plot, &axes);
    match &plot.shape {
        Shape::Histogram { from, width, heights } => {
            for (index, &height) in heights.iter().enumerate().filter(|&(_, &height)| height > 0.0) {
                let left = axes.x(from + width * index as f64);
                let right = axes.x(from + width * (index + 1) as f64);
                let top = axes.y(height);
                let gap = if right - left > 4.0 { 1.0 } else { 0.0 };
                writer.element(
                    "rect",
                    attributes! { "x": left, "y": top, "width": (right - left - gap).max(0.5), "height": axes.bottom - top, "fill": COLORS[0] },
                );
            }
        }
        Shape::Lines(lines) => lines.iter().zip(COLORS.iter().cycle()).enumerate().for_each(|(index, (one, &color))| {
            line(&mut writer, &axes, one, color);
            if lines.len() > 1 {
                let y = HEIGHT + 8.0 + 18.0 * index as f64;
                writer.element("rect", attributes! { "x": LEFT, "y": y - 4.0, "width": 18.0, "height": 4.0, "fill": color });
                writer.text("text", attributes! { "x": LEFT + 24.0, "y": y + 2.0, "font-size": 12.0, "fill": INK }, &one.name);
            }
        }),
        Shape::Intervals { neutral, points } => {
            let y = axes.y(*neutral);
            let style = attributes! { "x1": LEFT, "y1": y, "x2": WIDTH - RIGHT, "y2": y, "stroke": INK, "stroke-dasharray": "4 4", "stroke-width": 1.0 };
            writer.element("line", style);
            points.iter().enumerate().for_each(|(index, point)| interval(&mut writer, &axes, index, point));
        }
    }
    writer.close("svg");
    writer.finish()
}

fn frame(writer: &mut Writer, plot: &Plot, axes: &Axes) {
    for mark in marks(axes.up, 5) {
        let y = axes.y(mark);
        writer.element("line", attributes! { "x1": LEFT, "y1": y, "x2": WIDTH - RIGHT, "y2": y, "stroke": FAINT, "stroke-width": 1.0 });
        let style = attributes! { "x": LEFT - 6.0, "y": y + 4.0, "font-size": 11.0, "text-anchor": "end", "fill": INK };
        writer.text("text", style, &spelled(mark));
    }
    if !matches!(plot.shape, Shape::Intervals { .. }) {
        for mark in marks(axes.across, 6) {
            let style = attributes! { "x": axes.x(mark), "y": axes.bottom + 15.0, "font-size": 11.0, "text-anchor": "middle", "fill": INK };
            writer.text("text", style, &spelled(mark));
        }
    }
    writer.element(
        "line",
        attributes! { "x1": LEFT, "y1": axes.bottom, "x2": WIDTH - RIGHT, "y2": axes.bottom, "stroke": INK, "stroke-width": 1.0 },
    );
    let middle = (LEFT + WIDTH - RIGHT) / 2.0;
    let style = attributes! { "x": middle, "y": axes.bottom + 33.0, "font-size": 12.0, "text-anchor": "middle", "fill": INK };
    writer.text("text", style, &plot.across);
    let turned = format!("rotate(-90 13 {})", short((TOP + axes.bottom) / 2.0));
    let style = attributes! {
        "x": 13.0, "y": (TOP + axes.bottom) / 2.0, "font-size": 12.0, "text-anchor": "middle", "fill": INK, "transform": &*turned,
    };
    writer.text("text", style, &plot.up);
}

fn line(writer: &mut Writer, axes: &Axes, line: &Series, color: Color) {
    let mut path = String::new();
    for (index, &(x, y)) in line.points.iter().enumerate() {
        let letter = if index == 0 { 'M' } else { 'L' };
        path.push_str(&format!("{letter}{} {}", short(axes.x(x)), short(axes.y(y))));
    }
    if !path.is_empty() {
        writer
            .element("path", attributes! { "d": &*path, "fill": "none", "stroke": color, "stroke-width": 2.0, "stroke-linejoin": "round" });
    }
}

fn interval(writer: &mut Writer, axes: &Axes, index: usize, point: &Interval) {
    let x = axes.x(index as f64 + 0.5);
    let (low, high) = (axes.y(point.low.max(axes.up.0)), axes.y(point.high.min(axes.up.1)));
    writer.element("line", attributes! { "x1": x, "y1": low, "x2": x, "y2": high, "stroke": COLORS[0], "stroke-width": 2.0 });
    writer.element(
        "circle",
        attributes! { "cx": x, "cy": axes.y(point.value), "r": 4.0, "fill": COLORS[0] },
    );
    let style = attributes! { "x": x, "y": axes.bottom + 15.0, "font-size": 10.0, "text-anchor": "middle", "fill": INK };
    writer.text("text", style, &point.name);
}
