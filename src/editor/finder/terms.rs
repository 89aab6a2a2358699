//! The vocabulary of players: stems, stop words, and groups of synonyms.

use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::LazyLock;

/// Splits a text into the stems of its words, without stop words.
///
/// ```
/// use ludwright::editor::finder::terms::stems;
///
/// assert_eq!(stems("Jumping over the enemies' pieces"), ["jump", "over", "enemy", "piec"]);
/// ```
pub fn stems(text: &str) -> Vec<String> {
    let text = text.to_lowercase().replace(['’', '\''], "");
    let words =
        text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let telling: Vec<&str> = words.clone().filter(|word| !EMPTY.contains(word)).collect();
    // A query such as `what is it` consists of stop words only: then they count.
    let words = if telling.is_empty() { words.collect() } else { telling };
    words.into_iter().map(stem).collect()
}

/// Returns the stem of a word in lower case, the same for all its inflections: a light stemmer for
/// plurals, `-ing`, `-ed` and a final `e`, after an irregular form is replaced.
pub fn stem(word: &str) -> String {
    let regular = IRREGULAR.iter().find_map(|pair| pair.strip_prefix(word)?.strip_prefix(' '));
    let regular = regular.unwrap_or(word);
    let mut stem = regular.to_owned();
    let ends = |stem: &str, end: &str, least: usize| {
        stem.ends_with(end)
            && stem.chars().count() >= end.len() + least
            && stem[..stem.len() - end.len()].contains(['a', 'e', 'i', 'o', 'u', 'y'])
    };
    if ends(&stem, "ies", 2) {
        stem.truncate(stem.len() - 3);
        stem.push('y');
    } else if ["sses", "xes", "ches", "shes", "zes"].iter().any(|end| stem.ends_with(end)) {
        stem.truncate(stem.len() - 2);
    } else if stem.ends_with('s')
        && ends(&stem, "s", 3)
        && !stem.ends_with("ss")
        && !stem.ends_with("us")
    {
        stem.truncate(stem.len() - 1);
    }
    for end in ["ing", "ed"] {
        if ends(&stem, end, 3) {
            stem.truncate(stem.len() - end.len());
            let letters: Vec<char> = stem.chars().rev().take(2).collect();
            let is_doubled = letters.len() == 2 && letters[0] == letters[1];
            if is_doubled && !matches!(letters[0], 'l' | 's' | 'z') {
                stem.pop();
            }
            break;
        }
    }
    if stem.ends_with('e') && stem.chars().count() > 3 {
        stem.pop();
    }
    stem
}

/// Lists the synonyms of a stem, as stems.
pub fn alike(stem: &str) -> impl Iterator<Item = &'static str> {
    static GROUPS: LazyLock<FxHashMap<String, FxHashSet<String>>> = LazyLock::new(|| {
        let mut groups: FxHashMap<String, FxHashSet<String>> = FxHashMap::default();
        for group in ALIKE {
            let own: Vec<String> = group.split_whitespace().map(self::stem).collect();
            for stem in &own {
                let others = own.iter().filter(|other| *other != stem).cloned();
                groups.entry(stem.clone()).or_default().extend(others);
            }
        }
        groups
    });
    GROUPS.get(stem).into_iter().flatten().map(String::as_str)
}

/// Stop words: they say nothing about a rule.
const EMPTY: &[&str] = &[
    "a", "an", "the", "of", "to", "by", "for", "with", "and", "or", "is", "are", "be", "it", "its",
    "you", "your", "my", "our", "we", "i", "he", "his", "they", "their", "them", "this", "that",
    "there", "how", "do", "does", "what", "which", "when", "if", "then", "who", "whoever", "want",
    "make", "makes", "let", "have", "has", "get", "gets", "should", "would", "like", "player",
    "players", "game", "games", "rule", "rules", "at", "on", "as", "so", "up", "from", "into",
    "same", "only", "was", "been", "will", "some", "me", "us", "can", "may", "dont", "s",
];

/// Irregular forms, each with its base.
const IRREGULAR: &[&str] = &[
    "won win",
    "lost lose",
    "losing lose",
    "loses lose",
    "taken take",
    "took take",
    "men man",
    "dice die",
    "fell fall",
    "fallen fall",
    "cant cannot",
    "biggest large",
    "largest large",
    "bigger large",
    "greatest large",
    "longest long",
    "becomes become",
    "neighbor neighbour",
    "neighbors neighbour",
    "neighboring neighbour",
    "neighbouring neighbour",
    "color colour",
    "colors colour",
    "center centre",
    "centers centre",
    "knights knight",
    "twice two",
    "double two",
    "threw throw",
    "3 three",
    "4 four",
    "5 five",
    "2 two",
    "1 one",
];

/// Groups of synonyms, in the vocabulary of players.
const ALIKE: &[&str] = &[
    "flip reverse invert",
    "stone piece disc disk token counter man checker mark marble pawn",
    "site square cell field space point hex tile spot position",
    "capture take eat kill",
    "remove delete destroy",
    "jump hop leap leapfrog",
    "surround enclose encircle trap",
    "sandwich custodial flank clamp",
    "neighbour adjacent beside next touch around",
    "most majority more highest",
    "large big huge",
    "row line",
    "three four five six",
    "swap exchange switch trade",
    "colour side owner",
    "pass skip",
    "turn move ply",
    "place put drop add",
    "connect link join bridge path chain",
    "side edge border",
    "far opposite other",
    "goal target",
    "reach arrive",
    "centre middle",
    "die roll throw random chance luck",
    "promote promotion crown upgrade become queen",
    "point score",
    "push shove",
    "wall barrier fence obstacle block",
    "stack pile tower height",
    "layer level storey pyramid 3d cube dimensional",
    "fall gravity sink bottom down",
    "limit maximum limited",
    "supply reserve stock hand",
    "repeat repetition ko again",
    "draw tie",
    "forced must mandatory compulsory",
    "cannot unable blocked stuck",
    "all every last",
    "win winner victory",
    "lose loser",
    "enemy opponent foe theirs",
    "own mine",
    "territory area region",
    "infect contagion assimilate",
    "convert change",
    "hexagon hexagonal",
    "knight leap",
    "rook bishop queen slide",
    "end finish over",
    "start setup begin beginning opening",
    "checkers draughts",
    "go baduk weiqi",
    "mancala sow seed",
    "another extra bonus",
    "empty free vacant",
    "undo back",
    "save keep store",
    "board grid",
];
