use crate::Error;

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
