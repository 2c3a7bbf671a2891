//! Data of a fit: sets of columns, in memory or in files.

mod column;
mod facts;
mod raw_file;
mod reader;
mod source;
mod spool;
mod thinned;

pub use column::Column;
pub use raw_file::RawFile;
pub use source::Source;
pub use spool::{Spool, Spooled};

pub(crate) use facts::Facts;
pub(crate) use reader::{READ_ROWS, Reader, ReaderColumns};
pub(crate) use thinned::Thinned;

use crate::model::Model;

/// What is known of the errors of the responses.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Weighting<'a> {
    /// Equal standard deviations, estimated from the residuals.
    Equal,
    /// Standard deviations.
    Sigma(Column<'a>),
    /// Inverse variances up to a factor, which is estimated from the residuals.
    Weight(Column<'a>),
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
    pub(crate) inputs: Vec<Column<'a>>,
    pub(crate) responses: Vec<(Column<'a>, Weighting<'a>)>,
    pub(crate) skips: bool,
}

impl<'a> Set<'a> {
    /// Set without data.
    pub fn new(name: &str, model: &'a dyn Model) -> Self {
        let (inputs, responses) = (vec![], vec![]);
        Self { name: name.to_owned(), model, inputs, responses, skips: false }
    }

    /// Appends a column of inputs, in the order of the model.
    pub fn input(mut self, column: impl Into<Column<'a>>) -> Self {
        self.inputs.push(column.into());
        self
    }

    /// Appends a column of responses, in the order of the model. All its numbers have the same standard deviation, which
    /// is estimated, unless [`sigma`](Self::sigma) or [`weight`](Self::weight) follows.
    pub fn response(mut self, column: impl Into<Column<'a>>) -> Self {
        self.responses.push((column.into(), Weighting::Equal));
        self
    }

    /// Standard deviations of the last response: known ones, so that standard errors of parameters are not scaled by the
    /// residuals.
    pub fn sigma(mut self, column: impl Into<Column<'a>>) -> Self {
        if let Some((_, weighting)) = self.responses.last_mut() {
            *weighting = Weighting::Sigma(column.into());
        }
        self
    }

    /// Weights of the last response: inverse variances up to a factor, which is estimated.
    pub fn weight(mut self, column: impl Into<Column<'a>>) -> Self {
        if let Some((_, weighting)) = self.responses.last_mut() {
            *weighting = Weighting::Weight(column.into());
        }
        self
    }

    /// Leaves out rows with a number that is not finite, and counts them, in place of an error.
    pub fn skip_not_finite(mut self) -> Self {
        self.skips = true;
        self
    }

    /// Replaces all columns by others in the order of [`columns`](Self::columns).
    pub(crate) fn replace_columns(&mut self, columns: impl Iterator<Item = Column<'a>>) {
        let Self { inputs, responses, .. } = self;
        let (mut values, mut weights) = (vec![], vec![]);
        for (value, weighting) in responses {
            values.push(value);
            match weighting {
                Weighting::Equal => {}
                Weighting::Sigma(column) | Weighting::Weight(column) => weights.push(column),
            }
        }
        let all = inputs.iter_mut().chain(values).chain(weights);
        all.zip(columns).for_each(|(old, new)| *old = new);
    }

    /// Number of responses with standard deviations or weights.
    pub(crate) fn weighted_responses(&self) -> usize {
        self.responses.iter().filter(|(_, by)| !matches!(by, Weighting::Equal)).count()
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.columns().next().map_or(0, |(_, _, column)| column.rows())
    }

    /// All columns: what they are, their index among these, and their numbers.
    pub(crate) fn columns(&self) -> impl Iterator<Item = (&'static str, usize, Column<'a>)> + '_ {
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

    /// Checks that no file has changed since it was opened.
    pub(crate) fn unchanged(&self) -> Result<(), crate::SourceError> {
        self.columns().try_for_each(|(_, _, column)| match column {
            Column::Of { source, .. } => source.unchanged(),
            Column::Slice(_) => Ok(()),
        })
    }
}
