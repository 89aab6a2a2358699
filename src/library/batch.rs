//! Many games at once, for programs that learn: a step in all of them on all cores.
//!
//! ```
//! use ludwright::{Game, batch::Batch};
//!
//! let game = Game::from_file("games/kitaran.game", &[])?;
//! let mut batch = Batch::new(&game, 64, 7)?;
//! let mut finished = 0;
//! for _ in 0..100 {
//!     // The first legal action in each game.
//!     let first = |legal: &[bool]| legal.iter().position(|&legal| legal).expect("an action");
//!     let actions: Vec<usize> = batch.masks().chunks(batch.action_count()).map(first).collect();
//!     batch.step(&actions)?;
//!     finished += batch.ended().iter().filter(|&&ended| ended).count();
//! }
//! assert!(finished > 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::error::EndlessError;
use super::game::Game;
use super::threads::useful;
use crate::engine::driver::PackedMove;
use crate::engine::game::{self as engine, Turn};
use crate::engine::position::{Outcome, Position};
use crate::language::rules::PlayerId;
use crate::random::{Random, mix};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::fmt;
use std::sync::OnceLock;

/// The most plies of a game, unless set otherwise.
const LONGEST: u32 = 10_000;
/// The most games in a row that may end without any choice of a player.
const MOST_WITHOUT_CHOICE: u32 = 1_000;
/// The most numbers in the masks of a batch, and in its observations.
const MOST_NUMBERS: usize = 1 << 31;

/// The number of steps, over all games, after which the game is compiled to machine code.
const STEPS_BEFORE_COMPILING: usize = 10_000;

/// Games that are played side by side. When one ends, the next begins in its place. The seed
/// determines the rolls, actions all other choices: the same actions lead to the same games on any
/// number of threads.
///
/// See the [module](self) for an example.
pub struct Batch {
    game: Game,
    start: engine::Mark,
    longest: u32,
    /// The steps of all games together, counted up to [`STEPS_BEFORE_COMPILING`].
    steps: usize,
    actions: usize,
    planes: usize,
    places: Vec<Place>,
    /// The number of threads in use.
    threads: usize,
    /// Started by the first step on several threads.
    pool: OnceLock<Option<ThreadPool>>,
    masks: Vec<bool>,
    observations: Vec<f32>,
    returns: Vec<f32>,
    movers: Vec<u8>,
    ended: Vec<bool>,
}

/// A game of a batch.
struct Place {
    state: engine::State,
    random: Random,
    plies: u32,
    candidates: Vec<PackedMove>,
    /// The action of each candidate.
    numbers: Vec<usize>,
    position: Position,
}

/// The reason why games cannot be played in a batch, or an action cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BatchError {
    /// The game has more actions than can be numbered.
    TooManyActions,
    /// The masks or the observations would be more than two thousand million numbers.
    TooManyGames,
    /// Game after game ends without any choice of a player.
    NoChoice,
    /// There are not as many actions as games.
    WrongLength,
    /// The action for the game with this index is not legal in it. No game has changed.
    Illegal(usize),
    /// The rules never reach the next move. The games cannot be gone on with.
    Endless(EndlessError),
}

/// A game of a batch, the action to take in it, and the places for its results.
struct Row<'b> {
    place: &'b mut Place,
    action: Option<usize>,
    mask: &'b mut [bool],
    observation: &'b mut [f32],
    returns: &'b mut [f32],
    mover: &'b mut u8,
    ended: &'b mut bool,
}

impl Batch {
    /// Begins as many games on as many threads as run at the same time.
    ///
    /// # Errors
    /// If the game has too many [actions](Game::action_count), there are too many games, or no
    /// player ever has a choice.
    ///
    /// See the [module](self) for an example.
    pub fn new(game: &Game, games: usize, seed: u64) -> Result<Batch, BatchError> {
        let actions = game.action_count().ok_or(BatchError::TooManyActions)?;
        if actions == 0 {
            return Err(BatchError::NoChoice);
        }
        let start = game.start().inner;
        let (players, sites) = (game.players().len(), game.sites().len());
        let planes = game.planes().len() * sites;
        if games.checked_mul(actions.max(planes)).is_none_or(|numbers| numbers > MOST_NUMBERS) {
            return Err(BatchError::TooManyGames);
        }
        let place = |number: usize| Place {
            state: start.clone(),
            random: Random::new(mix(seed, number as u64)),
            plies: 0,
            candidates: Vec::new(),
            numbers: Vec::new(),
            position: start.position(),
        };
        let mut batch = Batch {
            game: game.clone(),
            start: start.mark(),
            longest: LONGEST,
            steps: 0,
            actions,
            planes,
            places: (0..games).map(place).collect(),
            threads: useful(usize::MAX),
            pool: OnceLock::new(),
            masks: vec![false; games * actions],
            observations: vec![0.0; games * planes],
            returns: vec![0.0; games * players],
            movers: vec![0; games],
            ended: vec![false; games],
        };
        batch.advance(&[])?;
        Ok(batch)
    }

    /// Sets the number of threads; no more are used than run at the same time. Results do not
    /// depend on the number.
    #[must_use]
    pub fn threads(self, threads: usize) -> Batch {
        Batch { threads: useful(threads), pool: OnceLock::new(), ..self }
    }

    /// Sets the limit for plies per game, rolls included. A game that reaches it ends with zeros as
    /// its [`returns`](Self::returns).
    #[must_use]
    pub fn longest(self, longest: u32) -> Batch {
        Batch { longest: longest.max(1), ..self }
    }

    /// Takes an action in each game.
    ///
    /// # Errors
    /// If an action is not legal, or the rules never reach the next move.
    ///
    /// ```
    /// use ludwright::{Game, batch::{Batch, BatchError}};
    ///
    /// let game = Game::from_file("tests/games/tic-tac-toe.game", &[])?;
    /// let mut batch = Batch::new(&game, 2, 1)?;
    /// batch.step(&[0, 4])?;
    /// assert_eq!(batch.step(&[1, 4]), Err(BatchError::Illegal(1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn step(&mut self, actions: &[usize]) -> Result<(), BatchError> {
        if actions.len() != self.places.len() {
            return Err(BatchError::WrongLength);
        }
        let is_legal = |(mask, &action): (&[bool], &usize)| mask.get(action) == Some(&true);
        let mut chosen = self.masks.chunks(self.actions).zip(actions);
        if let Some(index) = chosen.position(|each| !is_legal(each)) {
            return Err(BatchError::Illegal(index));
        }
        if self.steps < STEPS_BEFORE_COMPILING {
            self.steps += actions.len();
            if self.steps >= STEPS_BEFORE_COMPILING {
                self.game.0.jit_compile_in_background();
            }
        }
        self.advance(actions)
    }

    /// Takes the actions, or none at the beginning, and writes the resulting observations.
    fn advance(&mut self, actions: &[usize]) -> Result<(), BatchError> {
        let game = &self.game.0;
        let masks = self.masks.chunks_mut(self.actions);
        let observations = self.observations.chunks_mut(self.planes);
        let returns = self.returns.chunks_mut(game.rules().players.len());
        let written = masks.zip(observations).zip(returns);
        let marks = self.movers.iter_mut().zip(&mut self.ended);
        let each = self.places.iter_mut().zip(written.zip(marks)).enumerate();
        let mut rows =
            each.map(|(index, (place, (((mask, observation), returns), (mover, ended))))| {
                let action = actions.get(index).copied();
                Row { place, action, mask, observation, returns, mover, ended }
            });
        let advance = |row: Row| row.advance(game, &self.start, self.longest);
        // The beginning is one step, which is not worth a pool that may never be used.
        let threads = if actions.is_empty() { 1 } else { self.threads };
        let pool = (threads > 1).then(|| {
            let start = || ThreadPoolBuilder::new().num_threads(threads).build().ok();
            self.pool.get_or_init(start).as_ref()
        });
        match pool.flatten() {
            None => rows.try_for_each(advance),
            Some(pool) => {
                let rows: Vec<Row> = rows.collect();
                pool.install(|| rows.into_par_iter().try_for_each(advance))
            }
        }
    }

    /// Draws a legal action of each game, uniformly. The same seed draws the same actions, so use a
    /// different seed for each step.
    ///
    /// ```
    /// use ludwright::{Game, batch::Batch};
    ///
    /// let game = Game::from_file("games/kitaran.game", &[])?;
    /// let mut batch = Batch::new(&game, 8, 1)?;
    /// (0..20).try_for_each(|number| batch.step(&batch.sample(number)))?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn sample(&self, seed: u64) -> Vec<usize> {
        let drawn = |(number, place): (u64, &Place)| {
            let below = place.numbers.len().max(1) as u32;
            let drawn = Random::new(mix(seed, number)).below(below) as usize;
            place.numbers.get(drawn).copied().unwrap_or_default()
        };
        (0..).zip(&self.places).map(drawn).collect()
    }

    /// Returns the number of games.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Tests if there are no games.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Returns the number of actions of the game: the length of each mask.
    #[must_use]
    pub fn action_count(&self) -> usize {
        self.actions
    }

    /// Returns the legal actions: a [mask](crate::State::mask) for each game, one after the other.
    #[must_use]
    pub fn masks(&self) -> &[bool] {
        &self.masks
    }

    /// Returns the observation of the player to move in each game, one after the other. Each has as
    /// many numbers as [planes](Game::planes) times sites.
    #[must_use]
    pub fn observations(&self) -> &[f32] {
        &self.observations
    }

    /// Returns the index of the [person](crate::State::personal_turn) who is to move in each game.
    #[must_use]
    pub fn movers(&self) -> &[u8] {
        &self.movers
    }

    /// Tests for each game if the last step ended it: the other data is then of the next game.
    #[must_use]
    pub fn ended(&self) -> &[bool] {
        &self.ended
    }

    /// Returns the [scores](crate::State::returns) of the persons of each game that the last step
    /// has ended, one game after the other; zeros for all others.
    #[must_use]
    pub fn returns(&self) -> &[f32] {
        &self.returns
    }
}

impl Row<'_> {
    /// Plays on to the next choice of a player, and writes its mask and observation.
    fn advance(
        self,
        game: &engine::Game,
        start: &engine::Mark,
        longest: u32,
    ) -> Result<(), BatchError> {
        let Row { place, action, mask, observation, returns, mover, ended } = self;
        place.numbers.iter().for_each(|&number| mask[number] = false);
        returns.fill(0.0);
        let mut finished = 0;
        if let Some(action) = action {
            let chosen = place.numbers.iter().position(|&number| number == action);
            place.play(chosen.unwrap_or_default());
        }
        *ended = false;
        let endless = |place: &Place| match place.state.fault() {
            Some(fault) => Err(BatchError::Endless(EndlessError::new(game.rules(), fault))),
            None => Ok(()),
        };
        let (viewer, person) = loop {
            endless(place)?;
            let outcome = place.state.personal_outcome();
            if outcome.is_some() || place.plies >= longest {
                let teams = game.rules().teams;
                for (player, score) in (0..).zip(returns.iter_mut()) {
                    let score_of = |outcome: Outcome| outcome.score_with(PlayerId(player), teams);
                    *score = outcome.map_or(0.0, score_of) as f32;
                }
                *ended = true;
                place.plies = 0;
                place.state.return_to(start);
                finished += 1;
                if finished > MOST_WITHOUT_CHOICE {
                    return Err(BatchError::NoChoice);
                }
            }
            place.list(game);
            endless(place)?;
            match place.state.turn() {
                Turn::Player(player) => break (player, place.state.person(player)),
                Turn::Chance => place.roll(),
                Turn::Nobody => {}
            }
        };
        place.numbers.iter().for_each(|&number| mask[number] = true);
        place.state.read(&mut place.position);
        *mover = person.0 as u8;
        game.planes().write(game, &place.position, viewer, observation);
        Ok(())
    }
}

impl Place {
    /// Lists the legal plies and their actions.
    fn list(&mut self, game: &engine::Game) {
        self.state.candidates_into(&mut self.candidates);
        let number = |&candidate: &PackedMove| game.actions()?.number(game, candidate);
        self.numbers.clear();
        self.numbers.extend(self.candidates.iter().filter_map(number));
    }

    fn play(&mut self, index: usize) {
        if let Some(&candidate) = self.candidates.get(index) {
            self.state.advance(candidate);
            self.plies += 1;
        }
    }

    /// Rolls the dice, uniformly. Rolls are drawn by action, so that a seed gives the same rolls
    /// whatever their order in the list.
    fn roll(&mut self) {
        let drawn = self.random.below(self.numbers.len() as u32) as usize;
        let mut ordered = self.numbers.clone();
        let (_, &mut action, _) = ordered.select_nth_unstable(drawn);
        let index = self.numbers.iter().position(|&number| number == action);
        self.play(index.unwrap_or_default());
    }
}

impl fmt::Debug for Batch {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Batch").field("game", &self.game).field("len", &self.len()).finish()
    }
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            BatchError::TooManyActions => {
                f.write_str("the game has more actions than can be numbered")
            }
            BatchError::TooManyGames => f.write_str("there are too many games for one batch"),
            BatchError::NoChoice => {
                f.write_str("game after game ends without any choice of a player")
            }
            BatchError::WrongLength => f.write_str("expected an action for each game"),
            BatchError::Illegal(index) => write!(f, "the action for game {index} is not legal"),
            BatchError::Endless(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for BatchError {}
