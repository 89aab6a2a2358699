//! Renames a declaration and all its uses. The result is checked before it is returned: the renamed
//! game must have no errors, and every name must keep its uses.

pub mod texts;

use super::CheckedSources;
use crate::language::finding::{Edit, Severity};
use crate::language::names::{Declared, NameKind, Names};
use crate::language::sources::Sources;
use crate::syntax::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Edits by file name, in the order of the text; spans are relative to the file.
pub type Changes = BTreeMap<String, Vec<Edit>>;

/// Renames the declaration of the name at a byte of a file of the first game, in the files of all
/// `games` that use it.
///
/// # Errors
/// Returns a message if there is no name at the byte, a game has errors that may hide uses, or the
/// new name is not allowed.
pub fn rename(
    games: &[CheckedSources],
    file: usize,
    byte: usize,
    to: &str,
) -> Result<Changes, String> {
    let first = games.first().ok_or("there is no game")?;
    let name = first.name_at(file, byte).ok_or("there is no name here that the rules declare")?;
    fits(name.kind, to)?;
    if name.name == to {
        return Ok(Changes::new());
    }
    // Games that share the file declare the name at the same place.
    let declared = placed(&first.sources, name.span);
    let mut places: BTreeMap<String, BTreeSet<Span>> = BTreeMap::new();
    let mut renamed = Vec::new();
    for game in games {
        let Some(name) = declaration(game, &declared) else { continue };
        if game.is_faulty() {
            return Err(format!(
                "fix the mistakes in {} first: they may hide uses of `{}`",
                short(game.sources.name()),
                name.name
            ));
        }
        for span in std::iter::once(&name.span).chain(&name.uses) {
            let (file, span) = placed(&game.sources, *span);
            places.entry(file).or_default().insert(span);
        }
        renamed.push(game);
    }
    for game in renamed {
        check_renamed(game, &places, to)?;
    }
    let edits = |spans: BTreeSet<Span>| {
        spans.into_iter().map(|span| Edit { span, text: to.to_owned() }).collect()
    };
    Ok(places.into_iter().map(|(file, spans)| (file, edits(spans))).collect())
}

/// Finds the name that a game's file declares at this span.
fn declaration<'g>(
    game: &'g CheckedSources,
    (file, span): &(String, Span),
) -> Option<&'g Declared> {
    let file = game.file_named(file)?;
    game.name_at(file, span.start).filter(|name| game.sources.place(name.span) == (file, *span))
}

fn placed(sources: &Sources, span: Span) -> (String, Span) {
    let (file, span) = sources.place(span);
    (sources.names().nth(file).unwrap_or_default().to_owned(), span)
}

/// Checks that a word is a valid name for this kind.
fn fits(kind: NameKind, to: &str) -> Result<(), String> {
    let tree = crate::syntax::parse(to);
    let is_word =
        tree.faults.is_empty() && matches!(&tree.forms[..], [node] if node.as_word() == Some(to));
    let first = to.chars().next().filter(|first| first.is_alphabetic());
    let Some(first) = first.filter(|_| is_word) else {
        return Err(format!("`{to}` is not a name: a name is a word"));
    };
    let capital = !matches!(kind, NameKind::Variable | NameKind::Move);
    match (capital, first.is_uppercase()) {
        (true, false) => Err(format!(
            "`{to}` would be the name of the {}, and names begin with an upper-case letter",
            kind.word()
        )),
        (false, true) => Err(format!(
            "`{to}` would be a {}, which begins with a lower-case letter",
            if kind == NameKind::Move { "verb" } else { "variable" }
        )),
        _ => Ok(()),
    }
}

/// Checks the game after the renaming: it has no errors, and each name has as many uses as before.
fn check_renamed(
    game: &CheckedSources,
    places: &BTreeMap<String, BTreeSet<Span>>,
    to: &str,
) -> Result<(), String> {
    let mut edits: Vec<Edit> = Vec::new();
    for (file, spans) in places {
        let Some(file) = game.file_named(file) else { continue };
        let start = game.sources.byte_of(file, 0);
        edits.extend(
            spans.iter().map(|span| Edit { span: span.shifted(start), text: to.to_owned() }),
        );
    }
    edits.sort_by_key(|edit| edit.span);
    let sources =
        edits.iter().rev().fold(game.sources.clone(), |sources, edit| sources.spliced(edit));
    let after = CheckedSources::of(sources);
    if let Some(finding) =
        after.checked.findings.iter().find(|finding| finding.severity() == Severity::Error)
    {
        return Err(finding.message.clone());
    }
    let counts = |names: &Names| names.iter().map(|name| name.uses.len()).collect::<Vec<usize>>();
    match counts(&game.checked.names) == counts(&after.checked.names) {
        true => Ok(()),
        false => Err(format!("`{to}` would hide another `{to}`")),
    }
}

fn short(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}
