//! Planned transforms.

use super::super::output::{type_name, writable, zeros};
use super::super::work;
use super::batch::{Batch, Direction};
use super::signals::{AnySignals, Signals};
use crate::arrays;
use crate::errors::{self, OrRaise};
use hpfracc::transforms::{
    DiscreteFractionalFourier, FractionalDft, FractionalFourier, Transform, TransformError,
};
use hpfracc::types::Real;
use ndarray::{ArrayView1, ArrayViewD, Axis};
use num_complex::Complex;
use numpy::{Element, IntoPyArray, PyArray1, PyArrayDyn};
use pyo3::prelude::*;
use rayon::prelude::*;
use std::sync::OnceLock;

/// Parameters of a transform.
#[derive(Clone, Copy)]
enum Request {
    Sampled { n: usize, order: f64 },
    Discrete { n: usize, order: f64 },
    Dft { n: usize, m: usize, first: f64, step: f64 },
}

impl Request {
    /// Samples of a signal, and of its transform.
    fn lens(self) -> (usize, usize) {
        match self {
            Self::Sampled { n, .. } | Self::Discrete { n, .. } => (n, n),
            Self::Dft { n, m, .. } => (n, m),
        }
    }

    /// Nanoseconds for a signal.
    fn work(self) -> f64 {
        let (n, m) = self.lens();
        let n = (n + m) as f64;
        match self {
            Self::Discrete { .. } => 0.25 * n * n,
            _ => 10.0 * n * n.log2(),
        }
    }
}

/// Planned transform of one precision.
enum Plan<T> {
    Sampled(FractionalFourier<T>),
    Discrete(DiscreteFractionalFourier<T>),
    Dft(FractionalDft<T>),
}

impl<T: Real> Plan<T> {
    fn new(request: Request) -> Result<Self, TransformError> {
        Ok(match request {
            Request::Sampled { n, order } => Self::Sampled(FractionalFourier::new(n, order)?),
            Request::Discrete { n, order } => {
                Self::Discrete(DiscreteFractionalFourier::new(n, order)?)
            }
            Request::Dft { n, m, first, step } => {
                Self::Dft(FractionalDft::zoom(n, m, first, step)?)
            }
        })
    }

    fn transform(&self) -> &dyn Transform<T> {
        match self {
            Self::Sampled(transform) => transform,
            Self::Discrete(transform) => transform,
            Self::Dft(transform) => transform,
        }
    }

    /// The transform of another order, if it has one.
    fn at(&self, order: f64) -> Result<Option<Self>, TransformError> {
        Ok(match self {
            Self::Sampled(transform) => Some(Self::Sampled(transform.at(order)?)),
            Self::Discrete(transform) => Some(Self::Discrete(transform.at(order)?)),
            Self::Dft(_) => None,
        })
    }

    fn coordinates(&self) -> Vec<f64> {
        match self {
            Self::Sampled(transform) => transform.coordinates(),
            Self::Discrete(transform) => transform.coordinates(),
            Self::Dft(transform) => transform.frequencies(),
        }
        .to_vec()
    }

    /// Gradient with respect to the order for one signal; a DFT has none.
    fn vjp_order(
        &self,
        x: ArrayView1<'_, Complex<T>>,
        gradient: ArrayView1<'_, Complex<T>>,
    ) -> Result<f64, TransformError> {
        match self {
            Self::Sampled(transform) => transform.vjp_order(x, gradient),
            Self::Discrete(transform) => transform.vjp_order(x, gradient),
            Self::Dft(_) => Ok(0.0),
        }
    }
}

/// Plan for signals of one length, in either precision.
#[pyclass(frozen, module = "hpfracc._hpfracc")]
pub(super) struct TransformPlan {
    request: Request,
    double: Plan<f64>,
    /// Made for the first signal in single precision.
    single: OnceLock<Plan<f32>>,
}

#[pymethods]
impl TransformPlan {
    /// The sampled fractional Fourier transform.
    #[staticmethod]
    fn sampled(py: Python<'_>, n: usize, order: f64) -> PyResult<Self> {
        Self::new(py, Request::Sampled { n, order })
    }

    /// The discrete fractional Fourier transform.
    #[staticmethod]
    fn discrete(py: Python<'_>, n: usize, order: f64) -> PyResult<Self> {
        Self::new(py, Request::Discrete { n, order })
    }

    /// The fractional DFT of n samples at m frequencies.
    #[staticmethod]
    fn dft(py: Python<'_>, n: usize, m: usize, first: f64, step: f64) -> PyResult<Self> {
        Self::new(py, Request::Dft { n, m, first, step })
    }

    /// The same transform of another order, which shares what does not depend on it.
    fn at(&self, py: Python<'_>, order: f64) -> PyResult<Self> {
        let n = self.request.lens().0;
        let request = match self.request {
            Request::Sampled { .. } => Request::Sampled { n, order },
            Request::Discrete { .. } => Request::Discrete { n, order },
            Request::Dft { .. } => return Err(errors::input("a fractional DFT has no order")),
        };
        let (double, single) = py
            .detach(|| {
                let single = self.single.get().map(|plan| plan.at(order)).transpose();
                Ok::<_, TransformError>((self.double.at(order)?, single?.flatten()))
            })
            .or_raise()?;
        let Some(double) = double else { return Self::new(py, request) };
        let plan = OnceLock::new();
        if let Some(single) = single {
            // A new lock is empty.
            let _ = plan.set(single);
        }
        Ok(Self { request, double, single: plan })
    }

    /// Points of the samples, or frequencies of the DFT.
    fn coordinates<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.double.coordinates().into_pyarray(py)
    }

    /// The transform of all signals along an axis, or the adjoint transform.
    #[pyo3(signature = (x, axis, adjoint, out = None))]
    fn apply<'py>(
        &self,
        py: Python<'py>,
        x: &Bound<'py, PyAny>,
        axis: isize,
        adjoint: bool,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let direction = if adjoint { Direction::Adjoint } else { Direction::Forward };
        match AnySignals::of("x", x)? {
            AnySignals::Double(x) => self.through(py, &self.double, x, (axis, direction), out),
            AnySignals::Single(x) => self.through(py, self.single(py)?, x, (axis, direction), out),
        }
    }

    /// Gradient with respect to the order of a loss with this gradient with respect to the result.
    fn vjp_order(
        &self,
        py: Python<'_>,
        x: &Bound<'_, PyAny>,
        gradient: &Bound<'_, PyAny>,
        axis: isize,
    ) -> PyResult<f64> {
        if let Request::Dft { .. } = self.request {
            return Err(errors::input("a fractional DFT has no order"));
        }
        match (AnySignals::of("x", x)?, AnySignals::of("gradient", gradient)?) {
            (AnySignals::Single(x), AnySignals::Single(gradient)) => {
                self.order_gradient(py, self.single(py)?, (&x, &gradient), axis)
            }
            (x, gradient) => {
                let (x, gradient) = (x.widened(), gradient.widened());
                self.order_gradient(py, &self.double, (&x, &gradient), axis)
            }
        }
    }
}

impl TransformPlan {
    fn new(py: Python<'_>, request: Request) -> PyResult<Self> {
        let double = py.detach(|| Plan::new(request)).or_raise()?;
        Ok(Self { request, double, single: OnceLock::new() })
    }

    fn single(&self, py: Python<'_>) -> PyResult<&Plan<f32>> {
        if let Some(plan) = self.single.get() {
            return Ok(plan);
        }
        let plan = py.detach(|| Plan::new(self.request)).or_raise()?;
        Ok(self.single.get_or_init(|| plan))
    }

    fn through<'py, T>(
        &self,
        py: Python<'py>,
        plan: &Plan<T>,
        mut x: Signals<'py, T>,
        (axis, direction): (isize, Direction),
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>>
    where
        T: Real,
        Complex<T>: Element,
    {
        let (n, m) = self.request.lens();
        let (n, m) = match direction {
            Direction::Forward => (n, m),
            Direction::Adjoint => (m, n),
        };
        let axis = axis_of("x", x.view().shape(), axis, n)?;
        let mut shape = x.view().shape().to_vec();
        shape[axis.index()] = m;
        let array = match out {
            None => zeros::<Complex<T>>(py, &shape)?,
            Some(out) => match out.cast::<PyArrayDyn<Complex<T>>>() {
                Ok(array) => array.clone(),
                Err(_) => {
                    let expected = numpy::dtype::<Complex<T>>(py).str()?;
                    let found = type_name(out)?;
                    return Err(errors::input(format!(
                        "out has the type {found}, expected an array of {expected}"
                    )));
                }
            },
        };
        let mut to = writable("out", &array, &shape, || x.own())?;
        let (from, to) = (x.view(), to.as_array_mut());
        let signals = from.len() as f64 / n as f64;
        let task = (50e3 / self.request.work()).max(1.0) as usize;
        let work = signals * self.request.work();
        work::run(py, work, |cancel| {
            let transform = plan.transform();
            Batch { transform, direction, axis, task, cancel }.run(from, to)
        })?
        .or_raise()?;
        Ok(array.into_any())
    }

    fn order_gradient<T>(
        &self,
        py: Python<'_>,
        plan: &Plan<T>,
        (x, gradient): (&Signals<'_, T>, &Signals<'_, T>),
        axis: isize,
    ) -> PyResult<f64>
    where
        T: Real,
        Complex<T>: Element,
    {
        let (x, gradient) = (x.view(), gradient.view());
        if x.shape() != gradient.shape() {
            let (found, expected) = (gradient.shape(), x.shape());
            let message = format!("gradient has the shape {found:?}, x has {expected:?}");
            return Err(errors::input(message));
        }
        let axis = axis_of("x", x.shape(), axis, self.request.lens().0)?;
        let signals: Vec<_> = lanes(&x, axis).zip(lanes(&gradient, axis)).collect();
        let work = 5.0 * self.request.work() * signals.len() as f64;
        let sums = work::run(py, work, |cancel| {
            let sum = |(x, gradient): (ArrayView1<'_, _>, ArrayView1<'_, _>)| {
                if cancel.requested() { Ok(0.0) } else { plan.vjp_order(x, gradient) }
            };
            let sums: Result<Vec<f64>, TransformError> = if work < 1e5 {
                signals.into_iter().map(sum).collect()
            } else {
                signals.into_par_iter().map(sum).collect()
            };
            sums
        })?
        .or_raise()?;
        // In the order of the signals, whichever thread was faster.
        Ok(sums.iter().sum())
    }
}

/// The signals of an array.
fn lanes<'a, T>(
    array: &'a ArrayViewD<'a, T>,
    axis: Axis,
) -> impl Iterator<Item = ArrayView1<'a, T>> {
    array.lanes(axis).into_iter()
}

/// The axis of signals of this length.
fn axis_of(name: &str, shape: &[usize], axis: isize, expected: usize) -> PyResult<Axis> {
    let index = arrays::axis(axis, shape.len())?;
    let found = shape[index];
    if found == expected {
        return Ok(Axis(index));
    }
    Err(errors::input(format!(
        "{name}: axis {axis} has the length {found}, the transform has {expected}"
    )))
}
