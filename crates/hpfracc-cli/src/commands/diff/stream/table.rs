//! Output table written row by row.

use super::samples::Sample;
use crate::Error;
use hpfracc::types::shortest;
use hpfracc_plot::PendingFile;
use std::io::{self, Write};
use std::path::Path;

/// Writer to standard output or to a file, which is renamed to its target when complete.
pub(super) struct Table {
    rows: csv::Writer<Box<dyn Write>>,
    name: String,
    row: csv::StringRecord,
    /// The file; `None` for standard output.
    pending: Option<PendingFile>,
}

impl Table {
    /// Opens the output and writes the header.
    pub(super) fn begin(path: &Path, names: [&str; 3]) -> Result<Self, Error> {
        let to_stdout = path.as_os_str() == "-";
        let name = if to_stdout { "<stdout>".to_owned() } else { path.display().to_string() };
        let pending = if to_stdout { None } else { Some(PendingFile::begin(path)?) };
        let target: Box<dyn Write> = match &pending {
            Some(pending) => Box::new(pending.file()?),
            None => Box::new(io::stdout()),
        };
        let rows = csv::Writer::from_writer(target);
        let mut table = Self { rows, name, row: csv::StringRecord::new(), pending };
        table.write(names)?;
        Ok(table)
    }

    pub(super) fn push(&mut self, sample: &Sample, result: f64) -> Result<(), Error> {
        self.write([&sample.label, &shortest(sample.value), &shortest(result)])
    }

    fn write(&mut self, cells: [&str; 3]) -> Result<(), Error> {
        self.row.clear();
        cells.into_iter().for_each(|cell| self.row.push_field(cell));
        let written = self.rows.write_record(&self.row);
        written.map_err(|error| match error.into_kind() {
            csv::ErrorKind::Io(source) => self.failed(source),
            kind => self.failed(io::Error::other(format!("{kind:?}"))),
        })
    }

    /// Flushes standard output.
    pub(super) fn show(&mut self) -> Result<(), Error> {
        if self.pending.is_none() {
            self.rows.flush().map_err(|source| self.failed(source))?;
        }
        Ok(())
    }

    /// Renames a file to its target.
    pub(super) fn finish(mut self) -> Result<(), Error> {
        self.rows.flush().map_err(|source| self.failed(source))?;
        Ok(self.pending.map_or(Ok(()), PendingFile::publish)?)
    }

    fn failed(&self, source: io::Error) -> Error {
        Error::Write { name: self.name.clone(), source }
    }
}
