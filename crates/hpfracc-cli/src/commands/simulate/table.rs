//! Table of paths, moments, quantiles and stops.

use super::args::SimulateArgs;
use super::statistics::Statistics;
use super::stops;
use super::subject::Subject;
use crate::Error;
use crate::output::csv_of_columns;
use hpfracc::ndarray::{ArrayView1, Axis, aview1};
use hpfracc::sde::models::Known;
use hpfracc::types::shortest;

/// Name of a column and its value at each time.
type Column = (String, Vec<f64>);

/// CSV, numbers as their [`shortest`] decimals.
pub(super) fn to_csv(
    subject: &Subject,
    args: &SimulateArgs,
    statistics: &Statistics,
) -> Result<Vec<u8>, Error> {
    let names = subject.observables();
    let times = &statistics.moments.times;
    let mut columns = vec![("t".to_owned(), times.clone())];
    if args.moments {
        columns.extend(moments(subject, statistics)?);
    }
    if !args.quantiles.is_empty() {
        for (observable, name) in names.iter().enumerate() {
            let quantiles = statistics.quantiles(observable, &args.quantiles);
            let levels =
                args.quantiles.iter().map(|level| format!("q{}({name})", shortest(*level)));
            columns.extend(levels.zip(quantiles));
        }
    }
    if columns.len() > 1 {
        columns.extend(statistics.passage.iter().flat_map(stops::columns));
    }
    let mut table: Vec<(String, ArrayView1<'_, f64>)> =
        columns.iter().map(|(name, values)| (name.clone(), aview1(values))).collect();
    if let Some(all) = statistics.paths().filter(|_| columns.len() == 1) {
        for (path, values) in all.outer_iter().enumerate() {
            for (i, name) in names.iter().enumerate() {
                let values = values.index_axis_move(Axis(1), i);
                table.push((format!("{name}[{path}]"), values));
            }
        }
    }
    csv_of_columns(table)
}

/// Mean and variance of each observable, their exact values where known, and the covariances.
fn moments(subject: &Subject, statistics: &Statistics) -> Result<Vec<Column>, Error> {
    let (names, moments) = (subject.observables(), &statistics.moments);
    let known = moments.times.iter().map(|t| subject.known(*t));
    let known: Vec<Vec<Known>> = known.collect::<Result<_, _>>()?;
    let mut columns = Vec::new();
    for (i, name) in names.iter().enumerate() {
        columns.push((format!("mean({name})"), moments.mean.column(i).to_vec()));
        let exact = known.iter().map(|known| known[i].mean).collect::<Option<Vec<f64>>>();
        columns.extend(exact.map(|exact| (format!("exact(mean({name}))"), exact)));
        let covariance = |j: usize| -> Vec<f64> {
            (0..moments.times.len()).map(|time| moments.covariance[[time, i, j]]).collect()
        };
        columns.push((format!("variance({name})"), covariance(i)));
        let exact = known.iter().map(|known| known[i].variance).collect::<Option<Vec<f64>>>();
        columns.extend(exact.map(|exact| (format!("exact(variance({name}))"), exact)));
        for (j, other) in names.iter().enumerate().skip(i + 1) {
            columns.push((format!("covariance({name};{other})"), covariance(j)));
        }
    }
    Ok(columns)
}
