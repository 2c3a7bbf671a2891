//! Nodes of a solution: times, states and slopes.

use crate::OdeError;
use hpfracc_types::check_memory;
use ndarray::ArrayView2;

/// Node of the solution.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Time.
    pub t: f64,
    /// State.
    pub y: Vec<f64>,
    /// `f(t, y)`.
    pub f: Vec<f64>,
}

/// Nodes that a [`Solution`](super::Solution) stores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum SaveNodes {
    /// All nodes.
    #[default]
    All,
    /// The last node; [`SaveAt`](crate::SaveAt) adds values at requested times. With observers,
    /// [`ProductTrapezoid`](crate::ProductTrapezoid) and
    /// [`AdamsBashforthMoulton`](crate::AdamsBashforthMoulton) on steps that are not uniform, and
    /// [`Collocation`](crate::Collocation), have dense output in the last step. The others need all
    /// nodes while the solve runs, next to the samples of their history; with a history of
    /// [`Exponentials`](crate::history::HistoryChoice::Exponentials), which stores none, they fail
    /// with [`OdeError::NeedsAllNodes`](crate::OdeError::NeedsAllNodes).
    Last,
}

/// Nodes computed so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Trajectory {
    dim: usize,
    times: Vec<f64>,
    /// Node by node.
    states: Vec<f64>,
    /// `f(t, y)`, node by node.
    slopes: Vec<f64>,
    save_nodes: SaveNodes,
}

impl Trajectory {
    pub(crate) fn new(dim: usize, nodes: usize, save_nodes: SaveNodes) -> Self {
        let nodes = if save_nodes == SaveNodes::Last { 2 } else { nodes };
        Self {
            dim,
            save_nodes,
            times: Vec::with_capacity(nodes),
            states: Vec::with_capacity(nodes * dim),
            slopes: Vec::with_capacity(nodes * dim),
        }
    }

    /// Checks that there is memory for the nodes twice over, where the next push moves them.
    pub(crate) fn check_growth(&self) -> Result<(), OdeError> {
        let nodes = self.times.len();
        if nodes == self.times.capacity() {
            check_memory(2.0 * nodes as f64 * (1 + 2 * self.dim) as f64)?;
        }
        Ok(())
    }

    pub(crate) fn push(&mut self, node: &Node) {
        self.drop_earlier();
        self.times.push(node.t);
        self.states.extend_from_slice(&node.y);
        self.slopes.extend_from_slice(&node.f);
    }

    pub(crate) fn replace_last(&mut self, node: &Node) {
        let last = self.times.len() - 1;
        self.times.truncate(last);
        self.states.truncate(last * self.dim);
        self.slopes.truncate(last * self.dim);
        self.push(node);
    }

    /// Keeps the nodes that the solution stores in the end.
    pub(crate) fn finish(&mut self, save_nodes: SaveNodes) {
        self.save_nodes = save_nodes;
        self.drop_earlier();
    }

    /// Removes the nodes before the last if only the last is stored.
    fn drop_earlier(&mut self) {
        let earlier = self.times.len().saturating_sub(1);
        if self.save_nodes == SaveNodes::Last && earlier > 0 {
            self.times.drain(..earlier);
            self.states.drain(..earlier * self.dim);
            self.slopes.drain(..earlier * self.dim);
        }
    }

    /// Number of components.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// Times of the nodes, increasing.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// State at a node.
    pub fn state(&self, node: usize) -> &[f64] {
        &self.states[node * self.dim..][..self.dim]
    }

    /// `f(t, y)` at a node.
    pub fn slope(&self, node: usize) -> &[f64] {
        &self.slopes[node * self.dim..][..self.dim]
    }

    /// `f(t, y)` of all nodes, node by node.
    pub(crate) fn slopes(&self) -> &[f64] {
        &self.slopes
    }

    /// States, one row per node.
    #[expect(clippy::missing_panics_doc, reason = "each node has a time and a state")]
    pub fn states(&self) -> ArrayView2<'_, f64> {
        ArrayView2::from_shape((self.times.len(), self.dim), &self.states)
            .expect("a state for each node")
    }

    /// Index of the last node at or before t.
    pub fn node_before(&self, t: f64) -> Option<usize> {
        self.times.partition_point(|&node| node <= t).checked_sub(1)
    }
}
