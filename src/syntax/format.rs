//! A source text in, the same text in its one layout out.
//!
//! The layout depends on nothing but the tokens, the comments, which of them end a line of code,
//! and where a blank line was. It knows no ludeme: whoever asks says by a [`Manner`] how the forms
//! of a word are laid out.

mod pieces;
mod writer;

use super::{Fault, FaultKind, Span, parse};
use pieces::{Piece, PieceKind};
use writer::Writer;

/// No line of code is longer, unless a text or a name alone is.
pub const LINE: usize = 100;

/// The longest form on one line, texts not counted.
pub const FORM: usize = 80;

/// The longest form on one line that does something or has cases, texts not counted.
pub const SHORT: usize = 56;

/// How a form is laid out that has a line for itself alone only if it is short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Each part below the one before it.
    List,
    /// So many parts on the line of the word, and each of the others on a line two columns in.
    Body(Head),
    /// A body of things to be done: a line holds one of them at most, and nothing that holds
    /// others.
    Steps(Head),
    /// A body that always has lines of its own.
    Open(Head),
    /// A body that always has lines of its own after a heading in brackets, or if there are several
    /// parts of it.
    Definition,
    /// What is looked at on the line of the word, and each branch on a line two columns in.
    Cases,
    /// A branch: what it leads to on its line, unless there are several parts.
    Branch,
}

/// Which parts stay on the line of a form's word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Head {
    /// So many.
    Parts(usize),
    /// All words, up to the first form.
    Words,
}

/// Tells how a form is laid out that begins with this word and has so many parts after it.
pub type Manners<'m> = &'m dyn Fn(&str, usize) -> Manner;

/// Lays a source text out. Comments stay at the code that they are written at; of blank lines
/// between parts one is kept. Texts are left as they are.
///
/// ```
/// use ludwright::syntax::format::{Head, Manner, format};
///
/// let manner = |word: &str, _: usize| if word == "play" { Manner::Open(Head::Parts(0)) } else { Manner::List };
/// let laid_out = format("(play(turns ;for ever\n (choose  drop) ) )", &manner).expect("its brackets match");
/// assert_eq!(laid_out, "(play\n  (turns  ;for ever\n    (choose drop)))\n");
/// ```
///
/// # Errors
/// Returns what is wrong with a text that has faults; there is no telling what it should look like.
/// A text can also become [too large](FaultKind::FileTooLarge) by being laid out.
pub fn format(source: &str, manners: Manners) -> Result<String, Vec<Fault>> {
    let tree = parse(source);
    if !tree.faults.is_empty() {
        return Err(tree.faults);
    }
    let (pieces, rest) = pieces::pieces(source, &tree, manners);
    let mut writer = Writer::default();
    for (index, piece) in pieces.iter().enumerate() {
        next_line(&mut writer, piece, 0, index > 0);
        lay_out(&mut writer, piece, 0);
    }
    for (index, remark) in rest.iter().enumerate() {
        writer.line(0, remark.blank && !(pieces.is_empty() && index == 0));
        writer.write(remark.text);
    }
    let first = Span::new(0, source.chars().next().map_or(0, char::len_utf8));
    writer.finish().ok_or_else(|| vec![Fault { kind: FaultKind::FileTooLarge, span: first }])
}

/// Writes a piece from the writer's column on, where so many brackets are closed right after it.
fn lay_out<'s>(writer: &mut Writer<'s>, piece: &Piece<'s>, closing: usize) {
    match &piece.kind {
        PieceKind::Atom(text) => writer.write(text),
        PieceKind::Form(_) if piece.fits(writer.column(), closing) => writer.write_flat(piece),
        PieceKind::Form(form) => {
            let base = writer.column();
            writer.write("(");
            match form.head() {
                Some(head) => body(writer, &form.parts, base, head, closing + 1),
                None => list(writer, &form.parts, base, closing + 1),
            }
            for (index, remark) in form.rest.iter().enumerate() {
                writer.line(base + 2, remark.blank && (index > 0 || !form.parts.is_empty()));
                writer.write(remark.text);
            }
            if !form.rest.is_empty() {
                writer.line(base, false);
            }
            writer.write(")");
        }
    }
    writer.remark(&piece.after);
}

/// The word and its head on one line, the rest two columns in.
fn body<'s>(
    writer: &mut Writer<'s>,
    parts: &[Piece<'s>],
    base: usize,
    head: usize,
    closing: usize,
) {
    for (index, part) in parts.iter().enumerate() {
        let closing = if index + 1 == parts.len() { closing } else { 0 };
        if index > 0 {
            let stays = index <= head && (part.is_text() || has_room(writer, part.least, closing));
            match stays && may_follow(parts, index) {
                true => writer.write(" "),
                false => next_line(writer, part, base + 2, index > head + 1),
            }
        }
        lay_out(writer, part, closing);
    }
}

/// Words after each other, then each part below the first form, or two columns in where there is no
/// room for that.
fn list<'s>(writer: &mut Writer<'s>, parts: &[Piece<'s>], base: usize, closing: usize) {
    let words = parts.iter().take_while(|part| !part.is_form()).count();
    let mut indent = base + 2;
    for (index, part) in parts.iter().enumerate() {
        let closing = if index + 1 == parts.len() { closing } else { 0 };
        let follows = match index {
            0 => true,
            _ if index < words => has_room(writer, part.least, closing),
            _ if index == words => {
                // Where it goes, all after it go.
                let least = parts[index..].iter().map(|part| part.least).max().unwrap_or(0);
                let room = has_room(writer, least, closing);
                if !room {
                    indent = base + 2;
                }
                room
            }
            _ => false,
        };
        if index > 0 {
            match follows && may_follow(parts, index) {
                true => writer.write(" "),
                false => next_line(writer, part, indent, index > 1),
            }
        }
        if index == words || index == 1 {
            indent = writer.column();
        }
        lay_out(writer, part, closing);
    }
}

/// Whether a part that needs so many columns can stand on the line after a blank.
fn has_room(writer: &Writer, least: usize, closing: usize) -> bool {
    writer.column() + 1 + least + closing <= LINE
}

/// Whether no comment stands between a part and the one before it.
fn may_follow(parts: &[Piece], index: usize) -> bool {
    parts[index].before.is_empty() && parts[index - 1].after.is_empty()
}

/// Begins a line for a piece, after the comments before it and perhaps a blank line.
fn next_line(writer: &mut Writer, piece: &Piece, indent: usize, blank: bool) {
    for (index, remark) in piece.before.iter().enumerate() {
        writer.line(indent, remark.blank && (blank || index > 0));
        writer.write(remark.text);
    }
    writer.line(indent, piece.blank && (blank || !piece.before.is_empty()));
}

/// Whether there is a blank line between two places that only blanks lie between.
fn has_blank_line(source: &str, from: usize, to: usize) -> bool {
    let between = Span::new(from, to).text(source);
    let line_ends = |end: char| between.matches(end).count();
    line_ends('\n').max(line_ends('\r')) > 1
}
