//! CSV file in memory, every row with its line number.

use super::cell_format::{Cell, CellFormat};
use super::csv_rows::{CsvRow, CsvRows};
use super::time_format::TimeFormat;
use crate::Error;
use crate::error::CellPosition;
use crate::memory;
use crate::text::did_you_mean;
use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Bytes of a table from which its memory is compared with what is available.
const SMALL: u64 = 1 << 24;
/// Bytes of a sample besides its row: labels, times, values and results with their text.
const SAMPLE: u64 = 256;
/// Number of columns that a message lists.
const LISTED: usize = 20;

/// CSV file with a header. Cells are text until a column is converted.
///
/// Cells are separated by commas, semicolons or tabs, whichever is most frequent in the header.
/// Blank lines and lines that begin with `#` are skipped, and so is a row of units below the
/// header: one with text in every column that has a number or a time in the next row.
#[derive(Debug)]
pub struct CsvTable {
    source_name: String,
    header: Vec<String>,
    places: HashMap<String, usize>,
    format: CellFormat,
    /// Line of the row of units.
    units: Option<(u64, String)>,
    /// Cells of all rows, one after the other, their ends, and the first line of each row.
    text: Vec<u8>,
    ends: Vec<usize>,
    lines: Vec<u64>,
    /// Bytes from which the memory is compared again.
    checked: u64,
}

impl CsvTable {
    /// Reads a file, or standard input for the path `-`.
    ///
    /// # Errors
    /// [`Error::Read`] on an I/O error, otherwise as [`CsvTable::parse`].
    pub fn open(path: &Path) -> Result<Self, Error> {
        Self::open_with(path, &[])
    }

    /// As [`CsvTable::open`], with further codes of missing values, such as `-999` or `---`: cells
    /// with these texts, and numbers equal to them.
    ///
    /// # Errors
    /// As [`CsvTable::open`].
    pub fn open_with(path: &Path, missing_values: &[String]) -> Result<Self, Error> {
        if path.as_os_str() == "-" {
            return Self::read("<stdin>", io::stdin().lock(), missing_values);
        }
        let name = path.display().to_string();
        let file = File::open(path).map_err(|source| Error::Read { name: name.clone(), source })?;
        Self::read(&name, file, missing_values)
    }

    /// Parses the bytes of a CSV file; errors name it `source_name`.
    ///
    /// # Errors
    /// [`Error::EmptyFile`], [`Error::NoHeader`], [`Error::DuplicateColumn`],
    /// [`Error::RaggedRow`] or [`Error::RowTooLong`] with its line number, and [`Error::Memory`]
    /// for a table that exceeds the memory.
    pub fn parse(source_name: &str, bytes: &[u8]) -> Result<Self, Error> {
        Self::parse_with(source_name, bytes, &[])
    }

    /// As [`CsvTable::parse`], with further codes of missing values.
    ///
    /// # Errors
    /// As [`CsvTable::parse`].
    pub fn parse_with(
        source_name: &str,
        bytes: &[u8],
        missing_values: &[String],
    ) -> Result<Self, Error> {
        Self::read(source_name, bytes, missing_values)
    }

    fn read(
        source_name: &str,
        source: impl Read,
        missing_values: &[String],
    ) -> Result<Self, Error> {
        let mut rows = CsvRows::new(source_name, source)?;
        let mut row = CsvRow::default();
        let mut table = Self::of_header(&mut rows, missing_values)?;
        while rows.read(&mut row)? {
            table.push(&row)?;
        }
        table.take_units();
        Ok(table)
    }

    /// Table without rows, with the first row as header.
    ///
    /// # Errors
    /// As [`CsvTable::parse`].
    pub(crate) fn of_header<R: Read>(
        rows: &mut CsvRows<R>,
        missing_values: &[String],
    ) -> Result<Self, Error> {
        let name = rows.name().to_owned();
        let mut first = CsvRow::default();
        rows.read(&mut first)?;
        let header: Vec<String> =
            (0..first.len()).map(|column| first.cell(column).into()).collect();
        if header.iter().all(String::is_empty) {
            return Err(Error::EmptyFile { name });
        }
        let format = CellFormat::new(rows.delimiter(), missing_values);
        if is_sample(&header, &format) {
            return Err(Error::NoHeader { name, row: first.line, cells: header.join(",") });
        }
        let mut places = HashMap::with_capacity(header.len());
        for (second, column) in header.iter().enumerate() {
            if let Some(first) = places.insert(column.clone(), second) {
                let (first, second, column) = (first + 1, second + 1, column.clone());
                return Err(Error::DuplicateColumn { name, column, first, second });
            }
        }
        Ok(Self {
            source_name: name,
            header,
            places,
            format,
            units: None,
            text: Vec::new(),
            ends: Vec::new(),
            lines: Vec::new(),
            checked: SMALL,
        })
    }

    /// Appends a row.
    ///
    /// # Errors
    /// [`Error::RaggedRow`], [`Error::Memory`].
    pub(crate) fn push(&mut self, row: &CsvRow) -> Result<(), Error> {
        self.check_width(row)?;
        for column in 0..row.len() {
            self.text.extend(row.bytes(column));
            self.ends.push(self.text.len());
        }
        self.lines.push(row.line);
        let bytes = (self.text.len() + 8 * self.ends.len() + 8 * self.lines.len()) as u64;
        if bytes > self.checked {
            // Vectors double, and each row becomes a sample.
            self.checked = 2 * bytes;
            let needed = bytes + SAMPLE * self.lines.len() as u64;
            let what = format!("{}: the table from row {} on", self.source_name, row.line);
            memory::require(what, needed, "--stream and --chunk of diff read longer files")?;
        }
        Ok(())
    }

    /// Checks that a row has as many cells as the header.
    pub(crate) fn check_width(&self, row: &CsvRow) -> Result<(), Error> {
        let (found, expected) = (row.len(), self.header.len());
        if found == expected {
            return Ok(());
        }
        Err(Error::RaggedRow { name: self.source_name.clone(), row: row.line, found, expected })
    }

    /// Removes a first row of units, at most once; returns whether there was one.
    pub(crate) fn take_units(&mut self) -> bool {
        if self.units.is_some() {
            return false;
        }
        let quantity = |cell: &str| is_quantity(cell, &self.format);
        let numeric = |column: &usize| self.rows() > 1 && quantity(&self.cell(1, *column));
        let mut columns = (0..self.header.len()).filter(numeric).peekable();
        let is_unit = |cell: &str| !self.format.is_missing(cell) && !quantity(cell);
        if columns.peek().is_none() || !columns.all(|column| is_unit(&self.cell(0, column))) {
            return false;
        }
        let units = (0..self.header.len()).map(|column| self.cell(0, column)).take(LISTED);
        let units = units.map(|unit| format!("`{unit}`")).collect::<Vec<_>>().join(", ");
        self.units = Some((self.lines[0], units));
        let (width, end) = (self.header.len(), self.ends[self.header.len() - 1]);
        self.text.drain(..end);
        self.ends.drain(..width);
        self.ends.iter_mut().for_each(|cell| *cell -= end);
        self.lines.remove(0);
        true
    }

    /// Removes the rows; the header stays.
    pub(crate) fn clear(&mut self) {
        (self.text, self.ends, self.lines) = Default::default();
    }

    /// Choices made while reading, a sentence each.
    pub(crate) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        match self.format.delimiter() {
            b';' => notes.push("cells are separated by `;`".to_owned()),
            b'\t' => notes.push("cells are separated by tabs".to_owned()),
            _ => {}
        }
        if self.format.has_decimal_comma() {
            notes.push("numbers have a decimal comma".to_owned());
        }
        if let Some((line, units)) = &self.units {
            notes.push(format!("row {line} is skipped as units: {units}"));
        }
        notes
    }

    /// Format of numbers and missing values.
    pub(crate) fn format(&self) -> &CellFormat {
        &self.format
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
        self.lines.len()
    }

    /// Index of the column with this name.
    ///
    /// # Errors
    /// [`Error::Unknown`], which lists the columns.
    pub fn column(&self, name: &str) -> Result<usize, Error> {
        self.places.get(name).copied().ok_or_else(|| Error::Unknown {
            owner: format!("{}: ", self.source_name),
            kind: "column",
            name: name.to_owned(),
            known: self.known_columns(),
            suggestion: did_you_mean(name, self.header.iter().map(String::as_str)),
        })
    }

    /// Names of the first columns in one line, and the number of further ones, for messages.
    pub fn known_columns(&self) -> String {
        let listed = self.header.iter().take(LISTED).map(|name| format!("`{name}`"));
        let mut listed: Vec<String> = listed.collect();
        if self.header.len() > LISTED {
            listed.push(format!("and {} more", self.header.len() - LISTED));
        }
        listed.join(", ")
    }

    /// Text of a cell.
    pub fn cell(&self, row: usize, column: usize) -> Cow<'_, str> {
        let place = row * self.header.len() + column;
        let start = if place == 0 { 0 } else { self.ends[place - 1] };
        String::from_utf8_lossy(&self.text[start..self.ends[place]])
    }

    /// Position of a cell, for messages.
    pub fn place(&self, row: usize, column: usize) -> Box<CellPosition> {
        self.place_of(self.lines[row], column)
    }

    /// Position in a column of the row that starts on line `row`.
    pub(crate) fn place_of(&self, row: u64, column: usize) -> Box<CellPosition> {
        let (source_name, column) = (self.source_name.clone(), self.header[column].clone());
        Box::new(CellPosition { source_name, row, column })
    }

    /// Numbers of a column; `None` where a cell [is missing](super::is_missing).
    ///
    /// # Errors
    /// [`Error::NotANumber`] for any other text, infinities included.
    pub fn numbers(&self, column: usize) -> Result<Vec<Option<f64>>, Error> {
        let number = |row| {
            let text = self.cell(row, column);
            match self.format.read(&text) {
                Cell::Number(x) => Ok(Some(x)),
                Cell::Missing => Ok(None),
                Cell::Text => {
                    let place = self.place(row, column);
                    Err(Error::NotANumber { place, text: text.into_owned() })
                }
            }
        };
        (0..self.rows()).map(number).collect()
    }

    /// Numbers of a column without gaps.
    ///
    /// # Errors
    /// [`Error::NotANumber`] with the place of the first cell that is none.
    pub(crate) fn complete_numbers(&self, column: usize) -> Result<Vec<f64>, Error> {
        let number = |(row, number): (usize, Option<f64>)| {
            number.ok_or_else(|| Error::NotANumber {
                place: self.place(row, column),
                text: self.cell(row, column).into_owned(),
            })
        };
        self.numbers(column)?.into_iter().enumerate().map(number).collect()
    }

    /// Whether the first non-missing cell is a number. Later cells are not checked, so that a
    /// malformed number is reported with its position in place of hiding the column.
    pub fn begins_with_a_number(&self, column: usize) -> bool {
        (0..self.rows())
            .map(|row| self.cell(row, column))
            .find(|cell| !self.format.is_missing(cell))
            .is_some_and(|cell| self.format.number(&cell).is_some())
    }
}

/// Whether a cell is a number, a date or a time of day.
fn is_quantity(cell: &str, format: &CellFormat) -> bool {
    format.number_in_any_mark(cell).is_some() || TimeFormat::of(cell) != TimeFormat::Number
}

/// Whether every cell of a line is a number, a time or missing, so that it is not a header. Many
/// programs write an empty first cell as the name of a column of row numbers.
fn is_sample(cells: &[String], format: &CellFormat) -> bool {
    let filled = |cell: &String| is_quantity(cell, format);
    cells.first().is_some_and(|cell| !cell.is_empty())
        && cells.iter().all(|cell| filled(cell) || format.is_missing(cell))
        && cells.iter().any(filled)
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
        let missing = ["-999".to_owned()];
        let table = CsvTable::parse_with("x.csv", b"x\n-999.0\n2\n-998\n", &missing).unwrap();
        assert_eq!(table.numbers(0).unwrap(), [None, Some(2.0), Some(-998.0)]);
    }

    #[test]
    fn a_row_of_units_is_skipped_and_no_sample_is() {
        let table = parse("t;x;name\ns;ppm;\n0,5;1;a\n1;2;b\n").unwrap();
        assert_eq!(
            (table.rows(), table.cell(0, 0), table.cell(1, 2)),
            (2, "0,5".into(), "b".into())
        );
        assert_eq!(table.place(0, 0).row, 3);
        assert_eq!(table.numbers(0).unwrap(), [Some(0.5), Some(1.0)]);
        assert_eq!(
            table.notes(),
            [
                "cells are separated by `;`",
                "numbers have a decimal comma",
                "row 2 is skipped as units: `s`, `ppm`, ``"
            ]
        );
        for text in [
            "t,x\n0,oops\n1,2\n",
            "t,x\n0,1\n1,2\n",
            "quarter,x\n2001 I,\n2001 II,2\n",
            "t,x\nNA,NA\n1,2\n",
            "t,x\ns,m\n",
            "a,b\nx,y\nz,w\n",
            "date,x\n2001-01-01 12:00,x\n2001-01-01 13:00,2\n",
        ] {
            assert!(parse(text).unwrap().notes().is_empty(), "{text}");
        }
    }

    /// A code of missing values below the header is a sample, and no unit.
    #[test]
    fn codes_are_known_before_units() {
        let codes = ["---".to_owned()];
        for (text, rows) in
            [("x\n---\n2\n3\n", 3), ("t,x\ns,---\n0,2\n1,3\n", 3), ("x\nm\n---\n2\n", 3)]
        {
            let table = CsvTable::parse_with("x.csv", text.as_bytes(), &codes).unwrap();
            assert_eq!((table.rows(), table.notes().len()), (rows, 0), "{text}");
        }
        let refused = CsvTable::parse_with("x.csv", b"0,---\n1,2\n", &codes).unwrap_err();
        assert!(matches!(refused, Error::NoHeader { .. }));
    }

    /// The samples decide the decimal mark, not the header; and numbers of the other mark are no
    /// units.
    #[test]
    fn decimal_marks_are_those_of_samples() {
        let table = parse("name;n;2,5\na;0;1.5\nb;0;2\n").unwrap();
        assert_eq!(table.numbers(2).unwrap(), [Some(1.5), Some(2.0)]);
        let table = parse("t;x\n0,5;1,5\n1.5;2.5\n").unwrap();
        assert_eq!(table.rows(), 2);
        assert!(table.numbers(1).is_err());
    }

    #[test]
    fn messages_list_some_columns_only() {
        let header: Vec<String> = (0..100_000).map(|k| format!("c{k}")).collect();
        let table = parse(&format!("{}\n", header.join(","))).unwrap();
        let message = table.column("x").unwrap_err().to_string();
        assert!(message.ends_with("`c19`, and 99980 more"), "{message}");
        let message = table.column("c99999x").unwrap_err().to_string();
        assert!(message.contains("; did you mean `c99999`?"), "{message}");
    }

    #[test]
    fn refuses_malformed_files() {
        for (text, message) in [
            ("", "x.csv: the file is empty"),
            ("\n\n", "x.csv: the file is empty"),
            ("0,1\n1,2\n", "row 1 holds numbers or dates only (`0,1`)"),
            ("2001-01-01,1\n2001-01-02,2\n", "row 1 holds numbers or dates only (`2001-01-01,1`)"),
            ("2001-01-01 12:00,NA,\n", "row 1 holds numbers or dates only"),
            ("# t,x\n0;1\n1;2\n", "row 2 holds numbers or dates only (`0,1`); expected"),
            ("x,y,x\n", "columns 1 and 3 are both named `x`"),
            ("t,x\n0,1\n1,2,3\n", "row 3 has 3 cells, the header has 2"),
            ("t,x\n0,1\n1\n", "row 3 has 1 cells, the header has 2"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
