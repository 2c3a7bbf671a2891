use std::collections::HashMap;

/// A reference table: comma-separated, a header line, lines starting with `#` skipped.
pub struct Table {
    columns: HashMap<String, usize>,
    rows: Vec<Vec<String>>,
}

/// One line of a [`Table`].
pub struct Row<'a> {
    table: &'a Table,
    fields: &'a [String],
}

impl Table {
    /// Reads a table from its text, usually from `include_str!`.
    ///
    /// # Panics
    /// If a line has another number of fields than the header.
    pub fn parse(text: &str) -> Self {
        let mut lines = text
            .lines()
            .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
            .map(|line| line.split(',').map(|field| field.trim().to_owned()).collect());
        let header: Vec<String> = lines.next().expect("a table has a header");
        let rows: Vec<Vec<String>> = lines.collect();
        for row in &rows {
            assert_eq!(row.len(), header.len(), "ragged row {row:?}");
        }
        assert!(!rows.is_empty(), "a table without rows tests nothing");
        let columns = header.into_iter().enumerate().map(|(i, name)| (name, i)).collect();
        Self { columns, rows }
    }

    /// The lines in order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = Row<'_>> {
        self.rows.iter().map(|fields| Row { table: self, fields })
    }
}

impl Row<'_> {
    /// The field of a column, as text.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn text(&self, column: &str) -> &str {
        &self.fields[self.table.columns[column]]
    }

    /// All fields in order, as numbers.
    ///
    /// # Panics
    /// If one is none.
    pub fn numbers(&self) -> Vec<f64> {
        let number = |text: &String| {
            text.parse().unwrap_or_else(|_| panic!("`{text}` in {:?} is no number", self.fields))
        };
        self.fields.iter().map(number).collect()
    }

    /// The field of a column, as a number.
    ///
    /// # Panics
    /// If it is none.
    pub fn number(&self, column: &str) -> f64 {
        let text = self.text(column);
        text.parse().unwrap_or_else(|_| panic!("`{text}` in column {column} is no number"))
    }
}
