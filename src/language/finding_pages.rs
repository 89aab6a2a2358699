//! What there is to say of every finding besides the finding itself: why it matters, a mistake that leads to it, and the same thing said right.
//!
//! It refuses to say how the checker finds it. The match has no last resort, so that no code can be without a page.

use super::finding::Code;
use super::samples::Sample;
use crate::syntax::{DEPTH_LIMIT, SOURCE_LIMIT};

/// What is said of a finding.
pub struct Advice {
    /// Why it is one, and what to do about it.
    pub remedy: &'static str,
    pub wrong: Rules,
    pub right: Rules,
}

/// Rules in an example.
pub enum Rules {
    /// Parts of a game, which has what they lack.
    Parts(&'static str),
    /// A whole file.
    Whole(&'static str),
    /// A file that nobody would want to read, in words.
    Made(&'static str, fn() -> Vec<u8>),
}

impl Rules {
    /// As they are written, or in words.
    pub fn shown(&self) -> &'static str {
        match self {
            Rules::Parts(text) | Rules::Whole(text) | Rules::Made(text, _) => text,
        }
    }

    /// The whole file, unless nobody would want to read it.
    pub fn sample(&self) -> Option<Sample> {
        match self {
            Rules::Parts(parts) => Some(Sample::of_parts(parts)),
            Rules::Whole(text) => Some(Sample::whole(text)),
            Rules::Made(..) => None,
        }
    }
}

/// Definitions that are taken from another file, and used.
const INCLUDING: &str = "(include \"edges.game\")\n(setup (put Stone Rim White))";

/// What there is to say of a finding.
pub fn advice(code: Code) -> Advice {
    use Rules::{Made, Parts, Whole};
    let (remedy, wrong, right) = match code {
        Code::FileTooLarge => (
            "A rules file has 1 MiB at most. Divide it: what several games share can have a file of its own, which `include` takes in.",
            Made("A file of more than 1,048,576 bytes.", || vec![b' '; SOURCE_LIMIT + 1]),
            Parts(INCLUDING),
        ),
        Code::NotText => (
            "Save the file as UTF-8; every editor can. The message says which byte is part of no character.",
            Made("A file saved in another encoding, such as Latin-1.", || b"(game \"Caf\xe9\")".to_vec()),
            Parts("(author \"José\")"),
        ),
        Code::NestedTooDeep => (
            "Give the inner parts names with `define`, and use the names.",
            Made("A form inside more than 200 others.", || ["(not ", ")"].map(|half| half.repeat(DEPTH_LIMIT + 1)).concat().into_bytes()),
            Parts("(define Crowded (> (count (pieces)) 5))\n(end (if Crowded (draw)))"),
        ),
        Code::UnclosedBracket => (
            "Close the bracket. The message says where the indentation suggests that the form ends; an editor that shows matching brackets helps as well.",
            Parts("(setup (put Stone (row 1) White)"),
            Parts("(setup (put Stone (row 1) White))"),
        ),
        Code::StrayBracket => (
            "Take the bracket away, or open one where the form begins.",
            Parts("(setup (put Stone (row 1) White)))"),
            Parts("(setup (put Stone (row 1) White))"),
        ),
        Code::MisplacedBracket => (
            "Move the bracket to where the message says. What the message says was tried: with the bracket there, fewer mistakes are left. How the lines are indented is asked \
             only where there are mistakes.",
            Parts("(end (if (> (count (pieces Stone) 5)) (draw)))"),
            Parts("(end (if (> (count (pieces Stone)) 5) (draw)))"),
        ),
        Code::UnclosedText => (
            "End the text with a double quote. A quote inside of a text is written `\\\"`.",
            Parts("(author \"A. Designer)"),
            Parts("(author \"A. Designer\")"),
        ),
        Code::StrayCharacter => (
            "Take the character away. The only brackets are `(` and `)`, blanks separate arguments, and texts stand between straight double quotes.",
            Parts("(setup (put Stone, (row 1) White))"),
            Parts("(setup (put Stone (row 1) White))"),
        ),
        Code::BadNumber => (
            "Numbers are whole or have a half, such as `5` or `0.5`. Where you need finer ones, count in smaller units.",
            Parts("(end (if (>= (count (mine)) 2.75) (win mover)))"),
            Parts("(end (if (>= (count (mine)) 3) (win mover)))"),
        ),
        Code::UnreadableFile => (
            "Put the file where it is looked for, beside the one that names it, or mend its name.",
            Parts("(include \"egdes.game\")"),
            Parts(INCLUDING),
        ),
        Code::OutsideFolder => (
            "Move the file into the folder of the one that names it, or below. So rules from somewhere else can read nothing but what came with them.",
            Parts("(include \"../edges.game\")"),
            Parts(INCLUDING),
        ),
        Code::FileCycle => {
            ("Put what several files need into a file that names none of them.", Parts("(include \"example.game\")"), Parts(INCLUDING))
        }
        Code::NotDefinitions => (
            "An included file holds one form, `(definitions …)`. To begin with another whole game, write a variant of it with `variant-of`.",
            Parts("(include \"noughts.game\")"),
            Parts(INCLUDING),
        ),
        Code::NotAGame => (
            "A file holds one form: `(game …)`, `(variant-of …)`, or `(definitions …)` if it is there to be included. All parts of a game stand inside of it.",
            Whole("(board (square 3))"),
            Parts("(board (square 3))"),
        ),
        Code::UnknownLudeme => (
            "Mend the spelling, or `define` the word. `ludwright explain` lists all words by topic. Names that you define begin with a capital letter.",
            Parts("(setup (put Stone (rwo 1) White))"),
            Parts("(setup (put Stone (row 1) White))"),
        ),
        Code::UnknownName => (
            "Mend the spelling, or declare the name. A variable is known only in what follows the place where it is chosen.",
            Parts("(setup (put Stnoe (row 1) White))"),
            Parts("(setup (put Stone (row 1) White))"),
        ),
        Code::UnknownSite => (
            "Sites are called as the edges of the board say: column letters, then the row's number. `ludwright show` draws the board with its labels.",
            Parts("(setup (put Stone d4 White))"),
            Parts("(setup (put Stone c3 White))"),
        ),
        Code::BadOptionValue => (
            "Choose one of the option's values, or allow more of them.",
            Parts("(option Size (range 3 9) 10 \"Sites along each side.\")\n(board (square Size))"),
            Parts("(option Size (range 3 10) 10 \"Sites along each side.\")\n(board (square Size))"),
        ),
        Code::WrongType => (
            "Look at the signature in the message: it says what is wanted there, and in what order. `explain` has a page for every type.",
            Parts("(setup (put Stone 1 White))"),
            Parts("(setup (put Stone (row 1) White))"),
        ),
        Code::MissingArgument => (
            "Add what the signature in the message asks for. What may be left out has a `?` there.",
            Parts("(setup (put Stone))"),
            Parts("(setup (put Stone a1 White))"),
        ),
        Code::ExtraArgument => (
            "Take away what is too much, or join it to the rest with a ludeme; often a bracket closes too late.",
            Parts("(setup (put Stone a1 c3 White))"),
            Parts("(setup (put Stone (sites a1 c3) White))"),
        ),
        Code::Misplaced => (
            "Put it where it belongs: effects in a move, plies in the order of play, results in `end` or `play`.",
            Parts("(end (if (none (theirs)) (remove (mine))))"),
            Parts("(end (if (none (theirs)) (win mover)))"),
        ),
        Code::MissingPart => (
            "Every game has `players`, a `board` and an order of `play`.",
            Whole(
                "(game \"Example\"\n  (players White Black)\n  (piece Stone)\n  (move drop (to t (empty)) (put Stone t))\n  (play (turns (choose drop))))",
            ),
            Whole(
                "(game \"Example\"\n  (players White Black)\n  (board (square 3))\n  (piece Stone)\n  (move drop (to t (empty)) (put Stone t))\n  (play (turns (choose drop))))",
            ),
        ),
        Code::RepeatedPart => (
            "Keep one of them. To leave it to the player which one holds, ask an option with `case`.",
            Parts("(board (square 3))\n(board (hexagon 3))"),
            Parts("(board (case Grid (square (square 3)) (hex (hexagon 3))))"),
        ),
        Code::NameTaken => (
            "Choose another name: each stands for one thing in a file.",
            Parts("(define Stone (row 1))"),
            Parts("(define Home (row 1))\n(setup (put Stone Home White))"),
        ),
        Code::BadName => (
            "What a file declares begins with a capital letter, variables and verbs with a small one. So a reader can tell your words from the language's.",
            Parts("(define home (row 1))\n(setup (put Stone home White))"),
            Parts("(define Home (row 1))\n(setup (put Stone Home White))"),
        ),
        Code::CaseBranches => (
            "Write one branch for each value, or `(else …)` as the last one for all that have none.",
            Parts("(define Home (case mover (White (row 1))))\n(end (if (none (and Home (empty))) (win mover)))"),
            Parts("(define Home (case mover (White (row 1)) (Black (row 3))))\n(end (if (none (and Home (empty))) (win mover)))"),
        ),
        Code::RecursiveDefinition => (
            "Say it without itself. `group` follows pieces that touch, `walk` a line, and `chain` does something again for whatever it leads to.",
            Parts("(define (Linked (site s)) (or s (union t (beside s) (Linked t))))\n(end (if (in c3 (Linked a1)) (draw)))"),
            Parts("(define (Linked (site s)) (group s (pieces)))\n(end (if (in c3 (Linked a1)) (draw)))"),
        ),
        Code::NumberOverflow => (
            "Use smaller numbers; no game needs such large ones.",
            Parts("(end (if (> (count (mine)) (* 5000000 5000000)) (draw)))"),
            Parts("(end (if (> (count (mine)) (* 2 2)) (draw)))"),
        ),
        Code::BadDivisor => (
            "Divide by a number that is written in the file, or by an option, and that is not zero.",
            Parts("(end (if (= (mod (count (pieces)) 0) 1) (draw)))"),
            Parts("(end (if (= (mod (count (pieces)) 6) 5) (draw)))"),
        ),
        Code::HalfNotAllowed => (
            "Halves are for scores, such as a komi, and for what they are compared with. Sites and plies come whole.",
            Parts("(hand Supply 4.5)\n(end (if (= (Supply mover) 0) (win mover)))"),
            Parts("(hand Supply 4)\n(end (if (= (Supply mover) 0) (win mover)))"),
        ),
        Code::OutOfRange => (
            "The message says which numbers are allowed. Where an option leads beyond them, allow fewer values.",
            Parts("(setup (put Stone (row 0) White))"),
            Parts("(setup (put Stone (row 1) White))"),
        ),
        Code::NotConstant => (
            "What shapes the board, and how often something can be, is known before play: from numbers and options. What changes in play is no use there.",
            Parts("(board (square (+ 3 (count (pieces)))))"),
            Parts("(option Size (range 3 9) 4 \"Sites along each side.\")\n(board (square Size))"),
        ),
        Code::BoardTooLarge => (
            "Take a smaller board, or allow smaller values of the option that shapes it.",
            Parts("(board (square 40))"),
            Parts("(board (square 19))"),
        ),
        Code::BoardEmpty => (
            "Leave some sites: a board shaped by an option needs one for each of its values.",
            Parts("(board (square 3) (without everywhere))"),
            Parts("(board (square 3) (without b2))"),
        ),
        Code::NoPly => (
            "Somewhere in the order of play somebody must act: put a `choose` into it, and into every loop that may go on for ever.",
            Parts("(play (forever (turn White) (turn Black)))"),
            Parts("(play (forever (turn White (choose drop)) (turn Black (choose drop))))"),
        ),
        Code::NoStart => (
            "A loop without a ply must change what ends it, and where no move is legal, `otherwise` must say what happens. What runs through all sites inside of what \
             runs through all sites takes too long on a large board.",
            Parts("(play (while (< Total 10) (lower Total 1)) (turns (choose drop)))"),
            Parts("(play (while (< Total 10) (raise Total 1)) (turns (choose drop)))"),
        ),
        Code::RulesTooLarge => (
            "A definition is written out wherever it is used, so that ones which use others several times grow quickly. Keep a value with `let`, or in a memory.",
            Made("Forty definitions, each of which uses the one before it twice.", doubling),
            Parts("(move try (to t (empty)) (let crowd (count (beside t))) (require (> (+ crowd crowd) 3)) (put Stone t))"),
        ),
        Code::Unused => (
            "Use it, or take it away. Often another name was written where this one was meant.",
            Parts("(define Home (row 1))\n(setup (put Stone (row 3) White))"),
            Parts("(define Home (row 1))\n(setup (put Stone Home White))"),
        ),
        Code::ConstantCondition => (
            "Compare with a number that the count can reach, or name the region that was meant. If it is meant to be always so, leave the condition out.",
            Parts("(end (if (>= (count (theirs)) 0) (win mover)))"),
            Parts("(end (if (= (count (theirs)) 0) (win mover)))"),
        ),
        Code::Redundant => (
            "Delete it, or write what was meant: often another memory or region was to be named.",
            Parts("(move drop (to t (empty)) (put Stone t) (set Total Total))\n(end (if (> Total 3) (draw)))"),
            Parts("(move drop (to t (empty)) (put Stone t) (set Total (count (mine))))\n(end (if (> Total 3) (draw)))"),
        ),
        Code::Clamped => (
            "A hand never goes below zero, and a number that each site has is from 0 to its most. What would lead beyond is held at the bound. Require first that there is enough, \
             or declare a greater most.",
            Parts(
                "(hand Supply 3)\n(move drop (to t (empty)) (put Stone t) (lower (Supply mover) 4))\n(end (if (= (Supply mover) 0) (draw)))",
            ),
            Parts(
                "(hand Supply 3)\n(move drop (to t (empty)) (put Stone t) (lower (Supply mover) 1))\n(end (if (= (Supply mover) 0) (draw)))",
            ),
        ),
        Code::UnnamedOwner => (
            "Name the player after the region: where none is named, pieces are the mover's, and before the first ply that is the first player.",
            Parts("(setup (put Stone (row 1)) (put Stone (row 3)))"),
            Parts("(setup (put Stone (row 1) White) (put Stone (row 3) Black))"),
        ),
        Code::PutTwice => (
            "At most one piece stands on a site: the first leaves the board when the second is put there. Leave the site out of one of the regions.",
            Parts("(setup (put Stone (row 1) White) (put Stone a1 Black))"),
            Parts("(setup (put Stone (and (row 1) (not a1)) White) (put Stone a1 Black))"),
        ),
        Code::NeverLegal => (
            "What is chosen, or required, cannot be there. Often one of two regions in an `and` is the wrong one.",
            Parts("(move advance (from s (and (mine) (empty))) (to t (beside s)) (relocate s t))\n(play (turns (choose drop advance)))"),
            Parts("(move advance (from s (mine)) (to t (and (beside s) (empty))) (relocate s t))\n(play (turns (choose drop advance)))"),
        ),
        Code::UnfitValue => (
            "Say by way of the option what was said of a single size, or allow fewer values.",
            Parts("(option Size (range 2 4) 3 \"Sites along each side.\")\n(board (square Size))\n(setup (put Stone c3 White))"),
            Parts("(option Size (range 2 4) 3 \"Sites along each side.\")\n(board (square Size))\n(setup (put Stone (row Size) White))"),
        ),
        Code::NeverReached => (
            "What stands before it ends the game in any case. Put it first, or give what stands before it a condition.",
            Parts("(end (draw) (if (none (empty)) (win mover)))"),
            Parts("(end (if (none (empty)) (draw)))"),
        ),
        Code::NoMove => (
            "The game is drawn then, which may be what you mean: say so with `(otherwise (draw))`, or say who wins, or let the player pass. The record that is shown can be kept in a file and played over with `ludwright replay`.",
            Parts("(move drop (to t (and (empty) (not (beside (pieces))))) (put Stone t))"),
            Parts(
                "(move drop (to t (and (empty) (not (beside (pieces))))) (put Stone t))\n(play (turns (choose drop (otherwise (lose mover)))))",
            ),
        ),
        Code::NeverActs => (
            "Write `turns` for `forever`, so that each player has his turn, or give the player a `turn`. A player who has no ply can neither play nor be played.",
            Parts("(play (forever (choose drop)))"),
            Parts("(play (turns (choose drop)))"),
        ),
        Code::OneSided => (
            "What is asked does not speak of the player who wins, or cannot come about for the others. Speak of the variable: `(of p)` in place of `(mine)`. Where only one player can win so, \
             name him.",
            Parts("(end (for p players (if (in b2 (mine)) (win p))) (if (none (empty)) (draw)))"),
            Parts("(end (for p players (if (in b2 (of p)) (win p))) (if (none (empty)) (draw)))"),
        ),
        Code::Unbounded => (
            "A position is all that is remembered: with a number that grows for ever none comes again. Rules of repetition never apply then, and `check --deep` cannot find that a game goes on for ever. \
             Set the number back, or end the game at a bound.",
            Parts(
                "(setup (put Stone a1 White) (put Stone c3 Black))\n(move drop (from s (mine)) (to t (and (beside s) (empty))) (let before Total) (relocate s t) (if (>= before 0) (raise Total 1)))\n(play (turns (choose drop)))\n(repetition 3 (draw))",
            ),
            Parts(
                "(setup (put Stone a1 White) (put Stone c3 Black))\n(move drop (from s (mine)) (to t (and (beside s) (empty))) (relocate s t) (raise Total 1))\n(play (turns (choose drop)))\n(end (if (>= Total 40) (draw)))",
            ),
        ),
        Code::LeadsBack => (
            "A verb ends nothing by its name. Let it end the turn with `(end-turn)`, or let it change what the loop around it asks for.",
            Parts("(move stop)\n(play (turns (while (any (empty)) (choose drop stop))))"),
            Parts("(move stop (end-turn))\n(play (turns (while (any (empty)) (choose drop stop))))"),
        ),
        Code::SameSite => (
            "Both are chosen from one region, and nothing says that they differ. Leave the first out of the second region.",
            Parts("(move pair (to t (empty)) (to u (empty)) (put Stone t) (put Stone u))\n(play (turns (choose drop pair)))"),
            Parts("(move pair (to t (empty)) (to u (and (empty) (not t))) (put Stone t) (put Stone u))\n(play (turns (choose drop pair)))"),
        ),
        Code::Endless => (
            "Add `(repetition 3 (draw))`, which ends the game when a position comes for the third time, or count the plies and end it after so many. The record that is shown can be kept in a file and played over with `ludwright replay`.",
            Parts(
                "(setup (put Stone a1 White) (put Stone c3 Black))\n(move drop (from s (mine)) (to t (and (beside s) (empty))) (relocate s t))\n(play (turns (choose drop)))",
            ),
            Parts(
                "(setup (put Stone a1 White) (put Stone c3 Black))\n(move drop (from s (mine)) (to t (and (beside s) (empty))) (relocate s t))\n(play (turns (choose drop)))\n(repetition 3 (draw))",
            ),
        ),
    };
    Advice { remedy, wrong, right }
}

/// Each definition uses the one before it twice.
fn doubling() -> Vec<u8> {
    let mut parts = String::from("(define Sum0x (count (empty)))");
    for index in 1..40 {
        parts.push_str(&format!("\n(define Sum{index}x (+ Sum{0}x Sum{0}x))", index - 1));
    }
    parts.push_str("\n(end (if (= Sum39x 1) (draw)))");
    Sample::of_parts(&parts).text.into_bytes()
}
