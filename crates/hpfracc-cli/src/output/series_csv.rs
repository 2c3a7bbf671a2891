use crate::Error;
use crate::input::Series;
use crate::text::digits17;

/// CSV of a time series and its results: the time as text of the file, the samples, and a named
/// column for each result, numbers with 17 significant digits.
///
/// # Errors
/// [`Error::Csv`] if the CSV writer fails.
pub fn to_csv<P>(series: &Series<P>, results: &[(&str, &[f64])]) -> Result<Vec<u8>, Error> {
    let failed = |source| Error::Csv { name: "output".to_owned(), source };
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut row = vec![series.time_name.clone(), series.name.clone()];
    row.extend(results.iter().map(|(name, _)| (*name).to_owned()));
    writer.write_record(&row).map_err(failed)?;
    for (j, (label, sample)) in series.labels.iter().zip(&series.values).enumerate() {
        row.clear();
        row.extend([label.clone(), digits17(*sample)]);
        row.extend(results.iter().map(|(_, values)| digits17(values[j])));
        writer.write_record(&row).map_err(failed)?;
    }
    writer.into_inner().map_err(|e| failed(e.into_error().into()))
}
