//! The solution of a problem: nodes, dense output, statistics.

mod dense_output;
mod statistics;
mod trajectory;

pub use dense_output::DenseOutput;
pub use statistics::{StabilityHint, Statistics};
pub use trajectory::{Node, SaveNodes, Trajectory};

use crate::OdeError;
use crate::error::same_length;
use ndarray::{Array2, ArrayView1, ArrayView2};
use std::fmt;
use std::sync::Arc;

/// How a solve ended.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Status {
    /// The solve reached t1.
    Complete,
    /// An observer stopped it at the last node.
    Stopped,
    /// The solve was cancelled after the last node.
    Cancelled,
    /// A step failed after the last node.
    Failed,
}

/// Solution at the nodes, with dense output between them.
///
/// ```
/// use hpfracc_ode::{Collocation, Options, Problem, Status, Steps, solve};
///
/// let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], |_, y, dydt| dydt[0] = -y[0])?;
/// let steps = Steps::adaptive(1e-12, 1e-12);
/// let solution = solve(&problem, &Collocation::default(), &steps, Options::default())?;
/// assert_eq!(solution.status(), Status::Complete);
/// assert_eq!(solution.states().nrows(), solution.times().len());
/// let table = solution.at_many(&[0.0, 0.25, 0.5, 0.75, 1.0])?; // one row per time
/// assert!((table[[1, 0]] - 0.615690344192926).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Solution {
    pub(crate) solved: Solved,
    pub(crate) trajectory: Trajectory,
    pub(crate) statistics: Statistics,
    pub(crate) status: Status,
    pub(crate) dense: Arc<dyn DenseOutput>,
}

/// Method and data of a solve, against which a gradient is checked.
#[derive(Debug, Clone)]
pub(crate) struct Solved {
    pub(crate) scheme: &'static str,
    pub(crate) equal_steps: bool,
    pub(crate) orders: Vec<f64>,
    /// Row by row.
    pub(crate) initial: Vec<f64>,
}

impl Solution {
    /// Nodes.
    pub fn trajectory(&self) -> &Trajectory {
        &self.trajectory
    }

    /// Times of the nodes, increasing.
    pub fn times(&self) -> &[f64] {
        self.trajectory.times()
    }

    /// States, one row per node.
    pub fn states(&self) -> ArrayView2<'_, f64> {
        self.trajectory.states()
    }

    /// State at the last node.
    pub fn last(&self) -> &[f64] {
        self.trajectory.state(self.times().len() - 1)
    }

    /// Statistics of the solve.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// How the solve ended.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Dense output: the state at a time between t0 and the last node.
    ///
    /// # Errors
    /// [`OdeError::Outside`].
    pub fn at(&self, t: f64) -> Result<Vec<f64>, OdeError> {
        let mut y = vec![0.0; self.trajectory.dim()];
        self.at_into(t, &mut y)?;
        Ok(y)
    }

    /// [`at`](Self::at), written to a slice.
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

    /// [`at`](Self::at) for many times in any order: one row per time. Where f is linear between
    /// the nodes, all times share one pass over the nodes (see [`Volterra`](crate::Volterra)).
    ///
    /// # Errors
    /// [`OdeError::Outside`].
    pub fn at_many(&self, times: &[f64]) -> Result<Array2<f64>, OdeError> {
        let dim = self.trajectory.dim();
        let mut out = Array2::zeros((times.len(), dim));
        // Rows whose time lies between nodes.
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

    /// Index of the last node at or before t.
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
