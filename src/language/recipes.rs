//! The cookbook: how to write what has no word of its own, in the words that exist. Findings on
//! unknown words and `explain` show the recipes.
//!
//! A recipe is found by every name that a designer may use: the words of Ludii, Zillions of Games
//! and BoardGameGeek, and plain speech. Each recipe is completed to a game and tested. When
//! the language gains a word that is among the names of a recipe, the recipe is hidden and its other
//! names lead to that word.

mod common;
mod equipment;
mod table;

use self::common::COMMON;
use self::equipment::EQUIPMENT;
use self::table::RECIPES;
use super::ludemes::{Row, rows};
use super::samples::Sample;

/// How to write a notion that has no word of its own.
#[derive(Debug)]
pub struct Recipe {
    /// The names that it is found by; the first is its title.
    pub names: &'static [&'static str],
    /// What it does, in a sentence or two.
    pub text: &'static str,
    /// Parts of a game that show it.
    pub parts: &'static str,
    /// Further parts that the complete game needs.
    pub frame: &'static str,
}

/// What a name of the cookbook leads to.
#[derive(Clone, Copy, Debug)]
pub enum Entry {
    Recipe(&'static Recipe),
    /// A word of the language.
    Word(&'static Row),
}

impl Recipe {
    /// Returns its title.
    pub fn title(&self) -> &'static str {
        self.names[0]
    }

    /// Returns the word of the language that made the recipe superfluous.
    fn successor(&self) -> Option<&'static Row> {
        self.names.iter().find_map(|name| rows(name).next())
    }

    /// Completes it to a game.
    pub fn sample(&self) -> Sample {
        Sample::of_parts(&format!("{}\n{}", self.parts, self.frame))
    }

    /// Formats it as the help of a finding.
    pub fn help(&self) -> String {
        let text = self.text.strip_suffix('.').unwrap_or(self.text);
        let mut letters = text.chars();
        let first: String = letters.next().into_iter().flat_map(char::to_lowercase).collect();
        format!("{first}{}:\n{}", letters.as_str(), self.parts)
    }
}

/// Lists the recipes for notions without a word.
pub fn recipes() -> impl Iterator<Item = &'static Recipe> {
    all().filter(|recipe| recipe.successor().is_none())
}

/// Lists the recipes, also those that a word of the language made superfluous.
fn all() -> impl Iterator<Item = &'static Recipe> {
    COMMON.iter().chain(RECIPES).chain(EQUIPMENT)
}

/// Lists the other names of the words of the language.
pub fn synonyms() -> impl Iterator<Item = (&'static [&'static str], &'static str)> {
    SYNONYMS.iter().copied()
}

/// Finds what a name leads to. Case, hyphens and a plural `s` do not matter.
///
/// ```
/// use ludwright::language::recipes::{Entry, find};
///
/// assert!(matches!(find("Must Capture"), Some(Entry::Recipe(recipe)) if recipe.title() == "must capture"));
/// assert!(matches!(find("swap sides"), Some(Entry::Word(row)) if row.spelling == "pie-rule"));
/// assert!(matches!(find("neighbours"), Some(Entry::Word(row)) if row.spelling == "beside"));
/// assert!(find("beside").is_none());
/// ```
pub fn find(name: &str) -> Option<Entry> {
    let name = plain(name);
    let recipe = all().find(|recipe| recipe.names.iter().any(|known| plain(known) == name));
    if let Some(recipe) = recipe {
        return Some(recipe.successor().map_or(Entry::Recipe(recipe), Entry::Word));
    }
    let (_, ours) =
        SYNONYMS.iter().find(|(names, _)| names.iter().any(|known| plain(known) == name))?;
    rows(ours).next().map(Entry::Word)
}

/// Returns the help on an unknown word: its recipe, or the word of the language.
pub fn help(word: &str) -> Option<String> {
    Some(match find(word)? {
        Entry::Recipe(recipe) => recipe.help(),
        Entry::Word(row) if row.word => format!("write `{}`", row.spelling),
        Entry::Word(row) => {
            format!(
                "the word for it is `{}`: `{}`, for example `{}`",
                row.spelling,
                row.signature(),
                row.example
            )
        }
    })
}

/// Finds the recipe for an unknown word.
pub fn recipe(word: &str) -> Option<&'static Recipe> {
    match find(word)? {
        Entry::Recipe(recipe) => Some(recipe),
        Entry::Word(_) => None,
    }
}

/// Normalizes a name: lower case, blanks for hyphens, without a plural `s`.
fn plain(name: &str) -> String {
    let mut plain = String::new();
    let mut small_before = false;
    for letter in name.trim().chars() {
        // `moveAgain` is two words.
        if letter.is_uppercase() && small_before {
            plain.push(' ');
        }
        small_before = letter.is_lowercase();
        match letter {
            '-' | '_' => plain.push(' '),
            _ => plain.extend(letter.to_lowercase()),
        }
    }
    match plain.strip_suffix('s').filter(|stem| stem.len() > 3 && !stem.ends_with(['s', 'u'])) {
        Some(stem) => stem.to_owned(),
        None => plain,
    }
}

/// Words of the language by other names.
static SYNONYMS: &[(&[&str], &str)] = &[
    (
        &["neighbour", "neighbor", "adjacent", "adjacency", "next to", "around", "touching"],
        "beside",
    ),
    (&["rank", "line of sites"], "row"),
    (&["file"], "column"),
    (&["slider", "rider", "rook", "bishop", "queen", "line piece"], "slide"),
    (&["ray"], "walk"),
    (&["line of sight", "sight", "visible", "seen"], "first"),
    (&["knight", "leaper", "camel", "zebra"], "leap"),
    (&["card", "cards", "offset", "table of steps"], "offsets"),
    (
        &["hexagonal chess", "diagonals of hexagons", "across a corner", "twelve directions"],
        "diagonals",
    ),
    (&["nightrider", "knight rider", "knight's direction", "links of twixt"], "leaps"),
    (&["capture", "take", "kill", "delete"], "remove"),
    (&["place", "add piece"], "put"),
    (&["move piece", "displacement", "displace"], "relocate"),
    (&["exchange", "exchange pieces", "swap pieces", "switch places"], "swap"),
    (&["move together", "move all", "shift row", "slide a row", "translate"], "shift"),
    (&["closure", "transitive closure", "reachable", "fixpoint"], "reach"),
    (&["change owner", "change colour", "change color"], "convert"),
    (
        &["threefold", "threefold repetition", "repeated position", "cycle", "perpetual"],
        "repetition",
    ),
    (&["torus", "cylinder", "toroidal", "cylindrical", "wraparound"], "wrap"),
    (&["piece type", "type of piece", "same kind", "what stands there"], "kind"),
    (&["piece types", "all kinds", "each kind"], "kinds"),
    (&["own", "friend", "friendly", "my pieces"], "mine"),
    (&["partner", "partnership", "ally", "alliance", "two against two", "shared win"], "teams"),
    (&["teammate", "my team", "players of a team"], "team"),
    (&["enemy", "enemies", "foe", "opponent's pieces", "their"], "theirs"),
    (&["opponent", "other player"], "next"),
    (
        &[
            "pie rule",
            "pie",
            "swap rule",
            "swap sides",
            "swap players",
            "swap colours",
            "swap colors",
            "swap option",
            "steal the first move",
        ],
        "pie-rule",
    ),
    (&["drop out", "player elimination", "knocked out", "out of the game"], "lose"),
    (&["number of players", "player count", "how many players", "multiplayer"], "players"),
    (&["occupied", "filled", "stones"], "pieces"),
    (&["vacant", "free", "unoccupied"], "empty"),
    (&["flood", "flood fill", "cluster", "component", "string"], "group"),
    (&["any", "exists", "there is"], "some"),
    (&["forall", "for all"], "every"),
    (&["variable", "constant"], "let"),
    (&["function", "macro", "procedure"], "define"),
    (&["state", "flag", "counter"], "remember"),
    (&["opening", "stage"], "phase"),
    (&["random", "luck", "dice roll"], "chance"),
    (&["two moves", "several moves", "action", "action point", "marseillais"], "repeat"),
    (&["requirement", "condition of a move", "illegal", "forbidden"], "require"),
    (&["fen", "drawing", "position as text", "ascii diagram", "board setup"], "diagram"),
    (&["initial position", "start position", "starting position"], "setup"),
    (&["union of sets", "set union"], "or"),
    (&["intersection", "set intersection"], "and"),
    (&["value by condition", "conditional", "ternary", "if then else", "either or"], "if"),
    (&["mill", "alignment", "tris"], "line"),
    (&["border", "rim", "perimeter", "boundary", "outer"], "edge"),
    (&["how far", "within range", "reach", "in reach"], "distance"),
    (&["coordinate", "row number", "y coordinate"], "row-of"),
    (&["column number", "x coordinate"], "column-of"),
    (&["for loop", "number loop", "loop"], "numbers"),
    (&["number of groups", "islands", "connected components"], "groups"),
    (&["unity", "contiguous", "one group"], "connected"),
    (&["only site", "single site"], "one"),
    (&["nth site", "n-th site", "several steps"], "step"),
    (&["maximum", "greatest"], "max"),
    (&["minimum", "least", "smallest"], "min"),
    (&["corner"], "corners"),
    (&["center", "middle"], "centre"),
    (
        &[
            "turned direction",
            "anticlockwise",
            "counterclockwise",
            "rotate",
            "rotation",
            "rotated",
            "turn left",
            "turn right",
        ],
        "clockwise",
    ),
    (&["forwards", "ahead", "backward", "backwards", "facing"], "forward"),
    (&["complement", "difference", "set difference"], "not"),
];
