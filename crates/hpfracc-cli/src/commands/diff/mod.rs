//! `hpfracc diff`: applies a fractional operator to a time series.

mod args;
mod operator;
mod stream;

use crate::Error;
use crate::compute::{Dtype, machine, report_wisdom};
use crate::input::{CsvTable, Missing, Series, SeriesOptions};
use crate::output::Progress;
use crate::output::{diagnostic, to_csv};
pub(crate) use args::DiffArgs;
use hpfracc::cpu::Fft;
use hpfracc::operators::{Accuracy, Bound, Operator, OperatorError};
use hpfracc::types::{Grid, Mesh, Real};
use hpfracc::{Machine, Settings};
use hpfracc_plot::{Format, Panel, Picture};
use ndarray::Array1;
use operator::{ConfiguredOperator, FirstTime, OperatorChoice};
use std::sync::Arc;
use std::time::Duration;

pub(crate) fn run(args: &DiffArgs) -> Result<(), Error> {
    // All checks that do not need the file come before reading it.
    let asked = OperatorChoice::new(&args.operator, args.scheme.as_deref(), args.alpha, &args.set)?;
    let machine = machine(args.backend.as_deref(), |settings| {
        // One application: opening a GPU must cost less than it can save.
        settings.gpus_from = settings.gpus_from.max(Duration::from_millis(500));
        settings.selector.learning &= learns(settings, args.stream || args.chunk.is_some());
    })?;
    let format = args.files.check(Some(&args.series.input))?;
    if let Some(done) = stream::run(args, &asked, &machine) {
        return done;
    }
    let progress = Progress::start(args.files.quiet);
    progress.step("reading");
    let input = args.series.table()?;
    let options = args.series.options(None);
    let task = Task { args, asked: &asked, machine: &machine, input: &input, progress, format };
    match Series::new(&input, &options) {
        Ok(series) => task.finish(&series, Points::Grid(series.grid)),
        Err(error) if is_nonuniform(&error, &options) => {
            if !asked.supports_meshes() {
                return Err(asked.needs_grid(error));
            }
            let series = Series::nonuniform(&input, &options)?;
            task.finish(&series, Points::Mesh(&series.grid))
        }
        Err(error) => Err(error),
    }
}

/// Whether the autotuner records timings. New timings may change the backend, and with it the last
/// digits, so they are recorded only for later runs, through a wisdom file; with pieces the backend
/// could change within a run.
fn learns(settings: &Settings, in_pieces: bool) -> bool {
    settings.wisdom.is_some() && !in_pieces
}

/// Whether the times form a non-uniform mesh. Missing rows are still errors, unless missing values
/// are dropped.
fn is_nonuniform(error: &Error, options: &SeriesOptions) -> bool {
    let drops = options.missing == Missing::Drop;
    options.dt.is_none()
        && match error {
            Error::NotUniform { .. } => true,
            Error::SkippedRows { .. } | Error::GapTooLong { .. } => drops,
            _ => false,
        }
}

/// Remaining work on a time series on any grid.
struct Task<'a> {
    args: &'a DiffArgs,
    asked: &'a OperatorChoice<'a>,
    machine: &'a Machine,
    input: &'a CsvTable,
    progress: Progress,
    format: Option<Format>,
}

/// Grid or mesh of the samples.
#[derive(Clone, Copy)]
enum Points<'a> {
    Grid(Grid),
    Mesh(&'a Mesh),
}

impl Points<'_> {
    /// Binds the operator to these points. The mesh of an operator with a `start` begins at it.
    fn bind<T: Real>(
        self,
        chosen: &ConfiguredOperator,
        machine: &Machine,
    ) -> Result<Bound<T>, OperatorError> {
        let operator = Arc::clone(&chosen.operator);
        match (self, chosen.start()) {
            (Self::Grid(grid), _) => operator.on(grid, machine),
            (Self::Mesh(mesh), None) => operator.on_mesh(mesh, machine),
            (Self::Mesh(mesh), Some(start)) => {
                let points = mesh.points().iter().map(|t| start + t).collect();
                operator.on_mesh(&Mesh::new(points)?, machine)
            }
        }
    }
}

impl Task<'_> {
    /// Computes, writes the outputs and the diagnostics.
    fn finish<P>(self, series: &Series<P>, points: Points<'_>) -> Result<(), Error> {
        let Self { args, asked, machine, input, progress, format } = self;
        let chosen = asked.on(FirstTime::of(input, series, args.series.dt).as_ref())?;
        progress.step("computing");
        let noted = !args.files.quiet;
        let (result, rounding) = match args.dtype {
            Dtype::F64 => apply::<f64, P>(&chosen, (series, points), machine, input, noted),
            Dtype::F32 => apply::<f32, P>(&chosen, (series, points), machine, input, noted),
        }?;
        let column = chosen.column(&series.name);

        progress.step("writing");
        let table = to_csv(series, &[(&column, &result)])?;
        let draw = |format| draw(series, &column, &chosen.title(), &result, format);
        let picture = format.map(draw).transpose()?;
        args.files.finish(table, picture, || {
            drop(progress);
            report_wisdom(machine);
            report(input, series, &column, &result);
            if let Some(note) = rounding {
                diagnostic(&format!("{column}: {note}"));
            }
        })
    }
}

/// Applies the operator in the precision `T`: the result, and a note where rounding of the samples
/// exceeds the error of the scheme.
fn apply<T: Real, P>(
    chosen: &ConfiguredOperator,
    (series, points): (&Series<P>, Points<'_>),
    machine: &Machine,
    input: &CsvTable,
    noted: bool,
) -> Result<(Vec<f64>, Option<String>), Error> {
    let samples: Array1<T> = series.values.iter().map(|x| T::narrow(*x)).collect();
    if let Some(row) = samples.iter().position(|x| !x.widen().is_finite()) {
        return Err(Error::OutsideF32 {
            name: input.source_name().to_owned(),
            column: series.name.clone(),
            value: series.values[row],
            time: series.labels[row].clone(),
        });
    }
    let bound = points.bind::<T>(chosen, machine)?;
    let mut result: Vec<f64> = bound.apply(samples.view())?.iter().map(|y| y.widen()).collect();
    if chosen.operator.starts_at_zero() {
        result[0] = 0.0;
    }
    let note = noted.then(|| rounding_note(chosen, points, (&samples, &result), &bound));
    Ok((result, note.transpose()?.flatten()))
}

/// A note where rounding of the samples exceeds the error of the scheme.
fn rounding_note<T: Real>(
    chosen: &ConfiguredOperator,
    points: Points<'_>,
    (samples, result): (&Array1<T>, &[f64]),
    bound: &Bound<T>,
) -> Result<Option<String>, Error> {
    let Points::Grid(grid) = points else { return Ok(None) };
    let largest = result.iter().fold(0.0, |most: f64, y| y.abs().max(most));
    if bound.rounding_estimate(samples.view())? <= Accuracy::WORTH_A_WARNING * largest {
        return Ok(None);
    }
    // Half the samples may be too few for the scheme, and then there is nothing to compare with.
    let accuracy = Accuracy::estimate(chosen.operator.as_ref(), grid, samples.view(), &Fft::new());
    Ok(accuracy.ok().filter(Accuracy::rounding_dominates).map(|accuracy| {
        format!(
            "rounding of the samples may change values by {:.1e}, more than the error of the scheme; \
             larger steps or a scheme of lower order are more accurate",
            accuracy.rounding
        )
    }))
}

fn draw<P>(
    series: &Series<P>,
    column: &str,
    operator: &str,
    result: &[f64],
    format: Format,
) -> Result<Vec<u8>, Error> {
    let title = format!("{}: {operator}", series.name);
    let input = format!("input: {}", series.name);
    let output = format!("result: {column}");
    let panel = |title, label, values, filled| Panel { title, label, values, filled };
    let panels = [
        panel(input.as_str(), series.name.as_str(), series.values.as_slice(), &series.filled[..]),
        panel(output.as_str(), "result", result, &[]),
    ];
    let (time, times) = (series.time_format.axis(&series.time_name), series.times.as_slice());
    Ok(Picture { title: &title, time, times, panels: &panels }.draw(format)?)
}

/// Writes diagnostics: choices while reading, and results that are not finite.
fn report<P>(input: &CsvTable, series: &Series<P>, column: &str, result: &[f64]) {
    for note in &series.notes {
        diagnostic(&format!("{}: {note}", input.source_name()));
    }
    let not_finite = result.iter().filter(|y| !y.is_finite()).count();
    if not_finite > 0 {
        diagnostic(&format!("{not_finite} of {} values of {column} are not finite", result.len()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Learning may change the backend, and with it the rounding.
    #[test]
    fn a_run_learns_for_later_runs_or_not_at_all() {
        let (alone, mut remembered) = (Settings::default(), Settings::default());
        remembered.wisdom = Some("wisdom.json".into());
        assert!(learns(&remembered, false));
        for (settings, in_pieces) in [(&alone, false), (&alone, true), (&remembered, true)] {
            assert!(!learns(settings, in_pieces));
        }
    }
}
