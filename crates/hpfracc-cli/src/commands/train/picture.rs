//! Pictures of the loss and of the forecast.

use super::data::Rows;
use super::forecast::Fan;
use crate::Error;
use hpfracc_plot::{Axis, Chart, Curve, Format, Mark, Sheet, band};
use serde_json::Value;

/// Losses of a training, from its metrics.
#[derive(Default)]
struct Course {
    steps: (Vec<f64>, Vec<f64>),
    epochs: (Vec<f64>, Vec<f64>),
    validation: (Vec<f64>, Vec<f64>),
}

impl Course {
    fn read(metrics: &str) -> Self {
        let mut course = Self::default();
        for record in metrics.lines().filter_map(|line| serde_json::from_str(line).ok()) {
            let record: Value = record;
            let number = |key: &str| record[key].as_f64();
            let push = |to: &mut (Vec<f64>, Vec<f64>), key| {
                if let (Some(step), Some(loss)) = (number("step"), number(key)) {
                    to.0.push(step);
                    to.1.push(loss);
                }
            };
            if record["kind"] == "step" {
                push(&mut course.steps, "loss");
            } else {
                push(&mut course.epochs, "loss");
                push(&mut course.validation, "validation");
            }
        }
        course
    }
}

/// Losses of batches, means over epochs, and validation losses.
pub(super) fn losses(metrics: &str) -> Result<Vec<u8>, Error> {
    let Course { steps, epochs, validation } = Course::read(metrics);
    let positive = [&steps, &epochs, &validation].iter().all(|it| it.1.iter().all(|x| *x > 0.0));
    let y = if positive { Axis::log("loss") } else { Axis::linear("loss") };
    let mut curves = vec![
        Curve::line("batches", &steps.0, &steps.1, 0).marked(Mark::Hair),
        Curve::line("training", &epochs.0, &epochs.1, 0),
    ];
    if !validation.0.is_empty() {
        curves.push(Curve::line("validation", &validation.0, &validation.1, 1));
    }
    let chart = Chart { title: "", x: Axis::linear("step"), y, curves: &curves, equal: false };
    Ok(Sheet { title: "Loss", columns: &[&[chart]] }.draw(Format::Svg)?)
}

/// Number of past rows per forecast row.
const PAST: usize = 3;

/// Each column with its past, its quantiles, and the held-out data.
pub(super) fn fan(rows: &Rows, fan: &Fan) -> Result<Vec<u8>, Error> {
    let (start, ahead) = (fan.start, fan.times.len());
    let first = (start + 1).saturating_sub(PAST * ahead);
    let (times, past) = (&fan.times, &rows.times[first..=start]);
    let drawn: Vec<_> = (fan.columns.iter().enumerate())
        .map(|(i, column)| {
            let [a, b, _, c, d] = &column.quantiles;
            let later = column.observed.iter().map(|x| x.unwrap_or(f64::NAN)).collect::<Vec<_>>();
            let bands = [band(times, a, d), band(times, b, c)];
            (bands, rows.columns[i][first..=start].to_vec(), later)
        })
        .collect();
    let curves: Vec<Vec<Curve<'_>>> = (drawn.iter().zip(&fan.columns).enumerate())
        .map(|(i, (([wide, narrow], before, later), column))| {
            // The legend is above the first chart.
            let name = |name: &'static str| if i == 0 { name } else { "" };
            let mut curves = vec![
                Curve::line(name("5 to 95 %"), &wide.0, &wide.1, 0).marked(Mark::Band),
                Curve::line(name("25 to 75 %"), &narrow.0, &narrow.1, 0).marked(Mark::Band),
                Curve::line(name("median"), times, &column.quantiles[2], 0),
                Curve::line(name("data"), past, before, 1),
            ];
            if later.iter().any(|x| x.is_finite()) {
                curves.push(Curve::line(name("held out"), times, later, 1).marked(Mark::Dots));
            }
            curves
        })
        .collect();
    let charts = rows.names.iter().zip(&curves);
    let charts = charts.map(|(name, curves)| ("", Axis::linear(name), &curves[..]));
    let charts = Chart::stacked(rows.time_format.axis(&rows.time_name), charts);
    Ok(Sheet { title: "Forecast", columns: &[&charts] }.draw(Format::Svg)?)
}
