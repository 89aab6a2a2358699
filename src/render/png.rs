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
