//! The text of a desk: edited, saved, laid out.

use super::{Arguments, Refused};
use crate::studio::folder::{hash, plain, written};
use crate::studio::{DeskCell, Origin, Studio, lock, replay, thinking};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;

/// The most options that a page can set; each that does not fit costs a check.
const MAX_OPTIONS: usize = 100;

/// Takes the text as it is being written, keeps it, checks it, and goes on with the game.
pub fn edit(
    studio: &Arc<Studio>,
    cell: &Arc<DeskCell>,
    arguments: &Arguments,
) -> Result<Value, Refused> {
    let text = arguments.rules()?;
    let options = arguments.maybe_pairs("options")?;
    if options.as_ref().is_some_and(|options| options.len() > MAX_OPTIONS) {
        return Err(format!("expected at most {MAX_OPTIONS} options").into());
    }
    let revision = arguments.number("revision").unwrap_or(0) as u64;
    let mut desk = lock(&cell.desk);
    desk.edit(text, options, &studio.folder);
    desk.revision = revision;
    let is_kept = studio.keep(&cell.id, &mut desk);
    drop(desk);
    replay::begin(studio, cell);
    thinking::wake(studio, cell);
    let desk = lock(&cell.desk);
    let (check, game) = (desk.describe_check(), desk.describe_game());
    Ok(json!({ "revision": revision, "kept": is_kept, "check": check, "game": game }))
}

/// Writes the text to its file, or to another one.
pub fn save(
    studio: &Arc<Studio>,
    cell: &Arc<DeskCell>,
    arguments: &Arguments,
) -> Result<Value, Refused> {
    if studio.is_read_only {
        return Err(Refused {
            status: 403,
            message: "this studio was started with `--read-only`; nothing is saved".to_owned(),
        });
    }
    let text = arguments.rules()?;
    let mut desk = lock(&cell.desk);
    let path = match (arguments.maybe_text("path"), &desk.draft.origin) {
        (Some(path), _) => studio.folder.inside(&with_ending(path))?,
        (None, Origin::File(path)) => path.clone(),
        (None, _) => return Err("choose a name for the file first".into()),
    };
    let is_own = desk.draft.origin == Origin::File(path.clone());
    let there = match studio.root().join(&path).symlink_metadata() {
        Ok(_) => Some(studio.folder.read_raw(&path)?),
        Err(_) => None,
    };
    let known = arguments.maybe_text("disk").filter(|_| is_own);
    if let Some(there) = there.as_ref().map(|there| plain(there))
        && there != text
        && known != Some(&hash(&there))
        && !arguments.flag("overwrite")
    {
        let disk = hash(&there);
        return Ok(json!({ "conflict": { "text": there, "disk": disk, "path": written(&path) } }));
    }
    // A file whose lines end as on Windows stays one.
    let is_windows = there
        .is_some_and(|there| there.contains("\r\n") && !there.replace("\r\n", "").contains('\n'));
    let ended = if is_windows { text.replace('\n', "\r\n") } else { text.clone() };
    studio.folder.write(&path, &ended)?;
    let disk = hash(&text);
    desk.draft.disk = Some(text.clone());
    desk.draft.origin = Origin::File(path.clone());
    if !is_own || text != desk.draft.text {
        desk.draft.text = text;
        desk.check(&studio.folder);
    }
    studio.keep(&cell.id, &mut desk);
    let (check, title) = (desk.describe_check(), desk.title());
    drop(desk);
    replay::begin(studio, cell);
    thinking::wake(studio, cell);
    Ok(json!({ "path": written(&path), "disk": disk, "check": check, "title": title }))
}

/// Adds the ending of rules files where it is missing.
fn with_ending(path: &str) -> String {
    match PathBuf::from(path).extension() {
        Some(end) if end == "game" => path.to_owned(),
        _ => format!("{path}.game"),
    }
}
