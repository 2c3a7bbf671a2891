use crate::{Bound, OperatorError, Recurrence, Weights};
use hpfracc_backend::Backend;
use hpfracc_types::{Grid, Mesh, Order, Real};
use std::sync::Arc;

/// A definition of a fractional derivative or integral, with the scheme that discretises it.
///
/// A small value: it holds the order and the choice of scheme, and checks both when it is made.
/// [`Operator::weights`] turns it and a grid into numbers, [`Operator::on`] binds it to a backend
/// so that signals can go through it.
pub trait Operator: Send + Sync {
    /// Names of the operator and of the scheme, as the literature has them.
    fn name(&self) -> (&'static str, &'static str);

    /// The order alpha.
    fn order(&self) -> Order;

    /// The discrete operator on a grid.
    ///
    /// # Errors
    /// [`OperatorError::TooFewSamples`] if the scheme's first steps do not fit on the grid.
    fn weights(&self, grid: Grid) -> Result<Weights, OperatorError>;

    /// Its derivative in alpha: the same structure with other numbers, same stencils included.
    ///
    /// # Errors
    /// As [`Operator::weights`].
    fn weights_order_derivative(&self, grid: Grid) -> Result<Weights, OperatorError>;

    /// The discrete operator on points at any distances.
    ///
    /// Definitions that count from the start of the record take the mesh's first point as the start;
    /// those that count from time zero take the points as they are.
    ///
    /// # Errors
    /// [`OperatorError::UniformOnly`] if the scheme has no such form, which is the default.
    fn weights_on(&self, _mesh: &Mesh) -> Result<Weights, OperatorError> {
        Err(uniform_only(self.name()))
    }

    /// The derivative in alpha of [`Operator::weights_on`], the mesh unchanged.
    ///
    /// # Errors
    /// As [`Operator::weights_on`].
    fn weights_on_order_derivative(&self, _mesh: &Mesh) -> Result<Weights, OperatorError> {
        Err(uniform_only(self.name()))
    }

    /// The operator on steps `dt` as a sum of exponentials: constant memory for records of up to
    /// `longest` samples, each weight right within the relative `tolerance`.
    ///
    /// # Errors
    /// [`OperatorError::NoRecurrence`] for a scheme without one, [`OperatorError::OutOfRange`] for an
    /// order at which it has none; [`OperatorError::Parameter`] unless 1 <= longest <= 1e15 and 1e-12
    /// <= tolerance <= 0.1; [`OperatorError::Grid`] for a step that is not positive;
    /// [`OperatorError::NoExponentials`] if the search ends without nodes within the tolerance.
    fn recurrence(
        &self,
        dt: f64,
        longest: u64,
        tolerance: f64,
    ) -> Result<Recurrence, OperatorError> {
        let _ = (dt, longest, tolerance);
        let (operator, scheme) = self.name();
        Err(OperatorError::NoRecurrence { operator, scheme })
    }

    /// The derivative of [`Operator::recurrence`] in alpha with its nodes held: that of the
    /// approximant, not an approximation of its own with a bound.
    ///
    /// # Errors
    /// As [`Operator::recurrence`]; [`OperatorError::Parameter`] where the kernel is so nearly constant
    /// that its exponentials know nothing of other orders: an integral of order above 0.95, an L1 or
    /// Grünwald–Letnikov derivative of order less than 0.05 above a whole number.
    fn recurrence_order_derivative(
        &self,
        dt: f64,
        longest: u64,
        tolerance: f64,
    ) -> Result<Recurrence, OperatorError> {
        let _ = (dt, longest, tolerance);
        let (operator, scheme) = self.name();
        Err(OperatorError::NoRecurrence { operator, scheme })
    }

    /// As [`Operator::on`] by the [`recurrence`](Operator::recurrence), for whole records: n K products
    /// instead of transforms, each weight right within the relative `tolerance`.
    ///
    /// The gradient in alpha is that of the approximant with its nodes held.
    ///
    /// # Errors
    /// As [`Operator::recurrence`], and [`OperatorError::Backend`] if the backend cannot plan it.
    fn on_exponentials<T, B>(
        self,
        grid: Grid,
        tolerance: f64,
        backend: &B,
    ) -> Result<Bound<T>, OperatorError>
    where
        Self: Sized + Clone + 'static,
        T: Real,
        B: Backend<T> + Clone + 'static,
    {
        let (dt, n) = (grid.dt(), grid.n());
        let weights = Weights::Recurrence { of: self.recurrence(dt, n as u64, tolerance)?, n };
        let derivative = move || {
            let of = self.recurrence_order_derivative(dt, n as u64, tolerance)?;
            Ok(Weights::Recurrence { of, n })
        };
        Bound::new(weights, Box::new(derivative), Arc::new(backend.clone()))
    }

    /// Binds the operator to a grid and to the backend that will compute it.
    ///
    /// # Errors
    /// As [`Operator::weights`], and [`OperatorError::Backend`] if the backend cannot plan maps of
    /// this size.
    fn on<T, B>(self, grid: Grid, backend: &B) -> Result<Bound<T>, OperatorError>
    where
        Self: Sized + Clone + 'static,
        T: Real,
        B: Backend<T> + Clone + 'static,
    {
        let weights = self.weights(grid)?;
        let derivative = move || self.weights_order_derivative(grid);
        Bound::new(weights, Box::new(derivative), Arc::new(backend.clone()))
    }

    /// Binds the operator to a mesh and to the backend that will compute it.
    ///
    /// # Errors
    /// As [`Operator::weights_on`], and [`OperatorError::Backend`] if the backend cannot plan maps of
    /// this size.
    fn on_mesh<T, B>(self, mesh: &Mesh, backend: &B) -> Result<Bound<T>, OperatorError>
    where
        Self: Sized + Clone + 'static,
        T: Real,
        B: Backend<T> + Clone + 'static,
    {
        let weights = self.weights_on(mesh)?;
        let mesh = mesh.clone();
        let derivative = move || self.weights_on_order_derivative(&mesh);
        Bound::new(weights, Box::new(derivative), Arc::new(backend.clone()))
    }
}

fn uniform_only((operator, scheme): (&'static str, &'static str)) -> OperatorError {
    OperatorError::UniformOnly { operator, scheme }
}

impl Operator for Arc<dyn Operator> {
    fn name(&self) -> (&'static str, &'static str) {
        (**self).name()
    }
    fn order(&self) -> Order {
        (**self).order()
    }
    fn weights(&self, grid: Grid) -> Result<Weights, OperatorError> {
        (**self).weights(grid)
    }
    fn weights_order_derivative(&self, grid: Grid) -> Result<Weights, OperatorError> {
        (**self).weights_order_derivative(grid)
    }
    fn weights_on(&self, mesh: &Mesh) -> Result<Weights, OperatorError> {
        (**self).weights_on(mesh)
    }
    fn weights_on_order_derivative(&self, mesh: &Mesh) -> Result<Weights, OperatorError> {
        (**self).weights_on_order_derivative(mesh)
    }
    fn recurrence(
        &self,
        dt: f64,
        longest: u64,
        tolerance: f64,
    ) -> Result<Recurrence, OperatorError> {
        (**self).recurrence(dt, longest, tolerance)
    }
    fn recurrence_order_derivative(
        &self,
        dt: f64,
        longest: u64,
        tolerance: f64,
    ) -> Result<Recurrence, OperatorError> {
        (**self).recurrence_order_derivative(dt, longest, tolerance)
    }
}
