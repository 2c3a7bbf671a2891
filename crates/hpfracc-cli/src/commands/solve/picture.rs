//! Picture of a solution: time series or phase portrait.

use super::table::Table;
use crate::Error;
use crate::equations::Case;
use hpfracc::types::shortest;
use hpfracc_plot::{Axis, Chart, Curve, Format, Mark, Sheet};

pub(super) fn draw(
    case: &Case,
    table: &Table,
    phase: Option<[usize; 2]>,
    log_time: bool,
    format: Format,
) -> Result<Vec<u8>, Error> {
    let mut orders: Vec<String> = case.orders().into_iter().map(shortest).collect();
    orders.dedup();
    let title = format!("{}, order {}", case.title, orders.join(", "));
    match phase {
        Some(pair) => portrait(&title, table, pair, format),
        None => series(&title, table, log_time, format),
    }
}

/// Phase portrait of two components.
fn portrait(
    title: &str,
    table: &Table,
    [x, y]: [usize; 2],
    format: Format,
) -> Result<Vec<u8>, Error> {
    let (xs, ys) = (&table.columns[x], &table.columns[y]);
    let curves = [
        Curve::line("", xs, ys, 0),
        Curve::line("start", &xs[..1], &ys[..1], 1).marked(Mark::Dots),
    ];
    let (x, y) = (Axis::linear(&table.names[x]), Axis::linear(&table.names[y]));
    let chart = Chart { title: "", x, y, curves: &curves, equal: false };
    Ok(Sheet { title, columns: &[&[chart]] }.draw(format)?)
}

/// Ratio of sizes above which components get separate charts.
const COMPARABLE: f64 = 20.0;
/// Number of rings that mark the exact solution.
const RINGS: usize = 40;

/// All components against time.
fn series(title: &str, table: &Table, log_time: bool, format: Format) -> Result<Vec<u8>, Error> {
    let every = table.times.len().div_ceil(RINGS).max(1);
    let sparse = |column: &[f64]| -> Vec<f64> { column.iter().copied().step_by(every).collect() };
    let ring_times = sparse(&table.times);
    let rings: Vec<(usize, Vec<f64>)> =
        table.exact.iter().map(|(state, column)| (*state, sparse(column))).collect();
    let curves: Vec<Curve<'_>> = (table.names.iter().zip(&table.columns).enumerate())
        .map(|(k, (name, column))| Curve::line(name, &table.times, column, k))
        .collect();
    let exact: Vec<Curve<'_>> = (rings.iter())
        .map(|(k, ring)| Curve::line("exact", &ring_times, ring, k + 1).marked(Mark::Rings))
        .collect();
    let groups: Vec<Vec<Curve<'_>>> = if comparable(&table.columns) {
        vec![curves.into_iter().chain(exact).collect()]
    } else {
        curves.into_iter().map(|curve| vec![curve]).collect()
    };
    let charts = groups.iter().map(|curves| {
        let name = if curves.len() == 1 { curves[0].name } else { "y" };
        ("", Axis::linear(name), &curves[..])
    });
    let charts = Chart::stacked(if log_time { Axis::log("t") } else { Axis::linear("t") }, charts);
    Ok(Sheet { title, columns: &[&charts] }.draw(format)?)
}

/// Whether the columns are of similar size, so that they share an axis.
fn comparable(columns: &[Vec<f64>]) -> bool {
    let sizes = columns.iter().map(|column| column.iter().fold(0.0, |m: f64, y| m.max(y.abs())));
    let (low, high) =
        sizes.fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), y| (low.min(y), high.max(y)));
    high <= COMPARABLE * low
}
