use std::fmt;

/// Position of a value in an input: file, row and column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellPosition {
    /// File as named on the command line, or `<stdin>`.
    pub source_name: String,
    /// Line of the file, from 1, counting the header.
    pub row: u64,
    /// Name of the column.
    pub column: String,
}

impl fmt::Display for CellPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: row {}, column `{}`", self.source_name, self.row, self.column)
    }
}
