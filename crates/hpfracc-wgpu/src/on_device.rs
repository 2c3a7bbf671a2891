//! What every map on a device answers, whichever shaders compute it.

use crate::scalar::ShaderScalar;
use crate::{Gpu, GpuError};
use hpfracc_backend::{BackendError, LinearMap, Pending, Workload};
use std::future::Future;
use std::marker::PhantomData;

/// A map bound to its kernel on a device.
pub(crate) trait Bound<T: ShaderScalar>: Send + Sync {
    /// The backend's name, the device, and the sizes.
    fn place(&self) -> (&'static str, &Gpu, Workload);

    /// Takes signals, as many as the workload says and as long, through the map or its transpose.
    fn run(
        &self,
        from: &[T::Host],
        to: &mut [T::Host],
        transposed: bool,
    ) -> impl Future<Output = Result<(), GpuError>> + Send;
}

/// The same as a linear map: lengths are checked first, and errors bear the backend's name.
pub(crate) struct OnDevice<T, M>(M, PhantomData<T>);

impl<T: ShaderScalar, M: Bound<T>> OnDevice<T, M> {
    pub(crate) fn new(map: M) -> Self {
        Self(map, PhantomData)
    }

    async fn run(
        &self,
        from: &[T::Host],
        to: &mut [T::Host],
        transposed: bool,
    ) -> Result<(), BackendError> {
        let (name, _, workload) = self.0.place();
        if transposed {
            workload.check_signals(to, from)?;
        } else {
            workload.check_signals(from, to)?;
        }
        self.0.run(from, to, transposed).await.map_err(|error| error.of(name))
    }

    fn wait(
        &self,
        from: &[T::Host],
        to: &mut [T::Host],
        transposed: bool,
    ) -> Result<(), BackendError> {
        let (name, gpu, _) = self.0.place();
        let run = async { Ok(self.run(from, to, transposed).await) };
        gpu.wait(run).unwrap_or_else(|error| Err(error.of(name)))
    }
}

impl<T: ShaderScalar, M: Bound<T>> LinearMap<T::Host> for OnDevice<T, M> {
    fn workload(&self) -> Workload {
        self.0.place().2
    }

    fn apply(&self, x: &[T::Host], y: &mut [T::Host]) -> Result<(), BackendError> {
        self.wait(x, y, false)
    }

    fn apply_transpose(&self, y: &[T::Host], x: &mut [T::Host]) -> Result<(), BackendError> {
        self.wait(y, x, true)
    }

    fn apply_async<'a>(&'a self, x: &'a [T::Host], y: &'a mut [T::Host]) -> Pending<'a> {
        Box::pin(self.run(x, y, false))
    }

    fn apply_transpose_async<'a>(&'a self, y: &'a [T::Host], x: &'a mut [T::Host]) -> Pending<'a> {
        Box::pin(self.run(y, x, true))
    }
}
