//! `hpfracc simulate`: simulates an ensemble of a named model or an equation; table and picture.

mod args;
mod listing;
mod picture;
pub(crate) mod scheme;
mod statistics;
mod stops;
mod subject;
mod table;

use crate::compute::Dtype;
use crate::error::SimulationError;
use crate::input::named_values;
use crate::output::{Progress, diagnostic, refuse_shared_files, refuse_unwritable, write_stdout};
use crate::text::rounded;
use crate::{Error, Ranks};
pub(crate) use args::SimulateArgs;
use hpfracc::SimulationBackend;
use hpfracc::sde::models::Named;
use hpfracc_plot::Format;
use statistics::{Request, Statistics};
use subject::Subject;

/// What the command line asks for.
struct Prepared {
    subject: Subject,
    request: Request,
    format: Option<Format>,
}

pub(crate) fn run(args: &SimulateArgs, ranks: &Ranks) -> Result<(), Error> {
    let Some(prepared) = ranks.prepared(prepare(args, ranks))? else { return Ok(()) };
    let Prepared { subject, request, format } = prepared;
    let progress = Progress::start(args.files.quiet);
    let statistics = match args.dtype {
        Dtype::F64 => Statistics::simulate::<f64>(&subject, &request, (&progress, ranks)),
        Dtype::F32 => Statistics::simulate::<f32>(&subject, &request, (&progress, ranks)),
    }?;
    if !ranks.is_first() {
        return Ok(());
    }
    progress.step("writing");
    let table = table::to_csv(&subject, args, &statistics)?;
    let picture = format.map(|format| picture::draw(&subject, &statistics, format)).transpose()?;
    let file = args.stops.as_deref();
    let stops = file.map(|file| Ok::<_, Error>((file, stops::file(&statistics)?))).transpose()?;
    args.files.finish_with(table, picture, stops, || {
        drop(progress);
        report(&subject, &request, &statistics, args.seed);
    })
}

/// The simulation, whose files rank 0 can write; `None` if a listing was the answer.
fn prepare(args: &SimulateArgs, ranks: &Ranks) -> Result<Option<Prepared>, Error> {
    let subject = match (&args.model, &args.equation) {
        (None, None) => return write_stdout(listing::list().as_bytes()).map(|()| None),
        (Some(name), _) => {
            let model = model(name, &args.set)?;
            if let Some(scheme) = &args.scheme {
                let (option, value) = ("--scheme", scheme.clone());
                let reason =
                    format!("the model {name} has its own scheme; an --equation takes others");
                return Err(Error::OptionUnused { option, value, reason });
            }
            if args.explain {
                return write_stdout(listing::of(&model.definition()).as_bytes()).map(|()| None);
            }
            Subject::Model(model)
        }
        (None, Some(written)) => {
            let values = named_values::parse(&args.set)?;
            let scheme = args.scheme.as_deref();
            let further = stops::statements(&args.stop_when);
            Subject::equation((written, &further), &values, args.t1, (scheme, args.backend))?
        }
    };
    if let Some(file) = &args.stops
        && subject.events() == 0
    {
        let (option, value) = ("--stops", file.display().to_string());
        let reason = "no event stops paths: add --stop-when".to_owned();
        return Err(Error::OptionUnused { option, value, reason });
    }
    if let Some(&level) = args.quantiles.iter().find(|q| !(0.0 < **q && **q < 1.0)) {
        return Err(SimulationError::Quantile { level }.into());
    }
    if args.backend != SimulationBackend::Cpu && ranks.are_several() {
        let (option, value) = ("--backend", args.backend.to_string());
        let reason =
            "the paths of several ranks are solved on the processors: start one rank".to_owned();
        return Err(Error::OptionUnused { option, value, reason });
    }
    let format = args.files.check(None)?;
    refuse_shared_files(&[
        ("--output", Some(args.files.output.as_path())),
        ("--plot", args.files.plot.as_deref()),
        ("--stops", args.stops.as_deref()),
    ])?;
    let request = Request::new(args, &subject)?;
    if ranks.is_first() {
        refuse_unwritable(args.files.files().chain(args.stops.as_deref()))?;
    }
    Ok(Some(Prepared { subject, request, format }))
}

/// Model with the parameters of the command line.
fn model(name: &str, typed: &[String]) -> Result<Named, Error> {
    let mut model = Named::new(name).ok_or_else(|| {
        Error::unknown("", "model", name, Named::all().iter().map(|model| model.definition().name))
    })?;
    let definition = model.definition();
    for (name, value) in named_values::parse(typed)? {
        let changed = model.with(name, value).ok_or_else(|| {
            let known = definition.parameters.iter().map(|p| p.name);
            Error::unknown(format!("{} has ", definition.name), "parameter", name, known)
        });
        model = changed??;
    }
    Ok(model)
}

/// Writes diagnostics: size, scheme, stops, quality of quantiles, Feller condition.
fn report(subject: &Subject, request: &Request, statistics: &Statistics, seed: u64) {
    let name = subject.name();
    let Request { paths, steps, t1, .. } = request;
    diagnostic(&format!(
        "{name}: {paths} paths of {steps} steps to t = {}, seed {seed}",
        rounded(*t1)
    ));
    diagnostic(&format!("{name}: {}", subject.scheme()));
    if let Some(choice) = subject.choice() {
        diagnostic(&format!("{name}: {choice}"));
    }
    for line in statistics.passage.iter().flat_map(stops::report) {
        diagnostic(&format!("{name}: {line}"));
    }
    if request.sketched() {
        diagnostic(&format!("{name}: quantiles have a relative error of at most 1/128"));
    }
    // Without noise the ratio is infinite.
    if let Subject::Model(Named::CoxIngersollRoss(model)) = subject
        && let feller = model.feller()
        && feller.is_finite()
    {
        let meaning = if feller >= 1.0 {
            "0 is never reached"
        } else {
            "below 1: 0 is reached, where truncation raises the mean"
        };
        let text = rounded(format!("{feller:.4}").parse().unwrap_or(feller));
        diagnostic(&format!("{name}: 2 kappa theta / sigma^2 is {text}: {meaning}"));
    }
}
