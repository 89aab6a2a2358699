//! A tree and a word in it in; what the forms around the word say about what can stand there out,
//! by the table of ludemes alone.

use super::path_to;
use crate::language::ludemes::{Kind, Ludeme, Row, Times, rows};
use crate::syntax::{Node, Span, Tree};

/// Where a word stands.
pub(super) struct CursorContext<'t> {
    /// Whether it begins a form.
    pub head: bool,
    /// Whether it stands alone in its form.
    pub alone: bool,
    /// Whether its form has a closing bracket.
    pub closed: bool,
    /// What can stand there, or where its form stands if it begins one.
    pub kinds: Vec<Kind>,
    pub role: WordRole<'t>,
    /// The word of the form that it is in; none outside of all.
    pub parent: Option<&'t str>,
}

/// What a word is there for, where the kinds of arguments do not tell.
pub(super) enum WordRole<'t> {
    /// A ludeme or a name, or an argument like others.
    Argument,
    /// The value of a branch in a case on that.
    Branch(&'t Node),
    /// The type of a parameter.
    ParameterType,
    /// What a memory is kept for each of.
    PerWhat,
    /// The name of an option.
    OptionName,
    /// A value of the option that this node names, or declares.
    ValueOf(&'t Node),
    /// The name or the word of a part of the base.
    BasePart,
    /// The name of something that has a colour.
    Colored,
    /// The name of something that has a shape.
    Shaped,
    /// The name of something that is remembered.
    Hidden,
}

impl<'t> CursorContext<'t> {
    /// Finds out where the word at that place stands; none if there is no word, or it is in no
    /// form.
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

/// The kinds of the slots at which the argument at that place can stand, in any meaning of the
/// form's word.
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

/// The kinds of a row's slots at which the argument with that number can stand.
fn slots_at(row: &'static Row, index: usize) -> impl Iterator<Item = Kind> {
    let (mut least, mut most) = (0, Some(0));
    row.slots.iter().filter_map(move |slot| {
        let first = least;
        least += usize::from(matches!(slot.times, Times::One | Times::Some));
        // A slot that takes any number of arguments takes its own last one no earlier than it can,
        // and leaves no bound to those after it.
        most = match slot.times {
            Times::One | Times::Maybe => most.map(|most| most + 1),
            Times::Some | Times::Any => None,
        };
        (first <= index && most.is_none_or(|most| index < most)).then_some(slot.kind)
    })
}

fn index_in(form: &Node, place: Span) -> Option<usize> {
    form.as_form()?.iter().position(|part| part.span == place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_found_by_their_number() {
        let kinds =
            |ludeme: Ludeme, index: usize| slots_at(ludeme.row(), index).collect::<Vec<Kind>>();
        assert_eq!(kinds(Ludeme::If, 0), [Kind::Condition]);
        assert_eq!(kinds(Ludeme::If, 1), [Kind::Statement, Kind::Else]);
        assert_eq!(kinds(Ludeme::Put, 2), [Kind::Player]);
        assert_eq!(kinds(Ludeme::Put, 3), []);
        assert_eq!(kinds(Ludeme::PieceKind, 1), [Kind::Ownership, Kind::Text]);
        assert_eq!(kinds(Ludeme::MoveRule, 5), [Kind::Parameter, Kind::Statement]);
    }
}
