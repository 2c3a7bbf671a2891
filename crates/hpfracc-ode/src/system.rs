/// A right-hand side, `f(t, y)`.
///
/// A closure becomes one by [`Problem::new`](super::Problem::new); a type of its own can also know
/// its dimension and its Jacobian. Values that are not finite end the solve with
/// [`OdeError::NotFinite`](crate::OdeError::NotFinite).
pub trait System {
    /// Writes `f(t, y)`.
    fn rhs(&self, t: f64, y: &[f64], dydt: &mut [f64]);

    /// Number of components, if it is fixed; checked against the initial values.
    fn dim(&self) -> Option<usize> {
        None
    }

    /// Writes `df_i/dy_j` to `jacobian[i * dim + j]` and returns true; or returns false if it is not
    /// known, and implicit schemes take differences.
    fn jacobian(&self, t: f64, y: &[f64], jacobian: &mut [f64]) -> bool {
        let _ = (t, y, jacobian);
        false
    }
}

impl<S: System + ?Sized> System for &S {
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

/// A closure as a right-hand side.
#[derive(Debug, Clone, Copy)]
pub struct Rhs<F>(pub F);

impl<F: Fn(f64, &[f64], &mut [f64])> System for Rhs<F> {
    fn rhs(&self, t: f64, y: &[f64], dydt: &mut [f64]) {
        (self.0)(t, y, dydt);
    }
}

/// A right-hand side with a closure for its Jacobian, row by row.
#[derive(Debug, Clone, Copy)]
pub struct WithJacobian<S, J> {
    /// The right-hand side.
    pub system: S,
    /// Writes `df_i/dy_j` to the place `i * dim + j`.
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
