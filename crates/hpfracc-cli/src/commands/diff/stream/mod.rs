//! `hpfracc diff --stream` and `--chunk`: applies an operator to a time series piece by piece.

mod evaluation;
mod results;
mod samples;
mod steps;
mod table;

use super::DiffArgs;
use crate::Error;
use crate::commands::diff::operator::OperatorChoice;
use crate::compute::{Dtype, report_wisdom};
use crate::input::{CsvRow, CsvRows};
use crate::output::Progress;
use crate::output::diagnostic;
use crate::text::rounded;
use evaluation::{Evaluation, Method};
use hpfracc::Machine;
use hpfracc::operators::OperatorError;
use hpfracc::types::Real;
use results::Results;
use samples::Samples;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;

/// Default relative error of each weight of a stream.
const TOLERANCE: f64 = 1e-10;
/// Maximum number of samples from a pipe, whose length is unknown: eleven days at a million samples
/// per second.
const ENDLESS: u64 = 1_000_000_000_000;
/// Maximum number of buffered samples that a stream processes at once.
const BLOCK: usize = 1024;
/// Relative difference of the mean step above which a diagnostic is written.
const DRIFT: f64 = 1e-9;

/// Runs `diff` by pieces; `None` without --stream and --chunk.
pub(crate) fn run(
    args: &DiffArgs,
    asked: &OperatorChoice<'_>,
    machine: &Machine,
) -> Option<Result<(), Error>> {
    let manner = match (args.chunk, args.stream) {
        (Some(chunk), _) => Method::Chunks(chunk),
        (None, true) => Method::Stream(args.tolerance.unwrap_or(TOLERANCE)),
        (None, false) => return None,
    };
    Some(match args.dtype {
        Dtype::F64 => through::<f64>(args, asked, manner, machine),
        Dtype::F32 => through::<f32>(args, asked, manner, machine),
    })
}

fn through<T: Real>(
    args: &DiffArgs,
    asked: &OperatorChoice<'_>,
    manner: Method,
    machine: &Machine,
) -> Result<(), Error> {
    if manner == Method::Chunks(0) {
        return Err(OperatorError::EmptyChunk.into());
    }
    let progress = Progress::start(args.files.quiet);
    let (input, quiet) = (&args.series.input, args.files.quiet);
    let from_stdin = input.as_os_str() == "-";
    let name = if from_stdin { "<stdin>".to_owned() } else { input.display().to_string() };
    let (source, longest) = source(args, manner, &name, &progress)?;
    // clap rejects --missing; its default is an error.
    let options = args.series.options(None);
    let mut samples = Samples::open(&name, source, &options, &args.series.missing_value)?;
    let chosen = asked.on(samples.first())?;
    let grid = (samples.step(), longest);
    let mut evaluation = Evaluation::<T>::new(&chosen.operator, manner, grid, machine)?;
    let (time_name, column) = samples.names();
    let names = [time_name.to_owned(), column.to_owned(), chosen.column(column)];
    let mut results = Results::new(&args.files.output, names);

    let (mut piece, mut found) = (Vec::new(), Vec::new());
    loop {
        piece.clear();
        let read = read_piece(&mut samples, manner, &mut piece, &mut results);
        // Samples before a malformed row get their results.
        if !piece.is_empty() {
            evaluation.push(&piece, &mut found)?;
            if results.are_none() && chosen.operator.starts_at_zero() && !found.is_empty() {
                found[0] = T::zero();
            }
            if results.are_none() && !quiet {
                // Before the first rows, because a stream may be endless.
                samples.notes.iter().for_each(|note| diagnostic(&format!("{name}: {note}")));
            }
            results.write(&found)?;
            progress.read(samples.bytes(), samples.count());
        }
        read?;
        if piece.is_empty() {
            break;
        }
    }
    let not_finite = results.finish()?;
    drop(progress);
    if !quiet {
        report(&name, &samples, machine);
        if let Some(note) = not_finite {
            diagnostic(&note);
        }
    }
    Ok(())
}

/// Input and its maximum number of samples.
fn source(
    args: &DiffArgs,
    manner: Method,
    name: &str,
    progress: &Progress,
) -> Result<(Box<dyn Read>, u64), Error> {
    let unread = |source| Error::Read { name: name.to_owned(), source };
    match manner {
        Method::Stream(_) => {
            let (source, bytes) = open(&args.series.input).map_err(unread)?;
            progress.of_bytes(bytes);
            // A row has at least one character and a line end.
            Ok((source, bytes.map_or(ENDLESS, |bytes| (bytes / 2).max(2))))
        }
        Method::Chunks(_) => {
            progress.step("counting");
            let mut file = seekable(&args.series.input).map_err(unread)?;
            let rows = count(name, &mut file)?;
            file.rewind().map_err(unread)?;
            progress.of_bytes(file.metadata().map(|m| m.len()).ok());
            Ok((Box::new(file), rows))
        }
    }
}

/// Samples of the next piece in the precision of the computation; empty at the end.
fn read_piece<T: Real, R: Read>(
    samples: &mut Samples<R>,
    manner: Method,
    piece: &mut Vec<T>,
    results: &mut Results,
) -> Result<(), Error> {
    while piece.is_empty() || manner.wants(piece.len(), samples.is_ready()) {
        let Some(sample) = samples.next()? else { break };
        let value = T::narrow(sample.value);
        if !value.widen().is_finite() {
            return Err(samples.outside_f32(sample));
        }
        piece.push(value);
        results.expect(sample);
    }
    Ok(())
}

impl Method {
    /// Whether another sample belongs to the piece.
    fn wants(self, len: usize, is_ready: bool) -> bool {
        match self {
            Self::Stream(_) => len < BLOCK && is_ready,
            Self::Chunks(chunk) => len < chunk,
        }
    }
}

/// Input, and its length if it is a file.
fn open(path: &Path) -> io::Result<(Box<dyn Read>, Option<u64>)> {
    if path.as_os_str() == "-" {
        return Ok((Box::new(io::stdin()), None));
    }
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    Ok((Box::new(file), metadata.is_file().then_some(metadata.len())))
}

/// File that can be read twice; a pipe is copied to an unnamed temporary file.
fn seekable(path: &Path) -> io::Result<File> {
    let (mut source, bytes) = open(path)?;
    if bytes.is_some() {
        return File::open(path);
    }
    let mut file = tempfile::tempfile()?;
    io::copy(&mut source, &mut file)?;
    file.rewind()?;
    Ok(file)
}

/// Number of rows below the header.
fn count(name: &str, file: &mut File) -> Result<u64, Error> {
    let mut rows = CsvRows::new(name, file)?;
    let (mut row, mut count) = (CsvRow::default(), 0_u64);
    while rows.read(&mut row)? {
        count += 1;
    }
    Ok(count.saturating_sub(1))
}

/// Writes diagnostics at the end.
fn report<R: Read>(name: &str, samples: &Samples<R>, machine: &Machine) {
    report_wisdom(machine);
    let step = samples.step();
    if let Some(mean) = samples.mean_step().filter(|mean| (mean - step).abs() > DRIFT * step) {
        diagnostic(&format!(
            "{name}: the mean step of all rows is {}, not {}",
            rounded(mean),
            rounded(step)
        ));
    }
}
