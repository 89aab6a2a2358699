//! A page with pictures of games; each picture leads to the page of its game.

use super::{PageKind, escaped, page};
use std::fmt::Write;

/// A game of a gallery.
pub struct Card {
    pub title: String,
    /// A sentence about the game.
    pub about: String,
    /// The address of the game's page, relative to the gallery.
    pub address: String,
    /// The first position, as an SVG picture whose ids are unique in the page.
    pub picture: String,
}

/// Writes a gallery: groups of games, each group under its title.
pub fn gallery(title: &str, groups: &[(&str, Vec<Card>)]) -> String {
    let mut body = format!("<h1>{}</h1>\n", escaped(title));
    for (name, cards) in groups {
        let _ = writeln!(body, "<h2>{}</h2>\n<ul class=\"gallery\">", escaped(name));
        for Card { title, about, address, picture } in cards {
            let _ = writeln!(
                body,
                "<li><a href=\"{}\"><span aria-hidden=\"true\">{picture}</span><strong>{}</strong>\
                 <small>{}</small></a></li>",
                escaped(address),
                escaped(title),
                escaped(about)
            );
        }
        body.push_str("</ul>\n");
    }
    page(PageKind::Gallery, title, &body)
}
