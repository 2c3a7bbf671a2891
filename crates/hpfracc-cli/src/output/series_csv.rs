use super::csv_bytes::csv_bytes;
use crate::Error;
use crate::input::Series;
use hpfracc::types::shortest;

/// CSV of a time series and its results: the time as text of the file, the samples, and a named
/// column for each result, numbers as their [`shortest`] decimals.
///
/// # Errors
/// [`Error::Csv`] if the CSV writer fails.
pub fn to_csv<P>(series: &Series<P>, results: &[(&str, &[f64])]) -> Result<Vec<u8>, Error> {
    let names = results.iter().map(|(name, _)| (*name).to_owned());
    let header = [series.time_name.clone(), series.name.clone()].into_iter().chain(names).collect();
    let rows = series.labels.iter().zip(&series.values).enumerate();
    let rows = rows.map(|(j, (label, sample))| {
        let values = results.iter().map(|(_, values)| shortest(values[j]));
        [label.clone(), shortest(*sample)].into_iter().chain(values).collect()
    });
    csv_bytes("output", std::iter::once(header).chain(rows))
}
