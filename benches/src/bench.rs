//! What a group of benchmarks writes its findings to: tables, shown as they grow and kept as data.

use crate::cell::{Cell, Value};
use crate::measure::Budget;
use serde::{Deserialize, Serialize};

/// A run of one group.
#[derive(Debug)]
pub(crate) struct Bench {
    /// How long to measure.
    pub(crate) budget: Budget,
    /// Whether a few sizes will do.
    pub(crate) quick: bool,
    found: Vec<Part>,
}

/// A part of what a group says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Part {
    /// What the numbers mean: what was measured, and what the floor is.
    Note(String),
    /// Numbers.
    Table(Table),
}

/// Rows of entries under the names of their columns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Table {
    /// The names.
    pub(crate) columns: Vec<String>,
    /// An entry for each column.
    pub(crate) rows: Vec<Vec<Cell>>,
}

impl Bench {
    pub(crate) fn new(budget: Budget, quick: bool) -> Self {
        Self { budget, quick, found: Vec::new() }
    }

    /// Says something in words. It becomes a paragraph.
    pub(crate) fn note(&mut self, text: impl Into<String>) {
        let text = text.into();
        println!("{text}\n");
        self.found.push(Part::Note(text));
    }

    /// Begins a table with these columns, separated by ` | `.
    pub(crate) fn columns(&mut self, names: &str) {
        let columns = names.split(" | ").map(str::to_owned).collect();
        self.found.push(Part::Table(Table { columns, rows: Vec::new() }));
    }

    /// Adds a row to the last table.
    ///
    /// # Panics
    /// Without a table, or if it has another number of columns.
    pub(crate) fn row<const N: usize>(&mut self, row: [Cell; N]) {
        let Some(Part::Table(table)) = self.found.last_mut() else {
            panic!("a row follows its table")
        };
        assert_eq!(table.columns.len(), N, "a row has an entry for each column");
        if table.rows.is_empty() {
            print!("{}", table.heading(&row));
        }
        println!("{}", table.line(&row));
        table.rows.push(row.into());
    }

    /// All that was found.
    pub(crate) fn found(self) -> Vec<Part> {
        self.found
    }
}

impl Table {
    /// Names of the columns, and below them their alignment.
    fn heading(&self, first: &[Cell]) -> String {
        let names = self.columns.iter().zip(first);
        let (names, sides): (Vec<_>, Vec<_>) = names
            .map(|(name, cell)| {
                let width = width(name);
                let side = if is_left(cell) { "-" } else { ":" };
                (pad(name, width, cell), "-".repeat(width - 1) + side)
            })
            .unzip();
        format!("\n| {} |\n| {} |\n", names.join(" | "), sides.join(" | "))
    }

    fn line(&self, row: &[Cell]) -> String {
        let cells = self.columns.iter().zip(row);
        let cells: Vec<_> = cells.map(|(name, cell)| pad(&cell.text, width(name), cell)).collect();
        format!("| {} |", cells.join(" | "))
    }
}

/// Rows are printed as they come: a column is as wide as its name or a typical entry.
fn width(name: &str) -> usize {
    name.chars().count().max(9)
}

fn is_left(cell: &Cell) -> bool {
    cell.value == Value::Label
}

/// Text at the side of its cell.
fn pad(text: &str, width: usize, cell: &Cell) -> String {
    if is_left(cell) { format!("{text:<width$}") } else { format!("{text:>width$}") }
}
#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::{label, number, size};
    use std::time::Duration;

    #[test]
    fn tables_are_kept_as_they_are_shown() {
        let mut bench = Bench::new(Budget { rounds: 1, slice: Duration::ZERO }, true);
        bench.note("Floor: none.");
        bench.columns("name | a long name of a column | N");
        let row = [label("x"), number(1.5, 1), size(1000)];
        bench.row(row.clone());
        let found = bench.found();
        assert_eq!(found[0], Part::Note("Floor: none.".into()));
        let Part::Table(table) = &found[1] else { panic!("a table") };
        assert_eq!(table.rows, [row.to_vec()]);
        assert_eq!(table.line(&row), "| x         |                     1.5 |      1000 |");
        let text = serde_json::to_string(&found).unwrap();
        assert_eq!(serde_json::from_str::<Vec<Part>>(&text).unwrap(), found);
    }
}
