//! A game in progress.

use super::error::{EndlessError, ParseMoveError, PlayError};
use super::game::Game;
use super::moves::Move;
use super::outcome::{Outcome, Player, Turn};
use crate::engine::game as engine;
use crate::notation::{clip, list, refuse_bare, spell, understand};
use crate::render::{Scene, diagram, svg};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A game in progress: a position, its legal moves, and the moves played before.
///
/// A state has its game and its complete past, so that it can be undone, recorded and passed to a
/// computer player. `Display` renders the board as text, with everything else that belongs to the
/// position, for people; [`write_position`](crate::records::write_position) writes a text that can
/// be read again. Cloning is cheap, and clones share the past.
///
/// ```
/// use ludwright::{Game, Turn};
///
/// let game = Game::from_file("games/kitaran.game", &[("Size", "3")])?;
/// let mut state = game.start();
/// for text in ["place b2", "place b1", "a2"] {
///     state.play(state.parse_move(text)?)?;
/// }
/// assert_eq!(format!("\n{state}"), "
///   3 . . .
///   2 B B .
///   1 . W .
///     a b c
///
/// Fresh: a2
///
/// White to move
/// ");
/// let white = game.players().nth(1).expect("two players");
/// assert_eq!(state.turn(), Turn::Player(white));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct State {
    game: Game,
    pub(super) inner: engine::State,
}

/// A piece on the board.
///
/// See [`State::pieces`] for an example.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Piece {
    /// The label of its site, such as `b2`.
    pub site: String,
    /// Its name in the rules.
    pub name: String,
    /// Its owner; `None` for pieces without owners.
    pub owner: Option<Player>,
}

impl State {
    pub(super) fn new(inner: engine::State) -> State {
        State { game: Game(inner.game().clone()), inner }
    }

    pub(super) fn endless(&self, fault: engine::Fault) -> EndlessError {
        EndlessError::new(self.inner.game().rules(), fault)
    }

    /// Finds a move of the engine among the legal moves.
    pub(super) fn find(&self, ply: &engine::Move) -> Option<Move> {
        let index = self.inner.legal().iter().position(|legal| legal == ply)?;
        self.inner.packed().get(index).map(|&packed| Move::new(self.inner.game(), packed))
    }

    /// Returns the game.
    ///
    /// ```
    /// let state = ludwright::Game::from_file("games/kitaran.game", &[])?.start();
    /// assert_eq!(state.game().title(), "Kitaran");
    /// # Ok::<(), ludwright::LoadError>(())
    /// ```
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Returns who is to act.
    ///
    /// See [`Turn`] for an example.
    #[must_use]
    pub fn turn(&self) -> Turn {
        self.inner.turn().into()
    }

    /// Returns the result; `None` if the game is not over.
    ///
    /// See [`Outcome`] for an example.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        Some(Outcome::of(self.inner.outcome()?, self.inner.game().rules().teams))
    }

    /// Returns which person is to act. It differs from [`turn`](Self::turn) after a swap by the pie
    /// rule: a person is named by the player as whom he began, and now plays the other's colour.
    ///
    /// ```
    /// use ludwright::{Game, Turn};
    ///
    /// let mut state = Game::from_file("tests/games/hex-with-pie.game", &[])?.start();
    /// let [red, blue] = [0, 1].map(|index| state.game().players().nth(index).expect("two players"));
    /// for text in ["place e5", "swap"] {
    ///     state.play(state.parse_move(text)?)?;
    /// }
    /// assert_eq!(state.turn(), Turn::Player(blue), "it is still Blue's move,");
    /// assert_eq!(state.personal_turn(), Turn::Player(red), "but the first player's.");
    /// assert!(state.is_swapped());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn personal_turn(&self) -> Turn {
        self.inner.personal_turn().into()
    }

    /// Tests if the persons have swapped their colours by the pie rule.
    ///
    /// See [`personal_turn`](Self::personal_turn) for an example.
    #[must_use]
    pub fn is_swapped(&self) -> bool {
        self.inner.is_swapped()
    }

    /// Returns the result by person, named as in [`personal_turn`](Self::personal_turn); `None` if
    /// the game is not over.
    ///
    /// ```
    /// use ludwright::{Game, Outcome};
    ///
    /// let options = [("Size", "2")];
    /// let mut state = Game::from_file("tests/games/hex-with-pie.game", &options)?.start();
    /// let [red, blue] = [0, 1].map(|index| state.game().players().nth(index).expect("two players"));
    /// for text in ["place a2", "swap", "place b2", "place a1"] {
    ///     state.play(state.parse_move(text)?)?;
    /// }
    /// assert_eq!(state.outcome(), Some(Outcome::Win(red)));
    /// assert_eq!(state.personal_outcome(), Some(Outcome::Win(blue)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn personal_outcome(&self) -> Option<Outcome> {
        Some(Outcome::of(self.inner.personal_outcome()?, self.inner.game().rules().teams))
    }

    /// Iterates over the legal moves, each once, in a fixed order; none if the game is over. The
    /// list is made at the first request, and kept until the next move.
    ///
    /// ```
    /// let state = ludwright::Game::from_file("tests/games/tic-tac-toe.game", &[])?.start();
    /// let in_the_first_row = state.moves().filter(|&ply| state.spell(ply).ends_with('1'));
    /// assert_eq!(in_the_first_row.count(), 3);
    /// # Ok::<(), ludwright::LoadError>(())
    /// ```
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Move> + DoubleEndedIterator {
        self.inner.packed().iter().map(|&packed| Move::new(self.inner.game(), packed))
    }

    /// Lists the legal moves, in the order of [`moves`](Self::moves).
    ///
    /// ```
    /// let state = ludwright::Game::from_file("tests/games/connect-four.game", &[])?.start();
    /// assert_eq!(state.legal_moves().len(), 7);
    /// # Ok::<(), ludwright::LoadError>(())
    /// ```
    #[must_use]
    pub fn legal_moves(&self) -> Vec<Move> {
        self.moves().collect()
    }

    /// Tests if a move is legal here. A move of another game never is.
    ///
    /// ```
    /// let mut state = ludwright::Game::from_file("tests/games/tic-tac-toe.game", &[])?.start();
    /// let center = state.parse_move("b2")?;
    /// state.play(center)?;
    /// assert!(!state.is_legal(center));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_legal(&self, ply: Move) -> bool {
        ply.is_of(&self.game) && self.inner.packed().contains(&ply.packed)
    }

    /// Parses a legal move as the prompt of `ludwright play` does: in full, or in any shorter form
    /// that only one legal move fits.
    ///
    /// # Errors
    /// If a part of the text is wrong, or the rules forbid the move, with the reason.
    ///
    /// ```
    /// let state = ludwright::Game::from_file("games/kitaran.game", &[])?.start();
    /// assert_eq!(state.parse_move("c3"), state.parse_move("place c3"));
    /// assert_eq!(state.parse_move("plase c3").unwrap_err().help(), Some("did you mean `place`?"));
    /// assert!(state.parse_move("convert c3").is_err());
    /// # Ok::<(), ludwright::LoadError>(())
    /// ```
    pub fn parse_move(&self, text: &str) -> Result<Move, ParseMoveError> {
        let rules = self.inner.game().rules();
        let found = match &understand(&self.inner, text)[..] {
            [] => match crate::why::read(&self.inner, text) {
                Ok(ply) => self.find(&ply),
                Err(refusal) => {
                    return Err(refuse_bare(&self.inner, text).unwrap_or(refusal).into());
                }
            },
            [only] => self.find(only),
            several => {
                let spelled: Vec<String> =
                    several.iter().map(|ply| format!("`{}`", spell(rules, ply))).collect();
                let message = format!("`{}` may be {}", clip(text), list(&spelled, "or"));
                return Err(ParseMoveError::new(message, Some("write the whole move".to_owned())));
            }
        };
        found.ok_or_else(|| ParseMoveError::new(format!("`{}` is no legal move", clip(text)), None))
    }

    /// Writes a move as records do. The move need not be legal here, but must [belong](Move::is_of)
    /// to this game: otherwise the text is `(a move of another game)`, which no reader accepts.
    ///
    /// ```
    /// let state = ludwright::Game::from_file("tests/games/breakthrough.game", &[])?.start();
    /// let first = state.moves().next().expect("a move");
    /// assert_eq!(state.parse_move(&state.spell(first))?, first);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn spell(&self, ply: Move) -> String {
        if !ply.is_of(&self.game) {
            return "(a move of another game)".to_owned();
        }
        let game = self.inner.game();
        spell(game.rules(), &game.spell_out(ply.packed))
    }

    /// Plays a legal move.
    ///
    /// # Errors
    /// If the move is illegal or of another game, or the rules never reach the next choice. The
    /// state is then unchanged.
    ///
    /// ```
    /// let mut state = ludwright::Game::from_file("tests/games/breakthrough.game", &[("Size", "4")])?.start();
    /// state.play(state.parse_move("a2-b3")?)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play(&mut self, ply: Move) -> Result<(), PlayError> {
        if !ply.is_of(&self.game) {
            return Err(PlayError::OtherGame);
        }
        self.inner.play_packed(ply.packed).map_err(|error| match error {
            engine::PlayError::Illegal => PlayError::Illegal,
            engine::PlayError::Fault(fault) => PlayError::Endless(self.endless(fault)),
        })
    }

    /// Takes back and returns the last move; `None` if none was played.
    ///
    /// ```
    /// let mut state = ludwright::Game::from_file("tests/games/tic-tac-toe.game", &[])?.start();
    /// let before = state.to_string();
    /// let center = state.parse_move("b2")?;
    /// state.play(center)?;
    /// assert_eq!(state.undo(), Some(center));
    /// assert_eq!(state.to_string(), before);
    /// assert_eq!(state.undo(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn undo(&mut self) -> Option<Move> {
        let last = self.inner.last_packed()?;
        self.inner.undo();
        Some(Move::new(self.inner.game(), last))
    }

    /// Iterates over the moves played so far, including rolls, from the first.
    ///
    /// ```
    /// let mut state = ludwright::Game::from_file("tests/games/tic-tac-toe.game", &[])?.start();
    /// for text in ["b2", "a1"] {
    ///     state.play(state.parse_move(text)?)?;
    /// }
    /// let played: Vec<String> = state.played().map(|ply| state.spell(ply)).collect();
    /// assert_eq!(played, ["place b2", "place a1"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn played(&self) -> impl ExactSizeIterator<Item = Move> + DoubleEndedIterator {
        let game = self.inner.game();
        self.inner.packed_plies().into_iter().map(|packed| Move::new(game, packed))
    }

    /// Hashes the position: board, memories and decision, but not the past. The hash is the same on
    /// every platform for one version of the crate.
    ///
    /// ```
    /// let start = ludwright::Game::from_file("tests/games/tic-tac-toe.game", &[])?.start();
    /// let after = |moves: &[&str]| {
    ///     let mut state = start.clone();
    ///     moves.iter().for_each(|text| state.play(state.parse_move(text).unwrap()).unwrap());
    ///     state.hash()
    /// };
    /// assert_eq!(after(&["a1", "b2", "c3"]), after(&["c3", "b2", "a1"]));
    /// assert_ne!(after(&["a1", "b2", "c3"]), after(&["a1", "c3", "b2"]));
    /// # Ok::<(), ludwright::LoadError>(())
    /// ```
    #[must_use]
    pub fn hash(&self) -> u64 {
        self.inner.hash()
    }

    /// Lists the pieces on the board, in the order of the sites.
    ///
    /// ```
    /// let game = ludwright::Game::from_file("tests/games/breakthrough.game", &[("Size", "4")])?;
    /// let pieces = game.start().pieces();
    /// assert_eq!(pieces.len(), 16);
    /// assert_eq!((&*pieces[0].site, &*pieces[0].name, pieces[0].owner), ("a1", "Pawn", game.players().next()));
    /// # Ok::<(), ludwright::LoadError>(())
    /// ```
    #[must_use]
    pub fn pieces(&self) -> Vec<Piece> {
        let rules = self.inner.game().rules();
        let standing = self.inner.snapshot().pieces;
        let pieces = rules.board.sites().filter_map(|site| {
            let standing = standing[site.index()]?;
            Some(Piece {
                site: rules.board.label(site).to_owned(),
                name: rules.pieces[standing.piece.index()].name.clone(),
                owner: standing.owner.map(Player),
            })
        });
        pieces.collect()
    }

    /// Lists the possible next rolls of dice, each with its probability; empty if a player is to
    /// move, or the game is over. [`players::roll`](crate::players::roll) draws one.
    ///
    /// ```
    /// let state = ludwright::Game::from_file("games/two-dice-swarm.game", &[])?.start();
    /// let probabilities: f64 = state.rolls().iter().map(|(_, probability)| probability).sum();
    /// assert!((probabilities - 1.0).abs() < 1e-9);
    /// # Ok::<(), ludwright::LoadError>(())
    /// ```
    #[must_use]
    pub fn rolls(&self) -> Vec<(Move, f64)> {
        match self.turn() {
            Turn::Chance => {
                let each = 1.0 / self.moves().len() as f64;
                self.moves().map(|roll| (roll, each)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns who is to act, or the result, as in the last line of the rendered board.
    ///
    /// ```
    /// let state = ludwright::Game::from_file("games/kitaran.game", &[])?.start();
    /// assert_eq!(state.situation(), "Black to move");
    /// # Ok::<(), ludwright::LoadError>(())
    /// ```
    #[must_use]
    pub fn situation(&self) -> String {
        crate::render::situation(&self.inner)
    }

    /// Renders the board as an SVG picture, in the colours that the rules define.
    ///
    /// ```
    /// let state = ludwright::Game::from_file("games/kitaran.game", &[])?.start();
    /// assert!(state.svg().starts_with("<svg "));
    /// # Ok::<(), ludwright::LoadError>(())
    /// ```
    #[must_use]
    pub fn svg(&self) -> String {
        svg(&Scene::of(&self.inner))
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&diagram(&self.inner))
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let played: Vec<String> = self.played().map(|ply| self.spell(ply)).collect();
        f.debug_struct("State")
            .field("game", &self.game)
            .field("played", &played)
            .field("situation", &self.situation())
            .finish()
    }
}
