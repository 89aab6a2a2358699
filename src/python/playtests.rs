//! Playtests, as tables: dictionaries with a column by name, of which pandas makes data frames.

use super::PyGame;
use crate::library::Game;
use crate::library::playtests::{
    Figure, FigureComparison, GameComparison, Measure, Omission, Playtest, PlaytestError,
    PlaytestReport, Unit, Verdict,
};
use numpy::{Element, PyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The results of a playtest. Its tables are dictionaries with a column by name, which
/// ``pandas.DataFrame`` takes as they are.
#[pyclass(name = "PlaytestReport", module = "ludwright", frozen)]
pub struct PyPlaytestReport(PlaytestReport);

fn refused(error: PlaytestError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A computer player for all players of a game, or one for each.
#[derive(FromPyObject)]
pub enum Seats {
    Same(String),
    Each(Vec<String>),
}

/// Plays many games between computer players, as ``ludwright playtest`` does: ``players`` is one
/// for all, such as ``mcts:100it``, or a list of one for each player of the game; by default,
/// players of several strengths. ``games`` is the number of games of each pairing, by default what
/// takes a minute.
///
/// ``compare_with`` is a list of games that the same players play, too, and ``leave_out`` plays the
/// game without each of its rules: see `PlaytestReport.comparisons` and `PlaytestReport.omissions`.
///
/// ``shard`` is ``(part, of)``, from 1: only this part is played; `merge` makes the whole. The same
/// seed gives the same figures on any number of threads, unless players have a time for their
/// moves. The lock of the interpreter is released. Raises `ValueError`.
#[pyfunction]
#[pyo3(signature = (game, players = None, games = None, seed = 1, threads = 1, shard = None,
                    compare_with = Vec::new(), leave_out = false))]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub fn playtest(
    py: Python,
    game: &PyGame,
    players: Option<Seats>,
    games: Option<u64>,
    seed: u64,
    threads: usize,
    shard: Option<(usize, usize)>,
    compare_with: Vec<PyRef<PyGame>>,
    leave_out: bool,
) -> PyResult<PyPlaytestReport> {
    let game = &game.0;
    let seats = match players {
        Some(Seats::Same(player)) => vec![player; game.players().len()],
        Some(Seats::Each(players)) => players,
        None => Vec::new(),
    };
    let seats: Vec<&str> = seats.iter().map(String::as_str).collect();
    let mut playtest = Playtest::new().seats(&seats).seed(seed).threads(threads);
    if let Some(games) = games {
        playtest = playtest.games(games);
    }
    if let Some((part, of)) = shard {
        playtest = playtest.shard(part, of);
    }
    let others: Vec<Game> = compare_with.iter().map(|other| other.0.clone()).collect();
    playtest = playtest.compare_with(&others);
    if leave_out {
        playtest = playtest.leave_out();
    }
    py.detach(|| playtest.run(game)).map(PyPlaytestReport).map_err(refused)
}

/// Merges shards, given as `PlaytestReport.json`. The report of all shards is the same, byte for
/// byte, as that of a playtest in one run. Raises `ValueError` if they are not of the same
/// playtest.
#[pyfunction]
pub fn merge(py: Python, parts: Vec<String>) -> PyResult<PyPlaytestReport> {
    py.detach(|| PlaytestReport::merge(&parts)).map(PyPlaytestReport).map_err(refused)
}

/// Adds a column of texts to a table.
fn texts<'r, R>(
    table: &Bound<PyDict>,
    name: &str,
    rows: &'r [R],
    text: impl Fn(&'r R) -> &'r str,
) -> PyResult<()> {
    table.set_item(name, rows.iter().map(text).collect::<Vec<&str>>())
}

/// Adds a column of numbers to a table.
fn numbers<'r, R, T: Element>(
    table: &Bound<PyDict>,
    name: &str,
    rows: &'r [R],
    number: impl Fn(&'r R) -> T,
) -> PyResult<()> {
    table.set_item(name, PyArray1::from_iter(table.py(), rows.iter().map(number)))
}

fn unit(figure: &Figure) -> &'static str {
    match figure.unit {
        Unit::Share => "share",
        Unit::Number => "number",
        Unit::Count => "count",
        Unit::PowerOfTen => "power-of-ten",
    }
}

fn bound(bound: f64) -> f64 {
    if bound.is_finite() { bound } else { f64::NAN }
}

/// Adds the columns of figures of two games.
fn compared(table: &Bound<PyDict>, rows: &[&FigureComparison]) -> PyResult<()> {
    texts(table, "measure", rows, |figure| figure.measure)?;
    texts(table, "title", rows, |figure| figure.title)?;
    texts(table, "what", rows, |figure| &figure.own.what)?;
    texts(table, "unit", rows, |figure| unit(&figure.own))?;
    for (name, of) in [
        ("own", (|figure| &figure.own) as fn(&FigureComparison) -> &Figure),
        ("other", |figure| &figure.other),
    ] {
        numbers(table, name, rows, |figure| of(figure).value)?;
        numbers(table, &format!("{name} low"), rows, |figure| bound(of(figure).low))?;
        numbers(table, &format!("{name} high"), rows, |figure| bound(of(figure).high))?;
    }
    numbers(table, "p", rows, |figure| figure.p)?;
    numbers(table, "differs", rows, |figure| figure.differs)
}

#[pymethods]
impl PyPlaytestReport {
    /// Whether all games were played, and not one shard or some of them.
    #[getter]
    fn is_complete(&self) -> bool {
        self.0.is_complete()
    }

    /// A row for each figure.
    fn figures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let measures = py.detach(|| self.0.measures());
        let rows: Vec<(&Measure, &Figure)> = measures
            .iter()
            .flat_map(|measure| measure.figures.iter().map(move |figure| (measure, figure)))
            .collect();
        let table = PyDict::new(py);
        texts(&table, "measure", &rows, |(measure, _)| measure.key)?;
        texts(&table, "title", &rows, |(measure, _)| measure.title)?;
        texts(&table, "what", &rows, |(_, figure)| &figure.what)?;
        texts(&table, "who", &rows, |(_, figure)| &figure.who)?;
        texts(&table, "unit", &rows, |(_, figure)| unit(figure))?;
        numbers(&table, "value", &rows, |(_, figure)| figure.value)?;
        numbers(&table, "low", &rows, |(_, figure)| bound(figure.low))?;
        numbers(&table, "high", &rows, |(_, figure)| bound(figure.high))?;
        numbers(&table, "sample", &rows, |(_, figure)| figure.sample as i64)?;
        texts(&table, "of", &rows, |(_, figure)| figure.of)?;
        Ok(table)
    }

    /// A row for each recorded game: all games, or the first of many random ones. ``who`` met, the
    /// ``number`` of the game among theirs, its length in ``plies``, rolls included, and its
    /// ``moves`` as a list of texts; for each player the computer player as ``seat NAME``, and the
    /// score as ``score NAME`` (1 for a win, 0 for a loss, a part of 1 for a draw, NaN for a game
    /// without an end). Numbers are arrays of shape (games,), int64 or float64.
    fn games<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (games, rules) = (self.0.games(), self.0.game());
        let table = PyDict::new(py);
        texts(&table, "who", &games, |game| &game.who)?;
        numbers(&table, "number", &games, |game| game.number as i64)?;
        numbers(&table, "plies", &games, |game| game.moves.len() as i64)?;
        for player in rules.players() {
            let (index, name) = (player.index(), rules.name_of(player));
            texts(&table, &format!("seat {name}"), &games, |game| &game.seats[index])?;
            numbers(&table, &format!("score {name}"), &games, |game| {
                game.scores.as_ref().map_or(f64::NAN, |scores| scores[index])
            })?;
        }
        table.set_item("moves", games.into_iter().map(|game| game.moves).collect::<Vec<_>>())?;
        Ok(table)
    }

    /// A row for each figure of each game of ``compare_with``: the ``game``, the ``player`` of both
    /// games, the figure of the tested game as ``own`` and that of the other as ``other``, and
    /// whether it ``differs``, with its p-value ``p``, corrected for all tests.
    fn comparisons<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let games = self.0.comparisons();
        let rows: Vec<(&GameComparison, &FigureComparison)> = games
            .iter()
            .flat_map(|game| game.figures.iter().map(move |figure| (game, figure)))
            .collect();
        let table = PyDict::new(py);
        texts(&table, "game", &rows, |(game, _)| &game.game)?;
        texts(&table, "player", &rows, |(game, _)| game.player.as_deref().unwrap_or_default())?;
        compared(&table, &rows.iter().map(|(_, figure)| *figure).collect::<Vec<_>>())?;
        Ok(table)
    }

    /// A row for each rule that can be left out: its ``file``, ``line`` and text, and as ``verdict``
    /// what leaving it out does: ``same`` (nothing, in all positions), ``alike`` (no difference that
    /// matters), ``different``, ``unknown`` (too few games), ``endless`` or ``over``. ``games`` were
    /// played without it; ``p`` is the p-value that a figure differs by the margin or more, and
    /// ``enough`` the number of games that would do, NaN where there is none. None without
    /// ``leave_out``, or if there are too few games to say.
    fn omissions<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(rows) = self.0.omissions() else { return Ok(None) };
        let table = PyDict::new(py);
        texts(&table, "file", &rows, |rule: &Omission| &rule.file)?;
        numbers(&table, "line", &rows, |rule| rule.line as i64)?;
        texts(&table, "rule", &rows, |rule| &rule.rule)?;
        texts(&table, "verdict", &rows, |rule| match rule.verdict {
            Verdict::Same => "same",
            Verdict::Alike => "alike",
            Verdict::Different => "different",
            Verdict::Unknown => "unknown",
            Verdict::Endless => "endless",
            Verdict::Over => "over",
        })?;
        numbers(&table, "games", &rows, |rule| rule.games as i64)?;
        numbers(&table, "p", &rows, |rule| rule.p.unwrap_or(f64::NAN))?;
        numbers(&table, "enough", &rows, |rule| {
            rule.enough.map_or(f64::NAN, |games| games as f64)
        })?;
        Ok(Some(table))
    }

    /// A summary of some lines.
    fn text(&self, py: Python) -> String {
        py.detach(|| self.0.text())
    }

    /// A page with all figures and plots.
    fn html(&self, py: Python) -> String {
        py.detach(|| self.0.html())
    }

    fn markdown(&self, py: Python) -> String {
        py.detach(|| self.0.markdown())
    }

    /// Everything, as ``ludwright schema playtest`` describes it; what `merge` and ``ludwright
    /// merge`` read.
    fn json(&self, py: Python) -> String {
        py.detach(|| self.0.json())
    }

    fn __str__(&self, py: Python) -> String {
        self.text(py)
    }
}
