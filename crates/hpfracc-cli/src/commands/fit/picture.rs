//! Picture of a fit: data, model and band above the residuals.

use super::args::Relative;
use super::rows::{Response, Table};
use super::task::Task;
use crate::Error;
use hpfracc::fit::{Found, Interval};
use hpfracc_plot::{Axis, Chart, Curve, Format, Mark, Sheet, band};

/// Points of a drawn model.
const POINTS: usize = 400;

/// Curves of a response of a set.
struct Drawn {
    name: String,
    x: Vec<f64>,
    data: Vec<f64>,
    residuals: Vec<f64>,
    /// Abscissas of the model, ascending.
    at: Vec<f64>,
    model: Vec<f64>,
    outline: Option<(Vec<f64>, Vec<f64>)>,
}

pub(super) fn draw(
    task: &Task,
    found: &Found<'_>,
    tables: &[Table],
    format: Format,
) -> Result<Vec<u8>, Error> {
    let abscissas: Vec<Vec<f64>> = tables.iter().map(abscissas).collect();
    let decades = spans_decades(&abscissas.concat());
    let mut all = vec![];
    for (number, (table, x)) in tables.iter().zip(abscissas).enumerate() {
        let finer = fine(found, number, table, &x, (decades, task.settings.level()));
        for (k, response) in table.responses.iter().enumerate() {
            let name =
                name(&task.sets[number].name, response, (tables.len(), table.responses.len()));
            let mut drawn = Drawn::new(name, &x, response);
            drawn.residuals = scaled(task.settings.data.relative, table, response);
            if let Some((at, curves)) = &finer {
                drawn.refine(at, &curves[k]);
            }
            all.push(drawn);
        }
    }
    let alone = all.len() == 1;
    let (mut curves, mut residuals) = (vec![], vec![]);
    for (color, drawn) in all.iter().enumerate() {
        if let Some((x, y)) = &drawn.outline {
            curves.push(Curve::line("", x, y, color).marked(Mark::Band));
        }
    }
    for (color, drawn) in all.iter().enumerate() {
        let Drawn { name, x, data, at, model, .. } = drawn;
        curves.push(Curve::line(name, x, data, color).marked(Mark::Dots));
        residuals.push(Curve::line("", x, &drawn.residuals, color).marked(Mark::Dots));
        let (name, color) = if alone { ("model", 1) } else { ("", color) };
        curves.push(Curve::line(name, at, model, color));
    }
    let of =
        |values: fn(&Drawn) -> &Vec<f64>| all.iter().flat_map(move |drawn| values(drawn).clone());
    let (data, model) = (of(|drawn| &drawn.data), of(|drawn| &drawn.model));
    let logarithmic =
        spans_decades(&data.collect::<Vec<f64>>()) && model.into_iter().all(|y| y > 0.0);
    let response = task.responses().names.join(", ");
    let y = if logarithmic { Axis::log(&response) } else { Axis::linear(&response) };
    let below =
        if task.settings.data.relative.is_some() { "relative residual" } else { "residual" };
    let charts = [("", y, &curves[..]), ("", Axis::linear(below), &residuals[..])];
    let input = task.sets[0].of.inputs.names.last().map_or("row", String::as_str);
    let axis = if decades { Axis::log(input) } else { Axis::linear(input) };
    let charts = Chart::stacked(axis, charts);
    let title = if found.outcome().is_success() {
        task.name().to_owned()
    } else {
        format!("{}: {}", task.name(), found.outcome())
    };
    Ok(Sheet { title: &title, columns: &[&charts] }.draw(format)?)
}

/// The last input, or the numbers of the rows without one.
fn abscissas(table: &Table) -> Vec<f64> {
    let rows = || (0..table.responses[0].data.len()).map(|row| row as f64).collect();
    table.inputs.last().map_or_else(rows, |(_, values)| values.clone())
}

fn name(set: &str, response: &Response, (sets, responses): (usize, usize)) -> String {
    match (sets > 1, responses > 1) {
        (true, true) => format!("{set}, {}", response.name),
        (true, false) => set.to_owned(),
        (false, true) => response.name.clone(),
        (false, false) => "data".to_owned(),
    }
}

/// Residuals, over the sizes that the errors are proportional to.
fn scaled(relative: Option<Relative>, table: &Table, response: &Response) -> Vec<f64> {
    let residuals = response.residuals().into_iter().enumerate();
    let size = |row: usize| match relative {
        None => 1.0,
        Some(Relative::Each) => response.data[row].abs(),
        Some(Relative::Modulus) => {
            let square = |response: &Response| response.data[row] * response.data[row];
            table.responses.iter().map(square).sum::<f64>().sqrt()
        }
    };
    residuals.map(|(row, residual)| residual / size(row)).collect()
}

/// The model between the ends of its one input: abscissas, and an interval or a value at each for each response. None for a
/// model of several inputs.
fn fine(
    found: &Found<'_>,
    set: usize,
    table: &Table,
    x: &[f64],
    (decades, level): (bool, f64),
) -> Option<(Vec<f64>, Vec<Vec<Interval>>)> {
    if table.inputs.len() != 1 {
        return None;
    }
    let finite = || x.iter().copied().filter(|x| x.is_finite());
    let (low, high) =
        (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max));
    let at = |k: usize| match k as f64 / (POINTS - 1) as f64 {
        share if decades => low * (high / low).powf(share),
        share => low + (high - low) * share,
    };
    let at: Vec<f64> = (0..POINTS).map(at).collect();
    let band = found.band(set, &[&at], level).ok()?;
    Some((at, band))
}

impl Drawn {
    fn new(name: String, x: &[f64], response: &Response) -> Self {
        let mut order: Vec<usize> = (0..x.len()).collect();
        order.sort_by(|a, b| x[*a].total_cmp(&x[*b]));
        let in_order = |values: &[f64]| order.iter().map(|k| values[*k]).collect::<Vec<f64>>();
        let at = in_order(x);
        let ends = response.ends().map(|ends| ends.map(|end| in_order(&end)));
        Self {
            name,
            x: x.to_vec(),
            data: response.data.clone(),
            residuals: vec![],
            model: in_order(&response.model),
            outline: ends.map(|[low, high]| band(&at, &low, &high)),
            at,
        }
    }

    /// Replaces the model at the data by that between them.
    fn refine(&mut self, at: &[f64], curve: &[Interval]) {
        let of = |part: fn(&Interval) -> f64| curve.iter().map(part).collect::<Vec<f64>>();
        let (low, high) = (of(|at| at.confidence.0), of(|at| at.confidence.1));
        (self.at, self.model) = (at.to_vec(), of(|at| at.value));
        self.outline = Some(band(at, &low, &high));
    }
}

/// Whether values are positive and span more than two decades, most of them below a tenth of the range.
fn spans_decades(values: &[f64]) -> bool {
    let ends = |(a, b): (f64, f64), x: &f64| (a.min(*x), b.max(*x));
    let (low, high) = values.iter().fold((f64::INFINITY, 0.0), ends);
    let below = values.iter().filter(|x| **x < 0.1 * high).count();
    low > 0.0 && high > 100.0 * low && 2 * below > values.len()
}
