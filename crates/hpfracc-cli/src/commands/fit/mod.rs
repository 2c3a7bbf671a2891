//! `hpfracc fit`: fits a model to data; report, table and picture.

mod args;
mod data;
mod picture;
mod report;
mod rows;
mod settings;

use crate::Error;
use crate::error::FittingError;
use crate::memory;
use crate::output::{Progress, diagnostic, publish, refuse_unwritable, write_stdout};
pub(crate) use args::FitArgs;
use data::{Reading, Rows};
use hpfracc::equation::Formula;
use hpfracc::fit::{Column, Fit, FormulaModel, Set};
use hpfracc_plot::Format;
use rows::Table;
use settings::{Loss, MissingRows, Settings};
use std::time::Duration;

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

/// Model with its data.
struct Task {
    settings: Settings,
    model: FormulaModel,
    /// The formula as it was read.
    formula: String,
    rows: Rows,
    /// The data on the command line.
    name: String,
    /// Index of the response among the columns.
    response: usize,
}

impl Task {
    fn new(settings: Settings, mut rows: Rows, name: String) -> Result<Self, Error> {
        for (written, column) in &settings.data.names {
            let known = rows.names.iter().position(|known| known == column);
            let known = known.ok_or_else(|| unknown_column(&name, column, &rows))?;
            rows.names[known].clone_from(written);
        }
        let names: Vec<&str> = rows.names.iter().map(String::as_str).collect();
        let formula = Formula::parse(&settings.formula, &names)
            .map_err(|source| Error::equation("formula", source))?;
        let model = FormulaModel::new(std::slice::from_ref(&formula))
            .map_err(|error| Error::from(FittingError::from(error)))?;
        let named = settings.data.response.as_deref().or(formula.response());
        let weights = [&settings.data.sigma, &settings.data.weight].map(|name| name.as_deref());
        let response = match named {
            Some(column) => index(&name, column, &rows)?,
            None => {
                let free = |column: &&str| {
                    !formula.columns().contains(column) && !weights.contains(&Some(column))
                };
                let candidates: Vec<&str> = names.iter().copied().filter(free).collect();
                match candidates[..] {
                    [only] => index(&name, only, &rows)?,
                    _ => {
                        let candidates = candidates.join(", ");
                        return Err(FittingError::WhichResponse { name, candidates }.into());
                    }
                }
            }
        };
        Ok(Self { formula: formula.to_string(), settings, model, rows, name, response })
    }

    fn column(&self, name: &str) -> Result<Column<'_>, Error> {
        Ok(Column::of(self.rows.source(), index(&self.name, name, &self.rows)?))
    }

    fn fit(&self) -> Result<Fit<'_>, Error> {
        let mut set = Set::new(&self.name, &self.model);
        for name in self.model.columns() {
            set = set.input(self.column(name)?);
        }
        set = set.response(Column::of(self.rows.source(), self.response));
        if let Some(name) = &self.settings.data.sigma {
            set = set.sigma(self.column(name)?);
        } else if let Some(name) = &self.settings.data.weight {
            set = set.weight(self.column(name)?);
        }
        if self.settings.data.missing == MissingRows::Skip {
            set = set.skip_not_finite();
        }
        let fit = Fit::new(set).map_err(FittingError::from)?;
        Ok(self.configured(fit).map_err(FittingError::from)?)
    }

    fn configured<'a>(&self, mut fit: Fit<'a>) -> Result<Fit<'a>, hpfracc::fit::FitError> {
        for (name, parameter) in &self.settings.parameters {
            if let Some(start) = parameter.start {
                fit = fit.start(name, start)?;
            }
            if let Some([low, high]) = parameter.within {
                fit = fit.bounds(name, low, high)?;
            }
            if let Some(value) = parameter.fixed {
                fit = fit.fix(name, value)?;
            }
            if let Some(expression) = &parameter.tied {
                fit = fit.tie(name, expression)?;
            }
            if parameter.log {
                fit = fit.logarithmic(name)?;
            }
            if let Some(prior) = parameter.prior {
                fit = fit.prior(name, prior.mean, prior.sd)?;
            }
        }
        if let Some(scale) = self.settings.fit.scale {
            fit = fit.loss_scale(scale)?;
        }
        Ok(fit.loss(self.loss()))
    }

    fn loss(&self) -> hpfracc::fit::Loss {
        use hpfracc::fit::Loss as Of;
        match self.settings.fit.loss {
            Loss::Squares => Of::Squares,
            Loss::Huber => Of::Huber,
            Loss::SoftL1 => Of::SoftL1,
            Loss::Cauchy => Of::Cauchy,
            Loss::Arctan => Of::Arctan,
        }
    }

    fn response_name(&self) -> &str {
        &self.rows.names[self.response]
    }
}

fn index(file: &str, column: &str, rows: &Rows) -> Result<usize, Error> {
    let found = rows.names.iter().position(|known| known == column);
    found.ok_or_else(|| unknown_column(file, column, rows))
}

fn unknown_column(file: &str, column: &str, rows: &Rows) -> Error {
    let known = rows.names.iter().map(String::as_str);
    Error::unknown(format!("{file}: "), "column", column, known)
}
