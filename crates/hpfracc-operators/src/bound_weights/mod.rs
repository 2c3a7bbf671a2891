//! [`Weights`] rounded once to the scalar type and bound to a backend: a linear map of slices.

mod combined;
mod diagonal;
mod first_order;
mod maps;
mod recurrence;
mod toeplitz;

use crate::{OperatorError, Weights};
use combined::{Product, Sum};
use diagonal::Diagonal;
use first_order::BoundFirstOrder;
use hpfracc_backend::{Backend, Shape, Workload};
use hpfracc_types::Real;
use maps::Maps;
use recurrence::BoundRecurrence;
use std::sync::Arc;
use toeplitz::BoundToeplitz;

/// One kind of [`Weights`], bound: a square map of signals of one shape.
pub(crate) trait Part<T>: Send + Sync {
    /// Shape of one signal.
    fn shape(&self) -> Shape;

    /// `y = A x` for `batch` signals one behind the other. Every entry of `y` is overwritten.
    fn apply(&self, x: &[T], y: &mut [T], batch: usize) -> Result<(), OperatorError>;

    /// `x = A' y` for `batch` signals one behind the other.
    fn apply_transpose(&self, y: &[T], x: &mut [T], batch: usize) -> Result<(), OperatorError>;
}

/// Rounds weights and binds them. What the backend cannot plan is said here and not at the first
/// signal.
pub(crate) fn bind<T: Real>(
    weights: &Weights,
    backend: &Arc<dyn Backend<T>>,
) -> Result<Box<dyn Part<T>>, OperatorError> {
    let all = |weights: &[Weights]| {
        weights.iter().map(|w| bind(w, backend)).collect::<Result<Vec<_>, _>>()
    };
    Ok(match weights {
        Weights::Toeplitz(toeplitz) => Box::new(BoundToeplitz::new(toeplitz, backend)?),
        Weights::Symbol(symbol) => {
            let pairs: Vec<f64> = symbol.half.iter().flat_map(|m| [m.re, m.im]).collect();
            let (shape, kernel) = (symbol.shape, narrow(&pairs)?);
            let of_batch = move |batch| Workload::SpectralMultiplier { shape, batch };
            Box::new(Maps::new(shape, kernel, Box::new(of_batch), backend)?)
        }
        Weights::Matrix(matrix) => {
            let (rows, cols) = matrix.dim();
            square(rows, cols)?;
            let entries: Vec<f64> = matrix.iter().copied().collect();
            let of_batch = move |batch| Workload::Dense { rows, cols, batch };
            Box::new(Maps::new(Shape::line(rows), narrow(&entries)?, Box::new(of_batch), backend)?)
        }
        Weights::Diagonal(factors) => Box::new(Diagonal::new(narrow(factors)?)?),
        Weights::Recurrence { of, n } => Box::new(BoundRecurrence::new(of, *n, backend)?),
        Weights::FirstOrder(map) => Box::new(BoundFirstOrder::new(map)?),
        Weights::Product(factors) => Box::new(Product::new(all(factors)?)?),
        Weights::Sum(terms) => Box::new(Sum::new(all(terms)?)?),
    })
}

fn square(rows: usize, cols: usize) -> Result<(), OperatorError> {
    if rows == cols {
        Ok(())
    } else {
        let what = "the number of columns of a matrix";
        Err(OperatorError::Malformed { what, found: cols, expected: rows })
    }
}

/// Rounds weights to the scalar type.
///
/// A step that is tiny for the order overflows, in `f32` from h^-alpha = 3e38 on.
pub(crate) fn narrow<T: Real>(weights: &[f64]) -> Result<Vec<T>, OperatorError> {
    let each = weights.iter().map(|&weight| {
        let narrowed = T::narrow(weight);
        let fits = narrowed.widen().is_finite();
        fits.then_some(narrowed).ok_or(OperatorError::Overflow { weight, scalar: T::NAME })
    });
    each.collect()
}
