//! Training by self-play, for the players `learned` and `strong`.
//!
//! ```
//! use ludwright::{Game, players::Bot, trainings::{Trainer, Training}};
//!
//! let game = Game::from_file("tests/games/tic-tac-toe.game", &[])?;
//! let training = Trainer::new().games(200).train(&game)?;
//! assert_eq!(training.games(), 200);
//! println!("{}", training.beliefs().join("\n"));
//! assert!((0.0..=1.0).contains(&training.explained()));
//!
//! // Kept as a text, it is read again; players made from now on use it.
//! let read = Training::read(&game, &training.write())?;
//! read.teach();
//! let choice = Bot::named("learned", 1)?.choose(&game.start())?.expect("X is to move");
//! assert_eq!(game.start().spell(choice.ply), "place b2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::error::EndlessError;
use super::game::Game;
use super::threads::useful;
use crate::budget::Deadline;
use crate::learn::{self, Beliefs, Features, Learned, TrainingLimits, store};
use crate::measure::CostModel;
use crate::search::selection::{MatchLimits, USUAL_TIME, best, play_matches};
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The number of games of a training without limits.
const USUAL_GAMES: u64 = 2_000;

/// A request for a training: the number of games or the time, the seed, the threads, and matches
/// that decide how `strong` searches. The same seed and number of games give the same training on
/// any number of threads.
///
/// ```
/// use ludwright::{Game, trainings::Trainer};
/// use std::time::Duration;
///
/// let game = Game::from_file("tests/games/tic-tac-toe.game", &[])?;
/// let trainer = Trainer::new().games(100).time(Duration::from_secs(60)).seed(7).threads(2);
/// assert!(trainer.train(&game)?.games() > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Trainer {
    games: Option<u64>,
    time: Option<Duration>,
    seed: u64,
    threads: usize,
    matches: u32,
}

/// What was learned about a game.
///
/// See the [module](self) for an example.
#[derive(Clone)]
pub struct Training {
    game: Game,
    learned: Arc<Learned>,
}

/// The reason why a text is no training of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadTrainingError(String);

impl Default for Trainer {
    fn default() -> Trainer {
        Trainer { games: None, time: None, seed: 1, threads: 1, matches: 0 }
    }
}

impl Trainer {
    /// Requests a training from two thousand games with seed 1, on one thread, without matches.
    ///
    /// See [`Trainer`] for an example of all settings.
    pub fn new() -> Trainer {
        Trainer::default()
    }

    /// Sets the number of games.
    pub fn games(self, games: u64) -> Trainer {
        Trainer { games: Some(games), ..self }
    }

    /// Sets the learning time, estimated for one core from the cost of the games, so that the same
    /// time gives the same training on every computer. If a number of games is set, too, the first
    /// limit ends the training.
    pub fn time(self, time: Duration) -> Trainer {
        Trainer { time: Some(time), ..self }
    }

    /// Sets the seed.
    pub fn seed(self, seed: u64) -> Trainer {
        Trainer { seed, ..self }
    }

    /// Sets the number of threads; no more are used than run at the same time.
    pub fn threads(self, threads: usize) -> Trainer {
        Trainer { threads, ..self }
    }

    /// Plays matches of that many games with the training, at an estimated 20 milliseconds a move.
    /// They decide how the player `strong` searches; without them it keeps tree search.
    pub fn matches(self, games: u32) -> Trainer {
        Trainer { matches: games, ..self }
    }

    /// Plays and learns.
    ///
    /// # Errors
    /// If the rules never reach the next move.
    ///
    /// See the [module](self) for an example.
    pub fn train(self, game: &Game) -> Result<Training, EndlessError> {
        let floor = &game.0;
        let endless = |fault| EndlessError::new(floor.rules(), fault);
        let (began, threads) = (Instant::now(), useful(self.threads));
        let games = self.games.or(self.time.is_none().then_some(USUAL_GAMES));
        let features = Arc::new(Features::new(floor));
        let costs = CostModel::of(floor).costs(&features);
        let limits = TrainingLimits {
            games,
            seconds: self.time.map(|time| time.as_secs_f64()),
            costs,
            deadline: Deadline::default(),
            seed: self.seed,
            threads,
        };
        let mut training = learn::Training::new(floor, features, self.seed);
        training.run(&limits, &mut |_| true).map_err(endless)?;
        let seconds = began.elapsed().as_secs_f64();
        let evaluation = training.rounded();
        let limits = MatchLimits {
            games: self.matches,
            costs,
            time: USUAL_TIME,
            most: None,
            seed: self.seed,
            threads,
            stop: None,
        };
        let results = play_matches(floor, &evaluation, &limits).map_err(endless)?;
        let learned = Learned {
            beliefs: Beliefs::of(floor, &evaluation),
            evaluation,
            seed: self.seed,
            games: training.games(),
            seconds,
            style: best(&results, floor.rules().players.len()),
            results,
        };
        Ok(Training { game: game.clone(), learned: Arc::new(learned) })
    }
}

impl Training {
    /// Reads a training from its text.
    ///
    /// # Errors
    /// If the text is no training, or a training of another game.
    ///
    /// See the [module](self) for an example.
    pub fn read(game: &Game, text: &str) -> Result<Training, ReadTrainingError> {
        let learned = Learned::read(&game.0, text).map_err(ReadTrainingError)?;
        Ok(Training { game: game.clone(), learned: Arc::new(learned) })
    }

    /// Writes the training as the text that `ludwright train` keeps.
    ///
    /// See the [module](self) for an example.
    #[must_use]
    pub fn write(&self) -> String {
        self.learned.write(self.game.0.rules())
    }

    /// Returns the number of games that were learned from.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.learned.games
    }

    /// Describes in words the value of each advantage: the winning chance that it makes of an even
    /// one. The advantages that explain most of the evaluation come first; empty if little was
    /// learned.
    ///
    /// See the [module](self) for an example.
    #[must_use]
    pub fn beliefs(&self) -> &[String] {
        &self.learned.beliefs.sentences
    }

    /// Returns the share of the evaluation's variance that the beliefs explain together, from 0 to
    /// 1 (adjusted R²). The rest is in patterns of neighbouring sites.
    ///
    /// See the [module](self) for an example.
    #[must_use]
    pub fn explained(&self) -> f64 {
        self.learned.beliefs.explained
    }

    /// Gives the training to all players of this game that are made from now on in this process.
    ///
    /// See the [module](self) for an example.
    pub fn teach(&self) {
        store::insert(self.game.0.rules(), Arc::clone(&self.learned));
    }
}

impl fmt::Debug for Training {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Training").field("game", &self.game).field("games", &self.games()).finish()
    }
}

impl fmt::Display for ReadTrainingError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ReadTrainingError {}
