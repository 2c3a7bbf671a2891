//! The class `Stream`: an operator on samples that arrive one after the other, in constant memory.

use super::choice::Choice;
use crate::arrays::{self, Floats};
use crate::errors::{self, OrRaise};
use crate::machine;
use hpfracc::operators::{Operator, Recurrence, Stream, StreamState};
use ndarray::{Array2, ArrayView2};
use numpy::{Element, IntoPyArray, PyArrayDyn, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::sync::{Mutex, PoisonError};

enum AnyStream {
    Single(Stream<f32>),
    Double(Stream<f64>),
}

/// Operator on samples that arrive one after the other: a sum of exponentials with its state after the last sample.
///
/// :meth:`Operator.stream` makes one. Memory does not grow with the samples; each weight is within a relative tolerance.
/// A stream can be pickled, and resumes with the same bits.
///
/// Examples
/// --------
/// >>> import hpfracc
/// >>> stream = hpfracc.Operator("caputo", 0.5, 1000, dt=0.01).stream()
/// >>> results = [stream.push(0.01 * k) for k in range(101)]
/// >>> round(results[-1], 6)  # 2 sqrt(t / pi) at t = 1
/// 1.128379
#[pyclass(name = "Stream", module = "hpfracc", frozen)]
pub(crate) struct PyStream {
    recurrence: Recurrence,
    /// Number of signals side by side; none for a single one, whose samples are numbers.
    channels: Option<usize>,
    stream: Mutex<AnyStream>,
}

macro_rules! with_stream {
    ($stream:expr, $name:ident => $body:expr) => {
        match $stream {
            AnyStream::Single($name) => $body,
            AnyStream::Double($name) => $body,
        }
    };
}

impl PyStream {
    pub(super) fn new(
        choice: &Choice,
        (dt, longest, tolerance): (f64, u64, f64),
        channels: Option<usize>,
        dtype: &str,
    ) -> PyResult<Self> {
        let recurrence = choice.operator()?.recurrence(dt, longest, tolerance).or_raise()?;
        let (count, machine) = (channels.unwrap_or(1), machine::default()?);
        let stream = match dtype {
            "float32" => AnyStream::Single(Stream::new(&recurrence, count, machine).or_raise()?),
            "float64" => AnyStream::Double(Stream::new(&recurrence, count, machine).or_raise()?),
            other => {
                let message = format!("dtype is {other:?}, expected \"float32\" or \"float64\"");
                return Err(errors::input(message));
            }
        };
        Ok(Self { recurrence, channels, stream: Mutex::new(stream) })
    }

    fn locked(&self) -> std::sync::MutexGuard<'_, AnyStream> {
        self.stream.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl PyStream {
    /// Results of the next samples: a number or ``(samples,)`` for one signal, ``(channels,)`` or ``(channels, samples)`` for
    /// several; the result has the same shape.
    fn push<'py>(
        &self,
        py: Python<'py>,
        samples: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut stream = self.locked();
        match &mut *stream {
            AnyStream::Single(stream) => match Floats::of("samples", samples)? {
                Floats::F32(array) => push(py, stream, self.channels, &array),
                Floats::F64(_) => {
                    Err(errors::input("the stream has float32 samples, these are float64"))
                }
            },
            AnyStream::Double(stream) => {
                let array = arrays::doubles("samples", samples)?;
                push(py, stream, self.channels, &array)
            }
        }
    }

    #[getter]
    fn pushed(&self) -> u64 {
        with_stream!(&*self.locked(), stream => stream.pushed())
    }

    #[getter]
    fn channels(&self) -> Option<usize> {
        self.channels
    }

    #[getter]
    fn dtype(&self) -> &'static str {
        match &*self.locked() {
            AnyStream::Single(_) => "float32",
            AnyStream::Double(_) => "float64",
        }
    }

    /// Number of exponentials.
    #[getter]
    fn exponentials(&self) -> usize {
        self.recurrence.rates().len()
    }

    /// Recurrence, channels and state as a text: with it a stream resumes with the same bits.
    fn state(&self) -> PyResult<String> {
        let state = with_stream!(&*self.locked(), stream => stream.state());
        let saved = (&self.recurrence, self.channels, self.dtype(), state);
        serde_json::to_string(&saved).map_err(|error| errors::input(error.to_string()))
    }

    /// Stream that goes on after a state.
    #[classmethod]
    fn resume(_class: &Bound<'_, PyType>, state: &str) -> PyResult<Self> {
        resume(state)
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, (String,))> {
        let resume = py.get_type::<Self>().getattr("resume")?;
        Ok((resume.unbind(), (self.state()?,)))
    }

    fn __repr__(&self) -> String {
        let channels = self.channels.map_or_else(|| "None".to_owned(), |n| n.to_string());
        let (pushed, exponentials) = (self.pushed(), self.exponentials());
        format!(
            "Stream(channels={channels}, pushed={pushed}, exponentials={exponentials}, dtype='{}')",
            self.dtype()
        )
    }
}

fn resume(text: &str) -> PyResult<PyStream> {
    let (recurrence, channels, dtype, state): (Recurrence, Option<usize>, String, StreamState) =
        serde_json::from_str(text)
            .map_err(|error| errors::input(format!("this is no state of a stream: {error}")))?;
    let machine = machine::default()?;
    let stream = if dtype == "float32" {
        AnyStream::Single(Stream::resume(&recurrence, &state, machine).or_raise()?)
    } else {
        AnyStream::Double(Stream::resume(&recurrence, &state, machine).or_raise()?)
    };
    Ok(PyStream { recurrence, channels, stream: Mutex::new(stream) })
}

/// Samples of one signal, a number or a row of them, or of channels side by side, whose last axis is time.
fn push<'py, T: hpfracc::types::Real + Element>(
    py: Python<'py>,
    stream: &mut Stream<T>,
    channels: Option<usize>,
    samples: &numpy::PyReadonlyArrayDyn<'py, T>,
) -> PyResult<Bound<'py, PyAny>> {
    let (shape, view) = (samples.shape().to_vec(), samples.as_array());
    let expected =
        |what: &str| errors::input(format!("samples have the shape {shape:?}, expected {what}"));
    let rows: ArrayView2<'_, T> = match (channels, shape.len()) {
        (None, 0 | 1) => {
            let count = view.len();
            view.into_shape_with_order((1, count)).map_err(|_| expected("one row"))?
        }
        (Some(n), 1) if shape[0] == n => {
            view.into_shape_with_order((n, 1)).map_err(|_| expected("one column"))?
        }
        (Some(n), 2) if shape[0] == n => {
            view.into_dimensionality().map_err(|_| expected("channels and times"))?
        }
        (None, _) => return Err(expected("(), a number, or (samples,)")),
        (Some(n), _) => return Err(expected(&format!("({n},) or ({n}, samples)"))),
    };
    let mut results = Array2::from_elem(rows.raw_dim(), T::zero());
    py.detach(|| stream.push_block(rows, results.view_mut())).or_raise()?;
    let results = results
        .into_shape_with_order(shape.clone())
        .map_err(|_| expected("the shape of the results"))?;
    let array: Bound<'py, PyArrayDyn<T>> = results.into_pyarray(py);
    if shape.is_empty() { array.call_method0("item") } else { Ok(array.into_any()) }
}
