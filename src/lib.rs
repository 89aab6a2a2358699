//! Write, check, play and measure abstract board games, in Rust programs.
//!
//! A game is a text of parenthesised *ludemes*: players, board, pieces, moves, ending conditions. A
//! [`Game`] is loaded from such a text. Its [`State`]s list the legal [`Move`]s and print
//! themselves. The same functions work for every game: [perft](mod@perft), [random
//! games](playouts), [exact values](solver), [computer players](players),
//! [`records`], [numbers for programs that learn](learning), [findings](checks),
//! [explanations], [expressions], [`trainings`], [`playtests`].
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
//! A [`LoadError`] contains all errors of a text; its [`report`](LoadError::report) shows each with
//! its line and advice. The language itself is described in `grammar/MANUAL.md`, which `ludwright
//! manual` prints.
//!
//! # Features
//!
//! A library needs none of them: `ludwright = { version = "…", default-features = false }` leaves
//! out all crates that only they need.
//!
//! - `native`: machine code for playouts and counts, several times faster than the interpreter, on
//!   platforms that Cranelift supports.
//! - `cli`: what the program `ludwright` needs. `lsp`: its language server. `png`: its pictures as
//!   PNG. `studio`: its page in the browser. `web`: the library as modules for browsers, which the
//!   program puts into pages that play; `module` is only for building them. `python`: the library as
//!   a module of Python.
//!
//! The module `architecture` describes how the crate is built. Modules other than those on this
//! page are not part of the interface.

mod library;

#[doc(inline)]
pub use library::{
    Argument, EndlessError, Game, GameOption, Memory, MemoryValue, Move, MoveParts, Outcome,
    ParseMoveError, Piece, PlayError, Player, PlayerSet, Site, State, Turn, batch, checks,
    explanations, expressions, learning, perft, players, playouts, playtests, records, solver,
    trainings,
};
#[doc(inline)]
pub use load::{Diagnostic, LoadError, LoadErrorKind};

#[doc(hidden)]
pub use load::{load, load_file};

#[cfg(doc)]
#[doc = include_str!("ARCHITECTURE.md")]
pub mod architecture {}

// Not part of the interface: they may change with any version. They are public for the program, the
// tests and the benchmarks of this package.
#[doc(hidden)]
pub mod analysis;
#[cfg(any(feature = "cli", feature = "web"))]
#[doc(hidden)]
pub mod answers;
#[doc(hidden)]
pub mod board;
#[doc(hidden)]
pub mod budget;
#[cfg(any(feature = "cli", feature = "web"))]
#[doc(hidden)]
pub mod cases;
#[doc(hidden)]
pub mod catalog;
#[cfg(any(feature = "cli", feature = "web"))]
#[doc(hidden)]
pub mod claims;
#[doc(hidden)]
pub mod compare;
#[doc(hidden)]
pub mod compile;
#[cfg(any(feature = "cli", feature = "web"))]
#[doc(hidden)]
pub mod desk;
#[doc(hidden)]
pub mod diagnostics;
#[cfg(any(feature = "cli", feature = "web"))]
#[doc(hidden)]
pub mod editor;
#[doc(hidden)]
pub mod engine;
#[doc(hidden)]
pub mod evaluate;
#[doc(hidden)]
pub mod files;
#[doc(hidden)]
pub mod formats;
#[doc(hidden)]
pub mod language;
#[doc(hidden)]
pub mod learn;
#[doc(hidden)]
pub mod load;
#[doc(hidden)]
pub mod measure;
#[doc(hidden)]
pub mod notation;
#[doc(hidden)]
pub mod pages;
#[cfg(any(feature = "cli", feature = "web"))]
#[doc(hidden)]
pub mod play;
#[cfg(feature = "python")]
#[doc(hidden)]
pub mod python;
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
pub mod verify;
#[cfg(feature = "web")]
#[doc(hidden)]
pub mod web;
#[doc(hidden)]
pub mod why;
