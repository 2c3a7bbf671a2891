//! `hpfracc diff`: applies a fractional operator to a time series.

mod args;
mod operator;
mod stream;

use crate::Error;
use crate::compute::{Dtype, machine, report_wisdom};
use crate::input::{CsvTable, Missing, Series, SeriesOptions};
use crate::output::Progress;
use crate::output::{diagnostic, to_csv};
use crate::plot::{Format, Panel, Picture};
pub(crate) use args::DiffArgs;
use hpfracc::operators::{Bound, Operator, OperatorError};
use hpfracc::types::{Grid, Mesh, Real};
use hpfracc::{Machine, Settings};
use ndarray::Array1;
use operator::{ConfiguredOperator, FirstTime, OperatorChoice};
use std::sync::Arc;
use std::time::Duration;

pub(crate) fn run(args: &DiffArgs) -> Result<(), Error> {
    // All checks that do not need the file come before reading it.
    let asked =
        OperatorChoice::new(&args.operator, args.scheme.as_deref(), args.alpha, &args.param)?;
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
        let result = match args.dtype {
            Dtype::F64 => apply::<f64, P>(&chosen, (series, points), machine, input),
            Dtype::F32 => apply::<f32, P>(&chosen, (series, points), machine, input),
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
        })
    }
}

/// Applies the operator in the precision `T`.
fn apply<T: Real, P>(
    chosen: &ConfiguredOperator,
    (series, points): (&Series<P>, Points<'_>),
    machine: &Machine,
    input: &CsvTable,
) -> Result<Vec<f64>, Error> {
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
    if chosen.begins_with_zero() {
        result[0] = 0.0;
    }
    Ok(result)
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
    let (time_format, times) = (series.time_format, series.times.as_slice());
    Picture { title: &title, time_label: &series.time_name, time_format, times, panels: &panels }
        .draw(format)
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
