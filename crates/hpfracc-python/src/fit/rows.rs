//! Rows of a file that fits read in blocks, as often as needed.

use super::failure::of_fit;
use crate::arrays;
use crate::errors;
use hpfracc::fit::{RawFile, Source, SourceError, Spool, Spooled};
use hpfracc::ndarray::Ix2;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

#[derive(Debug)]
enum Stored {
    Spooled(Spooled),
    Raw(RawFile),
}

/// Rows in memory or in a file.
#[pyclass(frozen, module = "hpfracc._hpfracc")]
pub(super) struct FitRows {
    stored: Stored,
}

impl FitRows {
    pub(super) fn source(&self) -> &dyn Source {
        match &self.stored {
            Stored::Spooled(rows) => rows,
            Stored::Raw(rows) => rows,
        }
    }

    /// All numbers of a column.
    ///
    /// # Errors
    /// `InputError` for rows that cannot be read.
    pub(super) fn column(&self, column: usize) -> PyResult<Vec<f64>> {
        const ROWS: usize = 4096;
        let source = self.source();
        let mut numbers = Vec::with_capacity(source.rows());
        let mut values = vec![];
        for first in (0..source.rows()).step_by(ROWS) {
            values.resize(ROWS.min(source.rows() - first) * source.columns(), 0.0);
            source.read(first, &mut values).map_err(of_source)?;
            numbers.extend(values.iter().skip(column).step_by(source.columns()));
        }
        Ok(numbers)
    }
}

fn of_source(error: SourceError) -> PyErr {
    of_fit(error.into())
}

#[pymethods]
impl FitRows {
    /// Rows of a file of numbers in double precision, little-endian, row after row.
    #[staticmethod]
    fn raw(path: PathBuf, columns: usize) -> PyResult<Self> {
        let file = RawFile::open(path, columns).map_err(of_source)?;
        Ok(Self { stored: Stored::Raw(file) })
    }

    /// Number of rows.
    #[getter]
    fn rows(&self) -> usize {
        self.source().rows()
    }

    /// Number of columns.
    #[getter]
    fn columns(&self) -> usize {
        self.source().columns()
    }

    /// Whether the rows are in a file.
    #[getter]
    fn in_file(&self) -> bool {
        match &self.stored {
            Stored::Spooled(rows) => rows.is_file(),
            Stored::Raw(_) => true,
        }
    }
}

/// Rows that are appended in blocks: in memory up to a limit, beyond it in a temporary file.
#[pyclass(frozen, module = "hpfracc._hpfracc")]
pub(super) struct FitSpool {
    spool: Mutex<Option<Spool>>,
}

#[pymethods]
impl FitSpool {
    #[new]
    fn new(columns: usize, limit: usize) -> Self {
        Self { spool: Mutex::new(Some(Spool::new(columns, limit))) }
    }

    /// Appends rows.
    fn push(&self, rows: &Bound<'_, PyAny>) -> PyResult<()> {
        let rows = arrays::doubles("rows", rows)?;
        let rows = rows.as_array().into_dimensionality::<Ix2>();
        let rows = rows.map_err(|error| errors::input(format!("rows: {error}")))?;
        let mut spool = self.spool.lock().unwrap_or_else(PoisonError::into_inner);
        let spool = spool.as_mut().ok_or_else(finished)?;
        let mut numbers = vec![];
        for row in rows.outer_iter() {
            numbers.clear();
            numbers.extend(row);
            spool.push(&numbers).map_err(of_source)?;
        }
        Ok(())
    }

    /// The rows.
    fn finish(&self) -> PyResult<FitRows> {
        let spool = self.spool.lock().unwrap_or_else(PoisonError::into_inner).take();
        let rows = spool.ok_or_else(finished)?.finish().map_err(of_source)?;
        Ok(FitRows { stored: Stored::Spooled(rows) })
    }
}

fn finished() -> PyErr {
    errors::input("the rows are finished: begin others")
}
