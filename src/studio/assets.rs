//! The files of the page, embedded in the program: the page's own files, and the files shared with
//! pages that play.

use super::http::Response;
use include_dir::{Dir, include_dir};

static PAGE: Dir = include_dir!("$CARGO_MANIFEST_DIR/src/studio/page");
static SHARED: Dir = include_dir!("$CARGO_MANIFEST_DIR/src/pages/script");

/// Placeholders of the page for its styles and scripts, which are separate files on the server, and
/// parts of the page in a single file.
const HEAD: &str = "<!-- head -->\n";
const END: &str = "<!-- end -->\n";
/// The links to the styles, as the server has them.
const LINKS: &str = "<link rel=\"stylesheet\" href=\"page/common.css\">\n\
    <link rel=\"stylesheet\" href=\"page/style.css\">\n\
    <link rel=\"stylesheet\" href=\"page/ask.css\">\n\
    <link rel=\"stylesheet\" href=\"page/write.css\">\n\
    <script type=\"module\" src=\"page/studio.js\"></script>\n";

/// Returns the page itself.
pub fn index() -> Response {
    Response::new("text/html; charset=utf-8", page(LINKS, ""))
}

/// Writes the page with these texts at the end of its head and of its body.
pub fn page(head: &str, end: &str) -> String {
    let whole = text("index.html").unwrap_or_default();
    let (before, rest) = whole.split_once(HEAD).unwrap_or((whole, ""));
    let (body, after) = rest.split_once(END).unwrap_or((rest, ""));
    [before, head, body, end, after].concat()
}

/// Returns the text of a file of the page.
pub fn text(name: &str) -> Option<&'static str> {
    PAGE.get_file(name).or_else(|| SHARED.get_file(name))?.contents_utf8()
}

/// Finds a file of the page.
pub fn find(name: &str) -> Option<Response> {
    let file = PAGE.get_file(name).or_else(|| SHARED.get_file(name))?;
    let kind = match name.rsplit('.').next()? {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        _ => return None,
    };
    Some(Response::new(kind, file.contents()))
}
