//! The equations of one element, and Newton's iteration for them.

use super::tolerance::{TARGET, Tolerance};
use crate::error::{all_finite, largest_of};
use crate::problem::forward_differences;
use crate::schemes::{CoupledStates, coupled_states};
use crate::{OdeError, Problem, Statistics, System};
use hpfracc_types::check_memory;
use nalgebra::{DMatrix, DVector, Dyn, LU};

/// After this many iterations the element is too long for Newton's iteration.
const ITERATIONS: usize = 16;
/// A Jacobian that reduces the error less than this is evaluated anew.
const SLOW: f64 = 0.03;

/// `phi_i = f(t_i, H_i + sum_j w_ij phi_j)` at the points of an element: H is what the equation
/// has from before, w the fractional integral over the element itself.
///
/// The unknowns are the slopes `phi`, not the states: a stiff f multiplies the rounding of a state
/// by its Lipschitz constant, while slopes corrected by Newton's iteration keep theirs below
/// rounding over `h^alpha`. All arrays go point by point, the components of a point together.
pub(super) struct Equations<'a> {
    pub(super) problem: &'a Problem<dyn System + 'a>,
    pub(super) times: Vec<f64>,
    /// H.
    pub(super) history: Vec<f64>,
    /// For each component a matrix, row by row.
    pub(super) weights: Vec<f64>,
}

/// The solution of [`Equations`].
pub(super) struct Collocated {
    pub(super) states: Vec<f64>,
    pub(super) slopes: Vec<f64>,
}

/// Numbers of the Jacobians and the matrix, with its factors, of an element.
pub(super) fn matrices(points: usize, dim: usize) -> f64 {
    let (points, dim) = (points as f64, dim as f64);
    points * dim * dim + 2.0 * (points * dim).powi(2)
}

/// The linearised equations, `I - J w`.
enum Linear {
    /// Factored matrix.
    Dense(LU<f64, Dyn, Dyn>),
    /// One Jacobian for all points: the solver of [`Equations::solve`] has it.
    Coupled,
}

impl Equations<'_> {
    fn dim(&self) -> usize {
        self.problem.dim()
    }

    fn weight(&self, component: usize, i: usize, j: usize) -> f64 {
        let p = self.times.len();
        self.weights[(component * p + i) * p + j]
    }

    /// The fractional integral over the element of values at the points.
    fn integrate(&self, values: &[f64]) -> Vec<f64> {
        let (p, d) = (self.times.len(), self.dim());
        let mut out = vec![0.0; p * d];
        for c in 0..d {
            for i in 0..p {
                out[i * d + c] = (0..p).map(|j| self.weight(c, i, j) * values[j * d + c]).sum();
            }
        }
        out
    }

    fn states(&self, slopes: &[f64]) -> Vec<f64> {
        let mut states = self.integrate(slopes);
        states.iter_mut().zip(&self.history).for_each(|(y, before)| *y += before);
        states
    }

    /// Newton's iteration from the slopes `phi`; a Jacobian is reused while it converges fast.
    ///
    /// # Errors
    /// [`OdeError::NotFinite`], [`OdeError::NewtonFailed`].
    pub(super) fn solve(
        &self,
        mut phi: Vec<f64>,
        tolerance: Tolerance,
        statistics: &mut Statistics,
    ) -> Result<Collocated, OdeError> {
        let d = self.dim();
        for (history, &t) in self.history.chunks_exact(d).zip(&self.times) {
            all_finite(history, t)?;
        }
        let mut f = vec![0.0; phi.len()];
        let mut coupled = coupled_states(self.problem, self.times.len());
        let mut kept: Option<Linear> = None;
        let mut previous = f64::INFINITY;
        let mut residual = f64::INFINITY;
        for iteration in 0..ITERATIONS {
            let states = self.states(&phi);
            for (i, &t) in self.times.iter().enumerate() {
                let at = i * d..(i + 1) * d;
                self.problem.rhs(t, &states[at.clone()], &mut f[at], statistics)?;
            }
            statistics.newton_iterations += 1;
            let fresh = kept.is_none();
            let Some(linear) =
                kept.take().or_else(|| self.linearise(&states, &f, coupled.as_mut(), statistics))
            else {
                break;
            };
            let changes = f.iter().zip(&phi).map(|(f, phi)| f - phi);
            let mut change = DVector::from_iterator(phi.len(), changes);
            residual = largest_of([change.as_slice()], |[r]| r.abs());
            if residual == 0.0 {
                return Ok(Collocated { states, slopes: phi });
            }
            let solved = match (&linear, &mut coupled) {
                (Linear::Coupled, Some(coupled)) => coupled.solve(change.as_mut_slice(), false),
                // True: `linearise` makes no singular matrix.
                (Linear::Dense(matrix), _) => matrix.solve_mut(&mut change),
                (Linear::Coupled, None) => false,
            };
            if !solved {
                break;
            }
            phi.iter_mut().zip(&change).for_each(|(phi, change)| *phi += change);
            let moved = tolerance.ratio(&self.integrate(change.as_slice()), &states, d);
            if !moved.is_finite() {
                break;
            }
            let contraction = moved / previous;
            let converged =
                iteration > 0 && contraction < 0.5 && moved * contraction < 0.01 * TARGET;
            // A change that no longer shrinks is rounding.
            let settled = iteration > 0 && contraction >= 0.5 && moved < TARGET;
            if moved == 0.0 || converged || settled {
                return Ok(Collocated { states: self.states(&phi), slopes: phi });
            }
            if iteration > 3 && fresh && contraction > 2.0 {
                break;
            }
            if iteration == 0 || contraction < SLOW {
                kept = Some(linear);
            }
            previous = moved;
        }
        Err(OdeError::NewtonFailed { t: self.times[0], residual })
    }

    /// None if the matrix is singular, not finite or larger than memory.
    fn linearise(
        &self,
        states: &[f64],
        f: &[f64],
        coupled: Option<&mut CoupledStates<'_>>,
        statistics: &mut Statistics,
    ) -> Option<Linear> {
        let (p, d) = (self.times.len(), self.dim());
        if let Some(coupled) = coupled {
            statistics.jacobians += 1;
            let middle = p / 2;
            coupled.linearise(self.times[middle], &states[middle * d..][..d]);
            return coupled.couple(|i, j| self.weight(0, i, j)).then_some(Linear::Coupled);
        }
        check_memory(matrices(p, d)).ok()?;
        let mut jacobians = vec![0.0; p * d * d];
        let (mut states, mut moved_f) = (states.to_vec(), vec![0.0; d]);
        for (i, jacobian) in jacobians.chunks_exact_mut(d * d).enumerate() {
            let (y, f) = (&mut states[i * d..][..d], &f[i * d..][..d]);
            let system = self.problem.system();
            if !system.jacobian(self.times[i], y, jacobian) {
                forward_differences(system, self.times[i], (y, f), &mut moved_f, jacobian);
            }
        }
        statistics.jacobians += p;
        let matrix = DMatrix::from_fn(p * d, p * d, |row, column| {
            let (i, c, j, e) = (row / d, row % d, column / d, column % d);
            let unit = if row == column { 1.0 } else { 0.0 };
            unit - jacobians[(i * d + c) * d + e] * self.weight(e, i, j)
        });
        if !matrix.iter().all(|entry| entry.is_finite()) {
            return None;
        }
        let matrix = matrix.lu();
        matrix.is_invertible().then_some(Linear::Dense(matrix))
    }
}
