//! Files that texts of equations name.

use crate::Error;
use crate::input::CsvTable;
use hpfracc::equation::{Files, Network};
use hpfracc::nn::SavedNetwork;
use std::path::Path;

/// Files of a folder, to which their paths are relative: that of the equation's file, or the current one.
pub(super) struct FilesIn<'a>(pub(super) &'a Path);

/// Largest file of a network, in bytes.
const LARGEST: u64 = 1 << 30;

impl Files for FilesIn<'_> {
    fn network(&self, path: &str) -> Result<Network, String> {
        let path = self.0.join(path);
        let named = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let found = path.metadata().map_err(|error| named(&error))?;
        if !found.is_file() || found.len() > LARGEST {
            return Err(named(&"expected a file of at most 1 GiB"));
        }
        let text = std::fs::read_to_string(&path).map_err(|error| named(&error))?;
        let saved = SavedNetwork::from_json(&text).map_err(|error| named(&error))?;
        saved.to_equation().map_err(|error| named(&error))
    }

    fn table(&self, path: &str, arguments: &str, values: &str) -> Result<[Vec<f64>; 2], String> {
        columns(&self.0.join(path), [arguments, values]).map_err(|error| error.to_string())
    }
}

/// Columns of numbers without gaps.
fn columns(path: &Path, names: [&str; 2]) -> Result<[Vec<f64>; 2], Error> {
    let table = CsvTable::open(path)?;
    let mut columns = [vec![], vec![]];
    for (numbers, name) in columns.iter_mut().zip(names) {
        let column = table.column(name)?;
        for (row, number) in table.numbers(column)?.into_iter().enumerate() {
            numbers.push(number.ok_or_else(|| Error::NotANumber {
                place: table.place(row, column),
                text: table.cell(row, column).into_owned(),
            })?);
        }
    }
    Ok(columns)
}
