//! The files of the page, which are part of the program: its own, and those that it shares with pages
//! that play.

use super::http::Response;
use include_dir::{Dir, include_dir};

static PAGE: Dir = include_dir!("$CARGO_MANIFEST_DIR/src/studio/page");
static SHARED: Dir = include_dir!("$CARGO_MANIFEST_DIR/src/pages/script");

/// Returns the page itself.
pub fn index() -> Response {
    find("index.html")
        .unwrap_or_else(|| Response::error(404, "the program was built without its page"))
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
