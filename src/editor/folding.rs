//! The parts of a file that an editor can fold.

use crate::diagnostics::Places;
use crate::syntax::{Span, Tree, parse};

/// The kind of a fold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldKind {
    /// A form in a rules file.
    Form,
    /// Several lines of comments.
    Comment,
    /// A rule case, from its title to its end.
    Case,
    /// A diagram in a rule case, with the line before it.
    Diagram,
}

/// A part of a text that extends over several lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    /// The span in bytes.
    pub span: Span,
    pub kind: FoldKind,
}

/// Lists the forms and comments of a rules file that extend over several lines, in the order of the
/// text. Of several forms that begin on one line, only the outermost is listed.
///
/// ```
/// use ludwright::editor::folding::{FoldKind, folds};
///
/// let text = "(game \"G\"\n  ; Two of\n  ; them.\n  (players\n    White Black))";
/// let folds: Vec<_> = folds(text).iter().map(|fold| (fold.kind, fold.span.text(text))).collect();
/// assert_eq!(folds[1], (FoldKind::Comment, "; Two of\n  ; them."));
/// assert_eq!(folds[2], (FoldKind::Form, "(players\n    White Black)"));
/// ```
pub fn folds(text: &str) -> Vec<Fold> {
    let tree = parse(text);
    let lines = Places::new(text);
    let mut folds: Vec<Fold> = Vec::new();
    let mut left: Vec<_> = tree.forms.iter().rev().collect();
    let mut last_line = None;
    // Nodes are visited in the order of the text, so the outermost form of a line comes first.
    while let Some(node) = left.pop() {
        let Some(parts) = node.as_form() else { continue };
        left.extend(parts.iter().rev());
        let line = lines.line(node.span.start);
        if last_line != Some(line) && lines.line(node.span.end) > line {
            last_line = Some(line);
            folds.push(Fold { span: node.span, kind: FoldKind::Form });
        }
    }
    folds.extend(comments(&tree, &lines));
    folds.sort_by_key(|fold| fold.span);
    folds
}

/// Lists the runs of comments on consecutive lines of their own.
fn comments(tree: &Tree, lines: &Places) -> Vec<Fold> {
    let mut folds: Vec<Fold> = Vec::new();
    let mut run: Option<Span> = None;
    for comment in tree.comments.iter().filter(|comment| !comment.trailing) {
        run = match run {
            Some(run) if lines.line(run.end) + 1 == lines.line(comment.span.start) => {
                folds.pop();
                let span = run.join(comment.span);
                folds.push(Fold { span, kind: FoldKind::Comment });
                Some(span)
            }
            _ => {
                // The next line replaces this fold if it continues the comment; a fold of one line
                // is dropped below.
                folds.push(Fold { span: comment.span, kind: FoldKind::Comment });
                Some(comment.span)
            }
        };
    }
    folds.retain(|fold| lines.line(fold.span.start) < lines.line(fold.span.end));
    folds
}
