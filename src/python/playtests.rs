//! Playtests, as tables: dictionaries with a column by name, of which pandas makes data frames.

use super::PyGame;
use crate::library::playtests::{Figure, Measure, Playtest, PlaytestError, PlaytestReport, Unit};
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
/// ``shard`` is ``(part, of)``, from 1: only this part is played; `merge` makes the whole. The same
/// seed gives the same figures on any number of threads, unless players have a time for their
/// moves. The lock of the interpreter is released. Raises `ValueError`.
#[pyfunction]
#[pyo3(signature = (game, players = None, games = None, seed = 1, threads = 1, shard = None))]
pub fn playtest(
    py: Python,
    game: &PyGame,
    players: Option<Seats>,
    games: Option<u64>,
    seed: u64,
    threads: usize,
    shard: Option<(usize, usize)>,
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
        texts(&table, "unit", &rows, |(_, figure)| match figure.unit {
            Unit::Share => "share",
            Unit::Number => "number",
            Unit::Count => "count",
            Unit::PowerOfTen => "power-of-ten",
        })?;
        let bound = |bound: f64| if bound.is_finite() { bound } else { f64::NAN };
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
