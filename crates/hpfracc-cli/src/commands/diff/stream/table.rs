//! Output table written row by row.

use super::samples::Sample;
use crate::Error;
use crate::output::PendingFile;
use crate::text::digits17;
use std::fs::File;
use std::io::{self, BufWriter, Stdout, Write};
use std::path::Path;

/// Writer to standard output or to a file, which is renamed to its target when complete.
pub(super) struct Table {
    rows: csv::Writer<Target>,
    name: String,
    row: csv::StringRecord,
}

enum Target {
    Stdout(BufWriter<Stdout>),
    File(BufWriter<File>, PendingFile),
}

impl Table {
    /// Opens the output and writes the header.
    pub(super) fn begin(path: &Path, names: [&str; 3]) -> Result<Self, Error> {
        let to_stdout = path.as_os_str() == "-";
        let name = if to_stdout { "<stdout>".to_owned() } else { path.display().to_string() };
        let target = if to_stdout {
            Target::Stdout(BufWriter::new(io::stdout()))
        } else {
            let pending = PendingFile::begin(path)?;
            Target::File(BufWriter::new(pending.file()?), pending)
        };
        let rows = csv::Writer::from_writer(target);
        let mut table = Self { rows, name, row: csv::StringRecord::new() };
        table.write(names)?;
        Ok(table)
    }

    pub(super) fn push(&mut self, sample: &Sample, result: f64) -> Result<(), Error> {
        self.write([&sample.label, &digits17(sample.value), &digits17(result)])
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
        if let Target::Stdout(_) = self.rows.get_ref() {
            self.rows.flush().map_err(|source| self.failed(source))?;
        }
        Ok(())
    }

    /// Renames a file to its target.
    pub(super) fn finish(mut self) -> Result<(), Error> {
        self.rows.flush().map_err(|source| self.failed(source))?;
        let name = self.name;
        let target = self.rows.into_inner();
        match target.map_err(|error| Error::Write { name, source: error.into_error() })? {
            Target::Stdout(_) => Ok(()),
            Target::File(_, pending) => pending.publish(),
        }
    }

    fn failed(&self, source: io::Error) -> Error {
        Error::Write { name: self.name.clone(), source }
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(out) => out.write(bytes),
            Self::File(out, _) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(out) => out.flush(),
            Self::File(out, _) => out.flush(),
        }
    }
}
