//! Write, check, play and measure abstract board games, in Rust programs.
//!
//! A game is a text of parenthesised *ludemes*: players, board, pieces, moves, what ends it. A [`Game`] is loaded from such a text, its [`State`]s know the legal
//! [`Move`]s and draw themselves, and everything that can be asked of any game can be asked of it: [perft](mod@perft), [random games](playouts), [exact values](solver),
//! [programs that play](players), [`records`].
//!
//! ```
//! use ludwright::{Game, Outcome};
//!
//! let game = Game::from_file("tests/games/tic-tac-toe.game", &[("Size", "3")])?;
//! let mut state = game.start();
//! for text in ["b2", "a1", "b1", "a2"] {
//!     state.play(state.parse_move(text)?)?;
//! }
//! assert_eq!(format!("\n{state}"), "
//!   3 . . .
//!   2 O X .
//!   1 O X .
//!     a b c
//!
//! X to move
//! ");
//!
//! let winning = state.legal_moves().into_iter().find(|&ply| {
//!     let mut after = state.clone();
//!     after.play(ply).is_ok() && after.outcome().is_some_and(|outcome| matches!(outcome, Outcome::Win(_)))
//! });
//! assert_eq!(winning.map(|ply| state.spell(ply)).as_deref(), Some("place b3"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What is wrong with a text is told all at once, by a [`LoadError`]; its [`report`](LoadError::report) shows each error with its line and what to do about it. The language itself is
//! described in `grammar/MANUAL.md`, which `ludwright manual` prints.
//!
//! # Features
//!
//! A library needs none of them: `ludwright = { version = "…", default-features = false }` builds some fifty crates.
//!
//! - `native`: machine code for playouts and counts, several times faster than the interpreter, where Cranelift can make it.
//! - `cli`: what the program `ludwright` needs. `lsp`: its language server. `png`: its pictures as PNG.
//!
//! # The house
//!
//! For whoever changes the crate: its modules are floors, of which each knows only those below it; a lower floor never imports a higher one. Apart from the names on this page they
//! are not part of the interface.
//!
//! 1. [`syntax`]: text to a tree with spans, and to its one layout. [`random`]: numbers that are the same everywhere. [`deadline`]: when to stop. [`board`]: sites, directions, labels.
//! 2. [`language`]: the one table of ludemes, and what is made from it for people and editors; the checker, which turns a tree into typed rules or says what is wrong with it.
//!    [`files`]: a path to the texts of a game; the only place where files are read.
//! 3. [`compile`]: typed rules to a program. Here, and nowhere else, what is written about one site becomes an operation on whole sets of sites.
//! 4. [`engine`]: positions, legal moves, plies, results, counts, playouts.
//!    [`reference`]: the same rules obeyed word by word, giving account of every clause; it explains the engine, and the engine is held against it.
//! 5. [`notation`]: spelling and reading moves and positions. [`why`]: why a move is legal or not, and what happened in a ply.
//!    [`diagnostics`]: findings with the lines that they are about. [`mod@load`]: a file or a text to a game, or to all that is wrong with it.
//!    [`record`], [`render`]: records of games, boards as text and as pictures.
//! 6. [`search`]: players that are programs.
//!    [`solve`]: what a position is worth with best play.
//!    [`compare`]: whether two games are the same.
//!    [`analysis`]: what can never come about in a game, or go on for ever.
//!    [`measure`]: what there is to be known of a game by playing it: playtests, figures with intervals, reports.
//! 7. [`cases`], [`play`]: rule cases, and the logic of the prompt. [`claims`]: what a designer claims of a game, decided.
//!
//! Beside them, on the language alone, stands [`editor`]: what an editor asks while somebody writes.
//!
//! Above them stands what a Rust program uses, in `library`, and the program `ludwright`: arguments in, text or JSON out.

mod library;

#[doc(inline)]
pub use library::{
    EndlessError, Game, GameOption, Move, Outcome, ParseMoveError, Piece, PlayError, Player, State, Turn, perft, players, playouts,
    records, solver,
};
#[doc(inline)]
pub use load::{Diagnostic, LoadError, LoadErrorKind};

#[doc(hidden)]
pub use load::{load, load_file};

// Not part of the interface, and free to change with any version: open for the program, the tests and the benchmarks of this package alone.
#[doc(hidden)]
pub mod analysis;
#[doc(hidden)]
pub mod board;
#[doc(hidden)]
pub mod cases;
#[doc(hidden)]
pub mod claims;
#[doc(hidden)]
pub mod compare;
#[doc(hidden)]
pub mod compile;
#[doc(hidden)]
pub mod deadline;
#[doc(hidden)]
pub mod diagnostics;
#[doc(hidden)]
pub mod editor;
#[doc(hidden)]
pub mod engine;
#[doc(hidden)]
pub mod files;
#[doc(hidden)]
pub mod language;
#[doc(hidden)]
pub mod load;
#[doc(hidden)]
pub mod measure;
#[doc(hidden)]
pub mod notation;
#[doc(hidden)]
pub mod play;
#[doc(hidden)]
pub mod random;
#[doc(hidden)]
pub mod record;
#[doc(hidden)]
pub mod reference;
#[doc(hidden)]
pub mod render;
#[doc(hidden)]
pub mod search;
#[doc(hidden)]
pub mod solve;
#[doc(hidden)]
pub mod syntax;
#[doc(hidden)]
pub mod why;
