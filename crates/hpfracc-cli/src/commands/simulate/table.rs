//! Table of paths, moments and quantiles.

use super::args::SimulateArgs;
use super::statistics::Statistics;
use crate::Error;
use crate::output::csv_bytes;
use crate::text::{digits17, shortest};
use hpfracc::sde::models::{Known, Named};

/// Name of a column and its value at each time.
type Column = (String, Vec<f64>);

/// CSV with 17 significant digits.
pub(super) fn to_csv(
    model: &Named,
    args: &SimulateArgs,
    statistics: &Statistics,
) -> Result<Vec<u8>, Error> {
    let names = model.definition().observables;
    let times = &statistics.moments.times;
    let mut columns = vec![("t".to_owned(), times.clone())];
    if args.moments {
        columns.extend(moments(model, statistics)?);
    }
    if !args.quantiles.is_empty() {
        for (observable, name) in names.iter().enumerate() {
            let quantiles = statistics.quantiles(observable, &args.quantiles);
            let levels =
                args.quantiles.iter().map(|level| format!("q{}({name})", shortest(*level)));
            columns.extend(levels.zip(quantiles));
        }
    }
    if let Some(all) = statistics.paths().filter(|_| columns.len() == 1) {
        let paths = 0..all.dim().0;
        let names = paths.flat_map(|path| names.iter().map(move |name| format!("{name}[{path}]")));
        let rows = times.iter().enumerate().map(|(time, t)| {
            let values = all.outer_iter().flat_map(|path| path.row(time).to_vec());
            std::iter::once(*t).chain(values).map(digits17).collect()
        });
        let header = std::iter::once("t".to_owned()).chain(names).collect();
        return csv_bytes("output", std::iter::once(header).chain(rows));
    }
    let header = columns.iter().map(|(name, _)| name.clone()).collect();
    let rows = (0..times.len())
        .map(|time| columns.iter().map(|(_, values)| digits17(values[time])).collect());
    csv_bytes("output", std::iter::once(header).chain(rows))
}

/// Mean and variance of each observable, their exact values where known, and the covariances.
fn moments(model: &Named, statistics: &Statistics) -> Result<Vec<Column>, Error> {
    let (names, moments) = (model.definition().observables, &statistics.moments);
    let known = moments.times.iter().map(|t| model.known(*t));
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
