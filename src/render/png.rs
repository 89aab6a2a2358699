//! Rasterizes SVG to PNG with an embedded font, so that the result is the same on every machine. No
//! files are read.

mod outlines;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// Pixels per unit of the SVG, unless the image would be too large.
const SCALE: f32 = 2.0;
/// Maximum width and height in pixels.
const MOST: f32 = 4096.0;

/// Rasterizes an SVG.
///
/// # Errors
/// Fails if the text is not valid SVG.
pub fn png(svg: &str) -> Result<Vec<u8>, String> {
    let drawn = outlines::outlined(svg)?;
    let tree = Tree::from_str(&drawn, &Options::default()).map_err(|error| error.to_string())?;
    let size = tree.size();
    let scale = SCALE.min(MOST / size.width().max(size.height()));
    let pixels_of = |length: f32| (length * scale).ceil().clamp(1.0, MOST) as u32;
    let mut pixels =
        Pixmap::new(pixels_of(size.width()), pixels_of(size.height())).ok_or("it is too large")?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(size: u32, inside: &str) -> Pixmap {
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{size}\" height=\"{size}\">{inside}</svg>"
        );
        Pixmap::decode_png(&png(&svg).expect("a picture")).expect("a PNG")
    }

    #[test]
    fn the_font_has_letters_and_signs() {
        let inked = |sign: &str| {
            let text = format!(
                "<text x=\"5\" y=\"30\" font-size=\"30\" font-family=\"sans-serif\">{sign}</text>"
            );
            picture(40, &text).pixels().iter().filter(|pixel| pixel.alpha() > 0).count()
        };
        // A missing glyph is a box or nothing.
        let lacking = inked("\u{1f438}");
        for sign in ["a", "é", "Ж", "♞", "★"] {
            assert!(inked(sign) > 100 && inked(sign) != lacking, "{sign}");
        }
    }

    #[test]
    fn pictures_have_a_bound() {
        assert_eq!(picture(50, "").width(), 100);
        assert_eq!(picture(90_000, "").width(), 4096);
        assert!(png("<svg").is_err());
    }
}
