//! Arrays of numpy.

use numpy::ndarray::{ArrayView, Dimension};
use numpy::{Element, PyArray, PyArray1, PyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;

/// Makes an array of truth values.
pub fn flags(py: Python, flags: Vec<bool>) -> Bound<PyArray1<bool>> {
    PyArray1::from_vec(py, flags)
}

/// Makes an array of rows, each of this length.
pub fn matrix<'py, T: Element>(
    py: Python<'py>,
    rows: &[Vec<T>],
    length: usize,
) -> Bound<'py, PyArray2<T>> {
    match PyArray2::from_vec2(py, rows) {
        Ok(matrix) if matrix.shape().get(1) == Some(&length) => matrix,
        // Without rows, it still has columns.
        _ => PyArray2::zeros(py, [rows.len(), length], false),
    }
}

/// Shows numbers of an object as an array that cannot be written to, without copying them.
///
/// # Safety
/// As long as the object exists, the numbers stay where they are.
pub unsafe fn shown<'py, T: Element, D: Dimension>(
    numbers: &ArrayView<T, D>,
    of: Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray<T, D>>> {
    // SAFETY: the array keeps the object, which keeps the numbers.
    let array = unsafe { PyArray::borrow_from_array(numbers, of) };
    array.call_method1("setflags", (false,))?;
    Ok(array)
}
