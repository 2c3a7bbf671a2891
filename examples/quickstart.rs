//! Half-derivatives of two real records: `cargo run --release --example quickstart`.
//!
//! The yearly sunspot numbers and the weekly carbon dioxide at Mauna Loa go through Caputo's
//! derivative of order 1/2; two half-derivatives are shown to make one derivative. Tables and
//! pictures are written under `target/quickstart/`.

use hpfracc::prelude::*;
use hpfracc_cli::output::{to_csv, write_file};
use hpfracc_cli::plot::{Format, Panel, Picture};
use hpfracc_cli::{Choice, Missing, Record, Series};
use ndarray::aview1;
use std::error::Error;
use std::f64::consts::TAU;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

type Outcome<T> = Result<T, Box<dyn Error>>;

const DAYS_PER_YEAR: f64 = 365.25;

fn main() -> Outcome<()> {
    let machine = Machine::detect();
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = home.parent().unwrap_or(home).join("target").join("quickstart");
    fs::create_dir_all(&folder)?;
    let mut report = Report { folder, files: Vec::new(), steps: Vec::new() };

    println!("A derivative of order 1/2 stands halfway between a record and its rate of change.");
    println!("It remembers the whole past: every value counts, older ones less.\n");

    let sunspots = report
        .timed("read sunspots.csv", || read(&home.join("data/sunspots.csv"), &Choice::default()))?;
    about(&sunspots, "sunspot numbers, yearly");
    let half =
        report.timed("half-derivative of the sunspots", || half_per_year(&sunspots, &machine))?;
    let (top, steepest) = (greatest(&sunspots.values), greatest(&half));
    println!(
        "  The record is highest in {}, its half-derivative in {}: it sees the rise coming.\n",
        sunspots.labels[top], sunspots.labels[steepest]
    );
    let title = "Sunspot numbers and their half-derivative";
    let curve = half_derivative(&half, "sunspot number / √year");
    report.publish("sunspots", &sunspots, title, "sunspot number", &[curve])?;

    // Weeks, measured in years.
    let choice = Choice {
        missing: Missing::Interpolate,
        dt: Some(7.0 / DAYS_PER_YEAR),
        ..Choice::default()
    };
    let co2 = report.timed("read co2.csv", || read(&home.join("data/co2.csv"), &choice))?;
    about(&co2, "carbon dioxide at Mauna Loa in parts per million, weekly");
    let half = report.timed("half-derivative of the CO2", || half_per_year(&co2, &machine))?;
    let (record, result) = (yearly_cycle(&co2, &co2.values), yearly_cycle(&co2, &half));
    let lead = (result.phase - record.phase).rem_euclid(TAU) / TAU * DAYS_PER_YEAR;
    println!("  A steady rise c t becomes 2 c sqrt(t/pi): the trend is still there, but bent.");
    println!(
        "    mean of the half-derivative: {:.1} ppm/sqrt(year) in the 1960s, {:.1} in the 1990s",
        mean_of_dates("196", &co2, &half),
        mean_of_dates("199", &co2, &half)
    );
    println!("  A yearly wave comes out an eighth of a year early and sqrt(2 pi) times as high.");
    println!("    theory    {:5.1} days early, height times 2.51", DAYS_PER_YEAR / 8.0);
    println!(
        "    measured  {lead:5.1} days early, height times {:.2} (last 20 years)",
        result.height / record.height
    );
    println!("  Quicker changes are raised more, so scatter from week to week shows most.\n");
    let title = "CO₂ at Mauna Loa and its half-derivative";
    report.publish("co2", &co2, title, "ppm", &[half_derivative(&half, "ppm / √year")])?;

    println!(
        "Two half-derivatives make one derivative (Grünwald–Letnikov, zero before the start):"
    );
    let mut pair = (Vec::new(), Vec::new());
    for series in [&co2, &sunspots] {
        let step = format!("two half-derivatives of {}", series.name);
        pair = report.timed(&step, || twice_half(series, &machine))?;
        let classical = first_difference(series);
        let differences = pair.1.iter().zip(&classical).map(|(a, b)| (a - b).abs());
        let (difference, size) = (differences.fold(0.0, f64::max), largest(&classical));
        println!(
            "  {}: the two differ by {difference:.1e} at most, of {size:.1e}: {:.1e} of it.",
            series.name,
            difference / size
        );
    }
    println!("  That is the rounding of double precision and nothing else.\n");
    let once = Curve {
        column: "half_derivative",
        title: "half-derivative (Grünwald–Letnikov)",
        unit: "number / √year",
        values: &pair.0,
    };
    let twice = Curve {
        column: "half_derivative_twice",
        title: "half-derivative of the half-derivative: the first difference",
        unit: "number / year",
        values: &pair.1,
    };
    let title = "Two half-derivatives make one derivative";
    report.publish("two_halves", &sunspots, title, "sunspot number", &[once, twice])?;
    report.print();
    Ok(())
}

fn read(path: &Path, choice: &Choice) -> Outcome<Series> {
    Ok(Series::new(&Record::open(path)?, choice)?)
}

/// Caputo's half-derivative: only changes since the first sample count, not its level.
fn half_per_year(series: &Series, machine: &Machine) -> Outcome<Vec<f64>> {
    let half = Caputo::l1(Order::new(0.5)?)?.on(series.grid, machine)?;
    Ok(half.apply(aview1(&series.values))?.to_vec())
}

/// The half-derivative of Grünwald and Letnikov, applied once and again.
fn twice_half(series: &Series, machine: &Machine) -> Outcome<(Vec<f64>, Vec<f64>)> {
    let half = GrunwaldLetnikov::new(Order::new(0.5)?).on(series.grid, machine)?;
    let once = half.apply(aview1(&series.values))?;
    let twice = half.apply(once.view())?;
    Ok((once.to_vec(), twice.to_vec()))
}

/// (f(t) - f(t - h)) / h with f = 0 before the record, as Grünwald and Letnikov have it.
fn first_difference(series: &Series) -> Vec<f64> {
    let before = std::iter::once(0.0).chain(series.values.iter().copied());
    let steps = series.values.iter().zip(before);
    steps.map(|(now, before)| (now - before) / series.grid.dt()).collect()
}

fn mean_of_dates(prefix: &str, series: &Series, values: &[f64]) -> f64 {
    let dated = series.labels.iter().zip(values);
    let chosen: Vec<f64> =
        dated.filter(|(label, _)| label.starts_with(prefix)).map(|(_, v)| *v).collect();
    chosen.iter().sum::<f64>() / chosen.len() as f64
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

fn half_derivative<'a>(values: &'a [f64], unit: &'a str) -> Curve<'a> {
    Curve {
        column: "caputo_l1_0.5",
        title: "its half-derivative (Caputo, scheme L1)",
        unit,
        values,
    }
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |largest, v| v.abs().max(largest))
}

fn greatest(values: &[f64]) -> usize {
    (0..values.len()).max_by(|a, b| values[*a].total_cmp(&values[*b])).unwrap_or(0)
}

fn about(series: &Series, what: &str) {
    let (first, last) = (&series.labels[0], &series.labels[series.labels.len() - 1]);
    println!("{what}: {} values from {first} to {last}", series.labels.len());
    if series.count_filled() > 0 {
        let longest = series.filled.iter().map(ExactSizeIterator::len).max().unwrap_or(0);
        println!(
            "  {} of them are missing, in {} gaps, the longest of {longest} weeks. They are filled with\n  \
             straight lines between their neighbours; the picture shows where.",
            series.count_filled(),
            series.filled.len()
        );
    }
}

/// What was written and how long everything took.
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

    /// Writes the table and the pictures of a series and what was made of it.
    fn publish(
        &mut self,
        stem: &str,
        series: &Series,
        title: &str,
        unit: &str,
        results: &[Curve<'_>],
    ) -> Outcome<()> {
        let columns: Vec<_> = results.iter().map(|c| (c.column, c.values)).collect();
        self.write(&format!("{stem}.csv"), to_csv(series, &columns)?)?;
        let record = Panel {
            title: &format!("the record: {}", series.name),
            label: unit,
            values: &series.values,
            filled: &series.filled,
        };
        let mut panels = vec![record];
        panels.extend(results.iter().map(|c| Panel {
            title: c.title,
            label: c.unit,
            values: c.values,
            filled: &[],
        }));
        let (clock, times) = (series.clock, &series.times[..]);
        let picture = Picture { title, time_label: "year", clock, times, panels: &panels };
        for (extension, format) in [("svg", Format::Svg), ("png", Format::Png)] {
            let name = format!("{stem}.{extension}");
            let bytes = self.timed(&format!("draw {name}"), || picture.draw(format))?;
            self.write(&name, bytes)?;
        }
        Ok(())
    }

    fn write(&mut self, name: &str, bytes: Vec<u8>) -> Outcome<()> {
        write_file(&self.folder.join(name), bytes)?;
        self.files.push(name.to_owned());
        Ok(())
    }

    fn print(&self) {
        println!("How long each step took, in milliseconds:");
        for (step, time) in &self.steps {
            println!("  {time:9.2}  {step}");
        }
        // Relative to where the command was given, if it lies below.
        let here = std::env::current_dir().unwrap_or_default();
        let folder = self.folder.strip_prefix(&here).unwrap_or(&self.folder);
        println!("\nTables and pictures are in {}:", folder.display());
        for file in &self.files {
            println!("  {}", folder.join(file).display());
        }
    }
}

/// A result in a table and in a picture.
struct Curve<'a> {
    column: &'a str,
    title: &'a str,
    unit: &'a str,
    values: &'a [f64],
}
