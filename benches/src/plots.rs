//! Plots of the results: growth with the problem size, and ratios as bars.

mod growth;

use crate::bench::Table;
use crate::cell::{Cell, Value};
use crate::record::Group;
use hpfracc_plot::{Bars, Format};
use std::io;
use std::path::Path;

/// Draws the tables of groups into `plots` below the folder: one plot of the growth and one of the
/// ratios per table, numbered if a group has several tables.
///
/// # Errors
/// Errors of drawing and I/O errors.
pub(crate) fn draw<'a>(
    groups: impl IntoIterator<Item = &'a Group>,
    folder: &Path,
) -> io::Result<()> {
    let folder = folder.join("plots");
    std::fs::create_dir_all(&folder)?;
    let mut drawn = 0;
    for group in groups {
        for (name, picture) in of_group(group)? {
            std::fs::write(folder.join(name + ".svg"), picture)?;
            drawn += 1;
        }
    }
    println!("plots: {drawn} in {}", folder.display());
    Ok(())
}

/// Plots of a group with their names.
fn of_group(group: &Group) -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut plots = Vec::new();
    for (number, table) in (1..).zip(group.tables()) {
        let which = if number == 1 { String::new() } else { format!("-{number}") };
        let name = group.name.replace('/', "-") + &which;
        if let Some(picture) = growth::draw(&group.name, table, Format::Svg)? {
            plots.push((name.clone(), picture));
        }
        if let Some(picture) = ratios(&group.name, table, Format::Svg)? {
            plots.push((name + "-ratios", picture));
        }
    }
    Ok(plots)
}

/// Ratios of all rows, one colour per column.
fn ratios(title: &str, table: &Table, format: Format) -> io::Result<Option<Vec<u8>>> {
    let has_ratios = |column: &usize| table.rows.iter().any(|row| ratio(&row[*column]).is_some());
    let columns: Vec<usize> = (0..table.columns.len()).filter(has_ratios).collect();
    if columns.is_empty() {
        return Ok(None);
    }
    let names: Vec<&str> = columns.iter().map(|column| table.columns[*column].as_str()).collect();
    let rows: Vec<(String, Vec<f64>)> = (table.rows.iter())
        .map(|row| {
            let values = columns.iter().map(|column| ratio(&row[*column]).unwrap_or(f64::NAN));
            (named(table, row), values.collect())
        })
        .collect();
    let groups: Vec<(&str, &[f64])> =
        rows.iter().map(|(name, values)| (name.as_str(), values.as_slice())).collect();
    let drawn = Bars { title, names: &names, groups: &groups }.draw(format);
    drawn.map(Some).map_err(io::Error::other)
}

/// Labels of a row, and its sizes with the names of their columns.
fn named(table: &Table, row: &[Cell]) -> String {
    let cells = table.columns.iter().zip(row).filter(|(_, cell)| cell.names_the_row());
    let texts = cells.map(|(column, cell)| match cell.value {
        Value::Size { .. } => format!("{column} = {}", cell.text),
        _ => cell.text.clone(),
    });
    texts.collect::<Vec<_>>().join(", ")
}

/// Labels and sizes of a row except that of column `omitted`.
fn label(row: &[Cell], omitted: usize) -> String {
    let cells = row.iter().enumerate().filter(|(at, cell)| *at != omitted && cell.names_the_row());
    cells.map(|(_, cell)| cell.text.as_str()).collect::<Vec<_>>().join(", ")
}

fn ratio(cell: &Cell) -> Option<f64> {
    match cell.value {
        Value::Ratio { ratio, .. } => Some(ratio),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::Block;
    use crate::cell;
    use crate::machine::Program;
    use crate::measure::Time;

    fn at(seconds: f64) -> Time {
        Time::of(vec![seconds; 3])
    }

    /// Table with a floor that grows as N and a time that grows as N^2, for each name.
    pub(super) fn table(names: &[&str], sizes: &[usize]) -> Table {
        let columns = ["name", "N", "pair", "sum", "sum / pair"].map(String::from).to_vec();
        let rows = names.iter().flat_map(|name| sizes.iter().map(move |n| (*name, *n)));
        let rows = rows.map(|(name, n)| {
            let (floor, time) = (at(1e-9 * n as f64), at(1e-10 * (n * n) as f64));
            let ratio = cell::ratio(&time, &floor);
            vec![cell::label(name), cell::size(n), cell::floor(&floor), cell::time(&time), ratio]
        });
        Table { columns, rows: rows.collect() }
    }

    #[test]
    fn a_table_without_ratios_has_no_bars() {
        let mut none = table(&["x"], &[10]);
        let svg = String::from_utf8(ratios("a", &none, Format::Svg).unwrap().unwrap()).unwrap();
        assert!(svg.contains("x, N = 10") && svg.contains("sum / pair"));
        none.rows[0][4] = cell::nothing();
        assert!(ratios("a", &none, Format::Svg).unwrap().is_none());
    }

    #[test]
    fn every_table_has_its_files() {
        let tables = [table(&["x"], &[10, 100, 1000]), table(&["y"], &[10])];
        let group = Group {
            name: "some/group".to_owned(),
            date: String::new(),
            program: Program::here(),
            quick: true,
            seconds: 0.0,
            machine: Vec::new(),
            blocks: tables.map(Block::Table).to_vec(),
        };
        let folder = tempfile::tempdir().unwrap();
        draw([&group], folder.path()).unwrap();
        let listing = std::fs::read_dir(folder.path().join("plots")).unwrap();
        let mut names: Vec<_> = listing.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        let expected = ["some-group-2-ratios.svg", "some-group-ratios.svg", "some-group.svg"];
        assert_eq!(names, expected);
    }
}
