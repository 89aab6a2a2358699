//! Rule cases in an editor: the faults of a case, its tokens, and its folds.
//!
//! `tests/cases/FORMAT.md` describes the format.

use super::folding::{Fold, FoldKind};
use super::tokens::{Token, TokenKind};
use crate::cases::{Case, Difference, Runner};
use crate::diagnostics::Places;
use crate::notation::Line;
use crate::syntax::Span;
use crate::syntax::visible::abridge;

/// A fault of a rule case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseFault {
    /// The faulty line, without its comment and surrounding blanks; in bytes.
    pub span: Span,
    pub kind: CaseFaultKind,
    /// What is wrong; with several lines if boards differ.
    pub message: String,
}

/// The kind of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaseFaultKind {
    /// The line cannot be read, or does not fit the game.
    Unreadable,
    /// The line's expectation fails.
    Failed,
}

impl CaseFaultKind {
    /// Returns the kind's stable name, in kebab case.
    pub fn name(self) -> &'static str {
        match self {
            CaseFaultKind::Unreadable => "unreadable-case",
            CaseFaultKind::Failed => "failed-case",
        }
    }
}

/// Finds the first line that cannot be read, whatever the game. This is fast, because no rules are
/// read.
///
/// ```
/// use ludwright::editor::case::syntax_fault;
///
/// let text = "title: One stone.\nplya: drop a1\n";
/// let fault = syntax_fault(text).unwrap();
/// assert_eq!(fault.span.text(text), "plya: drop a1");
/// assert_eq!(fault.message, "a case has no `plya:`; did you mean `play:`?");
/// ```
pub fn syntax_fault(text: &str) -> Option<CaseFault> {
    let misread = Case::parse(text).err()?;
    let lines = CaseLines::of(text);
    Some(CaseFault {
        span: lines.span(misread.line),
        kind: CaseFaultKind::Unreadable,
        message: misread.message,
    })
}

/// Runs a case and lists its faults in the order of its lines; empty if it passes.
pub fn faults(runner: &mut Runner, text: &str) -> Vec<CaseFault> {
    let lines = CaseLines::of(text);
    let fault = |difference: Difference| {
        let (kind, message) = match difference.expected.as_str() {
            "" => (CaseFaultKind::Unreadable, abridge(&difference.found).into_owned()),
            expected if expected.contains('\n') => {
                let found = difference.found.trim_end();
                (
                    CaseFaultKind::Failed,
                    format!("expected\n{}\nfound\n{found}", expected.trim_end()),
                )
            }
            expected => {
                let found = abridge(&difference.found).into_owned();
                (CaseFaultKind::Failed, format!("expected {}, found {found}", abridge(expected)))
            }
        };
        CaseFault { span: lines.span(difference.line), kind, message }
    };
    runner.run(text, &[]).differences.into_iter().map(fault).collect()
}

/// Lists the keys and comments of a case in the order of the text.
pub fn tokens(text: &str) -> Vec<Token> {
    let lines = CaseLines::of(text);
    let mut tokens = Vec::new();
    for line in &lines.lines {
        let (start, content) = (lines.places.start(line.number - 1), line.content());
        // In the rows of a diagram, `#` is a site.
        let is_row = !content.is_empty() && line.entry().is_none();
        let before = line.text.find(content).unwrap_or(0);
        if let Some((key, _)) = line.entry() {
            let begin = start + before;
            let end = begin + key.len();
            // In `key :`, a blank separates the key from its colon.
            let span = Span::new(begin, end + usize::from(text[end..].starts_with(':')));
            tokens.push(Token { span, kind: TokenKind::Part, declares: false });
        }
        if let Some(at) = line.text.find('#').filter(|_| !is_row) {
            let span = Span::new(start + at, start + line.text.trim_end().len());
            tokens.push(Token { span, kind: TokenKind::Comment, declares: false });
        }
    }
    tokens.retain(|token| !token.span.is_empty());
    tokens
}

/// Lists the folds of a case in the order of the text: the case itself from its title on, its
/// diagrams, and its comments of several lines.
///
/// ```
/// use ludwright::editor::{case::folds, folding::FoldKind};
///
/// let text = "title: One stone.\nposition:\n  1 B\n    a\nresult: Black wins\n";
/// let folds = folds(text);
/// assert_eq!(folds[0].kind, FoldKind::Case);
/// assert_eq!((folds[1].kind, folds[1].span.text(text)), (FoldKind::Diagram, "position:\n  1 B\n    a"));
/// ```
pub fn folds(text: &str) -> Vec<Fold> {
    let lines = CaseLines::of(text);
    let mut folds = Vec::new();
    let filled = |line: &&Line| !line.is_blank();
    let title = lines.lines.iter().find(|line| has_key(line, &["title"]));
    if let (Some(first), Some(last)) = (title, lines.lines.iter().rev().find(filled)) {
        folds.extend(lines.fold(first.number, last.number, FoldKind::Case));
    }
    for (index, line) in lines.lines.iter().enumerate() {
        let rest = &lines.lines[index + 1..];
        if has_key(line, &["position", "then"]) {
            let rows = rest.iter().take_while(|line| line.entry().is_none());
            let last = rows.filter(filled).last().map_or(line.number, |line| line.number);
            folds.extend(lines.fold(line.number, last, FoldKind::Diagram));
        }
        let is_comment = |line: &Line| line.text.trim_start().starts_with('#');
        if is_comment(line)
            && index.checked_sub(1).is_none_or(|before| !is_comment(&lines.lines[before]))
        {
            let more = rest.iter().take_while(|line| is_comment(line)).count();
            folds.extend(lines.fold(line.number, line.number + more, FoldKind::Comment));
        }
    }
    folds.sort_by_key(|fold| (fold.span.start, usize::MAX - fold.span.end));
    folds
}

fn has_key(line: &Line, keys: &[&str]) -> bool {
    line.entry().is_some_and(|(key, _)| keys.contains(&key))
}

/// A case in lines.
struct CaseLines<'t> {
    lines: Vec<Line<'t>>,
    places: Places<'t>,
}

impl<'t> CaseLines<'t> {
    fn of(text: &'t str) -> CaseLines<'t> {
        CaseLines { lines: Line::split(text), places: Places::new(text) }
    }

    /// Returns the span of a line's content (lines count from 1): the whole line if it has no
    /// content, and the last line with content for a number past the end.
    fn span(&self, number: usize) -> Span {
        let at = |line: &Line| {
            let start = self.places.start(line.number - 1);
            let content = line.content();
            match line.text.find(content).filter(|_| !content.is_empty()) {
                Some(before) => Span::new(start + before, start + before + content.len()),
                None => Span::new(start, start + line.text.len()),
            }
        };
        let last = || self.lines.iter().rev().find(|line| !line.is_blank());
        let line = self.lines.get(number.saturating_sub(1)).filter(|line| !line.text.is_empty());
        line.or_else(last).map_or(Span::default(), at)
    }

    /// Folds the lines `first` to `last`, counted from 1; `None` for a single line.
    fn fold(&self, first: usize, last: usize, kind: FoldKind) -> Option<Fold> {
        let end = self.places.start(last - 1) + self.lines.get(last - 1)?.text.len();
        (first < last).then(|| Fold { span: Span::new(self.places.start(first - 1), end), kind })
    }
}
