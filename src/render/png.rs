//! A picture as SVG in, the same as PNG out, in the one font that the program carries. It refuses to know what the picture shows, and reads no file.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};
use std::sync::{Arc, OnceLock};

/// DejaVu Sans, with the letters of European languages and the signs of games; `fonts/` has its licence.
const FONT: &[u8] = include_bytes!("../../fonts/DejaVuSans-subset.ttf");
/// How many pixels a unit of the picture has along each side.
const SCALE: f32 = 2.0;

/// Makes pixels of a picture.
///
/// # Errors
/// Tells why it cannot be done: the text is no SVG, or the picture is too large.
pub fn png(svg: &str) -> Result<Vec<u8>, String> {
    let options = Options { fontdb: fonts(), font_family: "DejaVu Sans".to_owned(), ..Options::default() };
    let tree = Tree::from_str(svg, &options).map_err(|error| error.to_string())?;
    let size = tree.size().to_int_size().scale_by(SCALE).ok_or("the picture is too large")?;
    let mut pixels = Pixmap::new(size.width(), size.height()).ok_or("the picture is too large")?;
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
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
