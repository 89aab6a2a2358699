//! Words of other languages, above all Ludii's, with their equivalents in this language. Used for
//! hints on unknown words.

use super::ludemes::{self, Ludeme};
use super::recipes;
use crate::syntax::{Node, parse};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// A form of another language.
#[derive(Debug)]
pub struct LudiiHint {
    /// The word that it begins with.
    pub head: &'static str,
    /// The words that must follow, to tell it from other forms with this head.
    with: &'static [&'static str],
    /// Whether it is from Ludii.
    pub of_ludii: bool,
    /// The exact equivalent, where there is one.
    pub exact: Option<&'static str>,
    /// The advice, where there is no exact equivalent.
    pub advice: &'static str,
}

impl LudiiHint {
    /// Formats the form: `(sites Empty)`, or `(…)` after a head alone.
    pub fn spelling(&self) -> String {
        match self.with {
            [] => format!("({} …)", self.head),
            with => format!("({} {})", self.head, with.join(" ")),
        }
    }

    /// Returns the equivalent of a form that has no arguments besides the words of this one.
    pub fn exactly(&self, args: &[Node]) -> Option<&'static str> {
        self.exact.filter(|_| self.of_ludii && args.len() == self.with.len())
    }

    /// Tests if it is about every form that begins with its word.
    pub fn is_head_alone(&self) -> bool {
        self.with.is_empty()
    }

    /// Tests if it says what there is instead of a notion that no word stands for.
    fn is_advice_alone(&self) -> bool {
        self.is_head_alone() && !self.of_ludii && self.exact.is_none()
    }

    /// Formats the hint.
    pub fn help(&self) -> String {
        match (self.of_ludii, self.exact) {
            (true, Some(exact)) => format!("Ludii's `{}` is `{exact}` here", self.spelling()),
            (true, None) => format!("instead of Ludii's `{}`, {}", self.spelling(), self.advice),
            (false, Some(exact)) => format!("write `{exact}`"),
            (false, None) => self.advice.to_owned(),
        }
    }
}

/// What our `add` adds to.
const ADDED: [&str; 3] = ["look", "choose", "define"];

/// Finds the hint for a form. The first match wins, and more specific rows come first. A hint on a
/// head alone is hidden when the language has that word.
pub fn form(head: &str, args: &[Node]) -> Option<&'static LudiiHint> {
    // Ludii's `add` puts a piece; ours takes one of three forms.
    let adds = |what: &Node| what.head().is_some_and(|(head, _)| ADDED.contains(&head));
    let ours = ludemes::rows(head).next().is_some()
        && !(head == Ludeme::AddTo.row().spelling && !args.is_empty() && !args.iter().any(adds));
    forms(head).find(|row| {
        let mut words = row.with.iter().enumerate();
        !(ours && row.with.is_empty())
            && words.all(|(index, &word)| args.get(index).and_then(Node::as_word) == Some(word))
    })
}

/// Returns the hints for forms with that head, in the order of the table.
fn forms(head: &str) -> impl Iterator<Item = &'static LudiiHint> + use<> {
    static BY_HEAD: LazyLock<FxHashMap<&str, Vec<&LudiiHint>>> = LazyLock::new(|| {
        let mut forms: FxHashMap<&str, Vec<&LudiiHint>> = FxHashMap::default();
        FORMS.iter().for_each(|form| forms.entry(form.head).or_default().push(form));
        forms
    });
    BY_HEAD.get(head).into_iter().flatten().copied()
}

/// Finds the hint for a part of a game of another language whose head is another word here.
pub fn part(head: &str) -> Option<&'static LudiiHint> {
    forms(head).find(|row| row.with.is_empty())
}

/// Finds the equivalent of a word, with an explanation. A word of the language has none.
pub fn word(word: &str) -> Option<(&'static str, &'static str)> {
    if ludemes::rows(word).next().is_some() {
        return None;
    }
    let plain: String =
        word.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
    let found = WORDS
        .iter()
        .find(|(known, ..)| *known == word)
        .or(WORDS.iter().find(|(known, ..)| *known == plain));
    found.map(|&(_, ours, why)| (ours, why))
}

/// Finds the hint for a form or a word of another language, written with or without brackets.
pub fn elsewhere(text: &str) -> Option<String> {
    let tree = parse(&format!("({})", text.trim().trim_start_matches('(').trim_end_matches(')')));
    let (head, args) = tree.forms.first()?.as_form()?.split_first()?;
    let head = head.as_word()?;
    let said = form(head, args).map(LudiiHint::help);
    // Several of something, and `hidden-information` or `Betza`.
    let plain = head.to_lowercase();
    let plain = plain.split('-').next().unwrap_or(head);
    let alone = |word: &str| forms(word).find(|row| row.is_advice_alone());
    let said = said.or_else(|| {
        let found = alone(plain).or_else(|| alone(plain.strip_suffix('s')?));
        found.map(LudiiHint::help)
    });
    said.or_else(|| word(head).map(|(ours, why)| format!("write `{ours}`: {why}")))
        .or_else(|| recipes::recipe(head).map(recipes::Recipe::help))
}

/// Finds the type that another language has under that name.
pub fn kind(word: &str) -> Option<&'static str> {
    KINDS.iter().find(|(known, _)| *known == word).map(|&(_, ours)| ours)
}

const fn ludii(
    head: &'static str,
    with: &'static [&'static str],
    exact: &'static str,
) -> LudiiHint {
    LudiiHint { head, with, of_ludii: true, exact: Some(exact), advice: "" }
}

const fn advice(
    head: &'static str,
    with: &'static [&'static str],
    advice: &'static str,
) -> LudiiHint {
    LudiiHint { head, with, of_ludii: true, exact: None, advice }
}

const fn habit(head: &'static str, exact: &'static str) -> LudiiHint {
    LudiiHint { head, with: &[], of_ludii: false, exact: Some(exact), advice: "" }
}

const fn hint(head: &'static str, advice: &'static str) -> LudiiHint {
    LudiiHint { head, with: &[], of_ludii: false, exact: None, advice }
}

/// What several notions have in common.
const HIDDEN: &str =
    "hidden information cannot be said: every player sees all pieces, all memories and every roll";
const LAYERS: &str = "write boards that lie one above the other as layers, the lowest first: `(board (layers (square 4) (square 4)))`. `(below s)` and `(above s)` lead from layer to layer";
const TEAM: &str = "write `(teams (North South) (East West))`: the players of a team win and lose together, and `theirs` leaves out the pieces of partners. `(team p)` are the players of the team of p, as in `(every q (team mover) (none (of q)))`";
const AGREED: &str = "what players agree on cannot be said: each decides alone, in a ply that everyone sees. A number that a player names is a choice, as in `(move bid (number n 1 9) (set Offer n))` with `(remember Offer number)`";
const TIMED: &str = "time cannot be said: rules know plies, not seconds. `(remember Left number 40)` counts plies down";

/// Hints on forms, the more specific first.
pub static FORMS: &[LudiiHint] = &[
    ludii("sites", &["Empty"], "(empty)"),
    advice("sites", &["Occupied"], "write `(pieces)`, `(mine)`, `(theirs)` or `(of player)`"),
    ludii("sites", &["Board"], "everywhere"),
    advice("sites", &["Around"], "write `(beside s)`, or `(beside s all)` for corners too"),
    advice("sites", &["Row"], "write `(row 1)`"),
    advice("sites", &["Column"], "write `(column \"a\")`"),
    ludii("sites", &["Bottom"], "(row 1)"),
    ludii("sites", &["Top"], "(edge N)"),
    ludii("sites", &["Left"], "(column \"a\")"),
    ludii("sites", &["Right"], "(edge E)"),
    advice("sites", &["Hand"], "declare `(hand Supply 12)` and write `(Supply mover)`"),
    advice("sites", &["Between"], "write `(between s t)`"),
    advice("sites", &["Group"], "write `(group s (mine))`"),
    advice(
        "sites",
        &["LineOfSight"],
        "write `(walk s all (empty))`, or `(first s d (pieces))` for what is seen in one direction",
    ),
    advice("sites", &["Direction"], "write `(walk s d everywhere)`"),
    ludii("sites", &["Corners"], "corners"),
    advice(
        "sites",
        &["Outer"],
        "write `(union d orthogonal (where s everywhere (none (step s d))))`",
    ),
    advice("sites", &["Perimeter"], "write `(or (edge N) (edge E) (edge S) (edge W))`"),
    advice("sites", &["Side"], "write `(edge N)` with the direction in which the side lies"),
    ludii("sites", &["Centre"], "centre"),
    advice("is", &["Line"], "write `(any (line 3 (mine)))`"),
    advice("is", &["Empty"], "write `(in t (empty))`"),
    advice("is", &["Occupied"], "write `(in t (pieces))`"),
    advice("is", &["Mover"], "write `(= mover White)` with the player's name"),
    advice("is", &["Next"], "write `(= (next mover) White)` with the player's name"),
    advice("is", &["Enemy"], "write `(in t (theirs))`"),
    advice("is", &["Friend"], "write `(in t (mine))`"),
    advice("is", &["In"], "write `(in t (row 8))`"),
    advice("is", &["Full"], "write `(none (empty))`"),
    advice("is", &["Connected"], "write `(any (and (group (and (row 1) (mine)) (mine)) (row 8)))`"),
    advice("is", &["Even"], "write `(= (mod n 2) 0)`"),
    advice("is", &["Odd"], "write `(= (mod n 2) 1)`"),
    advice("is", &["Repeat"], "add the part `(repetition 3 (draw))`"),
    advice("is", &["Threatened"], "define which sites are attacked, and write `(in s (Attacked))`"),
    advice("is", &[], "write `(in s (empty))`, `(any (mine))`, `(none (empty))` or `(= a b)`"),
    advice(
        "forEach",
        &["Piece"],
        "write `(choose step)` in the order of play, and `(from s (mine))` in the move `step`",
    ),
    advice("forEach", &["Player"], "write `(for p players …)`"),
    advice("forEach", &["Direction"], "write `(for d all …)`"),
    advice("forEach", &["Site"], "write `(for s (empty) …)` with the region you mean"),
    advice("forEach", &[], "write `(for s (empty) …)`, `(for d all …)` or `(for p players …)`"),
    advice(
        "move",
        &["Add"],
        "write `(choose drop)`, and next to `play` the part `(move drop (to t (empty)) (put Stone t))`",
    ),
    advice("move", &["Remove"], "write `(remove t)` in a part `(move …)`"),
    advice(
        "move",
        &["Step"],
        "write `(choose step)`, and next to `play` the part `(move step (from s (mine)) (to t (and (beside s) (empty))) (relocate s t))`",
    ),
    advice(
        "move",
        &["Slide"],
        "write `(choose slide)`, and next to `play` the part `(move slide (from s (mine)) (to t (and (slide s all) (not (mine)))) (relocate s t))`",
    ),
    advice(
        "move",
        &["Hop"],
        "write `(choose hop)`, and next to `play` a part `(move hop (from s (mine)) (towards d all) …)` that removes `(step s d)` and relocates to the site behind it",
    ),
    advice(
        "move",
        &["Leap"],
        "write `(choose leap)`, and next to `play` the part `(move leap (from s (mine)) (to t (leap s 2 1)) (relocate s t))`",
    ),
    advice("move", &["Pass"], "write `(choose pass)`, and next to `play` the part `(move pass)`"),
    advice("move", &["Select"], "write `(at s (mine))` in a part `(move …)`"),
    advice("move", &["Swap"], "write the effect, such as `(swap s t)`, in a part `(move …)`"),
    advice("move", &["Promote"], "write `(replace t Queen)` in a part `(move …)`"),
    advice(
        "move",
        &["FromTo"],
        "write `(from s …)`, `(to t …)` and `(relocate s t)` in a part `(move …)`",
    ),
    advice(
        "no",
        &["Moves"],
        "write it where the moves are chosen, `(choose step (otherwise (lose mover)))`, or ask for the verbs: `(not (can (next mover) step))`",
    ),
    advice("can", &["Move"], "write the verbs of the moves: `(can step jump)`"),
    advice("no", &["Pieces"], "write `(none (mine))`, `(none (theirs))` or `(none (of player))`"),
    advice("no", &[], "write `(none (mine))` or `(not …)`"),
    ludii("result", &["Mover", "Win"], "(win mover)"),
    ludii("result", &["Mover", "Loss"], "(lose mover)"),
    ludii("result", &["Mover", "Draw"], "(draw)"),
    ludii("result", &["Next", "Win"], "(win (next mover))"),
    ludii("result", &["Next", "Loss"], "(lose (next mover))"),
    advice("result", &[], "write `(win mover)`, `(lose mover)` or `(draw)`"),
    ludii("byScore", &[], "(by-score p (count (of p)))"),
    ludii("prev", &[], "(next mover)"),
    ludii("count", &["Pieces", "Mover"], "(count (mine))"),
    ludii("count", &["Pieces", "Next"], "(count (theirs))"),
    advice("count", &["Pieces"], "write `(count (mine))` or `(count (of player))`"),
    advice("count", &["Sites"], "write `(count (empty))` with the region you mean"),
    advice(
        "count",
        &["Moves"],
        "count in a memory: `(remember Moves number)` and `(raise Moves 1)`",
    ),
    advice(
        "count",
        &["Turns"],
        "count in a memory: `(remember Turns number)` and `(raise Turns 1)`",
    ),
    advice("count", &["Groups"], "write `(count g (groups (mine)) true)`"),
    advice("count", &["Steps"], "write `(distance s t)`"),
    advice(
        "equipment",
        &[],
        "write its parts directly in `game`: `(board (square 8))` and `(piece Stone)`",
    ),
    advice(
        "rules",
        &[],
        "write its parts directly in `game`: `(setup …)`, `(play …)` and `(end …)`",
    ),
    advice(
        "start",
        &[],
        "write `(setup (put Stone (row 1) White))`, or draw the position with `diagram`",
    ),
    advice("phases", &[], "write `(phase Opening …)` in `play`"),
    advice("regions", &[], "write `(define Goal (row 8))`"),
    advice(
        "dice",
        &[],
        "write the parts `(move roll (number n 1 6) …)` and, in `play`, `(chance roll)`; several dice, each used once, are `(remember Dice number (per number 1 6))`",
    ),
    advice(
        "roll",
        &[],
        "write `(chance roll)` in the order of play, and the part `(move roll (number n 1 6) …)`",
    ),
    advice("place", &[], "write `(put Stone (row 1) White)`"),
    advice("add", &[], "write `(put Stone t)`"),
    advice("fromTo", &[], "write `(relocate s t)`"),
    advice("swap", &["Pieces"], "write `(swap s t)` with the two sites"),
    advice("hop", &[], "remove `(step s d)` and relocate to the site behind it, `(step s d 2)`"),
    advice("moveAgain", &[], "write `(extra-turn)`"),
    advice("do", &[], "write effects one after the other"),
    advice("priority", &[], "write `(choose capture (otherwise (choose step)))`"),
    advice("flip", &[], "write `(convert sites mover)` or `(replace sites Piece)`"),
    advice("promote", &[], "write `(replace t Queen)`"),
    advice(
        "custodial",
        &[],
        "take the directions one by one with `for`, and `remove` the pieces between",
    ),
    advice(
        "surround",
        &[],
        "take the neighbours one by one with `for`, and `remove` those that are surrounded",
    ),
    advice("enclose", &[], "find the groups with `group`, and `remove` those without a liberty"),
    advice("intersection", &[], "write `(and a b)`"),
    advice("difference", &[], "write `(and a (not b))`"),
    advice("expand", &[], "write `(or a (beside a))`"),
    advice("directions", &[], "write `orthogonal`, `diagonal`, `all` or `(list N S)`"),
    advice("ahead", &[], "write `(step s forward)`"),
    advice("last", &[], "keep it in a memory: `(remember Last sites)` and `(set Last t)`"),
    advice("who", &[], "write `(in s (mine))`, `(in s (theirs))` or `(in s (of player))`"),
    advice("what", &[], "write `(kind s)`, such as `(= (kind s) Stone)`"),
    advice("size", &["Group"], "write `(count (group s (mine)))`"),
    advice("sizes", &["Group"], "write `(max g (groups (mine)) (count g))` for the largest"),
    advice("size", &[], "write `(count …)`"),
    advice("score", &[], "keep it in a memory: `(remember Score number (per player))`"),
    advice("var", &[], "write `(let x …)` in a move, or `(remember X number)`"),
    advice("state", &[], "keep it in a memory: `(remember State number (per site 8))`"),
    advice("player", &[], "write the player's name, `mover` or `(next mover)`"),
    advice("hex", &[], "write `(hexagon 5)`, or `(rhombus 9)`"),
    habit("==", "="),
    habit("===", "="),
    habit("&&", "and"),
    habit("&", "and"),
    habit("||", "or"),
    habit("|", "or"),
    habit("!", "not"),
    habit("~", "not"),
    habit("<>", "!="),
    habit("/=", "!="),
    habit("~=", "!="),
    habit("=<", "<="),
    habit("=>", ">="),
    habit("≤", "<="),
    habit("≥", ">="),
    habit("≠", "!="),
    habit("%", "mod"),
    habit("+=", "raise"),
    habit("-=", "lower"),
    habit("increment", "raise"),
    habit("decrement", "lower"),
    habit("def", "define"),
    habit("function", "define"),
    habit("switch", "case"),
    habit("length", "count"),
    habit("forall", "every"),
    habit("exists", "some"),
    habit("contains", "in"),
    habit("foreach", "for"),
    habit("capture", "remove"),
    habit("take", "remove"),
    habit("kill", "remove"),
    habit("drop", "put"),
    habit("rank", "row"),
    habit("file", "column"),
    habit("neighbours", "beside"),
    habit("neighbors", "beside"),
    habit("neighbour", "beside"),
    habit("neighbor", "beside"),
    habit("adjacent", "beside"),
    habit("around", "beside"),
    habit("ray", "walk"),
    habit("own", "mine"),
    habit("friends", "mine"),
    habit("enemies", "theirs"),
    habit("foes", "theirs"),
    habit("occupied", "pieces"),
    habit("vacant", "empty"),
    habit("unoccupied", "empty"),
    habit("free", "empty"),
    habit("cluster", "group"),
    habit("component", "group"),
    habit("components", "groups"),
    habit("islands", "groups"),
    habit("maximum", "max"),
    habit("minimum", "min"),
    habit("row-number", "row-of"),
    habit("column-number", "column-of"),
    habit("contiguous", "connected"),
    habit("is-connected", "connected"),
    habit("flood", "group"),
    habit("opponent", "next"),
    habit("move-piece", "relocate"),
    hint("unless", "write `(if (not …) …)`"),
    hint("hidden", HIDDEN),
    hint("secret", HIDDEN),
    hint("bluff", HIDDEN),
    hint("fog", HIDDEN),
    hint("shuffle", HIDDEN),
    hint("trick", HIDDEN),
    hint("trump", HIDDEN),
    hint(
        "simultaneous",
        "simultaneous moves cannot be said: plies are made one after the other, and everyone sees them. A memory can keep what each player has chosen, to be carried out with the last player's ply",
    ),
    hint("partner", TEAM),
    hint("alliance", TEAM),
    hint("ally", TEAM),
    hint("auction", AGREED),
    hint("bid", AGREED),
    hint("trade", AGREED),
    hint("vote", AGREED),
    hint("negotiation", AGREED),
    hint("clock", TIMED),
    hint("timer", TIMED),
    hint("layer", LAYERS),
    hint("3d", LAYERS),
    hint("cube", LAYERS),
    hint("storey", LAYERS),
    hint(
        "concentric",
        "list the rings as lines that come back to where they began, as in `(board (lines (a2 b3 c2 b1 a2) …))`; where there are many, a rectangle that wraps has the same steps: in `(board (rectangle 8 3) (wrap columns))` each row is a ring of eight sites",
    ),
    hint(
        "vertex",
        "pieces stand on sites, whatever they are on paper: give each vertex a site, and draw the board with `(board (drawing …))`, or a grid as crossing lines with `(look (grid points))`",
    ),
    hint(
        "pyramid",
        "write its levels as layers, the lowest first: `(board (layers (square 3) (square 2) (square 1)))`. `(where s (empty) (none (and (below s) (empty))))` are the sites where a ball can lie",
    ),
    hint(
        "betza",
        "there are no letters for moves; write the sites that a piece goes to: Betza's N is `(leap s 2 1)`, W `(beside s orthogonal)`, F `(beside s diagonal)`, R `(slide s orthogonal)`, B `(slide s diagonal)`",
    ),
    hint(
        "tile",
        "the cells of the board are its sites; a tile that players lay is a piece, as in `(piece Tile)` and `(put Tile t)`",
    ),
    hint(
        "track",
        "a track is a direction with a name: `(path Track a1 E N 1 W S)`, and `(step s Track n)` goes n sites along it",
    ),
    hint(
        "xboard",
        "`ludwright engine --protocol cecp` speaks its protocol; the rules say with `(notation uci …)` how moves are written",
    ),
    hint("san", "the rules say with `(notation pgn …)` how records of other programs write moves"),
    hint("elif", "write another `if` in `(else …)`"),
    hint("return", "a definition has the value of its body; there is no `return`"),
    hint(
        "random",
        "chance is a ply: write `(chance roll)` in the order of play, and the part `(move roll (number n 1 6) …)`",
    ),
];

/// Types: the foreign name and the name here.
static KINDS: &[(&str, &str)] = &[
    ("int", "number"),
    ("integer", "number"),
    ("bool", "condition"),
    ("boolean", "condition"),
    ("cell", "site"),
    ("vertex", "site"),
    ("position", "site"),
    ("region", "sites"),
    ("set", "sites"),
];

/// Words: the foreign word in lower case without punctuation, the equivalent, and an explanation.
pub static WORDS: &[(&str, &str, &str)] = &[
    ("north", "N", DIRECTIONS),
    ("northeast", "NE", DIRECTIONS),
    ("east", "E", DIRECTIONS),
    ("southeast", "SE", DIRECTIONS),
    ("south", "S", DIRECTIONS),
    ("southwest", "SW", DIRECTIONS),
    ("west", "W", DIRECTIONS),
    ("northwest", "NW", DIRECTIONS),
    ("en", "NE", DIRECTIONS),
    ("es", "SE", DIRECTIONS),
    ("ws", "SW", DIRECTIONS),
    ("wn", "NW", DIRECTIONS),
    ("up", "N", DIRECTIONS),
    ("down", "S", DIRECTIONS),
    ("adjacent", "all", "the lists of directions are `orthogonal`, `diagonal` and `all`"),
    ("leftward", "left", SIDES),
    ("rightward", "right", SIDES),
    ("forwards", "forward", SIDES),
    ("backward", "back", SIDES),
    ("backwards", "back", SIDES),
    ("fl", "(clockwise forward -1)", SIDES),
    ("fr", "(clockwise forward 1)", SIDES),
    ("bl", "(clockwise back 1)", SIDES),
    ("br", "(clockwise back -1)", SIDES),
    ("center", "centre", "the middle sites of the board are `centre`"),
    ("off", "nowhere", "a site off the board is `nowhere`"),
    ("nil", "nowhere", "a site off the board is `nowhere`"),
    ("null", "nowhere", "a site off the board is `nowhere`"),
    ("self", "mover", "a player is `mover`, `(next mover)` or a name"),
    ("opponent", "(next mover)", "a player is `mover`, `(next mover)` or a name"),
    ("enemy", "(next mover)", "a player is `mover`, `(next mover)` or a name"),
    ("enemies", "(theirs)", "sites with pieces are `(mine)`, `(theirs)` and `(of player)`"),
    ("own", "(mine)", "sites with pieces are `(mine)`, `(theirs)` and `(of player)`"),
    ("friends", "(mine)", "sites with pieces are `(mine)`, `(theirs)` and `(of player)`"),
    ("occupied", "(pieces)", "sites are `(empty)`, or have `(pieces)`"),
    ("vacant", "(empty)", "sites are `(empty)`, or have `(pieces)`"),
    ("unoccupied", "(empty)", "sites are `(empty)`, or have `(pieces)`"),
    ("free", "(empty)", "sites are `(empty)`, or have `(pieces)`"),
];

const SIDES: &str = "the mover's directions are `forward`, `left`, `right` and `back`, and `players` says where each player plays to: `(players (White N) (Black S))`";

const DIRECTIONS: &str = "directions are `N`, `NE`, `E`, `SE`, `S`, `SW`, `W` and `NW`";
