//! `hpfracc hurst --tracks`: diffusion of particles.

use super::args::HurstArgs;
use super::report::Estimated;
use crate::input::CsvTable;
use crate::output::{Progress, diagnostic, json, write_stdout};
use crate::{Error, LongMemoryError};
use hpfracc::series::fit_tracks;
use serde::Serialize;

/// JSON document of `--json`. Stable format: fields are added, never renamed.
#[derive(Serialize)]
struct Document<'a> {
    /// Version of the command.
    version: &'static str,
    file: &'a str,
    tracks: usize,
    dimensions: usize,
    /// Steps of all tracks.
    observations: usize,
    estimate: Estimated,
}

pub(super) fn run(args: &HurstArgs, particle: &str) -> Result<(), Error> {
    let progress = Progress::start(args.quiet);
    progress.step("reading");
    let input = args.series.table()?;
    let tracks = tracks(&input, particle, &args.columns)?;
    progress.step("computing");
    // clap requires --dt.
    let step = args.series.dt.unwrap_or(f64::NAN);
    let fit = fit_tracks(&tracks, step).map_err(|source| LongMemoryError::Tracks {
        name: input.source_name().to_owned(),
        source,
    })?;
    let file = input.source_name();
    let (count, dimensions) = (tracks.len(), args.columns.len());
    let text = if args.json {
        json(&Document {
            version: env!("CARGO_PKG_VERSION"),
            file,
            tracks: count,
            dimensions,
            observations: fit.observations(),
            estimate: Estimated::new(&fit),
        })?
    } else {
        format!("{file}: tracks of {count} particles in {dimensions} dimensions\n\n{fit}\n")
    };
    drop(progress);
    if !args.quiet {
        input.notes().iter().for_each(|note| diagnostic(&format!("{file}: {note}")));
    }
    write_stdout(text.as_bytes())
}

/// Positions by particle and dimension, particles in the order of their first rows.
fn tracks(
    input: &CsvTable,
    particle: &str,
    columns: &[String],
) -> Result<Vec<Vec<Vec<f64>>>, Error> {
    let names = input.column(particle)?;
    let columns: Vec<usize> =
        columns.iter().map(|name| input.column(name)).collect::<Result<_, _>>()?;
    let positions: Vec<Vec<Option<f64>>> =
        columns.iter().map(|column| input.numbers(*column)).collect::<Result<_, _>>()?;
    let mut places = std::collections::HashMap::new();
    let mut tracks: Vec<Vec<Vec<f64>>> = Vec::new();
    for row in 0..input.rows() {
        let place = *places.entry(input.cell(row, names).into_owned()).or_insert(tracks.len());
        if place == tracks.len() {
            tracks.push(vec![Vec::new(); columns.len()]);
        }
        for (dimension, (values, column)) in positions.iter().zip(&columns).enumerate() {
            let Some(value) = values[row] else {
                let text = input.cell(row, *column).into_owned();
                let place = input.place(row, *column);
                return Err(LongMemoryError::MissingPosition { place, text }.into());
            };
            tracks[place][dimension].push(value);
        }
    }
    Ok(tracks)
}
