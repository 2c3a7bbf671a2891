//! Objectives of a training on a GPU.

use crate::Error;
use crate::compute::machine;
use crate::error::TrainingError;
use hpfracc::error_chain;
use hpfracc::gpu::{AdapterKind, Gpu, GpuError, GpuNetworkError, GpuSdeFit, adapters};
use hpfracc::nn::Objective;
use hpfracc::nn::models::SdeFit;

/// Most paths that are solved together, if a device has the memory for them.
const PATHS: usize = 1 << 14;

/// A function that makes the objective of a part of the data.
pub(super) type MakeFit<'a> = &'a dyn Fn() -> Result<SdeFit<f32>, Error>;

/// Objectives of training and validation on a device.
pub(super) struct OnGpu {
    pub(super) device: String,
    pub(super) training: GpuSdeFit,
    pub(super) validation: Option<GpuSdeFit>,
}

impl OnGpu {
    /// Objectives on the adapter of this position, or on the best one, for batches of `batch` samples.
    pub(super) fn new(
        adapter: Option<usize>,
        (training, validation): (MakeFit<'_>, Option<MakeFit<'_>>),
        batch: usize,
    ) -> Result<Self, Error> {
        let gpu = machine(None, |_| {})?.gpu(adapter).map_err(GpuNetworkError::from);
        let gpu = gpu.map_err(TrainingError::from)?;
        let training = on_device(&gpu, training, batch)?;
        let validation = validation.map(|fit| on_device(&gpu, fit, batch)).transpose()?;
        Ok(Self { device: gpu.name().to_owned(), training, validation })
    }

    /// [`new`](Self::new) on the best adapter that is not software, or the reason why the training stays on the CPU.
    pub(super) fn if_any(
        fits: (MakeFit<'_>, Option<MakeFit<'_>>),
        batch: usize,
    ) -> Result<Self, String> {
        let hardware = adapters().into_iter().filter(|of| of.kind != AdapterKind::Software);
        let Some(best) = hardware.min_by_key(|of| of.kind) else {
            return Err("there is no GPU besides software adapters".to_owned());
        };
        Self::new(Some(best.index), fits, batch).map_err(|error| error_chain(&error))
    }

    /// The reason of a failure of the device.
    pub(super) fn failure(&self) -> Option<String> {
        let validation = || self.validation.as_ref().and_then(GpuSdeFit::failure);
        self.training.failure().or_else(validation)
    }
}

/// A fit in tiles of the samples of a batch, or of fewer if these are many or the memory does not suffice for them.
fn on_device(gpu: &Gpu, fit: MakeFit<'_>, batch: usize) -> Result<GpuSdeFit, Error> {
    let first = fit()?;
    let mut samples = (PATHS / first.paths()).min(batch).min(first.samples()).max(1);
    let mut made = GpuSdeFit::new(gpu, first, samples);
    loop {
        match made {
            Err(error) if samples > 1 && is_of_memory(&error) => {
                samples = samples.div_ceil(2);
                made = GpuSdeFit::new(gpu, fit()?, samples);
            }
            made => return made.map_err(|error| TrainingError::from(error).into()),
        }
    }
}

/// Whether fewer samples may fit.
fn is_of_memory(error: &GpuNetworkError) -> bool {
    matches!(
        error,
        GpuNetworkError::TooLarge { .. }
            | GpuNetworkError::Gpu(GpuError::Limit { .. } | GpuError::OutOfMemory { .. })
    )
}
