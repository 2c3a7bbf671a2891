use super::{RawFile, Source};
use crate::SourceError;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

/// Rows of an iterator, a pipe or a reader of another format, kept for several passes: in memory up to a limit, and
/// beyond it in a temporary file, which is removed with the spool.
///
/// ```
/// use hpfracc_fit::{Source, Spool};
///
/// let rows = (0..1000).map(|k| [k as f64, (k as f64).sqrt()]);
/// let mut spool = Spool::new(2, 4096);
/// for row in rows {
///     spool.push(&row)?;
/// }
/// let spooled = spool.finish()?;
/// assert!(spooled.is_file() && spooled.rows() == 1000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Spool {
    columns: usize,
    limit: usize,
    memory: Vec<f64>,
    file: Option<BufWriter<tempfile::NamedTempFile>>,
    folder: PathBuf,
}

impl Spool {
    /// Spool of rows of `columns` numbers that takes at most `limit` bytes of memory.
    pub fn new(columns: usize, limit: usize) -> Self {
        Self { columns, limit, memory: vec![], file: None, folder: std::env::temp_dir() }
    }

    /// Sets the folder of the temporary file.
    pub fn folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = folder.into();
        self
    }

    /// Appends a row.
    ///
    /// # Errors
    /// [`SourceError`] for a row of another length, and if the file cannot be written.
    pub fn push(&mut self, row: &[f64]) -> Result<(), SourceError> {
        if row.len() != self.columns {
            let reason = format!("a row has {} numbers, expected {}", row.len(), self.columns);
            return Err(SourceError::new("spool", reason));
        }
        if self.file.is_none() && 8 * (self.memory.len() + row.len()) > self.limit {
            self.begin_file()?;
        }
        match &mut self.file {
            Some(file) => write(file, row).map_err(|error| self.failure(&error)),
            None => {
                if self.memory.capacity() - self.memory.len() < row.len() {
                    // Growth by doubling must not exceed the limit.
                    let wanted = (2 * self.memory.len()).clamp(64, (self.limit / 8).max(64));
                    let more = wanted.saturating_sub(self.memory.len()).max(row.len());
                    self.memory.reserve_exact(more);
                }
                self.memory.extend_from_slice(row);
                Ok(())
            }
        }
    }

    fn begin_file(&mut self) -> Result<(), SourceError> {
        let file = tempfile::Builder::new().prefix("hpfracc-fit-").tempfile_in(&self.folder);
        let mut file = BufWriter::new(file.map_err(|error| self.failure(&error))?);
        write(&mut file, &self.memory).map_err(|error| self.failure(&error))?;
        self.memory = vec![];
        self.file = Some(file);
        Ok(())
    }

    fn failure(&self, error: &std::io::Error) -> SourceError {
        SourceError::io(&self.folder, "keep rows in a temporary file here", error)
    }

    /// The rows.
    ///
    /// # Errors
    /// [`SourceError`] if the file cannot be written.
    pub fn finish(mut self) -> Result<Spooled, SourceError> {
        let columns = self.columns;
        let Some(file) = self.file.take() else {
            return Ok(Spooled { columns, rows: Rows::Memory(self.memory) });
        };
        let file = file.into_inner().map_err(|error| self.failure(error.error()))?;
        let again = file.reopen().map_err(|error| self.failure(&error))?;
        let raw = RawFile::of(again, file.path(), columns)?;
        Ok(Spooled { columns, rows: Rows::File(raw, file.into_temp_path()) })
    }
}

fn write(file: &mut impl Write, values: &[f64]) -> std::io::Result<()> {
    values.iter().try_for_each(|value| file.write_all(&value.to_le_bytes()))
}

/// Rows that a [`Spool`] has kept.
#[derive(Debug)]
pub struct Spooled {
    columns: usize,
    rows: Rows,
}

#[derive(Debug)]
enum Rows {
    Memory(Vec<f64>),
    File(RawFile, #[expect(dead_code, reason = "removes the file")] tempfile::TempPath),
}

impl Spooled {
    /// Whether the rows are in a file.
    pub fn is_file(&self) -> bool {
        matches!(self.rows, Rows::File(..))
    }
}

impl Source for Spooled {
    fn rows(&self) -> usize {
        match &self.rows {
            Rows::Memory(values) => values.len().checked_div(self.columns).unwrap_or(0),
            Rows::File(file, _) => file.rows(),
        }
    }

    fn columns(&self) -> usize {
        self.columns
    }

    fn read(&self, first: usize, values: &mut [f64]) -> Result<(), SourceError> {
        match &self.rows {
            Rows::Memory(all) => {
                values.copy_from_slice(&all[first * self.columns..][..values.len()]);
                Ok(())
            }
            Rows::File(file, _) => file.read(first, values),
        }
    }
}
