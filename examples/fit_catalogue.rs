//! Every model of the catalogue of fits, drawn by one loop: `cargo run --release --example fit_catalogue`.
//!
//! The curves are those of the example of each model; models of two inputs are drawn against the second one.

use hpfracc::fit::catalogue;
use hpfracc_plot::{Axis, Chart, Curve, Format, Multiples, PlotError};
use pictures::{Outcome, publish_as};

/// Number of pictures on a sheet, and side by side.
const SHEET: usize = 24;
const COLUMNS: usize = 4;
/// Points of a curve, and curves of a model of two inputs.
const POINTS: usize = 200;
const CURVES: usize = 4;

pub(crate) fn main() -> Outcome<()> {
    let drawings: Vec<Drawing> = catalogue::names().map(Drawing::of).collect::<Outcome<_>>()?;
    for (number, drawings) in (1..).zip(drawings.chunks(SHEET)) {
        let first = (number - 1) * SHEET + 1;
        let title = format!("Models of fits, {first} to {}", first + drawings.len() - 1);
        publish_as(&format!("fit_catalogue_{number}"), |format| sheet(&title, drawings, format))?;
    }
    Ok(())
}

fn sheet(title: &str, drawings: &[Drawing], format: Format) -> Result<Vec<u8>, PlotError> {
    let curves: Vec<Vec<Curve<'_>>> = drawings.iter().map(Drawing::curves).collect();
    let charts: Vec<Chart<'_>> =
        drawings.iter().zip(&curves).map(|(drawing, curves)| drawing.chart(curves)).collect();
    Multiples { title, columns: COLUMNS, charts: &charts }.draw(format)
}

/// Example of a model.
struct Drawing {
    name: &'static str,
    x: String,
    y: String,
    logarithmic: [bool; 2],
    /// Name and points of each curve.
    lines: Vec<(String, Vec<f64>, Vec<f64>)>,
}

impl Drawing {
    fn of(name: &'static str) -> Outcome<Self> {
        let model = catalogue::find(name)?;
        let (entry, parameters) = (model.entry(), model.example());
        let last = entry.inputs.last().ok_or("a model without inputs")?;
        let x: Vec<f64> = (0..POINTS).map(|k| last.at(k as f64 / (POINTS - 1) as f64)).collect();
        let mut lines = vec![];
        // Of two inputs, the first has some values.
        let first = (0..if entry.inputs.len() > 1 { CURVES } else { 1 })
            .map(|k| entry.inputs[0].at((k as f64 + 0.5) / CURVES as f64));
        for value in first {
            let inputs: Vec<Vec<f64>> = match entry.inputs.len() {
                1 => vec![x.clone()],
                _ => vec![vec![value; POINTS], x.clone()],
            };
            let responses = model.values(&parameters, &inputs)?;
            for (response, y) in entry.responses.iter().zip(responses) {
                lines.push((response.name.clone(), x.clone(), y));
            }
        }
        let all = lines.iter().flat_map(|(_, _, y)| y.iter().copied());
        let (low, high) = all.fold((f64::INFINITY, 0.0f64), |(a, b), y| (a.min(y), b.max(y)));
        Ok(Self {
            name,
            x: last.name.clone(),
            y: entry.responses.iter().map(|r| r.name.as_str()).collect::<Vec<_>>().join(", "),
            logarithmic: [last.equal_ratios, low > 0.0 && high > 30.0 * low],
            lines,
        })
    }

    fn curves(&self) -> Vec<Curve<'_>> {
        let several = self.y.contains(',');
        let lines = self.lines.iter().enumerate();
        lines
            .map(|(k, (name, x, y))| Curve::line(if several { name } else { "" }, x, y, k))
            .collect()
    }

    fn chart<'a>(&'a self, curves: &'a [Curve<'a>]) -> Chart<'a> {
        let axis = |name, log: bool| if log { Axis::log(name) } else { Axis::linear(name) };
        let [x, y] = self.logarithmic;
        let (x, y) = (axis(&self.x, x), axis(&self.y, y));
        Chart { title: self.name, x, y, curves, equal: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every model is drawn, with finite numbers.
    #[test]
    fn every_model_is_drawn() {
        let names: Vec<&str> = catalogue::names().collect();
        let drawings: Vec<Drawing> = names.iter().map(|name| Drawing::of(name).unwrap()).collect();
        for drawing in &drawings {
            for (_, _, y) in &drawing.lines {
                assert!(y.iter().all(|y| y.is_finite()), "{}", drawing.name);
            }
        }
        for drawings in drawings.chunks(SHEET) {
            let svg = String::from_utf8(sheet("", drawings, Format::Svg).unwrap()).unwrap();
            for drawing in drawings {
                assert!(svg.contains(&format!("aria-label=\"{}\"", drawing.name)));
            }
        }
    }
}
