use super::{Column, Reader, ReaderColumns, Set, Weighting};
use crate::FitError;
use crate::factor::{BLOCK, TASK};
use hpfracc_communicator::Ranks;
use serde::{Deserialize, Serialize};
use std::iter::Sum;
use std::ops::Range;

/// What a first pass over the data finds.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Facts {
    /// Responses that are used.
    pub(crate) data: u64,
    /// Rows that are skipped.
    pub(crate) skipped: u64,
    /// Sum of the weighted squares of the responses.
    pub(crate) squares: f64,
    /// Sum of the logarithms of the square roots of the weights.
    pub(crate) log_weights: f64,
}

impl Sum for Facts {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::default(), |sum, part| Self {
            data: sum.data + part.data,
            skipped: sum.skipped + part.skipped,
            squares: sum.squares + part.squares,
            log_weights: sum.log_weights + part.log_weights,
        })
    }
}

impl Set<'_> {
    /// Checks all columns.
    pub(crate) fn check(&self) -> Result<Facts, FitError> {
        self.check_shape()?;
        self.check_numbers(Ranks::ALONE)
    }

    /// Checks the numbers of all columns, whose lengths agree.
    pub(crate) fn check_numbers(&self, ranks: Ranks<'_>) -> Result<Facts, FitError> {
        let rows = self.rows();
        let task = |k: usize| self.check_rows(k * TASK..rows.min((k + 1) * TASK));
        Ok(ranks.map_equal(rows.div_ceil(TASK), task)?.into_iter().sum())
    }

    fn check_rows(&self, rows: Range<usize>) -> Result<Facts, FitError> {
        let mut columns = ReaderColumns::default();
        let mut reader = Reader::new(self, rows.end, &mut columns);
        let mut facts = Facts::default();
        let weighted = self.responses.iter().any(|(_, by)| !matches!(by, Weighting::Equal));
        for first in rows.clone().step_by(BLOCK) {
            let block = first..rows.end.min(first + BLOCK);
            let (count, mut skipped) = (block.len() as u64, 0);
            reader.read(block.clone())?;
            let finite = |values: &[f64]| values.iter().all(|x| x.is_finite());
            let positive = reader.weights().iter().all(|w| *w > 0.0 && w.is_finite());
            if !(finite(reader.inputs()) && finite(reader.responses()) && positive) {
                skipped = self.count_bad(&reader, block)?;
            }
            facts.data += (count - skipped) * self.responses.len() as u64;
            facts.skipped += skipped;
            let pairs = reader.responses().iter().zip(reader.weights());
            let squares = pairs.map(|(y, w)| (y * w) * (y * w));
            facts.squares += squares.filter(|square| square.is_finite()).sum::<f64>();
            if weighted {
                let used = reader.weights().iter().filter(|w| **w > 0.0);
                facts.log_weights += used.map(|w| w.ln()).sum::<f64>();
            }
        }
        Ok(facts)
    }

    /// Number of rows of a block that are skipped, or the first that must not be.
    fn count_bad(&self, reader: &Reader<'_, '_>, rows: Range<usize>) -> Result<u64, FitError> {
        let set = || self.name.clone();
        let mut skipped = 0;
        for row in rows {
            let values: Vec<_> = self
                .columns()
                .map(|(what, k, column)| (what, k, reader.value(&column, row)))
                .collect();
            if let Some(&(what, column, value)) = values.iter().find(|(_, _, x)| !x.is_finite()) {
                if !self.skips {
                    return Err(FitError::NotFinite { set: set(), row, what, column, value });
                }
                skipped += 1;
                continue;
            }
            let weights = values.iter().skip(self.inputs.len() + self.responses.len());
            for &(what, _, value) in weights {
                if value <= 0.0 {
                    let what = if what == "weights" { "weight" } else { "standard deviation" };
                    return Err(FitError::Weight { set: set(), row, what, value });
                }
            }
        }
        Ok(skipped)
    }

    /// Checks the numbers of columns.
    pub(crate) fn check_counts(&self) -> Result<(), FitError> {
        let counts = [
            ("columns of inputs", self.inputs.len(), self.model.inputs()),
            ("columns of responses", self.responses.len(), self.model.responses()),
        ];
        for (what, found, expected) in counts {
            if found != expected {
                return Err(FitError::Columns { set: self.name.clone(), what, found, expected });
            }
        }
        Ok(())
    }

    /// Checks the numbers of columns and their lengths.
    pub(crate) fn check_shape(&self) -> Result<(), FitError> {
        self.check_counts()?;
        let set = || self.name.clone();
        let expected = self.rows();
        for (what, _, column) in self.columns() {
            let found = column.rows();
            if found != expected {
                return Err(FitError::Rows { set: set(), what, found, expected });
            }
            if let Column::Of { source, column } = column
                && column >= source.columns()
            {
                let (what, expected) = ("columns in its file", column + 1);
                return Err(FitError::Columns {
                    set: set(),
                    what,
                    found: source.columns(),
                    expected,
                });
            }
        }
        if expected == 0 {
            return Err(FitError::Empty { what: "rows of data" });
        }
        Ok(())
    }
}
