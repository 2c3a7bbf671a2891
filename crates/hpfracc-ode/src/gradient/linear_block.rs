use super::differentiable::Differentiable;
use crate::error::{all_finite, largest_of};
use crate::problem::{add_product, add_transposed};
use crate::schemes::{CoupledStates, coupled_states};
use crate::{OdeError, Problem, ShiftedJacobian};
use hpfracc_lanes::Lu;

/// The derivative of states that are solved as one system, `y_p = known_p + sum_q C_pq f(t_q, y_q)`,
/// and its transpose; C has a number for each component. One state: an implicit step.
pub(crate) struct LinearBlock<'a> {
    system: &'a (dyn Differentiable + 'a),
    dim: usize,
    /// C, by component, row by row.
    coupling: Vec<f64>,
    linear: Linear<'a>,
    unused: Vec<f64>,
}

/// Solver for the linear systems.
enum Linear<'a> {
    Dense {
        /// f_y, state by state, row by row.
        jacobians: Vec<f64>,
        matrix: Lu,
        unit: Vec<f64>,
    },
    /// For one state.
    Shifted { jacobian: Box<dyn ShiftedJacobian + 'a>, transposed: bool },
    /// For several states: the equation with one Jacobian, which corrects a solution of the whole.
    Coupled(CoupledStates<'a>),
}

/// Largest number of corrections by the equation with one Jacobian.
const CORRECTIONS: usize = 100;

/// Times and states of a block.
pub(crate) type BlockPoints<'a> = [(f64, &'a [f64])];

impl<'a> LinearBlock<'a> {
    /// For a number of states of a problem.
    pub(crate) fn new(problem: &'a Problem<dyn Differentiable + 'a>, states: usize) -> Self {
        let (system, dim) = (problem.system(), problem.dim());
        if states == 1 {
            if let Some(jacobian) = system.shifted_jacobian() {
                let linear = Linear::Shifted { jacobian, transposed: false };
                return Self::with(system, states, dim, linear);
            }
        } else if let Some(coupled) = coupled_states(problem, states) {
            return Self::with(system, states, dim, Linear::Coupled(coupled));
        }
        Self::dense(system, states, dim)
    }

    /// The same with dense matrices in any case.
    pub(crate) fn dense(system: &'a (dyn Differentiable + 'a), states: usize, dim: usize) -> Self {
        let linear = Linear::Dense {
            jacobians: vec![0.0; states * dim * dim],
            matrix: Lu::new(states * dim),
            unit: vec![0.0; dim],
        };
        Self::with(system, states, dim, linear)
    }

    fn with(
        system: &'a (dyn Differentiable + 'a),
        states: usize,
        dim: usize,
        linear: Linear<'a>,
    ) -> Self {
        let coupling = vec![0.0; states * states * dim];
        Self { system, dim, coupling, linear, unused: vec![0.0; system.parameters().len()] }
    }

    fn states(&self) -> usize {
        match &self.linear {
            Linear::Dense { jacobians, .. } => jacobians.len() / (self.dim * self.dim),
            Linear::Shifted { .. } => 1,
            Linear::Coupled(coupled) => coupled.states(),
        }
    }

    /// Sets C from the weight of the value at `from` in the state `to`, of each component.
    pub(crate) fn couple(&mut self, weight: impl Fn(usize, usize, usize) -> f64) {
        let states = self.states();
        for (at, entry) in self.coupling.iter_mut().enumerate() {
            let (component, at) = (at / (states * states), at % (states * states));
            *entry = weight(component, at / states, at % states);
        }
    }

    fn weight(&self, component: usize, to: usize, from: usize) -> f64 {
        let states = self.states();
        self.coupling[(component * states + to) * states + from]
    }

    /// Computes f_y at the states: by `System::jacobian`, or row by row by vector-Jacobian products.
    pub(crate) fn linearise(&mut self, points: &BlockPoints<'_>) {
        let Self { system, dim, linear, unused, .. } = self;
        let (jacobians, unit) = match linear {
            Linear::Shifted { jacobian, .. } => {
                return jacobian.linearise(points[0].0, points[0].1);
            }
            Linear::Coupled(coupled) => {
                let (t, y) = points[points.len() / 2];
                return coupled.linearise(t, y);
            }
            Linear::Dense { jacobians, unit, .. } => (jacobians, unit),
        };
        for ((t, y), jacobian) in points.iter().zip(jacobians.chunks_exact_mut(*dim * *dim)) {
            if system.jacobian(*t, y, jacobian) {
                continue;
            }
            jacobian.fill(0.0);
            for (component, row) in jacobian.chunks_exact_mut(*dim).enumerate() {
                unit[component] = 1.0;
                system.vjp(*t, y, unit, row, unused);
                unit[component] = 0.0;
            }
        }
    }

    /// `out += f_y x` at a state of dense matrices.
    pub(crate) fn add_product(&self, state: usize, x: &[f64], out: &mut [f64]) {
        if let Linear::Dense { jacobians, .. } = &self.linear {
            add_product(&jacobians[state * self.dim * self.dim..][..self.dim * self.dim], x, out);
        }
    }

    /// Adds the transposed f_y at each state times the cotangents of f to those of y.
    fn add_cotangents(&mut self, points: &BlockPoints<'_>, fbar: &[f64], ybar: &mut [f64]) {
        let dim = self.dim;
        let states = fbar.chunks_exact(dim).zip(ybar.chunks_exact_mut(dim)).enumerate();
        for (state, (fbar, ybar)) in states {
            match &self.linear {
                Linear::Dense { jacobians, .. } => {
                    add_transposed(&jacobians[state * dim * dim..][..dim * dim], fbar, ybar);
                }
                Linear::Shifted { .. } | Linear::Coupled(_) => {
                    let (t, y) = points[state];
                    self.unused.fill(0.0);
                    self.system.vjp(t, y, fbar, ybar, &mut self.unused);
                }
            }
        }
    }

    /// Factors the matrix of [`solve_factored`](Self::solve_factored), or its transpose.
    pub(crate) fn factor(&mut self, t: f64, transposed: bool) -> Result<(), OdeError> {
        let (dim, states) = (self.dim, self.states());
        let width = states * dim;
        let Self { linear, coupling, .. } = self;
        let regular = match linear {
            Linear::Shifted { jacobian, transposed: is_transposed } => {
                *is_transposed = transposed;
                jacobian.shift(coupling)
            }
            Linear::Coupled(coupled) => coupled.couple(|p, q| coupling[p * states + q]),
            Linear::Dense { jacobians, matrix, .. } => {
                for row in 0..width {
                    for column in 0..width {
                        // dy_p,i - sum_q C_pq,i f_y(q)_ij dy_q,j
                        let (p, i, q, j) = (row / dim, row % dim, column / dim, column % dim);
                        let weight = coupling[(i * states + p) * states + q];
                        let entry = -weight * jacobians[(q * dim + i) * dim + j];
                        let at =
                            if transposed { column * width + row } else { row * width + column };
                        matrix.entries()[at] = if row == column { 1.0 + entry } else { entry };
                    }
                }
                matrix.factor()
            }
        };
        if regular { Ok(()) } else { Err(OdeError::Singular { t }) }
    }

    /// Replaces x by the solution for the right-hand side x at the time t.
    pub(crate) fn solve_factored(&mut self, t: f64, x: &mut [f64]) -> Result<(), OdeError> {
        let solved = match &mut self.linear {
            Linear::Dense { matrix, .. } => {
                matrix.solve(x);
                true
            }
            Linear::Shifted { jacobian, transposed: false } => jacobian.solve(x),
            Linear::Shifted { jacobian, transposed: true } => jacobian.solve_transposed(x),
            // Needs the points: see `solve_points`.
            Linear::Coupled(_) => false,
        };
        if solved { Ok(()) } else { Err(OdeError::Singular { t }) }
    }

    /// Replaces x by the solution for the right-hand side x, with the Jacobians of all points.
    fn solve_points(
        &mut self,
        points: &BlockPoints<'_>,
        transposed: bool,
        x: &mut [f64],
    ) -> Result<(), OdeError> {
        let t = points[points.len() - 1].0;
        if !matches!(self.linear, Linear::Coupled(_)) {
            return self.solve_factored(t, x);
        }
        let right = x.to_vec();
        let (mut correction, mut previous) = (right.clone(), f64::INFINITY);
        x.fill(0.0);
        for _ in 0..CORRECTIONS {
            if let Linear::Coupled(coupled) = &mut self.linear
                && !coupled.solve(&mut correction, transposed)
            {
                break;
            }
            x.iter_mut().zip(&correction).for_each(|(x, change)| *x += change);
            let size = largest_of([&*correction], |[change]| change.abs());
            let scale = largest_of([&*x], |[x]| x.abs());
            let rounding = size <= 1e-12 * scale && size >= 0.5 * previous;
            if size <= 4.0 * f64::EPSILON * scale || rounding {
                return Ok(());
            }
            previous = size;
            self.residual(points, transposed, (&right, x), &mut correction);
        }
        Err(OdeError::Singular { t })
    }

    /// Writes `right - A x`, A the matrix of the block or its transpose.
    fn residual(
        &mut self,
        points: &BlockPoints<'_>,
        transposed: bool,
        (right, x): (&[f64], &[f64]),
        out: &mut [f64],
    ) {
        let (dim, states) = (self.dim, points.len());
        let Self { system, coupling, unused, .. } = self;
        let zeros = vec![0.0; unused.len()];
        out.iter_mut().zip(right.iter().zip(x)).for_each(|(out, (b, x))| *out = b - x);
        let mut sum = vec![0.0; dim];
        for (state, (t, y)) in points.iter().enumerate() {
            if transposed {
                sum.fill(0.0);
                for (to, x) in x.chunks_exact(dim).enumerate() {
                    let weight = coupling[to * states + state];
                    sum.iter_mut().zip(x).for_each(|(sum, x)| *sum += weight * x);
                }
                unused.fill(0.0);
                system.vjp(*t, y, &sum, &mut out[state * dim..][..dim], unused);
            } else {
                system.jvp(*t, y, &x[state * dim..][..dim], &zeros, &mut sum);
                for (to, out) in out.chunks_exact_mut(dim).enumerate() {
                    let weight = coupling[to * states + state];
                    out.iter_mut().zip(&sum).for_each(|(out, x)| *out += weight * x);
                }
            }
        }
    }

    /// Replaces the change of what is known by that of the states.
    pub(crate) fn solve(
        &mut self,
        points: &BlockPoints<'_>,
        dy: &mut [f64],
    ) -> Result<(), OdeError> {
        self.linearise(points);
        let last = points[points.len() - 1].0;
        self.factor(last, false)?;
        self.solve_points(points, false, dy)?;
        all_finite(dy, last)
    }

    /// The same with a change of the parameters.
    pub(crate) fn tangent(
        &mut self,
        points: &BlockPoints<'_>,
        theta: &[f64],
        dy: &mut [f64],
    ) -> Result<(), OdeError> {
        let (dim, zeros) = (self.dim, vec![0.0; self.dim]);
        let mut df = vec![0.0; dim];
        for (from, (t, y)) in points.iter().enumerate() {
            self.system.jvp(*t, y, &zeros, theta, &mut df);
            for (to, dy) in dy.chunks_exact_mut(dim).enumerate() {
                for i in 0..dim {
                    dy[i] += self.weight(i, to, from) * df[i];
                }
            }
        }
        self.solve(points, dy)
    }

    /// From the cotangents of f and y at the states to those of what is known, which replace those
    /// of y; those of f become the total ones, with which `thetabar` grows.
    pub(crate) fn adjoint(
        &mut self,
        points: &BlockPoints<'_>,
        fbar: &mut [f64],
        ybar: &mut [f64],
        thetabar: &mut [f64],
    ) -> Result<(), OdeError> {
        let dim = self.dim;
        self.linearise(points);
        self.add_cotangents(points, fbar, ybar);
        let last = points[points.len() - 1].0;
        self.factor(last, true)?;
        self.solve_points(points, true, ybar)?;
        all_finite(ybar, last)?;
        for (from, fbar) in fbar.chunks_exact_mut(dim).enumerate() {
            for (to, ybar) in ybar.chunks_exact(dim).enumerate() {
                for i in 0..dim {
                    fbar[i] += self.weight(i, to, from) * ybar[i];
                }
            }
        }
        // Only for the parameters: y has been solved for.
        let mut unused = vec![0.0; dim];
        for ((t, y), fbar) in points.iter().zip(fbar.chunks_exact(dim)) {
            self.system.vjp(*t, y, fbar, &mut unused, thetabar);
        }
        Ok(())
    }
}
