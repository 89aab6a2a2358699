//! The library as a module of Python: games, states, players, exact values, playtests, and many
//! games at once on arrays of numpy. The documentation of what Python sees is here for `help`, and
//! the same in `ludwright/__init__.pyi` for editors.
//!
//! Players, moves and sites are numbers and texts here, not objects: a move is its spelling, or the
//! index of its action.

mod arrays;
mod players;
mod playtests;
mod vec_env;

use crate::library::batch::BatchError;
use crate::library::perft::perft;
use crate::library::players::roll;
use crate::library::playouts::Playouts;
use crate::library::records::{Format, Record, read_as, read_position, write_as, write_position};
use crate::library::{Game, Move, Outcome, Player, State, Turn};
use crate::load::LoadError;
use arrays::{flags, matrix};
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;

pyo3::create_exception!(
    ludwright,
    RulesError,
    PyValueError,
    "Rules have errors, or cannot be read. The text is the report that ``ludwright check`` prints."
);
pyo3::create_exception!(
    ludwright,
    IllegalMove,
    PyValueError,
    "A move is not legal. The text says why."
);
pyo3::create_exception!(
    ludwright,
    EndlessGame,
    PyRuntimeError,
    "Rules never reach the next move, or take too long."
);

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
    module.add_class::<players::PyBot>()?;
    module.add_class::<players::PySolver>()?;
    module.add_class::<vec_env::PyVecEnv>()?;
    module.add_class::<playtests::PyPlaytestReport>()?;
    module.add_function(wrap_pyfunction!(playtests::playtest, module)?)?;
    module.add_function(wrap_pyfunction!(playtests::merge, module)?)
}

/// A game with its options. Cheap to copy.
///
/// Loads a rules file. Raises `RulesError`.
#[pyclass(name = "Game", module = "ludwright", frozen)]
struct PyGame(Game);

/// A game in progress: a position with all that was played before. Jupyter shows it as a picture.
#[pyclass(name = "State", module = "ludwright")]
struct PyState(State);

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

    /// Loads rules from their text. Raises `RulesError`.
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

    /// The values that were chosen, as texts.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let options = PyDict::new(py);
        for option in self.0.options() {
            options.set_item(option.name, option.chosen)?;
        }
        Ok(options)
    }

    #[getter]
    fn has_dice(&self) -> bool {
        self.0.has_dice()
    }

    /// The labels of the sites: row by row from the bottom, each from the left.
    #[getter]
    fn sites(&self) -> Vec<String> {
        self.0.sites().map(|site| self.0.label(site).to_owned()).collect()
    }

    /// The column and the row of each site in the drawing, from 0: shape (sites, 2).
    #[getter]
    fn places<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i64>> {
        let places = self.0.sites().filter_map(|site| self.0.place(site));
        let places: Vec<Vec<i64>> =
            places.map(|(column, row)| vec![column as i64, row as i64]).collect();
        matrix(py, &places, 2)
    }

    /// The neighbours of a site by direction.
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

    /// What each plane of an observation shows: a kind of piece of a player, a memory, who is to
    /// move, the point in the order of play.
    #[getter]
    fn planes(&self) -> Vec<String> {
        self.0.planes().to_vec()
    }

    /// The number of actions. Raises `ValueError` for games that have too many to be numbered.
    #[getter]
    fn action_count(&self) -> PyResult<usize> {
        let count = self.0.action_count();
        count.ok_or_else(|| PyValueError::new_err(BatchError::TooManyActions.to_string()))
    }

    /// The spelling of an action, which may be legal in no position.
    fn action_name(&self, action: usize) -> Option<String> {
        self.0.action_name(action)
    }

    /// The first position.
    fn start(&self) -> PyState {
        PyState(self.0.start())
    }

    /// A position as `State.position` writes it. Raises `ValueError`.
    fn read_position(&self, text: &str) -> PyResult<PyState> {
        let read = read_position(&self.0, text);
        read.map(PyState).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// The state after a record, as `State.record` writes it. Raises `ValueError`.
    fn read_record(&self, text: &str) -> PyResult<PyState> {
        let record = text.parse::<Record>();
        let played = record.and_then(|record| record.replay(&self.0));
        played.map(PyState).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// A game or a position of another program, in a format that the `notation` of the rules describes:
    /// "pgn", "sgf", "fen" or "diagram". Raises `ValueError`.
    fn read(&self, format: &str, text: &str) -> PyResult<PyState> {
        let read = read_as(&self.0, format_named(format)?, text);
        read.map(PyState).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    fn __repr__(&self) -> String {
        format!("<ludwright.Game {:?}>", self.0.title())
    }
}

/// Finds a format by its word in rules.
fn format_named(word: &str) -> PyResult<Format> {
    let unknown = || PyValueError::new_err(format!("there is no format {word:?}"));
    Format::from_word(word).ok_or_else(unknown)
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

    /// The player to move; -1 if dice are rolled next; `None` if the game is over.
    #[getter]
    fn mover(&self) -> Option<i64> {
        actor(self.0.turn())
    }

    /// The person to move, by the colour with which he began, as in `returns`; as `mover`, except
    /// after a swap by the pie rule.
    #[getter]
    fn person(&self) -> Option<i64> {
        actor(self.0.personal_turn())
    }

    /// Whether the persons have swapped their colours by the pie rule.
    #[getter]
    fn is_swapped(&self) -> bool {
        self.0.is_swapped()
    }

    #[getter]
    fn is_over(&self) -> bool {
        self.0.outcome().is_some()
    }

    /// The person who has won, by the colour with which he began; `None` without one.
    #[getter]
    fn winner(&self) -> Option<usize> {
        match self.0.personal_outcome()? {
            Outcome::Win(player) => Some(player.index()),
            _ => None,
        }
    }

    /// The score of each person once the game is over, by the colour with which he began.
    fn returns(&self) -> Option<Vec<f64>> {
        self.0.returns()
    }

    /// The legal moves, or the rolls that can come.
    fn moves(&self) -> Vec<String> {
        self.0.moves().map(|ply| self.0.spell(ply)).collect()
    }

    /// The actions of the legal moves, in the same order.
    fn actions(&self) -> Vec<usize> {
        self.0.moves().filter_map(|ply| self.0.action(ply)).collect()
    }

    /// The rolls that can come next with their probabilities; empty if a player is to move.
    fn rolls(&self) -> Vec<(String, f64)> {
        self.0.rolls().into_iter().map(|(roll, chance)| (self.0.spell(roll), chance)).collect()
    }

    /// The action of a move. Raises `IllegalMove` if it cannot be read here.
    fn action(&self, ply: &str) -> PyResult<Option<usize>> {
        Ok(self.0.action(self.find(&AnyMove::Text(ply.to_owned()))?))
    }

    /// Plays a move, given by its action or its spelling. Raises `IllegalMove` or `EndlessGame`;
    /// the state is then unchanged.
    fn play(&mut self, ply: AnyMove) -> PyResult<()> {
        let found = self.find(&ply)?;
        self.0.play(found).map_err(endless)
    }

    /// Rolls the dice; `None` if no roll comes next. The same seed gives the same roll.
    fn roll(&mut self, seed: u64) -> PyResult<Option<String>> {
        let Some(rolled) = roll(&self.0, seed) else { return Ok(None) };
        let spelled = self.0.spell(rolled);
        self.0.play(rolled).map_err(endless)?;
        Ok(Some(spelled))
    }

    /// Takes back the last move; `None` if there is none.
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

    /// Which actions are legal: shape (actions,).
    fn mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let mut mask = vec![false; self.game().action_count()?];
        self.0.mask(&mut mask);
        Ok(flags(py, mask))
    }

    /// What a player sees: shape (planes, sites).
    fn observe<'py>(&self, py: Python<'py>, player: usize) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let (player, game) = (self.player(player)?, self.0.game());
        let sites = game.sites().len();
        let mut planes = vec![0.0; game.planes().len() * sites];
        self.0.observe(player, &mut planes);
        let planes: Vec<Vec<f32>> = planes.chunks(sites.max(1)).map(<[f32]>::to_vec).collect();
        Ok(matrix(py, &planes, sites))
    }

    /// The kind and the owner of the piece on each occupied site.
    fn pieces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let pieces = PyDict::new(py);
        for piece in self.0.pieces() {
            pieces.set_item(piece.site, (piece.name, piece.owner.map(Player::index)))?;
        }
        Ok(pieces)
    }

    /// The number of sequences of exactly this many moves.
    fn perft(&self, py: Python, depth: u32) -> PyResult<u64> {
        py.detach(|| perft(&self.0, depth)).map_err(endless)
    }

    /// Random games from here: ``games``, ``wins`` by player, ``draws``, ``unfinished``, ``plies``.
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

    /// A hash of the position, the same for positions that differ only in what was played before.
    fn hash(&self) -> u64 {
        self.0.hash()
    }

    fn position(&self) -> String {
        write_position(&self.0)
    }

    fn record(&self) -> String {
        Record::of(&self.0).to_string()
    }

    /// The game, or the position, as another program writes it, in a format of `Game.read`. Raises
    /// `ValueError`.
    fn write(&self, format: &str) -> PyResult<String> {
        let written = write_as(&self.0, format_named(format)?);
        written.map_err(|error| PyValueError::new_err(error.to_string()))
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

/// Returns the index of the player to move, -1 if dice are rolled next, `None` if the game is over.
fn actor(turn: Turn) -> Option<i64> {
    match turn {
        Turn::Player(player) => Some(player.index() as i64),
        Turn::Chance => Some(-1),
        Turn::Over => None,
    }
}
