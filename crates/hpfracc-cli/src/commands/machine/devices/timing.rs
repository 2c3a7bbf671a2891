//! Timing of a kernel.

use hpfracc::backend::{Backend, BackendError, LinearMap, Workload};
use hpfracc::types::Real;
use serde::Serialize;
use std::time::{Duration, Instant};

/// Timing of a kernel on a device: minima over several calls.
#[derive(Serialize)]
pub(super) struct Timing {
    /// `processor`, or `adapter` with its index.
    pub(super) device: String,
    pub(super) backend: String,
    pub(super) scalar: &'static str,
    pub(super) workload: String,
    /// Cold start to the first result: plan, shaders, weights, first call.
    pub(super) first_seconds: f64,
    /// Whole call, with transfers.
    pub(super) call_seconds: f64,
    /// Device time by the clock of the device.
    pub(super) device_seconds: Option<f64>,
    /// Time to copy samples, results and weights on the device, relative to `device_seconds`.
    pub(super) copy_fraction: Option<f64>,
}

/// Clock of a device, besides that of the host.
pub(super) trait DeviceClock {
    /// Runs `work` and returns the device time, if it is measurable.
    fn time(&self, work: &mut dyn FnMut()) -> Option<f64>;

    /// Bytes per second, read and written, of a copy on the device.
    fn copy_rate(&self) -> f64;
}

/// Maximum number of calls.
const MOST_CALLS: usize = 1000;

impl Timing {
    /// Measures for about the duration `slice`, with at least two calls.
    pub(super) fn measure<T: Real>(
        device: &str,
        backend: &dyn Backend<T>,
        workload: Workload,
        clock: Option<&dyn DeviceClock>,
        slice: Duration,
    ) -> Result<Self, BackendError> {
        let kernel = kernel::<T>(workload);
        let wave = |k: usize| T::narrow(((k % 1000) as f64 * 1e-3 - 0.5) * 2.0);
        let x: Vec<T> = (0..workload.signal_len() * workload.batch()).map(wave).collect();
        let mut y = vec![T::zero(); workload.output_len() * workload.batch()];

        let start = Instant::now();
        let map = backend.plan(workload)?.bind(&kernel)?;
        map.apply(&x, &mut y)?;
        let first_seconds = start.elapsed().as_secs_f64();

        let mut call_seconds = f64::INFINITY;
        let mut device_seconds: Option<f64> = None;
        for call in 0..MOST_CALLS {
            if call >= 2 && start.elapsed() >= slice {
                break;
            }
            // Separate loop: reading the device clock would slow down whole calls.
            if call % 2 == 0 {
                let start = Instant::now();
                map.apply(&x, &mut y)?;
                call_seconds = call_seconds.min(start.elapsed().as_secs_f64());
            } else if let Some(clock) = clock
                && let Some(seconds) = on_device(&*map, &x, &mut y, clock)?
            {
                device_seconds = Some(device_seconds.map_or(seconds, |least| least.min(seconds)));
            }
        }
        let bytes = size_of_val(&x[..]) + size_of_val(&y[..]) + size_of_val(&kernel[..]);
        let copy_fraction = device_seconds
            .zip(clock)
            .map(|(seconds, clock)| bytes as f64 / (clock.copy_rate() * seconds));
        Ok(Self {
            device: device.to_owned(),
            backend: backend.name().to_owned(),
            scalar: T::NAME,
            workload: workload.to_string(),
            first_seconds,
            call_seconds,
            device_seconds,
            copy_fraction,
        })
    }
}

/// Device time of one call.
fn on_device<T: Real>(
    map: &dyn LinearMap<T>,
    x: &[T],
    y: &mut [T],
    clock: &dyn DeviceClock,
) -> Result<Option<f64>, BackendError> {
    let mut outcome = Ok(());
    let seconds = clock.time(&mut || outcome = map.apply(x, y));
    outcome.map(|()| seconds)
}

/// Weights that keep values bounded. The symbol of a real map is real here.
fn kernel<T: Real>(workload: Workload) -> Vec<T> {
    let symbol = matches!(workload, Workload::SpectralMultiplier { .. });
    let value = |k: usize| match symbol && k % 2 == 1 {
        true => T::zero(),
        false => T::narrow(1.0 / (1 + k % 7) as f64),
    };
    (0..workload.kernel_len()).map(value).collect()
}
