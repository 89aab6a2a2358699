//! Random games: who wins them, and how long they take.
//!
//! ```
//! use ludwright::{Game, playouts::Playouts};
//!
//! let start = Game::from_file("tests/games/tic-tac-toe.game", &[])?.start();
//! let tally = Playouts::new(1_000).threads(2).play(&start)?;
//! let [first, second] = [0, 1].map(|player| tally.wins[player]);
//! assert!(first > second, "whoever begins has the better of it: {tally:?}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::error::EndlessError;
use super::outcome::Player;
use super::state::State;
use super::threads::Pool;
use crate::engine::position::Outcome;
use crate::random::mix;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// The default limit for moves per game.
const LONGEST: u32 = 10_000;

/// A request for random games: how many, the seed, the limit for moves, and the number of threads.
///
/// Every legal move is equally likely. The same seed gives the same games on any number of threads.
///
/// ```
/// use ludwright::{Game, playouts::Playouts};
///
/// let start = Game::from_file("games/two-dice-swarm.game", &[])?.start();
/// let games = Playouts::new(50).seed(7).longest(2_000);
/// assert_eq!(games.threads(1).play(&start)?, games.threads(2).play(&start)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Playouts {
    games: u64,
    seed: u64,
    longest: u32,
    threads: usize,
}

/// The results of random games.
///
/// See [`Playouts`] for an example.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Tally {
    /// The number of games.
    pub games: u64,
    /// The total number of moves.
    pub plies: u64,
    /// The number of games won by each player, by [`Player::index`].
    pub wins: Vec<u64>,
    /// The number of draws.
    pub draws: u64,
    /// The number of games that reached the limit for moves.
    pub unfinished: u64,
}

impl Playouts {
    /// Requests that many games, with seed 0, at most ten thousand moves each, on one thread.
    ///
    /// See [`Playouts`] for an example of all settings.
    pub fn new(games: u64) -> Playouts {
        Playouts { games, seed: 0, longest: LONGEST, threads: 1 }
    }

    /// Sets the seed.
    pub fn seed(self, seed: u64) -> Playouts {
        Playouts { seed, ..self }
    }

    /// Sets the limit for moves per game.
    pub fn longest(self, longest: u32) -> Playouts {
        Playouts { longest, ..self }
    }

    /// Sets the number of threads; no more are used than run at the same time. With one, the games
    /// are played on the calling thread.
    pub fn threads(self, threads: usize) -> Playouts {
        Playouts { threads, ..self }
    }

    /// Plays the games from a state.
    ///
    /// # Errors
    /// If the rules never reach the next move in some game.
    ///
    /// ```
    /// use ludwright::{Game, playouts::Playouts};
    ///
    /// let start = Game::from_file("tests/games/hex.game", &[("Size", "4")])?.start();
    /// let tally = Playouts::new(100).play(&start)?;
    /// assert_eq!((tally.games, tally.draws), (100, 0), "hex has no draws");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play(self, from: &State) -> Result<Tally, EndlessError> {
        let game = from.inner.game();
        let players = game.rules().players.len();
        let none = || Tally { wins: vec![0; players], ..Tally::default() };
        let played = |number: u64, source: &mut crate::engine::game::Playouts| {
            let playout = source
                .play(mix(self.seed, number), self.longest)
                .map_err(|fault| from.endless(fault))?;
            let mut tally = Tally { games: 1, plies: u64::from(playout.plies), ..none() };
            match playout.personal_outcome() {
                Some(Outcome::Win(winner)) => {
                    let teams = game.rules().teams;
                    let winners = teams.members(teams.of(winner));
                    winners.for_each(|one| tally.wins[one.index()] = 1);
                }
                Some(Outcome::Draw | Outcome::Shared(_)) => tally.draws = 1,
                None => tally.unfinished = 1,
            }
            Ok(tally)
        };
        let source = || game.playouts(&from.inner);
        let add = |one: Tally, other: Tally| Ok(one.and(&other));
        let Some(pool) = Pool::of(self.threads) else {
            let mut source = source();
            let mut games = 0..self.games;
            return games.try_fold(none(), |sum, number| add(sum, played(number, &mut source)?));
        };
        pool.run(|| {
            let games = (0..self.games).into_par_iter();
            games.map_init(source, |source, number| played(number, source)).try_reduce(none, add)
        })
    }
}

impl Tally {
    /// Returns the proportion of games that a player won; 0 for a player of another game with more
    /// players, and NaN if no game was played.
    ///
    /// ```
    /// use ludwright::{Game, playouts::Playouts};
    ///
    /// let start = Game::from_file("tests/games/hex.game", &[("Size", "4")])?.start();
    /// let tally = Playouts::new(100).play(&start)?;
    /// let shares: f64 = start.game().players().map(|player| tally.share(player)).sum();
    /// assert!((shares - 1.0).abs() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn share(&self, player: Player) -> f64 {
        self.wins.get(player.index()).map_or(0.0, |&wins| wins as f64) / self.games as f64
    }

    /// Returns the mean number of moves per game; NaN if none was played.
    ///
    /// ```
    /// use ludwright::{Game, playouts::Playouts};
    ///
    /// let start = Game::from_file("tests/games/tic-tac-toe.game", &[])?.start();
    /// let mean = Playouts::new(1_000).play(&start)?.mean_plies();
    /// assert!((7.4..7.9).contains(&mean), "{mean}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn mean_plies(&self) -> f64 {
        self.plies as f64 / self.games as f64
    }

    /// Adds two tallies.
    fn and(mut self, other: &Tally) -> Tally {
        self.games += other.games;
        self.plies += other.plies;
        self.wins.iter_mut().zip(&other.wins).for_each(|(wins, more)| *wins += more);
        self.draws += other.draws;
        self.unfinished += other.unfinished;
        self
    }
}
