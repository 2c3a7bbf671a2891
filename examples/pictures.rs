//! What the examples share: pictures under `target/gallery/`, and differences of solutions.

use hpfracc::ndarray::ArrayView2;
use hpfracc_cli::output::write_file;
use hpfracc_cli::plot::{Format, Sheet};
use std::error::Error;
use std::fs;
use std::path::Path;

/// What an example answers.
pub type Outcome<T> = Result<T, Box<dyn Error>>;

/// Draws a picture as SVG and as PNG and says where.
///
/// # Errors
/// Those of drawing and of writing.
pub fn publish(name: &str, sheet: &Sheet<'_>) -> Outcome<()> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = home.parent().unwrap_or(home).join("target").join("gallery");
    fs::create_dir_all(&folder)?;
    for (extension, format) in [("svg", Format::Svg), ("png", Format::Png)] {
        write_file(&folder.join(format!("{name}.{extension}")), sheet.draw(format)?)?;
    }
    println!("picture     target/gallery/{name}.svg and .png");
    Ok(())
}

/// A component of all states.
pub fn component(states: ArrayView2<'_, f64>, index: usize) -> Vec<f64> {
    states.column(index).to_vec()
}

/// One value of so many, for marks on a line.
pub fn every(step: usize, values: &[f64]) -> Vec<f64> {
    values.iter().copied().step_by(step.max(1)).collect()
}

/// The absolute differences of two series.
pub fn differences(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).collect()
}

/// The largest of them.
pub fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |largest, v| v.abs().max(largest))
}
