//! Files that texts of equations name.

use crate::Error;
use crate::input::CsvTable;
use hpfracc::equation::{Files, Network};
use hpfracc::nn::SavedNetwork;
use std::path::Path;

/// Files of a folder, to which their paths are relative: that of the equation's file, or the current one.
pub(crate) struct FilesIn<'a>(pub(crate) &'a Path);

impl Files for FilesIn<'_> {
    fn network(&self, path: &str) -> Result<Network, String> {
        SavedNetwork::equation_network(&self.0.join(path))
    }

    fn table(&self, path: &str, arguments: &str, values: &str) -> Result<[Vec<f64>; 2], String> {
        columns(&self.0.join(path), [arguments, values]).map_err(|error| error.to_string())
    }
}

/// Columns of numbers without gaps.
fn columns(path: &Path, names: [&str; 2]) -> Result<[Vec<f64>; 2], Error> {
    let table = CsvTable::open(path)?;
    let column = |name: &str| table.complete_numbers(table.column(name)?);
    let [arguments, values] = names.map(column);
    Ok([arguments?, values?])
}
