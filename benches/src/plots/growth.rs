//! Times, rates and memory against sizes, on logarithmic axes, with the powers that fit them.

use super::label;
use crate::bench::Table;
use crate::cell::{Cell, Value};
use crate::fit::Power;
use hpfracc_cli::plot::{Axis, Chart, Curve, Format, Mark, Sheet};
use std::io;

/// A chart with more curves than this is not readable, nor is a picture with more charts.
const CURVES: usize = 10;
const CHARTS: usize = 4;

/// Colours that differ; further curves have dashes.
const COLORS: usize = 5;

/// Readings of one kind by size.
struct Series {
    name: String,
    chart: String,
    unit: &'static str,
    /// What is said of times that others are measured by.
    role: &'static str,
    points: Vec<(f64, f64)>,
}

/// A curve: its name with its power, sizes and readings.
struct Line<'a> {
    series: &'a Series,
    name: String,
    x: Vec<f64>,
    y: Vec<f64>,
}

/// A picture of what grows with the size, if anything was measured at three of them. Where rows
/// have names there is a chart for each column, with a curve for each name; else one for each unit,
/// with a curve for each column. The picture states what it leaves out.
pub(super) fn draw(title: &str, table: &Table, format: Format) -> io::Result<Option<Vec<u8>>> {
    let Some(along) = table.rows.first().and_then(|row| row.iter().position(is_size)) else {
        return Ok(None);
    };
    let series = series(table, along);
    let mut names: Vec<&str> = Vec::new();
    for one in &series {
        if !names.contains(&one.chart.as_str()) {
            names.push(&one.chart);
        }
    }
    let (lines, without) = charts(&series, &names);
    if !without.is_empty() {
        println!(
            "{title}: more curves or charts than a picture has place for: {}",
            without.join("; ")
        );
    }
    if lines.is_empty() {
        return Ok(None);
    }
    let curves: Vec<Vec<Curve<'_>>> = lines.iter().map(|lines| curves(lines)).collect();
    let charts: Vec<Chart<'_>> = (lines.iter().zip(&curves))
        .map(|(lines, curves)| {
            let Series { chart, unit, .. } = lines[0].series;
            Chart {
                title: if chart == unit { "" } else { chart },
                x: Axis::log(&table.columns[along]),
                y: Axis::log(unit),
                curves,
                equal: false,
            }
        })
        .collect();
    let columns: Vec<&[Chart<'_>]> = charts.chunks(charts.len().div_ceil(2)).collect();
    let title = format!("{title}, with the powers of the growth");
    Sheet { title: &title, columns: &columns }.draw(format).map(Some).map_err(io::Error::other)
}

/// The curves of each chart that is drawn, and the names of those that are not.
fn charts<'a>(series: &'a [Series], names: &[&'a str]) -> (Vec<Vec<Line<'a>>>, Vec<&'a str>) {
    let (mut drawn, mut without) = (Vec::new(), Vec::new());
    for name in names {
        let lines: Vec<_> = series.iter().filter(|one| one.chart == *name).map(Line::of).collect();
        if lines.len() <= CURVES && drawn.len() < CHARTS {
            drawn.push(lines);
        } else {
            without.push(*name);
        }
    }
    (drawn, without)
}

/// Whatever was measured at three sizes, in the order of the columns.
fn series(table: &Table, along: usize) -> Vec<Series> {
    let mut found: Vec<Series> = Vec::new();
    for (at, column) in table.columns.iter().enumerate() {
        for row in &table.rows {
            let Value::Size { size } = row[along].value else { continue };
            let Some((unit, value)) = reading(column, &row[at]) else { continue };
            let label = label(row, along);
            let (chart, name) = match label.is_empty() {
                true => (unit, column.clone()),
                false => (column.as_str(), label),
            };
            let role = match row[at].value {
                Value::Time { floor: true, .. } => " (floor)",
                Value::Time { beside: true, .. } => " (beside)",
                _ => "",
            };
            let chart = chart.to_owned();
            match found.iter_mut().find(|one| one.chart == chart && one.name == name) {
                Some(one) => one.points.push((size, value)),
                None => {
                    found.push(Series { name, chart, unit, role, points: vec![(size, value)] });
                }
            }
        }
    }
    for one in &mut found {
        one.points.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    found.retain(|one| Power::of(&one.points).is_some());
    found
}

fn is_size(cell: &Cell) -> bool {
    matches!(cell.value, Value::Size { .. })
}

/// What of an entry is drawn over sizes, and its unit.
fn reading(column: &str, cell: &Cell) -> Option<(&'static str, f64)> {
    match cell.value {
        Value::Time { seconds, .. } => Some(("seconds", seconds)),
        Value::Rate { per_second } => Some(("per second", per_second)),
        Value::Number { number } if column == "memory" => Some(("bytes", number)),
        _ => None,
    }
}

impl<'a> Line<'a> {
    fn of(series: &'a Series) -> Self {
        let exponent = Power::of(&series.points).map_or(f64::NAN, |power| power.exponent);
        let (x, y) = series.points.iter().copied().unzip();
        Self { series, name: format!("{}{}: {exponent:.2}", series.name, series.role), x, y }
    }
}

/// A line with dots, dashed where others are measured by it.
fn curves<'a>(lines: &'a [Line<'_>]) -> Vec<Curve<'a>> {
    let each = lines.iter().enumerate().flat_map(|(color, Line { series, name, x, y })| {
        let line = Curve::line(name, x, y, color);
        let dashed = !series.role.is_empty() || color >= COLORS;
        let mark = if dashed { Mark::Dashes } else { Mark::Line };
        [line.marked(mark), Curve { name: "", ..line.marked(Mark::Dots) }]
    });
    each.collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::table;
    use super::*;
    use crate::cell;

    #[test]
    fn powers_are_in_the_legend() {
        let table = table(&["x"], &[10, 1000, 100]);
        let series = series(&table, 1);
        let found: Vec<_> =
            series.iter().map(|one| (one.chart.as_str(), Line::of(one).name)).collect();
        let expected = [("pair", "x (floor): 1.00"), ("sum", "x: 2.00")];
        assert_eq!(found, expected.map(|(chart, name)| (chart, name.to_owned())));
        let svg = String::from_utf8(draw("a/b", &table, Format::Svg).unwrap().unwrap()).unwrap();
        assert!(svg.contains("x: 2.00") && svg.contains("seconds"));
    }

    #[test]
    fn without_names_columns_are_curves() {
        let mut table = table(&["x"], &[10, 1000, 100]);
        table.columns.remove(0);
        table.columns.push("memory".to_owned());
        for row in &mut table.rows {
            row.remove(0);
            row.push(cell::bytes(4096.0));
        }
        let series = series(&table, 0);
        let found: Vec<_> =
            series.iter().map(|one| (one.chart.as_str(), Line::of(one).name)).collect();
        let expected = [
            ("seconds", "pair (floor): 1.00"),
            ("seconds", "sum: 2.00"),
            ("bytes", "memory: 0.00"),
        ];
        assert_eq!(found, expected.map(|(chart, name)| (chart, name.to_owned())));
    }

    #[test]
    fn what_has_no_place_is_named() {
        let mut table = table(&["x"], &[10, 100, 1000]);
        for extra in ["a", "b", "c"] {
            table.columns.push(extra.to_owned());
            table.rows.iter_mut().for_each(|row| row.push(row[3].clone()));
        }
        let series = series(&table, 1);
        let names: Vec<&str> = series.iter().map(|one| one.chart.as_str()).collect();
        let (drawn, without) = charts(&series, &names);
        assert_eq!((drawn.len(), without), (CHARTS, vec!["c"]));
    }

    #[test]
    fn what_has_no_picture_has_none() {
        assert!(draw("a", &table(&["x"], &[10, 100]), Format::Svg).unwrap().is_none());
        let many: Vec<String> = (0..=CURVES).map(|k| k.to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert!(draw("a", &table(&many, &[10, 100, 1000]), Format::Svg).unwrap().is_none());
        assert!(draw("a", &table(&[], &[]), Format::Svg).unwrap().is_none());
    }
}
