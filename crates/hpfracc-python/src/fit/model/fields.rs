//! Models of equations of fields on boxes.

use crate::errors;
use crate::fields::equation::PyFieldEquation;
use crate::fields::grid::PyBox;
use crate::fields::solve::problem::{self, FaceValue};
use crate::fit::failure::of_fit;
use hpfracc::fit::FieldModel;
use hpfracc::pde::FieldProblem;
use pyo3::prelude::*;

/// Equation of fields on a box, before it has seen data.
pub(super) struct FieldsOnBox {
    problem: FieldProblem,
    observed: Vec<String>,
    constants: Vec<String>,
    search: Vec<String>,
    steps: Option<usize>,
}

impl FieldsOnBox {
    /// Boundary values may depend on parameters that are constants.
    ///
    /// # Errors
    /// Those of the model at one point, for names that the equation does not have and the like.
    pub(super) fn new(
        (equation, grid, values): (&PyFieldEquation, &PyBox, Vec<FaceValue>),
        observed: Option<Vec<String>>,
        (constants, search): (Vec<String>, Vec<String>),
        steps: Option<usize>,
    ) -> PyResult<Self> {
        let is_constant = |name: &str| constants.iter().any(|constant| constant == name);
        let problem = problem::on_box(equation, grid, values, is_constant)?;
        let fields = problem.text().fields().iter().map(|field| field.name().to_owned());
        let observed = observed.unwrap_or_else(|| fields.collect());
        let fields = Self { problem, observed, constants, search, steps };
        fields.anywhere()?;
        Ok(fields)
    }

    /// Names of time and coordinates.
    pub(super) fn inputs(&self) -> Vec<String> {
        let coordinates = self.problem.text().coordinates();
        std::iter::once("t").chain(coordinates).map(str::to_owned).collect()
    }

    /// Names of the observed fields.
    pub(super) fn observed(&self) -> &[String] {
        &self.observed
    }

    /// The model for columns of times and coordinates.
    ///
    /// # Errors
    /// Those of [`FieldModel::new`] and of its settings.
    pub(super) fn at(&self, columns: &[Vec<f64>]) -> PyResult<FieldModel> {
        let Some((times, coordinates)) = columns.split_first() else {
            return Err(errors::input("x has no columns, expected times and coordinates"));
        };
        let coordinates: Vec<&[f64]> = coordinates.iter().map(Vec::as_slice).collect();
        let made =
            FieldModel::new(self.problem.clone(), &names(&self.observed), times, &coordinates)
                .and_then(|model| model.constants(&names(&self.constants)))
                .and_then(|model| model.search(&names(&self.search)));
        let model = match self.steps {
            Some(steps) => made.and_then(|model| model.steps(steps)),
            None => made,
        };
        model.map_err(of_fit)
    }

    /// The model for one point at one time, for what does not depend on data.
    ///
    /// # Errors
    /// Those of [`at`](Self::at).
    pub(super) fn anywhere(&self) -> PyResult<FieldModel> {
        let first = self.problem.grid().map(|grid| FieldModel::points(grid, &[1.0]));
        let columns: Vec<Vec<f64>> =
            first.into_iter().flatten().map(|column| column[..1].to_vec()).collect();
        self.at(&columns)
    }
}

fn names(all: &[String]) -> Vec<&str> {
    all.iter().map(String::as_str).collect()
}
