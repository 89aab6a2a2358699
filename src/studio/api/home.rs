//! What can be opened: files, drafts, the games that come with the program, templates.

use crate::program::templates;
use crate::studio::folder::{Listed, written};
use crate::studio::{Origin, Studio};
use ludwright::catalog;
use ludwright::desk::requests::pictures::thumbnail;
use serde_json::{Value, json};
use std::sync::OnceLock;

/// Lists what can be opened.
pub fn home(studio: &Studio) -> Value {
    let listing = studio.folder.list();
    let titled = studio.folder.titles(listing.files.iter());
    let files = titled.iter().map(|file| {
        let Listed { path, kind } = file.listed;
        json!({ "path": written(path), "title": file.title, "kind": kind })
    });
    let first = match &studio.first {
        Some(Origin::File(path)) => json!({ "path": written(path) }),
        Some(Origin::Shipped(name)) => json!({ "shipped": name }),
        Some(Origin::New) | None => Value::Null,
    };
    let drafts = studio.drafts.as_ref().map(|drafts| drafts.list(&studio.folder));
    let templates = templates::beginnings().map(|template| {
        json!({ "name": template.name, "title": template.title, "summary": template.summary })
    });
    json!({
        "folder": studio.folder.root().display().to_string(),
        "readOnly": studio.is_read_only,
        "first": first,
        "files": files.collect::<Vec<Value>>(),
        "more": listing.is_cut,
        "games": games(),
        "templates": templates.collect::<Vec<Value>>(),
        "drafts": drafts.unwrap_or_default(),
    })
}

/// Describes the games that come with the program, each with a picture from the middle of a game.
/// The result never changes, so it is computed once.
pub fn games() -> &'static Value {
    static GAMES: OnceLock<Value> = OnceLock::new();
    GAMES.get_or_init(|| {
        let game = |(number, entry): (usize, catalog::Entry)| {
            let game = ludwright::load(entry.sources(), &[]).ok()?;
            let picture = thumbnail(&game, &format!("game{number}-"))?;
            Some(json!({
                "name": entry.name,
                "title": game.rules().title,
                "summary": catalog::summary(game.rules()),
                "group": entry.group,
                "picture": picture,
            }))
        };
        catalog::entries().into_iter().enumerate().filter_map(game).collect()
    })
}
