//! Choice of an operator: definition, scheme, order, parameters and the points of the samples.

use crate::arrays::number;
use crate::errors::{OrRaise, input};
use hpfracc::Machine;
use hpfracc::backend::Backend;
use hpfracc::operators::{
    Bound, FractionalLaplacian, MeshMemory, Operator, OperatorError, Riesz, named,
};
use hpfracc::types::{Grid, Mesh, Order, Real};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// Points at which signals are sampled, with the form of the memory.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Points {
    /// `n` samples with the step `dt`; with a tolerance, a sum of exponentials.
    Grid { n: usize, dt: f64, tolerance: Option<f64> },
    /// Increasing times; with a tolerance, a sum of exponentials.
    Mesh { t: Vec<f64>, tolerance: Option<f64> },
    /// Lengths and steps of the axes of a box.
    Box(Vec<(usize, f64)>),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Choice {
    pub(crate) name: String,
    pub(crate) scheme: Option<String>,
    pub(crate) alpha: f64,
    pub(crate) parameters: Vec<(String, f64)>,
    pub(crate) points: Points,
}

impl Points {
    /// Number of samples along each axis.
    pub(crate) fn shape(&self) -> Vec<usize> {
        match self {
            Self::Grid { n, .. } => vec![*n],
            Self::Mesh { t, .. } => vec![t.len()],
            Self::Box(axes) => axes.iter().map(|(n, _)| *n).collect(),
        }
    }
}

impl Choice {
    /// The operator with its names and parameters.
    pub(crate) fn operator(&self) -> PyResult<Arc<dyn Operator>> {
        let order = Order::new(self.alpha).or_raise()?;
        let parameters: Vec<(&str, f64)> =
            self.parameters.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        named(&self.name, self.scheme.as_deref(), order, &parameters).or_raise()
    }

    /// Binds the operator to its points and to a machine.
    pub(crate) fn bind<T: Real>(&self, machine: &Machine) -> PyResult<Bound<T>>
    where
        Machine: Backend<T>,
    {
        let operator = self.operator()?;
        match &self.points {
            Points::Grid { n, dt, tolerance: None } => operator.on(grid(*n, *dt)?, machine),
            Points::Grid { n, dt, tolerance: Some(tolerance) } => {
                operator.on_exponentials(grid(*n, *dt)?, *tolerance, machine)
            }
            Points::Mesh { t, tolerance } => {
                let memory = match tolerance {
                    None => MeshMemory::default(),
                    Some(tolerance) => MeshMemory::Exponentials { tolerance: *tolerance },
                };
                operator.on_mesh_with(&Mesh::new(t.clone()).or_raise()?, memory, machine)
            }
            Points::Box(axes) => self.bind_box(operator.as_ref(), axes, machine)?,
        }
        .or_raise()
    }

    fn bind_box<T: Real>(
        &self,
        operator: &dyn Operator,
        axes: &[(usize, f64)],
        machine: &Machine,
    ) -> PyResult<Result<Bound<T>, OperatorError>>
    where
        Machine: Backend<T>,
    {
        let axes: Vec<Grid> = axes.iter().map(|(n, dt)| grid(*n, *dt)).collect::<PyResult<_>>()?;
        let order = operator.order();
        match operator.name() {
            ("riesz", "spectral") => Ok(Riesz::spectral(order).on_box(&axes, machine)),
            ("fractional-laplacian", "spectral") => {
                Ok(FractionalLaplacian::spectral(order).on_box(&axes, machine))
            }
            (name, scheme) => Err(input(format!(
                "{name} by the scheme {scheme} acts along one axis, and {} steps are given: on several axes at once act \
                 riesz and fractional-laplacian by the scheme spectral",
                axes.len()
            ))),
        }
    }
}

fn grid(n: usize, dt: f64) -> PyResult<Grid> {
    Grid::uniform(n, dt).or_raise()
}

/// Parameters of a definition from keyword arguments.
pub(crate) fn parameters(
    keywords: Option<&pyo3::Bound<'_, PyDict>>,
) -> PyResult<Vec<(String, f64)>> {
    let Some(keywords) = keywords else { return Ok(vec![]) };
    let mut values = vec![];
    for (name, value) in keywords {
        // Python reserves the word lambda.
        let name: String = name.extract::<String>()?.trim_end_matches('_').to_owned();
        let value = number(&name, &value)?;
        values.push((name, value));
    }
    Ok(values)
}
