//! The studio as a page: its requests besides those of a desk. The browser stores the files and
//! drafts; the module reads, names and checks them.

use super::asking;
use crate::analysis::{Effort, examine};
use crate::desk::jobs::{CaseText, Cases};
use crate::desk::requests::pictures;
use crate::desk::requests::rework::{self, Relative, TextAbout};
use crate::desk::requests::share::Subject;
use crate::desk::requests::{Arguments, Refused};
use crate::desk::{Bundle, Desk, Draft, Files, ModulePlace, Origin};
use crate::editor::outline;
use crate::notation::clip;
use crate::play::variations::Variations;
use crate::record::Record;
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::PathBuf;

/// The endings of rules files, records, rule cases, and the folders of cases.
const RULES: &str = ".game";
const RECORD: &str = ".record";
const CASE: &str = ".case";
const CASES: &str = ".cases/";

/// Lists rules files and records, each with the title of its game.
pub fn titles(bundle: &Bundle) -> Value {
    let listed = bundle.files().filter(|(name, _)| !name.ends_with(CASE));
    let described = listed.map(|(name, text)| {
        let (kind, title) = match name.ends_with(RECORD) {
            true => ("record", Record::parse(text).ok().and_then(|record| record.game)),
            false => ("game", outline::title(text).map(|(title, _)| title)),
        };
        json!({ "path": name, "title": title, "kind": kind })
    });
    described.collect()
}

/// Lists the rule cases of the page's own file: their names and texts.
fn cases_of(bundle: &Bundle) -> Vec<(&str, &str)> {
    let folder = bundle.name().strip_suffix(RULES).map(|stem| format!("{stem}{CASES}"));
    let own = |(name, text)| {
        let case = str::strip_prefix(name, folder.as_deref()?)?.strip_suffix(CASE)?;
        Some((case, text))
    };
    let mut cases: Vec<(&str, &str)> = bundle.files().filter_map(own).collect();
    cases.sort();
    cases
}

/// Lists the rule cases of the page's own file for a run.
pub fn cases(bundle: &Bundle) -> Cases {
    let folder = bundle.name().strip_suffix(RULES).map(|stem| format!("{stem}.cases"));
    let own = |(name, text): (&str, &str)| (name.to_owned(), Some(text.to_owned()));
    let texts: Vec<CaseText> = cases_of(bundle).into_iter().map(own).collect();
    Cases { of: texts.len(), folder, texts: Box::new(texts.into_iter()) }
}

/// Runs the rule cases of a `draft`, whose file is the first of `files`, as the studio's server
/// does.
pub fn run_cases(bundle: &Bundle, arguments: &Arguments) -> Result<Value, Refused> {
    asking::run_cases(&mut beside(bundle, arguments)?, cases(bundle))
}

/// Opens a `draft` at a desk of its own, without replaying its game.
fn beside(bundle: &Bundle, arguments: &Arguments) -> Result<Desk, Refused> {
    let draft = arguments.value("draft").and_then(|draft| Draft::deserialize(draft).ok());
    let draft = draft.ok_or("the request lacks `draft`")?;
    Ok(Desk::new(Draft { variations: Variations::new(1), ..draft }, bundle))
}

/// Returns the name under which the browser keeps a rules file or a rule case.
pub fn file_name(arguments: &Arguments) -> Result<Value, Refused> {
    let name = arguments.text("path")?.trim();
    if let Some((stem, case)) = name.split_once(CASES).filter(|_| name.ends_with(CASE)) {
        let is_plain = |part: &str| !part.is_empty() && !part.contains(['/', '\\']);
        let is_name = is_plain(stem) && is_plain(case) && name.len() <= 200;
        return match is_name && !name.contains(char::is_control) {
            true => Ok(json!({ "path": name })),
            false => Err(format!("`{}` is no name for a rule case here", clip(name)).into()),
        };
    }
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

/// Draws the rules.
pub fn picture(bundle: &Bundle, arguments: &Arguments) -> Result<Value, Refused> {
    let name = format!("own{}-", arguments.number("number")?);
    let sources = bundle.gather(&Origin::New, bundle.text());
    Ok(json!({ "picture": pictures::picture(&sources, &name) }))
}

/// Renames in the text of the page, and returns the renamed versions of the browser's other files.
/// `files` are all files of the browser, the page's own first.
pub fn rename(desk: &Desk, bundle: &Bundle, arguments: &Arguments) -> Result<Value, Refused> {
    let title_of = |text: &str| outline::title(text).map(|(title, _)| title);
    let records = |title: Option<String>| {
        let is_own = |text: &str| {
            let game = Record::parse(text).ok().and_then(|record| record.game);
            game.is_some() && game == title
        };
        let own = bundle.files().filter(|(name, text)| name.ends_with(RECORD) && is_own(text));
        own.map(|(name, text)| TextAbout {
            path: name.to_owned(),
            text: text.to_owned(),
            is_case: false,
        })
        .collect::<Vec<TextAbout>>()
    };
    let cases = |bundle: &Bundle| {
        let folder = bundle.name().strip_suffix(RULES).unwrap_or_default().to_owned();
        let cases = cases_of(bundle).into_iter().map(move |(case, text)| TextAbout {
            path: format!("{folder}{CASES}{case}{CASE}"),
            text: text.to_owned(),
            is_case: true,
        });
        cases.collect::<Vec<TextAbout>>()
    };
    let names: Vec<&str> = desk.study.sources.names().collect();
    let mut relatives = Vec::new();
    for (name, text) in bundle.files().skip(1).filter(|(name, _)| name.ends_with(RULES)) {
        let own = bundle.beginning_with(name);
        let sources = own.gather(&Origin::New, text);
        if sources.names().any(|name| names.contains(&name)) {
            let texts = cases(&own).into_iter().chain(records(title_of(text)));
            relatives.push(Relative { sources, texts: texts.collect() });
        }
    }
    let texts = cases(bundle).into_iter().chain(records(title_of(bundle.text()))).collect();
    rework::rename(&desk.study, relatives, texts, arguments)
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

/// Renames the current file to `path`; without a path, the file is gone.
pub fn moved(desk: &mut Desk, bundle: &mut Bundle, arguments: &Arguments) {
    let path = arguments.maybe_text("path");
    path.into_iter().for_each(|path| bundle.rename(path));
    desk.draft.follow(path.map(PathBuf::from));
}

/// Plays the rules of a `draft` without errors for a moment, as the studio's server does. Describes
/// the check with the new findings, or returns `null` if there are none.
pub fn observe(bundle: &Bundle, arguments: &Arguments) -> Result<Value, Refused> {
    let mut desk = beside(bundle, arguments)?;
    if desk.is_faulty() {
        return Ok(Value::Null);
    }
    desk.revision = arguments.number("revision").unwrap_or(0) as u64;
    let found = examine(&desk.study.sources, &desk.draft.options, Effort::Glance);
    desk.observed = found.map_err(|_| "the options do not fit the rules")?.findings;
    let is_new = desk.observed.len() > desk.study.checked.findings.len();
    Ok(if is_new { desk.describe_check() } else { Value::Null })
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

/// Tests if the text is saved nowhere else: neither in a file nor among the page's games.
pub fn is_changed(desk: &Desk, bundle: &Bundle) -> bool {
    match &desk.draft.origin {
        Origin::Shipped(_) => bundle.text() != desk.draft.text,
        Origin::New => !desk.draft.text.trim().is_empty(),
        Origin::File(_) => desk.draft.is_unsaved(),
    }
}
