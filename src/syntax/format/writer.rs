//! Output buffer of the formatter. Trailing comments are held back until their line ends, so that
//! closing brackets precede them; comments of consecutive lines are aligned.

use super::pieces::{Piece, PieceKind};
use crate::syntax::SOURCE_LIMIT;

/// The gap between an aligned comment and the longest line of its group, in columns.
const APART: usize = 2;

#[derive(Default)]
pub(super) struct Writer<'s> {
    lines: Vec<OutputLine<'s>>,
    /// The length in bytes, without the padding that aligns comments.
    size: usize,
}

#[derive(Default)]
struct OutputLine<'s> {
    /// A string with line breaks is stored whole in the line where it begins.
    code: String,
    /// The width of the last line of the code.
    width: usize,
    /// The trailing comment and its continuation lines.
    remarks: Vec<&'s str>,
}

impl<'s> Writer<'s> {
    /// Returns the column of the next character.
    pub fn column(&self) -> usize {
        self.lines.last().map_or(0, |line| line.width)
    }

    pub fn write(&mut self, text: &str) {
        self.size += text.len();
        let Some(line) = self.lines.last_mut().filter(|_| self.size <= SOURCE_LIMIT) else {
            return;
        };
        line.code.push_str(text);
        match text.rfind(['\n', '\r']) {
            Some(end) => line.width = text[end + 1..].chars().count(),
            None => line.width += text.chars().count(),
        }
    }

    pub fn write_flat(&mut self, piece: &Piece<'s>) {
        match &piece.kind {
            PieceKind::Atom(text) => self.write(text),
            PieceKind::Form(form) => {
                self.write("(");
                for (index, part) in form.parts.iter().enumerate() {
                    if index > 0 {
                        self.write(" ");
                    }
                    self.write_flat(part);
                }
                self.write(")");
            }
        }
    }

    /// Attaches trailing comments to the current line.
    pub fn remark(&mut self, remarks: &[&'s str]) {
        if let Some(line) = self.lines.last_mut() {
            line.remarks.extend(remarks);
        }
    }

    /// Begins a line, after a blank one if `blank`.
    pub fn line(&mut self, indent: usize, blank: bool) {
        self.size += indent + 1;
        if self.size > SOURCE_LIMIT {
            return;
        }
        if blank {
            self.lines.push(OutputLine::default());
        }
        self.lines.push(OutputLine {
            code: " ".repeat(indent),
            width: indent,
            remarks: Vec::new(),
        });
    }

    /// Aligns the trailing comments and returns the text. `None` if it exceeds [`SOURCE_LIMIT`].
    pub fn finish(self) -> Option<String> {
        let mut text = String::with_capacity(self.size);
        for run in
            self.lines.chunk_by(|line, next| !line.remarks.is_empty() && !next.remarks.is_empty())
        {
            let column = run.iter().map(|line| line.width).max().unwrap_or(0) + APART;
            for line in run {
                text.push_str(&line.code);
                let mut width = line.width;
                for (index, remark) in line.remarks.iter().enumerate() {
                    if index > 0 {
                        text.push('\n');
                        width = 0;
                    }
                    text.push_str(&" ".repeat(column - width));
                    text.push_str(remark);
                }
                text.push('\n');
            }
        }
        (self.size <= SOURCE_LIMIT && text.len() <= SOURCE_LIMIT).then_some(text)
    }
}
