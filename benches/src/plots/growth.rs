//! Plots of times, rates and memory against the problem size, on logarithmic axes, with fitted
//! exponents.

use super::label;
use crate::bench::Table;
use crate::cell::{Cell, Value};
use crate::fit::Power;
use hpfracc_plot::{Axis, Chart, Curve, Format, Mark, Sheet};
use std::io;

/// Maximum number of curves in a chart, and of charts in a plot.
const MAX_CURVES: usize = 10;
const MAX_CHARTS: usize = 4;

/// Number of distinct colours; further curves are dashed.
const COLORS: usize = 5;

/// Readings by size.
struct Series {
    name: String,
    chart: String,
    unit: &'static str,
    /// Suffix of the name of floors and reference times.
    role: &'static str,
    points: Vec<(f64, f64)>,
}

/// Curve of a series; its name includes the fitted exponent.
struct Line<'a> {
    series: &'a Series,
    name: String,
    x: Vec<f64>,
    y: Vec<f64>,
}

/// Plot of the growth with the size, if anything was measured at three sizes. If rows have labels,
/// there is one chart per column with one curve per label, otherwise one chart per unit with one
/// curve per column. Charts that are omitted are printed.
pub(super) fn draw(title: &str, table: &Table, format: Format) -> io::Result<Option<Vec<u8>>> {
    let Some(size_column) = table.rows.first().and_then(|row| row.iter().position(is_size)) else {
        return Ok(None);
    };
    let series = series(table, size_column);
    let mut names: Vec<&str> = Vec::new();
    for one in &series {
        if !names.contains(&one.chart.as_str()) {
            names.push(&one.chart);
        }
    }
    let (lines, omitted) = charts(&series, &names);
    if !omitted.is_empty() {
        println!(
            "{title}: not drawn, with more than {MAX_CURVES} curves or after {MAX_CHARTS} charts: {}",
            omitted.join("; ")
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
                x: Axis::log(&table.columns[size_column]),
                y: Axis::log(unit),
                curves,
                equal: false,
            }
        })
        .collect();
    let columns: Vec<&[Chart<'_>]> = charts.chunks(charts.len().div_ceil(2)).collect();
    let title = format!("{title}, with fitted exponents");
    Sheet { title: &title, columns: &columns }.draw(format).map(Some).map_err(io::Error::other)
}

/// Curves of each chart that is drawn, and names of the charts that are not.
fn charts<'a>(series: &'a [Series], names: &[&'a str]) -> (Vec<Vec<Line<'a>>>, Vec<&'a str>) {
    let (mut drawn, mut omitted) = (Vec::new(), Vec::new());
    for name in names {
        let lines: Vec<_> = series.iter().filter(|one| one.chart == *name).map(Line::of).collect();
        if lines.len() <= MAX_CURVES && drawn.len() < MAX_CHARTS {
            drawn.push(lines);
        } else {
            omitted.push(*name);
        }
    }
    (drawn, omitted)
}

/// Series with at least three sizes, in the order of the columns.
fn series(table: &Table, size_column: usize) -> Vec<Series> {
    let mut all: Vec<Series> = Vec::new();
    for (at, column) in table.columns.iter().enumerate() {
        for row in &table.rows {
            let Value::Size { size } = row[size_column].value else { continue };
            let Some((unit, value)) = reading(column, &row[at]) else { continue };
            let label = label(row, size_column);
            let (chart, name) = match label.is_empty() {
                true => (unit, column.clone()),
                false => (column.as_str(), label),
            };
            let role = match row[at].value {
                Value::Time { floor: true, .. } => " (floor)",
                Value::Time { reference: true, .. } => " (reference)",
                _ => "",
            };
            let chart = chart.to_owned();
            match all.iter_mut().find(|one| one.chart == chart && one.name == name) {
                Some(one) => one.points.push((size, value)),
                None => all.push(Series { name, chart, unit, role, points: vec![(size, value)] }),
            }
        }
    }
    for one in &mut all {
        one.points.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    all.retain(|one| Power::of(&one.points).is_some());
    all
}

fn is_size(cell: &Cell) -> bool {
    matches!(cell.value, Value::Size { .. })
}

/// Unit and value of a cell that is drawn against the size.
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

/// Lines with dots; floors and reference times are dashed.
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
    fn exponents_are_in_the_legend() {
        let table = table(&["x"], &[10, 1000, 100]);
        let series = series(&table, 1);
        let named: Vec<_> =
            series.iter().map(|one| (one.chart.as_str(), Line::of(one).name)).collect();
        let expected = [("pair", "x (floor): 1.00"), ("sum", "x: 2.00")];
        assert_eq!(named, expected.map(|(chart, name)| (chart, name.to_owned())));
        let svg = String::from_utf8(draw("a/b", &table, Format::Svg).unwrap().unwrap()).unwrap();
        assert!(svg.contains("x: 2.00") && svg.contains("seconds"));
    }

    #[test]
    fn columns_are_curves_if_rows_have_no_labels() {
        let mut table = table(&["x"], &[10, 1000, 100]);
        table.columns.remove(0);
        table.columns.push("memory".to_owned());
        for row in &mut table.rows {
            row.remove(0);
            row.push(cell::bytes(4096.0));
        }
        let series = series(&table, 0);
        let named: Vec<_> =
            series.iter().map(|one| (one.chart.as_str(), Line::of(one).name)).collect();
        let expected = [
            ("seconds", "pair (floor): 1.00"),
            ("seconds", "sum: 2.00"),
            ("bytes", "memory: 0.00"),
        ];
        assert_eq!(named, expected.map(|(chart, name)| (chart, name.to_owned())));
    }

    #[test]
    fn omitted_charts_are_named() {
        let mut table = table(&["x"], &[10, 100, 1000]);
        for extra in ["a", "b", "c"] {
            table.columns.push(extra.to_owned());
            table.rows.iter_mut().for_each(|row| row.push(row[3].clone()));
        }
        let series = series(&table, 1);
        let names: Vec<&str> = series.iter().map(|one| one.chart.as_str()).collect();
        let (drawn, omitted) = charts(&series, &names);
        assert_eq!((drawn.len(), omitted), (MAX_CHARTS, vec!["c"]));
    }

    #[test]
    fn tables_without_growth_have_no_plot() {
        assert!(draw("a", &table(&["x"], &[10, 100]), Format::Svg).unwrap().is_none());
        let many: Vec<String> = (0..=MAX_CURVES).map(|k| k.to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert!(draw("a", &table(&many, &[10, 100, 1000]), Format::Svg).unwrap().is_none());
        assert!(draw("a", &table(&[], &[]), Format::Svg).unwrap().is_none());
    }
}
