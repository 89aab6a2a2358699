//! Ludwright: write, check, play and measure abstract board games.
//!
//! A game is a text of parenthesised *ludemes*. [`load`] turns it into a [`Game`]: legal moves, effects, chance and results, for any position.
//!
//! ```
//! let text = r#"
//! (game "Noughts and crosses"
//!   (players X O)
//!   (board (square 3))
//!   (piece Mark)
//!   (define (Row (site s) (direction d))
//!     (and (in s (mine)) (in (step s d) (mine)) (in (step s (opposite d)) (mine))))
//!   (move mark (to t (empty)) (put Mark t))
//!   (play (turns (choose mark)))
//!   (end
//!     (if (any (where s (mine) (some d (list N NE E SE) (Row s d)))) (win mover))
//!     (if (none (empty)) (draw))))
//! "#;
//! let game = ludwright::load(text, &[])?;
//! let mut play = game.begin()?;
//! for wanted in ["mark b2", "mark a1", "mark b1", "mark a2", "mark b3"] {
//!     let ply = ludwright::notation::read(&play, wanted).expect("a legal move");
//!     play.play(&ply).expect("it was listed as legal");
//! }
//! assert_eq!(ludwright::notation::outcome(game.rules(), play.outcome()), "X wins");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The house
//!
//! Floors, of which each knows only those below it; a lower floor never imports a higher one.
//!
//! 1. [`syntax`]: text to a tree with spans, and to its one layout. [`random`]: numbers that are the same everywhere. [`deadline`]: when to stop. [`board`]: sites, directions, labels.
//! 2. [`language`]: the one table of ludemes, and what is made from it for people and editors; the checker, which turns a tree into typed rules or says what is wrong with it.
//! 3. [`compile`]: typed rules to a program. Here, and nowhere else, what is written about one site becomes an operation on whole sets of sites.
//! 4. [`engine`]: positions, legal moves, plies, results, counts, playouts.
//!    [`account`]: the same rules obeyed word by word, giving account of every clause; it explains the engine, and the engine is held against it.
//! 5. [`notation`]: spelling and reading moves and positions. [`why`]: why a move is legal or not, and what happened in a ply.
//!    [`record`], [`render`]: records of games, boards as text and as pictures.
//! 6. [`search`]: players that are programs.
//!    [`solve`]: what a position is worth with best play.
//!    [`compare`]: whether two games are the same.
//!    [`survey`]: what can never come about in a game, or go on for ever.
//!    [`measure`]: what there is to be known of a game by playing it: playtests, figures with intervals, reports.
//! 7. [`cases`], [`play`]: rule cases, and the logic of the prompt. [`claims`]: what a designer claims of a game, decided.
//!    [`files`]: a path to the texts of a game; the only place where files are read.
//!
//! Beside them, on the language alone, stands [`editor`]: what an editor asks while somebody writes.
//!
//! Above them all stands the program `ludwright`: arguments in, text or JSON out.

pub mod account;
pub mod board;
pub mod cases;
pub mod claims;
pub mod compare;
pub mod compile;
pub mod deadline;
pub mod editor;
pub mod engine;
pub mod files;
pub mod language;
pub mod measure;
pub mod notation;
pub mod play;
pub mod random;
pub mod record;
pub mod render;
pub mod search;
pub mod solve;
pub mod survey;
pub mod syntax;
pub mod why;

use engine::game::Game;
use language::ChoiceFault;
use language::finding::{Finding, Severity};
use language::sources::Sources;
use std::fmt;
use std::path::Path;

/// Why a text could not be loaded as a game.
#[derive(Clone, Debug, Default)]
pub struct Rejected {
    /// What the checker or the compiler found, warnings included.
    pub findings: Vec<Finding>,
    /// The chosen options that do not fit the file.
    pub choice_faults: Vec<ChoiceFault>,
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let errors = self.findings.iter().filter(|finding| finding.severity() == Severity::Error).map(|finding| &finding.message);
        let faults = self.choice_faults.iter().map(|fault| &fault.message);
        let all: Vec<&str> = faults.chain(errors).map(String::as_str).collect();
        f.write_str(&all.join("; "))
    }
}

impl std::error::Error for Rejected {}

/// Checks and compiles a game with the chosen options, each a name and a value as `-o` spells them.
///
/// # Errors
/// Gives every finding when the text is not a game that can be played, and every choice that does not fit it.
pub fn load(source: impl Into<Sources>, choices: &[(String, String)]) -> Result<Game, Rejected> {
    let checked = language::check(source, choices);
    let Some(rules) = checked.rules else {
        return Err(Rejected { findings: checked.findings, choice_faults: checked.choice_faults });
    };
    Game::compile(rules).map_err(|finding| Rejected { findings: vec![finding], choice_faults: Vec::new() })
}

/// Why a file could not be loaded as a game.
#[derive(Debug)]
pub enum Unloaded {
    /// The game's own file cannot be read.
    Unreadable(std::io::Error),
    /// What it says, or what the files say that it takes from, is not a game that can be played.
    Rejected(Rejected),
}

impl fmt::Display for Unloaded {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Unloaded::Unreadable(error) => write!(f, "cannot read the file: {error}"),
            Unloaded::Rejected(rejected) => rejected.fmt(f),
        }
    }
}

impl std::error::Error for Unloaded {}

/// Loads a game from its file and the files that it takes from.
///
/// # Errors
/// Tells if the file cannot be read, and else as [`load`]. To show findings in their files, use [`files::gather`] and [`load`].
pub fn load_file(path: &Path, choices: &[(String, String)]) -> Result<Game, Unloaded> {
    let sources = files::gather(path).map_err(Unloaded::Unreadable)?;
    load(&sources, choices).map_err(Unloaded::Rejected)
}
