//! Fits of three measured records: `cargo run --release --example fit_records`.
//!
//! A sweep of frequencies by a rheometer, with a model that the data do not determine and one that they do; a ramp of strain that
//! is then held; the impedance of a cell.

use hpfracc::equation::Formula;
use hpfracc::fit::{CatalogueModel, Fit, FormulaModel, Found, Interval, Set, catalogue};
use hpfracc_plot::{Axis, Chart, Curve, Mark, Sheet, band};
use pictures::{Outcome, publish};

const SWEEP: &str = include_str!("data/rheology_sweep.csv");
const RAMP: &str = include_str!("data/rheology_ramp.csv");
const IMPEDANCE: &str = include_str!("data/impedance.csv");

/// Points of a drawn model.
const POINTS: usize = 300;
const LEVEL: f64 = 0.95;

pub(crate) fn main() -> Outcome<()> {
    sweep()?;
    ramp()?;
    impedance()
}

/// Columns of a CSV text.
fn columns(text: &str) -> Outcome<Vec<Vec<f64>>> {
    let mut columns: Vec<Vec<f64>> = vec![];
    for line in text.lines().skip(1) {
        let numbers: Vec<f64> = line.split(',').map(str::parse).collect::<Result<_, _>>()?;
        columns.resize_with(numbers.len(), Vec::new);
        columns.iter_mut().zip(numbers).for_each(|(column, number)| column.push(number));
    }
    Ok(columns)
}

/// Fit of complex data whose errors are proportional to the given sizes.
fn fitted<'a>(
    model: &'a CatalogueModel,
    x: &'a [f64],
    parts: [&'a Vec<f64>; 2],
    weights: [&'a Vec<f64>; 2],
) -> Outcome<Found<'a>> {
    let mut set = Set::new(&model.entry().name, model).input(x);
    for (part, weight) in parts.into_iter().zip(weights) {
        set = set.response(part).weight(weight);
    }
    let found = Fit::new(set)?.run()?;
    println!("{}\n{found}", model.entry().formula());
    Ok(found)
}

/// The model and its band between the ends of the data, at equal ratios.
fn curves(found: &Found<'_>, (low, high): (f64, f64)) -> Outcome<(Vec<f64>, Vec<Vec<Interval>>)> {
    let at = |k: usize| low * (high / low).powf(k as f64 / (POINTS - 1) as f64);
    let x: Vec<f64> = (0..POINTS).map(at).collect();
    let band = found.band(0, &[&x], LEVEL)?;
    Ok((x, band))
}

/// Storage and loss modulus: the fractional Zener model has one parameter more than the data determine.
fn sweep() -> Outcome<()> {
    let all = columns(SWEEP)?;
    let [omega, storage, loss] = &all[..] else { return Err("three columns".into()) };
    let weights = [storage, loss].map(|y| y.iter().map(|y| y.powi(-2)).collect::<Vec<f64>>());
    let mut drawn = vec![];
    for name in ["fractional-zener-modulus", "parallel-springpots-modulus"] {
        let model = catalogue::find(name)?;
        let found = fitted(&model, omega, [storage, loss], [&weights[0], &weights[1]])?;
        let aicc = found.criteria().map_or(f64::NAN, |criteria| criteria.aicc);
        println!("AICc {aicc:.1}, weak directions: {}\n", found.weak_directions().len());
        let (x, bands) = curves(&found, (omega[0], omega[omega.len() - 1]))?;
        drawn.push((format!("{name}, AICc {aicc:.1}"), x, bands));
    }
    let layers: Vec<Vec<Layer>> =
        drawn.iter().map(|(_, x, bands)| layers((omega, [storage, loss]), x, bands)).collect();
    let curves: Vec<Vec<Curve<'_>>> =
        layers.iter().map(|layers| layers.iter().map(Layer::curve).collect()).collect();
    let charts: Vec<[Chart<'_>; 1]> = drawn
        .iter()
        .zip(&curves)
        .map(|((title, ..), curves)| {
            let (x, y) = (Axis::log("angular frequency [rad/s]"), Axis::log("modulus"));
            [Chart { title, x, y, curves, equal: false }]
        })
        .collect();
    let columns: Vec<&[Chart<'_>]> = charts.iter().map(|chart| &chart[..]).collect();
    publish(
        "rheology_sweep",
        &Sheet { title: "Which model do the data determine?", columns: &columns },
    )
}

/// Curve that owns its points.
struct Layer {
    name: &'static str,
    color: usize,
    mark: Mark,
    x: Vec<f64>,
    y: Vec<f64>,
}

impl Layer {
    fn curve(&self) -> Curve<'_> {
        Curve::line(self.name, &self.x, &self.y, self.color).marked(self.mark)
    }
}

/// Bands, models and data of both moduli.
fn layers(
    (omega, moduli): (&[f64], [&Vec<f64>; 2]),
    x: &[f64],
    bands: &[Vec<Interval>],
) -> Vec<Layer> {
    let mut layers = vec![];
    for (color, part) in bands.iter().enumerate() {
        let of = |value: fn(&Interval) -> f64| part.iter().map(value).collect::<Vec<f64>>();
        // A logarithmic axis has no place for numbers below 0.
        let low = of(|at| at.confidence.0.max(0.1 * at.value));
        let (around, outline) = band(x, &low, &of(|at| at.confidence.1));
        layers.push(Layer { name: "", color, mark: Mark::Band, x: around, y: outline });
        let y = of(|at| at.value);
        layers.push(Layer { name: "", color, mark: Mark::Line, x: x.to_vec(), y });
    }
    for (color, (name, y)) in ["storage", "loss"].into_iter().zip(moduli).enumerate() {
        let (x, y) = (omega.to_vec(), y.clone());
        layers.push(Layer { name, color, mark: Mark::Dots, x, y });
    }
    layers
}

/// Stress of a fractional Maxwell model whose strain grows at rate 1 from t0 on and is held from t = 3 on: with the
/// integral K of the relaxation modulus, K(t - t0) - K(t - 3).
const STRESS: &str = "stress = E (u E(alpha, 2, -(u/tau)^alpha) - v E(alpha, 2, -(v/tau)^alpha)); \
    u = max(t - t0, 0); v = max(t - 3, 0); \
    E = 1.5; tau = 1 in (0, inf); alpha = 0.9 in (0, 1]; t0 = 1 in (0.5, 1.5)";

fn ramp() -> Outcome<()> {
    let all = columns(RAMP)?;
    let [t, _, stress] = &all[..] else { return Err("three columns".into()) };
    let model = FormulaModel::new(&[Formula::parse(STRESS, &["t", "stress"])?])?;
    let found = Fit::new(Set::new("ramp", &model).input(t).response(stress))?.run()?;
    println!("{found}");
    let profile = found.profile("alpha", LEVEL)?;
    println!("profile of alpha: {:?}\n", profile.interval);
    let values = found.evaluate(0, &[t])?.swap_remove(0);
    let residuals: Vec<f64> = stress.iter().zip(&values).map(|(y, model)| y - model).collect();
    let above = [
        Curve::line("stress", t, stress, 0).marked(Mark::Dots),
        Curve::line("fractional Maxwell model", t, &values, 1),
    ];
    let below = [Curve::line("", t, &residuals, 0).marked(Mark::Dots)];
    let charts = Chart::stacked(
        Axis::linear("time [s]"),
        [("", Axis::linear("stress"), &above[..]), ("", Axis::linear("residual"), &below)],
    );
    publish(
        "rheology_ramp",
        &Sheet { title: "A ramp of strain that is then held", columns: &[&charts] },
    )
}

/// Two arcs with constant phase elements, diffusion, and the inductance of the leads.
fn impedance() -> Outcome<()> {
    let all = columns(IMPEDANCE)?;
    let [f, real, imaginary] = &all[..] else { return Err("three columns".into()) };
    let model = catalogue::circuit("L0-R0-p(R1,CPE1)-p(R2-Wo1,CPE2)")?.in_hertz()?;
    let weight = real.iter().zip(imaginary).map(|(re, im)| 1.0 / (re * re + im * im));
    let weight: Vec<f64> = weight.collect();
    let found = fitted(&model, f, [real, imaginary], [&weight, &weight])?;
    let (x, bands) = curves(&found, (f[0], f[f.len() - 1]))?;
    let of = |part: &[Interval], sign: f64| part.iter().map(|at| sign * at.value).collect();
    let (re, im): (Vec<f64>, Vec<f64>) = (of(&bands[0], 1.0), of(&bands[1], -1.0));
    let negative: Vec<f64> = imaginary.iter().map(|y| -y).collect();
    let plane = [
        Curve::line("measured", real, &negative, 0).marked(Mark::Dots),
        Curve::line("fitted", &re, &im, 1),
    ];
    let spectra = [
        Curve::line("Re Z", f, real, 0).marked(Mark::Dots),
        Curve::line("", &x, &re, 0),
        Curve::line("-Im Z", f, &negative, 1).marked(Mark::Dots),
        Curve::line("", &x, &im, 1),
    ];
    let charts = [
        Chart {
            title: "",
            x: Axis::linear("Re Z [Ohm]"),
            y: Axis::linear("-Im Z [Ohm]"),
            curves: &plane,
            equal: true,
        },
        Chart {
            title: "",
            x: Axis::log("frequency [Hz]"),
            y: Axis::linear("impedance [Ohm]"),
            curves: &spectra,
            equal: false,
        },
    ];
    publish(
        "impedance",
        &Sheet { title: &format!("Circuit {}", model.entry().name), columns: &[&charts] },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_determine_two_springpots_and_no_zener_model() {
        let all = columns(SWEEP).unwrap();
        let weights: Vec<Vec<f64>> =
            all[1..].iter().map(|y| y.iter().map(|y| y.powi(-2)).collect()).collect();
        let of = |name: &str| {
            let model = catalogue::find(name).unwrap();
            let found = fitted(&model, &all[0], [&all[1], &all[2]], [&weights[0], &weights[1]]);
            let found = found.unwrap();
            let alpha = |name: &str| {
                let estimate = found.estimate(name)?;
                Some((estimate.value, estimate.standard_error?))
            };
            let criteria = found.criteria().unwrap();
            (found.weak_directions().len(), criteria.aicc, alpha("alpha"), alpha("beta"))
        };
        let (weak, aicc, ..) = of("fractional-zener-modulus");
        let (none, better, Some((alpha, of_alpha)), Some((beta, of_beta))) =
            of("parallel-springpots-modulus")
        else {
            panic!("orders without errors")
        };
        assert!(weak > 0 && none == 0 && better < aicc - 15.0, "{weak} {none} {better} {aicc}");
        // Orders 0.78(11) and 0.101(13).
        let (large, small) = if alpha > beta { (alpha, beta) } else { (beta, alpha) };
        let (of_large, of_small) = (of_alpha.max(of_beta), of_alpha.min(of_beta));
        assert!(
            (large - 0.78).abs() < 0.005 && (of_large - 0.11).abs() < 0.005,
            "{large} {of_large}"
        );
        assert!(
            (small - 0.101).abs() < 5e-4 && (of_small - 0.013).abs() < 5e-4,
            "{small} {of_small}"
        );
    }

    #[test]
    fn the_program_runs() {
        main().unwrap();
    }
}
