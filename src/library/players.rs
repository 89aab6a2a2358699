//! Computer players: random, greedy, and Monte-Carlo tree search.
//!
//! ```
//! use ludwright::{Game, Turn, players::Bot};
//!
//! let game = Game::from_file("games/kitaran.game", &[("Size", "4")])?;
//! let mut state = game.start();
//! let mut bots = [Bot::iterations(100, 1), Bot::greedy(2)];
//! while let Turn::Player(player) = state.turn() {
//!     let choice = bots[player.index()].choose(&state)?.expect("a player is to act");
//!     state.play(choice.ply)?;
//! }
//! println!("{state}");
//! # assert!(state.outcome().is_some(), "{state}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::error::EndlessError;
use super::game::Game;
use super::moves::Move;
use super::solver::line;
use super::state::State;
use super::threads::useful;
use crate::learn::{Learned, store};
use crate::search::{self, Mcts, Player, PlayerKind, roll_with};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A computer player. It may keep its search tree between moves, so each player of a game needs a
/// `Bot` of its own. It can play one game after the other: for a state of another game, or of the
/// same game with other options, it starts a new tree.
///
/// Its randomness depends only on the seed and the number of the move: with a limit in iterations
/// instead of time it plays reproducibly.
///
/// ```
/// use ludwright::{Game, players::Bot};
///
/// let start = Game::from_file("games/kitaran.game", &[])?.start();
/// let choice = |seed| Bot::random(seed).choose(&start).map(|choice| choice.expect("Black is to move").ply);
/// assert_eq!(choice(7), choice(7));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Bot {
    kind: PlayerKind,
    seed: u64,
    player: Player,
}

/// A chosen move, and the result of the search.
///
/// ```
/// use ludwright::{Game, players::Bot};
///
/// let mut state = Game::from_file("tests/games/tic-tac-toe.game", &[])?.start();
/// for text in ["a1", "b1", "a2", "b2"] {
///     state.play(state.parse_move(text)?)?;
/// }
/// let choice = Bot::iterations(200, 1).choose(&state)?.expect("X is to move");
/// assert_eq!(state.spell(choice.ply), "place a3");
/// let thinking = choice.thinking.expect("it searched");
/// assert!(thinking.is_proven);
/// assert_eq!(thinking.expected, [1.0, 0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Choice {
    /// The move.
    pub ply: Move,
    /// The result of the search, if there was one; a single legal move is not searched.
    pub thinking: Option<Thinking>,
}

/// The result of a search.
///
/// See [`Choice`] for an example.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Thinking {
    /// The number of iterations.
    pub iterations: u64,
    /// The expected score of each player, by index: 1 for a win, ½ for a draw.
    pub expected: Vec<f64>,
    /// Whether the scores are proven.
    pub is_proven: bool,
    /// The principal variation: the expected line of play.
    pub line: Vec<Move>,
    /// Every move that was tried: the chosen one first, then by visits.
    pub moves: Vec<ThoughtMove>,
}

/// The search results for one move.
///
/// ```
/// use ludwright::{Game, players::Bot};
///
/// let state = Game::from_file("games/kitaran.game", &[])?.start();
/// let choice = Bot::iterations(500, 1).choose(&state)?.expect("Black is to move");
/// let moves = choice.thinking.expect("it searched").moves;
/// assert_eq!(moves[0].ply, choice.ply);
/// // What a network is trained on.
/// let visits: u64 = moves.iter().map(|thought| thought.visits).sum();
/// let share = moves[0].visits as f64 / visits as f64;
/// assert!((0.0..=1.0).contains(&share) && (0.0..=1.0).contains(&moves[0].expected));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ThoughtMove {
    /// The move.
    pub ply: Move,
    /// How many iterations went through the move.
    pub visits: u64,
    /// The expected score of the player who makes it: 1 for a win, ½ for a draw.
    pub expected: f64,
    /// Whether the expected score is proven.
    pub is_proven: bool,
}

/// The reason why a text does not name a player.
///
/// ```
/// let error = ludwright::players::Bot::named("gredy", 1).unwrap_err();
/// assert!(error.to_string().ends_with("did you mean `greedy`?"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseBotError(String);

impl Bot {
    fn new(kind: PlayerKind, seed: u64) -> Option<Bot> {
        Some(Bot { kind, seed, player: Player::new(kind, seed)? })
    }

    fn of(kind: PlayerKind, seed: u64) -> Bot {
        Bot::new(kind, seed).expect("it is no human")
    }

    /// Makes a player that chooses uniformly among the legal moves.
    ///
    /// See [`Bot`] for an example.
    #[must_use]
    pub fn random(seed: u64) -> Bot {
        Bot::of(PlayerKind::Random, seed)
    }

    /// Makes a player that looks one move ahead: it wins if it can, then avoids losing, then counts
    /// pieces, then the opponent's moves.
    ///
    /// ```
    /// use ludwright::{Game, players::Bot};
    ///
    /// let mut state = Game::from_file("tests/games/tic-tac-toe.game", &[])?.start();
    /// for text in ["a1", "b1", "a2", "b2"] {
    ///     state.play(state.parse_move(text)?)?;
    /// }
    /// let choice = Bot::greedy(1).choose(&state)?.expect("X is to move");
    /// assert_eq!(state.spell(choice.ply), "place a3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn greedy(seed: u64) -> Bot {
        Bot::of(PlayerKind::Greedy, seed)
    }

    /// Makes a player that searches for a number of iterations, on all processors. Its choices do
    /// not depend on the number of processors.
    ///
    /// See [`Choice`] for an example.
    #[must_use]
    pub fn iterations(iterations: u64, seed: u64) -> Bot {
        Bot::of(PlayerKind::Iterations(iterations.max(1)), seed)
    }

    /// Makes a player that searches for a given time, on all processors.
    ///
    /// ```
    /// use ludwright::{Game, players::Bot};
    /// use std::time::Duration;
    ///
    /// let start = Game::from_file("tests/games/hex.game", &[])?.start();
    /// let choice = Bot::time(Duration::from_millis(20), 1).choose(&start)?.expect("a player is to act");
    /// assert!(choice.thinking.is_some_and(|thinking| thinking.iterations > 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn time(time: Duration, seed: u64) -> Bot {
        Bot::of(PlayerKind::Time(time), seed)
    }

    /// Makes a player from its name: `random`, `greedy`, `learned`, `mcts:1s`, `mcts:2000it`,
    /// `strong:1s`, `strong:2000it`. In a game without a [training](use_training), `learned` plays
    /// as `greedy` and `strong` as `mcts`.
    ///
    /// # Errors
    /// If there is no such player; the error lists the expected names.
    ///
    /// ```
    /// use ludwright::players::Bot;
    ///
    /// assert_eq!(Bot::named("mcts:0.5s", 1).expect("half a second").to_string(), "mcts:500ms");
    /// assert!(Bot::named("human", 1).is_err());
    /// ```
    pub fn named(name: &str, seed: u64) -> Result<Bot, ParseBotError> {
        let kind = name.parse().map_err(ParseBotError)?;
        Bot::new(kind, seed).ok_or_else(|| ParseBotError(format!("`{name}` is no program")))
    }

    /// Limits a search to `threads` threads, no more than run at the same time, and its tree to
    /// about `memory` bytes.
    ///
    /// ```
    /// use ludwright::{Game, players::Bot};
    ///
    /// let start = Game::from_file("tests/games/hex.game", &[])?.start();
    /// let mut choices = [1, 2].map(|threads| Bot::iterations(100, 1).with(threads, 16 << 20).choose(&start));
    /// assert_eq!(choices[0], choices[1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with(self, threads: usize, memory: usize) -> Bot {
        Bot { player: self.player.with(Mcts::new(useful(threads), memory)), ..self }
    }

    /// Chooses a legal move; `None` if no player is to act. The only legal move is chosen at once,
    /// without [thinking](Choice::thinking).
    ///
    /// # Errors
    /// If the rules never reach the next move in a position that was searched.
    ///
    /// See [`Choice`] for an example.
    pub fn choose(&mut self, state: &State) -> Result<Option<Choice>, EndlessError> {
        self.choose_while(state, |_| true)
    }

    /// As [`choose`](Bot::choose), and passes the intermediate result of a tree search to `go_on` a
    /// few times per second. Once `go_on` returns false, the search ends with the best move so far.
    ///
    /// # Errors
    /// As [`choose`](Bot::choose).
    ///
    /// ```
    /// use ludwright::{Game, players::Bot};
    /// use std::time::Duration;
    ///
    /// let state = Game::from_file("games/kitaran.game", &[])?.start();
    /// let mut bot = Bot::time(Duration::from_secs(3600), 1);
    /// let choice = bot.choose_while(&state, |thinking| thinking.iterations < 1_000)?;
    /// assert!(choice.is_some_and(|choice| state.is_legal(choice.ply)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn choose_while(
        &mut self,
        state: &State,
        mut go_on: impl FnMut(&Thinking) -> bool + Send,
    ) -> Result<Option<Choice>, EndlessError> {
        let mut tell = |thinking: &search::Thinking| go_on(&Thinking::of(state, thinking));
        let choice = self.player.choose_aloud(&state.inner, &mut tell);
        let choice = choice.map_err(|fault| state.endless(fault))?;
        Ok(choice.and_then(|choice| {
            let thinking = choice.thinking.map(|thinking| Thinking::of(state, &thinking));
            Some(Choice { ply: state.find(&choice.ply)?, thinking })
        }))
    }
}

impl Thinking {
    fn of(state: &State, thinking: &search::Thinking) -> Thinking {
        let thought = |tried: &search::RootMove| {
            Some(ThoughtMove {
                ply: state.find(&tried.ply)?,
                visits: u64::from(tried.visits),
                expected: tried.chance,
                is_proven: tried.solved,
            })
        };
        Thinking {
            iterations: thinking.iterations,
            expected: thinking.win_probabilities.clone(),
            is_proven: thinking.solved,
            line: line(state, &thinking.line),
            moves: thinking.plies.iter().filter_map(thought).collect(),
        }
    }
}

impl fmt::Display for Bot {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.kind.fmt(f)
    }
}

impl fmt::Debug for Bot {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Bot").field("name", &self.to_string()).field("seed", &self.seed).finish()
    }
}

impl fmt::Display for ParseBotError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ParseBotError {}

/// Reads a training, as `ludwright train FILE -O OUT` writes it. All players of the game named
/// `learned` and `strong` that are made from now on use it.
///
/// # Errors
/// If the text is no training, or a training for other rules or options.
///
/// ```
/// use ludwright::{Game, players::use_training};
///
/// let game = Game::from_file("games/kitaran.game", &[])?;
/// let error = use_training(&game, "").unwrap_err();
/// assert_eq!(error.to_string(), "line 1: expected `ludwright evaluation 1`");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn use_training(game: &Game, text: &str) -> Result<(), ParseTrainingError> {
    let learned = Learned::read(&game.0, text).map_err(ParseTrainingError)?;
    store::insert(game.0.rules(), Arc::new(learned));
    Ok(())
}

/// The reason why a text is no training of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseTrainingError(String);

impl fmt::Display for ParseTrainingError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ParseTrainingError {}

/// Rolls the dice: samples one of the legal rolls; `None` if no roll comes next. The same seed
/// gives the same roll, so use a different one for each roll of a game.
///
/// ```
/// use ludwright::{Game, Turn, players::roll};
///
/// let mut state = Game::from_file("games/two-dice-swarm.game", &[])?.start();
/// assert_eq!(state.turn(), Turn::Chance);
/// state.play(roll(&state, 7).expect("the dice come first"))?;
/// assert!(state.played().len() == 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn roll(state: &State, seed: u64) -> Option<Move> {
    state.find(&roll_with(&state.inner, seed)?)
}
