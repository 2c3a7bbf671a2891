//! Mittag-Leffler functions of one, two and three parameters, and their derivatives.

use super::argument::{Argument, Number, RealOrComplex};
use super::grouped::Family;
use super::place::{Failure, raise};
use super::prepared::{GRADIENTS, VALUES};
use crate::errors;
use crate::running::Cancel;
use hpfracc::special::{self, MittagLeffler, Partials, SpecialError};
use num_complex::Complex64;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use rayon::prelude::*;

/// Elements between two looks for a request to end.
const BLOCK: usize = 1 << 17;
/// Elements of a task of values that are computed one by one.
const TASK: usize = 16;
/// Highest derivative with respect to z.
const LARGEST_DERIVATIVE: isize = 64;

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(mittag_leffler, module)?)?;
    module.add_function(wrap_pyfunction!(mittag_leffler_derivative, module)?)?;
    module.add_function(wrap_pyfunction!(mittag_leffler_gradient, module)?)
}

#[pyfunction]
#[pyo3(signature = (z, alpha, beta, gamma, out = None))]
fn mittag_leffler<'py>(
    py: Python<'py>,
    z: &Bound<'py, PyAny>,
    alpha: &Bound<'py, PyAny>,
    beta: &Bound<'py, PyAny>,
    gamma: &Bound<'py, PyAny>,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let z = RealOrComplex::of("z", z)?;
    let parameters = vec![
        Argument::real("alpha", alpha)?,
        Argument::real("beta", beta)?,
        Argument::real("gamma", gamma)?,
    ];
    match z {
        RealOrComplex::Real(z) => of_type(py, z, parameters, out),
        RealOrComplex::Complex(z) => of_type(py, z, parameters, out),
    }
}

fn of_type<'py, Z: Argued>(
    py: Python<'py>,
    z: Argument<'py, Z>,
    parameters: Vec<Argument<'py, f64>>,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    if let (None, Some(z), [alpha, beta, gamma]) = (out, z.values.one(), &parameters[..])
        && let (Some(alpha), Some(beta), Some(gamma)) =
            (alpha.values.one(), beta.values.one(), gamma.values.one())
    {
        let value = if gamma == 1.0 {
            VALUES.at(alpha, beta).map(|function| z.value(&function))
        } else {
            z.prabhakar(alpha, beta, gamma)
        };
        return Ok(value.map_err(|error| raise(&error, &[]))?.object(py));
    }
    let ones = parameters.last().and_then(|gamma| gamma.values.one()) == Some(1.0);
    let nanoseconds = if ones { Z::NANOSECONDS } else { 15e3 };
    one(Family { nanoseconds, columns: 1, fill: values::<Z> }.call(py, z, parameters, out)?)
}

#[pyfunction]
#[pyo3(signature = (z, alpha, beta, k, out = None))]
fn mittag_leffler_derivative<'py>(
    py: Python<'py>,
    z: &Bound<'py, PyAny>,
    alpha: &Bound<'py, PyAny>,
    beta: &Bound<'py, PyAny>,
    k: isize,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    if !(0..=LARGEST_DERIVATIVE).contains(&k) {
        let message = format!("k is {k}, expected 0 to {LARGEST_DERIVATIVE}");
        return Err(errors::input(message));
    }
    let z = RealOrComplex::of("z", z)?;
    let parameters = vec![Argument::real("alpha", alpha)?, Argument::real("beta", beta)?];
    match z {
        RealOrComplex::Real(z) => derivatives(py, z, parameters, k as usize, out),
        RealOrComplex::Complex(z) => derivatives(py, z, parameters, k as usize, out),
    }
}

fn derivatives<'py, Z: Argued>(
    py: Python<'py>,
    z: Argument<'py, Z>,
    parameters: Vec<Argument<'py, f64>>,
    k: usize,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let fill = |parameters: &[f64], z: &[Z], columns: &mut [&mut [Z]], cancel: &Cancel| {
        let function = VALUES.at(parameters[0], parameters[1])?;
        each(z, columns[0], cancel, |z| Ok(z.derivative(&function, k)))
    };
    let nanoseconds = 1e3 * (1 + k * k) as f64;
    one(Family { nanoseconds, columns: 1, fill }.call(py, z, parameters, out)?)
}

/// Value and derivatives with respect to z, alpha and beta; `None` for those that are not requested.
#[pyfunction]
#[pyo3(signature = (z, alpha, beta, requested = (true, true, true, true)))]
fn mittag_leffler_gradient<'py>(
    py: Python<'py>,
    z: &Bound<'py, PyAny>,
    alpha: &Bound<'py, PyAny>,
    beta: &Bound<'py, PyAny>,
    requested: (bool, bool, bool, bool),
) -> PyResult<Bound<'py, PyTuple>> {
    let z = Argument::real("z", z)?;
    let parameters = vec![Argument::real("alpha", alpha)?, Argument::real("beta", beta)?];
    let requested: [bool; 4] = requested.into();
    let columns = requested.iter().filter(|requested| **requested).count();
    let fill = |parameters: &[f64], z: &[f64], columns: &mut [&mut [f64]], cancel: &Cancel| {
        gradients(requested, parameters, z, columns, cancel)
    };
    let family = Family { nanoseconds: 100.0, columns, fill };
    let mut found = family.call(py, z, parameters, None)?.into_iter();
    PyTuple::new(py, requested.map(|requested| if requested { found.next() } else { None }))
}

fn gradients(
    requested: [bool; 4],
    parameters: &[f64],
    z: &[f64],
    columns: &mut [&mut [f64]],
    cancel: &Cancel,
) -> Result<(), Failure> {
    let function = GRADIENTS.at(parameters[0], parameters[1])?;
    for (block, z) in z.chunks(BLOCK).enumerate() {
        if cancel.requested() {
            break;
        }
        let begin = block * BLOCK;
        let mut columns = columns.iter_mut().map(|column| &mut column[begin..begin + z.len()]);
        let [value, by_z, alpha, beta] =
            requested.map(|requested| if requested { columns.next() } else { None });
        function.eval_slice(z, Partials { value, z: by_z, alpha, beta })?;
    }
    Ok(())
}

/// Values for parameters alpha, beta and gamma.
fn values<Z: Argued>(
    parameters: &[f64],
    z: &[Z],
    columns: &mut [&mut [Z]],
    cancel: &Cancel,
) -> Result<(), Failure> {
    let (alpha, beta, gamma) = (parameters[0], parameters[1], parameters[2]);
    if gamma != 1.0 {
        return each(z, columns[0], cancel, |z| z.prabhakar(alpha, beta, gamma));
    }
    let function = VALUES.at(alpha, beta)?;
    for (z, out) in z.chunks(BLOCK).zip(columns[0].chunks_mut(BLOCK)) {
        if cancel.requested() {
            break;
        }
        Z::fill(&function, z, out)?;
    }
    Ok(())
}

/// Values one by one, in parallel.
fn each<Z: Argued>(
    z: &[Z],
    out: &mut [Z],
    cancel: &Cancel,
    of: impl Fn(Z) -> Result<Z, SpecialError> + Sync,
) -> Result<(), Failure> {
    if z.is_empty() {
        // Parameters are checked without arguments, too.
        of(Z::default())?;
    }
    let task = |(task, (z, out)): (usize, (&[Z], &mut [Z]))| {
        for (i, (z, out)) in z.iter().zip(out).enumerate() {
            if cancel.requested() {
                break;
            }
            match of(*z) {
                Ok(value) => *out = value,
                Err(error) => return Some(Failure { error, offset: task * TASK + i }),
            }
        }
        None
    };
    if z.len() <= TASK {
        return task((0, (z, out))).map_or(Ok(()), Err);
    }
    let tasks = z.par_chunks(TASK).zip(out.par_chunks_mut(TASK)).enumerate();
    let first = tasks.filter_map(task).min_by_key(|failure| failure.offset);
    first.map_or(Ok(()), Err)
}

fn one<'py>(columns: Vec<Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
    columns.into_iter().next().ok_or_else(|| errors::input("no result was requested"))
}

/// Real or complex argument of the function.
trait Argued: Number {
    /// Time of a value.
    const NANOSECONDS: f64;

    fn value(self, function: &MittagLeffler) -> Self;

    fn derivative(self, function: &MittagLeffler, k: usize) -> Self;

    fn fill(function: &MittagLeffler, z: &[Self], out: &mut [Self]) -> Result<(), SpecialError>;

    fn prabhakar(self, alpha: f64, beta: f64, gamma: f64) -> Result<Self, SpecialError>;
}

impl Argued for f64 {
    const NANOSECONDS: f64 = 100.0;

    fn value(self, function: &MittagLeffler) -> Self {
        function.eval(self)
    }

    fn derivative(self, function: &MittagLeffler, k: usize) -> Self {
        function.derivative(self, k)
    }

    fn fill(function: &MittagLeffler, z: &[Self], out: &mut [Self]) -> Result<(), SpecialError> {
        function.eval_slice(z, out)
    }

    fn prabhakar(self, alpha: f64, beta: f64, gamma: f64) -> Result<Self, SpecialError> {
        special::prabhakar(alpha, beta, gamma, self)
    }
}

impl Argued for Complex64 {
    const NANOSECONDS: f64 = 500.0;

    fn value(self, function: &MittagLeffler) -> Self {
        function.eval_complex(self)
    }

    fn derivative(self, function: &MittagLeffler, k: usize) -> Self {
        function.derivative_complex(self, k)
    }

    fn fill(function: &MittagLeffler, z: &[Self], out: &mut [Self]) -> Result<(), SpecialError> {
        function.eval_complex_slice(z, out)
    }

    fn prabhakar(self, alpha: f64, beta: f64, gamma: f64) -> Result<Self, SpecialError> {
        special::prabhakar_complex(alpha, beta, gamma, self)
    }
}
