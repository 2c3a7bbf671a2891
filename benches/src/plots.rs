//! Pictures of what was measured: times against sizes with their slopes, ratios as bars.

use crate::bench::{Part, Table};
use crate::cell::{Cell, Value};
use crate::fit::Power;
use crate::record::Group;
use hpfracc_cli::plot::{Axis, Bars, Chart, Curve, Format, Mark, Sheet};
use std::io;
use std::path::Path;

/// A chart with more curves than this is not readable.
const CURVES: usize = 10;

/// Draws the tables of groups that have a picture, into `plots` below the folder. A table has a picture
/// of its times and one of its ratios; where a group has several tables, their numbers tell them apart.
///
/// # Errors
/// If a picture cannot be drawn or written.
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

/// The pictures of a group, with their names.
fn of_group(group: &Group) -> io::Result<Vec<(String, Vec<u8>)>> {
    let tables = group.found.iter().filter_map(|part| match part {
        Part::Table(table) => Some(table),
        Part::Note(_) => None,
    });
    let mut found = Vec::new();
    for (number, table) in (1..).zip(tables) {
        let which = if number == 1 { String::new() } else { format!("-{number}") };
        let name = group.name.replace('/', "-") + &which;
        if let Some(picture) = times(&group.name, table, Format::Svg)? {
            found.push((name.clone(), picture));
        }
        if let Some(picture) = ratios(&group.name, table, Format::Svg)? {
            found.push((name + "-ratios", picture));
        }
    }
    Ok(found)
}

/// Times of one kind by size.
struct Series {
    name: String,
    floor: bool,
    points: Vec<(f64, f64)>,
}

/// Times against the size, one curve for each column of times, and for each name where rows have names.
fn times(title: &str, table: &Table, format: Format) -> io::Result<Option<Vec<u8>>> {
    let Some(along) = table.rows.first().and_then(|row| row.iter().position(is_size)) else {
        return Ok(None);
    };
    let mut series = of_times(table, along);
    for one in &mut series {
        one.points.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    series.retain(|one| Power::of(&one.points).is_some());
    if series.is_empty() || series.len() > CURVES {
        return Ok(None);
    }
    let named: Vec<(String, Vec<f64>, Vec<f64>)> = series.iter().map(legend).collect();
    let mut curves = Vec::new();
    for (color, (one, (name, x, y))) in series.iter().zip(&named).enumerate() {
        let line = Curve::line(name, x, y, color);
        if one.floor || color >= 5 {
            curves.push(line.marked(Mark::Dashes));
        } else {
            curves.push(line);
        }
        curves.push(Curve { name: "", ..line.marked(Mark::Dots) });
    }
    let chart = Chart {
        title: "",
        x: Axis::log(&table.columns[along]),
        y: Axis::log("seconds"),
        curves: &curves,
        equal: false,
    };
    let title = format!("{title}: times and the powers of their growth");
    let drawn = Sheet { title: &title, columns: &[&[chart]] }.draw(format);
    drawn.map(Some).map_err(io::Error::other)
}

fn of_times(table: &Table, along: usize) -> Vec<Series> {
    let mut found: Vec<Series> = Vec::new();
    for row in &table.rows {
        let Value::Size { size } = row[along].value else { continue };
        let label = label(row, along);
        for (column, cell) in table.columns.iter().zip(row) {
            let Value::Time { seconds, floor, .. } = cell.value else { continue };
            let name = [label.as_str(), column].join(if label.is_empty() { "" } else { ", " });
            match found.iter_mut().find(|series| series.name == name) {
                Some(series) => series.points.push((size, seconds)),
                None => found.push(Series { name, floor, points: vec![(size, seconds)] }),
            }
        }
    }
    found
}

/// What a curve is called, its sizes and its times.
fn legend(series: &Series) -> (String, Vec<f64>, Vec<f64>) {
    let exponent = Power::of(&series.points).map_or(f64::NAN, |power| power.exponent);
    let floor = if series.floor { " (floor)" } else { "" };
    let (x, y) = series.points.iter().copied().unzip();
    (format!("{}{floor}: {exponent:.2}", series.name), x, y)
}

/// Ratios of all rows, one colour for each column of ratios.
fn ratios(title: &str, table: &Table, format: Format) -> io::Result<Option<Vec<u8>>> {
    let of_ratios = |column: &usize| table.rows.iter().any(|row| ratio(&row[*column]).is_some());
    let columns: Vec<usize> = (0..table.columns.len()).filter(of_ratios).collect();
    if columns.is_empty() {
        return Ok(None);
    }
    let names: Vec<&str> = columns.iter().map(|column| table.columns[*column].as_str()).collect();
    let rows: Vec<(String, Vec<f64>)> = (table.rows.iter())
        .map(|row| {
            let values = columns.iter().map(|column| ratio(&row[*column]).unwrap_or(f64::NAN));
            (label(row, usize::MAX), values.collect())
        })
        .collect();
    let groups: Vec<(&str, &[f64])> =
        rows.iter().map(|(name, values)| (name.as_str(), values.as_slice())).collect();
    let drawn = Bars { title, names: &names, groups: &groups }.draw(format);
    drawn.map(Some).map_err(io::Error::other)
}

/// The names and sizes of a row, without that at one place.
fn label(row: &[Cell], but: usize) -> String {
    let cells = row.iter().enumerate().filter(|(at, cell)| *at != but && cell.names_the_row());
    cells.map(|(_, cell)| cell.text.as_str()).collect::<Vec<_>>().join(", ")
}

fn is_size(cell: &Cell) -> bool {
    matches!(cell.value, Value::Size { .. })
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
    use crate::cell;
    use crate::machine::Program;
    use crate::measure::Time;

    fn at(seconds: f64) -> Time {
        Time::of(vec![seconds; 3])
    }

    /// A floor that grows as N, a time that grows as N^2 for each name.
    fn table(names: &[&str], sizes: &[usize]) -> Table {
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
    fn slopes_are_in_the_legend() {
        let table = table(&["x"], &[10, 1000, 100]);
        let series = of_times(&table, 1);
        let legends: Vec<String> = series.iter().map(|one| legend(one).0).collect();
        assert_eq!(legends, ["x, pair (floor): 1.00", "x, sum: 2.00"]);
        let svg = String::from_utf8(times("a/b", &table, Format::Svg).unwrap().unwrap()).unwrap();
        assert!(svg.contains("x, sum: 2.00") && svg.contains("seconds"));
    }

    #[test]
    fn what_has_no_picture_has_none() {
        assert!(times("a", &table(&["x"], &[10, 100]), Format::Svg).unwrap().is_none());
        let many = ["a", "b", "c", "d", "e", "f"];
        assert!(times("a", &table(&many, &[10, 100, 1000]), Format::Svg).unwrap().is_none());
        let mut none = table(&["x"], &[10]);
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
            found: tables.map(Part::Table).to_vec(),
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
