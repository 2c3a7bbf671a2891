//! The class `OperatorFunctionCore`: powers, exponentials and Mittag-Leffler functions of operators.

use super::compute::computed;
use super::numbers::Fields;
use super::tree::{Accuracy, Tree};
use crate::errors::{self, OrRaise};
use hpfracc::equation::nearest;
use hpfracc::spatial::{Function, OperatorFunction, SpatialError, Way};
use numpy::PyArrayDyn;
use pyo3::prelude::*;
use std::sync::Arc;

/// Methods by name.
const WAYS: [(&str, Way); 8] = [
    ("auto", Way::Auto),
    ("modes", Way::Modes),
    ("dense", Way::Dense),
    ("chebyshev", Way::Chebyshev),
    ("lanczos", Way::Lanczos),
    ("rational", Way::Rational),
    ("sinc", Way::Sinc),
    ("contour", Way::Contour),
];

/// Method of a name, with a tolerance.
///
/// # Errors
/// `InputError` for an unknown name.
pub(super) fn accuracy(name: &str, tolerance: f64) -> PyResult<Accuracy> {
    if let Some((_, way)) = WAYS.iter().find(|(known, _)| *known == name) {
        return Ok(Accuracy { way: *way, tolerance });
    }
    let known = WAYS.map(|(known, _)| known);
    let hint = nearest(name, known.into_iter())
        .map_or(String::new(), |near| format!(" (did you mean {near:?}?)"));
    Err(errors::input(format!("way is {name:?}{hint}, expected one of {}", known.join(", "))))
}

/// Function of a name with its parameters.
///
/// # Errors
/// `InputError` for an unknown one.
pub(super) fn function(name: &str, parameters: &[f64]) -> PyResult<Function> {
    match (name, parameters) {
        ("power", [s]) => Ok(Function::Power(*s)),
        ("exponential", [t]) => Ok(Function::Exponential { t: *t }),
        ("mittag-leffler", [alpha, t]) => Ok(Function::MittagLeffler { alpha: *alpha, t: *t }),
        _ => Err(errors::input(format!("no function {name:?} of {} numbers", parameters.len()))),
    }
}

/// Function of an operator.
#[pyclass(name = "OperatorFunctionCore", module = "hpfracc._hpfracc", frozen)]
pub(crate) struct PyFunction {
    tree: Arc<Tree>,
    shape: Vec<usize>,
    function: Function,
    accuracy: Accuracy,
    /// Method, text and error bound.
    facts: (Way, String, f64),
}

/// What of a function is computed.
#[derive(Clone, Copy)]
enum Quantity {
    Value,
    Transposed,
    ExponentDerivative,
}

impl PyFunction {
    /// Function of an operator, prepared once to check it.
    ///
    /// # Errors
    /// Those of [`OperatorFunction::new`].
    pub(super) fn new(
        py: Python<'_>,
        tree: Arc<Tree>,
        shape: Vec<usize>,
        function: Function,
        accuracy: Accuracy,
    ) -> PyResult<Self> {
        let (of, n) = (Arc::clone(&tree), shape.iter().product());
        let facts = computed(py, n, move || {
            prepared(&of, function, accuracy, &mut |f| Ok((f.way(), f.explain(), f.error_bound())))
        })?;
        Ok(Self { tree, shape, function, accuracy, facts: facts.or_raise()? })
    }

    fn of<'py>(
        &self,
        py: Python<'py>,
        u: &Bound<'py, PyAny>,
        quantity: Quantity,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let fields = Fields::of("u", u, &self.shape)?;
        // The method that was chosen once.
        let accuracy = Accuracy { way: self.facts.0, ..self.accuracy };
        let (tree, function) = (Arc::clone(&self.tree), self.function);
        let (fields, values) = computed(py, fields.values.len(), move || {
            let mut out = vec![0.0; fields.values.len()];
            let computed = prepared(&tree, function, accuracy, &mut |f| {
                fields.pairs(&mut out).try_for_each(|(x, y)| match quantity {
                    Quantity::Value => f.apply(x, y),
                    Quantity::Transposed => f.apply_transpose(x, y),
                    Quantity::ExponentDerivative => f.apply_exponent_derivative(x, y),
                })
            });
            (fields, computed.map(|()| out))
        })?;
        fields.array(py, values.or_raise()?)
    }
}

/// Calls `work` with the prepared function.
fn prepared<R>(
    tree: &Tree,
    function: Function,
    accuracy: Accuracy,
    work: &mut dyn FnMut(&OperatorFunction<'_>) -> Result<R, SpatialError>,
) -> Result<R, SpatialError> {
    tree.with(&mut |operator| {
        work(&OperatorFunction::new(operator, function, accuracy.way, accuracy.tolerance)?)
    })
}

#[pymethods]
impl PyFunction {
    fn shape(&self) -> Vec<usize> {
        self.shape.clone()
    }

    fn apply<'py>(
        &self,
        py: Python<'py>,
        u: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        self.of(py, u, Quantity::Value)
    }

    fn apply_transpose<'py>(
        &self,
        py: Python<'py>,
        u: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        self.of(py, u, Quantity::Transposed)
    }

    fn exponent_derivative<'py>(
        &self,
        py: Python<'py>,
        u: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        self.of(py, u, Quantity::ExponentDerivative)
    }

    /// Formula.
    fn name(&self) -> String {
        self.function.to_string()
    }

    fn way(&self) -> &'static str {
        WAYS.iter().find(|(_, way)| *way == self.facts.0).map_or("auto", |(name, _)| name)
    }

    fn explain(&self) -> String {
        self.facts.1.clone()
    }

    fn error_bound(&self) -> f64 {
        self.facts.2
    }
}
