//! Shared by the examples: pictures in `target/gallery/`, and differences of solutions.

use hpfracc::equation::catalogue;
use hpfracc::ndarray::ArrayView2;
use hpfracc::ode::EquationSolution;
use hpfracc::prelude::{Equation, EquationProblem, Options, Scheme, Steps};
use hpfracc_plot::write_file;
use hpfracc_plot::{Format, Picture, PlotError, Sheet};
use std::fs;
use std::path::{Path, PathBuf};

/// Result of an example.
pub type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// Defines a test that runs the program.
#[macro_export]
macro_rules! runs_with_the_tests {
    () => {
        #[cfg(test)]
        #[test]
        fn the_program_runs() {
            main().unwrap();
        }
    };
}

/// Draws charts as SVG and as PNG and prints the files.
///
/// # Errors
/// Drawing errors and I/O errors.
pub fn publish(name: &str, sheet: &Sheet<'_>) -> Outcome<()> {
    publish_as(name, |format| sheet.draw(format))
}

/// Draws panels of a time series as SVG and as PNG and prints the files.
///
/// # Errors
/// Drawing errors and I/O errors.
pub fn publish_series(name: &str, picture: &Picture<'_>) -> Outcome<()> {
    publish_as(name, |format| picture.draw(format))
}

/// Draws a picture as SVG and as PNG and prints the files.
///
/// # Errors
/// Drawing errors and I/O errors.
pub fn publish_as(name: &str, draw: impl Fn(Format) -> Result<Vec<u8>, PlotError>) -> Outcome<()> {
    for (extension, format) in [("svg", Format::Svg), ("png", Format::Png)] {
        write(&format!("{name}.{extension}"), draw(format)?)?;
    }
    println!("picture     target/gallery/{name}.svg and .png");
    Ok(())
}

/// Writes the losses of trainings as a table next to the picture, every `every` epochs and the
/// last, and prints the file.
///
/// # Errors
/// I/O errors.
pub fn publish_curves(name: &str, every: usize, curves: &[(&str, &[f64])]) -> Outcome<()> {
    let epochs = curves.iter().map(|(_, losses)| losses.len()).max().unwrap_or(0);
    let mut table = String::from("epoch");
    for (title, _) in curves {
        table.push(',');
        table.push_str(title);
    }
    let selected = |epoch: &usize| (epoch - 1).is_multiple_of(every) || *epoch == epochs;
    for epoch in (1..=epochs).filter(selected) {
        table.push_str(&format!("\n{epoch}"));
        for (_, losses) in curves {
            let loss = losses.get(epoch - 1).map_or(String::new(), |loss| format!("{loss:.6e}"));
            table.push_str(&format!(",{loss}"));
        }
    }
    table.push('\n');
    write(&format!("{name}.csv"), table.into_bytes())?;
    println!("losses      target/gallery/{name}.csv");
    Ok(())
}

/// Folder of the pictures and tables of the examples.
pub fn folder() -> PathBuf {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    home.parent().unwrap_or(home).join("target").join("gallery")
}

fn write(file: &str, bytes: Vec<u8>) -> Outcome<()> {
    fs::create_dir_all(folder())?;
    Ok(write_file(&folder().join(file), bytes)?)
}

/// Equation of the catalogue.
///
/// # Errors
/// If there is none of this name.
pub fn equation(name: &str) -> Outcome<Equation> {
    let entry = catalogue::named(name).ok_or("no such equation in the catalogue")?;
    Ok(entry.equation()?)
}

/// Solution of an equation.
///
/// # Errors
/// Those of the problem and of the solve.
pub fn solved(
    equation: &Equation,
    scheme: &dyn Scheme,
    steps: &Steps,
) -> Outcome<EquationSolution> {
    Ok(EquationProblem::new(equation)?.solve(scheme, steps, Options::default())?)
}

/// One component of all states.
pub fn component(states: ArrayView2<'_, f64>, index: usize) -> Vec<f64> {
    states.column(index).to_vec()
}

/// Every `step`-th value, for marks on a line.
pub fn every(step: usize, values: &[f64]) -> Vec<f64> {
    values.iter().copied().step_by(step.max(1)).collect()
}

/// Absolute differences of two series.
pub fn differences(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).collect()
}

/// Largest absolute value.
pub fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |largest, v| v.abs().max(largest))
}
