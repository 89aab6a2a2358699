//! Words in, lists of them for a sentence out, and the one that was probably meant.

pub(super) use crate::language::edit_distance::{is_typo, list, nearest, series};

/// Joins what is said of several things, a line for each.
pub(super) fn lines(things: &[String]) -> String {
    things.join("\n")
}
