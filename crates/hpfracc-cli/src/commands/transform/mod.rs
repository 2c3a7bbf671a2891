//! `hpfracc transform`: transforms a column, or two columns that form a complex signal.

mod args;
mod picture;
mod request;

use crate::Error;
use crate::error::TransformError;
use crate::input::{CsvTable, Missing, Series};
use crate::output::{Progress, csv_of_columns, diagnostic};
pub(crate) use args::TransformArgs;
use hpfracc::transforms::num_complex::Complex64;
use ndarray::aview1;
use request::{Request, Transformed};
use std::iter::once;

pub(crate) fn run(args: &TransformArgs) -> Result<(), Error> {
    let request = Request::new(args)?;
    let format = args.files.check(Some(&args.series.input))?;

    let progress = Progress::start(args.files.quiet);
    progress.step("reading");
    let input = args.series.table()?;
    let signal = Signal::read(&input, args)?;
    progress.step("computing");
    let transformed = request.apply(&signal.values, signal.real.grid.dt())?;
    progress.step("writing");
    let name = request.column(&signal.name);
    let table = to_csv(&name, &transformed)?;
    let title = format!("{}: {}", signal.name, request.title());
    let draw = |format| picture::draw(&title, &transformed, format);
    let picture = format.map(draw).transpose()?;
    args.files.finish(table, picture, || {
        drop(progress);
        for note in signal.notes() {
            diagnostic(&format!("{}: {note}", input.source_name()));
        }
        diagnostic(&transformed.meaning);
    })
}

/// Real column, or two columns that form a complex signal.
struct Signal {
    name: String,
    real: Series,
    imaginary: Option<Series>,
    values: Vec<Complex64>,
}

impl Signal {
    fn read(input: &CsvTable, args: &TransformArgs) -> Result<Self, Error> {
        // With --imag, clap requires --column.
        let real = Series::new(input, &args.series.options(None))?;
        let Some(imaginary) = &args.imag else {
            let values = real.values.iter().map(|x| Complex64::from(*x)).collect();
            return Ok(Self { name: real.name.clone(), real, imaginary: None, values });
        };
        if Some(imaginary) == args.series.column.as_ref() {
            return Err(TransformError::PartsEqual { name: imaginary.clone() }.into());
        }
        let imaginary = Series::new(input, &args.series.options(Some(imaginary)))?;
        if real.labels != imaginary.labels {
            // Only --missing drop changes the times of a column.
            debug_assert_eq!(args.series.missing, Missing::Drop);
            let span = |s: &Series| [s.labels[0].clone(), s.labels[s.labels.len() - 1].clone()];
            let (spans, names) = ((span(&real), span(&imaginary)), (real.name, imaginary.name));
            return Err(TransformError::PartsDiffer { names, spans: Box::new(spans) }.into());
        }
        let pairs = real.values.iter().zip(&imaginary.values);
        let values = pairs.map(|(re, im)| Complex64::new(*re, *im)).collect();
        let name = format!("{}+i*{}", real.name, imaginary.name);
        Ok(Self { name, real, imaginary: Some(imaginary), values })
    }

    /// Notes of both columns without duplicates.
    fn notes(&self) -> Vec<&str> {
        let series = [Some(&self.real), self.imaginary.as_ref()];
        let mut notes: Vec<&str> = Vec::new();
        for note in series.into_iter().flatten().flat_map(|series| &series.notes) {
            if !notes.contains(&note.as_str()) {
                notes.push(note);
            }
        }
        notes
    }
}

/// CSV of coordinate, real part, imaginary part and modulus.
fn to_csv(name: &str, transformed: &Transformed) -> Result<Vec<u8>, Error> {
    let names = ["re", "im", "abs"].map(|part| format!("{part}({name})"));
    let coordinate = (transformed.coordinate.to_owned(), &transformed.coordinates);
    let columns = once(coordinate).chain(names.into_iter().zip(&transformed.parts));
    csv_of_columns(columns.map(|(name, values)| (name, aview1(values))))
}
