//! Draws the texts of a picture as outlines of an embedded font, so that a rasterizer needs no
//! fonts and no text layout. Texts are short labels, on one line, from left to right.

use roxmltree::{Document, Node};
use std::fmt::Write;
use std::sync::LazyLock;
use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// DejaVu Sans, reduced to the letters of European languages and game symbols; the licence is in
/// `font/`.
const FONT: &[u8] = include_bytes!("../font/DejaVuSans-subset.ttf");
/// The default font size of CSS.
const SIZE: f32 = 16.0;

/// Replaces every `text` of an SVG by a `path`.
///
/// # Errors
/// Fails if the text is not valid XML.
pub fn outlined(svg: &str) -> Result<String, String> {
    static FACE: LazyLock<Option<Face>> = LazyLock::new(|| Face::parse(FONT, 0).ok());
    let face = FACE.as_ref().ok_or("the font cannot be read")?;
    let document = Document::parse(svg).map_err(|error| error.to_string())?;
    let mut drawn = String::with_capacity(2 * svg.len());
    let mut from = 0;
    for text in document.descendants().filter(|node| node.has_tag_name("text")) {
        // Texts are not nested, so their ranges are in order.
        let range = text.range();
        if range.start >= from {
            drawn.push_str(&svg[from..range.start]);
            draw(text, svg, face, &mut drawn);
            from = range.end;
        }
    }
    drawn.push_str(&svg[from..]);
    Ok(drawn)
}

/// Writes a text as a path with the same paint.
fn draw(text: Node, svg: &str, face: &Face, drawn: &mut String) {
    let inherited =
        |name: &str| text.ancestors().find_map(|node: Node| node.attribute(name)).unwrap_or("");
    let number =
        |name: &str| text.attribute(name).and_then(|value| value.parse().ok()).unwrap_or(0.0);
    let size: f32 = inherited("font-size").parse().unwrap_or(SIZE);
    let scale = size / f32::from(face.units_per_em());
    let glyphs: Vec<GlyphId> = (text.text().unwrap_or("").chars())
        .map(|letter| face.glyph_index(letter).unwrap_or_default())
        .collect();
    let advance = |glyph: GlyphId| scale * f32::from(face.glyph_hor_advance(glyph).unwrap_or(0));
    let width: f32 = glyphs.iter().map(|&glyph| advance(glyph)).sum();
    let before = match inherited("text-anchor") {
        "middle" => width / 2.0,
        "end" => width,
        _ => 0.0,
    };
    let mut path = Path { x: number("x") - before, y: number("y"), scale, data: String::new() };
    for glyph in glyphs {
        face.outline_glyph(glyph, &mut path);
        path.x += advance(glyph);
    }
    drawn.push_str("<path");
    for attribute in text.attributes() {
        let moved = ["x", "y", "text-anchor"].contains(&attribute.name());
        if !moved && !attribute.name().starts_with("font-") {
            drawn.push(' ');
            drawn.push_str(&svg[attribute.range()]);
        }
    }
    drawn.push_str(" d=\"");
    drawn.push_str(&path.data);
    drawn.push_str("\"/>");
}

/// The outlines of the glyphs so far. In a font, the second coordinate grows upwards.
struct Path {
    x: f32,
    y: f32,
    scale: f32,
    data: String,
}

impl Path {
    fn segment<const N: usize>(&mut self, letter: char, points: [(f32, f32); N]) {
        self.data.push(letter);
        for (x, y) in points {
            let (x, y) = (self.x + self.scale * x, self.y - self.scale * y);
            // Writing to a string cannot fail.
            let _ = write!(self.data, "{x:.2} {y:.2} ");
        }
    }
}

impl OutlineBuilder for Path {
    fn move_to(&mut self, x: f32, y: f32) {
        self.segment('M', [(x, y)]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.segment('L', [(x, y)]);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.segment('Q', [(x1, y1), (x, y)]);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.segment('C', [(x1, y1), (x2, y2), (x, y)]);
    }

    fn close(&mut self) {
        self.data.push('Z');
    }
}
