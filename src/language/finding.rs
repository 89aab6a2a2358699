//! Findings: the diagnostics of the checker. Rendering is left to [`crate::diagnostics`] and the
//! command line.

mod codes;

pub use codes::{Advice, Code, Rules};

use crate::syntax::Span;
use crate::syntax::visible::{abridge, shorten};
use std::borrow::Cow;

/// The most findings on a game; later ones are dropped.
pub const MAX_FINDINGS: usize = 100;

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The file can be played, but probably contains a mistake.
    Warning,
    /// The file cannot be played.
    Error,
}

impl Severity {
    /// Returns its name in messages and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// A secondary location of a finding, with a text.
#[derive(Clone, Debug)]
pub struct Label {
    pub span: Span,
    pub text: String,
}

/// Replaces a span by a text; an empty span inserts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub span: Span,
    pub text: String,
}

/// A suggested change that removes the finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, in the imperative: "write `empty`".
    pub title: String,
    /// In the order of the text, without overlaps, all in one file.
    pub edits: Vec<Edit>,
}

impl Fix {
    /// Replaces a span.
    pub fn write(span: Span, text: impl Into<String>) -> Fix {
        let text = text.into();
        Fix { title: format!("write `{text}`"), edits: vec![Edit { span, text }] }
    }

    /// Inserts a text.
    pub fn insert(at: usize, text: impl Into<String>) -> Fix {
        let text = text.into();
        Fix {
            title: format!("insert `{text}`"),
            edits: vec![Edit { span: Span::new(at, at), text }],
        }
    }

    /// Deletes a span.
    pub fn delete(span: Span, what: &str) -> Fix {
        Fix { title: format!("delete {what}"), edits: vec![Edit { span, text: String::new() }] }
    }

    /// Swaps two spans of a source.
    pub fn swap(first: Span, second: Span, source: &str) -> Fix {
        Fix::several("swap them", [(first, second.text(source)), (second, first.text(source))])
    }

    /// Replaces several spans, given in any order.
    pub fn several<'t>(
        title: impl Into<String>,
        edits: impl IntoIterator<Item = (Span, &'t str)>,
    ) -> Fix {
        let edits = edits.into_iter().map(|(span, text)| Edit { span, text: text.to_owned() });
        let mut edits: Vec<Edit> = edits.collect();
        edits.sort_by_key(|edit| edit.span);
        Fix { title: title.into(), edits }
    }

    /// Applies the edits to a source.
    ///
    /// ```
    /// use ludwright::{language::finding::Fix, syntax::Span};
    ///
    /// assert_eq!(Fix::write(Span::new(1, 5), "empty").applied("(emty)"), "(empty)");
    /// ```
    pub fn applied(&self, source: &str) -> String {
        let mut text = String::with_capacity(source.len());
        let mut from = 0;
        for edit in &self.edits {
            text.push_str(source.get(from..edit.span.start).unwrap_or_default());
            text.push_str(&edit.text);
            from = edit.span.end;
        }
        text + source.get(from..).unwrap_or_default()
    }
}

/// A diagnostic of the checker.
#[derive(Clone, Debug)]
pub struct Finding {
    pub code: Code,
    /// A full sentence without its period, with the author's words.
    pub message: String,
    /// Never empty, and within the file.
    pub span: Span,
    /// The text at the span; if empty, the message is shown there.
    pub label: Box<str>,
    pub others: Box<[Label]>,
    pub help: Option<String>,
    /// How to correct it, where that is known.
    pub fix: Option<Box<Fix>>,
    /// The record of a game that shows it, as text.
    pub record: Option<Box<GameText>>,
}

/// The text of a record of a game, behind a pointer of one word, so that findings stay small.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameText(pub String);

impl Finding {
    /// Adds secondary locations.
    pub fn add_others(&mut self, others: impl IntoIterator<Item = Label>) {
        let mut all = std::mem::take(&mut self.others).into_vec();
        all.extend(others);
        self.others = all.into();
    }

    /// Creates a finding without help and secondary locations.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Finding {
        Finding {
            code,
            message: message.into(),
            span,
            label: Box::default(),
            others: Box::default(),
            help: None,
            fix: None,
            record: None,
        }
    }

    /// Adds advice.
    pub fn with_help(mut self, help: impl Into<String>) -> Finding {
        self.help = Some(help.into());
        self
    }

    /// Adds advice, where there is some.
    pub fn with_optional_help(mut self, help: Option<String>) -> Finding {
        self.help = help;
        self
    }

    /// Returns the advice for a terminal, with the record below it.
    pub fn help_with_record(&self) -> Option<Cow<'_, str>> {
        let help = self.help.as_deref()?;
        Some(match &self.record {
            Some(record) => Cow::Owned(format!("{help} (see `ludwright replay`):\n{}", record.0)),
            None => Cow::Borrowed(help),
        })
    }

    /// Adds the record of a game that shows it.
    pub fn with_record(mut self, record: &str) -> Finding {
        self.record = Some(Box::new(GameText(record.trim_end().to_owned())));
        self
    }

    /// Adds a fix.
    pub fn with_fix(mut self, fix: Fix) -> Finding {
        self.fix = Some(Box::new(fix));
        self
    }

    /// Adds a fix, where there is one.
    pub fn with_optional_fix(mut self, fix: Option<Fix>) -> Finding {
        self.fix = fix.map(Box::new);
        self
    }

    /// Advises to write a text in place of a span, and fixes it so.
    pub fn with_right(self, span: Span, text: impl Into<String>) -> Finding {
        let text = text.into();
        self.with_help(format!("write `{text}`")).with_fix(Fix::write(span, text))
    }

    /// Suggests a text that is spelled like that at a span, and fixes it so.
    pub fn with_suggestion(self, span: Span, text: impl Into<String>) -> Finding {
        let text = text.into();
        self.with_help(format!("did you mean `{text}`?")).with_fix(Fix::write(span, text))
    }

    /// Sets the text at the span.
    pub fn with_label(mut self, text: impl Into<String>) -> Finding {
        self.label = text.into().into_boxed_str();
        self
    }

    /// Adds a secondary location.
    pub fn with_other(mut self, span: Span, text: impl Into<String>) -> Finding {
        self.add_others([Label { span, text: text.into() }]);
        self
    }

    /// Returns the severity of its code.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// Shortens overlong quotations of the source. The texts that a fix writes are kept.
    pub(crate) fn shortened(mut self) -> Finding {
        let short = |text: &mut String| {
            if let Cow::Owned(short) = shorten(text) {
                *text = short;
            }
        };
        if let Cow::Owned(short) = abridge(&self.message) {
            self.message = short;
        }
        self.help.iter_mut().for_each(short);
        self.others.iter_mut().for_each(|other| short(&mut other.text));
        self.fix.iter_mut().for_each(|fix| short(&mut fix.title));
        if let Cow::Owned(short) = abridge(&self.label) {
            self.label = short.into();
        }
        self
    }
}
