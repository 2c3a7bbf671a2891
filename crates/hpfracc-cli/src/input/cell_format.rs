//! Numbers and missing values in the cells of a file.

use std::borrow::Cow;
use std::sync::atomic::{AtomicU8, Ordering};

/// Decimal mark of a file and its codes of missing values.
///
/// Where commas do not separate cells, they may be decimal marks. The first number with a mark
/// decides for the whole file, so that `1.500` and `1,5` in one file are never both numbers.
#[derive(Debug, Default)]
pub(crate) struct CellFormat {
    /// Byte that separates cells.
    delimiter: u8,
    /// Decimal mark of the numbers read, 0 before the first.
    mark: AtomicU8,
    /// Codes of missing values, besides those of [`is_missing`], and the numbers among them.
    codes: Vec<String>,
    numeric_codes: Vec<f64>,
}

/// Missing value, number, or neither.
#[derive(Debug, PartialEq)]
pub(crate) enum Cell {
    Missing,
    Number(f64),
    Text,
}

impl CellFormat {
    /// Format of a file with this delimiter, in which `codes` are missing values: these texts, and
    /// numbers equal to them.
    pub(crate) fn new(delimiter: u8, codes: &[String]) -> Self {
        let numeric_codes = codes.iter().filter_map(|code| code.parse().ok()).collect();
        Self { delimiter, mark: AtomicU8::new(0), codes: codes.to_vec(), numeric_codes }
    }

    /// Whether the numbers read have a decimal comma.
    pub(crate) fn has_decimal_comma(&self) -> bool {
        self.mark.load(Ordering::Relaxed) == b','
    }

    pub(crate) fn delimiter(&self) -> u8 {
        self.delimiter
    }

    /// Finite number, missing value or text.
    pub(crate) fn read(&self, cell: &str) -> Cell {
        if self.is_missing_text(cell) {
            return Cell::Missing;
        }
        match self.number(cell) {
            Some(x) if self.numeric_codes.contains(&x) => Cell::Missing,
            Some(x) if x.is_finite() => Cell::Number(x),
            _ => Cell::Text,
        }
    }

    /// Number in the decimal mark of the file, which the first number with a mark decides; infinite
    /// ones included.
    pub(crate) fn number(&self, cell: &str) -> Option<f64> {
        let Some(mark) = self.mark_of(cell) else { return cell.parse().ok() };
        let x = with_point(cell, mark).parse().ok()?;
        self.takes(mark, cell).then_some(x)
    }

    /// Number in either decimal mark, which decides nothing: for headers and rows of units.
    pub(crate) fn number_in_any_mark(&self, cell: &str) -> Option<f64> {
        match self.mark_of(cell) {
            Some(mark) => with_point(cell, mark).parse().ok(),
            None => cell.parse().ok(),
        }
    }

    /// Whether a cell is a missing value: as [`is_missing`], or one of the codes, or a number equal
    /// to one of them.
    pub(crate) fn is_missing(&self, cell: &str) -> bool {
        let numeric =
            || self.number_in_any_mark(cell).is_some_and(|x| self.numeric_codes.contains(&x));
        self.is_missing_text(cell) || !self.numeric_codes.is_empty() && numeric()
    }

    fn is_missing_text(&self, cell: &str) -> bool {
        is_missing(cell) || self.codes.iter().any(|code| code == cell)
    }

    /// Number with a decimal point in place of a comma, and any other text as it is; `None` for a
    /// number with the other decimal mark than the file.
    pub(crate) fn plain<'a>(&self, cell: &'a str) -> Option<Cow<'a, str>> {
        let Some(mark) = self.mark_of(cell) else { return Some(Cow::Borrowed(cell)) };
        let text = with_point(cell, mark);
        if text.parse::<f64>().is_err() {
            return Some(Cow::Borrowed(cell));
        }
        self.takes(mark, cell).then_some(text)
    }

    /// Decimal mark of a cell that is a number; `None` without one, or with both.
    fn mark_of(&self, cell: &str) -> Option<u8> {
        let (comma, point) = (cell.contains(','), cell.contains('.'));
        let mark = if comma { b',' } else { b'.' };
        (self.delimiter != b',' && comma != point).then_some(mark)
    }

    /// Whether `mark` is the decimal mark of the file, which a first number decides.
    fn takes(&self, mark: u8, number: &str) -> bool {
        let decided = self.mark.load(Ordering::Relaxed);
        if decided != 0 {
            return decided == mark;
        }
        // After tabs, `1,234` may be one thousand two hundred and thirty-four.
        if mark == b',' && self.delimiter == b'\t' && may_be_thousands(number) {
            return false;
        }
        self.mark.store(mark, Ordering::Relaxed);
        true
    }
}

/// Cell with a decimal point in place of a decimal comma.
fn with_point(cell: &str, mark: u8) -> Cow<'_, str> {
    if mark == b',' { Cow::Owned(cell.replace(',', ".")) } else { Cow::Borrowed(cell) }
}

/// Whether a cell is a missing value: empty, `NA`, `N/A`, `NaN` or `null`, ignoring case. NaN
/// counts as missing because programs write it for missing values.
pub fn is_missing(cell: &str) -> bool {
    cell.is_empty() || ["na", "n/a", "nan", "null"].iter().any(|m| cell.eq_ignore_ascii_case(m))
}

/// Whether a comma is before exactly three digits and after a number that is not 0.
fn may_be_thousands(cell: &str) -> bool {
    cell.split_once(',').is_some_and(|(whole, rest)| {
        let whole = whole.trim_start_matches(['+', '-']);
        rest.len() == 3 && !whole.is_empty() && !whole.starts_with('0')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(delimiter: u8, cells: &[&str]) -> Vec<Cell> {
        let format = CellFormat::new(delimiter, &[]);
        cells.iter().map(|cell| format.read(cell)).collect()
    }

    #[test]
    fn one_decimal_mark_for_a_file() {
        use Cell::{Number, Text};
        for (delimiter, cells, expected) in [
            (b';', ["1,5", "-2,25e3", "1.500"], [Number(1.5), Number(-2250.0), Text]),
            (b';', ["1.5", "1,5", "2"], [Number(1.5), Text, Number(2.0)]),
            (b';', ["1,234", "1.234,5", "1,2,3"], [Number(1.234), Text, Text]),
            (b'\t', ["1,234", "0,125", "1,234"], [Text, Number(0.125), Number(1.234)]),
            (b',', ["1,5", "1.5", "1e3"], [Text, Number(1.5), Number(1000.0)]),
            (b';', ["a,b", "31.12.2001", "7,5"], [Text, Text, Number(7.5)]),
        ] {
            assert_eq!(read(delimiter, &cells), expected, "{cells:?}");
        }
    }

    #[test]
    fn missing_values_are_texts_or_numbers() {
        let format = CellFormat::new(b';', &["-999".to_owned(), "---".to_owned()]);
        for cell in ["", "nan", "-999", "-999.00", "-9.99e2", "---"] {
            assert_eq!(format.read(cell), Cell::Missing, "{cell}");
        }
        assert_eq!(format.read("999"), Cell::Number(999.0));
        assert_eq!(format.read("--"), Cell::Text);
        // Neither of these decides the decimal mark.
        assert!(format.is_missing("-999,0") && format.number_in_any_mark("0,5") == Some(0.5));
        assert_eq!((format.read("1.5"), format.read("1,5")), (Cell::Number(1.5), Cell::Text));
    }
}
