use std::fmt;

/// Where a value stands in an input: the file, the row and the column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellPosition {
    /// The file as it was named, or `<stdin>`.
    pub source_name: String,
    /// The line of the file, from 1; the header is a line as well.
    pub row: u64,
    /// The column's name.
    pub column: String,
}

impl fmt::Display for CellPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: row {}, column `{}`", self.source_name, self.row, self.column)
    }
}
