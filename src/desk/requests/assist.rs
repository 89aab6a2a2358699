//! Help while writing: completion, the word at a place, recipes.

use super::{Arguments, Refused};
use crate::desk::offsets::Offsets;
use crate::editor::CheckedSources;
use crate::editor::candidates::CandidateKind;
use crate::editor::completion::complete as candidates;
use crate::editor::recipe;
use crate::language::finding::Edit;
use crate::language::recipes::recipes as all_recipes;
use crate::language::sources::Sources;
use crate::syntax::Span;
use serde_json::{Value, json};
use std::sync::Arc;

/// The most candidates that are sent.
const MAX_CANDIDATES: usize = 200;

/// The text of the page with the files that it names, and the byte that the request is about.
struct Pointed {
    sources: Sources,
    offsets: Offsets,
    byte: usize,
}

/// Returns the text of the page with the files that it names.
pub(super) fn written(study: &CheckedSources, arguments: &Arguments) -> Result<Sources, Refused> {
    let text = arguments.rules()?;
    let sources = study.sources.clone();
    Ok(if sources.text_of(0) == text { sources } else { with_own_text(&sources, text) })
}

impl Pointed {
    fn new(study: &CheckedSources, arguments: &Arguments) -> Result<Pointed, Refused> {
        let sources = written(study, arguments)?;
        let offsets = Offsets::new(sources.text_of(0));
        let byte = offsets.byte(arguments.number("at")?);
        Ok(Pointed { sources, offsets, byte })
    }
}

/// Replaces the text of the first file.
pub fn with_own_text(sources: &Sources, text: String) -> Sources {
    let start = sources.byte_of(0, 0);
    let span = Span::new(start, start + sources.text_of(0).len());
    sources.spliced(&Edit { span, text })
}

/// Returns the checked text; reuses the known result if the text is the same.
fn checked(known: &Arc<CheckedSources>, sources: Sources) -> Arc<CheckedSources> {
    match known.sources.text() == sources.text() {
        true => Arc::clone(known),
        false => Arc::new(CheckedSources::of(sources)),
    }
}

/// Lists the completions at a place.
pub fn complete(study: &Arc<CheckedSources>, arguments: &Arguments) -> Result<Value, Refused> {
    let Pointed { sources, offsets, byte } = Pointed::new(study, arguments)?;
    let found = candidates(&sources, 0, byte);
    let items = found.candidates.into_iter().take(MAX_CANDIDATES).map(|candidate| {
        let kind = match candidate.kind {
            CandidateKind::Ludeme => "ludeme",
            CandidateKind::Word => "word",
            CandidateKind::Name(name) => name.word(),
            CandidateKind::Site => "site",
            CandidateKind::Direction => "direction",
            CandidateKind::Value => "value",
            CandidateKind::Recipe => "recipe",
        };
        json!({
            "label": candidate.label, "kind": kind, "detail": untyped(&candidate.detail),
            "documentation": untyped_code(&candidate.about), "snippet": candidate.snippet,
        })
    });
    Ok(json!({
        "from": offsets.unit(found.span.start),
        "to": offsets.unit(found.span.end),
        "items": items.collect::<Vec<Value>>(),
    }))
}

/// Returns the usage of a form without types: `(beside of: sites directions?: directions) -> sites`
/// keeps only the names of its places. Beginners need not know what a form is; the manual explains
/// it.
fn untyped(usage: &str) -> String {
    let form = usage.split(" -> ").next().unwrap_or_default();
    let mut words = form.split(' ');
    let mut shown = words.next().unwrap_or_default().to_owned();
    let mut is_typed = false;
    for word in words {
        // A type can have several words and brackets.
        let name = word.strip_suffix(':').map(|name| name.trim_end_matches('?'));
        is_typed |= name.is_some();
        if name.is_some() || !is_typed {
            shown.extend([" ", name.unwrap_or(word)]);
        }
    }
    if is_typed {
        shown.push(')');
    }
    shown
}

/// Applies [`untyped`] to the lines of code in a Markdown text.
fn untyped_code(text: &str) -> String {
    let is_usage = |line: &str| line.contains(" -> ") && !line.contains('`');
    let line = |line: &str| if is_usage(line) { untyped(line) } else { line.to_owned() };
    text.split('\n').map(line).collect::<Vec<String>>().join("\n")
}

/// Describes the word at a place.
pub fn hover(study: &Arc<CheckedSources>, arguments: &Arguments) -> Result<Value, Refused> {
    let Pointed { sources, offsets, byte } = Pointed::new(study, arguments)?;
    let Some(hover) = checked(study, sources).hover(0, byte) else { return Ok(json!({})) };
    Ok(json!({ "at": offsets.range(hover.span), "markdown": hover.text }))
}

/// Describes the form that is being written at a place, and which of its arguments.
pub fn signature(study: &Arc<CheckedSources>, arguments: &Arguments) -> Result<Value, Refused> {
    let Pointed { sources, byte, .. } = Pointed::new(study, arguments)?;
    let Some(help) = checked(study, sources).signature(0, byte) else { return Ok(json!({})) };
    let Some(signature) = help.signatures.get(help.active) else { return Ok(json!({})) };
    let offsets = Offsets::new(&signature.label);
    let parts = signature.parameters.iter().map(|parameter| offsets.range(parameter.span));
    let active = signature.active.and_then(|active| signature.parameters.get(active));
    Ok(json!({
        // Beginners need not know what a form is; the manual says it.
        "label": signature.label.split(" -> ").next(),
        "parts": parts.collect::<Vec<Value>>(),
        "active": signature.active,
        "documentation": signature.documentation,
        "argument": active.map(|parameter| &parameter.documentation),
    }))
}

/// Returns the edits that insert the parts of a recipe into the text of the page. If the recipe's
/// name was typed `at` a place, the edits remove it. The `cursor` chooses the move that the recipe
/// changes.
pub fn recipe(
    study: &CheckedSources,
    options: &[(String, String)],
    arguments: &Arguments,
) -> Result<Value, Refused> {
    let title = arguments.text("title")?;
    let recipe = all_recipes().find(|recipe| recipe.title() == title);
    let recipe = recipe.ok_or("there is no such recipe")?;
    let sources = written(study, arguments)?;
    let offsets = Offsets::new(sources.text_of(0));
    let edits = match arguments.has("at") {
        false => {
            let cursor = arguments.number("cursor").ok().map(|cursor| offsets.byte(cursor));
            recipe::insert(&sources, 0, cursor, options, recipe)
        }
        true => {
            let at = offsets.byte(arguments.number("at")?);
            let name = recipe::name_at(sources.text_of(0), at);
            let name = name.ok_or("no recipe is named here")?;
            match recipe::complete(&sources, 0, name, options, recipe) {
                Some(mut edits) => {
                    edits.push(Edit { span: name, text: String::new() });
                    edits
                }
                None => vec![recipe::replace(&sources, 0, name, options, recipe)],
            }
        }
    };
    let changes =
        edits.into_iter().map(|edit| json!({ "at": offsets.range(edit.span), "text": edit.text }));
    Ok(json!({ "changes": changes.collect::<Vec<Value>>() }))
}
