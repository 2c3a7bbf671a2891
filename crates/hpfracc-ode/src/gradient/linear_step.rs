use super::differentiable::Differentiable;
use crate::OdeError;
use crate::system::{add_product, add_transposed};
use hpfracc_lanes::Lu;

/// The derivative of an implicit step `y = known + c_0 f(t, y)`, that is
/// `(I - c_0 f_y) dy = dknown`, and its transpose; c_0 has a number for each component.
pub(super) struct LinearStep<'a> {
    system: &'a (dyn Differentiable + 'a),
    /// c_0.
    newest: Vec<f64>,
    /// f_y, row by row.
    jacobian: Vec<f64>,
    matrix: Lu,
    unit: Vec<f64>,
    unused: Vec<f64>,
}

impl<'a> LinearStep<'a> {
    pub(super) fn new(system: &'a (dyn Differentiable + 'a), newest: Vec<f64>) -> Self {
        let dim = newest.len();
        Self {
            system,
            newest,
            jacobian: vec![0.0; dim * dim],
            matrix: Lu::new(dim),
            unit: vec![0.0; dim],
            unused: vec![0.0; system.parameters().len()],
        }
    }

    /// Computes f_y at a state: by `System::jacobian`, or row by row by vector-Jacobian products.
    pub(super) fn linearise(&mut self, t: f64, y: &[f64]) {
        if self.system.jacobian(t, y, &mut self.jacobian) {
            return;
        }
        self.jacobian.fill(0.0);
        for (component, row) in self.jacobian.chunks_exact_mut(y.len()).enumerate() {
            self.unit[component] = 1.0;
            self.system.vjp(t, y, &self.unit, row, &mut self.unused);
            self.unit[component] = 0.0;
        }
    }

    /// Writes `f_y x`, f_y at the last linearisation.
    pub(super) fn product(&self, x: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        add_product(&self.jacobian, x, out);
    }

    /// Adds `f_y^T x` to `out`.
    pub(super) fn add_transposed(&self, x: &[f64], out: &mut [f64]) {
        add_transposed(&self.jacobian, x, out);
    }

    /// Factors the matrix for [`solve`](Self::solve), or its transpose.
    pub(super) fn factor(&mut self, t: f64, transposed: bool) -> Result<(), OdeError> {
        let dim = self.newest.len();
        let entries = self.matrix.entries();
        for i in 0..dim {
            for j in 0..dim {
                let at = if transposed { j * dim + i } else { i * dim + j };
                let entry = -self.newest[i] * self.jacobian[i * dim + j];
                entries[at] = if i == j { 1.0 + entry } else { entry };
            }
        }
        if self.matrix.factor() { Ok(()) } else { Err(OdeError::Singular { t }) }
    }

    /// Replaces x by the solution for the right-hand side x.
    pub(super) fn solve(&self, x: &mut [f64]) {
        self.matrix.solve(x);
    }
}
