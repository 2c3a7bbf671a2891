//! `hpfracc simulate`: an ensemble of a named model to a table and a picture.

mod args;
mod first;
mod found;
mod page;
mod picture;
mod table;

use crate::Error;
use crate::compute::Dtype;
use crate::error::SimulationError;
use crate::input::named_values;
use crate::output::Progress;
use crate::output::{diagnostic, publish, refuse_shared_files, refuse_unwritable, write_stdout};
use crate::plot::Format;
use crate::text::rounded;
pub(crate) use args::SimulateArgs;
use found::{Asked, Found};
use hpfracc::sde::models::Named;

pub(crate) fn run(args: &SimulateArgs) -> Result<(), Error> {
    let Some(name) = &args.model else { return write_stdout(page::list().as_bytes()) };
    let model = model(name, &args.param)?;
    let definition = model.definition();
    if args.explain {
        return write_stdout(page::of(&definition).as_bytes());
    }
    if let Some(&level) = args.quantiles.iter().find(|q| !(0.0 < **q && **q < 1.0)) {
        return Err(SimulationError::Quantile { level }.into());
    }
    let format = args.plot.as_deref().map(Format::of).transpose()?;
    refuse_shared_files(&[
        ("--output", Some(args.output.as_path())),
        ("--plot", args.plot.as_deref()),
    ])?;
    let asked = Asked::new(args, &definition)?;
    let to_stdout = args.output.as_os_str() == "-";
    let output = (!to_stdout).then_some(args.output.as_path());
    refuse_unwritable(output.into_iter().chain(args.plot.as_deref()))?;

    let progress = Progress::start(args.quiet);
    let found = match args.dtype {
        Dtype::F64 => Found::simulate::<f64>(&model, &asked, &progress),
        Dtype::F32 => Found::simulate::<f32>(&model, &asked, &progress),
    }?;
    progress.step("writing");
    let table = table::to_csv(&model, args, &found)?;
    let picture = format.map(|format| picture::draw(&model, &found, format)).transpose()?;
    let table_file = output.map(|output| (output, table.clone()));
    publish([table_file, args.plot.as_deref().zip(picture)].into_iter().flatten())?;
    drop(progress);
    if !args.quiet {
        report(&model, &asked, args.seed);
    }
    if to_stdout { write_stdout(&table) } else { Ok(()) }
}

/// The model with the numbers of the command line.
fn model(name: &str, typed: &[String]) -> Result<Named, Error> {
    let unknown = || {
        let known: Vec<_> = Named::all().iter().map(|model| model.definition().name).collect();
        SimulationError::UnknownModel { name: name.to_owned(), known: known.join(", ") }
    };
    let mut model = Named::new(name).ok_or_else(unknown)?;
    let definition = model.definition();
    for (name, value) in named_values::parse(typed)? {
        let changed = model.with(name, value).ok_or_else(|| Error::UnknownParameter {
            system: definition.name,
            name: name.to_owned(),
            known: definition.parameters.iter().map(|p| p.name).collect::<Vec<_>>().join(", "),
        })?;
        model = changed?;
    }
    Ok(model)
}

/// Tells on standard error what was done.
fn report(model: &Named, asked: &Asked, seed: u64) {
    let definition = model.definition();
    let name = definition.name;
    let Asked { paths, steps, t1, .. } = asked;
    diagnostic(&format!(
        "{name}: {paths} paths of {steps} steps to t = {}, seed {seed}",
        rounded(*t1)
    ));
    diagnostic(&format!("{name}: {}", definition.scheme));
    if asked.sketched() {
        diagnostic(&format!("{name}: quantiles are within 1/128 of themselves"));
    }
    // Without noise there is no such condition.
    if let Named::CoxIngersollRoss(model) = model
        && let feller = model.feller()
        && feller.is_finite()
    {
        let meaning = if feller >= 1.0 {
            "0 is never reached"
        } else {
            "below 1, so that 0 is reached, where truncation lifts the mean"
        };
        let text = rounded(format!("{feller:.4}").parse().unwrap_or(feller));
        diagnostic(&format!("{name}: 2 kappa theta / sigma^2 is {text}: {meaning}"));
    }
}
