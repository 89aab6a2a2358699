//! The one table of ludemes: every word of the language with its signature, its documentation and an example.
//!
//! In: nothing. Out: rows that the checker, the messages, the manual and the compiler read; there is no second list of words
//! anywhere. A word may have several rows (`and` joins conditions and intersects regions); the checker picks the row
//! whose result is wanted and whose first argument fits.

use rustc_hash::FxHashMap;
use std::fmt;
use std::sync::LazyLock;

macro_rules! kinds {
    ($($(#[doc = $doc:literal])+ $kind:ident = $spelling:literal,)*) => {
        /// What a part of a rules file is: the types of the language, and the roles of names in it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Kind { $($(#[doc = $doc])+ $kind,)* }
        impl Kind {
            /// Every kind, in the order of the manual.
            pub const ALL: &[Kind] = &[$(Kind::$kind),*];
            /// The kind's name as messages, signatures and the manual spell it.
            pub fn spelling(self) -> &'static str {
                match self { $(Kind::$kind => $spelling),* }
            }
            /// What the manual says of it.
            pub fn doc(self) -> String {
                match self { $(Kind::$kind => [$($doc.trim()),+].join(" ")),* }
            }
        }
    };
}

kinds! {
    /// A number. Counts and memories are whole; what is written in the file, options and scores may have halves, such as `0.5`.
    Number = "number",
    /// Something that is so or is not.
    Condition = "condition",
    /// A region: any set of sites. A single site serves as a region of one.
    Sites = "sites",
    /// One site, or nowhere. Nowhere is in no region and equals nothing, and an effect on it does nothing.
    Site = "site",
    /// One direction: `N`, `NE`, `E`, `SE`, `S`, `SW`, `W` or `NW`, a variable, or what a ludeme yields.
    Direction = "direction",
    /// Some directions, in order. A single direction serves as a list of one.
    Directions = "directions",
    /// A player: by name, or `mover`, `(next mover)`, a variable, a memory.
    Player = "player",
    /// Something done: an effect, a requirement, or a step in the order of play.
    Statement = "statement",
    /// A part of the whole game, as it stands directly inside `(game …)`.
    Part = "part",
    /// The shape of a board.
    Shape = "shape",
    /// A detail of a board: how its labels run, or which sites it lacks.
    BoardDetail = "board detail",
    /// The values that an option allows.
    Values = "values",
    /// A value of an option, as `-o` spells it.
    OptionValue = "option value",
    /// A piece, by its name.
    Piece = "piece",
    /// A move, by its verb.
    Move = "move",
    /// Something remembered, by its name, with the player, direction or site it is asked for.
    Memory = "memory",
    /// What a memory holds: `number`, `sites`, `site` or `player`.
    Holds = "number, sites, site or player",
    /// A detail of a memory.
    MemoryDetail = "memory detail",
    /// Something to choose when making a move.
    Parameter = "parameter",
    /// What a variable runs through: a region, directions, or `players`.
    Domain = "sites, directions or players",
    /// A new name for something that the file declares. It begins with a capital letter.
    Name = "new name",
    /// The name of something that is declared elsewhere, a verb, or the word of a part.
    Declared = "name",
    /// A new name for a variable. It begins with a small letter.
    Variable = "new variable",
    /// A new verb for a move. It begins with a small letter.
    Verb = "new verb",
    /// A name, or a name with parameters: `Edge` or `(Edge (player p))`.
    Heading = "name, or (name (type variable) …)",
    /// A value and what it leads to: `(value …)`, and last of all perhaps `(else …)`.
    Branch = "(value …)",
    /// What is done or meant otherwise: the last branch of an `if` or a `case`.
    Else = "(else …)",
    /// What is done when no move is legal: the last part of a `choose`.
    Otherwise = "(otherwise …)",
    /// What must hold in the end: the last part of `steps`.
    SoThat = "(so-that …)",
    /// An expression of any type.
    Any = "any expression",
    /// Text between double quotes.
    Text = "text",
    /// The word `top` or `bottom`.
    Edge = "top or bottom",
    /// The word `columns` or `rows`.
    Wrapping = "columns or rows",
    /// The word `owned` or `unowned`.
    Ownership = "owned or unowned",
    /// A detail of how the game is drawn.
    LookDetail = "look detail",
    /// The word `cells`, `checkered` or `points`.
    Grid = "cells, checkered or points",
    /// A colour: `white`, `ivory`, `yellow`, `gold`, `orange`, `red`, `maroon`, `pink`, `purple`, `blue`, `sky`, `teal`, `green`, `olive`, `tan`, `brown`,
    /// `grey` or `black`, or any other as `"#rrggbb"`.
    Color = "color",
    /// Under what a claim is made: options, an opening, who plays.
    Circumstance = "circumstance",
    /// What a claim says of the game.
    Assertion = "assertion",
    /// A shape: `disc`, `ring`, `square`, `triangle`, `diamond`, `hexagon`, `star` or `cross`; for a number that is remembered `die`. Or a letter or two in quotes.
    Figure = "figure",
}

impl Kind {
    /// Whether it is always a form with a place of its own in another, such as `(else …)`.
    pub fn is_branch(self) -> bool {
        self.spelling().starts_with('(')
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.spelling())
    }
}

/// How often an argument is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Times {
    /// Just once.
    One,
    /// Once or not at all.
    Maybe,
    /// Once or more.
    Some,
    /// Any number of times, also none.
    Any,
}

/// One argument of a ludeme.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    pub name: &'static str,
    pub kind: Kind,
    pub times: Times,
}

/// One row of the table.
#[derive(Debug)]
pub struct Row {
    pub ludeme: Ludeme,
    pub spelling: &'static str,
    /// Whether it is a bare word (`nowhere`) and not a form (`(empty)`).
    pub word: bool,
    pub slots: &'static [Slot],
    pub result: Kind,
    pub topic: &'static str,
    /// The documentation, one paragraph.
    pub doc: &'static [&'static str],
    /// An example that stands by itself in a game, as the example test wraps it.
    pub example: &'static str,
}

impl Row {
    /// The documentation as one line.
    pub fn documentation(&self) -> String {
        self.doc.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
    }

    /// The signature as the manual and the messages show it, such as `(beside of: sites directions?: directions) -> sites`.
    pub fn signature(&self) -> String {
        if self.word {
            return format!("{} -> {}", self.spelling, self.result);
        }
        let mut text = format!("({}", self.spelling);
        for slot in self.slots {
            let mark = match slot.times {
                Times::One => "",
                Times::Maybe => "?",
                Times::Some => "…",
                Times::Any => "…?",
            };
            text.push_str(&format!(" {}{mark}: {}", slot.name, slot.kind));
        }
        text.push_str(&format!(") -> {}", self.result));
        text
    }
}

macro_rules! ludemes {
    (@word word) => { true };
    (@word form) => { false };
    ($($topic:literal { $(
        $(#[doc = $doc:literal])+
        $ludeme:ident = $shape:ident $spelling:literal ($($slot:ident: $times:ident $kind:ident),* $(,)?) -> $result:ident { $example:literal }
    )* })*) => {
        /// A word of the language, in one of its meanings.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Ludeme { $($($ludeme,)*)* }

        /// The table, in the order of the manual.
        pub static TABLE: &[Row] = &[$($(Row {
            ludeme: Ludeme::$ludeme,
            spelling: $spelling,
            word: ludemes!(@word $shape),
            slots: &[$(Slot { name: stringify!($slot), kind: Kind::$kind, times: Times::$times }),*],
            result: Kind::$result,
            topic: $topic,
            doc: &[$($doc),+],
            example: $example,
        },)*)*];
    };
}

impl Ludeme {
    /// The ludeme's row in the table.
    pub fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }
}

/// The rows with that spelling, in the order of the table; none when it is no word of the language.
pub fn rows(spelling: &str) -> impl Iterator<Item = &'static Row> + use<> {
    static BY_SPELLING: LazyLock<FxHashMap<&str, Vec<&Row>>> = LazyLock::new(|| {
        let mut rows: FxHashMap<&str, Vec<&Row>> = FxHashMap::default();
        TABLE.iter().for_each(|row| rows.entry(row.spelling).or_default().push(row));
        rows
    });
    BY_SPELLING.get(spelling).into_iter().flatten().copied()
}

ludemes! {
"The game" {
    /// A whole game: its name, and then its parts in any order, save that a part stands after what shapes it (the board after the options in it).
    Game = form "game" (name: One Text, parts: Any Part) -> Part { "(game \"Noughts\" (players X O) (board (square 3)))" }
    /// A variant of the game in another file, as a whole file: it has everything of that game, save what is said here. A part that a game has once replaces the
    /// base's; an option, piece, hand, memory, definition or move takes the place of the base's one of that name, or is added; `default` and `omit` change the rest.
    VariantOf = form "variant-of" (file: One Text, name: One Text, parts: Any Part) -> Part { "(variant-of \"noughts.game\" \"Large Noughts\" (board (square 5)))" }
    /// Gives an option of the base another default. In `variant-of` only.
    DefaultIs = form "default" (option: One Declared, value: One OptionValue) -> Part { "(default Size 4)" }
    /// Leaves out what the base has: a part by its word, anything else by its name or verb. In `variant-of` only.
    Omit = form "omit" (what: Some Declared) -> Part { "(omit repetition)" }
    /// Takes the parts of another file, which holds `(definitions …)`, as though they stood here. A file that is named more than once is taken once.
    Include = form "include" (file: One Text) -> Part { "(include \"edges.game\")" }
    /// Parts for games to include, as a whole file: options, pieces, hands, memories, definitions and moves.
    Definitions = form "definitions" (parts: Any Part) -> Part { "(definitions (define Rim (row 1)))" }
    /// Who invented the game.
    Author = form "author" (name: One Text) -> Part { "(author \"A. Designer\")" }
    /// When it was published.
    Year = form "year" (year: One Number) -> Part { "(year 2024)" }
    /// Where it was published.
    Source = form "source" (text: One Text) -> Part { "(source \"A magazine, May 2024\")" }
    /// What the game is, in a paragraph for people.
    About = form "about" (text: One Text) -> Part { "(about \"Make a row of three.\")" }
    /// The players, in the order in which they move.
    Players = form "players" (names: Some Name) -> Part { "(players White Black)" }
    /// Something that can be chosen when the game is loaded: its values, the one it has unless another is chosen, and what it means.
    /// A number stands for its value wherever the name is written; of words, `case` and `=` ask.
    Option = form "option" (name: One Name, values: One Values, default: One OptionValue, description: One Text) -> Part { "(option Size (range 3 9) 5 \"Sites along each side.\")" }
    /// All numbers from the least to the most, by a step of 1 unless another is given; halves are allowed.
    Range = form "range" (least: One Number, most: One Number, step: Maybe Number) -> Values { "(option Komi (range 0 10.5 0.5) 0 \"Points for White.\")" }
    /// Just the listed words or numbers.
    OneOf = form "one-of" (values: Some OptionValue) -> Values { "(option Grid (one-of hex square) hex \"The grid.\")" }
    /// A kind of piece. Each player has his own unless it is `unowned`. The texts, one for each player or a single one, are the
    /// symbols that stand for it in diagrams.
    PieceKind = form "piece" (name: One Name, ownership: Maybe Ownership, symbols: Any Text) -> Part { "(piece Shell unowned \"s\")" }
    /// A number that each player has, shown with the board: what is left in his hand or supply. It never goes below zero: a change that would take it lower is held at 0. Ask `require` first where
    /// a player must have enough.
    Hand = form "hand" (name: One Name, start: One Number) -> Part { "(hand Supply 12)" }
    /// Something that the rules remember from ply to ply: `number`, `sites`, `site` or `player`. A number starts at 0 and a player at the first unless a
    /// first value is given; sites start as none, a site as nowhere. It is read by its name, or as a form with the player, then the direction or site: `(Token White N)`.
    Remember = form "remember" (name: One Name, holds: One Holds, first: Maybe Any, details: Any MemoryDetail) -> Part { "(remember Fresh sites)" }
    /// `(per player)`: each player has one of his own. `(per direction all)`: there is one for each of the directions (sites only). `(per site)`: each site
    /// has one (a site, or a number from 0 to the given most, 65535 at the highest). A number beyond these bounds is held at 0 or at its most.
    Per = form "per" (what: One Any, directions: Maybe Any) -> MemoryDetail { "(remember Die number (per player))" }
    /// What is remembered of a site goes along when its piece is relocated and is forgotten when the piece leaves the board.
    Travelling = word "travelling" () -> MemoryDetail { "(remember Moved sites travelling)" }
    /// Gives a name to a notion: an expression of any type, or statements. With parameters it is written like a ludeme: `(Edge White)`. No definition may use itself.
    Define = form "define" (heading: One Heading, body: Some Any) -> Part { "(define (Crowd (site s)) (count (and (beside s all) (pieces))))" }
    /// What stands on the board before the first ply.
    Setup = form "setup" (statements: Some Statement) -> Part { "(setup (put Stone (row 1) White))" }
    /// Something that a player can do as one ply. First what is chosen, then requirements and effects, obeyed from top to bottom: a
    /// requirement after an effect speaks of the position after it, and where one fails the move is illegal.
    MoveRule = form "move" (verb: One Verb, parameters: Any Parameter, body: Any Statement) -> Part { "(move drop (to t (empty)) (put Stone t))" }
    /// The order of play.
    Play = form "play" (statements: Some Statement) -> Part { "(play (turns (choose drop)))" }
    /// What ends the game, looked at after every ply from top to bottom.
    End = form "end" (statements: Some Statement) -> Part { "(end (if (none (empty)) (draw)))" }
    /// What happens when the same position arises for that many times; the first position counts. A position is the board, all that is remembered, and which ply it is of whose turn.
    Repetition = form "repetition" (times: One Number, result: Some Statement) -> Part { "(repetition 3 (draw))" }
}
"The board" {
    /// The board: its shape, and then details.
    Board = form "board" (shape: One Shape, details: Any BoardDetail) -> Part { "(board (square 8))" }
    /// A square board of squares.
    Square = form "square" (side: One Number) -> Shape { "(board (square 5))" }
    /// A rectangular board of squares.
    Rectangle = form "rectangle" (columns: One Number, rows: One Number) -> Shape { "(board (rectangle 7 6))" }
    /// A hexagonal board of hexagons. With two numbers its sides have, in turn, so many sites, the lowest row the first number.
    Hexagon = form "hexagon" (side: One Number, other: Maybe Number) -> Shape { "(board (hexagon 5 4))" }
    /// A board of hexagons in the form of a rhombus.
    Rhombus = form "rhombus" (columns: One Number, rows: Maybe Number) -> Shape { "(board (rhombus 9))" }
    /// The letter of the first column. A capital makes all letters capitals.
    ColumnsFrom = form "columns-from" (letter: One Text) -> BoardDetail { "(board (square 3) (columns-from \"A\"))" }
    /// Whether rows are counted from the top or, as they are without this, from the bottom.
    RowsFrom = form "rows-from" (edge: One Edge) -> BoardDetail { "(board (square 3) (rows-from top))" }
    /// Which edges meet: `(wrap columns)` makes the first column follow on the last, `(wrap rows)` the first row on the last; with `(wrap columns rows)` both do. A line may
    /// then come round to the site where it began, and meets it last. Not on a hexagon, and not where there are fewer than three.
    Wrap = form "wrap" (edges: Some Wrapping) -> BoardDetail { "(board (rectangle 7 6) (wrap columns))" }
    /// Sites that this board lacks.
    Without = form "without" (sites: One Sites) -> BoardDetail { "(board (square 3) (without b2))" }
}
"The look" {
    /// How the game is drawn. What is not said is chosen: a player named after a colour has it. Nothing of this is part of the rules.
    Look = form "look" (details: Some LookDetail) -> Part { "(look (grid points) (color White ivory) (shape Stone ring))" }
    /// What the places of the board are: `cells`, as without this; `checkered` cells of two tones, or three if they are hexagons; `points`, where the lines meet.
    GridIs = form "grid" (style: One Grid) -> LookDetail { "(look (grid checkered))" }
    /// The colour of a player's pieces, of a piece that nobody owns, of the marks of remembered sites, or of the `board`.
    ColorOf = form "color" (of: One Declared, color: One Color) -> LookDetail { "(look (color White \"#f4f1de\") (color Shell brown) (color board tan))" }
    /// The shape of a piece, for every player unless one is named, perhaps with a letter on it; or of the marks of remembered sites; `die` shows a remembered number as a die.
    ShapeOf = form "shape" (of: One Declared, player: Maybe Player, figure: One Figure, letter: Maybe Text) -> LookDetail { "(look (shape Stone Black square) (shape Shell disc \"s\") (shape Total die))" }
    /// What is remembered and is of no interest to those who look on.
    Hide = form "hide" (memories: Some Declared) -> LookDetail { "(look (hide Total))" }
}
"Claims" {
    /// What its author believes of the game: a sentence for people, under which circumstances it is meant, and what it says. `ludwright test` decides it. Claims are no
    /// part of the rules, and those of a base are not those of its variants. In what is claimed `mover` is the player who is to act, or who was last when the game is over.
    Claim = form "claim" (text: One Text, circumstances: Any Circumstance, assertion: One Assertion) -> Part { "(claim \"It is over soon.\" (ends-within 9))" }
    /// The claim is about the game with that value of the option. Without it, the claim is about the game as it is loaded.
    With = form "with" (option: One Declared, value: One OptionValue) -> Circumstance { "(claim \"Squares make no draws.\" (with Grid square) (never-draws))" }
    /// The claim is about what follows when these moves have been played, in the spelling of records.
    After = form "after" (moves: Some Text) -> Circumstance { "(claim \"The centre is taken.\" (after \"drop b2\") (always (in b2 (pieces))))" }
    /// Who plays, for the player or for all of them: `random`, `greedy` or Monte-Carlo tree search such as `mcts:200it`, as whoever is not named does.
    SeatIs = form "seat" (player: Maybe Player, program: One Text) -> Circumstance { "(claim \"To begin is no drawback.\" (seat \"random\") (scores-above White 40))" }
    /// Every game is over after so many plies at most.
    EndsWithin = form "ends-within" (plies: One Number) -> Assertion { "(claim \"It is over soon.\" (ends-within 9))" }
    /// No position comes twice in a game. A position is the board, all that is remembered, and which ply it is of whose turn.
    NeverRepeats = form "never-repeats" () -> Assertion { "(claim \"Stones stay.\" (never-repeats))" }
    /// No game is drawn.
    NeverDraws = form "never-draws" () -> Assertion { "(claim \"Somebody wins.\" (never-draws))" }
    /// The condition holds in every position that can come about, the last ones of games included.
    Always = form "always" (condition: One Condition) -> Assertion { "(claim \"Nobody falls behind.\" (always (<= (count (of Black)) (count (of White)))))" }
    /// The condition holds in some position that can come about.
    Possible = form "possible" (condition: One Condition) -> Assertion { "(claim \"Corners can be taken.\" (possible (in a1 (mine))))" }
    /// The player wins if everybody plays as well as can be.
    Wins = form "wins" (player: One Player) -> Assertion { "(claim \"To begin is to win.\" (wins White))" }
    /// Nobody wins if everybody plays as well as can be.
    Drawn = form "drawn" () -> Assertion { "(claim \"It is a fair game.\" (drawn))" }
    /// The player's mean score, in percent, is below that: a win counts 100, a draw 50 and a defeat 0. The games are played by the programs of `seat`.
    ScoresBelow = form "scores-below" (player: One Player, percent: One Number) -> Assertion { "(claim \"To begin is no great advantage.\" (scores-below White 55))" }
    /// The player's mean score, in percent, is above that.
    ScoresAbove = form "scores-above" (player: One Player, percent: One Number) -> Assertion { "(claim \"To begin is no drawback.\" (scores-above White 45))" }
    /// Fewer games than that, in percent, are drawn. The games are played by the programs of `seat`; one without an end counts as drawn.
    DrawsBelow = form "draws-below" (percent: One Number) -> Assertion { "(claim \"Draws are rare.\" (draws-below 10))" }
    /// What is not so: `(not (never-repeats))` says that some position can come twice.
    NotClaimed = form "not" (assertion: One Assertion) -> Assertion { "(claim \"It can be won.\" (not (drawn)))" }
}
"What is chosen" {
    /// A site, chosen from the region.
    ChooseAt = form "at" (variable: One Variable, sites: One Sites) -> Parameter { "(move drop (at s (empty)) (put Stone s))" }
    /// The site from which something goes. A `to` right after it is joined to it by `-` in the spelling of the move.
    ChooseFrom = form "from" (variable: One Variable, sites: One Sites) -> Parameter { "(move step (from s (mine)) (to t (beside s)) (relocate s t))" }
    /// The site to which something goes.
    ChooseTo = form "to" (variable: One Variable, sites: One Sites) -> Parameter { "(move drop (to t (empty)) (put Stone t))" }
    /// A direction, chosen from some.
    ChooseTowards = form "towards" (variable: One Variable, directions: One Directions) -> Parameter { "(move push (at s (mine)) (towards d orthogonal) (relocate s (step s d)))" }
    /// A kind of piece, chosen from those listed; one that is there twice counts once.
    ChooseKind = form "kind" (variable: One Variable, kinds: Some Piece) -> Parameter { "(move become (at s (mine)) (kind k Stone Shell) (replace s k))" }
    /// A whole number, both ends included.
    ChooseNumber = form "number" (variable: One Variable, least: One Number, most: One Number) -> Parameter { "(move roll (number n 1 6) (raise Total n))" }
}
"Sites" {
    /// The sites with no piece on them. A site that was cut out is not empty.
    Empty = form "empty" () -> Sites { "(count (empty))" }
    /// The sites with a piece, of anybody's or nobody's; with kinds named, of one of these.
    Pieces = form "pieces" (kinds: Any Piece) -> Sites { "(count (pieces Stone))" }
    /// The sites with a piece of the mover's.
    Mine = form "mine" (kinds: Any Piece) -> Sites { "(count (mine Stone))" }
    /// The sites with a piece of another player's.
    Theirs = form "theirs" (kinds: Any Piece) -> Sites { "(count (theirs))" }
    /// The sites with a piece of that player's.
    Of = form "of" (player: One Player, kinds: Any Piece) -> Sites { "(count (of White Stone))" }
    /// The listed sites.
    SitesListed = form "sites" (sites: Some Site) -> Sites { "(count (sites a1 b2))" }
    /// The row with that number.
    RowOf = form "row" (number: One Number) -> Sites { "(count (row 1))" }
    /// The column with that letter.
    ColumnOf = form "column" (letter: One Text) -> Sites { "(count (column \"a\"))" }
    /// Every site that is not cut out.
    Everywhere = word "everywhere" () -> Sites { "(count everywhere)" }
    /// No site.
    Nowhere = word "nowhere" () -> Sites { "(count nowhere)" }
    /// The sites that were cut out in play.
    CutOut = word "cut-out" () -> Sites { "(count cut-out)" }
    /// The sites one step away, orthogonally unless directions are given.
    Beside = form "beside" (of: One Sites, directions: Maybe Directions) -> Sites { "(count (beside b2 all))" }
    /// The sites of the second region that are connected within it to the site, or to some site of the first region, by orthogonal steps unless directions are
    /// given. Sites of the first that are not in the second connect nothing.
    Group = form "group" (of: One Sites, within: One Sites, directions: Maybe Directions) -> Sites { "(count (group b2 (empty)))" }
    /// The sites passed when walking away from the site in each of the directions for as long as they are in the region. The site itself is not among them.
    Walk = form "walk" (from: One Site, directions: One Directions, through: One Sites) -> Sites { "(count (walk a1 all (empty)))" }
    /// The sites strictly between the two, where a straight line of steps leads from one to the other; else none. Where a board wraps and several do, it is the shortest, and of those the first clockwise from the north.
    Between = form "between" (from: One Site, to: One Site) -> Sites { "(count (between a1 c3))" }
    /// The sites that a leaper reaches from the site: so many steps one way and so many across, in all its reflections. A knight leaps `(leap s 2 1)`. On squares only; what lies
    /// between plays no part.
    Leap = form "leap" (from: One Site, along: One Number, across: One Number) -> Sites { "(count (leap a1 2 1))" }
    /// The region where the condition holds, else no site.
    When = form "when" (condition: One Condition, region: One Sites) -> Sites { "(count (when (in a1 (mine)) (beside a1)))" }
    /// The sites that are in the region for some value of the variable.
    Union = form "union" (variable: One Variable, domain: One Domain, region: One Sites) -> Sites { "(count (union d diagonal (step b2 d)))" }
    /// The sites of the region for which the condition holds.
    Where = form "where" (variable: One Variable, sites: One Sites, condition: One Condition) -> Sites { "(count (where s (empty) (any (and (beside s) (mine)))))" }
    /// The sites that are in all of the regions.
    Both = form "and" (regions: Some Sites) -> Sites { "(count (and (row 1) (empty)))" }
    /// The sites that are in any of the regions.
    Either = form "or" (regions: Some Sites) -> Sites { "(count (or (row 1) (row 3)))" }
    /// The sites of the board that are not in the region, among them those cut out in play.
    Outside = form "not" (region: One Sites) -> Sites { "(count (not (empty)))" }
}
"A site" {
    /// The next site in that direction; nowhere beyond the edge of the board.
    Step = form "step" (from: One Site, direction: One Direction) -> Site { "(in (step a1 N) (empty))" }
    /// The first site in that direction that is in the region, the start not included; nowhere when there is none.
    First = form "first" (from: One Site, direction: One Direction, stops: One Sites) -> Site { "(in (first a1 N (not (empty))) (mine))" }
}
"Directions" {
    /// The directions over the sides of a site: four on squares, six on hexagons.
    Orthogonal = word "orthogonal" () -> Directions { "(count (beside b2 orthogonal))" }
    /// The directions over the corners of a square; none on hexagons.
    Diagonal = word "diagonal" () -> Directions { "(count (beside b2 diagonal))" }
    /// All directions: eight on squares, six on hexagons.
    All = word "all" () -> Directions { "(count (beside b2 all))" }
    /// The listed directions, in this order; one that is there twice counts once.
    ListOf = form "list" (directions: Some Direction) -> Directions { "(count (beside b2 (list N S)))" }
    /// The direction of the step from the first site to the second. Where none leads there it is no direction: a step in it leads nowhere.
    DirectionBetween = form "direction" (from: One Site, to: One Site) -> Direction { "(= (direction a1 a2) N)" }
    /// The direction that leads back.
    Opposite = form "opposite" (direction: One Direction) -> Direction { "(in (step b2 (opposite N)) (empty))" }
}
"Players" {
    /// The player whose turn it is. Where there is no turn it is the first player.
    Mover = word "mover" () -> Player { "(count (of mover))" }
    /// Every player in turn, for a variable to run through.
    AllPlayers = word "players" () -> Domain { "(= (count p players (any (of p))) 2)" }
    /// The player after that one; after the last comes the first.
    Next = form "next" (player: One Player) -> Player { "(count (of (next mover)))" }
}
"Numbers" {
    /// The sum.
    Add = form "+" (numbers: Some Number) -> Number { "(= (+ 1 2) 3)" }
    /// The first less the second.
    Subtract = form "-" (from: One Number, number: One Number) -> Number { "(= (- 3 2) 1)" }
    /// The product.
    Multiply = form "*" (numbers: Some Number) -> Number { "(= (* 2 3) 6)" }
    /// The first divided by the second, rounded down. The divisor is written in the file or an option.
    Divide = form "/" (number: One Number, by: One Number) -> Number { "(= (/ 7 2) 3)" }
    /// What division rounded down leaves: `(mod 7 2)` is 1. The divisor is written in the file or an option.
    Remainder = form "mod" (number: One Number, by: One Number) -> Number { "(= (mod 7 2) 1)" }
    /// The least of the numbers.
    Least = form "min" (numbers: Some Number) -> Number { "(= (min 3 2) 2)" }
    /// The greatest of the numbers.
    Greatest = form "max" (numbers: Some Number) -> Number { "(= (max 3 2) 3)" }
    /// How many sites the region has.
    Count = form "count" (region: One Sites) -> Number { "(> (count (empty)) 3)" }
    /// For how many values of the variable the condition holds.
    CountWhere = form "count" (variable: One Variable, domain: One Domain, condition: One Condition) -> Number { "(= (count d all (in (step b2 d) (empty))) 8)" }
    /// The sum of the number over all values of the variable.
    Sum = form "sum" (variable: One Variable, domain: One Domain, number: One Number) -> Number { "(> (sum p players (count (of p))) 2)" }
}
"Conditions" {
    /// Always so.
    True = word "true" () -> Condition { "(or true false)" }
    /// Never so.
    False = word "false" () -> Condition { "(not false)" }
    /// Whether all of the conditions hold.
    AllOf = form "and" (conditions: Some Condition) -> Condition { "(and (any (empty)) (any (mine)))" }
    /// Whether any of the conditions holds.
    AnyOf = form "or" (conditions: Some Condition) -> Condition { "(or (none (empty)) (none (mine)))" }
    /// Whether the condition does not hold.
    NotSo = form "not" (condition: One Condition) -> Condition { "(not (any (empty)))" }
    /// Whether the region has a site.
    AnySite = form "any" (region: One Sites) -> Condition { "(any (mine))" }
    /// Whether the region has no site.
    NoSite = form "none" (region: One Sites) -> Condition { "(none (theirs))" }
    /// Whether the site is in the region.
    In = form "in" (site: One Site, region: One Sites) -> Condition { "(in a1 (empty))" }
    /// Whether the condition holds for some value of the variable.
    Exists = form "some" (variable: One Variable, domain: One Domain, condition: One Condition) -> Condition { "(some d orthogonal (in (step a1 d) (mine)))" }
    /// Whether the condition holds for every value of the variable.
    Every = form "every" (variable: One Variable, domain: One Domain, condition: One Condition) -> Condition { "(every p players (any (of p)))" }
    /// Whether the numbers are equal.
    EqualNumbers = form "=" (left: One Number, right: One Number) -> Condition { "(= (count (mine)) 3)" }
    /// Whether both are the same player.
    SamePlayer = form "=" (left: One Player, right: One Player) -> Condition { "(= mover White)" }
    /// Whether both are the same site; nowhere equals nothing.
    SameSite = form "=" (left: One Site, right: One Site) -> Condition { "(= (step a1 N) a2)" }
    /// Whether both are the same direction.
    SameDirection = form "=" (left: One Direction, right: One Direction) -> Condition { "(= (opposite N) S)" }
    /// Whether an option of words has that value.
    OptionIs = form "=" (option: One Name, value: One OptionValue) -> Condition { "(= Grid square)" }
    /// Whether the numbers differ.
    Unequal = form "!=" (left: One Number, right: One Number) -> Condition { "(!= (count (mine)) 3)" }
    /// Whether the first is less than the second.
    Less = form "<" (left: One Number, right: One Number) -> Condition { "(< (count (mine)) 3)" }
    /// Whether the first is at most the second.
    AtMost = form "<=" (left: One Number, right: One Number) -> Condition { "(<= (count (mine)) 3)" }
    /// Whether the first is greater than the second.
    Greater = form ">" (left: One Number, right: One Number) -> Condition { "(> (count (mine)) 3)" }
    /// Whether the first is at least the second.
    AtLeast = form ">=" (left: One Number, right: One Number) -> Condition { "(>= (count (mine)) 3)" }
}
"Any type" {
    /// What the value of an option, or the player, leads to. Every value has its branch, unless the last branch is `(else …)`. Where
    /// statements stand, a branch may hold any number of them.
    Case = form "case" (subject: One Any, branches: Some Branch) -> Any { "(= (case mover (White 1) (else 2)) 1)" }
    /// The else of a `case` or of an `if`.
    Else = form "else" (body: Any Any) -> Else { "(if (any (mine)) (draw) (else (win mover)))" }
}
"Effects" {
    /// Puts a piece on each of the sites, the mover's unless a player is named; whatever stood there leaves the board.
    Put = form "put" (piece: One Piece, at: One Sites, owner: Maybe Player) -> Statement { "(put Stone a1)" }
    /// The pieces on these sites leave the board.
    Remove = form "remove" (at: One Sites) -> Statement { "(remove (theirs))" }
    /// The piece on the first site goes to the second, with all that travels with it; whatever stood there leaves the board.
    Relocate = form "relocate" (from: One Site, to: One Site) -> Statement { "(relocate a1 a2)" }
    /// The owned pieces on these sites become the player's.
    Convert = form "convert" (at: One Sites, to: One Player) -> Statement { "(convert (theirs) mover)" }
    /// The pieces on these sites become pieces of that kind, of the same owner unless one is named. Where nobody owned them, they become the mover's.
    Replace = form "replace" (at: One Sites, piece: One Piece, owner: Maybe Player) -> Statement { "(replace (mine) Shell)" }
    /// Cuts the sites out of the board: they stay where they are but are never empty and bear no piece again.
    Cut = form "cut" (at: One Sites) -> Statement { "(cut b2)" }
    /// Gives a memory a value. A hand, and a number that each site has, is held between 0 and its most: what lies beyond becomes the bound.
    Set = form "set" (memory: One Memory, to: One Any) -> Statement { "(set Total 0)" }
    /// Adds to a remembered number. One that each site has is held at its most: `(per site 8)` never goes beyond 8.
    Raise = form "raise" (memory: One Memory, by: One Number) -> Statement { "(raise Total 1)" }
    /// Takes away from a remembered number. A hand, and a number that each site has, is held at 0; any other goes below zero.
    Lower = form "lower" (memory: One Memory, by: One Number) -> Statement { "(lower Total 1)" }
    /// Adds sites to a remembered set.
    Mark = form "mark" (sites: One Sites, memory: One Memory) -> Statement { "(mark a1 Fresh)" }
    /// Takes sites out of a remembered set.
    Unmark = form "unmark" (sites: One Sites, memory: One Memory) -> Statement { "(unmark (row 1) Fresh)" }
    /// Names the value that an expression has now, for the statements after it.
    Let = form "let" (variable: One Variable, value: One Any) -> Statement { "(let crowd (count (mine)))" }
    /// What is done when the condition holds and, after `else`, what is done when it does not.
    If = form "if" (condition: One Condition, statements: Any Statement, otherwise: Maybe Else) -> Statement { "(if (none (empty)) (draw))" }
    /// Does the statements for every value of the variable; what it runs through is looked at once, before the first round.
    For = form "for" (variable: One Variable, domain: One Domain, statements: Any Statement) -> Statement { "(for s (mine) (replace s Shell))" }
    /// Works a queue of sites, in the beginning those of the region: does the statements for the first of the queue until it is empty. `(join …)` adds sites at
    /// its end. No site joins twice, so it always ends.
    Chain = form "chain" (variable: One Variable, from: One Sites, statements: Any Statement) -> Statement { "(chain s a1 (join (and (beside s) (empty))))" }
    /// Adds sites to the queue of the chain around it.
    Join = form "join" (sites: One Sites) -> Statement { "(chain s a1 (join (and (beside s) (empty))))" }
    /// The move is legal only if the condition holds, as things stand when it is asked. In a move only.
    Require = form "require" (condition: One Condition) -> Statement { "(move drop (to t (empty)) (require (any (mine))) (put Stone t))" }
}
"Results" {
    /// The player wins, and the game is over.
    Win = form "win" (player: One Player) -> Statement { "(if (none (theirs)) (win mover))" }
    /// The player loses, and the game is over. In a game of two players only.
    Lose = form "lose" (player: One Player) -> Statement { "(if (none (mine)) (lose mover))" }
    /// The game is over and drawn.
    Draw = form "draw" () -> Statement { "(if (none (empty)) (draw))" }
    /// The game is over. The variable stands for each player in turn: the one with the greatest number wins, and a tie for the greatest is a draw.
    ByScore = form "by-score" (variable: One Variable, number: One Number) -> Statement { "(if (none (empty)) (by-score p (count (of p))))" }
}
"The order of play" {
    /// Each player in the order of play has a turn of these statements, again and again.
    Turns = form "turns" (statements: Some Statement) -> Statement { "(play (turns (choose drop)))" }
    /// A turn of that player's.
    Turn = form "turn" (player: One Player, statements: Any Statement) -> Statement { "(play (forever (turn White (choose drop)) (turn Black (choose drop))))" }
    /// Does the statements again and again.
    Forever = form "forever" (statements: Some Statement) -> Statement { "(play (forever (turn White (choose drop))))" }
    /// Does the statements again and again as long as the condition holds before each round.
    While = form "while" (condition: One Condition, statements: Some Statement) -> Statement { "(play (while (any (empty)) (choose drop)))" }
    /// Does the statements so many times; the number is looked at once, before the first round.
    Repeat = form "repeat" (times: One Number, statements: Some Statement) -> Statement { "(play (turns (repeat 2 (choose drop))))" }
    /// Names a part of the order of play, for positions and messages.
    Phase = form "phase" (name: One Name, statements: Some Statement) -> Statement { "(play (phase Opening (choose drop)) (turns (choose drop)))" }
    /// One ply: the mover makes one of these moves. When none is legal, what `otherwise` says is done instead; without it the game is drawn then.
    Choose = form "choose" (moves: Some Move, otherwise: Maybe Otherwise) -> Statement { "(play (turns (choose drop (otherwise (lose mover)))))" }
    /// What is done instead when no move is legal; nothing when it is empty.
    Otherwise = form "otherwise" (statements: Any Statement) -> Otherwise { "(play (turns (choose drop (otherwise (lose mover)))))" }
    /// One ply of chance: every legal instance of the move is equally likely.
    Chance = form "chance" (roll: One Move) -> Statement { "(play (turns (chance roll) (choose drop)))" }
    /// So many plies, each a choice of these moves, such that the condition holds after the last. A move that makes this impossible is illegal. Where the full number cannot be
    /// reached, the longest possible sequence must be made, perhaps none. A ply that ends the game or the turn completes the number. More than a thousand are too many to look ahead.
    Steps = form "steps" (count: One Number, choice: One Statement, ending: Maybe SoThat) -> Statement { "(play (turns (steps 2 (choose drop) (so-that (any (mine))))))" }
    /// What must hold at the end of `steps`.
    SoThat = form "so-that" (condition: One Condition) -> SoThat { "(play (turns (steps 2 (choose drop) (so-that (any (mine))))))" }
    /// Ends the turn as soon as the ply is done, whatever its `turn` still holds.
    EndTurn = form "end-turn" () -> Statement { "(move pass (end-turn))" }
}
}
