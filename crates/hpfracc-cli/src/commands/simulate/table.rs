//! Table of paths, moments and quantiles.

use super::args::SimulateArgs;
use super::statistics::Statistics;
use crate::Error;
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
    let failed = |source| Error::Csv { name: "output".to_owned(), source };
    let mut writer = csv::Writer::from_writer(Vec::new());
    let names = model.definition().observables;
    let times = &statistics.moments.times;
    if args.moments || !args.quantiles.is_empty() {
        let mut columns = vec![("t".to_owned(), times.clone())];
        if args.moments {
            columns.extend(moments(model, statistics)?);
        }
        for (observable, name) in names.iter().enumerate().filter(|_| !args.quantiles.is_empty()) {
            let quantiles = statistics.quantiles(observable, &args.quantiles);
            let levels =
                args.quantiles.iter().map(|level| format!("q{}({name})", shortest(*level)));
            columns.extend(levels.zip(quantiles));
        }
        writer.write_record(columns.iter().map(|(name, _)| name)).map_err(failed)?;
        for time in 0..times.len() {
            let cells = columns.iter().map(|(_, values)| digits17(values[time]));
            writer.write_record(cells).map_err(failed)?;
        }
    } else if let Some(all) = statistics.paths() {
        let paths = 0..all.dim().0;
        let columns =
            paths.flat_map(|path| names.iter().map(move |name| format!("{name}[{path}]")));
        writer.write_record(std::iter::once("t".to_owned()).chain(columns)).map_err(failed)?;
        for (time, t) in times.iter().enumerate() {
            let values = all.outer_iter().flat_map(|path| path.row(time).to_vec());
            writer.write_record(std::iter::once(*t).chain(values).map(digits17)).map_err(failed)?;
        }
    }
    writer.into_inner().map_err(|e| failed(e.into_error().into()))
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
