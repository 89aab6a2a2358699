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

mod comparisons;

use super::game::Game;
use super::threads::useful;
use crate::engine::game::State;
use crate::measure::compared::{Compared, MAX_COMPARED};
use crate::measure::left_out::{self, LeftOut, Without, WithoutRule};
use crate::measure::write::{ReportAnswer, ReportPart, read_part};
use crate::measure::{
    CostModel, Incomparable, Mismatch, OtherGame, Plan, Report, Request, Results, play, team_seats,
    write,
};
use crate::random::mix;
use crate::search::PlayerKind;
use serde::Serialize;
use std::fmt;
use std::sync::atomic::AtomicBool;

pub use crate::measure::report::Unit;
pub use comparisons::{FigureComparison, GameComparison, Omission, Verdict};

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
    shard: Option<(usize, usize)>,
    others: Vec<Game>,
    leave_out: bool,
}

/// The results of a playtest. It can be written as the reports of `ludwright playtest`.
///
/// See the [module](self) for an example.
pub struct PlaytestReport {
    game: Game,
    results: Results,
    shard: Option<(usize, usize)>,
    compared: Option<Compared>,
    left_out: Option<LeftOut>,
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
    /// The subject of the figure, such as a player or `median`; may be empty.
    pub what: String,
    /// The players who met; empty for all games.
    pub who: String,
    /// The unit of the value and its bounds: shares from 0 to 1, numbers, or decimal logarithms.
    pub unit: Unit,
    /// The value.
    pub value: f64,
    /// The lower bound of the interval; not finite if there is none.
    pub low: f64,
    /// The upper bound of the interval; not finite if there is none.
    pub high: f64,
    /// The size of the sample.
    pub sample: u64,
    /// What the sample counts: `games`, `positions`, `plies`.
    pub of: &'static str,
}

impl Figure {
    fn of(figure: &crate::measure::report::Figure) -> Figure {
        Figure {
            what: figure.what.clone(),
            who: figure.who.clone(),
            unit: figure.unit,
            value: figure.estimate.value,
            low: figure.estimate.low,
            high: figure.estimate.high,
            sample: figure.estimate.sample,
            of: figure.of,
        }
    }
}

/// A game that was recorded move by move.
///
/// ```
/// use ludwright::{Game, playtests::Playtest};
///
/// let game = Game::from_file("tests/games/tic-tac-toe.game", &[])?;
/// let report = Playtest::new().games(2).seats(&["greedy", "random"]).run(&game)?;
/// let games = report.games();
/// assert_eq!((games.len(), &*games[0].seats[1]), (2, "random"));
/// assert!(games[0].moves[0].starts_with("place "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RecordedGame {
    /// The players who met, as in [`Figure::who`].
    pub who: String,
    /// The game's number among all games of these players, from 0.
    pub number: u64,
    /// Who plays for each player of the game.
    pub seats: Vec<String>,
    /// The score of each player: 1 for a win, 0 for a loss, a part of 1 for a draw; `None` if the
    /// game was not finished.
    pub scores: Option<Vec<f64>>,
    /// The moves and the rolls, as in records.
    pub moves: Vec<String>,
}

/// The reason why a playtest cannot be played, or its parts cannot be merged.
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
        Playtest {
            games: None,
            seats: Vec::new(),
            seed: 1,
            threads: 1,
            shard: None,
            others: Vec::new(),
            leave_out: false,
        }
    }
}

impl Playtest {
    /// Requests the default playtest of `ludwright playtest`: players of several strengths against
    /// themselves, for about a minute of processor time, with seed 1, on one thread.
    ///
    /// See the [module](self) for an example.
    pub fn new() -> Playtest {
        Playtest::default()
    }

    /// Sets the number of games of each pairing, which replaces the limit of a minute.
    pub fn games(self, games: u64) -> Playtest {
        Playtest { games: Some(games), ..self }
    }

    /// Chooses a player for each player of the game, in order, such as `random`, `mcts:100it` or
    /// `strong:1s`; they change seats if this shows who is stronger.
    pub fn seats(self, seats: &[&str]) -> Playtest {
        Playtest { seats: seats.iter().map(|&seat| seat.to_owned()).collect(), ..self }
    }

    /// Sets the seed.
    pub fn seed(self, seed: u64) -> Playtest {
        Playtest { seed, ..self }
    }

    /// Sets the number of threads; no more are used than run at the same time.
    pub fn threads(self, threads: usize) -> Playtest {
        Playtest { threads, ..self }
    }

    /// Plays part `part` (from 1) of `of` parts, as `ludwright playtest --shard` does. The parts
    /// may be played on several computers; [`PlaytestReport::merge`] merges them. Without a number
    /// of [games](Self::games), all parts together have the games of one processor's minute.
    ///
    /// See [`PlaytestReport::merge`] for an example.
    pub fn shard(self, part: usize, of: usize) -> Playtest {
        Playtest { shard: Some((part, of)), ..self }
    }

    /// Compares the game with others, at most eight. The players who meet as equals also play the
    /// other games, as often and for as long, and all figures of all games are tested together.
    /// Players that use a training or have a limit of time are left out.
    ///
    /// ```
    /// use ludwright::{Game, playtests::Playtest};
    ///
    /// let game = Game::from_file("tests/games/tic-tac-toe.game", &[])?;
    /// let other = Game::from_file("games/kitaran.game", &[("Size", "3")])?;
    /// let playtest = Playtest::new().games(40).seats(&["random", "random"]);
    /// let report = playtest.compare_with(&[other]).run(&game)?;
    /// let comparison = &report.comparisons()[0];
    /// let mut figures = comparison.figures.iter();
    /// let length = figures.find(|figure| figure.measure == "plies").expect("a figure");
    /// assert!(length.differs && length.own.value < length.other.value, "{length:?}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compare_with(self, others: &[Game]) -> Playtest {
        Playtest { others: others.to_vec(), ..self }
    }

    /// Also plays the game without each of its rules, one at a time, by the strongest players who
    /// meet as equals, as often as they played the complete game: which rules can be left out
    /// without a difference that matters?
    ///
    /// ```
    /// use ludwright::{Game, playtests::{Playtest, Verdict}};
    ///
    /// let game = Game::from_file("tests/games/tic-tac-toe.game", &[])?;
    /// let report = Playtest::new().games(200).seats(&["random", "random"]).leave_out().run(&game)?;
    /// let omissions = report.omissions().expect("enough games");
    /// let line = omissions.iter().find(|omission| omission.rule.contains("(win")).expect("a rule");
    /// assert_eq!(line.verdict, Verdict::Different);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn leave_out(self) -> Playtest {
        Playtest { leave_out: true, ..self }
    }

    /// Plays the games.
    ///
    /// # Errors
    /// If the seats do not fit the game, there is no such part, or the players cannot play a game
    /// to compare with.
    ///
    /// See the [module](self) for an example.
    pub fn run(&self, game: &Game) -> Result<PlaytestReport, PlaytestError> {
        let start = game.start().inner;
        if let Some((part, of)) = self.shard {
            if !(1..=of).contains(&part) {
                return Err(PlaytestError(format!("there is no part {part} of {of}")));
            }
            if self.leave_out || !self.others.is_empty() {
                let why = "only a whole playtest is compared with others, or with the game without a rule";
                return Err(PlaytestError(why.to_owned()));
            }
        }
        let request = Request {
            games: self.games,
            seats: self.kinds(game)?,
            seed: self.seed,
            // A part does not know the results of the others.
            limited: self.shard.is_none(),
        };
        let plan = Plan::new(&start, &game.0.rules().files, &request, &CostModel::of(&game.0));
        let others = self.planned_others(&plan)?;
        let results = self.played(&start, plan);
        let game = game.clone();
        let (compared, left_out) = self.compared(&game, &results, others);
        Ok(PlaytestReport { game, results, shard: self.shard, compared, left_out })
    }

    /// Plans the games to compare with.
    fn planned_others(&self, own: &Plan) -> Result<Vec<OtherGame>, PlaytestError> {
        if self.others.len() > MAX_COMPARED {
            let message = format!("a game is compared with at most {MAX_COMPARED} others");
            return Err(PlaytestError(message));
        }
        let planned = |(number, other): (u64, &Game)| {
            let sources = other.0.rules().files.clone();
            // The other game's seed differs: the comparison needs independent samples.
            let seed = mix(own.seed, number);
            let (start, effort) = (other.start().inner, CostModel::of(&other.0));
            OtherGame::planned(start, sources, effort, own, seed).map_err(|why| {
                let title = &other.0.rules().title;
                PlaytestError(match why {
                    Incomparable::Over => format!("{title} is over before its first move"),
                    Incomparable::Players => format!(
                        "the same players do not meet as equals in both {} and {title}",
                        own.game
                    ),
                })
            })
        };
        (1..).zip(&self.others).map(planned).collect()
    }

    /// Plays the other games, and the game without each of its rules, and compares them.
    fn compared(
        &self,
        game: &Game,
        results: &Results,
        mut others: Vec<OtherGame>,
    ) -> (Option<Compared>, Option<LeftOut>) {
        if others.is_empty() && !self.leave_out {
            return (None, None);
        }
        others.iter_mut().for_each(|other| self.play_other(other));
        let sources = &game.0.rules().files;
        let mut report = Report::new(&game.0, sources, results);
        let compared: Vec<Report> = others.iter().map(OtherGame::report).collect();
        if !compared.is_empty() {
            report = report.compared_with(&compared);
        }
        let mut without: Option<Vec<Without>> =
            self.leave_out.then(|| left_out::reduced(&game.0, sources, results)).flatten();
        for rule in without.iter_mut().flatten() {
            if let WithoutRule::Game(other) = &mut rule.game {
                self.play_other(other);
            }
        }
        if let Some(without) = &without {
            report = report.leaving_out(without);
        }
        (report.compared, report.left_out)
    }

    fn play_other(&self, other: &mut OtherGame) {
        other.results = self.played(&other.start, other.results.plan.clone());
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
        let kinds = self.seats.iter().map(kind).collect::<Result<Vec<PlayerKind>, _>>();
        let seats = kinds.and_then(|kinds| team_seats(game.0.rules(), &kinds));
        seats.map(Some).map_err(PlaytestError)
    }

    /// Plays all batches of a part, or all batches that the results so far call for.
    fn played(&self, start: &State, plan: Plan) -> Results {
        let (threads, never) = (useful(self.threads), AtomicBool::new(false));
        let mut results = Results::new(plan.clone());
        loop {
            let missing = match self.shard {
                Some((part, of)) => results.missing_of(part, of),
                None => results.missing(),
            };
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
    /// Merges the [parts](Playtest::shard) of a playtest, given as JSON by [`json`](Self::json) or
    /// by the program. The report of all parts equals the report of a playtest in one run, byte for
    /// byte.
    ///
    /// # Errors
    /// If a text is not a report, or the parts are of different playtests.
    ///
    /// ```
    /// use ludwright::{Game, playtests::{Playtest, PlaytestReport}};
    ///
    /// let game = Game::from_file("tests/games/tic-tac-toe.game", &[])?;
    /// let playtest = Playtest::new().games(4).seats(&["greedy", "random"]);
    /// let part = |number| playtest.clone().shard(number, 2).run(&game);
    /// let merged = PlaytestReport::merge(&[part(2)?.json(), part(1)?.json()])?;
    /// assert!(merged.is_complete());
    /// assert_eq!(merged.json(), playtest.run(&game)?.json());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn merge(parts: &[impl AsRef<str>]) -> Result<PlaytestReport, PlaytestError> {
        let mut whole: Option<ReportPart> = None;
        for (text, number) in parts.iter().zip(1..) {
            let failed = |why: String| PlaytestError(format!("report {number}: {why}"));
            let part = read_part(text.as_ref()).map_err(failed)?;
            match &mut whole {
                None => whole = Some(part),
                Some(whole) => whole.join(part).map_err(|why| failed(explain(why)))?,
            }
        }
        let Some(whole) = whole else {
            return Err(PlaytestError("there is no report to merge".to_owned()));
        };
        let game = Game(whole.game().map_err(PlaytestError)?);
        let results = whole.results;
        Ok(PlaytestReport { game, results, shard: None, compared: None, left_out: None })
    }

    /// Returns the game that was played.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Tests if all games of the playtest were played, not only some of its parts.
    ///
    /// See [`merge`](Self::merge) for an example.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.results.missing().is_empty()
    }

    /// Lists the recorded games: all games, or the first of many.
    ///
    /// See [`RecordedGame`] for an example.
    #[must_use]
    pub fn games(&self) -> Vec<RecordedGame> {
        let plan = &self.results.plan;
        let count = plan.players.len();
        let mut games = Vec::new();
        for (index, pairing) in self.results.pairings() {
            let who = pairing.name(&plan.players);
            games.extend(self.results.rows(index).map(|row| RecordedGame {
                who: who.clone(),
                number: row.game,
                seats: pairing.arrangement(row.game).iter().map(ToString::to_string).collect(),
                scores: (0..count).map(|player| row.ending.score(player, count)).collect(),
                moves: row.plies.clone(),
            }));
        }
        games
    }

    fn report<R>(&self, read: impl FnOnce(&Report) -> R) -> R {
        let report = Report::new(&self.game.0, &self.game.0.rules().files, &self.results);
        let (compared, left_out) = (self.compared.clone(), self.left_out.clone());
        read(&Report { compared, left_out, ..report })
    }

    /// Lists the measures, in the order of the report.
    ///
    /// See the [module](self) for an example.
    #[must_use]
    pub fn measures(&self) -> Vec<Measure> {
        let measure = |measure: &crate::measure::report::Measure| Measure {
            key: measure.key,
            title: measure.title,
            definition: measure.definition.clone(),
            figures: measure.figures.iter().map(Figure::of).collect(),
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
            let answer = ReportAnswer::new(report, self.shard);
            serde_json::to_value(answer).map_or_else(|_| String::new(), |json| json.to_string())
        })
    }
}

/// Says why reports belong to different playtests.
fn explain(mismatch: Mismatch) -> String {
    match mismatch {
        Mismatch::Program => "it was played by another version of the program".to_owned(),
        Mismatch::Rules => "it was played under other rules".to_owned(),
        Mismatch::Plan => "it is a part of another playtest".to_owned(),
        Mismatch::Batch(lot) => format!("its batch {lot} differs from that of an earlier report"),
        Mismatch::Strange(lot) => format!("it has a batch {lot} that the playtest does not have"),
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
