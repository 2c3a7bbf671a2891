//! Files of a graph: its edges, and values on its nodes.

use super::args::Inputs;
use crate::Error;
use crate::error::FieldsError;
use crate::input::CsvTable;
use hpfracc::spatial::{Graph, GraphLaplacian};
use std::collections::HashMap;
use std::sync::Arc;

/// Columns of numbers with their names.
type Columns = Vec<(String, Vec<f64>)>;

/// A graph with values on its nodes.
pub(super) struct Data {
    pub(super) laplacian: Arc<GraphLaplacian>,
    /// Names of the nodes.
    pub(super) nodes: Vec<String>,
    pub(super) columns: Columns,
}

/// Column of the names of nodes.
const NODE: &str = "node";

impl Data {
    pub(super) fn read(inputs: &Inputs) -> Result<Self, Error> {
        let values = CsvTable::open(&inputs.values)?;
        let (nodes, columns) = nodes_and_columns(&values)?;
        let edges = CsvTable::open(&inputs.edges)?;
        let graph = Graph::undirected(nodes.len(), &edges_of(&edges, &nodes)?);
        let graph = graph.map_err(Error::library)?;
        let laplacian = GraphLaplacian::new(&graph, inputs.laplacian.normalisation());
        let laplacian = Arc::new(laplacian.map_err(Error::library)?);
        Ok(Self { laplacian, nodes, columns })
    }

    /// What a reader may not expect of the graph.
    pub(super) fn notes(&self) -> String {
        let graph = self.laplacian.graph();
        let report = graph.report();
        let (_, components) = graph.components();
        let mut notes = format!(
            "graph: {} nodes, {} edges, {components} component{}",
            graph.nodes(),
            graph.edges().filter(|(from, to, _)| from < to).count(),
            if components == 1 { "" } else { "s" }
        );
        for (what, count) in [
            ("edges given again, whose weights are added", report.duplicates),
            ("edges from a node to itself", report.loops),
            ("edges of weight 0, left out", report.zero_weights),
            ("nodes without an edge", report.isolated),
        ] {
            if count > 0 {
                notes += &format!("; {what}: {count}");
            }
        }
        notes
    }
}

/// Names of the nodes, and the columns of numbers.
fn nodes_and_columns(table: &CsvTable) -> Result<(Vec<String>, Columns), Error> {
    let named = table.header().iter().position(|name| name == NODE);
    let name = |row: usize| match named {
        Some(column) => table.cell(row, column).trim().to_owned(),
        None => row.to_string(),
    };
    let nodes: Vec<String> = (0..table.rows()).map(name).collect();
    let mut columns = Vec::new();
    for (k, name) in table.header().iter().enumerate().filter(|(k, _)| Some(*k) != named) {
        columns.push((name.clone(), table.complete_numbers(k)?));
    }
    if columns.is_empty() {
        return Err(bad(table, "no column of values beside the names of the nodes"));
    }
    Ok((nodes, columns))
}

/// Edges by the numbers of their nodes.
fn edges_of(table: &CsvTable, nodes: &[String]) -> Result<Vec<(u32, u32, f64)>, Error> {
    let mut known = HashMap::with_capacity(nodes.len());
    for (k, name) in nodes.iter().enumerate() {
        if let Some(first) = known.insert(name.as_str(), k as u32) {
            let reason = format!("nodes {first} and {k} are both named `{name}`");
            return Err(bad(table, &reason));
        }
    }
    let ends = [table.column("from")?, table.column("to")?];
    let weights = match table.header().iter().position(|name| name == "weight") {
        Some(column) => table.complete_numbers(column)?,
        None => vec![1.0; table.rows()],
    };
    let edge = |row: usize| {
        let [from, to] = ends.map(|column| {
            let name = table.cell(row, column);
            known.get(name.trim()).copied().ok_or_else(|| {
                let reason =
                    format!("edge {}: no node `{}` among the values", row + 1, name.trim());
                bad(table, &reason)
            })
        });
        Ok((from?, to?, weights[row]))
    };
    (0..table.rows()).map(edge).collect()
}

fn bad(table: &CsvTable, reason: &str) -> Error {
    FieldsError::Graph { name: table.source_name().to_owned(), reason: reason.to_owned() }.into()
}
