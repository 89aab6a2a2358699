//! Self-contained pages of HTML: games to step through, and rule sheets for printing.
//!
//! A page loads nothing and works without a network. All text from files is escaped. A content
//! security policy in the page itself lets a browser run only this module's script, wherever the
//! file is opened.
//!
//! - `walkthrough`: games ply by ply, with the clauses that each ply executed. `listing`: the rules
//!   cut into segments that can be highlighted. `frames`: pictures that share their lines.
//! - [`script`]: modules of JavaScript as one script. `script/`, `player/`: the parts of pages that
//!   play; the studio shares those in `script/`.
//! - `gallery`: pictures of games, each with a link to its page.
//! - `sheet`: a rule sheet. `sentences`: statements in English. `words`, `regions`, `singles`:
//!   expressions in English. `phrase`: where a phrase needs parentheses.

pub mod frames;
mod gallery;
pub mod listing;
mod phrase;
mod regions;
pub mod script;
mod sentences;
mod sheet;
mod singles;
mod walkthrough;
mod words;

pub use gallery::{Card, gallery};
pub use phrase::Phrase;
pub use sentences::Sentence;
pub use sheet::{Example, sheet, sheet_body};
pub use walkthrough::{Highlight, ShownGame, Walkthrough, game_page, of_record};
pub use words::Words;

use crate::syntax::visible::shown;
use sha2::{Digest, Sha256};
use std::fmt::Write;

const STYLE: &str = include_str!("pages/page.css");
const SCRIPT: &str = include_str!("pages/walkthrough.js");

/// The kind of a page. It is marked in the page, so that an output file of another kind is never
/// overwritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageKind {
    /// A report of a playtest or a sweep.
    Report,
    /// A game to step through.
    Game,
    /// A rule sheet.
    Rules,
    /// A game to play.
    Play,
    /// Pictures of games, each with a page to play it.
    Gallery,
    /// The studio as a page.
    Studio,
}

impl PageKind {
    /// Returns the element that marks a page of this kind.
    pub fn mark(self) -> &'static str {
        match self {
            PageKind::Report => "<meta name=\"generator\" content=\"ludwright\">",
            PageKind::Game => "<meta name=\"generator\" content=\"ludwright show\">",
            PageKind::Rules => "<meta name=\"generator\" content=\"ludwright rules\">",
            PageKind::Play => "<meta name=\"generator\" content=\"ludwright page\">",
            PageKind::Gallery => "<meta name=\"generator\" content=\"ludwright site\">",
            PageKind::Studio => "<meta name=\"generator\" content=\"ludwright studio\">",
        }
    }
}

/// Writes a whole page around the content of its `main` element. Hidden characters that remain, for
/// example in pictures, are shown by their numbers.
pub fn page(kind: PageKind, title: &str, body: &str) -> String {
    let mut page = String::from("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n");
    let script = body.contains("class=\"walkthrough\"").then(|| format!("\n{SCRIPT}"));
    let _ = writeln!(
        page,
        "<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n{}\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n<style>\n{STYLE}</style>",
        policy(script.as_deref()),
        kind.mark(),
        escaped(title)
    );
    let _ = write!(page, "</head>\n<body>\n<main>\n{body}</main>\n");
    if let Some(script) = script {
        let _ = writeln!(page, "<script>{script}</script>");
    }
    page.push_str("</body>\n</html>\n");
    shown(&page).into_owned()
}

/// Writes the content security policy of a page: nothing is loaded, nothing is sent, and only the
/// given script runs, which is identified by its hash.
fn policy(script: Option<&str>) -> String {
    let scripts = script.map_or("'none'".to_owned(), hash);
    format!(
        "default-src 'none'; script-src {scripts}; style-src 'unsafe-inline'; img-src data:; \
         base-uri 'none'; form-action 'none'"
    )
}

/// Returns the policy source that allows a script or a style.
pub fn hash(text: &str) -> String {
    // Browsers hash the text after line ends are normalized.
    let digest = Sha256::digest(text.replace("\r\n", "\n").as_bytes());
    format!("'sha256-{}'", base64(&digest))
}

/// Writes bytes in Base64 (RFC 4648, section 4).
pub fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits = (0..3).fold(0, |bits, at| bits << 8 | u32::from(*group.get(at).unwrap_or(&0)));
        for at in 0..4 {
            let letter = ALPHABET[(bits >> (18 - 6 * at) & 63) as usize];
            text.push(if at <= group.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

/// Escapes text for HTML, also within a quoted attribute. Hidden characters are shown by their
/// numbers.
pub fn escaped(text: &str) -> String {
    shown(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
