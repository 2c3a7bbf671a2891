//! Derivatives of operators with respect to their order, as maps of signals.

use crate::arrays::{self, Floats, vector, with_floats};
use crate::errors::{OrRaise, input};
use crate::machine;
use hpfracc::operators::{
    Bound, Discrete, MeshMemory, Operator, OperatorError, Recurrence, Weights, named,
};
use hpfracc::types::{Grid, Mesh, Order, Real};
use numpy::{PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Number of maps that are kept.
const KEPT: usize = 16;

/// Maps of the default machine, the latest first.
static LATEST: Mutex<Vec<Arc<Derivative>>> = Mutex::new(Vec::new());

/// `(dA/dalpha) x` for every signal of an array along an axis, or with the transpose.
#[pyfunction]
#[pyo3(signature = (x, name, alpha, *, dt=1.0, t=None, scheme=None, parameters=None, axis=-1, transposed=false))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments")]
pub(super) fn order_tangent<'py>(
    py: Python<'py>,
    x: &pyo3::Bound<'py, PyAny>,
    name: &str,
    alpha: f64,
    dt: f64,
    t: Option<&pyo3::Bound<'py, PyAny>>,
    scheme: Option<String>,
    parameters: Option<BTreeMap<String, f64>>,
    axis: isize,
    transposed: bool,
) -> PyResult<pyo3::Bound<'py, PyAny>> {
    let x = Floats::of("x", x)?;
    let axis = arrays::axis(axis, x.shape().len())?;
    let n = x.shape()[axis];
    let points = match t {
        None => Points::Grid { n, dt },
        Some(t) => Points::Mesh(vector("t", t)?),
    };
    if let Points::Mesh(t) = &points
        && t.len() != n
    {
        return Err(input(format!("{} times t for {n} samples along axis {axis}", t.len())));
    }
    let choice = Choice {
        name: name.replace('_', "-"),
        scheme,
        alpha,
        parameters: parameters.unwrap_or_default().into_iter().collect(),
        points,
    };
    let derivative = latest(choice);
    with_floats!(x, array => through(py, &derivative, &array, axis, transposed))
}

fn through<'py, T: Scalar>(
    py: Python<'py>,
    derivative: &Derivative,
    x: &PyReadonlyArrayDyn<'py, T>,
    axis: usize,
    transposed: bool,
) -> PyResult<pyo3::Bound<'py, PyAny>> {
    let result = PyArrayDyn::<T>::zeros(py, x.shape(), false);
    let bound = py.detach(|| T::bound(derivative))?;
    {
        let mut target = result.try_readwrite().map_err(|_| input("the result is in use"))?;
        let (mut from, mut to) = (x.as_array(), target.as_array_mut());
        let last = from.ndim() - 1;
        from.swap_axes(axis, last);
        to.swap_axes(axis, last);
        py.detach(
            move || {
                if transposed { bound.vjp_into(from, to) } else { bound.apply_into(from, to) }
            },
        )
        .or_raise()?;
    }
    Ok(result.into_any())
}

#[derive(Debug, Clone, PartialEq)]
enum Points {
    Grid { n: usize, dt: f64 },
    Mesh(Vec<f64>),
}

#[derive(Debug, Clone, PartialEq)]
struct Choice {
    name: String,
    scheme: Option<String>,
    alpha: f64,
    parameters: Vec<(String, f64)>,
    points: Points,
}

/// The derivative of an operator, bound in either precision when it is needed first.
struct Derivative {
    choice: Choice,
    single: OnceLock<Bound<f32>>,
    double: OnceLock<Bound<f64>>,
}

impl Derivative {
    fn operator(&self) -> PyResult<OrderDerivative> {
        let Choice { name, scheme, alpha, parameters, .. } = &self.choice;
        let order = Order::new(*alpha).or_raise()?;
        let parameters: Vec<(&str, f64)> =
            parameters.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        Ok(OrderDerivative(named(name, scheme.as_deref(), order, &parameters).or_raise()?))
    }
}

trait Scalar: Real + numpy::Element {
    fn bound(derivative: &Derivative) -> PyResult<&Bound<Self>>;
}

macro_rules! scalar {
    ($type:ty, $field:ident) => {
        impl Scalar for $type {
            fn bound(derivative: &Derivative) -> PyResult<&Bound<Self>> {
                if let Some(bound) = derivative.$field.get() {
                    return Ok(bound);
                }
                let (operator, machine) = (derivative.operator()?, machine::default()?);
                let bound = match &derivative.choice.points {
                    Points::Grid { n, dt } => {
                        operator.on(Grid::uniform(*n, *dt).or_raise()?, machine)
                    }
                    Points::Mesh(t) => operator.on_mesh(&Mesh::new(t.clone()).or_raise()?, machine),
                };
                let bound = bound.or_raise()?;
                Ok(derivative.$field.get_or_init(|| bound))
            }
        }
    };
}

scalar!(f32, single);
scalar!(f64, double);

fn latest(choice: Choice) -> Arc<Derivative> {
    let mut all = LATEST.lock().unwrap_or_else(PoisonError::into_inner);
    let found = match all.iter().position(|derivative| derivative.choice == choice) {
        Some(k) => all.remove(k),
        None => {
            let (single, double) = (OnceLock::new(), OnceLock::new());
            Arc::new(Derivative { choice, single, double })
        }
    };
    all.truncate(KEPT - 1);
    all.insert(0, Arc::clone(&found));
    found
}

/// An operator whose weights are the derivatives of those of another with respect to its order.
struct OrderDerivative(Arc<dyn Operator>);

impl Operator for OrderDerivative {
    fn name(&self) -> (&'static str, &'static str) {
        self.0.name()
    }

    fn order(&self) -> Order {
        self.0.order()
    }

    fn weights(&self, grid: Grid) -> Result<Weights, OperatorError> {
        self.0.order_derivative(&Discrete::Grid(grid))
    }

    fn mesh_weights(&self, mesh: &Mesh, memory: MeshMemory) -> Result<Weights, OperatorError> {
        self.0.order_derivative(&Discrete::Mesh(mesh.clone(), memory))
    }

    /// Not used: the derivative is bound to grids and meshes with exact weights.
    fn recurrence(
        &self,
        dt: f64,
        longest: u64,
        tolerance: f64,
    ) -> Result<Recurrence, OperatorError> {
        self.0.recurrence(dt, longest, tolerance)
    }

    /// Not used: there are no second derivatives.
    fn order_derivative(&self, of: &Discrete) -> Result<Weights, OperatorError> {
        self.0.order_derivative(of)
    }
}
