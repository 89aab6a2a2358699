//! Opens desks: for a file, a game that comes with the program, a template, or a draft.

use super::{Arguments, Refused, describe};
use crate::program::templates;
use crate::studio::folder::{Folder, head, written};
use crate::studio::{DeskCell, Origin, Studio, access, drafts, lock};
use ludwright::catalog;
use ludwright::desk::{Draft, base_of};
use ludwright::editor::outline;
use ludwright::notation::clip;
use ludwright::play::variations::Variations;
use ludwright::record::Record;
use serde_json::{Value, json};
use std::sync::Arc;

/// Opens a desk and describes it.
pub fn open(studio: &Studio, arguments: &Arguments) -> Result<Value, Refused> {
    if let Some(id) = arguments.maybe_text("desk") {
        return again(studio, id, arguments.flag("copy"));
    }
    let draft = if let Some(id) = arguments.maybe_text("draft") {
        return again(studio, id, false);
    } else if let Some(text) = arguments.maybe_text("record") {
        of_record(studio, text)?
    } else if let Some(path) = arguments.maybe_text("path").filter(|path| path.ends_with(".record"))
    {
        of_record(studio, &studio.folder.read(&studio.folder.inside(path)?)?)?
    } else if let Some(path) = arguments.maybe_text("path") {
        let path = studio.folder.inside(path)?;
        if path.extension().is_none_or(|end| end != "game") {
            return Err("expected a rules file, whose name ends with `.game`".into());
        }
        let text = studio.folder.read(&path)?;
        with_game(studio, draft(studio, Origin::File(path), text)?)
    } else if let Some(name) = arguments.maybe_text("shipped") {
        let entry = catalog::find(name).ok_or("there is no such game")?;
        let origin = Origin::Shipped(entry.name.to_owned());
        with_game(studio, draft(studio, origin, entry.text.to_owned())?)
    } else if let Some(name) = arguments.maybe_text("template") {
        let template = templates::beginnings().find(|template| template.name == name);
        let template = template.ok_or("there is no such template")?;
        let title = arguments.maybe_text("name").unwrap_or("My Game");
        draft(studio, Origin::New, templates::named(template, title))?
    } else {
        draft(studio, Origin::New, String::new())?
    };
    let cell = studio.add_desk(fresh_id()?, draft)?;
    Ok(describe(studio, &cell))
}

/// Continues the game that was played last under the same rules: its plies, seats and options,
/// unless the program was started with other options.
fn with_game(studio: &Studio, draft: Draft) -> Draft {
    let Some(known) = studio.game_of(&draft.origin) else { return draft };
    let options = if draft.options.is_empty() { known.options } else { draft.options };
    Draft { options, seats: known.seats, variations: known.variations, ..draft }
}

/// Makes a draft of a record's game, from the folder or from the games that come with the program,
/// with the plies of the record.
fn of_record(studio: &Studio, text: &str) -> Result<Draft, Refused> {
    let record = Record::parse(text).map_err(|misread| misread.to_string())?;
    let title = record.game.clone().unwrap_or_default();
    let is_title = |text: &str| outline::title(text).is_some_and(|(found, _)| found == title);
    let listing = studio.folder.list();
    let titled = studio.folder.titles(listing.files.iter());
    let found = titled
        .into_iter()
        .find(|file| file.title.as_ref() == Some(&title))
        .and_then(|file| Some((file.text?, file.listed.path.clone())));
    let mut draft = match found {
        Some((text, path)) => draft(studio, Origin::File(path), text)?,
        None => {
            let entry = catalog::entries().into_iter().find(|entry| is_title(entry.text));
            let entry = entry.ok_or_else(|| {
                format!("no rules file of this folder has the title `{}`", clip(&title))
            })?;
            draft(studio, Origin::Shipped(entry.name.to_owned()), entry.text.to_owned())?
        }
    };
    draft.options = record.options.clone();
    draft.variations = Variations::of_record(&record, draft.variations.seed);
    Ok(draft)
}

/// Opens a desk that was open before: in memory, or by its draft. If another tab has the desk open,
/// opens a copy.
fn again(studio: &Studio, id: &str, is_taken: bool) -> Result<Value, Refused> {
    let cell = match studio.find_desk(id) {
        Some(cell) => cell,
        None => restored(studio, id)?,
    };
    if !is_taken && !cell.listeners.has_listener() {
        // Requests of the previous page may still be under way; the new page's text is newer than
        // theirs.
        lock(&cell.desk).revision += 2;
        return Ok(describe(studio, &cell));
    }
    let draft = lock(&cell.desk).draft.clone();
    let copy = studio.add_desk(fresh_id()?, draft)?;
    Ok(describe(studio, &copy))
}

/// Removes a draft, unless a tab has it open.
pub fn forget(studio: &Studio, arguments: &Arguments) -> Result<Value, Refused> {
    let id = arguments.text("draft")?;
    let mut desks = lock(&studio.desks);
    if desks.iter().any(|desk| desk.id == id && desk.listeners.has_listener()) {
        return Err("this draft is open in a tab".into());
    }
    desks.retain(|desk| desk.id != id);
    if let Some(drafts) = &studio.drafts {
        drafts.forget(id);
    }
    Ok(json!({}))
}

/// Makes a desk of a draft.
///
/// # Errors
/// If there is no such draft of this folder.
pub fn restored(studio: &Studio, id: &str) -> Result<Arc<DeskCell>, Refused> {
    let draft = studio.drafts.as_ref().and_then(|drafts| drafts.read(id));
    let draft = draft.filter(|draft| draft.folder == studio.folder.root());
    let gone = || Refused { status: 404, message: "this draft is gone".to_owned() };
    let mut draft = draft.ok_or_else(gone)?;
    if let Origin::File(path) = &draft.origin {
        // The file may have changed in the meantime; an unchanged text is replaced by it.
        if let (Ok(text), false) = (studio.folder.read(path), draft.is_unsaved()) {
            draft.text = text.clone();
            draft.disk = Some(text);
        }
    }
    Ok(studio.add_desk(id.to_ascii_lowercase(), draft)?)
}

/// Makes a draft without plies. If the program was started for this game, the draft has the options
/// from the command line.
fn draft(studio: &Studio, origin: Origin, text: String) -> Result<Draft, Refused> {
    let mut seed = [0; 4];
    getrandom::fill(&mut seed).map_err(|_| "the system gives no random numbers")?;
    let is_first = studio.first.as_ref() == Some(&origin);
    Ok(Draft {
        folder: studio.folder.root().to_owned(),
        disk: origin.file().map(|_| text.clone()),
        shipped: matches!(origin, Origin::Shipped(_)).then(|| text.clone()),
        origin,
        text,
        options: if is_first { studio.options.clone() } else { Vec::new() },
        seats: Vec::new(),
        variations: Variations::new(u64::from(u32::from_le_bytes(seed)) % 1_000_000_000),
        when: drafts::now(),
    })
}

fn fresh_id() -> Result<String, Refused> {
    access::random_name().map_err(|_| "the system gives no random numbers".into())
}

/// Returns the base of a text, if its file is in the folder, and the variants of the text's own
/// file, each with its title.
pub fn relatives(draft: &Draft, folder: &Folder) -> (Option<String>, Vec<Value>) {
    let Some(own) = draft.origin.file() else { return (None, Vec::new()) };
    let beside = |name: &str| written(&own.with_file_name(name));
    let base = base_of(&draft.text).map(|name| beside(&name));
    let listing = folder.list();
    let beside = listing.files.iter().filter(|listed| {
        listed.kind == "game" && listed.path != own && listed.path.parent() == own.parent()
    });
    let name = own.file_name().and_then(|name| name.to_str());
    let variants = folder.titles(beside).into_iter().filter_map(|file| {
        (base_of(head(&file.text?)).as_deref() == name)
            .then(|| json!({ "path": written(&file.listed.path), "title": file.title }))
    });
    (base, variants.collect())
}
