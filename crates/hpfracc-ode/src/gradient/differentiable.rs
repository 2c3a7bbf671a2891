use crate::System;
use crate::problem::{add_product, add_transposed};
use std::cell::RefCell;

/// Right-hand side f(t, y; theta) with its derivatives with respect to the state and the
/// parameters.
///
/// Derivatives are exact, written by hand or by automatic differentiation; gradients never use
/// finite differences. For small systems [`Parametric`] implements it with two closures.
pub trait Differentiable: System {
    /// The parameters, theta.
    fn parameters(&self) -> &[f64];

    /// Adds `f_y^T fbar` to `ybar` and `f_theta^T fbar` to `thetabar`.
    fn vjp(&self, t: f64, y: &[f64], fbar: &[f64], ybar: &mut [f64], thetabar: &mut [f64]);

    /// Writes `f_y dy + f_theta dtheta`.
    fn jvp(&self, t: f64, y: &[f64], dy: &[f64], dtheta: &[f64], df: &mut [f64]);
}

impl<S: Differentiable + ?Sized> Differentiable for &S {
    fn parameters(&self) -> &[f64] {
        (**self).parameters()
    }

    fn vjp(&self, t: f64, y: &[f64], fbar: &[f64], ybar: &mut [f64], thetabar: &mut [f64]) {
        (**self).vjp(t, y, fbar, ybar, thetabar);
    }

    fn jvp(&self, t: f64, y: &[f64], dy: &[f64], dtheta: &[f64], df: &mut [f64]) {
        (**self).jvp(t, y, dy, dtheta, df);
    }
}

/// Right-hand side with derivatives from parameters and two closures: f and its Jacobians.
///
/// `rhs` is `|t, y, theta, dydt|`. `jacobians` is `|t, y, theta, f_y, f_theta|` and writes
/// `df_i/dy_j` to `f_y[i * dim + j]` and `df_i/dtheta_k` to `f_theta[i * parameters + k]`; both are
/// zero on entry. Implicit schemes use the first for Newton's iteration. In a
/// [multi-term equation](crate::MultiTerm::of), y is the list of all terms and `dim` its length; f
/// and the rows of the Jacobians are fewer.
///
/// Suited to at most some ten components; for more, products with vectors cost less than matrices:
/// implement [`Differentiable`]. It reuses the buffers of the matrices, so it is not `Sync`.
///
/// ```
/// use hpfracc_ode::Parametric;
///
/// // f = theta y (1 - y)
/// let logistic = Parametric::new(
///     &[2.0],
///     |_t: f64, y: &[f64], theta: &[f64], dydt: &mut [f64]| dydt[0] = theta[0] * y[0] * (1.0 - y[0]),
///     |_t: f64, y: &[f64], theta: &[f64], f_y: &mut [f64], f_theta: &mut [f64]| {
///         f_y[0] = theta[0] * (1.0 - 2.0 * y[0]);
///         f_theta[0] = y[0] * (1.0 - y[0]);
///     },
/// );
/// assert_eq!(logistic.theta, [2.0]);
/// ```
#[derive(Debug, Clone)]
pub struct Parametric<F, J> {
    /// The parameters.
    pub theta: Vec<f64>,
    rhs: F,
    jacobians: J,
    /// Buffer of both matrices.
    matrices: RefCell<Vec<f64>>,
}

impl<F, J> Parametric<F, J>
where
    F: Fn(f64, &[f64], &[f64], &mut [f64]),
    J: Fn(f64, &[f64], &[f64], &mut [f64], &mut [f64]),
{
    /// From parameters, f and its Jacobians.
    pub fn new(theta: &[f64], rhs: F, jacobians: J) -> Self {
        Self { theta: theta.to_vec(), rhs, jacobians, matrices: RefCell::default() }
    }

    /// Calls `then` with both matrices at y.
    fn linearised(&self, t: f64, y: &[f64], then: impl FnOnce(&[f64], &[f64])) {
        let (dim, parameters) = (y.len(), self.theta.len());
        let mut matrices = self.matrices.borrow_mut();
        matrices.clear();
        matrices.resize(dim * (dim + parameters), 0.0);
        let (f_y, f_theta) = matrices.split_at_mut(dim * dim);
        (self.jacobians)(t, y, &self.theta, f_y, f_theta);
        then(f_y, f_theta);
    }
}

impl<F, J> System for Parametric<F, J>
where
    F: Fn(f64, &[f64], &[f64], &mut [f64]),
    J: Fn(f64, &[f64], &[f64], &mut [f64], &mut [f64]),
{
    fn rhs(&self, t: f64, y: &[f64], dydt: &mut [f64]) {
        (self.rhs)(t, y, &self.theta, dydt);
    }

    fn jacobian(&self, t: f64, y: &[f64], jacobian: &mut [f64]) -> bool {
        self.linearised(t, y, |f_y, _| jacobian.copy_from_slice(&f_y[..jacobian.len()]));
        true
    }
}

impl<F, J> Differentiable for Parametric<F, J>
where
    F: Fn(f64, &[f64], &[f64], &mut [f64]),
    J: Fn(f64, &[f64], &[f64], &mut [f64], &mut [f64]),
{
    fn parameters(&self) -> &[f64] {
        &self.theta
    }

    fn vjp(&self, t: f64, y: &[f64], fbar: &[f64], ybar: &mut [f64], thetabar: &mut [f64]) {
        self.linearised(t, y, |f_y, f_theta| {
            add_transposed(f_y, fbar, ybar);
            add_transposed(f_theta, fbar, thetabar);
        });
    }

    fn jvp(&self, t: f64, y: &[f64], dy: &[f64], dtheta: &[f64], df: &mut [f64]) {
        self.linearised(t, y, |f_y, f_theta| {
            df.fill(0.0);
            add_product(f_y, dy, df);
            add_product(f_theta, dtheta, df);
        });
    }
}
