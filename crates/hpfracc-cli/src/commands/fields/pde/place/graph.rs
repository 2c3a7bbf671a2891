//! Graphs as places of fields: edges, and attributes of the nodes.

use super::{Place, PlaceKind};
use crate::Error;
use crate::commands::fields::graph::{
    LaplacianKind, NODE, Nodes, bad, nodes_and_columns, nodes_of_edges,
};
use crate::input::CsvTable;
use std::path::Path;

/// The graph of a table of edges. Its nodes are in the order of their own table if there is one, whose
/// columns of numbers are the coordinates of texts.
pub(super) fn read(
    edges: &Path,
    nodes: Option<&Path>,
    kind: LaplacianKind,
) -> Result<Place, Error> {
    let edges = CsvTable::open(edges)?;
    let Some(nodes) = nodes else {
        let nodes = Nodes::new(&edges, nodes_of_edges(&edges)?, kind)?;
        return Ok(Place { names: Vec::new(), kind: PlaceKind::Graph(nodes, Vec::new()) });
    };
    let table = CsvTable::open(nodes)?;
    if !table.header().iter().any(|name| name == NODE) {
        return Err(bad(&table, "no column `node` with the names of the nodes"));
    }
    let (names, columns) = nodes_and_columns(&table)?;
    let nodes = Nodes::new(&edges, names, kind)?;
    let (names, columns) = columns.into_iter().unzip();
    Ok(Place { names, kind: PlaceKind::Graph(nodes, columns) })
}
