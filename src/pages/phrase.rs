//! A phrase in English that can be put into other phrases without a change of meaning.
//!
//! A phrase is *closed* if nothing that follows it can be read as a part of it: `the empty sites`.
//! `t is empty or s is a1` is open: before ` and …` it would say something else. An open phrase is
//! put into parentheses, unless it comes last.

use crate::notation::list;
use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phrase {
    text: String,
    is_closed: bool,
}

impl Phrase {
    /// Makes a phrase whose open parts are in parentheses.
    pub(super) fn closed(text: impl Into<String>) -> Phrase {
        Phrase { text: text.into(), is_closed: true }
    }

    /// Makes a phrase that words after it would change.
    pub(super) fn open(text: impl Into<String>) -> Phrase {
        Phrase { text: text.into(), is_closed: false }
    }

    /// Joins phrases by a word: `a or b`. A single one stays as it is.
    pub(super) fn joined(phrases: &[Phrase], joint: &str) -> Phrase {
        match phrases {
            [only] => only.clone(),
            _ => Phrase::open(parts(phrases).join(&format!(" {joint} "))),
        }
    }

    /// Lists phrases: `a, b and c`. A single one stays as it is.
    pub(super) fn list(phrases: &[Phrase], joint: &str) -> Phrase {
        match phrases {
            [only] => only.clone(),
            _ => Phrase::open(list(&parts(phrases), joint)),
        }
    }

    /// Returns the text as it stands within another phrase.
    pub(super) fn part(&self) -> String {
        if self.is_closed { self.text.clone() } else { format!("({})", self.text) }
    }

    /// Tests if nothing that follows can be read as a part of it.
    pub(super) fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Returns the text as it stands alone, or last in another phrase.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Phrase {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

fn parts(phrases: &[Phrase]) -> Vec<String> {
    phrases.iter().map(Phrase::part).collect()
}
