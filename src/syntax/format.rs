//! The formatter: lays out a source text in the standard layout.
//!
//! The layout depends only on the tokens, the comments, which comments end a line of code, and the
//! blank lines. The formatter contains no ludemes: the caller maps words to a [`FormLayout`].

mod pieces;
mod writer;

use super::{Fault, FaultKind, Span, parse};
use pieces::{Piece, PieceKind};
use writer::Writer;

/// The maximal length of a line of code. Only a single string or name can exceed it.
pub const LINE: usize = 100;

/// The maximal width of a form on one line, strings not counted.
pub const FORM: usize = 80;

/// The maximal width of a statement, a case or a part of a game with one statement on one line,
/// strings not counted.
pub const SHORT: usize = 56;

/// How a form is broken into lines. It stands on one line if it is short enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormLayout {
    /// Each part below the one before it.
    List,
    /// The head on the line of the word, each other part on a line of its own, indented by two
    /// columns.
    Body(Head),
    /// A body of statements: a line holds at most one of them, and only if no statement is nested
    /// in it.
    Steps(Head),
    /// A body that starts on a new line, unless it is a single short part.
    Open(Head),
    /// A body that starts on a new line if the heading is a form or the body has several parts.
    Definition,
    /// The subject on the line of the word, each branch on a line of its own, indented by two
    /// columns.
    Cases,
    /// A branch: its result on the same line, unless it has several parts.
    Branch,
}

/// Which parts stay on the line of the form's word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Head {
    /// This many parts.
    Parts(usize),
    /// All parts before the first form.
    Words,
}

/// Maps the word that a form begins with and the number of parts after it to a layout.
pub type LayoutOf<'m> = &'m dyn Fn(&str, usize) -> FormLayout;

/// Formats a source text. Comments stay at the code they are attached to. Several blank lines
/// between parts become one. The contents of strings are unchanged.
///
/// ```
/// use ludwright::syntax::format::{FormLayout, Head, format};
///
/// let layout_of = |word: &str, _: usize| match word {
///     "play" => FormLayout::Open(Head::Parts(0)),
///     _ => FormLayout::List,
/// };
/// let source = "(play(turns ;for ever\n (choose  drop) ) )";
/// let laid_out = format(source, &layout_of).expect("its brackets match");
/// assert_eq!(laid_out, "(play\n  (turns  ;for ever\n    (choose drop)))\n");
/// ```
///
/// # Errors
/// Returns the faults of the source, which is then not formatted, or [`FaultKind::FileTooLarge`] if
/// the result exceeds the size limit.
pub fn format(source: &str, layout_of: LayoutOf) -> Result<String, Vec<Fault>> {
    let tree = parse(source);
    if !tree.faults.is_empty() {
        return Err(tree.faults);
    }
    let (pieces, rest) = pieces::pieces(source, &tree, layout_of);
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

/// Writes a piece at the current column. `closing` brackets follow it directly.
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

/// Writes the word and its head on one line, and the other parts indented by two columns.
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

/// Writes the words in sequence, then each part below the first form, or indented by two columns if
/// there is no room for that.
fn list<'s>(writer: &mut Writer<'s>, parts: &[Piece<'s>], base: usize, closing: usize) {
    let words = parts.iter().take_while(|part| !part.is_form()).count();
    let mut indent = base + 2;
    for (index, part) in parts.iter().enumerate() {
        let closing = if index + 1 == parts.len() { closing } else { 0 };
        let follows = match index {
            0 => true,
            _ if index < words => has_room(writer, part.least, closing),
            _ if index == words => {
                // All further parts are aligned with the first form, so the widest of them decides.
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

/// Tests if a part of width `least` fits on the line after a space.
fn has_room(writer: &Writer, least: usize, closing: usize) -> bool {
    writer.column() + 1 + least + closing <= LINE
}

/// Tests if no comment stands between a part and the one before it.
fn may_follow(parts: &[Piece], index: usize) -> bool {
    parts[index].before.is_empty() && parts[index - 1].after.is_empty()
}

/// Begins a line for a piece, after the comments before it and an optional blank line.
fn next_line(writer: &mut Writer, piece: &Piece, indent: usize, blank: bool) {
    for (index, remark) in piece.before.iter().enumerate() {
        writer.line(indent, remark.blank && (blank || index > 0));
        writer.write(remark.text);
    }
    writer.line(indent, piece.blank && (blank || !piece.before.is_empty()));
}

/// Tests if the white space between two positions contains a blank line.
fn has_blank_line(source: &str, from: usize, to: usize) -> bool {
    let between = Span::new(from, to).text(source);
    let line_ends = |end: char| between.matches(end).count();
    line_ends('\n').max(line_ends('\r')) > 1
}
