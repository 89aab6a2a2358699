//! The text of a desk: edited, saved, laid out.

use super::{Arguments, Refused};
use crate::studio::folder::{Saved, hash, plain, written};
use crate::studio::{DeskCell, Origin, Studio, lock, replay, thinking};
use ludwright::desk::Desk;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;

/// The most options that a page can set; each that does not fit costs a check.
const MAX_OPTIONS: usize = 100;

/// Takes the text as it is being written, saves and checks it, and continues the game. A text that
/// arrives after a newer one is ignored.
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
    if revision < desk.revision {
        return Ok(edited(&desk, revision, true));
    }
    desk.edit(text, options, &studio.folder);
    desk.revision = revision;
    let is_kept = studio.keep(&cell.id, &mut desk);
    drop(desk);
    replay::begin(studio, cell);
    thinking::wake(studio, cell);
    Ok(edited(&lock(&cell.desk), revision, is_kept))
}

fn edited(desk: &Desk, revision: u64, is_kept: bool) -> Value {
    let (check, game) = (desk.describe_check(), desk.describe_game());
    json!({ "revision": revision, "kept": is_kept, "check": check, "game": game })
}

/// Writes the text to its file, or to another one. The desk takes over this text, unless it already
/// has a newer one.
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
    let known = arguments.maybe_text("disk").filter(|_| is_own);
    let may_overwrite = arguments.flag("overwrite");
    let decide = |there: Option<&str>| {
        let Some(there) = there else { return Some(text.clone()) };
        let plainly = plain(there);
        if plainly != text && known != Some(&hash(&plainly)) && !may_overwrite {
            return None;
        }
        // A file with Windows line ends keeps them.
        let is_windows = there.contains("\r\n") && !there.replace("\r\n", "").contains('\n');
        Some(if is_windows { text.replace('\n', "\r\n") } else { text.clone() })
    };
    if let Saved::Refused(there) = studio.folder.save(&path, &decide)? {
        let there = plain(&there);
        let disk = hash(&there);
        return Ok(json!({ "conflict": { "text": there, "disk": disk, "path": written(&path) } }));
    }
    if !is_own {
        studio.keep_beside(&desk.draft);
    }
    let disk = hash(&text);
    desk.draft.disk = Some(text.clone());
    desk.draft.origin = Origin::File(path.clone());
    let revision = arguments.number("revision").map_or(desk.revision, |number| number as u64);
    let is_newest = revision >= desk.revision;
    if is_newest {
        desk.revision = revision;
    }
    if !is_own || is_newest && text != desk.draft.text {
        if is_newest {
            desk.draft.text = text;
        }
        desk.check(&studio.folder);
    }
    studio.keep(&cell.id, &mut desk);
    let (check, title) = (desk.describe_check(), desk.title());
    drop(desk);
    replay::begin(studio, cell);
    thinking::wake(studio, cell);
    Ok(json!({ "path": written(&path), "disk": disk, "check": check, "title": title }))
}

/// Adds the ending of rules files if it is missing.
fn with_ending(path: &str) -> String {
    match PathBuf::from(path).extension() {
        Some(end) if end == "game" => path.to_owned(),
        _ => format!("{path}.game"),
    }
}
