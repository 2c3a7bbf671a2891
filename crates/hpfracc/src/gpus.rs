//! The adapters of this computer: listed when that may pay, opened when first planned on.

use crate::gpu::{
    AdapterDescription, AdapterKind, Direct, DoubleFloat, F64, Fft, Gemm, Gpu, GpuError,
    MemoryLimit, Precision, Preference, Recurrence,
};
use crate::names::Shaders;
use hpfracc_backend::{Backend, BackendError, Kind, Plan, Workload};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Devices by their position in the list of adapters; without one, the best.
pub(crate) struct Gpus {
    memory_limit: MemoryLimit,
    devices: Mutex<HashMap<Option<usize>, Arc<Device>>>,
}

impl Gpus {
    pub(crate) fn new(memory_limit: MemoryLimit) -> Self {
        Self { memory_limit, devices: Mutex::default() }
    }

    /// The device, not opened yet unless it was asked for before.
    pub(crate) fn device(&self, adapter: Option<usize>) -> Arc<Device> {
        let mut devices = lock(&self.devices);
        let device = devices.entry(adapter);
        Arc::clone(device.or_insert_with(|| Arc::new(Device::new(adapter, self.memory_limit))))
    }

    /// All adapters, the best one first; it is the one that has no position in its backends' names.
    pub(crate) fn listed(&self) -> Vec<(AdapterDescription, Option<usize>)> {
        let mut found = Gpu::adapters();
        // The sort is stable: of several alike, the first in the driver's order.
        found.sort_by_key(|adapter| rank(adapter.kind));
        let named = |(k, adapter): (usize, AdapterDescription)| {
            let position = (k > 0).then_some(adapter.index);
            (adapter, position)
        };
        found.into_iter().enumerate().map(named).collect()
    }
}

/// As [`Preference::Best`] has it.
fn rank(kind: AdapterKind) -> u8 {
    match kind {
        AdapterKind::Discrete => 0,
        AdapterKind::Integrated => 1,
        AdapterKind::Virtual => 2,
        AdapterKind::Software => 4,
        _ => 3,
    }
}

/// An adapter, opened when it is first needed. A failure to open it is not remembered, and a device
/// that was lost is opened anew: the next plan asks again.
pub(crate) struct Device {
    wish: Preference,
    memory_limit: MemoryLimit,
    gpu: Mutex<Option<Gpu>>,
    /// The same device, once it has passed the self-test of double precision, and of double-float.
    double: Mutex<Option<F64>>,
    double_float: Mutex<Option<DoubleFloat>>,
}

impl Device {
    fn new(adapter: Option<usize>, memory_limit: MemoryLimit) -> Self {
        let wish = adapter.map_or(Preference::Best, Preference::Index);
        let (gpu, double, double_float) = Default::default();
        Self { wish, memory_limit, gpu, double, double_float }
    }

    /// Bytes that are free on it, if it is open and tells.
    pub(crate) fn free_bytes(&self) -> Option<u64> {
        lock(&self.gpu).as_ref()?.free_memory_bytes()
    }

    fn open(&self) -> Result<Gpu, GpuError> {
        let open = || {
            let gpu = Gpu::with(&self.wish)?;
            gpu.limit_memory(self.memory_limit)?;
            Ok(gpu)
        };
        kept(&self.gpu, |gpu| gpu, open)
    }

    fn double(&self) -> Result<F64, GpuError> {
        kept(&self.double, F64::gpu, || self.open()?.f64())
    }

    fn double_float(&self) -> Result<DoubleFloat, GpuError> {
        kept(&self.double_float, DoubleFloat::gpu, || self.open()?.double_float())
    }
}

/// What was made before, unless its device is lost, or what is made now and kept.
fn kept<V: Clone>(
    place: &Mutex<Option<V>>,
    gpu: fn(&V) -> &Gpu,
    make: impl FnOnce() -> Result<V, GpuError>,
) -> Result<V, GpuError> {
    // Held while making: others wait for the same device instead of opening one more.
    let mut place = lock(place);
    match &*place {
        Some(value) if gpu(value).lost().is_none() => Ok(value.clone()),
        _ => Ok(place.insert(make()?).clone()),
    }
}

fn lock<V>(mutex: &Mutex<V>) -> MutexGuard<'_, V> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A backend of `hpfracc-wgpu` on a device that is opened by its first plan.
#[derive(Clone)]
pub(crate) struct OnGpu {
    name: Arc<str>,
    shaders: Shaders,
    /// Double precision as pairs of f32.
    pairs: bool,
    device: Arc<Device>,
}

impl OnGpu {
    pub(crate) fn new(shaders: Shaders, pairs: bool, adapter: Option<usize>, gpus: &Gpus) -> Self {
        let pairs_name = if pairs { "-df64" } else { "" };
        let position = adapter.map_or_else(String::new, |index| format!("@{index}"));
        let name = format!("{}{pairs_name}{position}", shaders.name()).into();
        Self { name, shaders, pairs, device: gpus.device(adapter) }
    }

    /// The kinds of workload that the shaders have algorithms for.
    pub(crate) fn kinds(&self) -> &'static [Kind] {
        match self.shaders {
            Shaders::Direct => &[Kind::CausalConvolution],
            Shaders::Fft => &[Kind::CausalConvolution, Kind::SpectralMultiplier],
            Shaders::Gemm => &[Kind::Dense],
            Shaders::Recurrence => &[Kind::Recurrence],
        }
    }

    /// An answer in the name of this one among several adapters.
    fn named(&self, mut error: BackendError) -> BackendError {
        if let BackendError::Unsupported { backend, .. }
        | BackendError::Memory { backend, .. }
        | BackendError::Device { backend, .. } = &mut error
        {
            self.name.as_ref().clone_into(backend);
        }
        error
    }

    fn failed(&self, error: GpuError) -> BackendError {
        BackendError::Device { backend: self.name.to_string(), source: Box::new(error) }
    }
}

impl Backend<f32> for OnGpu {
    fn name(&self) -> &str {
        &self.name
    }

    fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<f32>>, BackendError> {
        if self.pairs {
            let (backend, reason) = (self.name.to_string(), "pairs of f32 stand for an f64");
            return Err(BackendError::Unsupported { backend, workload, reason });
        }
        let single = self.device.open().map_err(|error| self.failed(error))?.f32();
        let planned = match self.shaders {
            Shaders::Direct => Direct::new(&single).plan(workload),
            Shaders::Fft => Fft::new(&single).plan(workload),
            Shaders::Gemm => Gemm::new(&single).plan(workload),
            Shaders::Recurrence => Recurrence::new(&single).plan(workload),
        };
        planned.map_err(|error| self.named(error))
    }
}

impl Backend<f64> for OnGpu {
    fn name(&self) -> &str {
        &self.name
    }

    fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<f64>>, BackendError> {
        let planned = if self.pairs {
            let proof = self.device.double_float().map_err(|error| self.failed(error))?;
            match self.shaders {
                Shaders::Direct => Direct::new(&proof).plan(workload),
                Shaders::Fft => Fft::new(&proof).plan(workload),
                Shaders::Gemm => Gemm::new(&proof).plan(workload),
                Shaders::Recurrence => Recurrence::new(&proof).plan(workload),
            }
        } else {
            let proof = self.device.double().map_err(|error| self.failed(error))?;
            match self.shaders {
                Shaders::Direct => Direct::new(&proof).plan(workload),
                Shaders::Fft => Fft::new(&proof).plan(workload),
                Shaders::Gemm => Gemm::new(&proof).plan(workload),
                Shaders::Recurrence => Recurrence::new(&proof).plan(workload),
            }
        };
        planned.map_err(|error| self.named(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Machine, Settings};
    use hpfracc_selector::Occurrence;
    use std::time::Duration;

    #[test]
    fn a_lost_device_is_opened_anew_for_the_next_plan() {
        let gpus = Gpus::new(MemoryLimit::Bytes(1 << 24));
        let backend = OnGpu::new(Shaders::Fft, false, None, &gpus);
        let workload = Workload::CausalConvolution { len: 100, batch: 1 };
        let plan = || Backend::<f32>::plan(&backend, workload);
        let double = || Backend::<f64>::plan(&backend, workload).is_ok();
        let lost = match backend.device.open() {
            Ok(gpu) => gpu,
            Err(error) => {
                assert!(std::env::var("HPFRACC_REQUIRE_GPU").as_deref() != Ok("1"), "{error}");
                return println!("skipped: a_lost_device_is_opened_anew: no adapter");
            }
        };
        let map = plan().unwrap().bind(&[1.0; 100]).unwrap();
        let (x, mut y) = ([0.5; 100], [0.0; 100]);
        let had_double = double();
        lost.device().destroy();
        assert!(map.apply(&x, &mut y).is_err());
        // What was bound stays lost; what is planned now is on another device, with the same limit.
        plan().unwrap().bind(&[1.0; 100]).unwrap().apply(&x, &mut y).unwrap();
        assert!((y[99] - 50.0).abs() < 1e-3);
        assert_eq!(backend.device.open().unwrap().memory_limit(), Some(1 << 24));
        assert_eq!(double(), had_double);
        assert!(map.apply(&x, &mut y).is_err());
    }

    /// A bound map of a machine without other backends: the input that met the loss is answered, and
    /// after the rest the backend that it was bound to computes on the new device.
    #[test]
    fn a_machine_survives_the_loss_of_its_device() {
        let disabled = ["cpu-direct", "cpu-fft", "cpu-parallel-fft"].map(str::to_owned).into();
        let settings = Settings { gpus_from: Duration::ZERO, disabled, ..Settings::default() };
        let machine = Machine::with(&settings).unwrap();
        let device = machine.parts.backends.gpus.device(None);
        let workload = Workload::CausalConvolution { len: 100, batch: 1 };
        let lost = match device.open() {
            Ok(gpu) => gpu,
            Err(error) => {
                assert!(std::env::var("HPFRACC_REQUIRE_GPU").as_deref() != Ok("1"), "{error}");
                return println!("skipped: a_machine_survives: no adapter");
            }
        };
        let map = Backend::<f32>::plan(&machine, workload).unwrap().bind(&[1.0; 100]).unwrap();
        let apply = || {
            let mut y = [0.0; 100];
            map.apply(&[0.5; 100], &mut y).unwrap();
            assert!((y[99] - 50.0).abs() < 1e-3);
        };
        apply();
        lost.device().destroy();
        let events = |wanted: fn(&Occurrence) -> bool| {
            machine.history().iter().filter(|event| wanted(&event.what)).count()
        };
        (0..3).for_each(|_| apply());
        assert_eq!(events(|what| matches!(what, Occurrence::Failed { .. })), 1);
        assert_eq!(events(|what| matches!(what, Occurrence::Recovered)), 1);
        assert!(device.open().unwrap().lost().is_none());
    }

    #[test]
    fn the_best_adapter_has_no_position_in_its_name() {
        let listed = Gpus::new(MemoryLimit::None).listed();
        for (k, (adapter, position)) in listed.iter().enumerate() {
            assert_eq!(*position, (k > 0).then_some(adapter.index));
        }
        let Some((best, _)) = listed.first() else { return };
        assert_eq!(Gpu::new().unwrap().name(), best.name);
    }
}
