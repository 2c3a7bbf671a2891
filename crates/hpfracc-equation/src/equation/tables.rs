use crate::graph::Table;
use std::sync::Arc;

/// Table with a name in an equation: `table load: time -> force from "drive.csv"`.
#[derive(Debug, Clone)]
pub struct TableOfData {
    pub(crate) name: String,
    pub(crate) table: Arc<Table>,
    pub(crate) source: Option<TableSource>,
}

/// File and columns that a table is from.
#[derive(Debug, Clone)]
pub(crate) struct TableSource {
    pub(crate) path: String,
    /// Columns of the arguments and of the values.
    pub(crate) columns: [String; 2],
}

impl TableOfData {
    /// Name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The data.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// File that the data are from, as the text names it; `None` for data in the text.
    pub fn file(&self) -> Option<&str> {
        self.source.as_ref().map(|source| source.path.as_str())
    }
}

/// Equal names and data, whatever file they are from.
impl PartialEq for TableOfData {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.table == other.table
    }
}
