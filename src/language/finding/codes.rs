//! The table of codes: a row for each kind of finding, with its name, severity and meaning, what to
//! do about it, an example that causes it, and the corrected example. The tests check all examples.

use super::Severity;
use crate::language::samples::Sample;
use crate::syntax::{DEPTH_LIMIT, SOURCE_LIMIT};

/// The documentation of a finding.
pub struct Advice {
    /// Why it is a problem, and what to do about it.
    pub remedy: &'static str,
    pub wrong: Rules,
    pub right: Rules,
}

/// The rules of an example.
pub enum Rules {
    /// Parts of a game, to be completed by a [`Sample`].
    Parts(&'static str),
    /// A whole file.
    Whole(&'static str),
    /// A description of a file that is unreadable, and the function that generates it.
    Made(&'static str, fn() -> Vec<u8>),
}

impl Rules {
    /// Returns the text, or the description.
    pub fn shown(&self) -> &'static str {
        match self {
            Rules::Parts(text) | Rules::Whole(text) | Rules::Made(text, _) => text,
        }
    }

    /// Returns the whole file, unless it is only described.
    pub fn sample(&self) -> Option<Sample> {
        match self {
            Rules::Parts(parts) => Some(Sample::of_parts(parts)),
            Rules::Whole(text) => Some(Sample::whole(text)),
            Rules::Made(..) => None,
        }
    }
}

/// Definitions that are included from another file and used.
const INCLUDING: &str = "(include \"edges.game\")\n(setup (put Stone Rim White))";

/// Generates definitions that each use the previous one twice.
fn doubling() -> Vec<u8> {
    let mut parts = String::from("(define Holds0x (> (count (empty)) 3))");
    for index in 1..40 {
        parts.push_str(&format!(
            "\n(define Holds{index}x (or (and Holds{0}x (any (mine))) (and (not Holds{0}x) (none (mine)))))",
            index - 1
        ));
    }
    parts.push_str("\n(end (if Holds39x (draw)))");
    Sample::of_parts(&parts).text.into_bytes()
}

macro_rules! codes {
    ($(
        $(#[doc = $doc:literal])+
        $code:ident = $name:literal $severity:ident { $remedy:literal $wrong:expr => $right:expr }
    )*) => {
        /// The kind of a finding. Names are stable.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code { $($(#[doc = $doc])+ $code,)* }
        impl Code {
            /// All codes.
            pub const ALL: &[Code] = &[$(Code::$code),*];
            /// Returns the stable name, in kebab case.
            pub fn name(self) -> &'static str {
                match self { $(Code::$code => $name),* }
            }
            /// Returns the severity of such findings.
            pub fn severity(self) -> Severity {
                match self { $(Code::$code => Severity::$severity),* }
            }
            /// Returns the documentation of the code.
            pub fn doc(self) -> String {
                match self { $(Code::$code => [$($doc.trim()),+].join(" ")),* }
            }
            /// Returns what to do about such findings, with an example.
            pub fn advice(self) -> Advice {
                use Rules::{Made, Parts, Whole};
                match self { $(Code::$code => {
                    Advice { remedy: $remedy, wrong: $wrong, right: $right }
                })* }
            }
        }
    };
}

codes! {
    /// The file is larger than the limit for a rules file.
    FileTooLarge = "file-too-large" Error {
        "A rules file can have at most 1 MiB. Split it: move definitions to a file of their own, and `include` it."
        Made("A file of more than 1,048,576 bytes.", || vec![b' '; SOURCE_LIMIT + 1])
            => Parts(INCLUDING)
    }
    /// The file is not text in UTF-8.
    NotText = "not-text" Error {
        "Save the file as UTF-8 in your editor. The message shows the first byte that is not part of a character."
        Made("A file saved in another encoding, such as Latin-1.", || {
            b"(game \"Caf\xe9\")".to_vec()
        })
            => Parts("(author \"José\")")
    }
    /// The brackets are nested too deeply.
    NestedTooDeep = "nested-too-deep" Error {
        "Move inner parts into definitions with `define`, and use their names."
        Made("A form nested in more than 200 others.", || {
            ["(not ", ")"].map(|half| half.repeat(DEPTH_LIMIT + 1)).concat().into_bytes()
        })
            => Parts("(define Crowded (> (count (pieces)) 5))\n(end (if Crowded (draw)))")
    }
    /// A bracket is opened and never closed.
    UnclosedBracket = "unclosed-bracket" Error {
        "Close the bracket. The message shows where the form should end by the indentation. An editor that highlights matching brackets helps, too."
        Parts("(setup (put Stone (row 1) White)")
            => Parts("(setup (put Stone (row 1) White))")
    }
    /// A closing bracket has no opening bracket.
    StrayBracket = "stray-bracket" Error {
        "Delete the bracket, or open one where the form begins."
        Parts("(setup (put Stone (row 1) White)))")
            => Parts("(setup (put Stone (row 1) White))")
    }
    /// The brackets match, but the rules only make sense if one of them closes elsewhere.
    MisplacedBracket = "misplaced-bracket" Error {
        "Move the bracket to the place that the message shows. The checker has tried this place: with the bracket there, fewer mistakes are left. Indentation matters to it only when there are mistakes."
        Parts("(end (if (> (count (pieces Stone) 5)) (draw)))")
            => Parts("(end (if (> (count (pieces Stone)) 5) (draw)))")
    }
    /// A text has no closing quotation mark.
    UnclosedText = "unclosed-text" Error {
        "End the text with a quotation mark, `\"`. Inside a text, write a quotation mark as `\\\"`."
        Parts("(author \"A. Designer)")
            => Parts("(author \"A. Designer\")")
    }
    /// A character is not allowed here.
    StrayCharacter = "stray-character" Error {
        "Delete the character. Use only the brackets `(` and `)`, separate arguments by spaces, and write texts between straight quotation marks, `\"`."
        Parts("(setup (put Stone, (row 1) White))")
            => Parts("(setup (put Stone (row 1) White))")
    }
    /// A number is too large, or has a fraction other than a half.
    BadNumber = "bad-number" Error {
        "Use whole numbers or halves, such as `5` or `0.5`. If you need finer fractions, count in smaller units."
        Parts("(end (if (>= (count (mine)) 2.75) (win mover)))")
            => Parts("(end (if (>= (count (mine)) 3) (win mover)))")
    }
    /// A file that this one includes, or is a variant of, cannot be read.
    UnreadableFile = "unreadable-file" Error {
        "Correct the name, or put the file where it is expected: relative to the file that includes it."
        Parts("(include \"egdes.game\")")
            => Parts(INCLUDING)
    }
    /// A file refers to another outside its own folder and the folders in it.
    OutsideFolder = "outside-folder" Error {
        "Move the file into the folder of the file that includes it, or into a folder inside. This way, rules from elsewhere can only read the files that come with them."
        Parts("(include \"../edges.game\")")
            => Parts(INCLUDING)
    }
    /// A file includes itself, directly or through other files.
    FileCycle = "file-cycle" Error {
        "Move what several files need into a file that includes none of them."
        Parts("(include \"example.game\")")
            => Parts(INCLUDING)
    }
    /// An included file has no definitions, or contains something else.
    NotDefinitions = "not-definitions" Error {
        "An included file contains one form, `(definitions …)`. To start from another whole game, write a variant of it with `variant-of`."
        Parts("(include \"noughts.game\")")
            => Parts(INCLUDING)
    }
    /// The file has no game, or contains something else.
    NotAGame = "not-a-game" Error {
        "A file contains one form: `(game …)`, `(variant-of …)`, or `(definitions …)` if other files include it. Write all parts of a game inside it."
        Whole("(board (square 3))")
            => Parts("(board (square 3))")
    }
    /// A word is not a ludeme.
    UnknownLudeme = "unknown-ludeme" Error {
        "Correct the spelling, or `define` the word. `ludwright explain` lists all words by topic. Names that you define begin with an upper-case letter."
        Parts("(setup (put Stone (rwo 1) White))")
            => Parts("(setup (put Stone (row 1) White))")
    }
    /// A name is not declared.
    UnknownName = "unknown-name" Error {
        "Correct the spelling, or declare the name. A variable is only known after the place where it is chosen."
        Parts("(setup (put Stnoe (row 1) White))")
            => Parts("(setup (put Stone (row 1) White))")
    }
    /// The board does not have this site.
    UnknownSite = "unknown-site" Error {
        "Name a site by its column letter and row number. `ludwright show` draws the board with its labels."
        Parts("(setup (put Stone d4 White))")
            => Parts("(setup (put Stone c3 White))")
    }
    /// A default is not among the values of its option, or a value is not allowed by it.
    BadOptionValue = "bad-option-value" Error {
        "Choose one of the option's values, or add the value to the option."
        Parts("(option Size (range 3 9) 10 \"Sites along each side.\")\n(board (square Size))")
            => Parts("(option Size (range 3 10) 10 \"Sites along each side.\")\n(board (square Size))")
    }
    /// A value has another type than expected.
    WrongType = "wrong-type" Error {
        "Compare with the signature in the message: it shows the expected types in order. `explain` has a page for every type."
        Parts("(setup (put Stone 1 White))")
            => Parts("(setup (put Stone (row 1) White))")
    }
    /// A ludeme, definition or memory lacks an argument.
    MissingArgument = "missing-argument" Error {
        "Add the argument that the signature in the message shows. Arguments marked `?` are optional."
        Parts("(setup (put Stone))")
            => Parts("(setup (put Stone a1 White))")
    }
    /// A ludeme, definition or memory has too many arguments.
    ExtraArgument = "extra-argument" Error {
        "Delete the extra argument, or combine it with another by a ludeme. Often a bracket closes too late."
        Parts("(setup (put Stone a1 c3 White))")
            => Parts("(setup (put Stone (sites a1 c3) White))")
    }
    /// A ludeme is not allowed here.
    Misplaced = "misplaced" Error {
        "Move it to where it belongs: effects in a move, plies in the order of play, results in `end` or `play`."
        Parts("(end (if (none (theirs)) (remove (mine))))")
            => Parts("(end (if (none (theirs)) (win mover)))")
    }
    /// A part that every game needs is missing.
    MissingPart = "missing-part" Error {
        "Add the part. Every game needs `players`, a `board` and an order of `play`."
        Whole("(game \"Example\"\n  (players White Black)\n  (piece Stone)\n  (move drop (to t (empty)) (put Stone t))\n  (play (turns (choose drop))))")
            => Whole("(game \"Example\"\n  (players White Black)\n  (board (square 3))\n  (piece Stone)\n  (move drop (to t (empty)) (put Stone t))\n  (play (turns (choose drop))))")
    }
    /// A part that a game has only once appears twice.
    RepeatedPart = "repeated-part" Error {
        "Delete one of them. To choose between them when the game is loaded, use an option and `case`."
        Parts("(board (square 3))\n(board (hexagon 3))")
            => Parts("(board (case Grid (square (square 3)) (hex (hexagon 3))))")
    }
    /// A name is declared twice, or is a word of the language.
    NameTaken = "name-taken" Error {
        "Choose another name: each name has one meaning in a file."
        Parts("(define Stone (row 1))")
            => Parts("(define Home (row 1))\n(setup (put Stone Home White))")
    }
    /// A declared name begins with a lower-case letter, or a variable or a verb with an upper-case
    /// one.
    BadName = "bad-name" Error {
        "Begin declared names with an upper-case letter, variables and verbs with a lower-case one. This tells your names from the words of the language."
        Parts("(define home (row 1))\n(setup (put Stone home White))")
            => Parts("(define Home (row 1))\n(setup (put Stone Home White))")
    }
    /// A diagram in `setup` does not fit the board, or has a symbol that is no piece's.
    BadDiagram = "bad-diagram" Error {
        "Write a text for each row, from top to bottom, and in it a symbol for each site: `.` if it is empty. Numbers of rows and letters of columns are left out."
        Parts("(setup (diagram \"BB\" \"...\" \"WWW\"))")
            => Parts("(setup (diagram \"BB.\" \"...\" \"WWW\"))")
    }
    /// A `case` has no branch for some value, two for one, or one for a value that does not exist.
    CaseBranches = "case-branches" Error {
        "Write one branch for each value, or a last branch `(else …)` for all other values."
        Parts("(define Home (case mover (White (row 1))))\n(end (if (none (and Home (empty))) (win mover)))")
            => Parts("(define Home (case mover (White (row 1)) (Black (row 3))))\n(end (if (none (and Home (empty))) (win mover)))")
    }
    /// A definition uses itself.
    RecursiveDefinition = "recursive-definition" Error {
        "Write it without recursion: `group` follows connected sites, `walk` follows a line, and `chain` repeats effects from site to site."
        Parts("(define (Linked (site s)) (or s (union t (beside s) (Linked t))))\n(end (if (in c3 (Linked a1)) (draw)))")
            => Parts("(define (Linked (site s)) (group s (pieces)))\n(end (if (in c3 (Linked a1)) (draw)))")
    }
    /// A move asks by `can` if it is legal itself, directly or through other moves.
    RecursiveCan = "recursive-can" Error {
        "Ask for other moves only. If the answer depends on a part of the move's own rules, write that part as a move of its own that no `choose` offers."
        Parts("(move place\n  (to t (empty))\n  (put Stone t)\n  (require (can (next mover) place)))\n(play (turns (choose place)))")
            => Parts("(move reply (to t (empty)))\n(move place\n  (to t (empty))\n  (put Stone t)\n  (require (can (next mover) reply)))\n(play (turns (choose place)))")
    }
    /// A number in the file is too large.
    NumberOverflow = "number-overflow" Error {
        "Use smaller numbers. The limit is 1,000,000,000."
        Parts("(end (if (> (count (mine)) (* 5000000 5000000)) (draw)))")
            => Parts("(end (if (> (count (mine)) (* 2 2)) (draw)))")
    }
    /// A division by zero, or by a number that is not known before play.
    BadDivisor = "bad-divisor" Error {
        "Divide by a number in the file or by an option. It must be greater than zero."
        Parts("(end (if (= (mod (count (pieces)) 0) 1) (draw)))")
            => Parts("(end (if (= (mod (count (pieces)) 6) 5) (draw)))")
    }
    /// A half is used where only whole numbers are allowed.
    HalfNotAllowed = "half-not-allowed" Error {
        "Use a whole number. Halves are allowed for scores, such as a komi, and in comparisons with them, not for sites and plies."
        Parts("(hand Supply 4.5)\n(end (if (= (Supply mover) 0) (win mover)))")
            => Parts("(hand Supply 4)\n(end (if (= (Supply mover) 0) (win mover)))")
    }
    /// A number is outside the range that is allowed here.
    OutOfRange = "out-of-range" Error {
        "Use a number in the range that the message shows. If the number comes from an option, allow fewer values."
        Parts("(setup (put Stone (row 0) White))")
            => Parts("(setup (put Stone (row 1) White))")
    }
    /// A value must be known before play, from the file and its options.
    NotConstant = "not-constant" Error {
        "Use numbers and options only: the shape of the board and fixed counts must be known before play."
        Parts("(board (square (+ 3 (count (pieces)))))")
            => Parts("(option Size (range 3 9) 4 \"Sites along each side.\")\n(board (square Size))")
    }
    /// A path that cannot be laid on the board.
    BadPath = "bad-path" Error {
        "Begin a path at a site, go on in directions of the board, and end it where it comes back to its first site."
        Parts("(board (square 3))\n(path Round a1 E N W S E)\n(setup (put Stone (start Round) White))")
            => Parts("(board (square 3))\n(path Round a1 E N W S)\n(setup (put Stone (start Round) White))")
    }
    /// One next site is asked for on a path that passes a site more than once.
    PathReturns = "path-returns" Error {
        "Where a path passes a site twice, there are two next sites: `beside`, `walk`, `slide` and `group` follow each passage. For steps one by one, declare a path of the part that is meant, which passes each site once."
        Parts("(board (square 3))\n(path Eight b1 N 1 E 1 N 1 W 1 S 1 W 1)\n(end (if (in (step b1 Eight 2) (pieces)) (draw)))")
            => Parts("(board (square 3))\n(path Eight b1 N 1 E 1 N 1 W 1 S 1 W 1)\n(end (if (any (and (walk b1 Eight everywhere) (pieces))) (draw)))")
    }
    /// A player is in two teams or in none, or all are in one.
    BadTeams = "bad-teams" Error {
        "Put every player into one team, and write two teams or more."
        Parts("(players North East South West)\n(teams (North South) (East North))")
            => Parts("(players North East South West)\n(teams (North South) (East West))")
    }
    /// The board has more sites than allowed.
    BoardTooLarge = "board-too-large" Error {
        "Use a smaller board, or allow only smaller values of its option."
        Parts("(board (square 40))")
            => Parts("(board (square 19))")
    }
    /// The board has no sites.
    BoardEmpty = "board-empty" Error {
        "Leave at least one site, for every value of the options."
        Parts("(board (square 3) (without everywhere))")
            => Parts("(board (square 3) (without b2))")
    }
    /// The order of play has no ply, or repeats for ever without one.
    NoPly = "no-ply" Error {
        "Add a `choose` to the order of play, and to every loop that can go on for ever."
        Parts("(play (forever (turn White) (turn Black)))")
            => Parts("(play (forever (turn White (choose drop)) (turn Black (choose drop))))")
    }
    /// The rules never reach the first ply, or take too long.
    NoStart = "no-start" Error {
        "Let a loop without a ply change what its condition tests. If no move can be legal, say what happens with `otherwise`. Avoid loops over all sites inside loops over all sites: on a large board they take too long."
        Parts("(play (while (< Total 10) (lower Total 1)) (turns (choose drop)))")
            => Parts("(play (while (< Total 10) (raise Total 1)) (turns (choose drop)))")
    }
    /// In some positions the rules never reach the next ply, or take too long.
    NoNextPly = "no-next-ply" Error {
        "Look at the position after the record in the message: save it to a file and run `ludwright replay`. Let a loop without a ply change what its condition tests. Where a clause takes too long, loop over fewer sites, and put conditions that rule out most of them first."
        Parts("(remember Total number)\n(move drop (to t (empty)) (put Stone t) (raise Total 1))\n(play (turns (choose drop) (while (> Total 2) (raise Total 1))))")
            => Parts("(remember Total number)\n(move drop (to t (empty)) (put Stone t) (raise Total 1))\n(play (turns (choose drop) (while (> Total 2) (lower Total 1))))")
    }
    /// A word needs the direction in which a player plays, and he has none, or none of this kind.
    NoSide = "no-side" Error {
        "Write in `players` in which direction each player plays. Rows are counted from a player's side only if he plays along rows or columns."
        Parts("(players White Black)\n(move advance (from s (mine)) (to t (and (step s forward) (empty))) (relocate s t))")
            => Parts("(players (White N) (Black S))\n(move advance (from s (mine)) (to t (and (step s forward) (empty))) (relocate s t))")
    }
    /// The rules are larger than the engine can hold.
    RulesTooLarge = "rules-too-large" Error {
        "Keep intermediate values with `let`, or in a memory. Definitions are expanded wherever they are used, so definitions that use others several times grow quickly."
        Made("Forty definitions, each of which uses the previous one twice.", doubling)
            => Parts("(move try (to t (empty)) (let crowd (count (beside t))) (require (> (+ crowd crowd) 3)) (put Stone t))")
    }
    /// A definition, option, piece, memory, move, parameter or `let` variable is never used, or a
    /// memory is set and never read.
    Unused = "unused" Warning {
        "Use it, or delete it. Often another name was written instead of this one."
        Parts("(define Home (row 1))\n(setup (put Stone (row 3) White))")
            => Parts("(define Home (row 1))\n(setup (put Stone Home White))")
    }
    /// A condition is always true or always false.
    ConstantCondition = "constant-condition" Warning {
        "Compare with a number that the count can reach, or correct the region. If it is meant to be always true, delete the condition."
        Parts("(end (if (>= (count (theirs)) 0) (win mover)))")
            => Parts("(end (if (= (count (theirs)) 0) (win mover)))")
    }
    /// A clause has no effect, or can be written more briefly.
    Redundant = "redundant" Warning {
        "Delete it, or correct it. Often another memory or region was meant."
        Parts("(move drop (to t (empty)) (put Stone t) (set Total Total))\n(end (if (> Total 3) (draw)))")
            => Parts("(move drop (to t (empty)) (put Stone t) (set Total (count (mine))))\n(end (if (> Total 3) (draw)))")
    }
    /// A change would take a hand or a number per site beyond its bounds, where it stops.
    Clamped = "clamped" Warning {
        "Require first that there is enough, or declare a higher maximum. A hand cannot go below zero, and a number per site stays from 0 to its maximum; a change beyond these bounds stops there."
        Parts("(hand Supply 3)\n(move drop (to t (empty)) (put Stone t) (lower (Supply mover) 4))\n(end (if (= (Supply mover) 0) (draw)))")
            => Parts("(hand Supply 3)\n(move drop (to t (empty)) (put Stone t) (lower (Supply mover) 1))\n(end (if (= (Supply mover) 0) (draw)))")
    }
    /// A loop over numbers ends before a number that its rounds are compared with.
    LoopTooShort = "loop-too-short" Warning {
        "Let the loop run to the greatest value that the number can have; `numbers` has at most 64 values, so a longer loop is two loops, one inside the other. If the loop shall end there, say so: name the smaller of the two first, such as `(let n (min (Seeds s) 3))`."
        Parts("(remember Seeds number (per site 9))\n(move sow (at s (row 1)) (let n (Seeds s)) (put Stone s) (for i (numbers 1 3) (if (<= i n) (raise (Seeds s) 1))))\n(end (if (> (Seeds a1) 3) (draw)))")
            => Parts("(remember Seeds number (per site 9))\n(move sow (at s (row 1)) (let n (Seeds s)) (put Stone s) (for i (numbers 1 9) (if (<= i n) (raise (Seeds s) 1))))\n(end (if (> (Seeds a1) 3) (draw)))")
    }
    /// The setup puts pieces on the board without an owner, so all of them belong to the first
    /// player.
    UnnamedOwner = "unnamed-owner" Warning {
        "Name the owner after the region. Without one, pieces belong to the mover, who is the first player before the first ply."
        Parts("(setup (put Stone (row 1)) (put Stone (row 3)))")
            => Parts("(setup (put Stone (row 1) White) (put Stone (row 3) Black))")
    }
    /// The setup puts a second piece on a site.
    PutTwice = "put-twice" Warning {
        "Exclude the site from one of the regions. A site holds at most one piece, so the second replaces the first."
        Parts("(setup (put Stone (row 1) White) (put Stone a1 Black))")
            => Parts("(setup (put Stone (and (row 1) (not a1)) White) (put Stone a1 Black))")
    }
    /// A move can never be legal.
    NeverLegal = "never-legal" Warning {
        "Correct the choice or the requirement: it can never be satisfied. Often one of the regions in an `and` is wrong."
        Parts("(move advance (from s (and (mine) (empty))) (to t (beside s)) (relocate s t))\n(play (turns (choose drop advance)))")
            => Parts("(move advance (from s (mine)) (to t (and (beside s) (empty))) (relocate s t))\n(play (turns (choose drop advance)))")
    }
    /// There is an error with another value of an option than its default.
    UnfitValue = "unfit-value" Warning {
        "Use the option instead of a fixed number, or allow fewer values."
        Parts("(option Size (range 2 4) 3 \"Sites along each side.\")\n(board (square Size))\n(setup (put Stone c3 White))")
            => Parts("(option Size (range 2 4) 3 \"Sites along each side.\")\n(board (square Size))\n(setup (put Stone (row Size) White))")
    }
    /// An end, or another statement, is never reached.
    NeverReached = "never-reached" Warning {
        "Move it before the statement that always ends the game, or give that statement a condition."
        Parts("(end (draw) (if (none (empty)) (win mover)))")
            => Parts("(end (if (none (empty)) (draw)))")
    }
    /// A player can have no legal move, and no rule says what happens then. Found by `check
    /// --deep`.
    NoMove = "no-move" Warning {
        "Say what happens with `otherwise`: a result such as `(draw)` or `(lose mover)`, or a pass. Without it, the game is drawn. To look at the record in the message, save it to a file and run `ludwright replay`."
        Parts("(move drop (to t (and (empty) (not (beside (pieces))))) (put Stone t))")
            => Parts("(move drop (to t (and (empty) (not (beside (pieces))))) (put Stone t))\n(play (turns (choose drop (otherwise (lose mover)))))")
    }
    /// The order of play never gives a player a turn.
    NeverActs = "never-acts" Warning {
        "Write `turns` instead of `forever`, so that each player has his turn, or add a `turn` for the player."
        Parts("(play (forever (choose drop)))")
            => Parts("(play (turns (choose drop)))")
    }
    /// An end is written for any player, but only one player can win by it.
    OneSided = "one-sided" Warning {
        "Use the variable in the condition: `(of p)` instead of `(mine)`. If only one player can win in this way, name this player."
        Parts("(end (for p players (if (in b2 (mine)) (win p))) (if (none (empty)) (draw)))")
            => Parts("(end (for p players (if (in b2 (of p)) (win p))) (if (none (empty)) (draw)))")
    }
    /// A number only grows, so no position ever repeats. Found by `check --deep`.
    Unbounded = "unbounded" Warning {
        "Reset the number, or end the game when it reaches a limit. Memories are part of the position, so while a number grows no position repeats: `repetition` never applies, and `check --deep` cannot find endless games."
        Parts("(setup (put Stone a1 White) (put Stone c3 Black))\n(move drop (from s (mine)) (to t (and (beside s) (empty))) (let before Total) (relocate s t) (if (>= before 0) (raise Total 1)))\n(play (turns (choose drop)))\n(repetition 3 (draw))")
            => Parts("(setup (put Stone a1 White) (put Stone c3 Black))\n(move drop (from s (mine)) (to t (and (beside s) (empty))) (relocate s t) (raise Total 1))\n(play (turns (choose drop)))\n(end (if (>= Total 40) (draw)))")
    }
    /// A move changes nothing and leads back to the same choice.
    LeadsBack = "leads-back" Warning {
        "End the turn with `(end-turn)`, or change in the move what the loop around it tests. The name of a verb has no effect."
        Parts("(move stop)\n(play (turns (while (any (empty)) (choose drop stop))))")
            => Parts("(move stop (end-turn))\n(play (turns (while (any (empty)) (choose drop stop))))")
    }
    /// A move chooses two sites that can be the same, and puts a piece on each.
    SameSite = "same-site" Warning {
        "Exclude the first site from the second region. Both are chosen from the same region, and nothing keeps them apart."
        Parts("(move pair (to t (empty)) (to u (empty)) (put Stone t) (put Stone u))\n(play (turns (choose drop pair)))")
            => Parts("(move pair (to t (empty)) (to u (and (empty) (not t))) (put Stone t) (put Stone u))\n(play (turns (choose drop pair)))")
    }
    /// The game can go on for ever: positions can repeat, and no rule ends it. Found by `check
    /// --deep`.
    Endless = "endless" Warning {
        "Add `(repetition 3 (draw))`, which ends the game when a position occurs for the third time, or end the game after a number of plies. To look at the record in the message, save it to a file and run `ludwright replay`."
        Parts("(setup (put Stone a1 White) (put Stone c3 Black))\n(move drop (from s (mine)) (to t (and (beside s) (empty))) (relocate s t))\n(play (turns (choose drop)))")
            => Parts("(setup (put Stone a1 White) (put Stone c3 Black))\n(move drop (from s (mine)) (to t (and (beside s) (empty))) (relocate s t))\n(play (turns (choose drop)))\n(repetition 3 (draw))")
    }
}
