use crate::{OperatorError, Result};
use hpfracc_backend::{BackendError, LinearMap, Shape};
use hpfracc_types::Real;
use std::future::Future;
use std::pin::Pin;

/// A result that is being computed.
pub(crate) type Pending<'a> = Pin<Box<dyn Future<Output = Result<()>> + Send + 'a>>;

/// Whether a map or its transpose is applied.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Direction {
    /// `y = A x`.
    Forward,
    /// `x = A' y`.
    Transposed,
}

/// One application of a map.
pub(crate) struct Call<'a, T> {
    pub(crate) direction: Direction,
    /// `batch` signals, one after the other, as in `to`.
    pub(crate) from: &'a [T],
    pub(crate) to: &'a mut [T],
    pub(crate) batch: usize,
}

impl<'a, T> Call<'a, T> {
    pub(crate) fn new(direction: Direction, from: &'a [T], to: &'a mut [T], batch: usize) -> Self {
        Self { direction, from, to, batch }
    }

    pub(super) fn reversed(self) -> Self {
        Self { direction: self.direction.reversed(), ..self }
    }
}

/// One kind of [`Weights`](crate::Weights), bound: a square map of signals of one shape.
pub(crate) trait SignalMap<T: Real>: Send + Sync {
    /// Shape of one signal.
    fn shape(&self) -> Shape;

    /// Applies the map or its transpose. Every entry of `to` is overwritten.
    fn run(&self, call: Call<'_, T>) -> Result<()>;

    /// As [`SignalMap::run`], without blocking while a device computes. Maps that need no device
    /// compute when the future is first polled.
    fn run_async<'a>(&'a self, call: Call<'a, T>) -> Pending<'a> {
        Box::pin(async move { self.run(call) })
    }
}

impl Direction {
    pub(super) fn reversed(self) -> Self {
        match self {
            Self::Forward => Self::Transposed,
            Self::Transposed => Self::Forward,
        }
    }

    /// Applies the map of a backend.
    pub(super) fn apply<T: Real>(
        self,
        map: &dyn LinearMap<T>,
        from: &[T],
        to: &mut [T],
    ) -> Result<(), BackendError> {
        match self {
            Self::Forward => map.apply(from, to),
            Self::Transposed => map.apply_transpose(from, to),
        }
    }

    /// As [`Direction::apply`], without blocking.
    pub(super) async fn apply_async<T: Real>(
        self,
        map: &dyn LinearMap<T>,
        from: &[T],
        to: &mut [T],
    ) -> Result<(), BackendError> {
        match self {
            Self::Forward => map.apply_async(from, to).await,
            Self::Transposed => map.apply_transpose_async(from, to).await,
        }
    }
}

/// Rounds weights to the scalar type.
///
/// A step that is tiny for the order overflows, in `f32` from h^-alpha = 3e38 on.
pub(crate) fn narrow<T: Real>(weights: impl Into<Vec<f64>>) -> Result<Vec<T>> {
    let weights = weights.into();
    fit::<T>(&weights)?;
    Ok(weights.into_iter().map(T::narrow).collect())
}

/// Checks that weights are finite in the scalar type.
pub(crate) fn fit<T: Real>(weights: &[f64]) -> Result<()> {
    let fits = |weight: f64| T::narrow(weight).widen().is_finite();
    // To the end, which vectorises.
    let all_fit = weights.iter().fold(true, |all, weight| all & fits(*weight));
    let misfit = if all_fit { None } else { weights.iter().find(|weight| !fits(**weight)) };
    match misfit {
        Some(&weight) => Err(OperatorError::Overflow { weight, scalar: T::NAME }),
        None => Ok(()),
    }
}
