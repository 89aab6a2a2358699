//! The syntactic context of the word at the cursor: the kinds that the signatures of the enclosing
//! forms allow there.

use super::path_to;
use crate::language::ludemes::{Kind, Ludeme, Row, Times, rows};
use crate::syntax::{Node, Span, Tree};

/// The context of a word.
pub(super) struct CursorContext<'t> {
    /// Whether it begins a form.
    pub head: bool,
    /// Whether it is alone in its form.
    pub alone: bool,
    /// Whether its form has a closing bracket.
    pub closed: bool,
    /// The kinds allowed for the word; if the word begins a form, for that form.
    pub kinds: Vec<Kind>,
    pub role: WordRole<'t>,
    /// The word of the enclosing form; `None` at the top level.
    pub parent: Option<&'t str>,
}

/// The role of a word, where the kinds of arguments are not enough.
pub(super) enum WordRole<'t> {
    /// A ludeme, a name, or an ordinary argument.
    Argument,
    /// The value of a branch in a case on this subject.
    Branch(&'t Node),
    /// The type of a parameter.
    ParameterType,
    /// The argument of `per`.
    PerWhat,
    /// The name of an option.
    OptionName,
    /// A value of the option that this node names or declares.
    ValueOf(&'t Node),
    /// The name or word of a part of the base game.
    BasePart,
    /// The name of something with a colour.
    Colored,
    /// The name of something with a shape.
    Shaped,
    /// The name of a memory to hide.
    Hidden,
    /// The heading of a definition that a variant adds to, or its name inside the brackets.
    AddedHeading,
    /// A point of a line in this list of a board's lines.
    PointOf(&'t Node),
    /// The name of a player in a team.
    Teammate,
}

impl<'t> CursorContext<'t> {
    /// Determines the context of the word with this span; `None` if there is no such word or no
    /// form contains it.
    pub(super) fn of(tree: &'t Tree, text: &str, word: Span) -> Option<CursorContext<'t>> {
        let path = path_to(&tree.forms, word.start);
        let (last, around) = path.split_last()?;
        let form = *around.last()?;
        if last.span != word || last.as_word().is_none() {
            return None;
        }
        let head = index_in(form, word) == Some(0);
        let (place, parents) =
            if head { (form, &around[..around.len() - 1]) } else { (*last, around) };
        let parent = parents.last().copied();
        let kinds = parent.map_or(vec![Kind::Part], |parent| kinds_at(parent, place.span));
        Some(CursorContext {
            head,
            alone: form.as_form().is_some_and(|parts| parts.len() == 1),
            closed: form.span.text(text).ends_with(')'),
            kinds,
            parent: parent.and_then(|parent| Some(parent.head()?.0)),
            role: role(head, place, parents),
        })
    }
}

fn role<'t>(head: bool, place: &Node, parents: &[&'t Node]) -> WordRole<'t> {
    let Some((&parent, outer)) = parents.split_last() else { return WordRole::Argument };
    let (Some(parts), Some(index)) = (parent.as_form(), index_in(parent, place.span)) else {
        return WordRole::Argument;
    };
    let word = parent.head().map_or("", |(word, _)| word);
    let is = |ludeme: Ludeme| rows(word).any(|row| row.ludeme == ludeme);
    let adds = outer
        .last()
        .and_then(|around| around.head())
        .is_some_and(|(head, _)| head == Ludeme::AddTo.row().spelling);
    let lines = if head { Some(parent) } else { outer.last().copied() };
    let begins = |node: &Node, ludeme: Ludeme| {
        node.head().is_some_and(|(word, _)| rows(word).any(|row| row.ludeme == ludeme))
    };
    if let Some(lines) = lines.filter(|node| begins(node, Ludeme::Lines)) {
        return WordRole::PointOf(lines);
    }
    if lines.is_some_and(|node| begins(node, Ludeme::Teams)) || is(Ludeme::Teams) && !head {
        return WordRole::Teammate;
    }
    if is(Ludeme::Define) && index == 1 && adds {
        return WordRole::AddedHeading;
    }
    if head {
        let in_heading = outer.last().is_some_and(|define| {
            let define_head = define.head().map_or("", |(head, _)| head);
            define_head == Ludeme::Define.row().spelling && index_in(define, parent.span) == Some(1)
        });
        return match parts.get(1) {
            Some(subject) if is(Ludeme::Case) && index >= 2 => WordRole::Branch(subject),
            _ if in_heading => WordRole::ParameterType,
            _ => WordRole::Argument,
        };
    }
    match parts.get(if index == 1 { 2 } else { 1 }) {
        _ if is(Ludeme::Per) && index == 1 => WordRole::PerWhat,
        _ if is(Ludeme::Omit) => WordRole::BasePart,
        _ if (is(Ludeme::DefaultIs) || is(Ludeme::With)) && index == 1 => WordRole::OptionName,
        _ if is(Ludeme::ColorOf) && index == 1 => WordRole::Colored,
        _ if is(Ludeme::ShapeOf) && index == 1 => WordRole::Shaped,
        _ if is(Ludeme::Hide) => WordRole::Hidden,
        Some(option) if is(Ludeme::DefaultIs) || is(Ludeme::With) => WordRole::ValueOf(option),
        Some(option) if is(Ludeme::Option) && index == 3 => WordRole::ValueOf(option),
        Some(other) if is(Ludeme::OptionIs) && other.as_word().is_some() => {
            WordRole::ValueOf(other)
        }
        _ => WordRole::Argument,
    }
}

/// Returns the kinds allowed for the argument with this span, over all meanings of the form's word.
fn kinds_at(form: &Node, place: Span) -> Vec<Kind> {
    let (Some((word, _)), Some(index)) = (form.head(), index_in(form, place)) else {
        return Vec::new();
    };
    let Some(index) = index.checked_sub(1) else { return Vec::new() };
    let mut kinds = Vec::new();
    for row in rows(word).filter(|row| !row.word) {
        for kind in slots_at(row, index) {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
    }
    kinds
}

/// Returns the kinds of the row's slots that can hold the argument with this index.
pub fn slots_at(row: &'static Row, index: usize) -> impl Iterator<Item = Kind> {
    let (mut least, mut most) = (0, Some(0));
    row.slots.iter().filter_map(move |slot| {
        let first = least;
        least += usize::from(matches!(slot.times, Times::One | Times::Some));
        // Optional slots may be empty, so the earliest index of a slot counts only the required
        // slots before it. After a repeatable slot there is no latest index.
        most = match slot.times {
            Times::One | Times::Maybe | Times::Piled => most.map(|most| most + 1),
            Times::Some | Times::Any => None,
        };
        (first <= index && most.is_none_or(|most| index < most)).then_some(slot.kind)
    })
}

fn index_in(form: &Node, place: Span) -> Option<usize> {
    form.as_form()?.iter().position(|part| part.span == place)
}
