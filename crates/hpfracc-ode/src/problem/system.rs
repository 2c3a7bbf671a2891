use crate::ShiftedJacobian;

/// Right-hand side `f(t, y)`.
///
/// [`Problem::new`](crate::Problem::new) takes a closure; a type that implements this trait can
/// also provide its dimension and its Jacobian. Values that are not finite end the solve with
/// [`OdeError::NotFinite`](crate::OdeError::NotFinite).
pub trait System {
    /// Writes `f(t, y)`.
    fn rhs(&self, t: f64, y: &[f64], dydt: &mut [f64]);

    /// Number of components if it is fixed; checked against the initial values.
    fn dim(&self) -> Option<usize> {
        None
    }

    /// Writes `df_i/dy_j` to `jacobian[i * dim + j]` and returns true. Returns false if the
    /// Jacobian is not available; implicit schemes then use finite differences.
    fn jacobian(&self, t: f64, y: &[f64], jacobian: &mut [f64]) -> bool {
        let _ = (t, y, jacobian);
        false
    }

    /// Jacobian that solves the linear systems of implicit steps, for systems of many components.
    /// Default: None; implicit schemes then factor dense matrices.
    fn shifted_jacobian(&self) -> Option<Box<dyn ShiftedJacobian + '_>> {
        None
    }
}

impl<S: System + ?Sized> System for &S {
    fn shifted_jacobian(&self) -> Option<Box<dyn ShiftedJacobian + '_>> {
        (**self).shifted_jacobian()
    }

    fn rhs(&self, t: f64, y: &[f64], dydt: &mut [f64]) {
        (**self).rhs(t, y, dydt);
    }

    fn dim(&self) -> Option<usize> {
        (**self).dim()
    }

    fn jacobian(&self, t: f64, y: &[f64], jacobian: &mut [f64]) -> bool {
        (**self).jacobian(t, y, jacobian)
    }
}

/// Right-hand side given by a closure.
#[derive(Debug, Clone, Copy)]
pub struct Rhs<F>(pub F);

impl<F: Fn(f64, &[f64], &mut [f64])> System for Rhs<F> {
    fn rhs(&self, t: f64, y: &[f64], dydt: &mut [f64]) {
        (self.0)(t, y, dydt);
    }
}

/// Right-hand side with a closure for its Jacobian.
#[derive(Debug, Clone, Copy)]
pub struct WithJacobian<S, J> {
    /// Right-hand side.
    pub system: S,
    /// Closure `|t, y, jacobian|` that writes `df_i/dy_j` to `jacobian[i * dim + j]`.
    pub jacobian: J,
}

impl<S: System, J: Fn(f64, &[f64], &mut [f64])> System for WithJacobian<S, J> {
    fn rhs(&self, t: f64, y: &[f64], dydt: &mut [f64]) {
        self.system.rhs(t, y, dydt);
    }

    fn dim(&self) -> Option<usize> {
        self.system.dim()
    }

    fn jacobian(&self, t: f64, y: &[f64], jacobian: &mut [f64]) -> bool {
        (self.jacobian)(t, y, jacobian);
        true
    }
}

/// Jacobian by forward differences at y with its f; `y` and `moved_f` are scratch, y is restored.
/// The step is the square root of the precision times the component, at least that of a component
/// of 1/1000.
pub(crate) fn forward_differences(
    system: &(impl System + ?Sized),
    t: f64,
    (y, f): (&mut [f64], &[f64]),
    moved_f: &mut [f64],
    jacobian: &mut [f64],
) {
    let dim = y.len();
    for column in 0..dim {
        let before = y[column];
        y[column] += f64::EPSILON.sqrt() * before.abs().max(1e-3);
        let step = y[column] - before;
        system.rhs(t, y, moved_f);
        y[column] = before;
        for row in 0..dim {
            jacobian[row * dim + column] = (moved_f[row] - f[row]) / step;
        }
    }
}

/// `out += matrix^T x`, the matrix in row-major order.
pub(crate) fn add_transposed(matrix: &[f64], x: &[f64], out: &mut [f64]) {
    if !out.is_empty() {
        for (row, x) in matrix.chunks_exact(out.len()).zip(x) {
            out.iter_mut().zip(row).for_each(|(out, entry)| *out += entry * x);
        }
    }
}

/// `out += matrix x`, the matrix in row-major order.
pub(crate) fn add_product(matrix: &[f64], x: &[f64], out: &mut [f64]) {
    if !x.is_empty() {
        for (out, row) in out.iter_mut().zip(matrix.chunks_exact(x.len())) {
            *out += row.iter().zip(x).map(|(entry, x)| entry * x).sum::<f64>();
        }
    }
}

/// Product that is 0 if the second factor is, whatever the first.
pub(crate) fn product(a: f64, b: f64) -> f64 {
    if b == 0.0 { 0.0 } else { a * b }
}
