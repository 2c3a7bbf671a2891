//! Fractional differences of arrays.

use crate::arrays::{self, Floats};
use crate::errors::{self, OrRaise};
use crate::running::{background, fork};
use hpfracc::ndarray::{ArrayD, ArrayView1, ArrayViewD, ArrayViewMut1, Axis};
use hpfracc::series::{SeriesError, difference};
use hpfracc::types::Real;
use numpy::{PyArrayDyn, PyArrayMethods};
use pyo3::prelude::*;
use rayon::prelude::*;

/// Numbers of the series that are computed between two looks for signals.
const CHUNK: usize = 1 << 20;
/// Numbers whose differences take milliseconds.
const INLINE: usize = 1 << 16;

/// `(1-B)^d` of the series along an axis.
#[pyfunction]
#[pyo3(signature = (x, d, axis, out))]
pub(super) fn series_difference<'py>(
    py: Python<'py>,
    x: &Bound<'py, PyAny>,
    d: f64,
    axis: isize,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    match Floats::of("x", x)? {
        Floats::F64(array) => {
            let result = along(py, array.as_array(), d, axis)?;
            drop(array);
            written(py, result, out)
        }
        Floats::F32(array) => {
            let result = along(py, array.as_array(), d, axis)?;
            drop(array);
            written(py, result, out)
        }
    }
}

fn along<T: Real>(
    py: Python<'_>,
    array: ArrayViewD<'_, T>,
    d: f64,
    axis: isize,
) -> PyResult<ArrayD<T>> {
    if array.ndim() == 0 {
        return Err(errors::input(
            "x is a number, expected a time series: an array of one axis or more",
        ));
    }
    let axis = Axis(arrays::axis(axis, array.ndim())?);
    let length = array.len_of(axis);
    let mut result = ArrayD::<T>::zeros(array.raw_dim());
    let lanes: Vec<_> = array.lanes(axis).into_iter().collect();
    let mut targets: Vec<_> = result.lanes_mut(axis).into_iter().collect();
    let chunk = (CHUNK / length.max(1)).max(1);
    for (lanes, targets) in lanes.chunks(chunk).zip(targets.chunks_mut(chunk)) {
        let of = |lane: &ArrayView1<'_, T>| lane.iter().map(|x| x.widen()).collect();
        let series: Vec<Vec<f64>> = py.detach(|| lanes.iter().map(of).collect());
        let compute = move || -> Vec<Result<Vec<f64>, SeriesError>> {
            match &series[..] {
                [one] => vec![difference(one, d)],
                all => all.par_iter().map(|series| difference(series, d)).collect(),
            }
        };
        let computed = if lanes.len() * length > INLINE {
            background::left_behind(py, |_| Ok(()), compute)?
        } else {
            fork::ready();
            py.detach(compute)
        };
        py.detach(|| {
            let mut pairs = targets.iter_mut().zip(computed);
            pairs.try_for_each(|(target, values)| narrow(target, &values.or_raise()?, d))
        })?;
    }
    drop(targets);
    Ok(result)
}

/// Writes a difference as numbers of the type of the input.
fn narrow<T: Real>(target: &mut ArrayViewMut1<'_, T>, values: &[f64], d: f64) -> PyResult<()> {
    for (index, (to, from)) in target.iter_mut().zip(values).enumerate() {
        *to = T::narrow(*from);
        if !to.widen().is_finite() {
            return Err(errors::input(format!(
                "the difference of order {d:?} overflows at value {index}, which {} cannot hold",
                T::NAME
            )));
        }
    }
    Ok(())
}

/// The result as a new array, or in the one that was given.
fn written<'py, T: Real + numpy::Element>(
    py: Python<'py>,
    result: ArrayD<T>,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let Some(out) = out else {
        return Ok(PyArrayDyn::from_owned_array(py, result).into_any());
    };
    let Ok(array) = out.cast::<PyArrayDyn<T>>() else {
        let expected = numpy::dtype::<T>(py).str()?;
        return Err(errors::input(format!("out is no array of {expected}, the type of x")));
    };
    let mut target = array
        .try_readwrite()
        .map_err(|_| errors::input("out cannot be written to: it is read-only or in use"))?;
    let mut view = target.as_array_mut();
    if view.shape() != result.shape() {
        let (found, expected) = (view.shape(), result.shape());
        return Err(errors::input(format!("out has the shape {found:?}, expected {expected:?}")));
    }
    view.assign(&result);
    Ok(out.clone())
}
