//! Computer players and exact values.

use super::{PyState, endless};
use crate::library::players::{Bot, Thinking};
use crate::library::solver::{Solver, Value};
use crate::library::{Move, State};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// A computer player. It keeps its search tree between the moves of a game, so each player of a
/// game needs its own.
///
/// ``random``, ``greedy``, ``learned``, or a search with a time or a number of iterations:
/// ``mcts:2s``, ``strong:500it``. Memory in bytes.
#[pyclass(name = "Bot", module = "ludwright", frozen)]
pub struct PyBot(Mutex<Bot>);

/// Finds exact values. Limits: seconds (600 by default), bytes (2 GB by default), or positions
/// instead of the time. With several threads values are the same, but which of the first moves are
/// known may differ.
#[pyclass(name = "Solver", module = "ludwright", frozen)]
pub struct PySolver(Solver);

/// Runs what takes long without the lock of the interpreter. `go_on` is false once Python wants to
/// interrupt it, as after Ctrl-C, which is then raised.
fn interruptible<T: Send>(
    py: Python,
    run: impl FnOnce(&mut (dyn FnMut() -> bool + Send)) -> T + Send,
) -> PyResult<T> {
    let mut signals = Ok(());
    let found = py.detach(|| {
        run(&mut || {
            signals = Python::attach(|py| py.check_signals());
            signals.is_ok()
        })
    });
    signals.map(|()| found)
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

    /// A move, and what the search has found; `None` if no player is to move. The lock of the
    /// interpreter is released, and Ctrl-C ends the search.
    fn choose<'py>(
        &self,
        py: Python<'py>,
        state: &PyState,
    ) -> PyResult<Option<(String, Option<Bound<'py, PyDict>>)>> {
        let state = &state.0;
        let chosen = interruptible(py, |go_on| {
            let mut bot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            bot.choose_while(state, |_| go_on())
        })?;
        let Some(choice) = chosen.map_err(endless)? else { return Ok(None) };
        let thinking =
            choice.thinking.map(|thinking| describe(py, state, &thinking)).transpose()?;
        Ok(Some((state.spell(choice.ply), thinking)))
    }
}

#[pymethods]
impl PySolver {
    #[new]
    #[pyo3(signature = (time = None, memory = None, positions = None, threads = 1))]
    fn new(
        time: Option<f64>,
        memory: Option<u64>,
        positions: Option<u64>,
        threads: usize,
    ) -> PyResult<PySolver> {
        let mut solver = Solver::new().threads(threads);
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

    /// ``value`` is ``win`` (with the ``winner``), ``draw``, ``open``, ``score`` (with the
    /// ``score`` of the first player) or ``unknown``; further ``distance``, ``moves`` (each with
    /// its value, distance and whether it is ``best``), ``line`` and ``positions``.
    fn solve<'py>(&self, py: Python<'py>, state: &PyState) -> PyResult<Bound<'py, PyDict>> {
        let state = &state.0;
        let solution = interruptible(py, |go_on| self.0.solve_while(state, |_| go_on()))?;
        let solution = solution.map_err(endless)?;
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
