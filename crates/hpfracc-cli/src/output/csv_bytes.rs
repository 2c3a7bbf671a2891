use crate::Error;
use hpfracc::types::shortest;
use ndarray::ArrayView1;
use std::iter::once;

/// CSV of these records, the header first; errors name it `name`.
///
/// # Errors
/// [`Error::Csv`] if the CSV writer fails.
pub(crate) fn csv_bytes(
    name: &str,
    records: impl IntoIterator<Item = Vec<String>>,
) -> Result<Vec<u8>, Error> {
    let failed = |source| Error::Csv { name: name.to_owned(), source };
    let mut writer = csv::Writer::from_writer(Vec::new());
    records.into_iter().try_for_each(|record| writer.write_record(record)).map_err(failed)?;
    writer.into_inner().map_err(|e| failed(e.into_error().into()))
}

/// CSV of named columns of equal lengths, numbers as their [`shortest`] decimals.
///
/// # Errors
/// [`Error::Csv`] if the CSV writer fails.
pub(crate) fn csv_of_columns<'a>(
    columns: impl IntoIterator<Item = (String, ArrayView1<'a, f64>)>,
) -> Result<Vec<u8>, Error> {
    let (names, columns): (Vec<String>, Vec<_>) = columns.into_iter().unzip();
    let rows = 0..columns.first().map_or(0, ArrayView1::len);
    let rows = rows.map(|row| columns.iter().map(|column| shortest(column[row])).collect());
    csv_bytes("output", once(names).chain(rows))
}
