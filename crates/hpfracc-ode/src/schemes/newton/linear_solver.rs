//! Linear systems of Newton's iteration: `I - coupling * Jacobians`, dense, or by the system itself.

use super::coupled_states::CoupledStates;
use super::equations::{Equations, Iterate, SMALLEST};
use crate::error::{all_finite, finite_jacobian};
use crate::{OdeError, Problem, ShiftedJacobian, System};
use hpfracc_lanes::Lu;
use hpfracc_types::check_memory;

/// Solver for the corrections of Newton's iteration.
pub(super) enum LinearSolver<'a> {
    Dense(DenseJacobians),
    /// For one state.
    Shifted(Box<dyn ShiftedJacobian + 'a>),
    /// For several states, with the Jacobian of one of them.
    Coupled(CoupledStates<'a>),
}

impl<'a> LinearSolver<'a> {
    /// For coupled states of a system.
    pub(super) fn new(
        problem: &'a Problem<dyn System + 'a>,
        states: usize,
    ) -> Result<Self, OdeError> {
        let dim = problem.dim();
        if states == 1 {
            if let Some(shifted) = problem.system().shifted_jacobian() {
                return Ok(Self::Shifted(shifted));
            }
        } else if let Some(coupled) = coupled_states(problem, states) {
            return Ok(Self::Coupled(coupled));
        }
        Ok(Self::Dense(DenseJacobians::new(dim, states)?))
    }

    /// Evaluations of f that a new Jacobian costs.
    pub(super) fn evaluations(&self) -> usize {
        match self {
            Self::Dense(dense) => dense.dim,
            Self::Shifted(_) | Self::Coupled(_) => 1,
        }
    }

    /// Computes the Jacobians at the iterate, whose f is given.
    pub(super) fn linearise(
        &mut self,
        equations: &Equations<'_>,
        at: &mut Iterate<'_>,
    ) -> Result<(), OdeError> {
        at.statistics.jacobians += equations.times.len();
        match self {
            Self::Dense(dense) => dense.linearise(equations, at),
            Self::Shifted(shifted) => {
                shifted.linearise(equations.times[0], at.y);
                Ok(())
            }
            Self::Coupled(coupled) => {
                let (state, dim) = (equations.times.len() / 2, equations.problem.dim());
                coupled.linearise(equations.times[state], &at.y[state * dim..][..dim]);
                Ok(())
            }
        }
    }

    /// Prepares solves for the coupling of the equations; false if the matrix is singular.
    pub(super) fn couple(&mut self, equations: &Equations<'_>) -> bool {
        match self {
            Self::Dense(dense) => dense.factor(equations.coupling),
            Self::Shifted(shifted) => shifted.shift(equations.coupling),
            Self::Coupled(coupled) => {
                let (states, dim) = (equations.times.len(), equations.problem.dim());
                coupled.couple(|p, q| equations.coupling[(p * states + q) * dim])
            }
        }
    }

    /// Overwrites the right-hand side with the solution; false if there is none.
    pub(super) fn solve(&mut self, x: &mut [f64]) -> bool {
        match self {
            Self::Dense(dense) => {
                dense.solve(x);
                true
            }
            Self::Shifted(shifted) => shifted.solve(x),
            Self::Coupled(coupled) => coupled.solve(x, false),
        }
    }

    /// Whether one correction solves the equations.
    pub(super) fn is_affine(&self) -> bool {
        match self {
            Self::Shifted(shifted) => shifted.is_affine(),
            Self::Dense(_) | Self::Coupled(_) => false,
        }
    }

    /// Dissipativity of the last Jacobian in the max norm: minus its logarithmic norm
    /// `max_i (J_ii + sum_j |J_ij|)`, at least 0. For one state.
    pub(super) fn dissipativity(&self) -> f64 {
        match self {
            Self::Dense(dense) => dense.dissipativity(),
            Self::Shifted(shifted) => shifted.dissipativity(),
            Self::Coupled(_) => 0.0,
        }
    }
}

/// Solver for coupled states of a problem whose components have one order.
pub(crate) fn coupled_states<'a, S: System + ?Sized>(
    problem: &'a Problem<S>,
    states: usize,
) -> Option<CoupledStates<'a>> {
    let one_order = problem.orders().iter().all(|alpha| *alpha == problem.order(0));
    let jacobian = problem.system().shifted_jacobian().filter(|_| one_order)?;
    CoupledStates::new(jacobian, problem.dim(), states)
}

/// Dense Jacobians with the factored matrix.
pub(super) struct DenseJacobians {
    dim: usize,
    /// `df_i/dy_j` at each state, row by row.
    jacobians: Vec<f64>,
    /// I - coupling * jacobians.
    matrix: Lu,
    /// The diagonal of that matrix, and whether it has no other entries.
    diagonal: Vec<f64>,
    is_diagonal: bool,
    /// Scratch of finite differences: a state and its f.
    moved: Vec<f64>,
    moved_f: Vec<f64>,
}

impl DenseJacobians {
    fn new(dim: usize, states: usize) -> Result<Self, OdeError> {
        let n = dim * states;
        check_memory((n * dim) as f64 + n as f64 * n as f64)?;
        Ok(Self {
            dim,
            jacobians: vec![0.0; states * dim * dim],
            matrix: Lu::new(n),
            diagonal: vec![0.0; n],
            is_diagonal: false,
            moved: vec![0.0; dim],
            moved_f: vec![0.0; dim],
        })
    }

    fn linearise(
        &mut self,
        equations: &Equations<'_>,
        at: &mut Iterate<'_>,
    ) -> Result<(), OdeError> {
        let (dim, problem) = (self.dim, equations.problem);
        for (state, &t) in equations.times.iter().enumerate() {
            let (y, f) = (&at.y[state * dim..][..dim], &at.f[state * dim..][..dim]);
            let jacobian = &mut self.jacobians[state * dim * dim..][..dim * dim];
            if problem.system().jacobian(t, y, jacobian) {
                finite_jacobian(jacobian, dim, t)?;
            } else {
                self.moved.copy_from_slice(y);
                let scratch = (&mut self.moved[..], &mut self.moved_f[..]);
                differences(problem, t, (y, f), scratch, jacobian)?;
            }
        }
        Ok(())
    }

    /// Computes and factors I - coupling * jacobians.
    fn factor(&mut self, coupling: &[f64]) -> bool {
        let (dim, n) = (self.dim, self.diagonal.len());
        let states = n / dim;
        let matrix = self.matrix.entries();
        self.is_diagonal = true;
        for (row, entries) in matrix.chunks_exact_mut(n).enumerate() {
            let (state, component) = (row / dim, row % dim);
            for (column, entry) in entries.iter_mut().enumerate() {
                let from = column / dim;
                let coupling = coupling[(state * states + from) * dim + component];
                let slope = self.jacobians[(from * dim + component) * dim + column % dim];
                *entry = -coupling * slope;
                self.is_diagonal &= row == column || *entry == 0.0;
            }
            entries[row] += 1.0;
            self.diagonal[row] = entries[row];
        }
        if self.is_diagonal {
            self.diagonal.iter().all(|d| *d != 0.0)
        } else {
            self.matrix.factor()
        }
    }

    fn solve(&self, x: &mut [f64]) {
        if self.is_diagonal {
            x.iter_mut().zip(&self.diagonal).for_each(|(x, d)| *x /= d);
        } else {
            self.matrix.solve(x);
        }
    }

    fn dissipativity(&self) -> f64 {
        let rows = self.jacobians[..self.dim * self.dim].chunks_exact(self.dim).enumerate();
        let norms = rows.map(|(i, row)| {
            let others = row.iter().enumerate().filter(|(j, _)| *j != i);
            row[i] + others.map(|(_, entry)| entry.abs()).sum::<f64>()
        });
        (-norms.fold(f64::NEG_INFINITY, f64::max)).max(0.0)
    }
}

/// Forward differences, or backward differences where f is not finite. The step is the square root
/// of the precision times the component, at least a thousandth of the largest component, or
/// [`SMALLEST`].
fn differences(
    problem: &Problem<dyn System + '_>,
    t: f64,
    (y, f): (&[f64], &[f64]),
    (moved, moved_f): (&mut [f64], &mut [f64]),
    jacobian: &mut [f64],
) -> Result<(), OdeError> {
    let dim = y.len();
    let largest = y.iter().fold(0.0, |most: f64, y| most.max(y.abs()));
    let least = if largest > 0.0 { SMALLEST.max(1e-3 * largest) } else { 1.0 };
    for j in 0..dim {
        let step = f64::EPSILON.sqrt() * y[j].abs().max(least);
        let mut finite = Ok(());
        for step in [step.copysign(f[j]), -step.copysign(f[j])] {
            moved[j] = y[j] + step;
            problem.system().rhs(t, moved, moved_f);
            finite = all_finite(moved_f, t);
            if finite.is_ok() {
                break;
            }
        }
        finite?;
        let step = moved[j] - y[j];
        for i in 0..dim {
            jacobian[i * dim + j] = (moved_f[i] - f[i]) / step;
        }
        moved[j] = y[j];
    }
    Ok(())
}
