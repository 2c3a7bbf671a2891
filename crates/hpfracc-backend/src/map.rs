use crate::{BackendError, Workload};
use hpfracc_types::Real;
use std::future::ready;
use std::pin::Pin;
use std::sync::Arc;

/// One algorithm on one device, which makes plans.
///
/// A CPU has several backends, one for each algorithm; a selector is a backend made of backends.
/// Backends store no results and no user data; cloning one is cheap.
pub trait Backend<T: Real>: Send + Sync {
    /// Short name for users, such as `cpu-fft`.
    fn name(&self) -> &str;

    /// Chooses the algorithm for maps of this size and prepares what depends on the size alone.
    ///
    /// # Errors
    /// [`BackendError::Size`] for sizes of zero, [`BackendError::Unsupported`] if this backend
    /// has no algorithm for the workload, [`BackendError::Memory`] beyond a limit.
    fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<T>>, BackendError>;
}

/// A workload with its algorithm, to be bound to a kernel.
pub trait Plan<T: Real>: Send + Sync {
    /// The sizes of the map.
    fn workload(&self) -> Workload;

    /// Bytes of one bound map with its scratch memory, without the slices of the caller.
    fn bytes(&self) -> usize;

    /// Binds the map to its kernel: weights, symbol or matrix, as [`Workload`] defines for its
    /// kind.
    ///
    /// # Errors
    /// [`BackendError::Length`], or [`BackendError::NotHermitian`] for a symbol.
    fn bind(&self, kernel: &[T]) -> Result<Box<dyn LinearMap<T>>, BackendError>;
}

/// Direction in which signals go through a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Direction {
    /// [`LinearMap::apply`].
    Forward,
    /// [`LinearMap::apply_transpose`].
    Transpose,
}

impl Direction {
    /// Both directions.
    pub const BOTH: [Self; 2] = [Self::Forward, Self::Transpose];
}

/// A linear map from the space of `x` to the space of `y`, with the signals of a batch contiguous,
/// one after the other.
///
/// An implementation computes both directions in [`LinearMap::run`]; callers use
/// [`LinearMap::apply`] and its relatives, which check the lengths first.
///
/// NaN and infinity in a signal propagate to the result of that signal: through a transform they
/// reach all of its entries, through a direct sum only those that depend on them. Other signals
/// of the batch are not affected.
pub trait LinearMap<T: Real>: Send + Sync {
    /// The sizes of the map.
    fn workload(&self) -> Workload;

    /// `to = A from`, or `to = A' from` with the transpose A', for slices of the lengths that the
    /// workload requires. Every entry of `to` is overwritten.
    ///
    /// Lengths are not checked: a call with others may panic or leave entries unwritten. It is for
    /// maps that contain a map and have checked slices; other callers use [`LinearMap::apply`].
    ///
    /// # Errors
    /// [`BackendError::Device`] if the device fails, after which the content of `to` is
    /// unspecified.
    fn run(&self, direction: Direction, from: &[T], to: &mut [T]) -> Result<(), BackendError>;

    /// [`LinearMap::run`] as a future.
    ///
    /// The provided method computes when the future is first polled, for maps that do not wait for
    /// a device.
    fn run_async<'a>(
        &'a self,
        direction: Direction,
        from: &'a [T],
        to: &'a mut [T],
    ) -> Pending<'a> {
        Box::pin(async move { self.run(direction, from, to) })
    }

    /// `y = A x`. Every entry of `y` is overwritten.
    ///
    /// # Errors
    /// [`BackendError::Length`] before anything is written; [`BackendError::Device`] if the
    /// device fails, after which the content of `y` is unspecified.
    fn apply(&self, x: &[T], y: &mut [T]) -> Result<(), BackendError> {
        self.workload().check_signals(x, y)?;
        self.run(Direction::Forward, x, y)
    }

    /// `x = A' y` with the transpose A' of the same map: the adjoint, which maps the gradient of a
    /// loss with respect to the output to that with respect to the input.
    ///
    /// # Errors
    /// Those of [`LinearMap::apply`].
    fn apply_transpose(&self, y: &[T], x: &mut [T]) -> Result<(), BackendError> {
        self.workload().check_signals(x, y)?;
        self.run(Direction::Transpose, y, x)
    }

    /// [`LinearMap::apply`] as a future, for programs that must not block on a device, such as
    /// those in a browser. A future that is dropped before it is ready leaves `y` unspecified.
    fn apply_async<'a>(&'a self, x: &'a [T], y: &'a mut [T]) -> Pending<'a> {
        match self.workload().check_signals(x, y) {
            Ok(()) => self.run_async(Direction::Forward, x, y),
            Err(error) => Box::pin(ready(Err(error))),
        }
    }

    /// [`LinearMap::apply_transpose`] as a future; see [`LinearMap::apply_async`].
    fn apply_transpose_async<'a>(&'a self, y: &'a [T], x: &'a mut [T]) -> Pending<'a> {
        match self.workload().check_signals(x, y) {
            Ok(()) => self.run_async(Direction::Transpose, y, x),
            Err(error) => Box::pin(ready(Err(error))),
        }
    }
}

/// The future of [`LinearMap::run_async`].
pub type Pending<'a> = Pin<Box<dyn Future<Output = Result<(), BackendError>> + Send + 'a>>;

impl<T: Real, B: Backend<T> + ?Sized> Backend<T> for Arc<B> {
    fn name(&self) -> &str {
        (**self).name()
    }
    fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<T>>, BackendError> {
        (**self).plan(workload)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Reference;
    use std::task::{Context, Poll, Waker};

    #[test]
    fn a_map_without_a_device_is_ready_when_first_polled() {
        let workload = Workload::CausalConvolution { len: 3, batch: 1 };
        let sum = Reference.plan(workload).unwrap().bind(&[1.0, 1.0, 1.0]).unwrap();
        let mut context = Context::from_waker(Waker::noop());
        let (x, mut y, mut back) = ([1.0, 2.0, 3.0], [0.0; 3], [0.0; 3]);
        let mut future = sum.apply_async(&x, &mut y);
        assert!(matches!(future.as_mut().poll(&mut context), Poll::Ready(Ok(()))));
        drop(future);
        assert_eq!(y, [1.0, 3.0, 6.0]);
        let mut future = sum.apply_transpose_async(&x, &mut back);
        assert!(matches!(future.as_mut().poll(&mut context), Poll::Ready(Ok(()))));
        drop(future);
        assert_eq!(back, [6.0, 5.0, 3.0]);
    }
}
