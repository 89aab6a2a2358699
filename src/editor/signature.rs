//! Signature help: the signature of the form around the cursor, and the argument that is being
//! written.
//!
//! Arguments are assigned to the parameters from left to right: each argument takes the first
//! parameter that can follow the previous one and that accepts the argument's kind, judged by its
//! form or word alone.

use super::candidates::fit;
use super::completion::{BLANK, word_at};
use super::outline::parts;
use super::{CheckedSources, path_to};
use crate::language::explain::literals;
use crate::language::finding::Edit;
use crate::language::ludemes::{Kind, Ludeme, Row, Slot, Times, rows};
use crate::language::names::NameKind;
use crate::language::{Expected, expected};
use crate::syntax::{Node, NodeKind, Span, parse};

/// The signatures of the form around the cursor.
#[derive(Clone, Debug)]
pub struct SignatureHelp {
    /// Never empty: one signature for each meaning of the form's word, in the order of the manual.
    pub signatures: Vec<Signature>,
    /// Index of the signature that fits the place and the arguments best.
    pub active: usize,
}

/// A signature.
#[derive(Clone, Debug)]
pub struct Signature {
    /// On one line, such as `(beside of: sites directions?: directions) -> sites`.
    pub label: String,
    /// What the form means, in Markdown.
    pub documentation: String,
    pub parameters: Vec<SignatureParameter>,
    /// Index of the parameter for the argument at the cursor; `None` if the form takes no argument
    /// there.
    pub active: Option<usize>,
}

/// A parameter of a signature.
#[derive(Clone, Debug)]
pub struct SignatureParameter {
    /// The parameter's span in the label, in bytes.
    pub span: Span,
    /// The description of its type, in Markdown; empty if unknown.
    pub documentation: String,
}

impl CheckedSources {
    /// Describes the innermost form around a byte of a file, if its word has a signature. The word
    /// of a form counts as an argument of the form around it. `None` in a comment and outside all
    /// forms.
    ///
    /// ```
    /// use ludwright::{editor::CheckedSources, language::sources::Sources};
    ///
    /// let text = "(game \"Fill\" (players White Black) (board (square 3)) (piece Stone)
    ///     (move drop (to t (empty)) (put Stone t)) (play (turns (choose drop))))";
    /// let study = CheckedSources::of(Sources::from(text));
    /// let help = study.signature(0, text.find("t))").unwrap()).unwrap();
    /// let signature = &help.signatures[help.active];
    /// assert_eq!(signature.label, "(put piece: kind at: sites owner?: player beneath?: beneath) -> statement");
    /// let active = &signature.parameters[signature.active.unwrap()];
    /// assert_eq!(active.span.text(&signature.label), "at: sites");
    /// ```
    pub fn signature(&self, file: usize, byte: usize) -> Option<SignatureHelp> {
        let text = self.sources.text_of(file);
        let start = self.sources.byte_of(file, 0);
        // Between two arguments, a placeholder stands for the missing one.
        let (sources, at) = match word_at(text, byte) {
            Some(word) if word.is_empty() => {
                let edit = Edit { span: word.shifted(start), text: BLANK.to_owned() };
                (self.sources.spliced(&edit), word.start)
            }
            Some(word) => (self.sources.clone(), word.start),
            None => (self.sources.clone(), byte),
        };
        let text = sources.text_of(file);
        let tree = parse(text);
        let path = path_to(&tree.forms, at);
        if word_at(text, at).is_none() && path.last().is_none_or(|node| node.as_text().is_none()) {
            return None;
        }
        let forms = path.windows(2).enumerate().rev();
        forms.filter(|(depth, _)| has_signature(&path, *depth)).find_map(|(_, pair)| {
            let parts = pair[0].as_form()?;
            let written =
                parts.iter().position(|part| part.span == pair[1].span)?.checked_sub(1)?;
            let (word, span) = pair[0].head()?;
            self.called(word, written).or_else(|| {
                let expected = || expected(&sources, span.shifted(start));
                ludemes(word, &parts[1..], written, expected)
            })
        })
    }

    /// Returns the signature of a definition or memory with parameters.
    fn called(&self, name: &str, written: usize) -> Option<SignatureHelp> {
        let is_called = |kind: NameKind| matches!(kind, NameKind::Definition | NameKind::Memory);
        let known = &self.checked.names;
        let declared = known.iter().find(|known| known.name == name && is_called(known.kind))?;
        let (file, span) = self.sources.place(declared.span);
        let part =
            parts(self.sources.text_of(file)).into_iter().find(|part| part.name_span == span)?;
        if part.arguments.is_empty() {
            return None;
        }
        let mut label = format!("({name}");
        let mut parameters = Vec::new();
        for (kind, name) in &part.arguments {
            label.push(' ');
            let begin = label.len();
            label.push_str(&format!("{name}: {kind}"));
            let kind = Kind::ALL.iter().find(|known| known.spelling() == kind);
            parameters.push(SignatureParameter {
                span: Span::new(begin, label.len()),
                documentation: kind.map_or(String::new(), |kind| kind.doc()),
            });
        }
        label.push(')');
        label.extend(declared.is.map(|kind| format!(" -> {kind}")));
        let signature = Signature {
            label,
            documentation: part.about,
            active: (written < parameters.len()).then_some(written),
            parameters,
        };
        Some(SignatureHelp { signatures: vec![signature], active: 0 })
    }
}

/// Tests if the form at this depth of a path can have a signature: it is no heading, no declaration
/// of a parameter or a player, and no branch of a `case`.
fn has_signature(path: &[&Node], depth: usize) -> bool {
    let around = depth.checked_sub(1).and_then(|depth| path.get(depth));
    let Some((parts, (head, _))) = around.and_then(|form| Some((form.as_form()?, form.head()?)))
    else {
        return true;
    };
    let is = |ludeme: Ludeme| ludeme.row().spelling == head;
    let index = parts.iter().position(|part| part.span == path[depth].span);
    let is_else = path[depth].head().is_some_and(|(head, _)| head == Ludeme::Else.row().spelling);
    let is_heading = is(Ludeme::Define) && index == Some(1);
    let is_branch = is(Ludeme::Case) && index >= Some(2) && !is_else;
    // The forms in a heading declare its parameters.
    let in_heading = depth.checked_sub(2).and_then(|depth| path.get(depth)).is_some_and(|form| {
        form.head().is_some_and(|(head, _)| head == Ludeme::Define.row().spelling)
            && form.as_form().and_then(|parts| parts.get(1)).map(|part| part.span)
                == Some(path[depth - 1].span)
    });
    !is_heading && !is_branch && !in_heading && !is(Ludeme::Players)
}

/// Returns the signatures of a word of the language.
fn ludemes(
    word: &str,
    arguments: &[Node],
    written: usize,
    expected: impl FnOnce() -> Expected,
) -> Option<SignatureHelp> {
    let meanings: Vec<&Row> = rows(word).filter(|row| !row.word).collect();
    let wanted = match meanings.len() {
        0 => return None,
        1 => Vec::new(),
        _ => expected().kinds,
    };
    let assigned: Vec<Assigned> =
        meanings.iter().map(|row| assign(row, arguments, written)).collect();
    let rank = |&index: &usize| {
        let (row, assigned) = (meanings[index], &assigned[index]);
        let unwanted = !wanted.is_empty() && fit(&wanted, row.result).is_none();
        (assigned.slot.is_none(), unwanted, assigned.unfit)
    };
    let active = (0..meanings.len()).min_by_key(rank)?;
    let signatures = meanings.iter().zip(&assigned).map(|(row, assigned)| signature(row, assigned));
    Some(SignatureHelp { signatures: signatures.collect(), active })
}

fn signature(row: &Row, assigned: &Assigned) -> Signature {
    let label = row.full_signature();
    let mut end = 1 + row.spelling.len();
    let parameter = |slot: &Slot| {
        let begin = end + 1;
        end = begin + slot.signature().len();
        SignatureParameter { span: Span::new(begin, end), documentation: slot.kind.doc() }
    };
    let parameters = row.slots.iter().map(parameter).collect();
    let documentation = format!("{}\n\n```ludwright\n{}\n```", row.documentation(), row.example);
    Signature { label, documentation, parameters, active: assigned.slot }
}

/// How the arguments of a form fit a signature.
#[derive(Debug, PartialEq, Eq)]
struct Assigned {
    /// The parameter of the argument at the cursor.
    slot: Option<usize>,
    /// The number of arguments that fit no parameter still open to them.
    unfit: usize,
}

/// Assigns the arguments to the parameters of a row.
fn assign(row: &'static Row, arguments: &[Node], written: usize) -> Assigned {
    let mut assigned = Assigned { slot: None, unfit: 0 };
    // The parameter of the previous argument, and whether it has an argument.
    let (mut current, mut filled) = (0, false);
    for (index, argument) in arguments.iter().enumerate() {
        let is_last = index + 1 == arguments.len();
        let mut possible = row.slots.iter().enumerate().skip(current).take_while(|(at, _)| {
            // All skipped parameters must be optional or have an argument.
            (current..*at).all(|before| {
                filled && before == current
                    || matches!(row.slots[before].times, Times::Maybe | Times::Any | Times::Piled)
            })
        });
        let is_free = |at: usize, slot: &Slot| {
            let is_list = matches!(slot.times, Times::Some | Times::Any)
                // Several sites can be chosen together: `(at s t (empty))`.
                || row.result == Kind::Parameter && slot.kind == Kind::Variable && !is_last;
            !(filled && at == current) || is_list
        };
        let is_blank = argument.as_word() == Some(BLANK);
        let mut first = None;
        let accepting = possible.find(|&(at, slot)| {
            let is_free = is_free(at, slot);
            first = first.or(is_free.then_some(at));
            is_free && (is_blank || accepts(slot.kind, argument))
        });
        let slot = match accepting {
            Some((at, _)) => Some(at),
            None => {
                assigned.unfit += 1;
                first
            }
        };
        if index == written {
            assigned.slot = slot;
        }
        if let Some(at) = slot {
            (current, filled) = (at, true);
        }
    }
    assigned
}

/// Tests if an argument can be of a kind, by its form or word alone: a name that the game declares
/// is accepted as any value.
fn accepts(kind: Kind, argument: &Node) -> bool {
    let is_form_only = kind.is_branch()
        || matches!(
            kind,
            Kind::Part
                | Kind::Parameter
                | Kind::Shape
                | Kind::Values
                | Kind::Addition
                | Kind::LookDetail
                | Kind::Spelling
                | Kind::Circumstance
                | Kind::Assertion
        );
    match &argument.kind {
        NodeKind::Number(_) => matches!(kind, Kind::Number | Kind::OptionValue | Kind::Any),
        NodeKind::Text(_) => matches!(kind, Kind::Text | Kind::Color | Kind::Figure | Kind::Any),
        NodeKind::Word(word) => {
            let is_new = matches!(kind, Kind::Variable | Kind::Verb);
            let listed = match kind {
                Kind::Direction => Vec::new(),
                _ => literals(kind),
            };
            if !listed.is_empty() {
                return listed.contains(&word.as_str());
            }
            let mut known = rows(word).filter(|row| row.word).peekable();
            match known.peek() {
                Some(_) if is_new => false,
                Some(_) => known.any(|row| fit(&[kind], row.result).is_some()),
                None if is_new => word.starts_with(char::is_lowercase),
                None => !is_form_only && !matches!(kind, Kind::Text | Kind::MemoryDetail),
            }
        }
        NodeKind::Form(_) => {
            let meanings = argument.head().map(|(head, _)| rows(head).filter(|row| !row.word));
            let mut meanings = meanings.into_iter().flatten().peekable();
            match (meanings.peek(), kind) {
                (_, Kind::Heading | Kind::Seat | Kind::Branch | Kind::Addition) => true,
                (Some(_), _) => meanings.any(|row| fit(&[kind], row.result).is_some()),
                (None, _) => {
                    !is_form_only
                        && literals(kind).is_empty()
                        && !matches!(kind, Kind::Variable | Kind::Verb | Kind::Name | Kind::Text)
                }
            }
        }
    }
}
