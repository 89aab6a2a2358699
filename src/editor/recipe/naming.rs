//! The names of a recipe in a game: its declarations, the new names for those that clash with the
//! game, and the parts that the game already has.

use super::OWN_PIECE;
use crate::editor::outline::OutlinePart;
use crate::language::finding::Edit;
use crate::language::ludemes::Ludeme;
use crate::language::recipes::Recipe;
use crate::language::sources::Sources;
use crate::syntax::{Node, Span, parse};
use std::collections::{BTreeMap, BTreeSet};

/// Returns the word of a part and the name that it declares.
pub(super) fn declaration(part: &Node) -> Option<(String, String)> {
    let (head, _) = part.head()?;
    if !matches!(head, "option" | "piece" | "hand" | "remember" | "define" | "move") {
        return None;
    }
    let heading = part.as_form()?.get(1)?;
    let name = heading.head().map(|(name, _)| name).or_else(|| heading.as_word())?;
    Some((head.to_owned(), name.to_owned()))
}

/// Returns new names for the recipe's names that clash with the game's, and the parts of the recipe
/// that the game already has.
pub(super) fn renamings(
    sources: &Sources,
    declared: &[(usize, OutlinePart)],
    recipe: &Recipe,
) -> (BTreeMap<String, String>, BTreeSet<Span>) {
    let words = |text: &str| text.split_whitespace().collect::<Vec<&str>>().join(" ");
    let of =
        |(file, part): &(usize, OutlinePart)| part.span.text(sources.text_of(*file)).to_owned();
    let is_declaring = |part: &OutlinePart| {
        matches!(
            part.row.ludeme,
            Ludeme::Players
                | Ludeme::Option
                | Ludeme::PieceKind
                | Ludeme::Hand
                | Ludeme::Remember
                | Ludeme::Define
                | Ludeme::MoveRule
        )
    };
    let names: Vec<&str> = declared
        .iter()
        .filter(|(_, part)| is_declaring(part))
        .map(|(_, part)| part.name.as_str())
        .collect();
    let tree = parse(recipe.parts);
    let own: Vec<String> =
        tree.forms.iter().filter_map(declaration).map(|(_, name)| name).collect();
    let (mut renamed, mut reused) = (BTreeMap::new(), BTreeSet::new());
    for part in &tree.forms {
        let Some((head, name)) = declaration(part) else { continue };
        if !names.contains(&name.as_str()) {
            continue;
        }
        let is_same = |other: &&(usize, OutlinePart)| {
            words(&of(other)) == words(part.span.text(recipe.parts))
        };
        if declared.iter().find(is_same).is_some() {
            reused.insert(part.span);
            continue;
        }
        let dash = if head == "move" { "-" } else { "" };
        let is_free = |new: &String| !names.contains(&new.as_str()) && !own.contains(new);
        let fresh = (2..).map(|number| format!("{name}{dash}{number}")).find(is_free);
        renamed.extend(fresh.map(|new| (name, new)));
    }
    // The recipe's undeclared `Stone` stands for a piece of the game; so does the only piece that
    // the recipe's complete game declares.
    let is_piece = |part: &&(usize, OutlinePart)| part.1.row.ludeme == Ludeme::PieceKind;
    let pieces = || declared.iter().filter(is_piece);
    let frame = parse(recipe.frame);
    let framed: Vec<String> = frame
        .forms
        .iter()
        .filter_map(declaration)
        .filter_map(|(head, name)| (head == "piece").then_some(name))
        .collect();
    let needed = match &framed[..] {
        [only] => only,
        _ => OWN_PIECE,
    };
    if !own.iter().any(|name| name == needed) && !names.contains(&needed) {
        let owned = pieces().find(|piece| !of(piece).contains("unowned")).or(pieces().next());
        renamed.extend(owned.map(|(_, piece)| (needed.to_owned(), piece.name.clone())));
    }
    (renamed, reused)
}

/// Replaces words of rules.
pub(super) fn with_words(rules: &str, words: &BTreeMap<String, String>) -> String {
    fn collect(node: &Node, words: &BTreeMap<String, String>, edits: &mut Vec<Edit>) {
        let new = node.as_word().and_then(|word| words.get(word));
        edits.extend(new.map(|new| Edit { span: node.span, text: new.clone() }));
        node.as_form().into_iter().flatten().for_each(|node| collect(node, words, edits));
    }
    let mut edits = Vec::new();
    parse(rules).forms.iter().for_each(|form| collect(form, words, &mut edits));
    let mut text = rules.to_owned();
    for edit in edits.iter().rev() {
        text.replace_range(edit.span.start..edit.span.end, &edit.text);
    }
    text
}
