//! Self-contained pages of HTML: games to step through, and rule sheets for printing.
//!
//! A page loads nothing and works without a network. All text that comes from files is escaped.
//!
//! - `walkthrough`: games ply by ply, with the clauses that each ply executed. `listing`: the rules
//!   cut into pieces that can be lit. `frames`: pictures that share their lines.
//! - [`script`]: modules of JavaScript as one script. `script/`, `player/`: the parts of pages that
//!   play; the studio shares those in `script/`.
//! - `sheet`: a rule sheet. `sentences`: statements in English. `words`, `regions`, `singles`:
//!   expressions in English. `phrase`: where a phrase needs parentheses.

pub mod frames;
pub mod listing;
mod phrase;
mod regions;
pub mod script;
mod sentences;
mod sheet;
mod singles;
mod walkthrough;
mod words;

pub use phrase::Phrase;
pub use sentences::Sentence;
pub use sheet::{Example, sheet, sheet_body};
pub use walkthrough::{Highlight, ShownGame, Walkthrough, of_record};
pub use words::Words;

use crate::syntax::visible::shown;
use std::fmt::Write;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("walkthrough.js");

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
}

impl PageKind {
    /// Returns the element that marks a page of this kind.
    pub fn mark(self) -> &'static str {
        match self {
            PageKind::Report => "<meta name=\"generator\" content=\"ludwright\">",
            PageKind::Game => "<meta name=\"generator\" content=\"ludwright show\">",
            PageKind::Rules => "<meta name=\"generator\" content=\"ludwright rules\">",
            PageKind::Play => "<meta name=\"generator\" content=\"ludwright page\">",
        }
    }
}

/// Writes a whole page around the content of its `main` element. Hidden characters that are left,
/// such as in pictures, are shown by their numbers.
pub fn page(kind: PageKind, title: &str, body: &str) -> String {
    let mut page = String::from("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n");
    let _ = writeln!(
        page,
        "<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n{}\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n<style>\n{STYLE}</style>",
        kind.mark(),
        escaped(title)
    );
    let _ = write!(page, "</head>\n<body>\n<main>\n{body}</main>\n");
    if body.contains("class=\"walkthrough\"") {
        let _ = writeln!(page, "<script>\n{SCRIPT}</script>");
    }
    page.push_str("</body>\n</html>\n");
    shown(&page).into_owned()
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
