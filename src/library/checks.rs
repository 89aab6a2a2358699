//! Findings about rules, and a search of positions for more findings.
//!
//! ```
//! use ludwright::{Game, checks};
//!
//! let text = r#"(game "Fill" (players A B) (board (square 2)) (piece Stone) (piece Spare)
//!   (move drop (to t (empty)) (put Stone t)) (play (turns (choose drop))))"#;
//! let findings = checks::check_source(text, &[])?;
//! assert_eq!(findings[0].code, "unused");
//! assert!(!findings[0].is_error);
//! assert_eq!(Game::from_source(text, &[])?.warnings(), findings);
//!
//! let searched = checks::search(&Game::from_file("tests/games/tic-tac-toe.game", &[])?);
//! assert!(searched.findings.is_empty());
//! assert!(searched.boards.iter().any(|board| board.is_exhaustive && board.positions > 4_000));
//! # Ok::<(), ludwright::LoadError>(())
//! ```

use super::game::{Game, owned};
use crate::analysis::{Effort, examine};
use crate::language;
use crate::language::sources::Sources;
use crate::load::{Cause, Diagnostic, LoadError, diagnostics};
use serde::Serialize;
use std::path::Path;

/// The results of a search of positions.
///
/// See the [module](self) for an example.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Searched {
    /// All findings, including the findings about the text, in the order of the text.
    pub findings: Vec<Diagnostic>,
    /// The extent of the search by board, the smallest first.
    pub boards: Vec<SearchedBoard>,
}

/// The extent of the search on a board.
///
/// See the [module](self) for an example.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SearchedBoard {
    /// The options whose values differ from the game's, with their values.
    pub options: Vec<(String, String)>,
    /// The positions that were visited.
    pub positions: usize,
    /// The random games that were played.
    pub games: usize,
    /// The moves that were made.
    pub plies: usize,
    /// Whether all reachable positions were visited.
    pub is_exhaustive: bool,
}

/// Checks a text, which cannot include other files. An empty list means that it can be played and
/// nothing in it is suspicious.
///
/// # Errors
/// If an option does not fit.
///
/// See the [module](self) for an example.
pub fn check_source(text: &str, options: &[(&str, &str)]) -> Result<Vec<Diagnostic>, LoadError> {
    check(text.into(), &owned(options))
}

/// Checks a file and the files that it includes.
///
/// # Errors
/// If a file cannot be read, or an option does not fit.
///
/// ```
/// let found = ludwright::checks::check_file("tests/commands/faulty.game", &[])?;
/// assert!(found.iter().any(|finding| finding.is_error && finding.line == 7), "{found:?}");
/// # Ok::<(), ludwright::LoadError>(())
/// ```
pub fn check_file(
    path: impl AsRef<Path>,
    options: &[(&str, &str)],
) -> Result<Vec<Diagnostic>, LoadError> {
    check(crate::load::gather(path.as_ref())?, &owned(options))
}

fn check(sources: Sources, choices: &[(String, String)]) -> Result<Vec<Diagnostic>, LoadError> {
    let checked = language::check(&sources, choices);
    match checked.choice_faults.is_empty() {
        true => Ok(diagnostics(&sources, &checked.findings)),
        false => Err(LoadError::new(Cause::Options(checked.choice_faults), sources)),
    }
}

/// Searches many positions of a game, on small boards too, for rules that never apply and for games
/// that never end. It takes up to some seconds.
///
/// See the [module](self) for an example.
#[must_use]
pub fn search(game: &Game) -> Searched {
    let (sources, choices) = game.origin();
    // Options of a loaded game fit, so the search cannot fail.
    let Ok(found) = examine(&sources, &choices, Effort::Deep) else {
        return Searched { findings: Vec::new(), boards: Vec::new() };
    };
    let boards = found.looked.into_iter().map(|board| SearchedBoard {
        options: board.options,
        positions: board.positions,
        games: board.games,
        plies: board.plies,
        is_exhaustive: board.exhaustive,
    });
    Searched { findings: diagnostics(&sources, &found.findings), boards: boards.collect() }
}

impl Game {
    /// Lists what is suspicious in the rules although they can be played; [`search`] finds more.
    ///
    /// ```
    /// assert_eq!(ludwright::Game::from_file("games/kitaran.game", &[])?.warnings(), []);
    /// # Ok::<(), ludwright::LoadError>(())
    /// ```
    #[must_use]
    pub fn warnings(&self) -> Vec<Diagnostic> {
        let (sources, choices) = self.origin();
        check(sources, &choices).unwrap_or_default()
    }
}
