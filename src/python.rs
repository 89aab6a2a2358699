//! The library as a module of Python: games, states, players, exact values, and many games at once
//! on arrays of numpy. What Python sees is described in `ludwright/__init__.pyi`.
//!
//! Players, moves and sites are numbers and texts here, not objects: a move is its spelling, or the
//! index of its action.

mod arrays;
mod vec_env;

use crate::library::batch::BatchError;
use crate::library::perft::perft;
use crate::library::players::{Bot, Thinking, roll};
use crate::library::playouts::Playouts;
use crate::library::records::{Record, read_position, write_position};
use crate::library::solver::{Solver, Value};
use crate::library::{Game, Move, Outcome, Player, State, Turn};
use crate::load::LoadError;
use arrays::{flags, matrix};
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

pyo3::create_exception!(
    ludwright,
    RulesError,
    PyValueError,
    "Rules have errors, or cannot be read."
);
pyo3::create_exception!(ludwright, IllegalMove, PyValueError, "A move is not legal.");
pyo3::create_exception!(ludwright, EndlessGame, PyRuntimeError, "Rules never reach the next move.");

/// The module `ludwright._native`.
#[pymodule]
fn _native(module: &Bound<PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("RulesError", py.get_type::<RulesError>())?;
    module.add("IllegalMove", py.get_type::<IllegalMove>())?;
    module.add("EndlessGame", py.get_type::<EndlessGame>())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<PyGame>()?;
    module.add_class::<PyState>()?;
    module.add_class::<PyBot>()?;
    module.add_class::<PySolver>()?;
    module.add_class::<vec_env::PyVecEnv>()
}

/// A game with its options.
#[pyclass(name = "Game", module = "ludwright", frozen)]
struct PyGame(Game);

/// A game in progress.
#[pyclass(name = "State", module = "ludwright")]
struct PyState(State);

/// A computer player.
#[pyclass(name = "Bot", module = "ludwright", frozen)]
struct PyBot(Mutex<Bot>);

/// A solver with its limits.
#[pyclass(name = "Solver", module = "ludwright", frozen)]
struct PySolver(Solver);

/// Returns the options that were given by name, as the library takes them.
fn chosen(options: Option<&Bound<PyDict>>) -> PyResult<Vec<(String, String)>> {
    let Some(options) = options else { return Ok(Vec::new()) };
    options.iter().map(|(name, value)| Ok((name.to_string(), value.str()?.to_string()))).collect()
}

fn load(
    py: Python,
    options: Option<&Bound<PyDict>>,
    load: impl FnOnce(&[(&str, &str)]) -> Result<Game, LoadError> + Send,
) -> PyResult<PyGame> {
    let options = chosen(options)?;
    let options: Vec<(&str, &str)> =
        options.iter().map(|(name, value)| (&**name, &**value)).collect();
    let loaded = py.detach(|| load(&options));
    loaded.map(PyGame).map_err(|error| RulesError::new_err(error.report()))
}

fn endless(error: impl ToString) -> PyErr {
    EndlessGame::new_err(error.to_string())
}

#[pymethods]
impl PyGame {
    #[new]
    #[pyo3(signature = (path, **options))]
    fn new(py: Python, path: PathBuf, options: Option<&Bound<PyDict>>) -> PyResult<PyGame> {
        load(py, options, |options| Game::from_file(&path, options))
    }

    #[staticmethod]
    #[pyo3(signature = (text, **options))]
    fn from_text(py: Python, text: &str, options: Option<&Bound<PyDict>>) -> PyResult<PyGame> {
        load(py, options, |options| Game::from_source(text, options))
    }

    #[getter]
    fn title(&self) -> &str {
        self.0.title()
    }

    #[getter]
    fn players(&self) -> Vec<String> {
        self.0.players().map(|player| self.0.name_of(player).to_owned()).collect()
    }

    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let options = PyDict::new(py);
        for option in self.0.options() {
            options.set_item(option.name, option.chosen)?;
        }
        Ok(options)
    }

    #[getter]
    fn sites(&self) -> Vec<String> {
        self.0.sites().map(|site| self.0.label(site).to_owned()).collect()
    }

    #[getter]
    fn places<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i64>> {
        let places = self.0.sites().filter_map(|site| self.0.place(site));
        let places: Vec<Vec<i64>> =
            places.map(|(column, row)| vec![column as i64, row as i64]).collect();
        matrix(py, &places, 2)
    }

    fn neighbors<'py>(&self, py: Python<'py>, site: &str) -> PyResult<Bound<'py, PyDict>> {
        let known = self.0.site(site);
        let site =
            known.ok_or_else(|| PyValueError::new_err(format!("there is no site {site}")))?;
        let neighbors = PyDict::new(py);
        for (direction, site) in self.0.neighbors(site) {
            neighbors.set_item(direction, self.0.label(site))?;
        }
        Ok(neighbors)
    }

    #[getter]
    fn planes(&self) -> Vec<String> {
        self.0.planes().to_vec()
    }

    #[getter]
    fn action_count(&self) -> PyResult<usize> {
        let count = self.0.action_count();
        count.ok_or_else(|| PyValueError::new_err(BatchError::TooManyActions.to_string()))
    }

    fn action_name(&self, action: usize) -> Option<String> {
        self.0.action_name(action)
    }

    fn start(&self) -> PyState {
        PyState(self.0.start())
    }

    fn read_position(&self, text: &str) -> PyResult<PyState> {
        let read = read_position(&self.0, text);
        read.map(PyState).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    fn read_record(&self, text: &str) -> PyResult<PyState> {
        let record = text.parse::<Record>();
        let played = record.and_then(|record| record.replay(&self.0));
        played.map(PyState).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    fn __repr__(&self) -> String {
        format!("<ludwright.Game {:?}>", self.0.title())
    }
}

/// A move: its spelling, or the index of its action.
#[derive(FromPyObject)]
enum AnyMove {
    Action(usize),
    Text(String),
}

impl PyState {
    fn find(&self, ply: &AnyMove) -> PyResult<Move> {
        match ply {
            AnyMove::Action(action) => self.0.move_of(*action).ok_or_else(|| {
                let name = self.0.game().action_name(*action);
                let named = name.map(|name| format!(" ({name})")).unwrap_or_default();
                IllegalMove::new_err(format!("the action {action}{named} is not legal"))
            }),
            AnyMove::Text(text) => {
                self.0.parse_move(text).map_err(|error| IllegalMove::new_err(error.to_string()))
            }
        }
    }

    fn player(&self, index: usize) -> PyResult<Player> {
        let player = self.0.game().players().nth(index);
        player.ok_or_else(|| PyValueError::new_err(format!("there is no player {index}")))
    }
}

#[pymethods]
impl PyState {
    #[getter]
    fn game(&self) -> PyGame {
        PyGame(self.0.game().clone())
    }

    /// The index of the player to move, -1 if dice are rolled next, `None` if the game is over.
    #[getter]
    fn mover(&self) -> Option<i64> {
        match self.0.turn() {
            Turn::Player(player) => Some(player.index() as i64),
            Turn::Chance => Some(-1),
            Turn::Over => None,
        }
    }

    #[getter]
    fn is_over(&self) -> bool {
        self.0.outcome().is_some()
    }

    #[getter]
    fn winner(&self) -> Option<usize> {
        match self.0.personal_outcome()? {
            Outcome::Win(player) => Some(player.index()),
            _ => None,
        }
    }

    fn returns(&self) -> Option<Vec<f64>> {
        self.0.returns()
    }

    fn moves(&self) -> Vec<String> {
        self.0.moves().map(|ply| self.0.spell(ply)).collect()
    }

    fn actions(&self) -> Vec<usize> {
        self.0.moves().filter_map(|ply| self.0.action(ply)).collect()
    }

    fn rolls(&self) -> Vec<(String, f64)> {
        self.0.rolls().into_iter().map(|(roll, chance)| (self.0.spell(roll), chance)).collect()
    }

    fn action(&self, ply: &str) -> PyResult<Option<usize>> {
        Ok(self.0.action(self.find(&AnyMove::Text(ply.to_owned()))?))
    }

    fn play(&mut self, ply: AnyMove) -> PyResult<()> {
        let found = self.find(&ply)?;
        self.0.play(found).map_err(endless)
    }

    fn roll(&mut self, seed: u64) -> PyResult<Option<String>> {
        let Some(rolled) = roll(&self.0, seed) else { return Ok(None) };
        let spelled = self.0.spell(rolled);
        self.0.play(rolled).map_err(endless)?;
        Ok(Some(spelled))
    }

    fn undo(&mut self) -> Option<String> {
        let last = self.0.undo()?;
        Some(self.0.spell(last))
    }

    #[getter]
    fn played(&self) -> Vec<String> {
        self.0.played().map(|ply| self.0.spell(ply)).collect()
    }

    fn copy(&self) -> PyState {
        PyState(self.0.clone())
    }

    fn __copy__(&self) -> PyState {
        self.copy()
    }

    fn mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let mut mask = vec![false; self.game().action_count()?];
        self.0.mask(&mut mask);
        Ok(flags(py, mask))
    }

    fn observe<'py>(&self, py: Python<'py>, player: usize) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let (player, game) = (self.player(player)?, self.0.game());
        let sites = game.sites().len();
        let mut planes = vec![0.0; game.planes().len() * sites];
        self.0.observe(player, &mut planes);
        let planes: Vec<Vec<f32>> = planes.chunks(sites.max(1)).map(<[f32]>::to_vec).collect();
        Ok(matrix(py, &planes, sites))
    }

    fn pieces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let pieces = PyDict::new(py);
        for piece in self.0.pieces() {
            pieces.set_item(piece.site, (piece.name, piece.owner.map(Player::index)))?;
        }
        Ok(pieces)
    }

    fn perft(&self, py: Python, depth: u32) -> PyResult<u64> {
        py.detach(|| perft(&self.0, depth)).map_err(endless)
    }

    #[pyo3(signature = (games, seed = 0, threads = 1, longest = 10_000))]
    fn playouts<'py>(
        &self,
        py: Python<'py>,
        games: u64,
        seed: u64,
        threads: usize,
        longest: u32,
    ) -> PyResult<Bound<'py, PyDict>> {
        let playouts = Playouts::new(games).seed(seed).threads(threads).longest(longest);
        let tally = py.detach(|| playouts.play(&self.0)).map_err(endless)?;
        let found = PyDict::new(py);
        found.set_item("games", tally.games)?;
        found.set_item("wins", tally.wins)?;
        found.set_item("draws", tally.draws)?;
        found.set_item("unfinished", tally.unfinished)?;
        found.set_item("plies", tally.plies)?;
        Ok(found)
    }

    fn hash(&self) -> u64 {
        self.0.hash()
    }

    fn position(&self) -> String {
        write_position(&self.0)
    }

    fn record(&self) -> String {
        Record::of(&self.0).to_string()
    }

    fn svg(&self) -> String {
        self.0.svg()
    }

    fn _repr_svg_(&self) -> String {
        self.0.svg()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<ludwright.State of {:?}: {}>", self.0.game().title(), self.0.situation())
    }
}

/// Describes a search.
fn describe<'py>(
    py: Python<'py>,
    state: &State,
    thinking: &Thinking,
) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    let mut moves = Vec::new();
    for thought in &thinking.moves {
        let each = PyDict::new(py);
        each.set_item("move", state.spell(thought.ply))?;
        each.set_item("action", state.action(thought.ply))?;
        each.set_item("visits", thought.visits)?;
        each.set_item("expected", thought.expected)?;
        each.set_item("proven", thought.is_proven)?;
        moves.push(each);
    }
    told.set_item("iterations", thinking.iterations)?;
    told.set_item("expected", &thinking.expected)?;
    told.set_item("proven", thinking.is_proven)?;
    told.set_item("moves", moves)?;
    told.set_item("line", spelled(state, &thinking.line))?;
    Ok(told)
}

/// Spells moves that are played one after the other.
fn spelled(state: &State, line: &[Move]) -> Vec<String> {
    line.iter().map(|&ply| state.spell(ply)).collect()
}

#[pymethods]
impl PyBot {
    #[new]
    #[pyo3(signature = (name = "mcts:1s", seed = 0, threads = 1, memory = 256 << 20))]
    fn new(name: &str, seed: u64, threads: usize, memory: usize) -> PyResult<PyBot> {
        let bot =
            Bot::named(name, seed).map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(PyBot(Mutex::new(bot.with(threads, memory))))
    }

    fn choose<'py>(
        &self,
        py: Python<'py>,
        state: &PyState,
    ) -> PyResult<Option<(String, Option<Bound<'py, PyDict>>)>> {
        let state = &state.0;
        let chosen = py.detach(|| match self.0.lock() {
            Ok(mut bot) => bot.choose(state),
            Err(broken) => broken.into_inner().choose(state),
        });
        let Some(choice) = chosen.map_err(endless)? else { return Ok(None) };
        let thinking =
            choice.thinking.map(|thinking| describe(py, state, &thinking)).transpose()?;
        Ok(Some((state.spell(choice.ply), thinking)))
    }
}

#[pymethods]
impl PySolver {
    #[new]
    #[pyo3(signature = (time = None, memory = None, positions = None))]
    fn new(time: Option<f64>, memory: Option<u64>, positions: Option<u64>) -> PyResult<PySolver> {
        let mut solver = Solver::new();
        if let Some(seconds) = time {
            let time = Duration::try_from_secs_f64(seconds);
            solver = solver.time(time.map_err(|error| PyValueError::new_err(error.to_string()))?);
        }
        if let Some(memory) = memory {
            solver = solver.memory(memory);
        }
        if let Some(positions) = positions {
            solver = solver.positions(positions);
        }
        Ok(PySolver(solver))
    }

    fn solve<'py>(&self, py: Python<'py>, state: &PyState) -> PyResult<Bound<'py, PyDict>> {
        let state = &state.0;
        let solution = py.detach(|| self.0.solve(state)).map_err(endless)?;
        let told = PyDict::new(py);
        let mut moves = Vec::new();
        for first in &solution.moves {
            let each = PyDict::new(py);
            each.set_item("move", state.spell(first.ply))?;
            each.set_item("action", state.action(first.ply))?;
            set_value(&each, first.value)?;
            each.set_item("distance", first.distance)?;
            each.set_item("best", first.is_best)?;
            moves.push(each);
        }
        set_value(&told, solution.value)?;
        told.set_item("distance", solution.distance)?;
        told.set_item("moves", moves)?;
        told.set_item("line", spelled(state, &solution.line))?;
        told.set_item("positions", solution.positions)?;
        Ok(told)
    }
}

/// Says a value: `value` is `win`, `draw`, `open`, `score` or `unknown`, with the `winner` or the
/// `score` of the first player.
fn set_value(told: &Bound<PyDict>, value: Value) -> PyResult<()> {
    let name = match value {
        Value::Win(_) => "win",
        Value::Draw => "draw",
        Value::Open => "open",
        Value::Score(_) => "score",
        Value::Unknown => "unknown",
    };
    told.set_item("value", name)?;
    match value {
        Value::Win(player) => told.set_item("winner", player.index()),
        Value::Score(score) => told.set_item("score", score),
        _ => Ok(()),
    }
}
