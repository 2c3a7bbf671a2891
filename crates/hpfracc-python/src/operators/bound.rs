//! The class `Operator`: an operator bound to its points.

use super::choice::{Choice, Points, parameters};
use super::pair::{Pair, Scalar};
use super::stream::PyStream;
use super::sweep::{Direction, sweep, vjp_order};
use crate::arrays::{Floats, vector};
use crate::errors::{OrRaise, input};
use crate::machine;
use hpfracc::types::shortest;
use numpy::{IntoPyArray, PyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// Fractional derivative or integral bound to the points of its samples.
///
/// Weights and their transforms are computed once; each call applies them. Functions of arrays such as
/// :func:`hpfracc.caputo` keep the operators that were used last in the same way.
///
/// Parameters
/// ----------
/// name : str
///     Definition, such as ``"caputo"``; :func:`hpfracc.operators.definitions` lists all.
/// alpha : float
///     Order.
/// n : int or tuple of int, optional
///     Number of samples, or one for each axis of a box (riesz and fractional-laplacian, scheme spectral).
/// dt : float or sequence of float, optional
///     Step, or one for each axis; 1 by default.
/// t : array_like, optional
///     Increasing times, in place of ``n`` and ``dt``.
/// scheme : str, optional
///     Discretisation; by default the first of the definition that is defined for the order.
/// tolerance : float, optional
///     The memory is a sum of exponentials within this relative tolerance.
/// machine : Machine, optional
///     Backends that may compute.
/// **parameters : float
///     Parameters of the definition by name; ``lambda_`` for lambda.
///
/// Examples
/// --------
/// >>> import numpy as np
/// >>> import hpfracc
/// >>> half = hpfracc.Operator("caputo", 0.5, 101, dt=0.01)
/// >>> t = 0.01 * np.arange(101)
/// >>> float(round(half(t)[-1], 12))  # 2 sqrt(t / pi) at t = 1
/// 1.128379167096
/// >>> half.vjp_order(t, np.ones(101)) > 0  # of the sum of all results, with respect to alpha
/// True
#[pyclass(name = "Operator", module = "hpfracc", frozen)]
pub(crate) struct PyOperator {
    pair: Pair,
    /// Names of definition and scheme.
    names: (&'static str, &'static str),
}

#[pymethods]
impl PyOperator {
    #[new]
    #[pyo3(signature = (name, alpha, n=None, *, dt=None, t=None, scheme=None, tolerance=None, machine=None, **parameters))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments")]
    fn new(
        name: &str,
        alpha: f64,
        n: Option<&Bound<'_, PyAny>>,
        dt: Option<&Bound<'_, PyAny>>,
        t: Option<&Bound<'_, PyAny>>,
        scheme: Option<&str>,
        tolerance: Option<f64>,
        machine: Option<&Bound<'_, machine::PyMachine>>,
        parameters: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let points = points(n, dt, t, tolerance)?;
        let choice = Choice {
            name: name.replace('_', "-"),
            scheme: scheme.map(str::to_owned),
            alpha,
            parameters: self::parameters(parameters)?,
            points,
        };
        let names = choice.operator()?.name();
        let pair = Pair::new(choice, machine::of(machine)?);
        f64::bound(&pair)?;
        Ok(Self { pair, names })
    }

    /// Result for each sample of an array, along ``axis``: y = A x.
    #[pyo3(signature = (x, axis=-1, out=None), text_signature = "($self, x, axis=-1, out=None)")]
    fn apply<'py>(
        &self,
        py: Python<'py>,
        x: &Bound<'py, PyAny>,
        axis: isize,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        sweep(py, &self.pair, Direction::Forward, Floats::of("x", x)?, axis, out)
    }

    #[pyo3(signature = (x, axis=-1, out=None))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        x: &Bound<'py, PyAny>,
        axis: isize,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.apply(py, x, axis, out)
    }

    /// Gradient with respect to the samples from that with respect to the results, ``g``: the transpose of the operator.
    #[pyo3(signature = (g, axis=-1, out=None), text_signature = "($self, g, axis=-1, out=None)")]
    fn vjp<'py>(
        &self,
        py: Python<'py>,
        g: &Bound<'py, PyAny>,
        axis: isize,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        sweep(py, &self.pair, Direction::Backward, Floats::of("g", g)?, axis, out)
    }

    /// Gradient with respect to the order from that with respect to the results, ``g``, of the type and shape of ``x``:
    /// the sum of g (dA/dalpha) x.
    #[pyo3(signature = (x, g, axis=-1), text_signature = "($self, x, g, axis=-1)")]
    fn vjp_order<'py>(
        &self,
        py: Python<'py>,
        x: &Bound<'py, PyAny>,
        g: &Bound<'py, PyAny>,
        axis: isize,
    ) -> PyResult<f64> {
        vjp_order(py, &self.pair, Floats::of("x", x)?, g, axis)
    }

    /// Matrix of the operator, in float64.
    fn matrix<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let bound = f64::bound(&self.pair)?;
        Ok(py.detach(|| bound.to_matrix()).or_raise()?.into_pyarray(py))
    }

    /// The operator on samples that arrive one after the other, from the first on, as a sum of exponentials: constant
    /// memory, each weight within the relative ``tolerance`` for up to ``longest`` samples.
    #[pyo3(signature = (channels=None, *, longest=None, tolerance=1e-8, dtype="float64"))]
    fn stream(
        &self,
        channels: Option<usize>,
        longest: Option<u64>,
        tolerance: f64,
        dtype: &str,
    ) -> PyResult<PyStream> {
        let Points::Grid { n, dt, .. } = self.pair.choice.points else {
            return Err(input("streams have equal steps along one axis"));
        };
        let longest = longest.unwrap_or((n as u64).max(1_000_000));
        PyStream::new(&self.pair.choice, (dt, longest, tolerance), channels, dtype)
    }

    #[getter]
    fn name(&self) -> &'static str {
        self.names.0
    }

    #[getter]
    fn scheme(&self) -> &'static str {
        self.names.1
    }

    #[getter]
    fn alpha(&self) -> f64 {
        self.pair.choice.alpha
    }

    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for (name, value) in &self.pair.choice.parameters {
            all.set_item(name, value)?;
        }
        Ok(all)
    }

    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.pair.choice.points.shape())
    }

    fn __repr__(&self) -> String {
        let (choice, (name, scheme)) = (&self.pair.choice, self.names);
        let points = match &choice.points {
            Points::Grid { n, dt, tolerance: None } => format!("{n}, dt={}", shortest(*dt)),
            Points::Grid { n, dt, tolerance: Some(tolerance) } => {
                format!("{n}, dt={}, tolerance={}", shortest(*dt), shortest(*tolerance))
            }
            Points::Mesh { t, .. } => format!("t=[{} times]", t.len()),
            Points::Box(axes) => format!("{:?}", axes.iter().map(|(n, _)| *n).collect::<Vec<_>>()),
        };
        let parameters: String = choice
            .parameters
            .iter()
            .map(|(name, value)| format!(", {name}={}", shortest(*value)))
            .collect();
        let alpha = shortest(choice.alpha);
        format!("Operator('{name}', {alpha}, {points}, scheme='{scheme}'{parameters})")
    }

    fn __getnewargs_ex__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyDict>)> {
        let choice = &self.pair.choice;
        let keywords = self.parameters(py)?;
        keywords.set_item("scheme", self.names.1)?;
        let n: Option<Vec<usize>> = match &choice.points {
            Points::Grid { n, dt, tolerance } => {
                keywords.set_item("dt", dt)?;
                keywords.set_item("tolerance", tolerance)?;
                Some(vec![*n])
            }
            Points::Mesh { t, tolerance } => {
                keywords.set_item("t", t.clone())?;
                keywords.set_item("tolerance", tolerance)?;
                None
            }
            Points::Box(axes) => {
                keywords.set_item("dt", axes.iter().map(|(_, dt)| *dt).collect::<Vec<_>>())?;
                Some(axes.iter().map(|(n, _)| *n).collect())
            }
        };
        let arguments = (choice.name.as_str(), choice.alpha, n).into_pyobject(py)?;
        Ok((arguments, keywords))
    }
}

/// Points from arguments: a number of samples or one for each axis, a step or one for each axis, or times.
fn points(
    n: Option<&Bound<'_, PyAny>>,
    dt: Option<&Bound<'_, PyAny>>,
    t: Option<&Bound<'_, PyAny>>,
    tolerance: Option<f64>,
) -> PyResult<Points> {
    let lengths: Option<Vec<usize>> = n.map(lengths).transpose()?;
    if let Some(t) = t {
        return mesh(t, lengths.as_deref(), dt.is_some(), tolerance);
    }
    let Some(lengths) = lengths else { return Err(input("n or t is missing")) };
    let steps = dt.map_or(Ok(vec![1.0]), |dt| vector("dt", dt))?;
    points_of(&lengths, &steps, tolerance)
}

/// Points of equal steps along each axis.
pub(super) fn points_of(
    lengths: &[usize],
    steps: &[f64],
    tolerance: Option<f64>,
) -> PyResult<Points> {
    match (lengths, steps) {
        ([n], [dt]) => Ok(Points::Grid { n: *n, dt: *dt, tolerance }),
        (_, [dt]) => Ok(Points::Box(lengths.iter().map(|n| (*n, *dt)).collect())),
        _ if lengths.len() == steps.len() => {
            Ok(Points::Box(lengths.iter().copied().zip(steps.iter().copied()).collect()))
        }
        _ => Err(input(format!("{} steps dt for {} axes", steps.len(), lengths.len()))),
    }
}

/// Points of a mesh.
pub(super) fn mesh(
    t: &Bound<'_, PyAny>,
    lengths: Option<&[usize]>,
    with_step: bool,
    tolerance: Option<f64>,
) -> PyResult<Points> {
    let t = vector("t", t)?;
    if with_step {
        return Err(input("both dt and t are given, the steps and the times"));
    }
    if lengths.is_some_and(|lengths| lengths != [t.len()]) {
        let n = lengths.unwrap_or_default();
        return Err(input(format!("{} times t for {n:?} samples", t.len())));
    }
    Ok(Points::Mesh { t, tolerance })
}

fn lengths(n: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
    if let Ok(n) = n.extract::<usize>() {
        return Ok(vec![n]);
    }
    n.extract().map_err(|_| {
        let n = n.repr().map_or_else(|_| "?".to_owned(), |text| text.to_string());
        input(format!("n is {n}, expected a number of samples or one for each axis"))
    })
}
