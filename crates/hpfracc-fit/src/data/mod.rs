//! Data of a fit: sets of columns in memory.

use crate::FitError;
use crate::model::Model;

/// What is known of the errors of the responses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Weighting<'a> {
    /// Equal standard deviations, estimated from the residuals.
    Equal,
    /// Standard deviations.
    Sigma(&'a [f64]),
    /// Inverse variances up to a factor, which is estimated from the residuals.
    Weight(&'a [f64]),
}

/// Data with their model: columns of inputs, a column for each response, and what is known of its errors.
///
/// ```
/// use hpfracc_equation::Formula;
/// use hpfracc_fit::{FormulaModel, Set};
///
/// let line = FormulaModel::new(&[Formula::parse("a + b x", &["x"])?])?;
/// let set = Set::new("line", &line).input(&[0.0, 1.0]).response(&[1.0, 3.0]).sigma(&[0.1, 0.2]);
/// assert_eq!(set.rows(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Set<'a> {
    pub(crate) name: String,
    pub(crate) model: &'a dyn Model,
    pub(crate) inputs: Vec<&'a [f64]>,
    pub(crate) responses: Vec<(&'a [f64], Weighting<'a>)>,
    pub(crate) skips: bool,
}

impl<'a> Set<'a> {
    /// Set without data.
    pub fn new(name: &str, model: &'a dyn Model) -> Self {
        let (inputs, responses) = (vec![], vec![]);
        Self { name: name.to_owned(), model, inputs, responses, skips: false }
    }

    /// Appends a column of inputs, in the order of the model.
    pub fn input(mut self, column: &'a [f64]) -> Self {
        self.inputs.push(column);
        self
    }

    /// Appends a column of responses, in the order of the model. All its numbers have the same standard deviation, which
    /// is estimated, unless [`sigma`](Self::sigma) or [`weight`](Self::weight) follows.
    pub fn response(mut self, column: &'a [f64]) -> Self {
        self.responses.push((column, Weighting::Equal));
        self
    }

    /// Standard deviations of the last response: known ones, so that standard errors of parameters are not scaled by the
    /// residuals.
    pub fn sigma(mut self, column: &'a [f64]) -> Self {
        if let Some((_, weighting)) = self.responses.last_mut() {
            *weighting = Weighting::Sigma(column);
        }
        self
    }

    /// Weights of the last response: inverse variances up to a factor, which is estimated.
    pub fn weight(mut self, column: &'a [f64]) -> Self {
        if let Some((_, weighting)) = self.responses.last_mut() {
            *weighting = Weighting::Weight(column);
        }
        self
    }

    /// Leaves out rows with a number that is not finite, and counts them, in place of an error.
    pub fn skip_not_finite(mut self) -> Self {
        self.skips = true;
        self
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.columns().next().map_or(0, |(_, _, column)| column.len())
    }

    /// All columns: what they are, their index among these, and their numbers.
    fn columns(&self) -> impl Iterator<Item = (&'static str, usize, &'a [f64])> + '_ {
        let inputs = self.inputs.iter().enumerate().map(|(k, column)| ("inputs", k, *column));
        let responses =
            self.responses.iter().enumerate().map(|(k, (column, _))| ("responses", k, *column));
        let weights =
            self.responses.iter().enumerate().filter_map(|(k, (_, weighting))| match weighting {
                Weighting::Equal => None,
                Weighting::Sigma(column) => Some(("standard deviations", k, *column)),
                Weighting::Weight(column) => Some(("weights", k, *column)),
            });
        inputs.chain(responses).chain(weights)
    }

    /// Checks all columns, and returns the number of rows that are skipped.
    pub(crate) fn check(&self) -> Result<usize, FitError> {
        let set = || self.name.clone();
        let counts = [
            ("columns of inputs", self.inputs.len(), self.model.inputs()),
            ("columns of responses", self.responses.len(), self.model.responses()),
        ];
        for (what, found, expected) in counts {
            if found != expected {
                return Err(FitError::Columns { set: set(), what, found, expected });
            }
        }
        let expected = self.rows();
        for (what, _, column) in self.columns() {
            let found = column.len();
            if found != expected {
                return Err(FitError::Rows { set: set(), what, found, expected });
            }
        }
        if expected == 0 {
            return Err(FitError::Empty { what: "rows of data" });
        }
        let mut skipped = 0;
        if !self.columns().all(|(_, _, column)| column.iter().all(|value| value.is_finite())) {
            for row in 0..expected {
                let bad = self.columns().find(|(_, _, column)| !column[row].is_finite());
                let Some((what, column, values)) = bad else { continue };
                if !self.skips {
                    let value = values[row];
                    return Err(FitError::NotFinite { set: set(), row, what, column, value });
                }
                skipped += 1;
            }
        }
        for (what, _, column) in
            self.columns().filter(|(what, ..)| !matches!(*what, "inputs" | "responses"))
        {
            let what = if what == "weights" { "weight" } else { "standard deviation" };
            if let Some(row) = column.iter().position(|value| *value <= 0.0) {
                return Err(FitError::Weight { set: set(), row, what, value: column[row] });
            }
        }
        Ok(skipped)
    }
}
