//! Models that are functions in Python.

use crate::{arrays, errors};
use hpfracc::equation::{Rows, RowsMut};
use hpfracc::fit::{self, Declared, FitError, Model};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Step of central differences relative to a parameter: the cube root of the rounding of a number.
const STEP: f64 = 6e-6;

/// What is known of a function in Python.
pub(super) struct FunctionFacts {
    pub(super) function: Py<PyAny>,
    /// `jac(x, *parameters)`; central differences without it.
    pub(super) jacobian: Option<Py<PyAny>>,
    pub(super) names: Vec<String>,
    /// Number of responses; two for complex numbers.
    pub(super) responses: usize,
    pub(super) complex: bool,
    /// Parameters that are not differentiated.
    pub(super) fixed: Vec<bool>,
    /// Typical sizes of the parameters, for the steps of differences.
    pub(super) sizes: Vec<f64>,
    pub(super) limits: Vec<(f64, f64)>,
}

/// Function in Python of all inputs of a set at once: `f(x, *parameters)`.
///
/// Its one input is the number of a row, so that the function sees the array that the caller gave, once for each value of
/// the parameters. An exception ends the fit: values are refused from then on, and the caller raises it.
pub(in crate::fit) struct CallableModel {
    facts: Arc<FunctionFacts>,
    declared: Vec<Declared>,
    x: Py<PyAny>,
    rows: usize,
    failure: Mutex<Option<PyErr>>,
}

impl CallableModel {
    pub(super) fn new(facts: Arc<FunctionFacts>, x: Py<PyAny>, rows: usize) -> Self {
        let declared = facts.names.iter().map(|name| Declared::new(name)).collect();
        Self { facts, declared, x, rows, failure: Mutex::new(None) }
    }

    /// The exception that the function raised, if it did.
    pub(super) fn take_failure(&self) -> Option<PyErr> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn has_failed(&self) -> bool {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Calls a function with the inputs and parameters, unless a call has failed already.
    fn call<T>(
        &self,
        function: &Py<PyAny>,
        parameters: &[f64],
        read: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>,
    ) -> Option<T> {
        if self.has_failed() {
            return None;
        }
        let result = Python::attach(|py| {
            let mut arguments = vec![self.x.bind(py).clone()];
            for value in parameters {
                arguments.push(value.into_pyobject(py)?.into_any());
            }
            read(&function.bind(py).call1(PyTuple::new(py, arguments)?)?)
        });
        result
            .map_err(|error| {
                let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
                failure.get_or_insert(error);
            })
            .ok()
    }

    /// Responses one after the other.
    fn values(&self, parameters: &[f64]) -> Option<Vec<f64>> {
        let expected = [self.facts.responses, self.rows];
        self.call(&self.facts.function, parameters, |result| {
            columns("the model", result, self.facts.complex, expected, &[])
        })
    }

    /// Derivatives of each response with respect to each parameter, one after the other.
    fn derivatives(&self, parameters: &[f64]) -> Option<Vec<f64>> {
        let FunctionFacts { jacobian, responses, complex, fixed, sizes, limits, .. } = &*self.facts;
        let (n, p) = (self.rows, parameters.len());
        if let Some(jacobian) = jacobian {
            let flat = self.call(jacobian, parameters, |result| {
                columns("jac", result, *complex, [*responses, n], &[p])
            })?;
            // Row by row of the array of the caller, column by column here.
            let at = |k: usize| {
                let (response, column, row) = (k / (p * n), k / n % p, k % n);
                flat[(response * n + row) * p + column]
            };
            return Some((0..flat.len()).map(at).collect());
        }
        let mut out = vec![0.0; responses * p * n];
        for k in (0..p).filter(|k| !fixed[*k]) {
            let step = STEP * parameters[k].abs().max(sizes[k]);
            let shifted = |step: f64| {
                let mut shifted = parameters.to_vec();
                // The function may have no values beyond the bounds.
                shifted[k] = (shifted[k] + step).clamp(limits[k].0, limits[k].1);
                shifted
            };
            let (before, after) = (shifted(-step), shifted(step));
            let distance = after[k] - before[k];
            let (left, right) = (self.values(&before)?, self.values(&after)?);
            for response in 0..*responses {
                let column = &mut out[(response * p + k) * n..][..n];
                let pairs = left[response * n..].iter().zip(&right[response * n..]);
                column.iter_mut().zip(pairs).for_each(|(out, (l, r))| *out = (r - l) / distance);
            }
        }
        Some(out)
    }
}

/// Numbers of an array of the shape (responses, rows, further ...), where the first axis may be missing for one response
/// or for the two parts of complex numbers; a number is that of all rows.
fn columns(
    what: &str,
    result: &Bound<'_, PyAny>,
    complex: bool,
    [responses, rows]: [usize; 2],
    further: &[usize],
) -> PyResult<Vec<f64>> {
    let single = complex || responses == 1;
    let mut expected = if single { vec![rows] } else { vec![responses, rows] };
    expected.extend(further);
    let parts = if complex {
        let numpy = numpy::get_array_module(result.py())?;
        let array = numpy.call_method1("asarray", (result,))?;
        let array = array.call_method1("astype", ("complex128",))?;
        vec![array.getattr("real")?, array.getattr("imag")?]
    } else {
        vec![result.clone()]
    };
    let mut all = vec![];
    for part in parts {
        let array = arrays::doubles(&format!("the result of {what}"), &part)?;
        let array = array.as_array();
        if array.ndim() == 0 && further.is_empty() {
            all.extend(std::iter::repeat_n(array.sum(), expected.iter().product()));
        } else if array.shape() == expected {
            all.extend(array.iter());
        } else {
            let found = array.shape();
            return Err(errors::input(format!(
                "{what} returned an array of the shape {found:?}, expected {expected:?}"
            )));
        }
    }
    Ok(all)
}

impl fmt::Debug for CallableModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallableModel")
            .field("parameters", &self.facts.names)
            .field("rows", &self.rows)
            .finish_non_exhaustive()
    }
}

impl Model for CallableModel {
    fn parameters(&self) -> &[Declared] {
        &self.declared
    }

    fn inputs(&self) -> usize {
        1
    }

    fn responses(&self) -> usize {
        self.facts.responses
    }

    fn at<'m>(&'m self, parameters: &[f64]) -> Result<Box<dyn fit::Bound + 'm>, FitError> {
        let what = "the function in Python";
        let values = self.values(parameters).ok_or(FitError::Cancelled { what })?;
        let (parameters, derivatives) = (parameters.to_vec(), OnceLock::new());
        Ok(Box::new(BoundCallable { model: self, parameters, values, derivatives }))
    }
}

struct BoundCallable<'m> {
    model: &'m CallableModel,
    parameters: Vec<f64>,
    values: Vec<f64>,
    /// NaN after an exception.
    derivatives: OnceLock<Vec<f64>>,
}

impl BoundCallable<'_> {
    /// Copies columns of all rows to rows of `out`, from `first` on.
    fn copy(
        &self,
        inputs: Rows<'_, f64>,
        columns: &[f64],
        (out, first): (&mut RowsMut<'_, f64>, usize),
    ) {
        for (k, column) in columns.chunks_exact(self.model.rows.max(1)).enumerate() {
            for lane in 0..out.lanes() {
                out[first + k][lane] = column[inputs[0][lane] as usize];
            }
        }
    }
}

impl fit::Bound for BoundCallable<'_> {
    fn values(&self, inputs: Rows<'_, f64>, mut out: RowsMut<'_, f64>) {
        self.copy(inputs, &self.values, (&mut out, 0));
    }

    fn derivatives(&self, inputs: Rows<'_, f64>, mut out: RowsMut<'_, f64>) {
        let count = self.values.len() * self.parameters.len();
        let derivatives = self.derivatives.get_or_init(|| {
            let computed = self.model.derivatives(&self.parameters);
            computed.unwrap_or_else(|| vec![f64::NAN; count])
        });
        self.copy(inputs, &self.values, (&mut out, 0));
        self.copy(inputs, derivatives, (&mut out, self.model.facts.responses));
    }
}
