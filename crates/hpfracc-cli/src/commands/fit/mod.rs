//! `hpfracc fit`: fits a model to data; report, table and picture.

mod args;
mod data;
mod following;
mod interrupt;
mod list;
mod model;
mod picture;
mod relative;
mod report;
mod rows;
mod settings;
mod task;

use crate::error::FittingError;
use crate::memory;
use crate::output::{Progress, diagnostic, publish, refuse_unwritable, write_stdout};
use crate::ranks::STDIN;
use crate::text::mebibytes;
use crate::{Error, Ranks};
pub(crate) use args::FitArgs;
use data::{Reading, Rows};
use following::{Following, other_models};
use hpfracc::fit::{Found, Outcome};
use hpfracc_plot::Format;
use report::Report;
use rows::{Table, to_csv};
use settings::{MissingRows, SetFile, Settings};
use std::path::Path;
use std::time::{Duration, Instant};
use task::Task;

/// Memory of the data where the operating system reports nothing.
const MEMORY: u64 = 1 << 30;
/// Rows from which no table and picture of all rows are made.
const DRAWN: usize = 1_000_000;

pub(crate) fn run(args: &FitArgs, ranks: &Ranks) -> Result<(), Error> {
    if let Some(name) = &args.list {
        return write_stdout(list::list(name)?.as_bytes());
    }
    let progress = Progress::start(args.files.quiet);
    let Prepared { task, files, format, following } =
        ranks.prepared(prepare(args, &progress, ranks))?;
    let (task, files) = (&task, &files[..]);
    let run = Run { args, task, files, format, following, progress: &progress, ranks };
    let fitted = run.fitted()?;
    if !ranks.is_first() {
        return fitted.ended;
    }
    let mut outputs = vec![];
    outputs.extend(fitted.table.map(|bytes| (args.files.output.as_path(), bytes)));
    outputs.extend(args.files.plot.as_deref().zip(fitted.picture));
    outputs.extend(args.draws.as_deref().zip(fitted.draws));
    publish(outputs)?;
    drop(progress);
    if !args.files.quiet {
        task.notes().for_each(diagnostic);
        for set in &task.sets {
            let (rows, place) = (set.rows.source().rows(), set.rows.place());
            diagnostic(&format!("{}: {rows} rows in {place}", set.name));
        }
        let passes = fitted.passes;
        let memory = mebibytes(fitted.memory);
        diagnostic(&format!(
            "{passes} passes in {:.3} s, {memory} beyond the data",
            fitted.seconds
        ));
    }
    write_stdout(fitted.report.as_bytes())?;
    fitted.ended
}

/// What the command line asks for, with the data.
struct Prepared {
    task: Task,
    files: Vec<(SetFile, Rows)>,
    format: Option<Format>,
    following: Following,
}

/// Reads model and data, and checks that rank 0 can write the files.
fn prepare(args: &FitArgs, progress: &Progress, ranks: &Ranks) -> Result<Prepared, Error> {
    let settings = Settings::new(args.model.as_deref().unwrap_or_default(), args)?;
    let following = Following::new(args)?;
    let format = args.files.check(settings.sets.first().map(|set| set.data.as_path()))?;
    if ranks.is_first() {
        refuse_unwritable(args.files.files().chain(args.draws.as_deref()))?;
    }
    if settings.sets.is_empty() {
        return Err(FittingError::NoData.into());
    }
    if ranks.are_several() && settings.sets.iter().any(|set| set.data.as_os_str() == "-") {
        return Err(Error::Ranks(STDIN.to_owned()));
    }
    progress.step("reading");
    let files = settings.sets.iter().map(|file| Ok((file.clone(), read(file, &settings, args)?)));
    let files = files.collect::<Result<Vec<(SetFile, Rows)>, Error>>()?;
    let task = Task::new(settings, &files)?;
    Ok(Prepared { task, files, format, following })
}

/// Columns of a file.
fn read(file: &SetFile, settings: &Settings, args: &FitArgs) -> Result<Rows, Error> {
    let memory = args.memory.map(|mebibytes| mebibytes << 20);
    let memory = memory.unwrap_or_else(|| memory::available().unwrap_or(MEMORY) / 2);
    match &args.columns[..] {
        [] => {
            let reading = Reading {
                missing_values: &settings.data.missing_values,
                skips: settings.data.missing == MissingRows::Skip,
                limit: usize::try_from(memory).unwrap_or(usize::MAX) / settings.sets.len().max(1),
            };
            Rows::csv(&file.data, reading)
        }
        names => Rows::raw(&file.data, names),
    }
}

/// A fit with what it writes.
struct Run<'r> {
    args: &'r FitArgs,
    task: &'r Task,
    files: &'r [(SetFile, Rows)],
    format: Option<Format>,
    following: Following,
    progress: &'r Progress,
    ranks: &'r Ranks,
}

/// What a fit writes.
struct Fitted {
    report: String,
    table: Option<Vec<u8>>,
    picture: Option<Vec<u8>>,
    draws: Option<Vec<u8>>,
    passes: usize,
    seconds: f64,
    /// Bytes that the fit took beyond its data, by its plan.
    memory: u64,
    /// Whether it was complete, with all its checkpoints.
    ended: Result<(), Error>,
}

impl Run<'_> {
    fn fitted(&self) -> Result<Fitted, Error> {
        let Self { args, task, progress, .. } = self;
        progress.step("fitting");
        let mut shown = |state: hpfracc::fit::Progress| progress.fitted(state.passes, state.cost);
        let fit = task.fit()?.over(self.ranks.shared());
        let mut fit = fit.progress(&mut shown).cancel(interrupt::flag());
        if let Some(folder) = &args.resume {
            let every = Duration::try_from_secs_f64(args.every).map_err(|_| {
                let (text, expected) = (args.every.to_string(), "a number of seconds from 0 on");
                FittingError::Argument { argument: "--every", text, expected }
            })?;
            fit = fit.checkpoints(folder, every);
        }
        let (memory, begin) = (fit.plan().bytes() as u64, Instant::now());
        let found = fit.run()?;
        let mut fitted = Fitted {
            report: String::new(),
            table: None,
            picture: None,
            draws: None,
            passes: found.passes(),
            seconds: begin.elapsed().as_secs_f64(),
            memory,
            ended: Ok(()),
        };
        let extras = match found.outcome() {
            Outcome::Cancelled => Err(self.interrupted(&found)),
            _ => self.following.run(task, &found, progress),
        };
        let extras = match extras {
            Ok((mut extras, draws)) => {
                fitted.draws = draws;
                progress.step("comparing");
                extras.models =
                    other_models((task, &found, self.files), &args.compare, self.ranks)?;
                extras
            }
            Err(_) if self.ranks.shared().any(interrupt::is_set())? => {
                fitted.ended = Err(self.interrupted(&found));
                report::Extras::default()
            }
            Err(error) => return Err(error),
        };
        let report = Report::new(task, &found, extras)?;
        fitted.report = if args.json { report.to_json()? } else { report.to_string() };
        if fitted.ended.is_err() || !self.ranks.is_first() {
            return Ok(fitted);
        }
        self.draw(&found, &mut fitted)?;
        if let Some(reason) = found.checkpoint_failure() {
            fitted.ended = Err(FittingError::CheckpointFailed { reason }.into());
        }
        Ok(fitted)
    }

    /// Makes the table, if it goes to a file, and the picture.
    fn draw(&self, found: &Found<'_>, fitted: &mut Fitted) -> Result<(), Error> {
        let to_file = self.args.files.output.as_path() != Path::new("-");
        if !to_file && self.format.is_none() {
            return Ok(());
        }
        let most = DRAWN / self.task.sets.len();
        let tables = (0..self.task.sets.len()).map(|set| Table::new(self.task, found, set, most));
        let tables = tables.collect::<Result<Vec<Table>, Error>>()?;
        fitted.table = to_file.then(|| to_csv(self.task, &tables)).transpose()?;
        let draw = |format| picture::draw(self.task, found, &tables, format);
        fitted.picture = self.format.map(draw).transpose()?;
        Ok(())
    }

    fn interrupted(&self, found: &Found<'_>) -> Error {
        let continuation = match &self.args.resume {
            Some(folder) => format!("the same command goes on from {}", folder.display()),
            None => "--resume DIR keeps checkpoints from which it can go on".to_owned(),
        };
        FittingError::Interrupted { passes: found.passes(), continuation }.into()
    }
}
