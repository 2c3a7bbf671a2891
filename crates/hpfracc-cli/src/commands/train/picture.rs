//! Pictures of the loss and of the forecast.

use super::data::Rows;
use super::forecast::{Column, Distribution, LEVELS};
use crate::Error;
use hpfracc_plot::{Axis, Chart, Curve, Fan, Format, Mark, Sheet};
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
pub(super) fn fan(rows: &Rows, forecast: &Distribution) -> Result<Vec<u8>, Error> {
    let (start, times) = (forecast.start, &forecast.times);
    let first = (start + 1).saturating_sub(PAST * times.len());
    let past = &rows.times[first..=start];
    let fan = |(i, column): (usize, &Column)| {
        let quantiles: Vec<(f64, &Vec<f64>)> = LEVELS.into_iter().zip(&column.quantiles).collect();
        let fan = Fan::new(&rows.names[i])
            .with_quantiles(times, &quantiles)
            .with(Curve::line("median", times, &column.quantiles[2], 0))
            .with(Curve::line("data", past, &rows.columns[i][first..=start], 1));
        let later: Vec<f64> = column.observed.iter().map(|x| x.unwrap_or(f64::NAN)).collect();
        if later.iter().any(|x| x.is_finite()) {
            return fan.with(Curve::line("held out", times, &later, 1).marked(Mark::Dots));
        }
        fan
    };
    let fans: Vec<Fan> = forecast.columns.iter().enumerate().map(fan).collect();
    Ok(Fan::draw("Forecast", rows.time_format.axis(&rows.time_name), &fans, Format::Svg)?)
}
