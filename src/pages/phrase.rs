//! A phrase in English that can be put into other phrases without a change of meaning.
//!
//! A phrase is *closed* if the words after it cannot be read as a part of it, such as `the empty
//! sites`. `t is empty or s is a1` is open: a following ` and …` would change its meaning. An open
//! phrase is put into parentheses, unless it comes last.

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

    /// Makes a phrase whose meaning following words could change.
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

    /// Returns the text as a part of another phrase: in parentheses if it is open.
    pub(super) fn part(&self) -> String {
        if self.is_closed { self.text.clone() } else { format!("({})", self.text) }
    }

    /// Tests if following words cannot be read as a part of the phrase.
    pub(super) fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Returns the text alone, or as the last part of another phrase.
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
