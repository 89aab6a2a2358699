//! Spelling suggestions and lists of words, for messages.

pub(super) use crate::language::edit_distance::{all_nearest, is_typo, list, nearest, series};

/// Joins texts, each on its own line.
pub(super) fn lines(things: &[String]) -> String {
    things.join("\n")
}
