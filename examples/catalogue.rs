//! Every equation of the catalogue, drawn by one loop: `cargo run --release --example catalogue`.
//!
//! Systems with an attractor are drawn in the plane of two states, stochastic equations as fans of a price or
//! their first state, others against time. A picture each lies in `target/gallery/catalogue`; small ones
//! of all are on four sheets.

use hpfracc::equation::catalogue::{ENTRIES, Entry};
use hpfracc::prelude::*;
use hpfracc::sde::{Ensemble, EquationModel, Paths};
use hpfracc_plot::{Axis, Chart, Curve, Format, Mark, Multiples, Sheet, band, write_file};
use pictures::{Outcome, folder, publish_as};

/// Entries drawn in the plane of two states.
const PORTRAITS: [(&str, &str, &str); 25] = [
    ("arneodo", "x", "y"),
    ("atangana-baleanu-lorenz", "x", "z"),
    ("brusselator", "x", "y"),
    ("cellular-neural-network", "x", "y"),
    ("chen", "x", "z"),
    ("chua", "x", "y"),
    ("duffing", "x", "y"),
    ("financial", "x", "y"),
    ("genesio-tesi", "x", "y"),
    ("liu", "x", "z"),
    ("lorenz", "x", "z"),
    ("lorenz-84", "x", "y"),
    ("lotka-volterra", "x", "y"),
    ("lu", "x", "z"),
    ("memristor", "x", "y"),
    ("newton-leipnik", "x", "z"),
    ("predator-prey", "x", "y"),
    ("qi", "x", "z"),
    ("rabinovich-fabrikant", "x", "y"),
    ("rossler", "x", "y"),
    ("sprott-jerk", "x", "y"),
    ("stochastic-lorenz", "x", "z"),
    ("thomas", "x", "y"),
    ("van-der-pol", "x", "y"),
    ("volta", "x", "z"),
];

/// Number of pictures on a sheet, and side by side.
const SHEET: usize = 20;
const COLUMNS: usize = 4;
/// Ratio of sizes above which states are divided by their largest values.
const COMPARABLE: f64 = 20.0;
/// Most points of a curve in a picture, and paths of an ensemble.
const POINTS: usize = 20_000;
const PATHS: usize = 400;

/// Effort of a drawing: all steps of an entry, or the first ones.
#[derive(Debug, Clone, Copy)]
struct Effort {
    steps: usize,
    paths: usize,
}

pub(crate) fn main() -> Outcome<()> {
    let effort = Effort { steps: usize::MAX, paths: PATHS };
    let drawings: Vec<Drawing> =
        ENTRIES.iter().map(|entry| Drawing::of(entry, effort)).collect::<Outcome<_>>()?;
    let place = folder().join("catalogue");
    std::fs::create_dir_all(&place)?;
    for drawing in &drawings {
        let picture = drawing.sheet(Format::Svg)?;
        write_file(&place.join(format!("{}.svg", drawing.name)), picture)?;
    }
    println!("pictures    {} in target/gallery/catalogue", drawings.len());
    for (number, drawings) in (1..).zip(drawings.chunks(SHEET)) {
        let first = (number - 1) * SHEET + 1;
        let title = format!("Catalogue, {first} to {}", first + drawings.len() - 1);
        publish_as(&format!("catalogue_{number}"), |format| small(&title, drawings, format))?;
    }
    Ok(())
}

/// Sheet of small pictures.
fn small(
    title: &str,
    drawings: &[Drawing],
    format: Format,
) -> Result<Vec<u8>, hpfracc_plot::PlotError> {
    let curves: Vec<Vec<Curve<'_>>> = drawings.iter().map(Drawing::curves).collect();
    let charts: Vec<Chart<'_>> =
        drawings.iter().zip(&curves).map(|(drawing, curves)| drawing.chart(curves)).collect();
    Multiples { title, columns: COLUMNS, charts: &charts }.draw(format)
}

/// Picture of an entry.
struct Drawing {
    name: &'static str,
    title: &'static str,
    /// Names of the axes; of states that share an axis, all.
    x: String,
    y: String,
    log_time: bool,
    layers: Vec<Layer>,
}

/// Curve that owns its points.
struct Layer {
    name: String,
    x: Vec<f64>,
    y: Vec<f64>,
    mark: Mark,
    color: usize,
}

impl Drawing {
    fn of(entry: &'static Entry, effort: Effort) -> Outcome<Self> {
        let drawn = match entry.equation()?.noises().is_empty() {
            true => Self::of_solution(entry, effort),
            false => Self::of_ensemble(entry, effort),
        };
        drawn.map_err(|error| format!("{}: {error}", entry.name).into())
    }

    fn new(entry: &Entry, x: &str, y: &str, layers: Vec<Layer>) -> Self {
        let log_time = x == "t" && entry.grading >= 5.0;
        let (name, title) = (entry.name, entry.title);
        Self { name, title, x: x.to_owned(), y: y.to_owned(), log_time, layers }
    }

    /// Solution of an equation without noise.
    fn of_solution(entry: &Entry, effort: Effort) -> Outcome<Self> {
        let (equation, n) = first_steps(entry, effort)?;
        let (times, columns) = solution(entry, (&equation, n))?;
        let names: Vec<&str> = equation.states().iter().map(|state| state.name()).collect();
        let column = |name: &str| {
            let state = equation.state_index(name).ok_or("no such state in the equation")?;
            Ok::<_, Box<dyn std::error::Error>>(columns[state].clone())
        };
        if let Some((_, x, y)) = PORTRAITS.iter().find(|(name, ..)| *name == entry.name) {
            let portrait = Layer::line("", column(x)?, column(y)?, 0);
            return Ok(Self::new(entry, x, y, vec![portrait]));
        }
        let largest: Vec<f64> = columns.iter().map(|column| pictures::largest(column)).collect();
        let (low, high) = largest
            .iter()
            .fold((f64::INFINITY, 0.0_f64), |(low, high), size| (low.min(*size), high.max(*size)));
        let scaled = low > 0.0 && high > COMPARABLE * low;
        let layers = columns.iter().zip(&largest).zip(&names).enumerate();
        let layers = layers.map(|(k, ((column, largest), name))| {
            let unit = if scaled { *largest } else { 1.0 };
            let column = column.iter().map(|value| value / unit).collect();
            Layer::line(name, times.clone(), column, k)
        });
        let all = names.join(", ");
        let y = if scaled { format!("{all} / largest") } else { all };
        Ok(Self::new(entry, "t", &y, layers.collect()))
    }

    /// Quantiles and paths of an equation with noise, or a path in the plane of two states.
    fn of_ensemble(entry: &Entry, effort: Effort) -> Outcome<Self> {
        let (equation, steps) = first_steps(entry, effort)?;
        let model = EquationModel::new(&equation)?;
        let every = steps.div_ceil(if is_portrait(entry) { 10_000 } else { 250 }).max(1);
        let paths = if is_portrait(entry) { 1 } else { effort.paths };
        let ensemble = Ensemble::new(paths, steps)?.saving_every(every)?;
        // Indexed by path, time and observable.
        let all = model.simulate::<f64, _>(&ensemble, 1, &Paths)?;
        let names = model.observables();
        let series = |path: usize, name: &str| -> Outcome<Vec<f64>> {
            let k = names.iter().position(|known| known == name).ok_or("no such observable")?;
            Ok((0..all.dim().1).map(|time| all[[path, time, k]]).collect())
        };
        if let Some((_, x, y)) = PORTRAITS.iter().find(|(name, ..)| *name == entry.name) {
            let portrait = Layer::line("", series(0, x)?, series(0, y)?, 0);
            return Ok(Self::new(entry, x, y, vec![portrait]));
        }
        // A price, for equations of its logarithm; else the first state.
        let name = names.iter().find(|name| *name == "S").unwrap_or(&names[0]).clone();
        let paths = (0..paths).map(|path| series(path, &name)).collect::<Outcome<Vec<_>>>()?;
        let (t0, t1) = model.interval();
        let count = paths[0].len();
        let times: Vec<f64> = (0..count)
            .map(|k| t0 + (t1 - t0) * ((k * every) as f64 / steps as f64).min(1.0))
            .collect();
        let mut layers = Vec::new();
        for (low, high) in [(0.05, 0.95), (0.25, 0.75)] {
            let [low, high] = [low, high].map(|level| quantile(&paths, level));
            let (x, y) = band(&times, &low, &high);
            layers.push(Layer { mark: Mark::Band, ..Layer::line("", x, y, 0) });
        }
        for path in paths.iter().take(3) {
            layers.push(Layer::line("", times.clone(), path.clone(), 0));
        }
        Ok(Self::new(entry, "t", &name, layers))
    }

    fn curves(&self) -> Vec<Curve<'_>> {
        let layers = self.layers.iter();
        layers
            .map(|layer| {
                let curve = Curve::line(&layer.name, &layer.x, &layer.y, layer.color);
                curve.marked(layer.mark)
            })
            .collect()
    }

    fn chart<'a>(&'a self, curves: &'a [Curve<'a>]) -> Chart<'a> {
        let x = if self.log_time { Axis::log(&self.x) } else { Axis::linear(&self.x) };
        Chart { title: self.name, x, y: Axis::linear(&self.y), curves, equal: false }
    }

    fn sheet(&self, format: Format) -> Result<Vec<u8>, hpfracc_plot::PlotError> {
        let curves = self.curves();
        let chart = Chart { title: "", ..self.chart(&curves) };
        Sheet { title: self.title, columns: &[&[chart]] }.draw(format)
    }
}

impl Layer {
    fn line(name: &str, x: Vec<f64>, y: Vec<f64>, color: usize) -> Self {
        Self { name: name.to_owned(), x, y, mark: Mark::Line, color }
    }
}

fn is_portrait(entry: &Entry) -> bool {
    PORTRAITS.iter().any(|(name, ..)| *name == entry.name)
}

/// Equation of an entry and its number of steps: the whole interval, or its first steps.
fn first_steps(entry: &Entry, effort: Effort) -> Outcome<(Equation, usize)> {
    let (equation, n) = (entry.equation()?, entry.steps.min(effort.steps));
    let ends = equation.values(&equation.interval().ok_or("no interval")?);
    let part = (n as f64 / entry.steps as f64).powf(entry.grading);
    let end = ends[0] + part * (ends[1] - ends[0]);
    Ok((equation.with_interval((ends[0], end)), n))
}

/// Times and states of a solution, by the scheme of the entry.
fn solution(
    entry: &Entry,
    (equation, n): (&Equation, usize),
) -> Outcome<(Vec<f64>, Vec<Vec<f64>>)> {
    let fixed = match entry.grading {
        1.0 => Steps::Uniform(n),
        exponent => Steps::Graded { n, exponent },
    };
    let problem = EquationProblem::new(equation)?;
    let solve = |scheme: &dyn Scheme, steps| problem.solve(scheme, steps, Options::default());
    let solution = match entry.scheme {
        "pece" => solve(&AdamsBashforthMoulton::default(), &fixed),
        "trapezoid" => solve(&ProductTrapezoid, &fixed),
        "l1" => solve(&L1, &fixed),
        "collocation" => solve(&Collocation::default(), &Steps::adaptive(1e-8, 1e-10)),
        other => {
            return Err(format!("the scheme {other} is not among those of this program").into());
        }
    }?;
    if entry.scheme != "collocation" {
        let every = solution.times().len().div_ceil(POINTS);
        let thin = |values: Vec<f64>| values.into_iter().step_by(every).collect();
        let columns = solution.states().columns().into_iter().map(|c| thin(c.to_vec())).collect();
        return Ok((thin(solution.times().to_vec()), columns));
    }
    let (t0, t1) = problem.interval();
    let end = solution.times().last().copied().unwrap_or(t1);
    let at = |j: usize| t0 + (end - t0) * (j as f64 / n as f64).powf(entry.grading);
    let times: Vec<f64> = (0..=n).map(|j| if j == n { end } else { at(j) }).collect();
    let states = times.iter().map(|t| solution.at(*t)).collect::<Result<Vec<_>, _>>()?;
    let dim = equation.states().len();
    let columns = (0..dim).map(|k| states.iter().map(|state| state[k]).collect()).collect();
    Ok((times, columns))
}

/// Quantile of the paths at each time.
fn quantile(paths: &[Vec<f64>], level: f64) -> Vec<f64> {
    let place = ((paths.len() - 1) as f64 * level).round() as usize;
    (0..paths[0].len())
        .map(|time| {
            let mut values: Vec<f64> = paths.iter().map(|path| path[time]).collect();
            values.sort_by(f64::total_cmp);
            values[place]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every entry parses, solves and is drawn; the first steps only, to be fast.
    #[test]
    fn every_entry_is_drawn() {
        let effort = Effort { steps: 300, paths: 12 };
        let drawings: Vec<Drawing> =
            ENTRIES.iter().map(|entry| Drawing::of(entry, effort).unwrap()).collect();
        for drawing in &drawings {
            for layer in &drawing.layers {
                let finite = layer.y.iter().filter(|y| y.is_finite()).count();
                assert!(finite == layer.y.len() && finite > 100, "{}: {finite}", drawing.name);
            }
            let svg = String::from_utf8(drawing.sheet(Format::Svg).unwrap()).unwrap();
            assert!(svg.contains("<polyline"), "{}", drawing.name);
        }
        for drawings in drawings.chunks(SHEET) {
            let svg = String::from_utf8(small("", drawings, Format::Svg).unwrap()).unwrap();
            for drawing in drawings {
                assert!(svg.contains(&format!("aria-label=\"{}\"", drawing.name)));
            }
        }
        assert!(PORTRAITS.iter().all(|(name, ..)| drawings.iter().any(|d| d.name == *name)));
    }

    /// The gallery has a line for each entry, with its title and source, in the order of the pictures.
    #[test]
    fn the_gallery_names_every_entry() {
        let page = include_str!("../docs/gallery.md");
        let line =
            |entry: &Entry| format!("- `{}`: {}. {}.\n", entry.name, entry.title, entry.source);
        let lines: String = ENTRIES.iter().map(line).collect();
        assert!(page.contains(&lines), "docs/gallery.md should have\n{lines}");
        for sheet in 1..=ENTRIES.len().div_ceil(SHEET) {
            assert!(page.contains(&format!("images/catalogue_{sheet}.")), "{sheet}");
        }
    }
}
