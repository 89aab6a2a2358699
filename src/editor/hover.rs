//! Hover texts, in Markdown: the declaration of a name, or the documentation of a word of the
//! language.

use super::candidates::{declares, page};
use super::outline::parts;
use super::{CheckedSources, path_to};
use crate::language::explain::{Subject, subjects};
use crate::language::ludemes::{Kind, Row, rows};
use crate::language::names::{Declared, NameKind};
use crate::language::{Expected, accepts, expected};
use crate::syntax::{Span, parse};

/// The documentation of a word.
#[derive(Clone, Debug)]
pub struct Hover {
    /// The word, in the file's own text.
    pub span: Span,
    /// The documentation, in Markdown.
    pub text: String,
}

/// The most lines of a declaration that are shown.
const SHOWN: usize = 12;

impl CheckedSources {
    /// Describes the word at a byte of a file.
    ///
    /// ```
    /// use ludwright::{editor::CheckedSources, language::sources::Sources};
    ///
    /// let text = "(game \"Fill\" (players White Black) (board (square 3)) (piece Stone)
    ///     (move drop (to t (empty)) (put Stone t)) (play (turns (choose drop))))";
    /// let study = CheckedSources::of(Sources::from(text));
    /// assert!(study.hover(0, text.find("empty").unwrap()).unwrap().text.contains("The sites without a piece."));
    /// assert!(study.hover(0, text.find("t))").unwrap()).unwrap().text.contains("variable `t` -> site"));
    /// ```
    pub fn hover(&self, file: usize, byte: usize) -> Option<Hover> {
        let text = self.sources.text_of(file);
        let tree = parse(text);
        let path = path_to(&tree.forms, byte);
        let node = *path.last()?;
        let word = node.as_word()?;
        let about = |text: String| Some(Hover { span: node.span, text });
        if let Some(name) = self.name_at(file, node.span.start) {
            return about(self.about_name(name));
        }
        let head = path
            .iter()
            .rev()
            .nth(1)
            .and_then(|form| form.head())
            .is_some_and(|(_, span)| span == node.span);
        let meanings: Vec<&Row> = rows(word).filter(|row| row.word != head).collect();
        if !meanings.is_empty() {
            let wanted = expected(&self.sources, node.span.shifted(self.sources.byte_of(file, 0)));
            let pages: Vec<String> = meant(&meanings, &wanted).into_iter().map(page).collect();
            return about(pages.join("\n\n---\n\n"));
        }
        if let Some(Subject::Type(kind)) =
            subjects(word).into_iter().find(|subject| matches!(subject, Subject::Type(_)))
        {
            return about(format!("`{word}`: {kind}\n\n{}", kind.doc()));
        }
        let board = self.checked.rules.as_ref().map(|rules| &rules.board)?;
        board.find(word)?;
        about(format!("site `{word}`\n\n{}", Kind::Site.doc()))
    }

    fn about_name(&self, name: &Declared) -> String {
        let (file, span) = self.sources.place(name.span);
        let text = self.sources.text_of(file);
        let is = name
            .is
            .filter(|_| !matches!(name.kind, NameKind::Player | NameKind::Piece | NameKind::Move));
        let is = is.map_or(String::new(), |kind| format!(" -> {kind}"));
        let mut lines = vec![format!("{} `{}`{is}", name.kind.word(), name.name)];
        let declaration = parts(text)
            .into_iter()
            .find(|part| part.name_span == span && declares(part, name.kind));
        if let Some(part) = declaration {
            if !part.about.is_empty() {
                lines.push(part.about.clone());
            }
            if part.span != span {
                lines.push(format!("```ludwright\n{}\n```", excerpt(part.span, text)));
            }
        }
        let line = text.get(..span.start).map_or(0, |before| before.matches('\n').count()) + 1;
        let other = self.sources.names().nth(file).filter(|_| file > 0);
        let other = other.map_or(String::new(), |name| {
            format!(" of {}", name.rsplit(['/', '\\']).next().unwrap_or(name))
        });
        lines.push(format!("declared in line {line}{other}"));
        lines.join("\n\n")
    }
}

/// Selects the meanings whose result fits the expected types; all meanings if none fits.
fn meant<'r>(meanings: &[&'r Row], wanted: &Expected) -> Vec<&'r Row> {
    let fits = |row: &&&Row| wanted.kinds.iter().any(|&kind| accepts(kind, row.result));
    let fitting: Vec<&Row> = meanings.iter().filter(fits).copied().collect();
    if fitting.is_empty() { meanings.to_vec() } else { fitting }
}

/// Returns the first lines of a form, without their common indentation.
fn excerpt(span: Span, text: &str) -> String {
    let begin =
        text.get(..span.start).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
    let indent = span.start - begin;
    let mut lines: Vec<&str> = Vec::new();
    for (index, line) in span.text(text).lines().enumerate() {
        if index == SHOWN {
            lines.push("…");
            break;
        }
        let blank = line.len() - line.trim_start().len();
        lines.push(if index == 0 { line } else { &line[blank.min(indent)..] });
    }
    lines.join("\n")
}
