//! Weights of errors that are proportional to the responses.

use super::args::Relative;
use super::data::Rows;
use hpfracc::fit::{Source, SourceError};

/// A column of weights for each response: the inverse square of its size, or of the norm of all.
#[derive(Debug)]
pub(super) struct RelativeWeights {
    rows: Rows,
    responses: Vec<usize>,
    to: Relative,
}

impl RelativeWeights {
    pub(super) fn new(rows: Rows, responses: Vec<usize>, to: Relative) -> Self {
        Self { rows, responses, to }
    }
}

impl Source for RelativeWeights {
    fn rows(&self) -> usize {
        self.rows.source().rows()
    }

    fn columns(&self) -> usize {
        self.responses.len()
    }

    fn read(&self, first: usize, values: &mut [f64]) -> Result<(), SourceError> {
        let (source, width) = (self.rows.source(), self.columns());
        let mut rows = vec![0.0; values.len() / width * source.columns()];
        source.read(first, &mut rows)?;
        for (weights, row) in
            values.chunks_exact_mut(width).zip(rows.chunks_exact(source.columns()))
        {
            let square = |column: &usize| row[*column] * row[*column];
            let norm: f64 = self.responses.iter().map(square).sum();
            for (weight, column) in weights.iter_mut().zip(&self.responses) {
                *weight = match self.to {
                    Relative::Each => square(column),
                    Relative::Modulus => norm,
                }
                .recip();
            }
        }
        Ok(())
    }

    fn unchanged(&self) -> Result<(), SourceError> {
        self.rows.source().unchanged()
    }
}
