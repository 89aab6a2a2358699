//! The table of ludemes: every word of the language with its signature, documentation and an
//! example.
//!
//! It is the only list of words: the checker, messages, completion, the manual and the compiler
//! read it. A word may have several rows (`and` joins conditions and intersects regions); the
//! checker picks the row with the expected result whose first argument fits.

use rustc_hash::FxHashMap;
use std::fmt;
use std::sync::LazyLock;

macro_rules! kinds {
    ($($(#[doc = $doc:literal])+ $kind:ident = $spelling:literal, $phrase:literal,)*) => {
        /// The types of the language, and the syntactic roles of names and forms.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Kind { $($(#[doc = $doc])+ $kind,)* }
        impl Kind {
            /// All kinds, in the order of the manual.
            pub const ALL: &[Kind] = &[$(Kind::$kind),*];
            /// Returns the name of the kind in messages, signatures and the manual.
            pub fn spelling(self) -> &'static str {
                match self { $(Kind::$kind => $spelling),* }
            }
            /// Returns it with its article, for messages.
            pub fn phrase(self) -> &'static str {
                match self { $(Kind::$kind => $phrase),* }
            }
            /// Returns the documentation of the kind.
            pub fn doc(self) -> String {
                match self { $(Kind::$kind => [$($doc.trim()),+].join(" ")),* }
            }
        }
    };
}

kinds! {
    /// A number. Counts and memories are whole; numbers in the file, options and scores may be
    /// halves, such as `0.5`.
    Number = "number", "a number",
    /// A condition: something that is true or false. A memory can hold one.
    Condition = "condition", "a condition",
    /// A region: any set of sites. A single site can be used as a region of one.
    Sites = "sites", "a set of sites",
    /// One site, or nowhere. Nowhere is in no region and equals nothing, and an effect on it does
    /// nothing.
    Site = "site", "a site",
    /// One direction: `N`, `NE`, `E`, `SE`, `S`, `SW`, `W` or `NW`, on some boards also one between
    /// these, such as `ENE`; a variable, a memory, or the result of a ludeme; or no direction. No direction equals nothing, a step in it leads nowhere,
    /// and there is none for a variable to take: `(some d Course true)` tests if Course is one.
    Direction = "direction", "a direction",
    /// Some directions, in order. A single direction can be used as a list of one.
    Directions = "directions", "a list of directions",
    /// A player: a name, `mover`, `(next mover)`, a variable or a memory.
    Player = "player", "a player",
    /// A statement: an effect, a requirement, or a step in the order of play.
    Statement = "statement", "a statement",
    /// A part of the game, directly inside `(game …)`.
    Part = "part", "a part of the game",
    /// The shape of a board.
    Shape = "shape", "the shape of a board",
    /// A detail of a board: how its rows and columns are labelled, which edges meet, or which sites
    /// it lacks.
    BoardDetail = "board detail", "a detail of a board",
    /// The values of an option.
    Values = "values", "the values of an option",
    /// One value of an option, as written after `-o`.
    OptionValue = "option value", "a value of an option",
    /// A kind of piece: a name, `(kind s)`, a variable or a memory; or no kind. No kind equals
    /// nothing, no piece is of it, and an effect with it does nothing.
    Piece = "kind", "a kind of piece",
    /// A move, by its verb.
    Move = "move", "a move",
    /// A memory, by its name; with the player, direction, kind or site if it is kept for each. The
    /// variable of a `let` stands for itself.
    Memory = "memory", "a memory",
    /// What a memory holds: `number`, `sites`, `site`, `player`, `kind`, `direction` or `condition`.
    Holds = "number, sites, site, player, kind, direction or condition", "`number`, `sites`, `site`, `player`, `kind`, `direction` or `condition`",
    /// A detail of a memory.
    MemoryDetail = "memory detail", "a detail of a memory",
    /// Something to choose when making a move.
    Parameter = "parameter", "something to choose",
    /// What a variable stands for in turn: the sites of a region, directions, `players` or those of a `team`, the numbers
    /// of `numbers`, the groups of `groups` or the kinds of `kinds`.
    Domain = "sites, directions, players, numbers, groups or kinds", "sites, directions, `players`, numbers, groups or kinds",
    /// A new name, declared here. It begins with an upper-case letter.
    Name = "new name", "a new name",
    /// A name that is declared elsewhere, a verb, or the word of a part.
    Declared = "name", "a name",
    /// A player's new name, or the name with the direction in which he plays: `White` or
    /// `(White N)`.
    Seat = "name, or (name direction)", "a player's name, or one with a direction",
    /// The players of a team: `(North South)`; or one player, by his name.
    Team = "players in brackets", "players in brackets",
    /// A new variable. It begins with a lower-case letter.
    Variable = "new variable", "a new variable",
    /// A new verb for a move. It begins with a lower-case letter.
    Verb = "new verb", "a new verb",
    /// A new name, or a new name with parameters: `Edge` or `(Edge (player p))`.
    Heading = "name, or (name (type variable) …)", "a new name, or one with parameters",
    /// A branch: a value and what it stands for, `(value …)`; the last branch may be `(else …)`.
    Branch = "(value …)", "a branch",
    /// The last branch of an `if` or a `case`, used when no other applies.
    Else = "(else …)", "`(else …)`",
    /// The last part of a `choose`, executed when no move is legal.
    Otherwise = "(otherwise …)", "`(otherwise …)`",
    /// The moves with which a piece goes on after a `choose`.
    GoOn = "(go-on …)", "`(go-on …)`",
    /// The last part of `steps`: what must hold after the last ply.
    SoThat = "(so-that …)", "`(so-that …)`",
    /// How many rounds a loop has at most.
    Limit = "(at-most …)", "`(at-most …)`",
    /// An expression of any type.
    Any = "any expression", "an expression",
    /// A text between quotation marks.
    Text = "text", "a text in quotes",
    /// The word `top` or `bottom`.
    Edge = "top or bottom", "`top` or `bottom`",
    /// The word `columns` or `rows`.
    Wrapping = "columns or rows", "`columns` or `rows`",
    /// The word `sides` or `posts`.
    Border = "sides or posts", "`sides` or `posts`",
    /// The word `beneath`.
    Beneath = "beneath", "`beneath`",
    /// The word `owned` or `unowned`.
    Ownership = "owned or unowned", "`owned` or `unowned`",
    /// A detail of how the game is drawn.
    LookDetail = "look detail", "a detail of the look",
    /// The word `cells`, `checkered` or `points`.
    Grid = "cells, checkered or points", "`cells`, `checkered` or `points`",
    /// How a format of other programs writes something.
    Spelling = "spelling", "a spelling",
    /// What is spelled: a name or a verb of the game, or one of `columns`, `rows`, `rows-down`,
    /// `position`, `tag`, `win`, `line` and `blank`.
    Spelled = "name, verb or word", "a name, a verb or a word",
    /// A format of other programs: `fen`, `uci`, `pgn`, `sgf`, `gtp` or `diagram`.
    Format = "fen, uci, pgn, sgf, gtp or diagram", "the name of a format",
    /// A colour: `white`, `ivory`, `yellow`, `gold`, `orange`, `red`, `maroon`, `pink`, `purple`,
    /// `blue`, `sky`, `teal`, `green`, `olive`, `tan`, `brown`, `grey` or `black`, or any other as
    /// `"#rrggbb"`.
    Color = "color", "a colour",
    /// What a variant adds to: `(look …)`, `(choose …)` or `(define …)`, with what is added.
    Addition = "look, choose or define", "`look`, `choose` or `define`",
    /// A circumstance of a claim: an option, an opening, or who plays.
    Circumstance = "circumstance", "a circumstance of a claim",
    /// What a claim asserts of the game.
    Assertion = "assertion", "an assertion",
    /// What a repetition compares: `comparing` or `ignoring`.
    RepetitionDetail = "repetition detail", "a detail of a repetition",
    /// A part of positions: `board`, `mover` or a memory by its name.
    Compared = "board, mover or memory", "`board`, `mover` or a memory",
    /// A shape: `disc`, `ring`, `square`, `triangle`, `diamond`, `hexagon`, `star` or `cross`;
    /// `die` for a memory of a number, `seeds` or `arrow` for one of each site, `line` for one of sites
    /// for each direction; or a letter or two in quotation marks.
    Figure = "figure", "a shape",
}

impl Kind {
    /// Tests if it is always a form with a fixed place in another, such as `(else …)`.
    pub fn is_branch(self) -> bool {
        self.spelling().starts_with('(')
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.spelling())
    }
}

/// How often an argument occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Times {
    /// Exactly once.
    One,
    /// At most once.
    Maybe,
    /// At most once, and only where sites hold several pieces; after all other parameters.
    Piled,
    /// At least once.
    Some,
    /// Any number of times.
    Any,
}

/// A parameter of a ludeme.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    pub name: &'static str,
    pub kind: Kind,
    pub times: Times,
}

impl Slot {
    /// Tests if it has at least one argument.
    pub fn is_required(&self) -> bool {
        matches!(self.times, Times::One | Times::Some)
    }

    /// Tests if it can have several arguments.
    pub fn is_list(&self) -> bool {
        matches!(self.times, Times::Some | Times::Any)
    }

    /// Formats the parameter as in a signature, such as `directions?: directions`.
    pub fn signature(&self) -> String {
        let mark = match self.times {
            Times::One => "",
            Times::Maybe | Times::Piled => "?",
            Times::Some => "…",
            Times::Any => "…?",
        };
        format!("{}{mark}: {}", self.name, self.kind)
    }
}

/// A row of the table: one meaning of a word.
#[derive(Debug)]
pub struct Row {
    pub ludeme: Ludeme,
    pub spelling: &'static str,
    /// Whether it is a single word (`nowhere`) and not a form (`(empty)`).
    pub word: bool,
    pub slots: &'static [Slot],
    pub result: Kind,
    pub topic: &'static str,
    /// The lines of the documentation, one paragraph.
    pub doc: &'static [&'static str],
    /// An example; [`samples`](super::samples) complete it to a game.
    pub example: &'static str,
}

impl Row {
    /// Returns the documentation as one line.
    pub fn documentation(&self) -> String {
        self.doc.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
    }

    /// Tests if it takes that many arguments.
    pub fn takes(&self, count: usize) -> bool {
        let least = self.slots.iter().filter(|slot| slot.is_required()).count();
        count >= least && (count <= self.slots.len() || self.slots.iter().any(Slot::is_list))
    }

    /// Returns the parameter of an argument, if none before it is left out.
    pub fn slot(&self, index: usize) -> Option<&Slot> {
        self.slots.get(index).or(self.slots.last())
    }

    /// Returns the parameters of games whose sites hold one piece at most.
    pub fn plain_slots(&self) -> &'static [Slot] {
        let count = self.slots.iter().take_while(|slot| slot.times != Times::Piled).count();
        &self.slots[..count]
    }

    /// Formats the signature, such as `(beside of: sites directions?: directions) -> sites`, without
    /// what takes piles.
    pub fn signature(&self) -> String {
        self.signature_of(self.plain_slots())
    }

    /// Formats the signature with all parameters.
    pub fn full_signature(&self) -> String {
        self.signature_of(self.slots)
    }

    fn signature_of(&self, slots: &[Slot]) -> String {
        if self.word {
            return format!("{} -> {}", self.spelling, self.result);
        }
        let mut text = format!("({}", self.spelling);
        for slot in slots {
            text.push(' ');
            text.push_str(&slot.signature());
        }
        text.push_str(&format!(") -> {}", self.result));
        text
    }
}

macro_rules! ludemes {
    (@word word) => { true };
    (@word $shape:ident) => { false };
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

pub(in crate::language) mod table;

pub(in crate::language) use table::with_rows;
pub use table::{Ludeme, TABLE};

impl Ludeme {
    /// Returns the ludeme's row.
    pub fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }
}

/// Returns the rows with that spelling, in the order of the table.
pub fn rows(spelling: &str) -> impl Iterator<Item = &'static Row> + use<> {
    static BY_SPELLING: LazyLock<FxHashMap<&str, Vec<&Row>>> = LazyLock::new(|| {
        let mut rows: FxHashMap<&str, Vec<&Row>> = FxHashMap::default();
        TABLE.iter().for_each(|row| rows.entry(row.spelling).or_default().push(row));
        rows
    });
    BY_SPELLING.get(spelling).into_iter().flatten().copied()
}
