//! Backends on the adapters of this computer: listed when that may pay, opened by the first plan.

use super::name::Name;
use super::table::{Constructor, GpuConstructor, PAIRS, Resources, Row, TABLE};
use hpfracc_backend::{Backend, BackendError, Plan, Workload};
use hpfracc_selector::{Candidate, Place};
use hpfracc_wgpu::{
    AdapterDescription, AdapterKind, DoubleFloat, F64, Gpu, GpuError, MemoryLimit, Precision,
    Preference,
};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Devices by position in the list of adapters; none for the best one.
pub(crate) struct Gpus {
    memory_limit: MemoryLimit,
    devices: Mutex<HashMap<Option<usize>, Arc<Device>>>,
    /// Adapters, once they were listed.
    listed: OnceLock<Vec<(AdapterDescription, Option<usize>)>>,
}

impl Gpus {
    pub(crate) fn new(memory_limit: MemoryLimit) -> Self {
        Self { memory_limit, devices: Mutex::default(), listed: OnceLock::new() }
    }

    /// The device of an adapter, which may not be open yet.
    pub(crate) fn device(&self, adapter: Option<usize>) -> Arc<Device> {
        let mut devices = lock(&self.devices);
        let device = devices.entry(adapter);
        Arc::clone(device.or_insert_with(|| Arc::new(Device::new(adapter, self.memory_limit))))
    }

    /// All adapters, the best one first. The names of its backends have no position.
    pub(crate) fn listed(&self) -> &[(AdapterDescription, Option<usize>)] {
        self.listed.get_or_init(list)
    }
}

/// Adapters, the best one first, with their positions.
fn list() -> Vec<(AdapterDescription, Option<usize>)> {
    let mut found = Gpu::adapters();
    // The sort is stable: adapters of one kind stay in the order of the driver.
    found.sort_by_key(|adapter| adapter.kind);
    let named = |(k, adapter): (usize, AdapterDescription)| {
        let position = (k > 0).then_some(adapter.index);
        (adapter, position)
    };
    found.into_iter().enumerate().map(named).collect()
}

/// An adapter that is opened when first used. After a failure to open it, or after a loss of the
/// device, the next plan opens it again.
pub(crate) struct Device {
    preference: Preference,
    memory_limit: MemoryLimit,
    gpu: Mutex<Option<Gpu>>,
    /// The same device after the self-test of double precision, and of double-float.
    double: Mutex<Option<F64>>,
    double_float: Mutex<Option<DoubleFloat>>,
}

impl Device {
    fn new(adapter: Option<usize>, memory_limit: MemoryLimit) -> Self {
        let preference = adapter.map_or(Preference::Best, Preference::Index);
        let (gpu, double, double_float) = Default::default();
        Self { preference, memory_limit, gpu, double, double_float }
    }

    /// Bytes that are free on the device, if it is open and its driver reports them.
    pub(crate) fn free_bytes(&self) -> Option<u64> {
        lock(&self.gpu).as_ref()?.free_memory_bytes()
    }

    /// Whether it was opened and is not lost.
    pub(crate) fn is_open(&self) -> bool {
        lock(&self.gpu).as_ref().is_some_and(|gpu| gpu.lost().is_none())
    }

    pub(crate) fn open(&self) -> Result<Gpu, GpuError> {
        let open = |lost: Option<&Gpu>| match lost {
            // Fails in a forked process, where a new device would wait without end.
            Some(lost) => lost.rebuild(),
            None => {
                let gpu = Gpu::with(&self.preference)?;
                gpu.limit_memory(self.memory_limit)?;
                Ok(gpu)
            }
        };
        cached(&self.gpu, |gpu| gpu, open)
    }

    fn double(&self) -> Result<F64, GpuError> {
        cached(&self.double, F64::gpu, |_| self.open()?.f64())
    }

    fn double_float(&self) -> Result<DoubleFloat, GpuError> {
        cached(&self.double_float, DoubleFloat::gpu, |_| self.open()?.double_float())
    }
}

/// The stored value, unless its device is lost; else one made from the lost one, which is stored.
fn cached<V: Clone>(
    place: &Mutex<Option<V>>,
    gpu: fn(&V) -> &Gpu,
    make: impl FnOnce(Option<&V>) -> Result<V, GpuError>,
) -> Result<V, GpuError> {
    // Locked while making: other threads wait for this device and do not open another.
    let mut place = lock(place);
    match &*place {
        Some(value) if gpu(value).lost().is_none() => Ok(value.clone()),
        lost => {
            let made = make(lost.as_ref())?;
            Ok(place.insert(made).clone())
        }
    }
}

fn lock<V>(mutex: &Mutex<V>) -> MutexGuard<'_, V> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A backend of `hpfracc-wgpu` on a device that its first plan opens.
#[derive(Clone)]
pub(crate) struct OnGpu {
    name: Arc<str>,
    constructor: &'static GpuConstructor,
    /// Double precision as pairs of `f32`.
    pairs: bool,
    device: Arc<Device>,
}

impl OnGpu {
    /// The backend of a row on an adapter.
    pub(crate) fn new(row: &'static Row, pairs: bool, adapter: Option<usize>, gpus: &Gpus) -> Self {
        let Constructor::Gpu(constructor) = &row.constructor else {
            unreachable!("the names of adapters are those of rows on a GPU")
        };
        let suffix = if pairs { PAIRS } else { "" };
        let position = adapter.map_or_else(String::new, |index| format!("@{index}"));
        let name = format!("{}{suffix}{position}", row.name).into();
        Self { name, constructor, pairs, device: gpus.device(adapter) }
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
            let reason = "pairs of f32 stand for an f64";
            return Err(BackendError::unsupported(&self.name, workload, reason));
        }
        let gpu = self.device.open().map_err(|error| self.failed(error))?;
        (self.constructor.single)(&gpu).plan(workload).map_err(|error| error.named(&self.name))
    }
}

impl Backend<f64> for OnGpu {
    fn name(&self) -> &str {
        &self.name
    }

    fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<f64>>, BackendError> {
        let backend = if self.pairs {
            let device = self.device.double_float().map_err(|error| self.failed(error))?;
            (self.constructor.pairs)(&device)
        } else {
            let device = self.device.double().map_err(|error| self.failed(error))?;
            (self.constructor.double)(&device)
        };
        backend.plan(workload).map_err(|error| error.named(&self.name))
    }
}

/// A backend on an adapter, as a candidate in each precision that the adapter has.
pub(super) struct GpuCandidate {
    pub(super) single: Candidate<f32>,
    pub(super) double: Option<Candidate<f64>>,
    pub(super) is_disabled: bool,
}

/// Largest number of adapters that take part: with a few backends each, far from the 64 candidates
/// that a selector takes.
const ADAPTERS: usize = 12;

/// Seconds to open a device, which its first plan does: a driver takes 0.1 to 0.3.
const OPENING: f64 = 0.15;

/// The backends of all adapters.
pub(super) fn candidates_of(gpus: &Gpus, disabled: &[Name]) -> Vec<GpuCandidate> {
    let mut candidates = Vec::new();
    for (adapter, position) in gpus.listed().iter().take(ADAPTERS).cloned() {
        for row in TABLE.iter().filter(|row| row.is_on_gpu()) {
            let backend = OnGpu::new(row, false, position, gpus);
            let place = place(&adapter, position, gpus);
            let prior = |per_second| {
                let mut prior = (row.prior)(Resources { threads: 1, per_second });
                prior.plan.call += OPENING;
                prior
            };
            let rate = rate(adapter.kind);
            // Half the rate on devices made for double precision, far less on those for games.
            let double = adapter.f64.then(|| {
                let candidate = Candidate::new(backend.clone(), prior(rate / 8.0));
                candidate.for_kinds(row.kinds).on(place.clone())
            });
            let single = Candidate::new(backend, prior(rate)).for_kinds(row.kinds).on(place);
            let is_disabled = is_disabled(row, adapter.index, disabled);
            candidates.push(GpuCandidate { single, double, is_disabled });
        }
    }
    candidates
}

/// Whether the backend is disabled on all adapters, or on the one at this position.
fn is_disabled(row: &'static Row, index: usize, disabled: &[Name]) -> bool {
    [None, Some(index)]
        .into_iter()
        .any(|adapter| disabled.contains(&Name::Gpu { row, pairs: false, adapter }))
}

/// Products or levels of transforms in a second, by the kind of adapter, once data is there.
fn rate(kind: AdapterKind) -> f64 {
    match kind {
        AdapterKind::Discrete => 1e11,
        AdapterKind::Software => 3e8,
        _ => 1e10,
    }
}

fn place(adapter: &AdapterDescription, position: Option<usize>, gpus: &Gpus) -> Place {
    let (device, total) = (gpus.device(position), adapter.memory_bytes);
    Place::Device {
        // The position distinguishes adapters that drivers give the same name.
        name: format!("{} ({})", adapter.name, adapter.index),
        driver: adapter.driver.clone(),
        software: adapter.kind == AdapterKind::Software,
        free: Arc::new(move || device.free_bytes().or(total)),
    }
}

/// The place of an adapter that was not listed.
pub(super) fn place_unopened(adapter: Option<usize>, gpus: &Gpus) -> Place {
    let device = gpus.device(adapter);
    Place::Device {
        name: adapter.map_or("best adapter".to_owned(), |index| format!("adapter {index}")),
        driver: "opened when first planned on".to_owned(),
        software: false,
        free: Arc::new(move || device.free_bytes()),
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
        let fft = TABLE.iter().find(|row| row.name == "wgpu-fft").unwrap();
        let backend = OnGpu::new(fft, false, None, &gpus);
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

    /// A bound map of a machine without other backends: the input that met the loss is answered,
    /// and after the rest the backend that it was bound to computes on the new device.
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
        let gpus = Gpus::new(MemoryLimit::None);
        let listed = gpus.listed();
        for (k, (adapter, position)) in listed.iter().enumerate() {
            assert_eq!(*position, (k > 0).then_some(adapter.index));
        }
        let Some((best, _)) = listed.first() else { return };
        assert_eq!(Gpu::new().unwrap().name(), best.name);
    }
}
