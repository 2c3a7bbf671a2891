//! Picture of a fit: data, model and band above the residuals.

use super::rows::Table;
use super::task::Task;
use crate::Error;
use hpfracc::fit::Found;
use hpfracc_plot::{Axis, Chart, Curve, Format, Mark, Sheet, band};

pub(super) fn draw(
    task: &Task,
    found: &Found<'_>,
    table: &Table,
    format: Format,
) -> Result<Vec<u8>, Error> {
    // Against the first input, or the row without one.
    let (name, x) = match table.inputs.first() {
        Some((name, values)) => (name.as_str(), values.clone()),
        None => ("row", (0..table.response.len()).map(|row| row as f64).collect()),
    };
    let mut order: Vec<usize> = (0..x.len()).collect();
    order.sort_by(|a, b| x[*a].total_cmp(&x[*b]));
    let sorted = |values: &[f64]| order.iter().map(|k| values[*k]).collect::<Vec<f64>>();
    let (xs, model) = (sorted(&x), sorted(&table.model));
    let bounds = table.band.as_ref().map(|all| {
        let part = |k: usize| {
            let of = |at: &hpfracc::fit::Interval| {
                if k == 0 { at.confidence.0 } else { at.confidence.1 }
            };
            sorted(&all.iter().map(of).collect::<Vec<f64>>())
        };
        band(&xs, &part(0), &part(1))
    });
    let mut curves = vec![];
    if let Some((x, y)) = &bounds {
        curves.push(Curve::line("", x, y, 1).marked(Mark::Band));
    }
    curves.push(Curve::line("data", &x, &table.response, 0).marked(Mark::Dots));
    curves.push(Curve::line("model", &xs, &model, 1));
    let residuals = table.residuals();
    let below = [Curve::line("", &x, &residuals, 0).marked(Mark::Dots)];
    let response = task.response_name();
    let charts =
        [("", Axis::linear(response), &curves[..]), ("", Axis::linear("residual"), &below)];
    let axis = if spans_decades(&x) { Axis::log(name) } else { Axis::linear(name) };
    let charts = Chart::stacked(axis, charts);
    let title = format!("{}: {}", task.formula, found.outcome());
    Ok(Sheet { title: &title, columns: &[&charts] }.draw(format)?)
}

/// Whether values are positive and span more than two decades, most of them below a tenth of the range.
fn spans_decades(x: &[f64]) -> bool {
    let (low, high) =
        x.iter().fold((f64::INFINITY, 0.0), |(a, b): (f64, f64), x| (a.min(*x), b.max(*x)));
    low > 0.0 && high > 100.0 * low && 2 * x.iter().filter(|x| **x < 0.1 * high).count() > x.len()
}
