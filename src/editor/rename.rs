//! Renames a declaration and all its uses. The result is checked before it is returned: the renamed
//! game must have no errors, and every name must keep its uses.

use super::CheckedSources;
use crate::language::finding::{Edit, Severity};
use crate::language::names::{Declared, NameKind, Names};
use crate::language::sources::Sources;
use crate::syntax::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Edits by file name, in the order of the text; spans are of that file.
pub type Changes = BTreeMap<String, Vec<Edit>>;

/// Renames what the name at a byte of a file of the first game declares, in the files of all
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::sources::{FetchError, Fetched};

    const BASE: &str = "(game \"Base\" (players White Black) (option Size (range 2 4) 3 \"Side.\") (board (square Size)) (piece Stone)
        (define (Near (site s)) (and (beside s) (mine Stone)))
        (move drop (to t (empty)) (require (or (none (mine)) (any (Near t)))) (put Stone t)) (play (turns (choose drop))))";
    const VARIANT: &str = "(variant-of \"base.game\" \"Variant\" (define (Near (site s)) (beside s)) (default Size 4) (piece Stone \"o\" \"x\"))";

    fn study(name: &str) -> CheckedSources {
        let text = |name: &str| match name {
            "base.game" => Some(BASE),
            "variant.game" => Some(VARIANT),
            _ => None,
        };
        let fetch = &mut |_: &str, name: &str| match text(name) {
            Some(text) => Ok(Fetched::new(name, text)),
            None => Err(FetchError::Outside),
        };
        CheckedSources::of(Sources::gather(Fetched::new(name, text(name).expect("a file")), fetch))
    }

    #[test]
    fn a_name_changes_in_all_files_that_speak_of_it() {
        let games = [study("base.game"), study("variant.game")];
        let changes =
            rename(&games, 0, BASE.find("Size").expect("a name"), "Side").expect("a good name");
        let counts: Vec<(&str, usize)> =
            changes.iter().map(|(file, edits)| (file.as_str(), edits.len())).collect();
        assert_eq!(counts, [("base.game", 2), ("variant.game", 1)]);
    }

    #[test]
    fn what_is_renamed_means_the_same() {
        let games = [study("base.game")];
        let at = |what: &str| BASE.find(what).expect("it is there");
        for (place, to, expected) in [
            (at("Size"), "size", Err("`size` would be the name of the option")),
            (
                at("drop"),
                "Drop",
                Err("`Drop` would be a verb, which begins with a lower-case letter"),
            ),
            (at("Size"), "White", Err("`White` is already the name of a player")),
            (at("s))"), "mover", Err("`mover` is a word of the language")),
            (at("t (empty)"), "a1", Err("`a1` is spelled like a site")),
            (at("Size"), "Two Words", Err("`Two Words` is not a name")),
            (at("Size"), "", Err("`` is not a name")),
            (at("empty"), "x", Err("there is no name here")),
            (at("t (empty)"), "target", Ok(3)),
            (at("drop"), "place", Ok(2)),
            (at("White"), "Light", Ok(1)),
        ] {
            let changes = rename(&games, 0, place, to);
            match (changes, expected) {
                (Ok(changes), Ok(count)) => assert_eq!(changes["base.game"].len(), count, "{to}"),
                (Err(why), Err(beginning)) => assert!(why.starts_with(beginning), "{why}"),
                (changes, _) => panic!("{to}: {changes:?}"),
            }
        }
    }
}
