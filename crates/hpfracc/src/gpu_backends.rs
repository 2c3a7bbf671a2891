//! The backends of `hpfracc-wgpu` on one device, which is opened when it is first needed.

use crate::gpu::{Direct, Direct64, Double, Fft, Fft64, Gemm, Gemm64, Gpu, GpuError, MemoryLimit};
use hpfracc_backend::{Backend, BackendError, Plan, Workload};
use hpfracc_types::Real;
use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};

/// Which shaders compute.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Shaders {
    Direct,
    Fft,
    Gemm,
}

/// The GPU of a machine. A failure to open it is not remembered, and a device that was lost is opened
/// anew: the next plan asks again.
pub(crate) struct GpuBackends {
    memory_limit: MemoryLimit,
    gpu: Mutex<Option<Gpu>>,
    /// The same device, once it has passed the self-test of double precision.
    double: Mutex<Option<Double>>,
}

impl GpuBackends {
    pub(crate) fn new(memory_limit: MemoryLimit) -> Self {
        Self { memory_limit, gpu: Mutex::new(None), double: Mutex::new(None) }
    }

    /// In the precision of `T`, or an error.
    pub(crate) fn plan<T: Real>(
        &self,
        shaders: Shaders,
        workload: Workload,
    ) -> Result<Arc<dyn Plan<T>>, BackendError> {
        let planned: Box<dyn Any> = if T::NAME == f64::NAME {
            Box::new(self.double_backend(shaders)?.plan(workload)?)
        } else {
            Box::new(self.single_backend(shaders)?.plan(workload)?)
        };
        Ok(*planned.downcast().expect("`Real` is f32 or f64 and nothing else"))
    }

    fn single_backend(&self, shaders: Shaders) -> Result<Box<dyn Backend<f32>>, BackendError> {
        let gpu = self.open().map_err(|error| shaders.failed(error))?;
        Ok(match shaders {
            Shaders::Direct => Box::new(Direct::new(&gpu)),
            Shaders::Fft => Box::new(Fft::new(&gpu)),
            Shaders::Gemm => Box::new(Gemm::new(&gpu)),
        })
    }

    fn double_backend(&self, shaders: Shaders) -> Result<Box<dyn Backend<f64>>, BackendError> {
        let double = self.open_double().map_err(|error| shaders.failed(error))?;
        Ok(match shaders {
            Shaders::Direct => Box::new(Direct64::new(&double)),
            Shaders::Fft => Box::new(Fft64::new(&double)),
            Shaders::Gemm => Box::new(Gemm64::new(&double)),
        })
    }

    fn open(&self) -> Result<Gpu, GpuError> {
        kept(
            &self.gpu,
            |gpu| gpu,
            || {
                let gpu = Gpu::new()?;
                gpu.limit_memory(self.memory_limit)?;
                Ok(gpu)
            },
        )
    }

    fn open_double(&self) -> Result<Double, GpuError> {
        kept(&self.double, Double::gpu, || self.open()?.double())
    }
}

/// What was made before, unless its device is lost, or what is made now and kept.
fn kept<V: Clone>(
    place: &Mutex<Option<V>>,
    gpu: fn(&V) -> &Gpu,
    make: impl FnOnce() -> Result<V, GpuError>,
) -> Result<V, GpuError> {
    // Held while making: others wait for the same device instead of opening one more.
    let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
    match &*place {
        Some(value) if gpu(value).lost().is_none() => Ok(value.clone()),
        _ => Ok(place.insert(make()?).clone()),
    }
}

impl Shaders {
    fn failed(self, error: GpuError) -> BackendError {
        let backend = match self {
            Self::Direct => "wgpu-direct",
            Self::Fft => "wgpu-fft",
            Self::Gemm => "wgpu-gemm",
        };
        BackendError::Device { backend: backend.to_owned(), source: Box::new(error) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_device_is_opened_anew_for_the_next_plan() {
        let backends = GpuBackends::new(MemoryLimit::Bytes(1 << 24));
        let workload = Workload::CausalConvolution { len: 100, batch: 1 };
        let plan = || backends.plan::<f32>(Shaders::Fft, workload);
        let lost = match backends.open() {
            Ok(gpu) => gpu,
            Err(error) => {
                assert!(std::env::var("HPFRACC_REQUIRE_GPU").as_deref() != Ok("1"), "{error}");
                return println!("skipped: a_lost_device_is_opened_anew: no adapter");
            }
        };
        let map = plan().unwrap().bind(&[1.0; 100]).unwrap();
        let (x, mut y) = ([0.5; 100], [0.0; 100]);
        let double = backends.plan::<f64>(Shaders::Fft, workload).is_ok();
        lost.device().destroy();
        assert!(map.apply(&x, &mut y).is_err());
        // What was bound stays lost; what is planned now is on another device, with the same limit.
        plan().unwrap().bind(&[1.0; 100]).unwrap().apply(&x, &mut y).unwrap();
        assert!((y[99] - 50.0).abs() < 1e-3);
        assert_eq!(backends.open().unwrap().memory_limit(), Some(1 << 24));
        assert_eq!(backends.plan::<f64>(Shaders::Fft, workload).is_ok(), double);
        assert!(map.apply(&x, &mut y).is_err());
    }
}
