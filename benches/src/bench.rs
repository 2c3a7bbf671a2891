//! Output of a group of benchmarks: notes and tables, printed row by row and stored as data.

use crate::cell::{Cell, Value};
use crate::measure::Budget;
use serde::{Deserialize, Serialize};

/// Run of one group.
#[derive(Debug)]
pub(crate) struct Bench {
    /// Duration of the measurements.
    pub(crate) budget: Budget,
    /// Whether a group measures a few sizes only.
    pub(crate) quick: bool,
    blocks: Vec<Block>,
}

/// Block of the output of a group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Block {
    /// Paragraph that describes the measurement and its floor.
    Note(String),
    Table(Table),
}

/// Table with named columns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Table {
    /// Names of the columns.
    pub(crate) columns: Vec<String>,
    /// Rows with one cell per column.
    pub(crate) rows: Vec<Vec<Cell>>,
}

impl Bench {
    pub(crate) fn new(budget: Budget, quick: bool) -> Self {
        Self { budget, quick, blocks: Vec::new() }
    }

    /// Adds a paragraph.
    pub(crate) fn note(&mut self, text: impl Into<String>) {
        let text = text.into();
        println!("{text}\n");
        self.blocks.push(Block::Note(text));
    }

    /// Starts a table whose column names are separated by ` | `.
    pub(crate) fn columns(&mut self, names: &str) {
        let columns = names.split(" | ").map(str::to_owned).collect();
        self.blocks.push(Block::Table(Table { columns, rows: Vec::new() }));
    }

    /// Adds a row to the last table.
    ///
    /// # Panics
    /// If there is no table, or its number of columns is not `N`.
    pub(crate) fn row<const N: usize>(&mut self, row: [Cell; N]) {
        let Some(Block::Table(table)) = self.blocks.last_mut() else {
            panic!("a row is added to a table")
        };
        assert_eq!(table.columns.len(), N, "a row has one cell per column");
        if table.rows.is_empty() {
            print!("{}", table.heading(&row));
        }
        println!("{}", table.line(&row));
        table.rows.push(row.into());
    }

    /// All notes and tables.
    pub(crate) fn into_blocks(self) -> Vec<Block> {
        self.blocks
    }
}

impl Table {
    /// Names and alignments of the columns.
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

/// Width of a column: that of its name or of a typical cell, because rows are printed immediately.
fn width(name: &str) -> usize {
    name.chars().count().max(9)
}

fn is_left(cell: &Cell) -> bool {
    cell.value == Value::Label
}

/// Text aligned in its cell.
fn pad(text: &str, width: usize, cell: &Cell) -> String {
    if is_left(cell) { format!("{text:<width$}") } else { format!("{text:>width$}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::{label, number, size};
    use std::time::Duration;

    #[test]
    fn tables_are_stored_as_printed() {
        let mut bench = Bench::new(Budget { rounds: 1, slice: Duration::ZERO }, true);
        bench.note("Floor: none.");
        bench.columns("name | a long name of a column | N");
        let row = [label("x"), number(1.5, 1), size(1000)];
        bench.row(row.clone());
        let blocks = bench.into_blocks();
        assert_eq!(blocks[0], Block::Note("Floor: none.".into()));
        let Block::Table(table) = &blocks[1] else { panic!("a table") };
        assert_eq!(table.rows, [row.to_vec()]);
        assert_eq!(table.line(&row), "| x         |                     1.5 |      1000 |");
        let text = serde_json::to_string(&blocks).unwrap();
        assert_eq!(serde_json::from_str::<Vec<Block>>(&text).unwrap(), blocks);
    }
}
