//! `hpfracc fit`: fits a model to data; report, table and picture.

mod args;
mod data;
mod picture;
mod report;
mod rows;
mod settings;
mod task;

use crate::Error;
use crate::memory;
use crate::output::{Progress, diagnostic, publish, refuse_unwritable, write_stdout};
pub(crate) use args::FitArgs;
use data::{Reading, Rows};
use hpfracc_plot::Format;
use rows::Table;
use settings::{MissingRows, Settings};
use std::time::Duration;
use task::Task;

/// Time between checkpoints.
const EVERY: Duration = Duration::from_secs(10);
/// Memory of the data where the operating system reports nothing.
const MEMORY: u64 = 1 << 30;
/// Rows from which no table and picture of all rows are made.
const DRAWN: usize = 1_000_000;

pub(crate) fn run(args: &FitArgs) -> Result<(), Error> {
    let (Some(model), Some(path)) = (&args.model, &args.data) else {
        return write_stdout(report::list().as_bytes());
    };
    let settings = Settings::new(model, args)?;
    let format = args.files.check(Some(path))?;
    refuse_unwritable(args.files.files())?;
    let progress = Progress::start(args.files.quiet);
    progress.step("reading");
    let memory = args.memory.map(|mebibytes| mebibytes << 20);
    let memory = memory.unwrap_or_else(|| memory::available().unwrap_or(MEMORY) / 2);
    let rows = match &args.columns[..] {
        [] => Rows::csv(
            path,
            Reading {
                missing_values: &settings.data.missing_values,
                skips: settings.data.missing == MissingRows::Skip,
                limit: usize::try_from(memory).unwrap_or(usize::MAX),
            },
        )?,
        names => Rows::raw(path, names)?,
    };
    let task = Task::new(settings, rows, path.display().to_string())?;
    let fitted = fitted(&task, args, format, &progress)?;
    let outputs = [args.files.output.as_path()].into_iter().chain(args.files.plot.as_deref());
    publish(outputs.zip([fitted.table, fitted.picture]).filter_map(|(path, bytes)| {
        let bytes = bytes?;
        Some((path, bytes))
    }))?;
    drop(progress);
    if !args.files.quiet {
        task.rows.notes.iter().for_each(|note| diagnostic(note));
        diagnostic(&format!("{} rows in {}", task.rows.source().rows(), task.rows.place()));
        if let Some(reason) = fitted.checkpoint_failure {
            diagnostic(&format!("the last checkpoint could not be written: {reason}"));
        }
    }
    write_stdout(fitted.report.as_bytes())
}

/// What a fit writes.
struct Fitted {
    report: String,
    table: Option<Vec<u8>>,
    picture: Option<Vec<u8>>,
    checkpoint_failure: Option<String>,
}

fn fitted(
    task: &Task,
    args: &FitArgs,
    format: Option<Format>,
    progress: &Progress,
) -> Result<Fitted, Error> {
    progress.step("fitting");
    let mut shown = |state: hpfracc::fit::Progress| progress.fitted(state.passes, state.cost);
    let mut fit = task.fit()?.progress(&mut shown);
    if let Some(folder) = &args.checkpoints {
        fit = fit.checkpoints(folder, EVERY);
    }
    let found = fit.run()?;
    progress.step("profiling");
    let report = report::Report::new(task, &found, &args.profile)?;
    let to_file = args.files.output.as_os_str() != "-";
    let rows =
        (format.is_some() || to_file).then(|| Table::new(task, &found, DRAWN)).transpose()?;
    let table = rows.as_ref().filter(|_| to_file).map(Table::to_csv).transpose()?;
    let draw = |(rows, format)| picture::draw(task, &found, rows, format);
    let picture = rows.as_ref().zip(format).map(draw).transpose()?;
    Ok(Fitted {
        report: if args.json { report.to_json()? } else { report.to_string() },
        table,
        picture,
        checkpoint_failure: found.checkpoint_failure().map(str::to_owned),
    })
}
