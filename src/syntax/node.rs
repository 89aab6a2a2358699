//! The nodes of the tree: forms, words, numbers, strings and comments, each with its span.

use super::Span;

/// A form, word, number or string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    pub kind: NodeKind,
    /// From the first byte to the last, including brackets and quotes.
    pub span: Span,
}

/// The kind and content of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// The parts between two brackets.
    Form(Vec<Node>),
    /// A name, as written.
    Word(String),
    Number(Number),
    /// A string literal, with the escapes `\"` and `\\` replaced.
    Text(String),
}

/// A whole or half number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// The number as written.
    pub text: String,
    /// Twice its value; 0 if the tree has a fault for it.
    pub halves: i64,
}

/// A comment, from a semicolon to the end of its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// From the semicolon to the last byte that is not white space.
    pub span: Span,
    /// The comment as written, including the semicolon.
    pub text: String,
    /// Whether a token precedes it on its line.
    pub trailing: bool,
}

impl Node {
    /// Returns the parts of a form.
    pub fn as_form(&self) -> Option<&[Node]> {
        match &self.kind {
            NodeKind::Form(parts) => Some(parts),
            _ => None,
        }
    }

    /// Returns the name of a word.
    pub fn as_word(&self) -> Option<&str> {
        match &self.kind {
            NodeKind::Word(word) => Some(word),
            _ => None,
        }
    }

    /// Returns the number.
    pub fn as_number(&self) -> Option<&Number> {
        match &self.kind {
            NodeKind::Number(number) => Some(number),
            _ => None,
        }
    }

    /// Returns the content of a string, without quotes and escapes.
    pub fn as_text(&self) -> Option<&str> {
        match &self.kind {
            NodeKind::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the word that a form begins with, and its span.
    pub fn head(&self) -> Option<(&str, Span)> {
        let first = self.as_form()?.first()?;
        Some((first.as_word()?, first.span))
    }

    /// Tests if it is a form that begins with a word.
    pub fn begins_with(&self, word: &str) -> bool {
        self.head().is_some_and(|(head, _)| head == word)
    }

    /// Returns the word that it is, or that it begins with.
    pub fn word_or_head(&self) -> Option<&str> {
        self.as_word().or(self.head().map(|(head, _)| head))
    }

    /// Returns the span of the word that a form begins with; of anything else, the whole span.
    pub fn head_span(&self) -> Span {
        self.head().map_or(self.span, |(_, span)| span)
    }

    /// Returns the parts of a form after the first.
    pub fn args(&self) -> &[Node] {
        self.as_form().and_then(|parts| parts.get(1..)).unwrap_or_default()
    }
}

impl Number {
    /// Parses `-?digits(.digits)?` and returns twice its value; `None` unless that is an integer of
    /// 64 bits.
    pub fn halves(text: &str) -> Option<i64> {
        let (digits, sign) = match text.strip_prefix('-') {
            Some(digits) => (digits, -1),
            None => (text, 1),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let half = match fraction.trim_end_matches('0') {
            "" => 0,
            "5" => 1,
            _ => return None,
        };
        let whole: i64 = whole.parse().ok()?;
        Some(sign * whole.checked_mul(2)?.checked_add(half)?)
    }
}
