//! Renders a heat map of a board.

use super::figures::FONTS;
use super::ground::{INK, PAGE, labels};
use super::plane::Plane;
use super::writer::{Writer, attributes, closed, short};
use super::{MARGIN, bounds};
use crate::board::Board;
use crate::language::look::Color;

/// The colours of zero and of the maximum.
const COLD: Color = Color::rgb(0xf4efe3);
const HOT: Color = Color::rgb(0xb5382a);

/// Renders a heat map. `numbers` and `texts` are indexed by site number; colours are relative to
/// the greatest number.
pub fn heat(board: &Board, title: &str, numbers: &[f64], texts: &[String]) -> String {
    let plane = Plane::new(board, 46.0);
    let (least, most) = bounds(&plane);
    let (width, height) = (most.x - least.x + 2.0 * MARGIN, most.y - least.y + 2.0 * MARGIN);
    let (left, top) = (least.x - MARGIN, least.y - MARGIN);
    let view = format!("{} {} {} {}", short(left), short(top), short(width), short(height));
    let mut writer = Writer::default();
    writer.open("svg", attributes! { "xmlns": "http://www.w3.org/2000/svg", "width": width, "height": height, "viewBox": &*view });
    writer.text("title", &[], title);
    writer.element("rect", attributes! { "x": left, "y": top, "width": width, "height": height, "rx": 10.0, "fill": PAGE });
    let greatest = numbers.iter().copied().fold(0.0, f64::max);
    for site in board.sites() {
        let part = numbers.get(site.index()).copied().unwrap_or(0.0)
            / if greatest > 0.0 { greatest } else { 1.0 };
        let fill = COLD.towards(HOT, (part * 100.0).round().clamp(0.0, 100.0) as u8);
        let path = closed(&plane.area(site, 0.0));
        writer.element(
            "path",
            attributes! { "d": &*path, "fill": fill, "stroke": INK, "stroke-width": 0.8 },
        );
        let at = plane.center(site);
        let ink = if fill.lightness() < 160 { PAGE } else { INK };
        let style = attributes! { "x": at.x, "y": at.y + 4.0, "font-family": FONTS, "font-size": 11.0, "text-anchor": "middle", "fill": ink };
        writer.text("text", style, texts.get(site.index()).map_or("", String::as_str));
    }
    labels(&mut writer, &plane);
    writer.close("svg");
    writer.finish()
}
