//! Rows of a fit, from a CSV file, a pipe or a raw file.

use crate::Error;
use crate::error::FittingError;
use crate::input::{Cell, CsvRow, CsvRows, CsvTable};
use hpfracc::fit::{RawFile, Source, Spool, Spooled};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

/// Rows of text that are in memory at once.
const BATCH: usize = 1000;

/// Columns of a file.
#[derive(Debug, Clone)]
pub(super) struct Rows {
    source: Arc<Kept>,
    /// Names of the columns of the source.
    pub(super) names: Vec<String>,
    /// Choices made while reading.
    pub(super) notes: Vec<String>,
}

#[derive(Debug)]
enum Kept {
    Spooled(Spooled),
    Raw(RawFile),
}

/// How a file is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reading<'a> {
    pub(super) missing_values: &'a [String],
    /// Whether rows may have missing values.
    pub(super) skips: bool,
    /// Bytes of memory for the rows.
    pub(super) limit: usize,
}

impl Rows {
    /// Columns of a raw file.
    pub(super) fn raw(path: &Path, names: &[String]) -> Result<Self, Error> {
        let file = RawFile::open(path, names.len())?;
        let source = Arc::new(Kept::Raw(file));
        Ok(Self { source, names: names.to_vec(), notes: vec![] })
    }

    /// All numeric columns of a CSV file, or of standard input for `-`.
    pub(super) fn csv(path: &Path, reading: Reading<'_>) -> Result<Self, Error> {
        if path.as_os_str() == "-" {
            return Self::read("<stdin>", io::stdin().lock(), reading);
        }
        let name = path.display().to_string();
        let file = File::open(path).map_err(|source| Error::Read { name: name.clone(), source })?;
        Self::read(&name, file, reading)
    }

    fn read(name: &str, source: impl Read, reading: Reading<'_>) -> Result<Self, Error> {
        let (mut rows, mut row) = (CsvRows::new(name, source)?, CsvRow::default());
        let mut table = CsvTable::of_header(&mut rows, reading.missing_values)?;
        let mut kept: Option<(Vec<usize>, Spool)> = None;
        loop {
            let more = rows.read(&mut row)?;
            if more {
                table.push(&row)?;
            }
            if more && table.rows() < BATCH {
                continue;
            }
            let (columns, spool) = match &mut kept {
                Some(kept) => kept,
                None => {
                    table.take_units();
                    let numeric = |column: &usize| table.begins_with_a_number(*column);
                    let columns: Vec<usize> = (0..table.header().len()).filter(numeric).collect();
                    let spool = Spool::new(columns.len(), reading.limit);
                    kept.insert((columns, spool))
                }
            };
            append(&table, columns, reading.skips, spool)?;
            table.clear();
            if !more {
                break;
            }
        }
        let (columns, spool) = kept.unwrap_or_else(|| (vec![], Spool::new(0, 0)));
        let names = columns.iter().map(|column| table.header()[*column].clone()).collect();
        let source = Arc::new(Kept::Spooled(spool.finish()?));
        Ok(Self { source, names, notes: table.notes() })
    }

    pub(super) fn source(&self) -> &dyn Source {
        match &*self.source {
            Kept::Spooled(source) => source,
            Kept::Raw(source) => source,
        }
    }

    /// Where the rows are.
    pub(super) fn place(&self) -> &'static str {
        match &*self.source {
            Kept::Spooled(rows) if rows.is_file() => "a temporary file",
            Kept::Spooled(_) => "memory",
            Kept::Raw(_) => "the file",
        }
    }

    /// Index of the column of a name.
    pub(super) fn index(&self, set: &str, name: &str) -> Result<usize, Error> {
        let known = || self.names.iter().map(String::as_str);
        let found = known().position(|known| known == name);
        found.ok_or_else(|| Error::unknown(format!("{set}: "), "column", name, known()))
    }

    /// Renames columns.
    pub(super) fn rename(
        &mut self,
        set: &str,
        names: &BTreeMap<String, String>,
    ) -> Result<(), Error> {
        for (written, column) in names {
            let known = self.index(set, column)?;
            self.names[known].clone_from(written);
        }
        Ok(())
    }

    /// First rows of all columns, row by row.
    pub(super) fn head(&self, rows: usize) -> Result<Vec<f64>, Error> {
        let source = self.source();
        let mut values = vec![0.0; rows.min(source.rows()) * source.columns()];
        source.read(0, &mut values)?;
        Ok(values)
    }

    /// Numbers of a column.
    pub(super) fn column(&self, column: usize) -> Result<Vec<f64>, Error> {
        let (source, chunk) = (self.source(), 4096);
        let mut numbers = Vec::with_capacity(source.rows());
        let mut values = vec![];
        for first in (0..source.rows()).step_by(chunk) {
            let rows = chunk.min(source.rows() - first);
            values.resize(rows * source.columns(), 0.0);
            source.read(first, &mut values)?;
            numbers.extend(values.iter().skip(column).step_by(source.columns()));
        }
        Ok(numbers)
    }
}

/// Appends the numbers of a batch of rows.
fn append(
    table: &CsvTable,
    columns: &[usize],
    skips: bool,
    spool: &mut Spool,
) -> Result<(), Error> {
    let mut numbers = vec![0.0; columns.len()];
    for row in 0..table.rows() {
        for (number, column) in numbers.iter_mut().zip(columns) {
            let text = table.cell(row, *column);
            *number = match table.format().read(&text) {
                Cell::Number(x) => x,
                Cell::Missing if skips => f64::NAN,
                Cell::Missing => {
                    let (place, text) = (table.place(row, *column), text.into_owned());
                    return Err(FittingError::Missing { place, text }.into());
                }
                Cell::Text => {
                    let (place, text) = (table.place(row, *column), text.into_owned());
                    return Err(Error::NotANumber { place, text });
                }
            };
        }
        spool.push(&numbers)?;
    }
    Ok(())
}
