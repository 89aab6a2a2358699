//! Many games at once.

use super::arrays::shown;
use super::{EndlessGame, IllegalMove, PyGame};
use crate::library::batch::{Batch, BatchError};
use numpy::ndarray::{ArrayView, Dimension, Ix1, Ix2, Ix3, StrideShape};
use numpy::{Element, PyArray, PyArray1, PyArray2, PyArray3, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Games of one kind side by side, on all cores. Wherever one ends, the next begins in its place.
/// Dice are rolled by the seed.
///
/// The arrays are the environment's own memory: they are not copied, cannot be written to, and
/// change with each step.
#[pyclass(name = "VecEnv", module = "ludwright")]
pub struct PyVecEnv {
    batch: Batch,
    games: usize,
    players: usize,
    planes: usize,
    sites: usize,
}

fn refused(error: BatchError) -> PyErr {
    match error {
        BatchError::Illegal(_) => IllegalMove::new_err(error.to_string()),
        BatchError::Endless(error) => EndlessGame::new_err(error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    }
}

/// Shows some of the numbers of the batch.
fn array<'py, T: Element, D: Dimension>(
    of: &Bound<'py, PyVecEnv>,
    numbers: impl for<'b> FnOnce(&'b PyVecEnv) -> (&'b [T], StrideShape<D>),
) -> PyResult<Bound<'py, PyArray<T, D>>> {
    let this = of.try_borrow()?;
    let (numbers, shape) = numbers(&this);
    let view = ArrayView::from_shape(shape, numbers)
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    // SAFETY: a batch never moves its numbers; what reads them during a step sees some of both.
    unsafe { shown(&view, of.clone().into_any()) }
}

#[pymethods]
impl PyVecEnv {
    #[new]
    #[pyo3(signature = (game, games, seed = 0, threads = None, longest = 10_000))]
    fn new(
        py: Python,
        game: &PyGame,
        games: usize,
        seed: u64,
        threads: Option<usize>,
        longest: u32,
    ) -> PyResult<PyVecEnv> {
        let game = &game.0;
        let batch = py.detach(|| Batch::new(game, games, seed)).map_err(refused)?.longest(longest);
        Ok(PyVecEnv {
            batch: match threads {
                Some(threads) => batch.threads(threads),
                None => batch,
            },
            games,
            players: game.players().len(),
            planes: game.planes().len(),
            sites: game.sites().len(),
        })
    }

    fn __len__(&self) -> usize {
        self.games
    }

    /// Takes an action in each game: shape (games,). Raises `IllegalMove`, and nothing has changed.
    /// The lock of the interpreter is released.
    fn step(&mut self, py: Python, actions: PyReadonlyArray1<i64>) -> PyResult<()> {
        // A negative number is no action.
        let actions = actions.as_array().iter().map(|&action| action as usize).collect::<Vec<_>>();
        py.detach(|| self.batch.step(&actions)).map_err(refused)
    }

    /// A legal action for each game, all equally likely: shape (games,).
    fn sample<'py>(&self, py: Python<'py>, seed: u64) -> Bound<'py, PyArray1<i64>> {
        let actions = self.batch.sample(seed);
        PyArray1::from_vec(py, actions.into_iter().map(|action| action as i64).collect())
    }

    /// Which actions are legal: shape (games, actions).
    #[getter]
    fn masks<'py>(of: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<bool>>> {
        array::<_, Ix2>(of, |this| {
            (this.batch.masks(), (this.games, this.batch.action_count()).into())
        })
    }

    /// What the player to move sees: shape (games, planes, sites).
    #[getter]
    fn observations<'py>(of: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray3<f32>>> {
        array::<_, Ix3>(of, |this| {
            (this.batch.observations(), (this.games, this.planes, this.sites).into())
        })
    }

    /// The person to move, as `State.person`: shape (games,).
    #[getter]
    fn movers<'py>(of: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<u8>>> {
        array::<_, Ix1>(of, |this| (this.batch.movers(), this.games.into()))
    }

    /// The games that the last step has ended: shape (games,). Where one ended, all arrays
    /// but `returns` describe the next game.
    #[getter]
    fn ended<'py>(of: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        array::<_, Ix1>(of, |this| (this.batch.ended(), this.games.into()))
    }

    /// The scores of the persons of each game that the last step has ended, zeros elsewhere: shape
    /// (games, players).
    #[getter]
    fn returns<'py>(of: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        array::<_, Ix2>(of, |this| (this.batch.returns(), (this.games, this.players).into()))
    }
}
