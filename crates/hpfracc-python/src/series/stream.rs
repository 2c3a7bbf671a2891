//! Fractional differences of streams.

use crate::arrays;
use crate::errors::{self, OrRaise};
use crate::running::interrupts::Interrupts;
use hpfracc::series::DifferenceStream;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Values between two looks for signals.
const CHUNK: usize = 1 << 12;

/// Fractional difference of a stream, one value at a time, with the whole history.
///
/// Parameters
/// ----------
/// d : float
///     Order of the difference, any finite number; -d is the inverse.
///
/// Notes
/// -----
/// Cost: O(n log^2 n) for n values; memory: up to about 13 numbers a value. The values are those of
/// :func:`hpfracc.difference` but for rounding. A stream can be pickled: a copy goes on with the same bits.
///
/// Examples
/// --------
/// >>> import hpfracc
/// >>> stream = hpfracc.DifferenceStream(1.0)
/// >>> [stream.push(x) for x in (3.0, 1.0, 4.0)]
/// [3.0, -2.0, 3.0]
#[pyclass(frozen, name = "DifferenceStream", module = "hpfracc._hpfracc")]
pub(super) struct PyDifferenceStream {
    d: f64,
    state: Mutex<State>,
}

struct State {
    stream: DifferenceStream,
    history: Vec<f64>,
}

impl State {
    fn push(&mut self, value: f64) -> PyResult<f64> {
        let difference = self.stream.push(value).or_raise()?;
        self.history.push(value);
        Ok(difference)
    }
}

impl PyDifferenceStream {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl PyDifferenceStream {
    #[new]
    fn new(d: f64) -> PyResult<Self> {
        let state = State { stream: DifferenceStream::new(d).or_raise()?, history: vec![] };
        Ok(Self { d, state: Mutex::new(state) })
    }

    /// Stream after the values of a history, such as that of :attr:`history`: it goes on with the same bits.
    #[classmethod]
    fn restore(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        d: f64,
        history: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let stream = Self::new(d)?;
        stream.extended(py, &arrays::vector("history", history)?)?;
        Ok(stream)
    }

    /// Order.
    #[getter]
    fn d(&self) -> f64 {
        self.d
    }

    /// Values so far.
    #[getter]
    fn history<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.lock().history)
    }

    /// Appends a value and returns the difference at it.
    fn push(&self, value: f64) -> PyResult<f64> {
        self.lock().push(value)
    }

    /// Appends values and returns the differences at them. At a value that is refused, the stream remains as it was
    /// before that value.
    fn extend<'py>(
        &self,
        py: Python<'py>,
        values: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let array = arrays::doubles("values", values)?;
        if array.as_array().ndim() > 1 {
            let count = array.as_array().ndim();
            return Err(errors::input(format!("values has {count} dimensions, expected 1")));
        }
        let values: Vec<f64> = array.as_array().iter().copied().collect();
        Ok(PyArray1::from_vec(py, self.extended(py, &values)?))
    }

    /// Empty stream of the order -d: from the values that this stream returns it restores the input.
    fn inverse(&self) -> PyResult<Self> {
        Self::new(-self.d)
    }

    fn __len__(&self) -> usize {
        self.lock().history.len()
    }

    fn __repr__(&self) -> String {
        format!("DifferenceStream(d={:?}, {} values)", self.d, self.lock().history.len())
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (py, this) = (slf.py(), slf.get());
        let arguments = (this.d, this.history(py)).into_pyobject(py)?;
        Ok((slf.get_type().getattr("restore")?, arguments))
    }
}

impl PyDifferenceStream {
    fn extended(&self, py: Python<'_>, values: &[f64]) -> PyResult<Vec<f64>> {
        py.detach(|| {
            let mut interrupts = Interrupts::new();
            let mut state = self.lock();
            let mut out = Vec::with_capacity(values.len());
            for chunk in values.chunks(CHUNK) {
                for value in chunk {
                    out.push(state.push(*value)?);
                }
                if interrupts.pending() {
                    break;
                }
            }
            interrupts.finish(Ok(out))
        })
    }
}
