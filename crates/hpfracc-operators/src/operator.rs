use crate::{Bound, OperatorError, Weights};
use hpfracc_backend::Backend;
use hpfracc_types::{Grid, Order, Real};
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
}
