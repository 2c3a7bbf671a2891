//! The class `FieldEquationCore`: an equation of fields as data.

use crate::errors::{self, OrRaise};
use crate::ode::files::FilesIn;
use hpfracc::equation::{FieldEquation, nearest};
use hpfracc::pde::catalogue;
use pyo3::prelude::*;
use std::path::Path;

/// Names of the coordinates.
pub(super) const NAMES: [&str; 3] = ["x", "y", "z"];

/// Equation of fields of a text with the values of its parameters.
#[pyclass(name = "FieldEquationCore", module = "hpfracc._hpfracc", frozen)]
pub(crate) struct PyFieldEquation {
    equation: FieldEquation,
}

impl PyFieldEquation {
    pub(crate) fn equation(&self) -> &FieldEquation {
        &self.equation
    }
}

#[pymethods]
impl PyFieldEquation {
    /// Equation of a text with this number of coordinates.
    #[staticmethod]
    fn parse(text: &str, dimensions: usize, folder: &str) -> PyResult<Self> {
        let names = NAMES.get(..dimensions).ok_or_else(|| {
            errors::input(format!("a box of {dimensions} axes, expected at most {}", NAMES.len()))
        })?;
        let equation = FieldEquation::parse_with(text, names, &FilesIn(Path::new(folder)));
        Ok(Self { equation: equation.or_raise()? })
    }

    fn fields(&self) -> Vec<String> {
        self.equation.fields().iter().map(|field| field.name().to_owned()).collect()
    }

    fn orders(&self) -> Vec<f64> {
        self.equation.highest_orders()
    }

    fn parameters(&self) -> Vec<(String, f64)> {
        let parameters = self.equation.parameters().iter();
        parameters.map(|parameter| (parameter.name().to_owned(), parameter.value())).collect()
    }

    fn interval(&self) -> Option<(f64, f64)> {
        let [from, to] = self.equation.interval()?;
        let ends = self.equation.values(&[from, to]);
        Some((ends[0], ends[1]))
    }

    fn with_value(&self, name: &str, value: f64) -> PyResult<Self> {
        Ok(Self { equation: self.equation.clone().with_value(name, value).or_raise()? })
    }

    fn with_orders(&self, orders: Vec<f64>) -> PyResult<Self> {
        Ok(Self { equation: self.equation.clone().with_orders(&orders).or_raise()? })
    }
}

/// Entries of the catalogue: name, title, text, starts in one dimension and in more, largest number of dimensions.
#[pyfunction]
pub(super) fn field_catalogue()
-> Vec<(&'static str, &'static str, &'static str, &'static str, &'static str, usize)> {
    let entries = catalogue::ENTRIES.iter();
    entries.map(|e| (e.name, e.title, e.text, e.starts[0], e.starts[1], e.dimensions)).collect()
}

/// Name of the catalogue that is nearest to another one.
#[pyfunction]
pub(super) fn nearest_field_equation(name: &str) -> Option<&'static str> {
    nearest(name, catalogue::ENTRIES.iter().map(|entry| entry.name))
}
