//! The studio as a page: what it asks for beside the requests of a desk. The browser keeps the files
//! and drafts; the module reads, names and checks them.

use crate::desk::requests::share::Subject;
use crate::desk::requests::{Arguments, Refused};
use crate::desk::{Bundle, Desk, ModulePlace, Origin};
use crate::editor::outline;
use crate::notation::clip;
use crate::record::Record;
use serde_json::{Value, json};
use std::path::PathBuf;

/// The end of the name of a rules file, and of a record.
const RULES: &str = ".game";
const RECORD: &str = ".record";

/// Lists files with the title of each game. Of a record it is the title of the game that was played.
pub fn titles(bundle: &Bundle) -> Value {
    let described = bundle.files().map(|(name, text)| {
        let (kind, title) = match name.ends_with(RECORD) {
            true => ("record", Record::parse(text).ok().and_then(|record| record.game)),
            false => ("game", outline::title(text).map(|(title, _)| title)),
        };
        json!({ "path": name, "title": title, "kind": kind })
    });
    described.collect()
}

/// Returns the name under which the browser keeps a rules file.
pub fn file_name(arguments: &Arguments) -> Result<Value, Refused> {
    let name = arguments.text("path")?.trim();
    let is_plain = |letter: char| !letter.is_control() && !"/\\".contains(letter);
    if name.is_empty() || name.starts_with('.') || name.len() > 200 || !name.chars().all(is_plain) {
        let message = format!(
            "`{}` is no name for a file here; leave out folders and leading dots",
            clip(name)
        );
        return Err(message.into());
    }
    let name = if name.ends_with(RULES) { name.to_owned() } else { format!("{name}{RULES}") };
    Ok(json!({ "path": name }))
}

/// Takes a text that the browser has saved under a name.
pub fn saved(desk: &mut Desk, bundle: &mut Bundle, arguments: &Arguments) -> Result<(), Refused> {
    let text = arguments.rules()?;
    let path = PathBuf::from(arguments.text("path")?);
    let revision = arguments.number("revision").map_or(desk.revision, |number| number as u64);
    desk.draft.disk = Some(text.clone());
    if revision >= desk.revision {
        desk.revision = revision;
        desk.draft.text = text;
    }
    bundle.rename(arguments.text("path")?);
    desk.draft.origin = Origin::File(path);
    desk.check(bundle);
    desk.settle();
    Ok(())
}

/// Writes a file to give away. The page has the module already, in Base64.
pub fn share(desk: &mut Desk, arguments: &Arguments) -> Result<Value, Refused> {
    let is_base64 = |letter: u8| letter.is_ascii_alphanumeric() || b"+/=".contains(&letter);
    let module = arguments.maybe_text("module").filter(|text| text.bytes().all(is_base64));
    let module =
        module.map(ModulePlace::Encoded).ok_or_else(|| Refused::from("there is no module"));
    let subject = Subject::of(desk)?;
    let shared = subject.share(arguments.text("kind")?, &mut std::iter::empty(), module)?;
    Ok(json!({ "name": shared.name, "content": shared.content, "view": null }))
}

/// Tests if a text was written that is nowhere else: neither in a file nor in the games of the page.
pub fn is_changed(desk: &Desk, bundle: &Bundle) -> bool {
    match &desk.draft.origin {
        Origin::Shipped(_) => bundle.text() != desk.draft.text,
        Origin::New => !desk.draft.text.trim().is_empty(),
        Origin::File(_) => desk.draft.is_unsaved(),
    }
}
