//! Words and lines in, text out. Comments that end a line wait until it ends, so that brackets go
//! before them; those of lines that follow each other are aligned.

use super::pieces::{Piece, PieceKind};
use crate::syntax::SOURCE_LIMIT;

/// How far a comment stands from the longest line beside it.
const APART: usize = 2;

#[derive(Default)]
pub(super) struct Writer<'s> {
    lines: Vec<OutputLine<'s>>,
    /// How many bytes the lines have, but for what aligns comments.
    size: usize,
}

#[derive(Default)]
struct OutputLine<'s> {
    /// A text with several lines is all in the line where it begins.
    code: String,
    /// How wide the last line of the code is.
    width: usize,
    /// What ends the line, and how it goes on below.
    remarks: Vec<&'s str>,
}

impl<'s> Writer<'s> {
    /// Where the next word goes.
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

    /// Lets comments end the line.
    pub fn remark(&mut self, remarks: &[&'s str]) {
        if let Some(line) = self.lines.last_mut() {
            line.remarks.extend(remarks);
        }
    }

    /// Begins a line, perhaps after a blank one.
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

    /// Aligns the comments and ends the last line. None if the text is longer than a source may be.
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
