//! Many games between computer players, and their statistics.
//!
//! ```
//! use ludwright::{Game, playtests::Playtest};
//!
//! let game = Game::from_file("tests/games/tic-tac-toe.game", &[])?;
//! let report = Playtest::new().games(40).seats(&["mcts:50it", "random"]).run(&game)?;
//! let mut measures = report.measures().into_iter();
//! let scores = measures.find(|measure| measure.key == "seat-advantage").expect("a measure");
//! let first = &scores.figures[0];
//! assert!(first.what == "X" && first.value > 0.7 && first.low < first.value, "{first:?}");
//! assert!(report.text().starts_with("Tic-Tac-Toe\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::game::Game;
use super::threads::useful;
use crate::engine::game::State;
use crate::measure::{CostModel, Plan, Report, Request, Results, play, write};
use crate::search::PlayerKind;
use serde::Serialize;
use std::fmt;
use std::sync::atomic::AtomicBool;

/// The width of the text of a report, in columns.
const WIDTH: usize = 80;

/// A request for a playtest. The same seed gives the same figures on any number of threads, unless
/// players have a time for their moves.
///
/// See the [module](self) for an example.
#[derive(Clone, Debug)]
#[must_use]
pub struct Playtest {
    games: Option<u64>,
    seats: Vec<String>,
    seed: u64,
    threads: usize,
}

/// The results of a playtest. It can be written as the reports of `ludwright playtest`.
///
/// See the [module](self) for an example.
pub struct PlaytestReport {
    game: Game,
    results: Results,
}

/// A measure of a game.
///
/// See the [module](self) for an example.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Measure {
    /// Its name in JSON.
    pub key: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Its definition in words.
    pub definition: String,
    /// Its figures, of each pairing.
    pub figures: Vec<Figure>,
}

/// A figure with its 95 % interval.
///
/// See the [module](self) for an example.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Figure {
    /// What it is a figure of, such as a player or `median`; may be empty.
    pub what: String,
    /// The players who met; empty for all games.
    pub who: String,
    /// The value: a share from 0 to 1, a number, or a decimal logarithm.
    pub value: f64,
    /// The lower bound of the interval; not finite if there is none.
    pub low: f64,
    /// The upper bound of the interval; not finite if there is none.
    pub high: f64,
    /// The size of the sample.
    pub sample: u64,
}

/// The reason why a playtest cannot be played.
///
/// ```
/// use ludwright::{Game, playtests::Playtest};
///
/// let game = Game::from_file("tests/games/tic-tac-toe.game", &[])?;
/// let error = Playtest::new().seats(&["random"]).run(&game).unwrap_err();
/// assert_eq!(error.to_string(), "expected a player for each of X and O, found 1");
/// # Ok::<(), ludwright::LoadError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaytestError(String);

impl Default for Playtest {
    fn default() -> Playtest {
        Playtest { games: None, seats: Vec::new(), seed: 1, threads: 1 }
    }
}

impl Playtest {
    /// Requests what `ludwright playtest` plays: players of several strengths against themselves, for
    /// about a minute of processor time, with seed 1, on one thread.
    ///
    /// See the [module](self) for an example.
    pub fn new() -> Playtest {
        Playtest::default()
    }

    /// Sets the number of games of each pairing, instead of a minute.
    pub fn games(self, games: u64) -> Playtest {
        Playtest { games: Some(games), ..self }
    }

    /// Chooses a player for each player of the game, in order, such as `random`, `mcts:100it` or
    /// `strong:1s`; they change seats where that shows who is stronger.
    pub fn seats(self, seats: &[&str]) -> Playtest {
        Playtest { seats: seats.iter().map(|&seat| seat.to_owned()).collect(), ..self }
    }

    /// Sets the seed.
    pub fn seed(self, seed: u64) -> Playtest {
        Playtest { seed, ..self }
    }

    /// Sets the number of threads, of which as many are used as run at the same time.
    pub fn threads(self, threads: usize) -> Playtest {
        Playtest { threads, ..self }
    }

    /// Plays the games.
    ///
    /// # Errors
    /// If the seats do not fit the game.
    ///
    /// See the [module](self) for an example.
    pub fn run(&self, game: &Game) -> Result<PlaytestReport, PlaytestError> {
        let start = game.start().inner;
        let request =
            Request { games: self.games, seats: self.kinds(game)?, seed: self.seed, limited: true };
        let plan = Plan::new(&start, &game.0.rules().files, &request, &CostModel::of(&game.0));
        Ok(PlaytestReport { game: game.clone(), results: self.played(&start, plan) })
    }

    fn kinds(&self, game: &Game) -> Result<Option<Vec<PlayerKind>>, PlaytestError> {
        if self.seats.is_empty() {
            return Ok(None);
        }
        let names: Vec<&str> = game.players().map(|player| game.name_of(player)).collect();
        if names.len() != self.seats.len() {
            let names = crate::notation::list(&names, "and");
            let count = self.seats.len();
            return Err(PlaytestError(format!(
                "expected a player for each of {names}, found {count}"
            )));
        }
        let kind = |name: &String| match name.parse() {
            Ok(PlayerKind::Human) => Err("a human cannot play in a playtest".to_owned()),
            kind => kind,
        };
        self.seats.iter().map(kind).collect::<Result<_, _>>().map(Some).map_err(PlaytestError)
    }

    /// Plays all batches that the results so far call for.
    fn played(&self, start: &State, plan: Plan) -> Results {
        let (threads, never) = (useful(self.threads), AtomicBool::new(false));
        let mut results = Results::new(plan.clone());
        loop {
            let missing = results.missing();
            if missing.is_empty() {
                return results;
            }
            play(&plan, start, &missing, threads, &never, &mut |played| {
                // The batch comes from this plan, so it fits.
                let _ = results.enter(played);
            });
        }
    }
}

impl PlaytestReport {
    fn report<R>(&self, read: impl FnOnce(&Report) -> R) -> R {
        read(&Report::new(&self.game.0, &self.game.0.rules().files, &self.results))
    }

    /// Lists the measures, in the order of the report.
    ///
    /// See the [module](self) for an example.
    #[must_use]
    pub fn measures(&self) -> Vec<Measure> {
        let figure = |figure: &crate::measure::report::Figure| Figure {
            what: figure.what.clone(),
            who: figure.who.clone(),
            value: figure.estimate.value,
            low: figure.estimate.low,
            high: figure.estimate.high,
            sample: figure.estimate.sample,
        };
        let measure = |measure: &crate::measure::report::Measure| Measure {
            key: measure.key,
            title: measure.title,
            definition: measure.definition.clone(),
            figures: measure.figures.iter().map(figure).collect(),
        };
        self.report(|report| report.measures.iter().map(measure).collect())
    }

    /// Writes a summary of some lines.
    ///
    /// See the [module](self) for an example.
    #[must_use]
    pub fn text(&self) -> String {
        self.report(|report| write::brief(report, WIDTH))
    }

    /// Writes a page of HTML with all figures and plots.
    #[must_use]
    pub fn html(&self) -> String {
        self.report(write::html)
    }

    /// Writes all figures in Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        self.report(write::markdown)
    }

    /// Writes everything in JSON, as `ludwright schema playtest` describes it.
    ///
    /// ```
    /// use ludwright::{Game, playtests::Playtest};
    ///
    /// let game = Game::from_file("tests/games/tic-tac-toe.game", &[])?;
    /// let report = Playtest::new().games(2).seats(&["random", "random"]).run(&game)?;
    /// assert!(report.json().starts_with(r#"{"schema":"ludwright-playtest","version":"#));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn json(&self) -> String {
        self.report(|report| {
            write::json(report).map_or_else(|_| String::new(), |it| it.to_string())
        })
    }
}

impl fmt::Debug for PlaytestReport {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("PlaytestReport").field("game", &self.game).finish()
    }
}

impl fmt::Display for PlaytestError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PlaytestError {}
