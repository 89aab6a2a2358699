//! Makes changes a variant: a file with the parts in which a text differs from the saved one, and
//! with the saved file as its base.

use crate::editor::CheckedSources;
use crate::language::finding::Severity;
use crate::language::sources::{FetchError, Fetched, Sources};
use crate::syntax::{Node, parse};

/// Heads of parts with a name, which a variant replaces by that name.
const NAMED: &[&str] = &["option", "piece", "hand", "remember", "define", "move"];

/// Writes the variant of a base game with all parts in which `text` differs from it.
///
/// # Errors
/// If the texts do not differ, or the difference cannot be written as a variant.
///
/// ```
/// use ludwright::editor::refactor::variant;
///
/// let base = "(game \"Fill\" (players A B) (board (square 3)) (piece Stone)
///   (move drop (to t (empty)) (put Stone t)) (play (turns (choose drop))))";
/// let variant = variant("fill.game", base, &base.replace("square 3", "square 4"), "Large Fill").unwrap();
/// assert_eq!(variant, "(variant-of \"fill.game\" \"Large Fill\"\n  (board (square 4)))\n");
/// ```
pub fn variant(file: &str, base: &str, text: &str, title: &str) -> Result<String, String> {
    let (before, after) = (parse(base), parse(text));
    let whole = |forms: &[Node], text: &str| -> Option<Vec<(String, String)>> {
        let [form] = forms else { return None };
        let (head, _) = form.head()?;
        if head != "game" {
            return None;
        }
        let parts = form.as_form()?.iter().filter(|node| node.as_form().is_some());
        parts.map(|part| Some((key(part, text)?, part.span.text(text).to_owned()))).collect()
    };
    let no_game = || "only a game that is one file can be the base of a variant".to_owned();
    let before = whole(&before.forms, base).ok_or_else(no_game)?;
    let after = whole(&after.forms, text).ok_or_else(no_game)?;
    let same = |one: &str, other: &str| one.split_whitespace().eq(other.split_whitespace());
    let mut parts: Vec<String> = Vec::new();
    let omitted: Vec<&str> = before
        .iter()
        .filter(|(key, _)| !key.starts_with('('))
        .filter(|(key, _)| !after.iter().any(|(other, _)| other == key))
        .map(|(key, _)| key.split(' ').next_back().unwrap_or_default())
        .collect();
    if !omitted.is_empty() {
        parts.push(format!("(omit {})", omitted.join(" ")));
    }
    for (key, part) in &after {
        let known = before.iter().find(|(other, _)| other == key);
        if known.is_none_or(|(_, known)| !same(known, part)) {
            parts.push(part.clone());
        }
    }
    if parts.is_empty() {
        return Err("nothing was changed since the file was saved".to_owned());
    }
    let title = title.replace('\\', "\\\\").replace('"', "\\\"");
    let written = format!("(variant-of \"{file}\" \"{title}\"\n  {})\n", parts.join("\n\n  "));
    let sources =
        Sources::gather(Fetched::new("variant.game", &*written), &mut |_, wanted| match wanted
            == file
        {
            true => Ok(Fetched::new(file, base)),
            false => Err(FetchError::Unreadable("there is no such file".into())),
        });
    let checked = CheckedSources::of(sources);
    let error =
        checked.checked.findings.iter().find(|finding| finding.severity() == Severity::Error);
    match error {
        Some(finding) => Err(format!("this cannot be written as a variant: {}", finding.message)),
        None => Ok(written),
    }
}

/// Returns the key by which a variant replaces a part: its head, and the name that it declares.
fn key(part: &Node, text: &str) -> Option<String> {
    let (head, _) = part.head()?;
    // A variant keeps the claims of its base, so a claim is identified by its whole text.
    if matches!(head, "claim" | "include") {
        let words: Vec<&str> = part.span.text(text).split_whitespace().collect();
        return Some(words.join(" "));
    }
    if !NAMED.contains(&head) {
        return Some(head.to_owned());
    }
    let heading = part.as_form()?.get(1)?;
    let name = heading.head().map(|(name, _)| name).or_else(|| heading.as_word())?;
    Some(format!("{head} {name}"))
}
