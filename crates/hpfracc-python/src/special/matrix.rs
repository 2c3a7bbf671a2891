//! Mittag-Leffler functions of matrices.

use super::argument::{Number, Precision, RealOrComplex, Values};
use super::output::{Output, room};
use super::place::{index_of, raise};
use super::work;
use crate::errors;
use hpfracc::nalgebra::DMatrix;
use hpfracc::special::{self, SpecialError};
use ndarray::{ArrayView2, ArrayViewD, Axis};
use num_complex::Complex64;
use pyo3::prelude::*;

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(mittag_leffler_matrix, module)?)
}

#[pyfunction]
#[pyo3(signature = (a, alpha, beta))]
fn mittag_leffler_matrix<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    alpha: f64,
    beta: f64,
) -> PyResult<Bound<'py, PyAny>> {
    match RealOrComplex::of("a", a)? {
        RealOrComplex::Real(a) => {
            let single = a.precision == Precision::Single;
            let of = |a: &DMatrix<f64>| special::mittag_leffler_matrix(alpha, beta, a);
            of_stack(py, &a.values, single, of)
        }
        RealOrComplex::Complex(a) => {
            let single = a.precision == Precision::Single;
            let of =
                |a: &DMatrix<Complex64>| special::mittag_leffler_matrix_complex(alpha, beta, a);
            of_stack(py, &a.values, single, of)
        }
    }
}

/// The function of each matrix in the last two axes.
fn of_stack<'py, T>(
    py: Python<'py>,
    values: &Values<'py, T>,
    single: bool,
    of: impl Fn(&DMatrix<T>) -> Result<DMatrix<T>, SpecialError> + Sync,
) -> PyResult<Bound<'py, PyAny>>
where
    T: Number + hpfracc::nalgebra::Scalar,
{
    let view = values.view();
    let shape = view.shape().to_vec();
    let [batch @ .., rows, columns] = &shape[..] else {
        let message = format!("a has the shape {shape:?}, expected (..., n, n)");
        return Err(errors::input(message));
    };
    if rows != columns {
        let message = format!("a has the shape {shape:?}, expected square matrices (..., n, n)");
        return Err(errors::input(message));
    }
    let (n, ndim) = (*rows, batch.len());
    let matrices = batch.iter().product::<usize>();
    let (object, mut output) = Output::new(py, &shape, single, None, || ())?;
    let mut numbers = room(view.len())?;
    // About 50 operations for each of n^3 numbers.
    let nanoseconds = matrices as f64 * (5e3 + 50.0 * (n as f64).powi(3));
    let result = work::run(py, nanoseconds, |cancel| {
        for at in 0..matrices {
            if cancel.requested() {
                break;
            }
            let a = matrix(&view, ndim, batch, at);
            let a = DMatrix::from_fn(n, n, |row, column| a[[row, column]]);
            let value = of(&a).map_err(|error| (error, at))?;
            // Row after row.
            numbers.extend(value.transpose().iter().copied());
        }
        Ok::<_, (SpecialError, usize)>(())
    })?;
    result.map_err(|(error, at)| raise(&error, &index_of(at, batch)))?;
    output.view().assign(&numbers);
    Ok(object)
}

/// The matrix of a number in the stack.
fn matrix<'a, T: Copy>(
    view: &'a ArrayViewD<'a, T>,
    ndim: usize,
    batch: &[usize],
    at: usize,
) -> ArrayView2<'a, T> {
    let mut part = view.view();
    for index in index_of(at, batch) {
        part.index_axis_inplace(Axis(0), index);
    }
    debug_assert_eq!(part.ndim() + ndim, view.ndim());
    let part = part.into_dimensionality();
    part.unwrap_or_else(|_| unreachable!("two axes remain of a stack of matrices"))
}
