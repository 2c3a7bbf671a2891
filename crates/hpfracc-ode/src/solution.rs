use super::{DenseOutput, Keep, Node};
use crate::OdeError;
use crate::error::same_length;
use ndarray::{Array2, ArrayView1, ArrayView2};
use std::fmt;
use std::sync::Arc;

/// The nodes passed so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Trajectory {
    dim: usize,
    times: Vec<f64>,
    /// Node by node.
    states: Vec<f64>,
    /// Node by node, `f(t, y)`.
    slopes: Vec<f64>,
    keep: Keep,
}

impl Trajectory {
    pub(super) fn new(dim: usize, nodes: usize, keep: Keep) -> Self {
        let nodes = if keep == Keep::Last { 2 } else { nodes };
        Self {
            dim,
            keep,
            times: Vec::with_capacity(nodes),
            states: Vec::with_capacity(nodes * dim),
            slopes: Vec::with_capacity(nodes * dim),
        }
    }

    pub(super) fn push(&mut self, node: &Node) {
        if self.keep == Keep::Last && self.times.len() == 2 {
            self.forget_first();
        }
        self.times.push(node.t);
        self.states.extend_from_slice(&node.y);
        self.slopes.extend_from_slice(&node.f);
    }

    pub(super) fn replace_last(&mut self, node: &Node) {
        let last = self.times.len() - 1;
        self.times.truncate(last);
        self.states.truncate(last * self.dim);
        self.slopes.truncate(last * self.dim);
        self.push(node);
    }

    fn forget_first(&mut self) {
        self.times.drain(..1);
        self.states.drain(..self.dim);
        self.slopes.drain(..self.dim);
    }

    /// Without what was needed for the last step only.
    pub(super) fn end(&mut self) {
        if self.keep == Keep::Last && self.times.len() == 2 {
            self.forget_first();
        }
    }

    /// Number of components.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// The times of the nodes, increasing.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The state at a node.
    pub fn state(&self, node: usize) -> &[f64] {
        &self.states[node * self.dim..][..self.dim]
    }

    /// `f(t, y)` at a node.
    pub fn slope(&self, node: usize) -> &[f64] {
        &self.slopes[node * self.dim..][..self.dim]
    }

    /// All of them, node by node.
    pub(super) fn slopes(&self) -> &[f64] {
        &self.slopes
    }

    /// All states, one row for each node.
    #[expect(clippy::missing_panics_doc, reason = "a node and its state are kept together")]
    pub fn states(&self) -> ArrayView2<'_, f64> {
        ArrayView2::from_shape((self.times.len(), self.dim), &self.states)
            .expect("a state for each node")
    }

    /// The node at or before t, if there is one.
    pub fn node_before(&self, t: f64) -> Option<usize> {
        self.times.partition_point(|&node| node <= t).checked_sub(1)
    }
}

/// What a solve took.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Statistics {
    /// Steps that became part of the solution.
    pub steps: usize,
    /// Evaluations of the right-hand side, without those for Jacobians.
    pub evaluations: usize,
    /// Steps that were tried and rejected.
    pub rejections: usize,
    /// Newton iterations.
    pub newton_iterations: usize,
    /// Jacobians evaluated.
    pub jacobians: usize,
    /// Unknowns of the accepted steps of a collocation: points times components.
    pub unknowns: usize,
    /// That an explicit scheme was run outside its limit of stability, as far as it can tell.
    pub stability: Option<StabilityHint>,
}

/// An explicit scheme was run where `|lambda| h^alpha` exceeds its limit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StabilityHint {
    /// Where it was first seen.
    pub t: f64,
    /// The largest `|lambda| h^alpha` over the limit; above 1. The step has to shrink by this factor
    /// to the power 1/alpha, or the scheme has to be implicit.
    pub excess: f64,
}

/// How a solve ended.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Status {
    /// At t1.
    Complete,
    /// An observer stopped it at the last node.
    Stopped,
    /// It was cancelled after the last node.
    Cancelled,
    /// A step failed after the last node.
    Failed,
}

/// The solution at the nodes and between them.
///
/// ```
/// use hpfracc_ode::{Collocation, Options, Problem, Status, Steps, solve};
///
/// let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], |_, y, dydt| dydt[0] = -y[0])?;
/// let steps = Steps::Adaptive { relative: 1e-12, absolute: 1e-12, shortest: 0.0 };
/// let solution = solve(&problem, &Collocation::default(), &steps, Options::default())?;
/// assert_eq!(solution.status(), Status::Complete);
/// assert_eq!(solution.states().nrows(), solution.times().len());
/// let table = solution.at_many(&[0.0, 0.25, 0.5, 0.75, 1.0])?; // a row for each time
/// assert!((table[[1, 0]] - 0.615690344192926).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Solution {
    /// What was solved: the scheme, the orders, the initial rows.
    pub(super) solved: (&'static str, Vec<f64>, Vec<f64>),
    pub(super) trajectory: Trajectory,
    pub(super) statistics: Statistics,
    pub(super) status: Status,
    pub(super) dense: Arc<dyn DenseOutput>,
}

impl Solution {
    /// The nodes.
    pub fn trajectory(&self) -> &Trajectory {
        &self.trajectory
    }

    /// The times of the nodes, increasing.
    pub fn times(&self) -> &[f64] {
        self.trajectory.times()
    }

    /// All states, one row for each node.
    pub fn states(&self) -> ArrayView2<'_, f64> {
        self.trajectory.states()
    }

    /// The state at the last node.
    pub fn last(&self) -> &[f64] {
        self.trajectory.state(self.times().len() - 1)
    }

    /// What it took.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// How it ended.
    pub fn status(&self) -> Status {
        self.status
    }

    /// The state at any time that was solved: at a node that of the node, between nodes from the
    /// equation.
    ///
    /// # Errors
    /// [`OdeError::Outside`].
    pub fn at(&self, t: f64) -> Result<Vec<f64>, OdeError> {
        let mut y = vec![0.0; self.trajectory.dim()];
        self.at_into(t, &mut y)?;
        Ok(y)
    }

    /// [`at`](Self::at) into a slice.
    ///
    /// # Errors
    /// [`OdeError::Outside`], or [`OdeError::Length`] if `y` has another number of components.
    pub fn at_into(&self, t: f64, y: &mut [f64]) -> Result<(), OdeError> {
        same_length("a state", y.len(), self.trajectory.dim())?;
        let node = self.node_before(t)?;
        if self.times()[node] == t {
            y.copy_from_slice(self.trajectory.state(node));
        } else {
            self.dense.between(&self.trajectory, node, t, y);
        }
        Ok(())
    }

    /// [`at`](Self::at) for many times in any order: one row for each. Where f is linear between the
    /// nodes, one pass over the nodes serves all of them (see [`Volterra`](super::Volterra)).
    ///
    /// # Errors
    /// [`OdeError::Outside`].
    pub fn at_many(&self, times: &[f64]) -> Result<Array2<f64>, OdeError> {
        let dim = self.trajectory.dim();
        let mut out = Array2::zeros((times.len(), dim));
        // Which rows lie between nodes.
        let mut rows = Vec::with_capacity(times.len());
        for (row, &t) in times.iter().enumerate() {
            let node = self.node_before(t)?;
            if self.times()[node] == t {
                let state = ArrayView1::from(self.trajectory.state(node));
                out.row_mut(row).assign(&state);
            } else {
                rows.push((row, node));
            }
        }
        rows.sort_by(|(one, _), (other, _)| times[*one].total_cmp(&times[*other]));
        let at: Vec<(usize, f64)> = rows.iter().map(|&(row, node)| (node, times[row])).collect();
        let mut states = vec![0.0; at.len() * dim];
        self.dense.between_many(&self.trajectory, &at, &mut states);
        for ((row, _), state) in rows.iter().zip(states.chunks_exact(dim)) {
            out.row_mut(*row).assign(&ArrayView1::from(state));
        }
        Ok(out)
    }

    /// The node at or before a time that was solved.
    fn node_before(&self, t: f64) -> Result<usize, OdeError> {
        let times = self.times();
        let (t0, t1) = (times[0], times[times.len() - 1]);
        match self.trajectory.node_before(t) {
            Some(node) if t <= t1 => Ok(node),
            _ => Err(OdeError::Outside { t, t0, t1 }),
        }
    }
}

impl fmt::Debug for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solution")
            .field("status", &self.status)
            .field("statistics", &self.statistics)
            .field("nodes", &self.times().len())
            .finish_non_exhaustive()
    }
}
