use crate::{Bound, OperatorError, Weights};
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
}
