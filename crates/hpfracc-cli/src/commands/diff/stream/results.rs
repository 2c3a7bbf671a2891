//! Writes results next to their samples.

use super::samples::Sample;
use super::table::Table;
use crate::Error;
use hpfracc::types::Real;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};

/// Samples that wait for their results, and the output table.
pub(super) struct Results {
    path: PathBuf,
    /// Names of the columns of time, input and result.
    names: [String; 3],
    /// Created with the first result, so that an earlier error leaves no output.
    table: Option<Table>,
    waiting: VecDeque<Sample>,
    written: u64,
    not_finite: u64,
}

impl Results {
    pub(super) fn new(path: &Path, names: [String; 3]) -> Self {
        let (path, waiting) = (path.to_owned(), VecDeque::new());
        Self { path, names, table: None, waiting, written: 0, not_finite: 0 }
    }

    /// Adds a sample whose result follows.
    pub(super) fn expect(&mut self, sample: Sample) {
        self.waiting.push_back(sample);
    }

    /// Whether nothing has been written.
    pub(super) fn are_none(&self) -> bool {
        self.table.is_none()
    }

    /// Writes the results of the oldest waiting samples.
    pub(super) fn write<T: Real>(&mut self, results: &[T]) -> Result<(), Error> {
        let table = match &mut self.table {
            Some(table) => table,
            none => {
                none.insert(Table::begin(&self.path, self.names.each_ref().map(String::as_str))?)
            }
        };
        for (result, sample) in results.iter().zip(self.waiting.drain(..results.len())) {
            let result = result.widen();
            self.not_finite += u64::from(!result.is_finite());
            table.push(&sample, result)?;
        }
        self.written += results.len() as u64;
        table.show()
    }

    /// Finishes the file; returns a note if some results are not finite.
    pub(super) fn finish(self) -> Result<Option<String>, Error> {
        self.table.map_or(Ok(()), Table::finish)?;
        let Self { names, written, not_finite, .. } = self;
        let [_, _, column] = names;
        let note = format!("{not_finite} of {written} values of {column} are not finite");
        Ok((not_finite > 0).then_some(note))
    }
}
