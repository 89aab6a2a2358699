//! Refactorings of the text of the page: the actions at a selection, and their edits.

use super::assist::written;
use super::{Arguments, Refused};
use crate::cases::Runner;
use crate::desk::offsets::Offsets;
use crate::editor::CheckedSources;
use crate::editor::refactor::{Action, offers as offered, refactor, variant};
use crate::editor::rename::{Changes, rename as renaming, texts::Renamed};
use crate::engine::game::Game;
use crate::language::check;
use crate::language::finding::{Edit, Fix};
use crate::language::sources::Sources;
use crate::syntax::Span;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A text about a game: a rule case or a record.
pub struct TextAbout {
    pub path: String,
    pub text: String,
    pub is_case: bool,
}

/// A game that shares files with the page's game, with the rule cases and records about it.
pub struct Relative {
    pub sources: Sources,
    pub texts: Vec<TextAbout>,
}

/// Lists the refactorings at a selection: the name there, if it can be renamed, and actions.
pub fn offers(study: &Arc<CheckedSources>, arguments: &Arguments) -> Result<Value, Refused> {
    let (study, selection) = selected(study, arguments)?;
    let name = study.name_at(0, selection.start);
    let name = name.map(
        |name| json!({ "name": name.name, "kind": name.kind.word(), "uses": name.uses.len() }),
    );
    let actions = offered(&study, 0, selection).into_iter();
    let actions = actions.map(|action| json!({ "action": action.name(), "title": action.title() }));
    Ok(json!({
        "faulty": study.is_faulty(), "name": name, "actions": actions.collect::<Vec<Value>>(),
    }))
}

/// Returns the edits of an action.
pub fn rework(study: &Arc<CheckedSources>, arguments: &Arguments) -> Result<Value, Refused> {
    let (study, selection) = selected(study, arguments)?;
    let action = arguments.text("action")?;
    let action = Action::ALL.into_iter().find(|known| known.name() == action);
    let action = action.ok_or("there is no such action")?;
    let name = arguments.maybe_text("name").filter(|name| !name.is_empty());
    let edits = refactor(&study, 0, selection, action, name)?;
    Ok(json!({ "changes": changes(study.sources.text_of(0), &edits) }))
}

/// Writes the text of the page as a variant of the saved file.
pub fn make_variant(arguments: &Arguments) -> Result<Value, Refused> {
    let (file, base) = (arguments.text("file")?, arguments.text("base")?);
    let text = variant(file, base, &arguments.rules()?, arguments.text("title")?)?;
    Ok(json!({ "text": text }))
}

/// Renames the declaration at a place in the text of the page, in the relatives, and in texts about
/// them. Nothing is written: the answer has the edits of the page, and the other files before and
/// after.
pub fn rename(
    study: &Arc<CheckedSources>,
    relatives: Vec<Relative>,
    texts: Vec<TextAbout>,
    arguments: &Arguments,
) -> Result<Value, Refused> {
    let (study, selection) = selected(study, arguments)?;
    let to = arguments.text("to")?.trim();
    let name = study.name_at(0, selection.start).ok_or("there is no name here")?;
    let from = name.name.clone();
    let own = study.sources.name().to_owned();
    let mut games = vec![study.as_ref().clone()];
    games.extend(relatives.iter().map(|relative| CheckedSources::of(relative.sources.clone())));
    let renamed = renaming(&games, 0, selection.start, to)?;
    let mut others: BTreeMap<String, (String, String)> = BTreeMap::new();
    for (file, edits) in &renamed {
        let text = games.iter().find_map(|game| Some(game.sources.text_of(game.file_named(file)?)));
        let Some(text) = text.filter(|_| *file != own) else { continue };
        others.insert(file.clone(), (text.to_owned(), applied(text, edits)));
    }
    let mut left = Vec::new();
    let about = std::iter::once(texts).chain(relatives.into_iter().map(|relative| relative.texts));
    for (game, texts) in games.iter().zip(about) {
        let after = with_changes(&game.sources, &renamed);
        if after.text() == game.sources.text() {
            continue;
        }
        let compiled = |sources: &Sources| {
            check(sources, &[]).rules.and_then(|rules| Game::compile(rules).ok())
        };
        let (Some(old), Some(new)) = (compiled(&game.sources), compiled(&after)) else { continue };
        let renamed = Renamed { before: &old, after: &new, from: &from, to };
        let (mut before, mut runner) = (Runner::new(game.sources.clone()), Runner::new(after));
        for TextAbout { path, text, is_case } in texts {
            let changed = match is_case {
                true => renamed.case(&mut before, &mut runner, &text),
                false => renamed.record(&text),
            };
            match changed {
                Some(changed) => drop(others.insert(path, (text, changed))),
                None if text.contains(&from) => left.push(path),
                None => {}
            }
        }
    }
    let edits = renamed.get(&own).cloned().unwrap_or_default();
    let others = others
        .into_iter()
        .map(|(path, (before, after))| json!({ "path": path, "before": before, "text": after }));
    Ok(json!({
        "from": from,
        "changes": changes(study.sources.text_of(0), &edits),
        "others": others.collect::<Vec<Value>>(),
        "left": left,
    }))
}

/// Returns the text of the page, checked, and the selection in it.
fn selected(
    study: &Arc<CheckedSources>,
    arguments: &Arguments,
) -> Result<(Arc<CheckedSources>, Span), Refused> {
    let sources = written(study, arguments)?;
    let offsets = Offsets::new(sources.text_of(0));
    let from = offsets.byte(arguments.number("from")?);
    let end = offsets.byte(arguments.number("end")?).max(from);
    // The desk checks with the current options; the edits use names and uses under the default
    // options.
    Ok((Arc::new(CheckedSources::of(sources)), Span::new(from, end)))
}

fn changes(text: &str, edits: &[Edit]) -> Vec<Value> {
    let offsets = Offsets::new(text);
    let change = |edit: &Edit| json!({ "at": offsets.range(edit.span), "text": edit.text });
    edits.iter().map(change).collect()
}

fn applied(text: &str, edits: &[Edit]) -> String {
    Fix { title: String::new(), edits: edits.to_vec() }.applied(text)
}

/// Applies edits by file name.
fn with_changes(sources: &Sources, changes: &Changes) -> Sources {
    let mut edits: Vec<Edit> = Vec::new();
    for (index, name) in sources.names().enumerate() {
        let start = sources.byte_of(index, 0);
        let shifted = changes.get(name).into_iter().flatten();
        edits.extend(
            shifted
                .map(|Edit { span, text }| Edit { span: span.shifted(start), text: text.clone() }),
        );
    }
    edits.sort_by_key(|edit| edit.span);
    edits.iter().rev().fold(sources.clone(), |sources, edit| sources.spliced(edit))
}
