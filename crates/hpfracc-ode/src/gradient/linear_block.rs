use super::differentiable::Differentiable;
use crate::error::all_finite;
use crate::problem::{add_product, add_transposed};
use crate::{OdeError, ShiftedJacobian};
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
}

/// Times and states of a block.
pub(crate) type BlockPoints<'a> = [(f64, &'a [f64])];

impl<'a> LinearBlock<'a> {
    /// For a number of states of `dim` components.
    pub(crate) fn new(system: &'a (dyn Differentiable + 'a), states: usize, dim: usize) -> Self {
        match system.shifted_jacobian() {
            Some(jacobian) if states == 1 => {
                Self::with(system, states, dim, Linear::Shifted { jacobian, transposed: false })
            }
            _ => Self::dense(system, states, dim),
        }
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
                Linear::Shifted { .. } => {
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
        };
        if solved { Ok(()) } else { Err(OdeError::Singular { t }) }
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
        self.solve_factored(last, dy)?;
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
        self.solve_factored(last, ybar)?;
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
