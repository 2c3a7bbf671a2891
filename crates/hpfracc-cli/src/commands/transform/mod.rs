//! `hpfracc transform`: transforms a column, or two columns that form a complex signal.

mod args;
mod picture;
mod request;

use crate::Error;
use crate::error::TransformError;
use crate::input::{CsvTable, Missing, Series, SeriesOptions};
use crate::output::Progress;
use crate::output::{diagnostic, publish, refuse_shared_files, write_stdout};
use crate::plot::Format;
use crate::text::digits17;
pub(crate) use args::TransformArgs;
use hpfracc::transforms::num_complex::Complex64;
use request::{Request, Transformed};

pub(crate) fn run(args: &TransformArgs) -> Result<(), Error> {
    let request = Request::new(args)?;
    let format = args.plot.as_deref().map(Format::of).transpose()?;
    refuse_shared_files(&[
        ("the input", Some(args.input.as_path())),
        ("--output", Some(args.output.as_path())),
        ("--plot", args.plot.as_deref()),
    ])?;

    let progress = Progress::start(args.quiet);
    progress.step("reading");
    let input = CsvTable::open(&args.input)?;
    let signal = Signal::read(&input, args)?;
    progress.step("computing");
    let transformed = request.apply(&signal.values, signal.real.grid.dt())?;
    progress.step("writing");
    let name = request.column(&signal.name);
    let table = to_csv(&name, &transformed)?;
    let picture = match format {
        Some(format) => {
            let title = format!("{}: {}", signal.name, request.title());
            Some(picture::draw(&title, &transformed, format)?)
        }
        None => None,
    };
    let to_stdout = args.output.as_os_str() == "-";
    let table_file = (!to_stdout).then(|| (args.output.as_path(), table.clone()));
    publish([table_file, args.plot.as_deref().zip(picture)].into_iter().flatten())?;
    drop(progress);
    if !args.quiet {
        for note in signal.notes() {
            diagnostic(&format!("{}: {note}", input.source_name()));
        }
        diagnostic(&transformed.meaning);
    }
    if to_stdout { write_stdout(&table) } else { Ok(()) }
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
        let options = |column: Option<&String>| SeriesOptions {
            column: column.cloned(),
            time: args.time.clone(),
            dt: args.dt,
            missing: args.missing,
        };
        // With --imag, clap requires --column.
        let real = Series::new(input, &options(args.column.as_ref()))?;
        let Some(imaginary) = &args.imag else {
            let values = real.values.iter().map(|x| Complex64::from(*x)).collect();
            return Ok(Self { name: real.name.clone(), real, imaginary: None, values });
        };
        let imaginary = Series::new(input, &options(Some(imaginary)))?;
        if real.labels != imaginary.labels {
            // Only --missing drop changes the times of a column.
            debug_assert_eq!(args.missing, Missing::Drop);
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

/// CSV of coordinate, real part, imaginary part and modulus, with 17 significant digits.
fn to_csv(name: &str, transformed: &Transformed) -> Result<Vec<u8>, Error> {
    let failed = |source| Error::Csv { name: "output".to_owned(), source };
    let mut writer = csv::Writer::from_writer(Vec::new());
    let parts = ["re", "im", "abs"].map(|part| format!("{part}({name})"));
    let header = std::iter::once(transformed.coordinate.to_owned()).chain(parts);
    writer.write_record(header).map_err(failed)?;
    for (u, y) in transformed.coordinates.iter().zip(&transformed.values) {
        writer.write_record([*u, y.re, y.im, y.norm()].map(digits17)).map_err(failed)?;
    }
    writer.into_inner().map_err(|e| failed(e.into_error().into()))
}
