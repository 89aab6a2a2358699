//! Rasterizes SVG to PNG with an embedded font, so that the result is the same on every machine. No
//! files are read.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};
use std::sync::{Arc, OnceLock};

/// DejaVu Sans, reduced to the letters of European languages and game symbols; the licence is in
/// `font/`.
const FONT: &[u8] = include_bytes!("font/DejaVuSans-subset.ttf");
/// Pixels per unit of the SVG, unless the image would be too large.
const SCALE: f32 = 2.0;
/// Maximum width and height in pixels.
const MOST: f32 = 4096.0;

/// Rasterizes an SVG.
///
/// # Errors
/// Fails if the text is not valid SVG.
pub fn png(svg: &str) -> Result<Vec<u8>, String> {
    let options =
        Options { fontdb: fonts(), font_family: "DejaVu Sans".to_owned(), ..Options::default() };
    let tree = Tree::from_str(svg, &options).map_err(|error| error.to_string())?;
    let size = tree.size();
    let scale = SCALE.min(MOST / size.width().max(size.height()));
    let pixels_of = |length: f32| (length * scale).ceil().clamp(1.0, MOST) as u32;
    let mut pixels =
        Pixmap::new(pixels_of(size.width()), pixels_of(size.height())).ok_or("it is too large")?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| error.to_string())
}

fn fonts() -> Arc<fontdb::Database> {
    static FONTS: OnceLock<Arc<fontdb::Database>> = OnceLock::new();
    let read = || {
        let mut fonts = fontdb::Database::new();
        fonts.load_font_data(FONT.to_vec());
        fonts.set_sans_serif_family("DejaVu Sans");
        Arc::new(fonts)
    };
    FONTS.get_or_init(read).clone()
}
