//! A word that is not known in, the one that was probably meant out. It refuses to know what the words are for.

/// Finds the candidate that is a slip or two away from the word, the nearest first in the order given.
///
/// A slip is a letter too many, too few, wrong, or swapped with its neighbour (optimal string alignment). A third of the word's letters may be slips;
/// capitals and small letters are then alike.
pub fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let word: Vec<char> = word.chars().take(LONGEST + 1).collect();
    if word.is_empty() || word.len() > LONGEST {
        return None;
    }
    let allowed = (word.len() / 3).max(1);
    let slips = |candidate: &'c str| (slips(&word, &candidate.chars().collect::<Vec<char>>()), candidate);
    let near = candidates.into_iter().filter(|candidate| candidate.len() <= 4 * LONGEST).map(slips);
    let (_, found) = near.filter(|&(slips, _)| slips <= allowed).min_by_key(|&(slips, _)| slips)?;
    Some(found)
}

/// Words longer than this are no slips.
const LONGEST: usize = 40;

fn slips(word: &[char], candidate: &[char]) -> usize {
    let same = |i: usize, j: usize| word[i].to_lowercase().eq(candidate[j].to_lowercase());
    let mut before = Vec::new();
    let mut last: Vec<usize> = (0..=candidate.len()).collect();
    for i in 0..word.len() {
        let mut row = vec![i + 1];
        for j in 0..candidate.len() {
            let mut least = (last[j] + usize::from(!same(i, j))).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && same(i, j - 1) && same(i - 1, j) {
                let swapped: &[usize] = &before;
                least = least.min(swapped[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[candidate.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_what_was_probably_meant() {
        let verbs = ["place", "convert", "move", "colonize", "pass"];
        for (word, meant) in [
            ("plcae", Some("place")),
            ("Place", Some("place")),
            ("covert", Some("convert")),
            ("colonise", Some("colonize")),
            ("pss", Some("pass")),
            ("jump", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, verbs), meant, "{word}");
        }
        assert_eq!(nearest(&"p".repeat(1_000_000), verbs), None);
    }
}
