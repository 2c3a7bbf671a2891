//! Half-derivatives of two time series, and equations: `cargo run --release --example quickstart`.
//!
//! Caputo's derivative of order 1/2 of the yearly sunspot numbers and of the weekly carbon dioxide
//! at Mauna Loa; two half-derivatives make one derivative. A relaxation with memory is compared
//! with its exact solution, and an ensemble of particles with its exact moments. An equation and
//! its order are learned from solutions. Tables and pictures are written to `target/quickstart/`.

mod ensemble;
mod learning;
mod relaxation;
mod time_series;

use ensemble::Diffusion;
use hpfracc::prelude::*;
use hpfracc_cli::output::to_csv;
use hpfracc_cli::{Series, TimeFormat};
use hpfracc_plot::Format;
use hpfracc_plot::write_file;
use learning::Learned;
use ndarray::aview1;
use pictures::Outcome;
use relaxation::Relaxation;
use std::f64::consts::TAU;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;
use time_series::{CO2, Curve, DAYS_PER_YEAR, SUNSPOTS, half_per_year, with_picture};

/// Column of a half-derivative in a table.
const HALF: &str = "caputo_l1_0.5";

fn main() -> Outcome<()> {
    let machine = Machine::detect();
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = home.parent().unwrap_or(home).join("target").join("quickstart");
    fs::create_dir_all(&folder)?;
    let mut report = Report { folder, files: Vec::new(), steps: Vec::new() };

    println!(
        "A derivative of order 1/2 lies halfway between a time series and its rate of change."
    );
    println!("It depends on the whole past: every value counts, older ones less.\n");

    let co2 = report.timed("read co2.csv", || CO2.read())?;
    about(&co2, "carbon dioxide at Mauna Loa in parts per million, weekly");
    let half = report.timed("half-derivative of the CO2", || half_per_year(&co2, &machine))?;
    let (input, result) = (yearly_cycle(&co2, &co2.values), yearly_cycle(&co2, &half));
    let lead = (result.phase - input.phase).rem_euclid(TAU) / TAU * DAYS_PER_YEAR;
    println!(
        "  The half-derivative of a yearly wave leads it by an eighth of a year and is sqrt(2 pi) times as high:"
    );
    println!("    theory    {:5.1} days early, height times 2.51", DAYS_PER_YEAR / 8.0);
    println!(
        "    measured  {lead:5.1} days early, height times {:.2} (last 20 years)\n",
        result.height / input.height
    );
    report.publish(CO2.stem, (&co2, CO2.title, CO2.unit), &[(HALF, CO2.half(&half))])?;

    let sunspots = report.timed("read sunspots.csv", || SUNSPOTS.read())?;
    about(&sunspots, "sunspot numbers, yearly");
    let half =
        report.timed("half-derivative of the sunspots", || half_per_year(&sunspots, &machine))?;
    let cycle = Maxima::of(&sunspots.values, &half);
    println!(
        "  No maximum is anticipated, because every value depends on the past alone: of {} maxima {} are in the",
        cycle.leads.len(),
        cycle.count(|lead| lead == 0)
    );
    println!(
        "  same year, {} earlier, {} later.\n",
        cycle.count(|lead| lead > 0),
        cycle.count(|lead| lead < 0)
    );
    let shown = (&sunspots, SUNSPOTS.title, SUNSPOTS.unit);
    report.publish(SUNSPOTS.stem, shown, &[(HALF, SUNSPOTS.half(&half))])?;

    println!(
        "Two half-derivatives make one derivative (Grünwald–Letnikov, zero before the start):"
    );
    let mut pair = (Vec::new(), Vec::new());
    for series in [&co2, &sunspots] {
        let step = format!("two half-derivatives of {}", series.name);
        pair = report.timed(&step, || twice_half(series, &machine))?;
        let classical = first_difference(series);
        let gap = Gap::between(&pair.1, &classical, series);
        println!(
            "  {}: changes of up to {:.1e}, one rounding error of a value is {:.1e};\n    \
             the two differ by {:.1e} at most.",
            series.name, gap.size, gap.rounding, gap.difference
        );
    }
    println!("  In theory the two are equal; in double precision, equal up to rounding.\n");
    let once = Curve {
        title: "half-derivative (Grünwald–Letnikov)",
        unit: "number / √year",
        values: &pair.0,
    };
    let twice = Curve {
        title: "half-derivative of the half-derivative: the first difference",
        unit: "number / year",
        values: &pair.1,
    };
    let title = "Two half-derivatives make one derivative";
    let results = [("half_derivative", once), ("half_derivative_twice", twice)];
    report.publish("two_halves", (&sunspots, title, SUNSPOTS.unit), &results)?;

    println!("An equation with memory, D^1/2 y = -y from y(0) = 1, up to t = 10:");
    let relaxation = report.timed("solve a relaxation by two schemes", Relaxation::new)?;
    println!(
        "  largest error: predictor-corrector {:.1e} in {} steps,\n    \
         collocation {:.1e} with {} unknowns. The exact solution is exp(t) erfc(sqrt t).\n",
        relaxation.error(&relaxation.pece),
        relaxation::STEPS,
        relaxation.error(&relaxation.collocation),
        relaxation.unknowns
    );
    relaxation.publish(&mut report)?;
    let step = format!("{} paths of {} steps", ensemble::PATHS, ensemble::STEPS);
    let diffusion = report.timed(&step, Diffusion::new)?;
    println!("A particle on a spring in a viscoelastic bath, D^0.6 x = -x/2 + noise, {step}:");
    println!("       t     mean    exact   variance    exact");
    for [t, mean, exact_mean, variance, exact] in &diffusion.rows {
        println!("  {t:6.1} {mean:8.4} {exact_mean:8.4} {variance:10.4} {exact:8.4}");
    }
    println!(
        "  At most {:.1} standard errors apart. The same seed gives the same bits, on any number of threads.\n",
        diffusion.standard_errors()
    );
    let step = format!("{} epochs of training", learning::EPOCHS);
    let learned = report.timed(&step, Learned::new)?;
    println!("An equation learned from its solutions, D^alpha y = network(y), {step}:");
    println!("   epoch    error");
    for epoch in [0, 9, 29, 99, learned.errors.len() - 1] {
        println!("  {:6} {:8.5}", epoch + 1, learned.errors[epoch]);
    }
    println!(
        "  The order, initially {}, has become {:.3}; that of the data is {}.\n",
        learned.orders[0],
        learned.orders[1],
        learning::ALPHA
    );
    report.print();
    Ok(())
}

/// The Grünwald-Letnikov half-derivative, applied once and twice.
fn twice_half(series: &Series, machine: &Machine) -> Outcome<(Vec<f64>, Vec<f64>)> {
    let half = GrunwaldLetnikov::new(Order::new(0.5)?).on(series.grid, machine)?;
    let once = half.apply(aview1(&series.values))?;
    let twice = half.apply(once.view())?;
    Ok((once.to_vec(), twice.to_vec()))
}

/// (f(t) - f(t - h)) / h with f = 0 before the first sample, as in the Grünwald-Letnikov sum.
fn first_difference(series: &Series) -> Vec<f64> {
    let before = std::iter::once(0.0).chain(series.values.iter().copied());
    let steps = series.values.iter().zip(before);
    steps.map(|(now, before)| (now - before) / series.grid.dt()).collect()
}

/// Shift of the maxima of a time series in its half-derivative.
struct Maxima {
    /// Number of samples by which each maximum is earlier than in the input.
    leads: Vec<i64>,
}

impl Maxima {
    /// A maximum is the greatest among the four samples before and after it.
    fn of(input: &[f64], result: &[f64]) -> Self {
        const NEAR: usize = 4;
        let near = |j: usize| j - NEAR..j + NEAR + 1;
        let at: Vec<usize> = (NEAR..input.len() - NEAR)
            .filter(|&j| input[near(j)].iter().all(|other| *other <= input[j]))
            .collect();
        let lead = |&j: &usize| {
            let greatest = near(j).max_by(|a, b| result[*a].total_cmp(&result[*b])).unwrap_or(j);
            j as i64 - greatest as i64
        };
        Self { leads: at.iter().map(lead).collect() }
    }

    fn count(&self, which: impl Fn(i64) -> bool) -> usize {
        self.leads.iter().filter(|lead| which(**lead)).count()
    }
}

/// Difference of two forms of one derivative, without the first sample: there both have the jump
/// from zero to the first value, which is not a change of the time series.
struct Gap {
    /// Largest change.
    size: f64,
    /// Derivative of one unit in the last place of the largest value.
    rounding: f64,
    /// Largest difference.
    difference: f64,
}

impl Gap {
    fn between(a: &[f64], b: &[f64], series: &Series) -> Self {
        let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
        Self {
            size: largest(&b[1..]),
            rounding: f64::EPSILON * largest(&series.values) / series.grid.dt(),
            difference: largest(&differences[1..]),
        }
    }
}

struct Cycle {
    height: f64,
    phase: f64,
}

/// The yearly wave in the last 20 years, after the mean of the year around each value is removed.
fn yearly_cycle(series: &Series, values: &[f64]) -> Cycle {
    let half_year = (0.5 / series.grid.dt()).round() as usize;
    let end = values.len() - half_year;
    let start = end - (20.0 / series.grid.dt()).round() as usize;
    let (mut cosine, mut sine) = (0.0, 0.0);
    for j in start..end {
        let around = &values[j - half_year..j + half_year];
        let seasonal = values[j] - around.iter().sum::<f64>() / around.len() as f64;
        let angle = TAU * series.grid.t(j);
        cosine += seasonal * angle.cos();
        sine += seasonal * angle.sin();
    }
    Cycle { height: cosine.hypot(sine), phase: (-sine).atan2(cosine) }
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |largest, v| v.abs().max(largest))
}

/// Time as printed: dates `YYYYMMDD` of the file as `YYYY-MM-DD`.
fn date(series: &Series, label: &str) -> String {
    match (series.time_format, label.get(..4), label.get(4..6), label.get(6..)) {
        (TimeFormat::CompactDate, Some(year), Some(month), Some(day)) => {
            format!("{year}-{month}-{day}")
        }
        _ => label.to_owned(),
    }
}

fn about(series: &Series, what: &str) {
    let last = &series.labels[series.labels.len() - 1];
    let (first, last) = (date(series, &series.labels[0]), date(series, last));
    println!("{what}: {} values from {first} to {last}", series.labels.len());
    if series.count_filled() > 0 {
        let longest = series.filled.iter().map(ExactSizeIterator::len).max().unwrap_or(0);
        println!(
            "  {} of them are missing, in {} gaps, the longest of {longest} weeks. They are interpolated\n  \
             linearly; the picture marks them.",
            series.count_filled(),
            series.filled.len()
        );
    }
}

/// Files written and times of the steps.
struct Report {
    folder: PathBuf,
    files: Vec<String>,
    steps: Vec<(String, f64)>,
}

impl Report {
    fn timed<T>(&mut self, step: &str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let outcome = work();
        self.steps.push((step.to_owned(), start.elapsed().as_secs_f64() * 1e3));
        outcome
    }

    /// Writes the table and the pictures of a series and its derivatives.
    fn publish(
        &mut self,
        stem: &str,
        shown: (&Series, &str, &str),
        results: &[(&str, Curve<'_>)],
    ) -> Outcome<()> {
        let columns: Vec<_> = results.iter().map(|(column, c)| (*column, c.values)).collect();
        self.write(&format!("{stem}.csv"), to_csv(shown.0, &columns)?)?;
        let curves: Vec<Curve<'_>> = results.iter().map(|(_, curve)| *curve).collect();
        with_picture(shown, &curves, |picture| {
            for (extension, format) in [("svg", Format::Svg), ("png", Format::Png)] {
                let name = format!("{stem}.{extension}");
                let bytes = self.timed(&format!("draw {name}"), || picture.draw(format))?;
                self.write(&name, bytes)?;
            }
            Ok(())
        })
    }

    fn write(&mut self, name: &str, bytes: Vec<u8>) -> Outcome<()> {
        write_file(&self.folder.join(name), bytes)?;
        self.files.push(name.to_owned());
        Ok(())
    }

    fn print(&self) {
        println!("Time of each step in milliseconds:");
        for (step, time) in &self.steps {
            println!("  {time:9.2}  {step}");
        }
        // Relative to the current directory, if it lies below.
        let here = std::env::current_dir().unwrap_or_default();
        let folder = self.folder.strip_prefix(&here).unwrap_or(&self.folder);
        println!("\nTables and pictures are in {}:", folder.display());
        for file in &self.files {
            println!("  {}", folder.join(file).display());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Printed statements on the sunspots.
    #[test]
    fn no_maximum_is_anticipated() {
        let sunspots = SUNSPOTS.read().unwrap();
        let half = half_per_year(&sunspots, &Machine::detect()).unwrap();
        let cycle = Maxima::of(&sunspots.values, &half);
        assert_eq!(cycle.leads.len(), 28);
        assert_eq!((cycle.count(|lead| lead == 0), cycle.count(|lead| lead < 0)), (17, 0));

        let wave: Vec<f64> = (0..2000).map(|j| (TAU * f64::from(j) / 80.0).sin()).collect();
        let early: Vec<f64> = (0..2000).map(|j| (TAU * f64::from(j + 2) / 80.0).sin()).collect();
        let waves = Maxima::of(&wave, &early);
        assert!(waves.leads.len() > 20 && waves.leads.iter().all(|lead| *lead == 2));
    }

    /// Printed statements on the carbon dioxide.
    #[test]
    fn the_yearly_wave_leads_as_in_theory() {
        let co2 = CO2.read().unwrap();
        let half = half_per_year(&co2, &Machine::detect()).unwrap();
        let (input, result) = (yearly_cycle(&co2, &co2.values), yearly_cycle(&co2, &half));
        let lead = (result.phase - input.phase).rem_euclid(TAU) / TAU * DAYS_PER_YEAR;
        assert!((lead - DAYS_PER_YEAR / 8.0).abs() < 1.0, "{lead}");
        assert!((result.height / input.height / TAU.sqrt() - 1.0).abs() < 0.03);
        assert_eq!(date(&co2, &co2.labels[0]), "1958-03-29");
        let sunspots = SUNSPOTS.read().unwrap();
        assert_eq!(date(&sunspots, &sunspots.labels[0]), "1700");
    }

    /// Printed statements on two half-derivatives.
    #[test]
    fn a_few_roundings_apart() {
        for series in [SUNSPOTS.read().unwrap(), CO2.read().unwrap()] {
            let (_, twice) = twice_half(&series, &Machine::detect()).unwrap();
            let classical = first_difference(&series);
            let gap = Gap::between(&twice, &classical, &series);
            assert!(gap.difference < 20.0 * gap.rounding);
            // The jump at the start is not a change of the time series.
            assert!(gap.size < 200.0, "{}", gap.size);
        }
    }
}
