//! Fields as CSV or NumPy file.

use super::place::PlaceKind;
use super::solving::Frames;
use super::statement::Statement;
use crate::Error;
use crate::commands::fields::graph::NODE;
use crate::commands::fields::npy;
use crate::output::{csv_bytes, csv_of_columns};
use hpfracc::types::shortest;
use ndarray::aview1;
use std::path::Path;

/// Bytes of the output file, in the format of its name.
pub(super) fn bytes(statement: &Statement, frames: &Frames, path: &Path) -> Result<Vec<u8>, Error> {
    let (fields, place) = (statement.fields(), &statement.place);
    let n = place.n();
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("npy")) {
        let mut shape = vec![frames.times.len()];
        if fields.len() > 1 {
            shape.push(fields.len());
        }
        shape.extend(place.shape());
        let rows = frames.states.iter().flat_map(|state| state.chunks_exact(n));
        return Ok(npy::bytes(&shape, rows.flat_map(|row| place.whole(row))));
    }
    if let PlaceKind::Graph(nodes, _) = &place.kind {
        let shown = frames.shown.iter().map(|(name, _)| name.as_str());
        let header = ["t", NODE].into_iter().chain(fields).chain(shown);
        let header = header.map(str::to_owned).collect();
        let record = |k: usize| {
            let (time, node) = (k / n, k % n);
            let values = frames.states[time].iter().skip(node).step_by(n);
            let values = values.chain(frames.shown.iter().map(|(_, values)| &values[k]));
            let first = [shortest(frames.times[time]), nodes.names[node].clone()];
            first.into_iter().chain(values.map(|value| shortest(*value))).collect()
        };
        let records = (0..frames.times.len() * n).map(record);
        return csv_bytes("output", std::iter::once(header).chain(records));
    }
    let times = frames.times.iter().flat_map(|t| std::iter::repeat_n(*t, n)).collect();
    let mut columns: Vec<(String, Vec<f64>)> = vec![("t".to_owned(), times)];
    for (name, once) in place.names.iter().zip(place.columns().chunks_exact(n)) {
        columns.push((name.clone(), once.repeat(frames.times.len())));
    }
    for (k, name) in fields.iter().enumerate() {
        let rows = frames.states.iter().flat_map(|state| state[k * n..(k + 1) * n].to_vec());
        columns.push(((*name).to_owned(), rows.collect()));
    }
    columns.extend(frames.shown.iter().cloned());
    csv_of_columns(columns.iter().map(|(name, values)| (name.clone(), aview1(values))))
}
