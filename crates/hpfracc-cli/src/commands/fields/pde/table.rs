//! Fields as CSV or NumPy file.

use super::Frames;
use super::statement::Statement;
use crate::Error;
use crate::commands::fields::npy;
use crate::output::csv_of_columns;
use ndarray::aview1;
use std::path::Path;

/// Bytes of the output file, in the format of its name.
pub(super) fn bytes(statement: &Statement, frames: &Frames, path: &Path) -> Result<Vec<u8>, Error> {
    let fields = statement.fields();
    let n = statement.grid.len();
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("npy")) {
        let mut shape = vec![frames.times.len()];
        if fields.len() > 1 {
            shape.push(fields.len());
        }
        shape.extend(statement.grid.shape());
        return Ok(npy::bytes(&shape, frames.states.iter().flatten().copied()));
    }
    let points: Vec<Vec<f64>> = (0..n).map(|k| statement.grid.coordinates(k)).collect();
    let times = frames.times.iter().flat_map(|t| std::iter::repeat_n(*t, n)).collect();
    let mut columns: Vec<(String, Vec<f64>)> = vec![("t".to_owned(), times)];
    for (d, name) in statement.names.iter().enumerate() {
        let once = points.iter().map(|point| point[d]);
        let all = (0..frames.times.len()).flat_map(|_| once.clone()).collect();
        columns.push(((*name).to_owned(), all));
    }
    for (k, name) in fields.iter().enumerate() {
        let rows = frames.states.iter().flat_map(|state| state[k * n..(k + 1) * n].to_vec());
        columns.push(((*name).to_owned(), rows.collect()));
    }
    csv_of_columns(columns.iter().map(|(name, values)| (name.clone(), aview1(values))))
}
