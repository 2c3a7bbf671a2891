use crate::error::{require, require_memory};
use crate::graph::components;
use crate::graph::csr::Csr;
use crate::{Result, SpatialError};

/// Weighted graph, built from a list of edges.
///
/// Edges are `(from, to, weight)` with weights of at least 0. Duplicates are summed, edges of weight
/// 0 are left out, and loops count once in the degree of their node; [`report`](Self::report) has
/// their numbers. Neighbours of a node are stored in ascending order.
///
/// ```
/// use hpfracc_spatial::Graph;
///
/// let graph = Graph::undirected(4, &[(0, 1, 1.0), (1, 2, 0.5), (2, 1, 0.5), (0, 0, 2.0)])?;
/// assert_eq!(graph.degrees(), [3.0, 2.0, 1.0, 0.0]);
/// let report = graph.report();
/// assert_eq!((report.duplicates, report.loops, report.isolated), (1, 1, 1));
/// assert_eq!(graph.components(), ([0, 0, 0, 1].to_vec(), 2));
/// # Ok::<(), hpfracc_spatial::SpatialError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Graph {
    directed: bool,
    adjacency: Csr,
    loops: Vec<f64>,
    report: EdgeReport,
}

/// Numbers of edges of a list that deserve a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EdgeReport {
    /// Edges between nodes that an earlier edge joins; their weights are summed.
    pub duplicates: usize,
    /// Edges from a node to itself: without effect in the combinatorial Laplacian, part of the
    /// degrees in the others.
    pub loops: usize,
    /// Edges of weight 0, which are left out.
    pub zero_weights: usize,
    /// Nodes without an edge to another node.
    pub isolated: usize,
}

impl Graph {
    /// Undirected graph; each edge is listed once, in either direction.
    ///
    /// # Errors
    /// [`Node`](SpatialError::Node) and [`Weight`](SpatialError::Weight) for an edge,
    /// [`OutOfRange`](SpatialError::OutOfRange) for 0 nodes or more than 2^32 - 1,
    /// [`Memory`](SpatialError::Memory) if the graph does not fit.
    pub fn undirected(nodes: usize, edges: &[(u32, u32, f64)]) -> Result<Self> {
        Self::from_edges(nodes, edges, false)
    }

    /// Directed graph.
    ///
    /// # Errors
    /// As [`undirected`](Self::undirected).
    pub fn directed(nodes: usize, edges: &[(u32, u32, f64)]) -> Result<Self> {
        Self::from_edges(nodes, edges, true)
    }

    fn from_edges(nodes: usize, edges: &[(u32, u32, f64)], directed: bool) -> Result<Self> {
        let fits = nodes > 0 && nodes <= u32::MAX as usize;
        require(fits, "number of nodes", nodes as f64, "1 to 2^32 - 1")?;
        // A list of 16 bytes and rows of 12 for each entry.
        let entries = edges.len() as f64 * if directed { 1.0 } else { 2.0 };
        require_memory("a graph", 3.0 * nodes as f64 + 3.5 * entries)?;
        let mut report = EdgeReport::default();
        let mut loops = vec![0.0; nodes];
        let mut entries = Vec::with_capacity(if directed { edges.len() } else { 2 * edges.len() });
        for (edge, &(from, to, weight)) in edges.iter().enumerate() {
            let (i, j) = (from as usize, to as usize);
            if i.max(j) >= nodes {
                return Err(SpatialError::Node { edge, from: i, to: j, nodes });
            }
            if !(weight >= 0.0 && weight.is_finite()) {
                return Err(SpatialError::Weight { edge, from: i, to: j, weight });
            }
            if weight == 0.0 {
                report.zero_weights += 1;
            } else if i == j {
                report.loops += 1;
                loops[i] += weight;
            } else {
                entries.push((from, to, weight));
                if !directed {
                    entries.push((to, from, weight));
                }
            }
        }
        let (adjacency, merged) = Csr::from_entries(nodes, &entries);
        report.duplicates = if directed { merged } else { merged / 2 };
        report.isolated = isolated(&adjacency);
        Ok(Self { directed, adjacency, loops, report })
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.adjacency.rows()
    }

    /// Whether edges have a direction.
    pub fn is_directed(&self) -> bool {
        self.directed
    }

    /// Numbers of duplicates, loops, edges of weight 0 and isolated nodes.
    pub fn report(&self) -> EdgeReport {
        self.report
    }

    /// Neighbours of a node in ascending order, with the weights; those reached from it in a
    /// directed graph.
    ///
    /// # Panics
    /// If the node is not below the number of nodes.
    pub fn neighbours(&self, node: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let (columns, values) = self.adjacency.row(node);
        columns.iter().zip(values).map(|(&j, &w)| (j as usize, w))
    }

    /// Edges `(from, to, weight)` without loops, sorted and merged; from < to in an undirected graph.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        (0..self.nodes())
            .flat_map(|i| self.neighbours(i).map(move |(j, w)| (i, j, w)))
            .filter(|&(i, j, _)| self.directed || i < j)
    }

    /// Sum of the weights of the edges of each node (those that leave it in a directed graph); loops
    /// count once.
    pub fn degrees(&self) -> Vec<f64> {
        let row = |i: usize| self.adjacency.row(i).1.iter().sum::<f64>() + self.loops[i];
        (0..self.nodes()).map(row).collect()
    }

    /// Number of the connected component of each node, numbered by their first nodes, and the number
    /// of components. Directions are ignored.
    pub fn components(&self) -> (Vec<u32>, usize) {
        components::components(&self.adjacency)
    }

    pub(crate) fn adjacency(&self) -> &Csr {
        &self.adjacency
    }

    /// Sum of the weights of the loops of each node.
    pub(crate) fn loops(&self) -> &[f64] {
        &self.loops
    }
}

fn isolated(adjacency: &Csr) -> usize {
    let mut touched = vec![false; adjacency.rows()];
    for i in 0..adjacency.rows() {
        for &j in adjacency.row(i).0 {
            touched[i] = true;
            touched[j as usize] = true;
        }
    }
    touched.iter().filter(|touched| !**touched).count()
}
