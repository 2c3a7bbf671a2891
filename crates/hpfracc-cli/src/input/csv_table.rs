//! CSV file in memory, every row with its line number.

use super::csv_rows::{CsvRow, CsvRows};
use super::time_format::TimeFormat;
use crate::Error;
use crate::error::CellPosition;
use std::borrow::Cow;
use std::collections::HashMap;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

/// CSV file with a header. Cells are text until a column is converted.
#[derive(Debug)]
pub struct CsvTable {
    source_name: String,
    header: Vec<String>,
    rows: Vec<CsvRow>,
}

impl CsvTable {
    /// Reads a file, or standard input for the path `-`.
    ///
    /// # Errors
    /// [`Error::Read`] on an I/O error, otherwise as [`CsvTable::parse`].
    pub fn open(path: &Path) -> Result<Self, Error> {
        let from_stdin = path.as_os_str() == "-";
        let name = if from_stdin { "<stdin>".to_owned() } else { path.display().to_string() };
        let bytes = if from_stdin {
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
        } else {
            fs::read(path)
        };
        match bytes {
            Ok(bytes) => Self::parse(&name, &bytes),
            Err(source) => Err(Error::Read { name, source }),
        }
    }

    /// Parses the bytes of a CSV file; errors name it `source_name`.
    ///
    /// # Errors
    /// [`Error::EmptyFile`], [`Error::NoHeader`], [`Error::DuplicateColumn`], or
    /// [`Error::RaggedRow`] with its line number.
    pub fn parse(source_name: &str, bytes: &[u8]) -> Result<Self, Error> {
        let mut source = CsvRows::new(source_name, bytes);
        let mut table = Self::of_header(source_name, source.next()?)?;
        while let Some(row) = source.next()? {
            table.push(row)?;
        }
        Ok(table)
    }

    /// Table without rows, with the first line as header.
    ///
    /// # Errors
    /// As [`CsvTable::parse`].
    pub(crate) fn of_header(source_name: &str, first: Option<CsvRow>) -> Result<Self, Error> {
        let name = source_name.to_owned();
        let cells = first.map(|row| row.cells).unwrap_or_default();
        let header: Vec<String> = cells.iter().map(|cell| text(cell).into()).collect();
        if header.iter().all(String::is_empty) {
            return Err(Error::EmptyFile { name });
        }
        if is_sample(&header) {
            return Err(Error::NoHeader { name, cells: header.join(",") });
        }
        let mut places = HashMap::with_capacity(header.len());
        for (second, column) in header.iter().enumerate() {
            if let Some(first) = places.insert(column, second) {
                let (first, second, column) = (first + 1, second + 1, column.clone());
                return Err(Error::DuplicateColumn { name, column, first, second });
            }
        }
        Ok(Self { source_name: name, header, rows: Vec::new() })
    }

    /// Appends a row.
    ///
    /// # Errors
    /// [`Error::RaggedRow`].
    pub(crate) fn push(&mut self, row: CsvRow) -> Result<(), Error> {
        self.check_width(&row)?;
        self.rows.push(row);
        Ok(())
    }

    /// Checks that a row has as many cells as the header.
    pub(crate) fn check_width(&self, row: &CsvRow) -> Result<(), Error> {
        let (found, expected) = (row.cells.len(), self.header.len());
        if found == expected {
            return Ok(());
        }
        Err(Error::RaggedRow { name: self.source_name.clone(), row: row.line, found, expected })
    }

    /// Removes and returns the rows; the header stays.
    pub(crate) fn take_rows(&mut self) -> Vec<CsvRow> {
        std::mem::take(&mut self.rows)
    }

    /// File as named on the command line, or `<stdin>`.
    pub fn source_name(&self) -> &str {
        &self.source_name
    }

    /// Names of the columns.
    pub fn header(&self) -> &[String] {
        &self.header
    }

    /// Number of rows below the header.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// Index of the column with this name.
    ///
    /// # Errors
    /// [`Error::Unknown`], which lists the columns.
    pub fn column(&self, name: &str) -> Result<usize, Error> {
        self.header.iter().position(|column| column == name).ok_or_else(|| {
            let owner = format!("{}: ", self.source_name);
            Error::unknown(owner, "column", name, [self.known_columns().as_str()])
        })
    }

    /// Names of all columns in one line, for messages.
    pub fn known_columns(&self) -> String {
        self.header.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
    }

    /// Text of a cell.
    pub fn cell(&self, row: usize, column: usize) -> Cow<'_, str> {
        text(&self.rows[row].cells[column])
    }

    /// Position of a cell, for messages.
    pub fn place(&self, row: usize, column: usize) -> Box<CellPosition> {
        self.place_of(self.rows[row].line, column)
    }

    /// Position in a column of the row that starts on line `row`.
    pub(crate) fn place_of(&self, row: u64, column: usize) -> Box<CellPosition> {
        let (source_name, column) = (self.source_name.clone(), self.header[column].clone());
        Box::new(CellPosition { source_name, row, column })
    }

    /// Numbers of a column; `None` where a cell [is missing](is_missing).
    ///
    /// # Errors
    /// [`Error::NotANumber`] for any other text, infinities included.
    pub fn numbers(&self, column: usize) -> Result<Vec<Option<f64>>, Error> {
        (0..self.rows())
            .map(|row| {
                let text = self.cell(row, column);
                if is_missing(&text) {
                    return Ok(None);
                }
                match text.parse::<f64>() {
                    Ok(x) if x.is_finite() => Ok(Some(x)),
                    _ => {
                        let place = self.place(row, column);
                        Err(Error::NotANumber { place, text: text.into_owned() })
                    }
                }
            })
            .collect()
    }

    /// Whether the first non-missing cell is a number. Later cells are not checked, so that a
    /// malformed number is reported with its position in place of hiding the column.
    pub fn begins_with_a_number(&self, column: usize) -> bool {
        (0..self.rows())
            .map(|row| self.cell(row, column))
            .find(|cell| !is_missing(cell))
            .is_some_and(|cell| cell.parse::<f64>().is_ok())
    }
}

/// Whether a cell is a missing value: empty, `NA`, `N/A`, `NaN` or `null`, ignoring case. NaN
/// counts as missing because programs write it for missing values.
pub fn is_missing(cell: &str) -> bool {
    cell.is_empty() || ["na", "n/a", "nan", "null"].iter().any(|m| cell.eq_ignore_ascii_case(m))
}

/// Whether every cell of a line is a number, a date or missing, so that it is not a header. Many
/// programs write an empty first cell as the name of a column of row numbers.
fn is_sample(cells: &[String]) -> bool {
    let filled = |cell: &str| {
        // A date may have a time of day.
        let day = cell.split(['T', ' ']).next().unwrap_or(cell);
        cell.parse::<f64>().is_ok() || TimeFormat::of(day).is_date()
    };
    cells.first().is_some_and(|cell| !cell.is_empty())
        && cells.iter().all(|cell| filled(cell) || is_missing(cell))
        && cells.iter().any(|cell| filled(cell))
}

fn text(cell: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(cell)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<CsvTable, Error> {
        CsvTable::parse("x.csv", text.as_bytes())
    }

    #[test]
    fn rows_know_their_lines() {
        let table = parse("t, x\n\n0,1\r\n\r\n\"a\nb\",2\n\n3,oops\n").unwrap();
        let lines: Vec<u64> = (0..3).map(|row| table.place(row, 1).row).collect();
        assert_eq!(lines, [3, 5, 8]);
        assert_eq!(
            table.numbers(1).unwrap_err().to_string(),
            "x.csv: row 8, column `x`: `oops` is not a finite number"
        );
    }

    #[test]
    fn a_byte_order_mark_is_skipped() {
        assert_eq!(parse("\u{feff}t,x\n0,1\n").unwrap().header(), ["t", "x"]);
    }

    #[test]
    fn some_names_may_look_like_numbers() {
        for (text, header) in [
            ("year,2001\n1,2\n", ["year", "2001"]),
            (",0\n2001-01-01,2\n", ["", "0"]),
            ("na,n/a\n1,2\n", ["na", "n/a"]),
        ] {
            assert_eq!(parse(text).unwrap().header(), header);
        }
    }

    #[test]
    fn missing_is_not_zero_and_not_text() {
        let table = parse("x,y\n1,\nNA,2\nnan,NULL\n4,n/a\n").unwrap();
        assert_eq!(table.numbers(0).unwrap(), [Some(1.0), None, None, Some(4.0)]);
        assert_eq!(table.numbers(1).unwrap(), [None, Some(2.0), None, None]);
        assert!(parse("x\ninf\n").unwrap().numbers(0).is_err());
    }

    #[test]
    fn refuses_malformed_files() {
        for (text, message) in [
            ("", "x.csv: the file is empty"),
            ("\n\n", "x.csv: the file is empty"),
            ("0,1\n1,2\n", "row 1 holds numbers or dates only (`0,1`)"),
            ("2001-01-01,1\n2001-01-02,2\n", "row 1 holds numbers or dates only (`2001-01-01,1`)"),
            ("2001-01-01 12:00,NA,\n", "row 1 holds numbers or dates only"),
            ("x,y,x\n", "columns 1 and 3 are both named `x`"),
            ("t,x\n0,1\n1,2,3\n", "row 3 has 3 cells, the header has 2"),
            ("t,x\n0,1\n1\n", "row 3 has 1 cells, the header has 2"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
