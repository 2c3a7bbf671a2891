//! `hpfracc difference`: fractional differences of a time series.

mod args;

use super::{failed, read};
use crate::Error;
use crate::input::Series;
use crate::memory;
use crate::output::{Progress, diagnostic, to_csv};
pub(crate) use args::DifferenceArgs;
use hpfracc::series::{difference, integrate};
use hpfracc::types::shortest;
use hpfracc_plot::{Format, Panel, Picture};

/// Bytes of a value: padded transforms, and the results with their text.
const BYTES: u64 = 512;

pub(crate) fn run(args: &DifferenceArgs) -> Result<(), Error> {
    let format = args.files.check(Some(&args.series.input))?;
    let progress = Progress::start(args.files.quiet);
    progress.step("reading");
    let input = args.series.table()?;
    let series = read(&input, &args.series)?;
    progress.step("computing");
    let n = series.values.len();
    let instead = "diff --operator grunwald-letnikov --dt 1 --stream needs none";
    memory::require(format!("the difference of {n} values"), BYTES * n as u64, instead)?;
    let (apply, name): (fn(&[f64], f64) -> _, _) =
        if args.inverse { (integrate, "integral") } else { (difference, "difference") };
    let result: Vec<f64> =
        apply(&series.values, args.d).map_err(|error| failed(&input, &series, error))?;
    progress.step("writing");
    let column = format!("{name}_{}({})", shortest(args.d), series.name);
    let table = to_csv(&series, &[(&column, &result)])?;
    let picture = format.map(|format| draw(&series, &column, &result, format)).transpose()?;
    args.files.finish(table, picture, || {
        drop(progress);
        for note in &series.notes {
            diagnostic(&format!("{}: {note}", input.source_name()));
        }
    })
}

fn draw(series: &Series, column: &str, result: &[f64], format: Format) -> Result<Vec<u8>, Error> {
    let input = format!("input: {}", series.name);
    let output = format!("result: {column}");
    let panels = [
        Panel {
            title: &input,
            label: &series.name,
            values: &series.values,
            filled: &series.filled,
        },
        Panel { title: &output, label: "result", values: result, filled: &[] },
    ];
    let (time, times) = (series.time_format.axis(&series.time_name), series.times.as_slice());
    Ok(Picture { title: column, time, times, panels: &panels }.draw(format)?)
}
