//! What has been computed for given parameters.

use hpfracc_pde::FieldProblem;
use std::sync::OnceLock;

/// Values of all fields at each time.
pub(super) type Snapshots = Vec<Vec<f64>>;

/// The solution, then its derivatives, at the times of the nodes; None where there is no solution.
pub(super) type Table = Option<Vec<Snapshots>>;

/// Results for given parameters, computed when they are needed first.
pub(super) struct Solved {
    pub(super) parameters: Vec<f64>,
    pub(super) problem: FieldProblem,
    pub(super) values: OnceLock<Table>,
    pub(super) derivatives: OnceLock<Table>,
}

impl Solved {
    pub(super) fn new(problem: FieldProblem, parameters: &[f64]) -> Self {
        let (values, derivatives) = (OnceLock::new(), OnceLock::new());
        Self { parameters: parameters.to_vec(), problem, values, derivatives }
    }
}
