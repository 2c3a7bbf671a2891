use super::reductions::{axpy, update, weighted_dot, weighted_norm};
use super::{Convergence, Stopping};
use crate::error::{require, require_finite, require_len, require_memory};
use crate::operator::require_self_adjoint;
use crate::{Result, SpatialOperator};

/// Iterates of one shift: the solution, its direction, and the ratio of its residual to that of the
/// base shift, which is collinear with it.
struct Shift {
    /// Distance from the base shift.
    offset: f64,
    solution: Vec<f64>,
    direction: Vec<f64>,
    ratio: f64,
    last_ratio: f64,
    converged: bool,
}

/// Solves `(z_k + A) x_k = b` for many real shifts z_k >= 0 with the products of one: the Krylov
/// spaces of all shifts are the same, and the residuals are collinear.
///
/// Solutions are one after the other in x, shift by shift. No preconditioner is possible but the
/// weights of A. Cost: the products of the smallest shift and two vector operations a shift that has
/// not converged yet; memory of two vectors a shift. Source: B. Jegerlehner, arXiv:hep-lat/9612014
/// (1996).
///
/// # Errors
/// [`Unsupported`](crate::SpatialError::Unsupported) for an operator that is not self-adjoint,
/// [`OutOfRange`](crate::SpatialError::OutOfRange) for a negative shift, no shift or a bad stopping rule,
/// [`Length`](crate::SpatialError::Length) and [`NotFinite`](crate::SpatialError::NotFinite) for b or x,
/// [`NotConverged`](crate::SpatialError::NotConverged) after the largest number of iterations,
/// [`Memory`](crate::SpatialError::Memory) if two fields for each shift do not fit.
///
/// ```
/// use hpfracc_spatial::{Graph, GraphLaplacian, Stopping, multi_shift_conjugate_gradients};
///
/// let laplacian = GraphLaplacian::combinatorial(&Graph::ring(3)?)?;
/// let (shifts, b) = ([1.0, 6.0], [2.0, -1.0, -1.0]); // b has the eigenvalue 3
/// let mut x = [0.0; 6];
/// multi_shift_conjugate_gradients(&laplacian, &shifts, &b, &mut x, Stopping::default())?;
/// assert!((x[0] - 0.5).abs() < 1e-14 && (x[3] - 2.0 / 9.0).abs() < 1e-14);
/// # Ok::<(), hpfracc_spatial::SpatialError>(())
/// ```
pub fn multi_shift_conjugate_gradients<A: SpatialOperator + ?Sized>(
    operator: &A,
    shifts: &[f64],
    b: &[f64],
    x: &mut [f64],
    stopping: Stopping,
) -> Result<Convergence> {
    require_self_adjoint(operator, "multi-shift conjugate gradients")?;
    let n = operator.len();
    require(!shifts.is_empty(), "number of shifts", 0.0, "at least 1")?;
    for &z in shifts {
        require(z >= 0.0 && z.is_finite(), "shift z", z, "a finite number of at least 0")?;
    }
    require_len("right-hand side b", b.len(), n)?;
    require_len("solutions x", x.len(), n * shifts.len())?;
    require_finite("right-hand side b", b)?;
    let stopping = stopping.checked()?;
    require_memory("two fields for each shift", 2.0 * x.len() as f64)?;
    let base = shifts.iter().copied().fold(f64::INFINITY, f64::min);
    let mut systems: Vec<Shift> = shifts.iter().map(|z| Shift::new(z - base, b)).collect();
    let convergence = iterate(operator, base, b, &mut systems, stopping)?;
    for (x, system) in x.chunks_exact_mut(n).zip(systems) {
        x.copy_from_slice(&system.solution);
    }
    Ok(convergence)
}

impl Shift {
    fn new(offset: f64, b: &[f64]) -> Self {
        let (solution, direction) = (vec![0.0; b.len()], b.to_vec());
        Self { offset, solution, direction, ratio: 1.0, last_ratio: 1.0, converged: false }
    }

    /// One step, from the step of the base system and the one before.
    fn step(&mut self, step: f64, last: (f64, f64)) -> f64 {
        let (last_step, last_beta) = last;
        let next = self.ratio * self.last_ratio * last_step
            / (step * last_beta * (self.last_ratio - self.ratio)
                + self.last_ratio * last_step * (1.0 + self.offset * step));
        let own = step * next / self.ratio;
        axpy(own, &self.direction, &mut self.solution);
        (self.last_ratio, self.ratio) = (self.ratio, next);
        own
    }

    /// New direction, after the residual of the base system.
    fn turn(&mut self, residual: &[f64], beta: f64) {
        let ratio = self.ratio;
        let own = beta * (self.ratio / self.last_ratio).powi(2);
        update(&mut self.direction, |i, d| *d = ratio * residual[i] + own * *d);
    }
}

fn iterate<A: SpatialOperator + ?Sized>(
    operator: &A,
    base: f64,
    b: &[f64],
    systems: &mut [Shift],
    stopping: Stopping,
) -> Result<Convergence> {
    let weights = operator.weights();
    let size = weighted_norm(weights, b);
    if size == 0.0 {
        return Ok(Convergence::AT_ONCE);
    }
    let (mut residual, mut direction, mut product) = (b.to_vec(), b.to_vec(), vec![0.0; b.len()]);
    let mut rho = weighted_dot(weights, b, b);
    let mut last = (1.0, 0.0);
    let mut state = Convergence { iterations: 0, residual: 1.0 };
    while state.iterations < stopping.iterations && state.residual.is_finite() {
        operator.apply(&direction, &mut product);
        axpy(base, &direction, &mut product);
        let step = rho / weighted_dot(weights, &direction, &product);
        for system in systems.iter_mut().filter(|system| !system.converged) {
            system.step(step, last);
        }
        axpy(-step, &product, &mut residual);
        let next = weighted_dot(weights, &residual, &residual);
        let beta = next / rho;
        state = Convergence { iterations: state.iterations + 1, residual: next.sqrt() / size };
        for system in systems.iter_mut().filter(|system| !system.converged) {
            system.turn(&residual, beta);
            system.converged = system.ratio.abs() * state.residual <= stopping.tolerance;
        }
        if systems.iter().all(|system| system.converged) {
            return Ok(state);
        }
        update(&mut direction, |i, d| *d = residual[i] + beta * *d);
        (rho, last) = (next, (step, beta));
    }
    Err(state.failure("multi-shift conjugate gradients"))
}
