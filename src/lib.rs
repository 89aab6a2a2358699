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
//!    [`files`]: a path to the texts of a game; the only place where files are read.
//! 3. [`compile`]: typed rules to a program. Here, and nowhere else, what is written about one site becomes an operation on whole sets of sites.
//! 4. [`engine`]: positions, legal moves, plies, results, counts, playouts.
//!    [`account`]: the same rules obeyed word by word, giving account of every clause; it explains the engine, and the engine is held against it.
//! 5. [`notation`]: spelling and reading moves and positions. [`why`]: why a move is legal or not, and what happened in a ply.
//!    [`diagnostics`]: findings with the lines that they are about. [`mod@load`]: a file or a text to a game, or to all that is wrong with it.
//!    [`record`], [`render`]: records of games, boards as text and as pictures.
//! 6. [`search`]: players that are programs.
//!    [`solve`]: what a position is worth with best play.
//!    [`compare`]: whether two games are the same.
//!    [`survey`]: what can never come about in a game, or go on for ever.
//!    [`measure`]: what there is to be known of a game by playing it: playtests, figures with intervals, reports.
//! 7. [`cases`], [`play`]: rule cases, and the logic of the prompt. [`claims`]: what a designer claims of a game, decided.
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
pub mod diagnostics;
pub mod editor;
pub mod engine;
pub mod files;
pub mod language;
pub mod load;
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

pub use load::{Diagnostic, LoadError, LoadErrorKind, load, load_file};
