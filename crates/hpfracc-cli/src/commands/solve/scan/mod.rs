//! Solutions for many values of a parameter, or of two.

mod picture;
mod range;
mod summary;

use super::args::SolveArgs;
use super::method::Method;
use crate::compute::in_pool;
use crate::equations::Case;
use crate::output::{Progress, csv_of_columns, diagnostic, refuse_unwritable};
use crate::{Error, Ranks};
use hpfracc_plot::Format;
use ndarray::aview1;
use picture::{Column, Content};
use range::Range;
use summary::{Summary, columns, quantities};

/// A scan before it is solved.
struct Prepared {
    ranges: Vec<Range>,
    known: Vec<String>,
    content: Option<Content>,
    format: Option<Format>,
}

pub(super) fn run(
    args: &SolveArgs,
    case: &Case,
    method: &Method,
    ranks: &Ranks,
) -> Result<(), Error> {
    let prepared = ranks.prepared(prepare(args, case, method, ranks))?;
    let Prepared { ranges, known, content, format } = prepared;
    let maxima = content.as_ref().map_or(0, Content::maxima);
    let progress = Progress::start(args.files.quiet);
    progress.step("solving");
    let count = ranges.iter().map(|range| range.values.len()).product();
    let solve = |point: usize| -> Result<Option<Summary>, Error> {
        let mut case = case.clone();
        for (Range { parameter, .. }, value) in ranges.iter().zip(at(&ranges, point)) {
            case.set(&[(parameter, value)])?;
        }
        let solution = method.attempt(&case.problem()?).ok();
        Ok(solution.map(|solution| Summary::new(&case, &solution, method, maxima)))
    };
    let all = in_pool(|| ranks.shared().map(count, solve))??;
    if !ranks.is_first() {
        return Ok(());
    }
    progress.step("writing");
    let failed = all.iter().filter(|summary| summary.is_none()).count();
    let table = table(&ranges, &known, &all);
    let picture = match (&content, format) {
        (Some(content), Some(format)) => {
            Some(content.draw(case, &ranges, (&all, &table), format)?)
        }
        _ => None,
    };
    let csv = csv_of_columns(table.iter().map(|(name, values)| (name.clone(), aview1(values))))?;
    args.files.finish(csv, picture, || {
        drop(progress);
        let names: Vec<&str> = ranges.iter().map(|range| range.parameter.as_str()).collect();
        let (name, names) = (&case.name, names.join(", "));
        diagnostic(&format!("{name}: {count} values of {names}, {failed} without a solution"));
    })
}

/// Checks what is solved and where it is written, before anything is solved.
fn prepare(
    args: &SolveArgs,
    case: &Case,
    method: &Method,
    ranks: &Ranks,
) -> Result<Prepared, Error> {
    let ranges = range::parse(&args.scan)?;
    for Range { parameter, values } in &ranges {
        let mut probe = case.clone();
        values.iter().try_for_each(|value| probe.set(&[(parameter, *value)]))?;
    }
    let format = args.files.check(None)?;
    if ranks.is_first() {
        refuse_unwritable(args.files.files())?;
    }
    let known: Vec<String> = quantities(case).iter().flat_map(|name| columns(name)).collect();
    let content = match format {
        Some(_) => Some(Content::new(case, &ranges, args.quantity.as_deref(), &known)?),
        None => None,
    };
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    method.require_memory(case, threads)?;
    Ok(Prepared { ranges, known, content, format })
}

/// Values of the parameters at a point of the scan; those of the last one change fastest.
fn at(ranges: &[Range], point: usize) -> Vec<f64> {
    let mut rest = point;
    let values = ranges.iter().rev().map(|range| {
        let value = range.values[rest % range.values.len()];
        rest /= range.values.len();
        value
    });
    let mut values: Vec<f64> = values.collect();
    values.reverse();
    values
}

/// A row for each point: the parameters, and of each quantity the value at the end and its range over the
/// second half. NaN where there is no solution.
fn table(ranges: &[Range], known: &[String], all: &[Option<Summary>]) -> Vec<Column> {
    let points: Vec<Vec<f64>> = (0..all.len()).map(|point| at(ranges, point)).collect();
    let parameters = ranges
        .iter()
        .enumerate()
        .map(|(k, range)| (range.parameter.clone(), points.iter().map(|point| point[k]).collect()));
    let numbers = known.iter().enumerate().map(|(k, name)| {
        let number = |summary: &Summary| summary.numbers[k / 3][k % 3];
        let number = |summary: &Option<Summary>| summary.as_ref().map_or(f64::NAN, number);
        (name.clone(), all.iter().map(number).collect())
    });
    parameters.chain(numbers).collect()
}
