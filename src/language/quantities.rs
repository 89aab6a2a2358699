//! Numbers with their nouns, as messages and reports show them.

use std::borrow::Cow;

/// Formats a number of things: `1 game`, `2 games`, `1,000 games`.
///
/// ```
/// use ludwright::language::quantities::counted;
///
/// assert_eq!(counted(1, "ply"), "1 ply");
/// assert_eq!(counted(2_000, "random game"), "2,000 random games");
/// ```
pub fn counted(number: u64, noun: &str) -> String {
    format!("{} {}", grouped(number), inflected(number, noun))
}

/// Returns a noun, given for one thing, as it follows a number: `ply` after 1, otherwise `plies`.
pub fn inflected(number: u64, noun: &str) -> Cow<'_, str> {
    if number == 1 {
        return Cow::Borrowed(noun);
    }
    Cow::Owned(match noun.strip_suffix('y') {
        Some(stem) => format!("{stem}ies"),
        None if noun.ends_with("ch") => format!("{noun}es"),
        None => format!("{noun}s"),
    })
}

/// Formats a number with commas between groups of three digits.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a number given in halves: `5`, `-0.5`.
pub(super) fn spell_halves(halves: i64) -> String {
    let sign = if halves < 0 { "-" } else { "" };
    let size = halves.unsigned_abs();
    let half = if size % 2 == 1 { ".5" } else { "" };
    format!("{sign}{}{half}", size / 2)
}
