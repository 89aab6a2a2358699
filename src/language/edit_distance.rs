//! Spelling suggestions by edit distance, and lists of words for messages.

use std::cmp::Reverse;

/// Longer words are not compared.
const LONGEST: usize = 40;

/// Finds the candidate most similar to a misspelled word: within two typos, or an extension or
/// prefix of it. Ties go to the candidate with the longest common prefix.
///
/// A typo inserts, deletes or replaces a letter, or swaps two neighbours; case is ignored. The word
/// itself is never a result.
pub fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    all_nearest(word, candidates).first().copied()
}

/// Finds the candidates that [`nearest`] chooses from: all with as many typos. That with the
/// longest common prefix comes first.
pub fn all_nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Vec<&'c str> {
    let is_short = |word: &str| word.chars().nth(LONGEST).is_none();
    let similar = |candidate: &'c str| {
        Some((typo_distance(word, candidate)?, distance(word, candidate), candidate))
    };
    let candidates = candidates.into_iter().filter(|it| is_short(word) && is_short(it));
    let similar: Vec<(usize, usize, &str)> = candidates.filter_map(similar).collect();
    let Some(least) = similar.iter().map(|&(typos, apart, _)| (typos, apart)).min() else {
        return Vec::new();
    };
    let near = similar.iter().filter(|&&(typos, apart, _)| (typos, apart) == least);
    let mut near: Vec<&str> = near.map(|&(.., candidate)| candidate).collect();
    near.sort_by_key(|candidate| Reverse(common_beginning(word, candidate)));
    near
}

/// Returns the length of the common prefix, in characters.
fn common_beginning(one: &str, other: &str) -> usize {
    one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count()
}

/// Tests if two words are so similar that one is probably a misspelling of the other.
pub fn is_typo(word: &str, other: &str) -> bool {
    let length = word.chars().count();
    typo_distance(word, other)
        .is_some_and(|typo_distance| typo_distance <= if length < 6 { 1 } else { 2 })
}

/// Formats a list with a conjunction: `a`, `a and b`, `a, b and c`. Long lists end with the number
/// of items left out after the eighth.
pub fn list<S: AsRef<str>>(things: &[S], last: &str) -> String {
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

/// Joins words with commas and a conjunction: `a`, `a and b`, `a, b and c`.
pub fn series<S: AsRef<str>>(words: &[S], last: &str) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words.split_last() {
        Some((end, [])) => (*end).to_owned(),
        Some((end, rest)) => format!("{} {last} {end}", rest.join(", ")),
        None => String::from("none"),
    }
}

/// Returns the distance of a candidate if it is similar enough to be suggested. Extensions and
/// prefixes rank behind typos.
fn typo_distance(word: &str, candidate: &str) -> Option<usize> {
    if word == candidate {
        return None;
    }
    let (word, candidate) = (word.to_lowercase(), candidate.to_lowercase());
    let (length, other) = (word.chars().count(), candidate.chars().count());
    // Two typos in a short word leave nothing of it.
    let allowed = match length.max(other) {
        0..=2 => 0,
        3..=4 => 1,
        _ => 2,
    };
    if length.abs_diff(other) <= allowed {
        let distance = distance(&word, &candidate);
        if distance <= allowed {
            return Some(distance);
        }
    }
    let begun = length >= 3 && candidate.starts_with(&word);
    let overrun = other >= 3 && word.starts_with(&candidate);
    (begun || overrun).then(|| 3 + length.abs_diff(other))
}

/// Computes the Damerau–Levenshtein distance (Damerau 1964) in its restricted form, optimal string
/// alignment: no letter is changed twice.
pub fn distance(from: &str, to: &str) -> usize {
    let from: Vec<char> = from.chars().collect();
    let to: Vec<char> = to.chars().collect();
    // Rows of the table: the current one (`line`), the one above, and the one before that, which
    // swaps of neighbours refer to.
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=to.len()).collect();
    for row in 1..=from.len() {
        let mut line = vec![row];
        for column in 1..=to.len() {
            let same = from[row - 1] == to[column - 1];
            let mut least = (above[column] + 1)
                .min(line[column - 1] + 1)
                .min(above[column - 1] + usize::from(!same));
            if row > 1
                && column > 1
                && from[row - 1] == to[column - 2]
                && from[row - 2] == to[column - 1]
            {
                least = least.min(before[column - 2] + 1);
            }
            line.push(least);
        }
        before = std::mem::replace(&mut above, line);
    }
    above[to.len()]
}
