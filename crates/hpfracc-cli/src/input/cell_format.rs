//! Numbers and missing values in the cells of a file.

use std::borrow::Cow;
use std::sync::atomic::{AtomicU8, Ordering};

/// Decimal mark and further texts of missing values.
///
/// Where commas do not separate cells, they may be decimal marks. The first number with a mark
/// decides for the whole file, so that `1.500` and `1,5` in one file are never both numbers.
#[derive(Debug, Default)]
pub(crate) struct CellFormat {
    /// Byte that separates cells.
    delimiter: u8,
    /// Decimal mark of the numbers read, 0 before the first.
    mark: AtomicU8,
    /// Texts of missing values besides those of [`is_missing`].
    missing: Vec<String>,
}

/// Missing value, number, or neither.
#[derive(Debug, PartialEq)]
pub(crate) enum Cell {
    Missing,
    Number(f64),
    Text,
}

impl CellFormat {
    pub(crate) fn new(delimiter: u8) -> Self {
        Self { delimiter, ..Self::default() }
    }

    pub(crate) fn set_missing(&mut self, missing: &[String]) {
        self.missing = missing.to_vec();
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
        if self.is_missing(cell) {
            return Cell::Missing;
        }
        let number = self.plain(cell).and_then(|text| text.parse::<f64>().ok());
        number.filter(|x| x.is_finite()).map_or(Cell::Text, Cell::Number)
    }

    /// Whether a cell is a missing value: as [`is_missing`], or one of the texts set, or the same
    /// number as one of them.
    pub(crate) fn is_missing(&self, cell: &str) -> bool {
        let number = || self.plain(cell)?.parse::<f64>().ok();
        is_missing(cell)
            || !self.missing.is_empty()
                && (self.missing.iter().any(|text| text == cell)
                    || number().is_some_and(|x| {
                        self.missing.iter().any(|text| text.parse::<f64>().ok() == Some(x))
                    }))
    }

    /// Number with a decimal point in place of a comma; `None` for a number with the other decimal
    /// mark than the file.
    pub(crate) fn plain<'a>(&self, cell: &'a str) -> Option<Cow<'a, str>> {
        let (comma, point) = (cell.contains(','), cell.contains('.'));
        if self.delimiter == b',' || comma == point {
            return Some(Cow::Borrowed(cell));
        }
        let text = if comma { Cow::Owned(cell.replace(',', ".")) } else { Cow::Borrowed(cell) };
        if text.parse::<f64>().is_err() {
            return Some(Cow::Borrowed(cell));
        }
        // After tabs, `1,234` may be one thousand two hundred and thirty-four.
        let mark = if comma { b',' } else { b'.' };
        let decided = self.mark.load(Ordering::Relaxed);
        if decided == 0 && comma && self.delimiter == b'\t' && may_be_thousands(cell) {
            return None;
        }
        if decided == 0 {
            self.mark.store(mark, Ordering::Relaxed);
        }
        (decided == 0 || decided == mark).then_some(text)
    }
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
        let format = CellFormat::new(delimiter);
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
        let mut format = CellFormat::new(b';');
        format.set_missing(&["-999".to_owned(), "---".to_owned()]);
        for cell in ["", "nan", "-999", "-999.00", "-9.99e2", "---"] {
            assert_eq!(format.read(cell), Cell::Missing, "{cell}");
        }
        assert_eq!(format.read("999"), Cell::Number(999.0));
        assert_eq!(format.read("--"), Cell::Text);
    }
}
