//! Completes parts or examples of the table to a small game that can be checked and played.

use super::format::format;
use super::ludemes::{Kind, Row, rows};
use super::sources::{FetchError, Fetched, Sources};
use crate::syntax::{Node, parse};

/// A game, and the files that it includes.
#[derive(Clone, Debug)]
pub struct Sample {
    pub text: String,
    /// Names and texts.
    pub files: Vec<(&'static str, String)>,
}

/// The name of a sample's own file in messages.
pub const NAME: &str = "example.game";

/// The base game of variants.
const BASE: (&str, &str) = (
    "noughts.game",
    r#"(game "Noughts" (players X O) (option Size (range 3 9) 3 "Sites along each side.") (board (square Size)) (piece Mark)
        (move drop (to t (empty)) (put Mark t)) (play (turns (choose drop))) (repetition 3 (draw)))"#,
);

/// The file of definitions that samples include.
const INCLUDED: (&str, &str) = ("edges.game", "(definitions (define Rim (row 1)))");

/// The parts that every game gets, unless the sample has its own.
const FRAME: &[&str] = &[
    "(players White Black)",
    "(board (square 3))",
    "(piece Stone)",
    "(move drop (to t (empty)) (put Stone t))",
    "(play (turns (choose drop)))",
    "(end (if (none (empty)) (draw)))",
];

/// The players of samples that use the directions in which they play.
const SIDES: &str = "(players (White N) (Black S))";

/// The players of samples with teams.
const PARTNERS: &str = "(players North East South West)";

/// The parts that a game gets if their names are used.
const DECLARED: &[&str] = &[
    r#"(option Grid (one-of hex square) square "The grid.")"#,
    "(piece Shell unowned)",
    "(remember Total number)",
    "(remember Fresh sites)",
    "(remember Moved sites travelling)",
    "(move pass)",
    "(move roll (number n 1 6) (raise Total n))",
];

/// The order of the parts.
const ORDER: &[&[&str]] = &[
    &["author", "year", "source", "license", "about", "players", "teams"],
    &["option", "include"],
    &["board"],
    &["piece"],
    &["hand", "remember"],
    &["define"],
    &["setup"],
    &["move"],
    &["play"],
    &["end"],
    &["repetition"],
    &["look"],
    &["claim"],
];

impl Sample {
    /// Completes parts to a game. If brackets do not match, the parts are copied as they are.
    pub fn of_parts(parts: &str) -> Sample {
        Sample::of_game("Example", parts)
    }

    /// Takes the text of a whole file, and adds the files that it refers to.
    pub fn whole(text: &str) -> Sample {
        let tidy = |text: &str| format(text).unwrap_or_else(|_| text.to_owned());
        let named =
            [BASE, INCLUDED].into_iter().filter(|(name, _)| text.contains(&format!("\"{name}\"")));
        Sample { text: tidy(text), files: named.map(|(name, text)| (name, tidy(text))).collect() }
    }

    /// Shows all rows of a word, each by its example.
    pub fn of_rows<'r>(shown: impl IntoIterator<Item = &'r Row>) -> Sample {
        let (mut parts, mut ends, mut required, mut done) =
            (String::new(), String::new(), String::new(), String::new());
        for row in shown {
            let example = row.example;
            let tree = parse(example);
            let Some((head, _)) = tree.forms.first().and_then(Node::head) else { continue };
            let result = rows(head)
                .find(|meaning| meaning.result == row.result)
                .or_else(|| rows(head).next())
                .map(|row| row.result);
            let ends_game =
                ["(draw)", "(win ", "(lose ", "(by-score "].iter().any(|end| example.contains(end));
            match (head, result) {
                ("game", _) => return Sample::of_whole_game(&tree.forms[0], example),
                ("variant-of", _) => return Sample::whole(example),
                ("default" | "omit" | "add", _) => {
                    return Sample::whole(&format!(
                        "(variant-of \"{}\" \"Example\" {example})",
                        BASE.0
                    ));
                }
                // Shown by including the file that it is about.
                ("definitions" | "include", _) => {
                    return Sample::of_parts(&format!(
                        "(include \"{}\") (setup (put Stone Rim White))",
                        INCLUDED.0
                    ));
                }
                (_, Some(Kind::Statement)) if ends_game => ends.push_str(example),
                (_, Some(Kind::Statement)) => done.push_str(example),
                (_, Some(Kind::Number)) => required.push_str(&format!("(require (> {example} 0))")),
                (_, Some(Kind::Condition)) => required.push_str(&format!("(require {example})")),
                _ => parts.push_str(example),
            }
        }
        if !required.is_empty() {
            parts.push_str(&format!("(move try (to t (empty)) {required} (put Stone t))"));
        }
        if !done.is_empty() {
            parts.push_str(&format!("(move try {done})"));
        }
        if !ends.is_empty() {
            parts.push_str(&format!("(end {ends})"));
        }
        Sample::of_parts(&parts)
    }

    /// Returns the files in the form that the checker takes.
    pub fn sources(&self) -> Sources {
        Sources::gather(Fetched::new(NAME, &*self.text), &mut |_, wanted| {
            if wanted == NAME {
                return Ok(Fetched::new(NAME, &*self.text));
            }
            let file = self.files.iter().find(|(name, _)| *name == wanted);
            let missing = || FetchError::Unreadable(String::from("there is no such file"));
            file.map(|(name, text)| Fetched::new(*name, text)).ok_or_else(missing)
        })
    }

    /// Completes a game whose example omits parts.
    fn of_whole_game(game: &Node, example: &str) -> Sample {
        let parts = game.as_form().unwrap_or(&[]);
        let title = parts.get(1).and_then(Node::as_text).unwrap_or_default();
        let own: Vec<&str> = parts.iter().skip(2).map(|part| part.span.text(example)).collect();
        Sample::of_game(title, &own.join(" "))
    }

    fn of_game(title: &str, parts: &str) -> Sample {
        let tree = parse(parts);
        let own: Vec<&str> = match tree.faults.is_empty()
            && tree.forms.iter().all(|form| form.as_form().is_some())
        {
            true => tree.forms.iter().map(|form| form.span.text(parts)).collect(),
            false => vec![parts],
        };
        let mut all: Vec<String> = Vec::new();
        let faces = ["forward", "left", "right", "back", "offsets"]
            .iter()
            .any(|word| mentions(parts, word));
        // The move of the frame is left out if the sample has an order of play that does not use
        // it.
        let says = |word: &str| own.iter().any(|own| own.contains(word));
        let drops = says("drop") || !own.iter().any(|own| replaces(own, "(play)"));
        let is_idle = |part: &str| match names(part).1.as_deref() {
            Some("drop") => !drops,
            Some("Stone") => !drops && !says("Stone"),
            _ => false,
        };
        let partners = mentions(parts, "teams");
        for part in FRAME {
            let part = match replaces(SIDES, part) {
                true if partners => &PARTNERS,
                true if faces => &SIDES,
                _ => part,
            };
            if !is_idle(part) && !own.iter().any(|own| replaces(own, part)) {
                all.push((*part).to_owned());
            }
        }
        all.extend(own.iter().map(|part| (*part).to_owned()));
        // An added part may use further names.
        while let Some(part) = DECLARED.iter().find(|part| is_lacking(part, &all)) {
            all.push((*part).to_owned());
        }
        all.sort_by_key(|part| rank(part));
        offer_moves(&mut all, own.iter().any(|part| replaces(part, "(play)")));
        Sample::whole(&format!("(game \"{title}\"\n  {})\n", all.join("\n  ")))
    }
}

/// Returns the word of a part and the name that it declares.
fn names(part: &str) -> (String, Option<String>) {
    let tree = parse(part);
    let parts = tree.forms.first().and_then(Node::as_form).unwrap_or(&[]);
    let word = |index: usize| parts.get(index).and_then(Node::as_word).map(str::to_owned);
    (word(0).unwrap_or_default(), word(1))
}

/// Tests if `own` replaces `part`: both are a part that a game has only once, or declare the same
/// name.
fn replaces(own: &str, part: &str) -> bool {
    let ((own, name), (head, known)) = (names(own), names(part));
    own == head && (matches!(head.as_str(), "players" | "board" | "play" | "end") || name == known)
}

/// Tests if a part declares a name that is used and not declared.
fn is_lacking(part: &str, all: &[String]) -> bool {
    let Some(name) = names(part).1 else { return false };
    all.iter().any(|text| mentions(text, &name)) && !all.iter().any(|other| replaces(other, part))
}

/// Tests if a text contains a word.
fn mentions(text: &str, word: &str) -> bool {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '-').any(|one| one == word)
}

/// Returns the position of a part in the order; unknown parts go with the moves.
pub fn rank(part: &str) -> usize {
    let head = names(part).0;
    let place = |heads: &[&str]| {
        ORDER.iter().position(|group| group.iter().any(|word| heads.contains(word)))
    };
    place(&[&head]).or_else(|| place(&["move"])).unwrap_or(0)
}

/// Lets the order of play choose every move, unless the sample has its own `play`.
fn offer_moves(parts: &mut [String], settled: bool) {
    let moves: Vec<String> = parts
        .iter()
        .map(|part| names(part))
        .filter(|(head, _)| head == "move")
        .filter_map(|(_, verb)| verb)
        .collect();
    if let Some(play) = parts.iter_mut().find(|part| !settled && names(part).0 == "play") {
        *play = format!("(play (turns (choose {})))", moves.join(" "));
    }
}
