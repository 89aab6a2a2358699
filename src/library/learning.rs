//! Positions and moves as numbers, for programs that learn.
//!
//! A game has a fixed number of *actions*: the same move has the same index in all positions. A
//! state tells which actions are legal. A player's observation consists of *planes*, each with a
//! number for every site; they are the same for all players, each of whom sees himself first.
//!
//! ```
//! use ludwright::Game;
//!
//! let game = Game::from_file("tests/games/tic-tac-toe.game", &[])?;
//! let mut state = game.start();
//! assert_eq!((game.action_count(), game.sites().len()), (Some(9), 9));
//! assert_eq!(game.planes(), ["Mark (own)", "Mark (opponent)", "to move: own", "to move: opponent"]);
//!
//! let center = state.parse_move("b2")?;
//! let action = state.action(center).expect("a move of this game");
//! assert_eq!(state.move_of(action), Some(center));
//! state.play(center)?;
//!
//! let mut legal = [false; 9];
//! state.mask(&mut legal);
//! assert!(!legal[action] && legal.iter().filter(|&&legal| legal).count() == 8);
//!
//! // O sees an opponent's mark in the center.
//! let mut seen = [0.0; 4 * 9];
//! let o = game.players().nth(1).expect("two players");
//! state.observe(o, &mut seen);
//! assert_eq!(seen[9..18], [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::game::Game;
use super::moves::Move;
use super::outcome::Player;
use super::state::State;
use crate::notation::spell;

impl Game {
    /// Returns the number of actions: the indices of all moves are below it. `None` if there are
    /// more than `u32::MAX`, as with many sites chosen in one move.
    ///
    /// The number depends on the rules and the options. Most actions are legal in few positions, or
    /// in none: there is an action of a move between two sites for every pair of sites.
    ///
    /// See the [module](crate::learning) for an example.
    #[must_use]
    pub fn action_count(&self) -> Option<usize> {
        self.0.actions().map(|actions| actions.count())
    }

    /// Spells the move of an action, which may be legal in no position; `None` if there is no such
    /// action.
    ///
    /// ```
    /// let game = ludwright::Game::from_file("tests/games/breakthrough.game", &[])?;
    /// let spelled = |action| game.action_name(action);
    /// assert_eq!(spelled(1).as_deref(), Some("move a1-b1"));
    /// assert_eq!(spelled(1_000_000), None);
    /// # Ok::<(), ludwright::LoadError>(())
    /// ```
    #[must_use]
    pub fn action_name(&self, action: usize) -> Option<String> {
        Some(spell(self.0.rules(), &self.0.actions()?.ply(action)?))
    }

    /// Returns the names of the planes that [`State::observe`] writes: planes for each kind of
    /// piece and owner, for each memory, for the player to act, for the point in the order of play,
    /// and for the rounds left of its loops.
    ///
    /// A set of sites is 1 at its sites and 0 elsewhere. A single number fills its plane unscaled;
    /// a memory with a number per site has it at each site. A kind of piece, a direction or a
    /// player has a plane for each possible value. A memory with a site per site has the index of
    /// that site among the slots of the board, plus one. The history that forbids repetitions is
    /// not observed.
    ///
    /// See the [module](crate::learning) for an example.
    #[must_use]
    pub fn planes(&self) -> &[String] {
        self.0.planes().names()
    }
}

impl State {
    /// Returns the index of a move, which need not be legal now; `None` for a move of another game,
    /// or if the game has too many [actions](Game::action_count).
    ///
    /// See the [module](crate::learning) for an example.
    #[must_use]
    pub fn action(&self, ply: Move) -> Option<usize> {
        let game = self.inner.game();
        ply.is_of(self.game()).then(|| game.actions()?.number(game, ply.packed))?
    }

    /// Returns the legal move with this index.
    ///
    /// See the [module](crate::learning) for an example.
    #[must_use]
    pub fn move_of(&self, action: usize) -> Option<Move> {
        self.moves().find(|&ply| self.action(ply) == Some(action))
    }

    /// Writes whether each action is legal.
    ///
    /// # Panics
    /// If the length of `legal` is not the [number of actions](Game::action_count).
    ///
    /// See the [module](crate::learning) for an example.
    pub fn mask(&self, legal: &mut [bool]) {
        assert_eq!(Some(legal.len()), self.game().action_count(), "a mask has a place per action");
        legal.fill(false);
        for action in self.moves().filter_map(|ply| self.action(ply)) {
            legal[action] = true;
        }
    }

    /// Writes a player's observation: one [plane](Game::planes) after the other, each with a number
    /// for every site, in the order of [`Game::sites`].
    ///
    /// # Panics
    /// If the length of `planes` is not the number of planes times the number of sites.
    ///
    /// See the [module](crate::learning) for an example.
    pub fn observe(&self, player: Player, planes: &mut [f32]) {
        let game = self.inner.game();
        let length = self.game().planes().len() * game.rules().board.len();
        assert_eq!(planes.len(), length, "a number for each site of each plane");
        game.planes().write(game, &self.inner.position(), player.0, planes);
    }

    /// Returns the score of each person, named by the colour with which he began; `None` while the
    /// game goes on. A win scores 1, a draw ½, a shared draw an equal part of 1 for each who shares
    /// it.
    ///
    /// ```
    /// let mut state = ludwright::Game::from_file("tests/games/tic-tac-toe.game", &[])?.start();
    /// assert_eq!(state.returns(), None);
    /// for text in ["a1", "b1", "a2", "b2", "a3"] {
    ///     state.play(state.parse_move(text)?)?;
    /// }
    /// assert_eq!(state.returns(), Some(vec![1.0, 0.0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn returns(&self) -> Option<Vec<f64>> {
        let outcome = self.inner.personal_outcome()?;
        let teams = self.inner.game().rules().teams;
        Some(self.game().players().map(|player| outcome.score_with(player.0, teams)).collect())
    }
}
