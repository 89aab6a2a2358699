//! Prepares a tree for the formatter: attaches each comment to the piece that it belongs to, and
//! measures every piece bottom-up. Line breaks are chosen later.

use super::{FORM, FormLayout, Head, LINE, LayoutOf, SHORT, has_blank_line};
use crate::syntax::{Comment, Node, NodeKind, Tree};
use std::iter::Peekable;
use std::slice::Iter;

/// A node with its comments and measures. Widths are in characters.
pub(super) struct Piece<'s> {
    pub kind: PieceKind<'s>,
    /// The comments on lines of their own before it.
    pub before: Vec<OwnLineComment<'s>>,
    /// Whether a blank line directly precedes it.
    pub blank: bool,
    /// The comment that ends its line, and the lines that continue that comment.
    pub after: Vec<&'s str>,
    /// Its width on one line, if it may stand on one.
    flat: Option<usize>,
    /// How much of that width belongs to strings.
    text: usize,
    /// The minimal number of columns that it needs, strings not counted.
    pub least: usize,
    /// The nesting depth of statements within statements.
    nesting: usize,
}

pub(super) enum PieceKind<'s> {
    Atom(&'s str),
    Form(Form<'s>),
}

pub(super) struct Form<'s> {
    pub layout: FormLayout,
    /// The word and the parts that follow it.
    pub parts: Vec<Piece<'s>>,
    /// The comments on lines of their own before the closing bracket.
    pub rest: Vec<OwnLineComment<'s>>,
}

/// A comment on a line of its own.
pub(super) struct OwnLineComment<'s> {
    pub text: &'s str,
    /// Whether a blank line directly precedes it.
    pub blank: bool,
}

impl Piece<'_> {
    pub fn is_text(&self) -> bool {
        matches!(self.kind, PieceKind::Atom(text) if text.starts_with('"'))
    }

    pub fn is_form(&self) -> bool {
        matches!(self.kind, PieceKind::Form(_))
    }

    /// Tests if it fits on one line from this column on, followed by `closing` brackets.
    pub fn fits(&self, column: usize, closing: usize) -> bool {
        self.flat.is_some_and(|width| column + width + closing <= LINE)
    }
}

impl Form<'_> {
    /// Returns how many parts after the word stay on its line; `None` if all parts are aligned.
    pub fn head(&self) -> Option<usize> {
        let after = self.parts.get(1..).unwrap_or(&[]);
        match self.layout {
            FormLayout::List => None,
            FormLayout::Body(head) | FormLayout::Steps(head) | FormLayout::Open(head) => {
                Some(match head {
                    Head::Parts(count) => count,
                    Head::Words => after.iter().take_while(|part| !part.is_form()).count(),
                })
            }
            FormLayout::Definition | FormLayout::Cases => Some(1),
            FormLayout::Branch => (after.len() > 1).then_some(0),
        }
    }

    /// Tests if the layout allows one line of this width, strings not counted.
    fn may_be_flat(&self, width: usize) -> bool {
        match self.layout {
            FormLayout::List | FormLayout::Body(_) => width <= FORM,
            FormLayout::Steps(_) => width <= SHORT && self.body() <= 1,
            FormLayout::Open(_) => self.body() == 0 || width <= SHORT && self.body() == 1,
            FormLayout::Definition => {
                width <= FORM && self.body() <= 1 && !self.parts.get(1).is_some_and(Piece::is_form)
            }
            FormLayout::Cases => width <= SHORT,
            FormLayout::Branch => width <= SHORT && self.parts.len() <= 2,
        }
    }

    /// Counts the parts after the head.
    fn body(&self) -> usize {
        self.parts.len().saturating_sub(1 + self.head().unwrap_or(0))
    }
}

/// Converts the top-level forms. Returns also the comments after the last.
pub(super) fn pieces<'s>(
    source: &'s str,
    tree: &'s Tree,
    layout_of: LayoutOf,
) -> (Vec<Piece<'s>>, Vec<OwnLineComment<'s>>) {
    let mut maker = Maker { source, comments: tree.comments.iter().peekable(), layout_of };
    maker.parts(&tree.forms, 0, source.len(), false)
}

struct Maker<'s, 'm> {
    source: &'s str,
    /// The comments that have not been attached yet.
    comments: Peekable<Iter<'s, Comment>>,
    layout_of: LayoutOf<'m>,
}

impl<'s> Maker<'s, '_> {
    /// Converts the nodes between two positions. With `branches`, all but the first two are
    /// branches of a case. Returns also the comments after the last node.
    fn parts(
        &mut self,
        nodes: &'s [Node],
        start: usize,
        end: usize,
        branches: bool,
    ) -> (Vec<Piece<'s>>, Vec<OwnLineComment<'s>>) {
        let mut parts: Vec<Piece> = Vec::with_capacity(nodes.len());
        let mut from = start;
        for (index, node) in nodes.iter().enumerate() {
            let before = self.gap(parts.last_mut(), &mut from, node.span.start);
            let blank = has_blank_line(self.source, from, node.span.start);
            parts.push(self.piece(node, before, blank, branches && index > 1));
            from = node.span.end;
        }
        let rest = self.gap(parts.last_mut(), &mut from, end);
        (parts, rest)
    }

    /// Consumes the comments before a position. Those that end the line of the preceding piece are
    /// attached to it; the others are returned.
    fn gap(
        &mut self,
        mut piece: Option<&mut Piece<'s>>,
        from: &mut usize,
        to: usize,
    ) -> Vec<OwnLineComment<'s>> {
        let mut column = None;
        let mut own = Vec::new();
        while let Some(comment) = self.comments.next_if(|comment| comment.span.start < to) {
            let text = comment.span.text(self.source);
            let blank = has_blank_line(self.source, *from, comment.span.start);
            let here = self.column(comment.span.start);
            *from = comment.span.end;
            // A comment directly below a trailing comment, in the same column, continues it.
            let goes_on = own.is_empty() && column == Some(here) && !blank;
            match piece.as_deref_mut() {
                Some(piece) if comment.trailing || goes_on => {
                    piece.after.push(text);
                    column = Some(here);
                }
                _ => own.push(OwnLineComment { text, blank }),
            }
        }
        own
    }

    fn column(&self, at: usize) -> usize {
        let before = &self.source[..at];
        let line = before.rfind(['\n', '\r']).map_or(0, |end| end + 1);
        before[line..].chars().count()
    }

    fn piece(
        &mut self,
        node: &'s Node,
        mut before: Vec<OwnLineComment<'s>>,
        blank: bool,
        branch: bool,
    ) -> Piece<'s> {
        let NodeKind::Form(nodes) = &node.kind else {
            return atom(
                node.span.text(self.source),
                before,
                blank,
                matches!(node.kind, NodeKind::Text(_)),
            );
        };
        let layout = match node.head() {
            _ if branch => FormLayout::Branch,
            Some((word, _)) => (self.layout_of)(word, nodes.len() - 1),
            None => FormLayout::List,
        };
        let (mut parts, rest) =
            self.parts(nodes, node.span.start + 1, node.span.end - 1, layout == FormLayout::Cases);
        // No line ends with an opening bracket or begins with a closing one: comments next to the
        // brackets are moved out of the form.
        if let Some(first) = parts.first_mut() {
            before.append(&mut first.before);
            first.blank = false;
        }
        let after = match parts.last_mut() {
            Some(last) if rest.is_empty() => std::mem::take(&mut last.after),
            _ => Vec::new(),
        };
        measured(Form { layout, parts, rest }, before, blank, after)
    }
}

fn atom<'s>(
    text: &'s str,
    before: Vec<OwnLineComment<'s>>,
    blank: bool,
    is_text: bool,
) -> Piece<'s> {
    let width = text.chars().count();
    let (text_width, least) = if is_text { (width, 0) } else { (0, width) };
    let flat = (!text.contains(['\n', '\r'])).then_some(width);
    Piece {
        kind: PieceKind::Atom(text),
        before,
        blank,
        after: Vec::new(),
        flat,
        text: text_width,
        least,
        nesting: 0,
    }
}

fn measured<'s>(
    form: Form<'s>,
    before: Vec<OwnLineComment<'s>>,
    blank: bool,
    after: Vec<&'s str>,
) -> Piece<'s> {
    let parts = &form.parts;
    let inner = parts.iter().map(|part| part.nesting).max().unwrap_or(0);
    let nesting =
        inner + usize::from(matches!(form.layout, FormLayout::Steps(_)) && form.body() > 0);
    let remarked = !form.rest.is_empty()
        || parts.iter().any(|part| !part.before.is_empty() || !part.after.is_empty());
    let text = parts.iter().map(|part| part.text).sum();
    // A column before each part, for a bracket or a space, and one for the closing bracket.
    let widths = parts.iter().map(|part| part.flat.map(|width| width + 1)).sum::<Option<usize>>();
    let flat = widths.map(|width| width.max(1) + 1);
    let flat = flat.filter(|width| !remarked && nesting <= 1 && form.may_be_flat(width - text));
    let word = parts.first().map_or(0, |word| word.least + 1);
    // On lines of their own, parts are indented by two columns, and a bracket follows the last.
    let broken = parts.iter().skip(1).map(|part| part.least + 3).fold(word, usize::max);
    let least = flat.map_or(broken, |width| broken.min(width));
    Piece { kind: PieceKind::Form(form), before, blank, after, flat, text, least, nesting }
}
