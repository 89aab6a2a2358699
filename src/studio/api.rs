//! The requests of the page: names, arguments and answers are JSON.

mod files;
pub mod home;
mod open;
mod rework;
mod seats;
mod share;
mod write;

pub use ludwright::desk::requests::{Arguments, Refused};

pub use share::view;

use super::folder::{hash, written};
use super::{DeskCell, Studio, jobs, lock, thinking};
use crate::program::module::MODULE;
use ludwright::desk::requests::{assist, change, explain, look, lookup, rework as reworking};
use ludwright::editor::CheckedSources;
use serde_json::{Value, json};
use std::sync::Arc;

/// Answers a request.
pub fn call(studio: &Arc<Studio>, name: &str, body: &[u8]) -> Result<Value, Refused> {
    let arguments = Arguments::parse(body)?;
    match name {
        "home" => return Ok(home::home(studio)),
        "open" => return open::open(studio, &arguments),
        "forget" => return open::forget(studio, &arguments),
        "write" => return rework::write(studio, &arguments),
        "picture" => return files::picture(studio, &arguments),
        "changeFile" => return files::change(studio, &arguments),
        "restoreFile" => return files::restore(studio, &arguments),
        "create" => return rework::create(studio, &arguments),
        _ => {}
    }
    let gone =
        || Refused { status: 404, message: "this tab is not known; load it again".to_owned() };
    let cell = arguments.maybe_text("desk").and_then(|id| desk(studio, id)).ok_or_else(gone)?;
    match name {
        "edit" => write::edit(studio, &cell, &arguments),
        "save" => write::save(studio, &cell, &arguments),
        "stopThinking" => Ok(seats::stop(&cell)),
        "hint" => seats::hint(&cell),
        "evaluate" => Ok(seats::evaluate(&cell, &arguments)),
        "job" => jobs::start(studio, &cell, &arguments),
        "jobs" => Ok(jobs::list(studio, &cell)),
        "stop" => jobs::stop(studio, &cell, &arguments),
        "share" => share::share(studio, &cell, &arguments),
        // The desk stays free for other requests while one of these is answered.
        "complete" => assist::complete(&study(&cell), &arguments),
        "hover" => assist::hover(&study(&cell), &arguments),
        "signature" => assist::signature(&study(&cell), &arguments),
        "light" => {
            let lit = explain::Lit::of(&lock(&cell.desk));
            explain::light(&lit, &arguments)
        }
        "rename" => rework::rename(studio, &cell, &arguments),
        "offers" => reworking::offers(&study(&cell), &arguments),
        "rework" => reworking::rework(&study(&cell), &arguments),
        "find" => lookup::find(&arguments),
        "contents" => Ok(lookup::contents()),
        "recipe" => {
            let options = lock(&cell.desk).draft.options.clone();
            assist::recipe(&study(&cell), &options, &arguments)
        }
        "explain" => lookup::explain(&arguments),
        _ => {
            let looked = look(&mut lock(&cell.desk), name, &arguments);
            looked.unwrap_or_else(|| changed(studio, &cell, name, &arguments))
        }
    }
}

/// Returns the text of a desk, checked.
fn study(cell: &DeskCell) -> Arc<CheckedSources> {
    Arc::clone(&lock(&cell.desk).study)
}

/// Changes the game of a desk, saves it, describes it, and lets programs play.
fn changed(
    studio: &Arc<Studio>,
    cell: &Arc<DeskCell>,
    name: &str,
    arguments: &Arguments,
) -> Result<Value, Refused> {
    let mut desk = lock(&cell.desk);
    let changed = match name {
        "take" => Some(Ok(desk.take(arguments.text("text")?, &studio.folder)?)),
        _ => change(&mut desk, name, arguments),
    };
    let note = changed.unwrap_or_else(|| {
        Err(Refused { status: 404, message: "there is no such request".to_owned() })
    })?;
    studio.keep(&cell.id, &mut desk);
    drop(desk);
    thinking::interrupt(cell);
    thinking::wake(studio, cell);
    let mut answer = json!({ "game": lock(&cell.desk).describe_game() });
    if let Some(note) = note {
        answer["note"] = json!(note);
    }
    Ok(answer)
}

/// Finds a desk: in memory, or else by its draft.
pub fn desk(studio: &Studio, id: &str) -> Option<Arc<DeskCell>> {
    studio.find_desk(id).or_else(|| open::restored(studio, id).ok())
}

/// Describes all of a desk.
fn describe(studio: &Studio, cell: &DeskCell) -> Value {
    let desk = lock(&cell.desk);
    let disk = desk.draft.disk.as_ref();
    let (base, variants) = open::relatives(&desk.draft, &studio.folder);
    json!({
        "desk": cell.id,
        "path": desk.draft.origin.file().map(written),
        "text": desk.draft.text,
        "disk": disk.map(|text| hash(text)),
        "savedText": disk,
        "draft": desk.draft.is_unsaved(),
        "shipped": desk.draft.shipped.as_ref(),
        "readOnly": studio.is_read_only,
        "hasModule": MODULE.is_some(),
        "title": desk.title(),
        "base": base,
        "variants": variants,
        "check": desk.describe_check(),
        "game": desk.describe_game(),
    })
}
