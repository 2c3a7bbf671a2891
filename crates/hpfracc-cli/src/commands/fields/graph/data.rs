//! Files of a graph: its edges, and values on its nodes.

use super::args::{Inputs, LaplacianKind};
use crate::Error;
use crate::error::FieldsError;
use crate::input::CsvTable;
use hpfracc::spatial::{Graph, GraphLaplacian};
use std::collections::HashMap;
use std::sync::Arc;

/// Columns of numbers with their names.
pub(in crate::commands::fields) type Columns = Vec<(String, Vec<f64>)>;

/// Named nodes with the Laplacian of their graph.
pub(in crate::commands::fields) struct Nodes {
    pub(in crate::commands::fields) laplacian: Arc<GraphLaplacian>,
    pub(in crate::commands::fields) names: Vec<String>,
}

/// A graph with values on its nodes.
pub(super) struct Data {
    pub(super) nodes: Nodes,
    pub(super) columns: Columns,
}

/// Column of the names of nodes.
pub(in crate::commands::fields) const NODE: &str = "node";

impl Data {
    pub(super) fn read(inputs: &Inputs) -> Result<Self, Error> {
        let values = CsvTable::open(&inputs.values)?;
        let (names, columns) = nodes_and_columns(&values)?;
        if columns.is_empty() {
            return Err(bad(&values, "no column of values beside the names of the nodes"));
        }
        let edges = CsvTable::open(&inputs.edges)?;
        Ok(Self { nodes: Nodes::new(&edges, names, inputs.laplacian)?, columns })
    }
}

impl Nodes {
    /// Nodes in this order, joined by the edges of a table.
    pub(in crate::commands::fields) fn new(
        edges: &CsvTable,
        names: Vec<String>,
        kind: LaplacianKind,
    ) -> Result<Self, Error> {
        let graph = Graph::undirected(names.len(), &edges_of(edges, &names)?);
        let graph = graph.map_err(Error::library)?;
        let laplacian = GraphLaplacian::new(&graph, kind.normalisation());
        Ok(Self { laplacian: Arc::new(laplacian.map_err(Error::library)?), names })
    }

    /// Numbers of the nodes by their names.
    pub(in crate::commands::fields) fn numbers(&self) -> HashMap<&str, usize> {
        self.names.iter().enumerate().map(|(k, name)| (name.as_str(), k)).collect()
    }

    /// What a reader may not expect of the graph.
    pub(in crate::commands::fields) fn notes(&self) -> String {
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
pub(in crate::commands::fields) fn nodes_and_columns(
    table: &CsvTable,
) -> Result<(Vec<String>, Columns), Error> {
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
    Ok((nodes, columns))
}

/// Names of the nodes in the order in which the edges name them.
pub(in crate::commands::fields) fn nodes_of_edges(table: &CsvTable) -> Result<Vec<String>, Error> {
    let ends = [table.column("from")?, table.column("to")?];
    let (mut names, mut known) = (Vec::new(), std::collections::HashSet::new());
    for row in 0..table.rows() {
        for column in ends {
            let name = table.cell(row, column).trim().to_owned();
            if known.insert(name.clone()) {
                names.push(name);
            }
        }
    }
    Ok(names)
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

pub(in crate::commands::fields) fn bad(table: &CsvTable, reason: &str) -> Error {
    FieldsError::Graph { name: table.source_name().to_owned(), reason: reason.to_owned() }.into()
}
