//! `hpfracc pde`: equations of fields.

mod args;
mod domain;
mod list;
mod picture;
mod place;
mod poisson;
mod solving;
mod start;
mod statement;
mod table;

pub(crate) use args::PdeArgs;

use crate::Error;
use crate::error::FieldsError;
use crate::memory;
use crate::output::{Progress, diagnostic, refuse_shared_files};
use crate::text::rounded;
use args::PdeCommand;
use hpfracc_plot::Format;
use place::PlaceKind;
use solving::Frames;
use statement::Statement;

pub(crate) fn run(args: &PdeArgs) -> Result<(), Error> {
    match &args.command {
        Some(PdeCommand::List) => list::run(),
        Some(PdeCommand::Poisson(args)) => poisson::run(args),
        None => solve_equation(args),
    }
}

fn solve_equation(args: &PdeArgs) -> Result<(), Error> {
    let statement = Statement::new(args)?;
    let format = args.files.check(None)?;
    check_animation(args, &statement)?;
    let until = until(args, &statement)?;
    let times = times(args, &statement, until)?;
    let shown = shown_field(args, &statement)?;
    let fields = statement.fields().len();
    let bytes = (times.len() * fields * statement.place.n()) as u64 * 60;
    memory::require(
        format!("the fields at {} times", times.len()),
        bytes,
        "--frames sets their number",
    )?;
    let progress = Progress::start(args.files.quiet);
    progress.step("solving");
    let frames = Frames::new(args, &statement, until, times)?;
    progress.step("writing");
    let table = table::bytes(&statement, &frames, &args.files.output)?;
    let draw = |format| picture::draw(&statement, &frames, shown, format);
    let picture = format.map(draw).transpose()?;
    let animation = match &args.animate {
        Some(path) => Some((path.as_path(), picture::animate(&statement, &frames, shown)?)),
        None => None,
    };
    args.files.finish_with(table, picture, animation, || {
        drop(progress);
        report(&statement, &frames);
    })
}

/// End of the time: of the command line, else of the text, else the last time of the output.
fn until(args: &PdeArgs, statement: &Statement) -> Result<f64, Error> {
    let text = statement.problem.text();
    let of_text = text.interval().map(|[_, end]| text.values(&[end])[0]);
    let last = args.times.last().copied();
    args.until.or(of_text).or(last).ok_or_else(|| FieldsError::NoEnd.into())
}

/// Times of the output.
fn times(args: &PdeArgs, statement: &Statement, until: f64) -> Result<Vec<f64>, Error> {
    if args.times.is_empty() {
        let default = if statement.place.dimensions() == 1 { 101 } else { 6 };
        let last = args.frames.unwrap_or(default) - 1;
        return Ok((0..=last).map(|k| until * f64::from(k) / f64::from(last)).collect());
    }
    let mut before = 0.0;
    for (k, &time) in args.times.iter().enumerate() {
        let increasing = time > before || k == 0 && time == 0.0;
        if !(increasing && time <= until) {
            return Err(FieldsError::Time { time, until }.into());
        }
        before = time;
    }
    Ok(args.times.clone())
}

/// Index of the field of the pictures.
fn shown_field(args: &PdeArgs, statement: &Statement) -> Result<usize, Error> {
    let Some(name) = &args.field else { return Ok(0) };
    let fields = statement.fields();
    let found = fields.iter().position(|field| field == name);
    found.ok_or_else(|| Error::unknown("the equation has ", "field", name, fields))
}

fn check_animation(args: &PdeArgs, statement: &Statement) -> Result<(), Error> {
    let Some(path) = &args.animate else { return Ok(()) };
    if Format::of(path).ok() != Some(Format::Png) {
        return Err(FieldsError::Animation { path: path.display().to_string() }.into());
    }
    refuse_shared_files(&[
        ("--output", Some(args.files.output.as_path())),
        ("--plot", args.files.plot.as_deref()),
        ("--animate", Some(path)),
    ])?;
    picture::require_dimensions(statement, "--animate")
}

/// Writes diagnostics: how it was solved, and range and total of each field.
fn report(statement: &Statement, frames: &Frames) {
    let name = &statement.name;
    frames.notes.iter().for_each(|note| diagnostic(&format!("{name}: {note}")));
    if let PlaceKind::Graph(nodes, _) = &statement.place.kind {
        diagnostic(&nodes.notes());
    }
    let n = statement.place.n();
    for (k, field) in statement.fields().iter().enumerate() {
        let of = |state: &Vec<f64>| {
            let values = &state[k * n..(k + 1) * n];
            let range = values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), u| {
                (low.min(*u), high.max(*u))
            });
            (statement.place.total(values), range)
        };
        let (Some(first), Some(last)) = (frames.states.first(), frames.states.last()) else {
            continue;
        };
        let times = [frames.times[0], frames.times[frames.times.len() - 1]].map(rounded);
        let (((total, before), _), ((_, after), (low, high))) = (of(first), of(last));
        diagnostic(&format!(
            "{name}: {total} of {field} {} at t = {}, {} at t = {}, where it is from {} to {}",
            rounded(before),
            times[0],
            rounded(after),
            times[1],
            rounded(low),
            rounded(high)
        ));
    }
}
