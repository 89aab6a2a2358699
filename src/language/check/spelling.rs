//! Words in, lists of them for a sentence out, and the one that was probably meant.

pub(super) use crate::language::near::{is_slip, nearest};

/// Lists things with commas and a last word: `a`, `a and b`, `a, b and c`; after the eighth it says how many more there are.
pub(super) fn list<S: AsRef<str>>(things: &[S], last: &str) -> String {
    const MOST: usize = 8;
    let mut shown: Vec<String> = things
        .iter()
        .take(if things.len() > MOST + 1 { MOST } else { things.len() })
        .map(|thing| format!("`{}`", thing.as_ref()))
        .collect();
    if shown.len() < things.len() {
        shown.push(format!("{} more", things.len() - shown.len()));
    }
    series(&shown, last)
}

/// Joins words with commas and a last word: `a`, `a and b`, `a, b and c`.
pub(super) fn series<S: AsRef<str>>(words: &[S], last: &str) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words.split_last() {
        Some((end, [])) => (*end).to_owned(),
        Some((end, rest)) => format!("{} {last} {end}", rest.join(", ")),
        None => String::from("none"),
    }
}

/// Joins what is said of several things, a line for each.
pub(super) fn lines(things: &[String]) -> String {
    things.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_cut_short() {
        assert_eq!(list(&["a"], "or"), "`a`");
        assert_eq!(list(&["a", "b", "c"], "or"), "`a`, `b` or `c`");
        let many: Vec<String> = (0..20).map(|n| n.to_string()).collect();
        assert!(list(&many, "and").ends_with("`7` and 12 more"));
    }
}
