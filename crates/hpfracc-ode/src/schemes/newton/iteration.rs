//! Newton's iteration for the nonlinear equations of implicit steps.

use super::equations::{Equations, Iterate, SMALLEST};
use super::linear_solver::LinearSolver;
use crate::error::{all_finite, largest_of};
use crate::{Node, OdeError, Problem, Statistics, System};

/// Newton's iteration. The Jacobian is reused from step to step while the iteration converges fast.
///
/// The iteration converges to rounding, not to the error of the scheme: the result is a solution of
/// the equations independent of the guess, so the implicit function theorem gives its derivative.
/// On return `f = f(t, y)` bit by bit. Allocates nothing after [`new`](Self::new).
pub(in crate::schemes) struct Newton<'a> {
    dim: usize,
    states: usize,
    linear: LinearSolver<'a>,
    /// Whether the solver has a Jacobian.
    known: bool,
    /// Coupling of the solver's matrix.
    coupling: Vec<f64>,
    scale: Vec<f64>,
    /// Whether corrections at the rounding of the largest value are normal numbers.
    is_normal: bool,
    /// Correction of the current iterate, and the previous correction.
    correction: Vec<f64>,
    taken: Vec<f64>,
    /// Last state, the one before, and the number of steps since the first.
    last: Vec<f64>,
    before: Vec<f64>,
    passed: usize,
    /// Extrapolation of the last three states, and whether it was the better guess in the last
    /// step.
    predicted: Vec<f64>,
    extrapolated: bool,
}

/// Relative correction below which the iteration has converged.
const CONVERGED: f64 = 4.0 * f64::EPSILON;
/// Relative correction below which slow convergence is rounding.
const ROUNDING: f64 = 1e-12;
/// The same after a correction with the current Jacobian: components far below the largest carry
/// its rounding.
const ROUNDING_AFTER_NEWTON: f64 = 1e-6;
/// Contraction factor of slow convergence.
const SLOW: f64 = 0.1;
/// Corrections that grow by more than this factor are undone.
const GROWING: f64 = 2.0;
const ITERATIONS: usize = 60;

impl<'a> Newton<'a> {
    /// For coupled states of a problem.
    ///
    /// # Errors
    /// [`OdeError::Memory`] for matrices that do not fit into memory.
    pub(in crate::schemes) fn new(
        problem: &'a Problem<dyn System + 'a>,
        states: usize,
    ) -> Result<Self, OdeError> {
        let dim = problem.dim();
        let n = dim * states;
        Ok(Self {
            dim,
            states,
            linear: LinearSolver::new(problem, states)?,
            known: false,
            coupling: vec![f64::NAN; states * states * dim],
            scale: vec![0.0; n],
            is_normal: false,
            correction: vec![0.0; n],
            taken: vec![0.0; n],
            last: vec![0.0; dim],
            before: vec![0.0; dim],
            passed: 0,
            predicted: vec![0.0; dim],
            extrapolated: false,
        })
    }

    /// Takes `node` from the last state to the solution of the equations of one state.
    pub(in crate::schemes) fn step(
        &mut self,
        equations: &Equations<'_>,
        (node, first): (&mut Node, bool),
        statistics: &mut Statistics,
    ) -> Result<(), OdeError> {
        let predicted = self.last.iter_mut().zip(&mut self.before).zip(&mut self.predicted);
        for (y, ((last, before), predicted)) in node.y.iter().zip(predicted) {
            // Quadratic extrapolation of three states; not used before there are three.
            *predicted = 3.0 * (*y - *last) + *before;
            (*before, *last) = (*last, *y);
        }
        self.passed = if first { 0 } else { self.passed + 1 };
        if self.extrapolated {
            node.y.copy_from_slice(&self.predicted);
        }
        node.t = equations.times[0];
        let at = &mut Iterate { y: &mut node.y, f: &mut node.f, statistics };
        let mut solved = self.solve(equations, at);
        let seen = solved.is_ok() && self.passed >= 2 && self.is_nearer_the_prediction(at.y);
        // The equations may have several solutions; the solution continues the last state. An
        // extrapolation that was the worse guess may have selected another solution. Where one
        // guess fails, the other may succeed.
        if solved.is_err() || self.extrapolated && !seen {
            let other = if self.extrapolated { &self.last } else { &self.predicted };
            at.y.copy_from_slice(other);
            self.known = false;
            let again = self.solve(equations, at);
            solved = if again.is_ok() { again } else { solved.and(again) };
        }
        self.extrapolated = seen;
        solved
    }

    /// Whether a state is nearer to the extrapolation than to the last state.
    fn is_nearer_the_prediction(&self, y: &[f64]) -> bool {
        let distance = |from: &[f64]| {
            largest_of([y, from, &*self.scale], |[y, from, scale]| (y - from).abs() / scale)
        };
        distance(&self.predicted) < distance(&self.last)
    }

    /// Discards the Jacobian: the next solve computes a new one.
    pub(in crate::schemes) fn forget(&mut self) {
        self.known = false;
    }

    /// Dissipativity of the last Jacobian in the max norm, for one state.
    pub(in crate::schemes) fn dissipativity(&self) -> f64 {
        self.linear.dissipativity()
    }

    /// Solves the equations; on entry y is a guess.
    ///
    /// # Errors
    /// [`OdeError::NotFinite`] if f is not finite at the guess, [`OdeError::NewtonFailed`] if the
    /// iteration does not converge.
    pub(in crate::schemes) fn solve(
        &mut self,
        equations: &Equations<'_>,
        at: &mut Iterate<'_>,
    ) -> Result<(), OdeError> {
        match self.iterate(equations, at) {
            // The equations hold exactly, whatever ended the iteration.
            Err(OdeError::NewtonFailed { residual: 0.0, .. }) => Ok(()),
            solved => solved,
        }
    }

    fn iterate(&mut self, equations: &Equations<'_>, at: &mut Iterate<'_>) -> Result<(), OdeError> {
        let known = equations.known.chunks_exact(self.dim).zip(equations.times);
        for (known, &t) in known {
            all_finite(known, t)?;
        }
        self.evaluate(equations, at)?;
        self.scale.fill(0.0);
        self.scale(equations, at.y);
        // Whether the Jacobian is that of the current iterate, and whether that of the last
        // correction was that of its iterate.
        let (mut here, mut was_here) = (!self.known, false);
        if here {
            self.linearise(equations, at)?;
        } else if self.coupling != equations.coupling {
            self.couple(equations, at)?;
        }
        let mut previous = f64::INFINITY;
        for _ in 0..ITERATIONS {
            at.statistics.newton_iterations += 1;
            let mut size = self.correct(equations, at)?;
            // A guess of subnormal numbers is within the rounding of any other: it is corrected once.
            if size <= CONVERGED && (self.is_normal || previous.is_finite()) {
                return Ok(());
            }
            if previous.is_finite() {
                let rounding = if was_here { ROUNDING_AFTER_NEWTON } else { ROUNDING };
                if size <= rounding && size > SLOW * previous {
                    return Ok(());
                }
                // False for a NaN.
                let stays = size <= GROWING * previous;
                if !stays {
                    // The correction was too long, or the Jacobian outdated.
                    let share = if was_here { 0.5 } else { 1.0 };
                    self.backtrack(share, equations, at)?;
                    if !was_here {
                        self.linearise(equations, at)?;
                        (here, previous) = (true, f64::INFINITY);
                    }
                    continue;
                }
                if !here && self.is_worth_a_jacobian(size, previous) {
                    self.linearise(equations, at)?;
                    here = true;
                    size = self.correct(equations, at)?;
                }
            }
            // Sizes of subnormal corrections are steps, and have no rate.
            let ends = self.is_normal && is_last(size, previous) || self.linear.is_affine();
            (previous, was_here, here) = (size, here, false);
            std::mem::swap(&mut self.taken, &mut self.correction);
            at.y.iter_mut().zip(&self.taken).for_each(|(y, step)| *y += step);
            if self.evaluate(equations, at).is_err() {
                self.backtrack(0.5, equations, at)?;
            } else if ends {
                return Ok(());
            }
            self.scale(equations, at.y);
        }
        Err(self.failed(equations, at))
    }

    /// Writes f of all states.
    fn evaluate(&self, equations: &Equations<'_>, at: &mut Iterate<'_>) -> Result<(), OdeError> {
        let states = at.y.chunks_exact(self.dim).zip(at.f.chunks_exact_mut(self.dim));
        for (&t, (y, f)) in equations.times.iter().zip(states) {
            equations.problem.rhs(t, y, f, at.statistics)?;
        }
        Ok(())
    }

    /// Undoes a share of the last correction, repeatedly until f is finite.
    fn backtrack(
        &mut self,
        share: f64,
        equations: &Equations<'_>,
        at: &mut Iterate<'_>,
    ) -> Result<(), OdeError> {
        for _ in 0..ITERATIONS {
            for (y, step) in at.y.iter_mut().zip(&mut self.taken) {
                *y -= share * *step;
                *step *= 1.0 - share;
            }
            if self.evaluate(equations, at).is_ok() {
                return Ok(());
            }
        }
        Err(self.failed(equations, at))
    }

    /// Whether convergence at the current rate needs more evaluations of f than finite differences
    /// for a new Jacobian and the two or three corrections after it.
    fn is_worth_a_jacobian(&self, size: f64, previous: f64) -> bool {
        let evaluations = i32::try_from(self.linear.evaluations() + 2).unwrap_or(i32::MAX);
        size >= previous || (previous / size).powi(evaluations) < size / CONVERGED
    }

    /// Scale of the corrections: the largest value of each component in this solve, at least 1e-8
    /// of the largest of all components, and [`SMALLEST`].
    fn scale(&mut self, equations: &Equations<'_>, y: &[f64]) {
        let values = y.iter().zip(equations.known);
        for (scale, (y, known)) in self.scale.iter_mut().zip(values) {
            *scale = scale.max(y.abs()).max(known.abs());
        }
        let largest = largest_of([&*self.scale], |[scale]| scale);
        self.is_normal = largest >= SMALLEST;
        let least = SMALLEST.max(1e-8 * largest);
        self.scale.iter_mut().for_each(|scale| *scale = scale.max(least));
    }

    /// Writes the correction of y, and returns its size: the largest relative to its scale.
    fn correct(&mut self, equations: &Equations<'_>, at: &Iterate<'_>) -> Result<f64, OdeError> {
        residual(equations, at, self.dim, &mut self.correction);
        if !self.linear.solve(&mut self.correction) {
            return Err(self.failed(equations, at));
        }
        Ok(largest_of([&*self.correction, &*self.scale], |[step, scale]| step.abs() / scale))
    }

    fn failed(&mut self, equations: &Equations<'_>, at: &Iterate<'_>) -> OdeError {
        residual(equations, at, self.dim, &mut self.correction);
        let residual = largest_of([&*self.correction], |[r]| r.abs());
        OdeError::NewtonFailed { t: equations.times[self.states - 1], residual }
    }

    /// Computes the Jacobian at y, whose f is given, and the matrix of the equations.
    fn linearise(
        &mut self,
        equations: &Equations<'_>,
        at: &mut Iterate<'_>,
    ) -> Result<(), OdeError> {
        self.linear.linearise(equations, at)?;
        self.known = true;
        self.couple(equations, at)
    }

    /// Prepares solves for the coupling of the equations.
    fn couple(&mut self, equations: &Equations<'_>, at: &Iterate<'_>) -> Result<(), OdeError> {
        self.coupling.copy_from_slice(equations.coupling);
        if self.linear.couple(equations) { Ok(()) } else { Err(self.failed(equations, at)) }
    }
}

/// Whether the corrections after one of this size are negligible, as they decrease at least by the
/// factor from the previous one to this one.
fn is_last(size: f64, previous: f64) -> bool {
    let rate = size / previous;
    previous.is_finite() && rate <= SLOW && rate * size <= CONVERGED * (1.0 - rate)
}

/// `known + coupling f - y`.
fn residual(equations: &Equations<'_>, at: &Iterate<'_>, dim: usize, out: &mut [f64]) {
    for ((out, known), y) in out.iter_mut().zip(equations.known).zip(&*at.y) {
        *out = known - y;
    }
    let n = out.len();
    // A row of the coupling for each state, with an entry for each state and component.
    for (out, row) in out.chunks_exact_mut(dim).zip(equations.coupling.chunks_exact(n)) {
        for (coupling, f) in row.chunks_exact(dim).zip(at.f.chunks_exact(dim)) {
            for ((out, c), f) in out.iter_mut().zip(coupling).zip(f) {
                *out += c * f;
            }
        }
    }
}
