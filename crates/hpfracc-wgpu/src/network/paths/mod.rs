//! Neural differential equations on a GPU: [`GpuSdeFit`].

mod layout;
mod loss;
mod model;
mod orders;
mod tile;

use super::error::{GpuNetworkError, size};
use super::one_process;
use super::until_failure::UntilFailure;
use crate::{Gpu, GpuError};
use hpfracc_nn::models::SdeFit;
use hpfracc_nn::ndarray::Array3;
use hpfracc_nn::{
    Batch, LossResult, Network, Objective, OrderEstimate, ParameterBlock, Pass, TrainingError,
};
use layout::Sizes;
use loss::LossKernel;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use tile::{Addresses, PathTile};

/// Fit of a neural differential equation with solves, losses and gradients on a GPU: an [`Objective`] for the
/// same trainers, checkpoints and optimisers as [`SdeFit`], which it is made of.
///
/// A batch is divided into tiles of a fixed number of samples with all their paths; the last one is filled up with
/// copies of weight zero. The noise of a path has the addresses that it has on the CPU, so that losses and gradients
/// agree to rounding, about 1e-6 of their size. Repeated calls give the same bits; another device, or tiles of another size,
/// give others.
///
/// Equations: networks of the layers of [`GpuNetwork`](super::GpuNetwork), every diffusion, orders fixed or learned, with the
/// [memory](hpfracc_nn::models::Solving::memory) of the settings, blocks as a direct sum. Losses: squares,
/// absolute values, Huber's, the Gaussian likelihood and the energy score on the device; distances of distributions and moments
/// on the host, from the states at the observed nodes of all paths. A corrected drift, and learned
/// orders with a memory of exponentials are [`NotOnGpu`](super::NotOnGpu). States are stored in single precision, at all nodes: settings of checkpoints and storage
/// formats do not apply.
///
/// If the device fails, this batch and all later ones are computed on the CPU, with a warning in the log:
/// [`failure`](Self::failure) has the reason. A batch whose loss is not finite is computed on the CPU, whose error names the
/// path and its step.
///
/// One process evaluates a batch: ranks are [`TrainingError::OneProcess`].
///
/// ```no_run
/// use hpfracc_nn::models::{Diffusion, NeuralFractionalSde, Orders, PathLoss, SdeFit, Solving, Windows};
/// use hpfracc_nn::ndarray::Array2;
/// use hpfracc_nn::trainer::{Trainer, Training};
/// use hpfracc_nn::{Activation, Network};
/// use hpfracc_wgpu::{Gpu, GpuSdeFit};
/// use std::ops::ControlFlow;
///
/// let series = Array2::from_shape_fn((200, 1), |(i, _)| (i as f32 / 9.0).sin());
/// let windows = Windows::cut(series.view(), (10, 5), 2)?;
/// let drift = Network::perceptron(&[1, 32, 1], Activation::Tanh)?;
/// let model = NeuralFractionalSde::new(drift, Diffusion::Additive { start: 0.1 }, Orders::One)?;
/// let fit = SdeFit::new(model, Solving::new(1.0, 20), windows, PathLoss::EnergyScore, 16)?;
/// let fit = GpuSdeFit::new(&Gpu::new()?, fit, 32)?;
/// Trainer::new(&fit, Training::default()).run(|_| ControlFlow::Continue(()))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct GpuSdeFit {
    on_cpu: SdeFit<f32, Network>,
    on_gpu: UntilFailure<PathTile>,
    recomputed: AtomicU64,
}

/// Error of a batch on a device.
enum BatchError {
    /// The device has failed.
    Device(GpuError),
    /// The loss of the host.
    Loss(TrainingError),
}

impl From<GpuError> for BatchError {
    fn from(error: GpuError) -> Self {
        Self::Device(error)
    }
}

impl GpuSdeFit {
    /// An objective in tiles of `samples` samples on a device.
    ///
    /// # Errors
    /// [`GpuNetworkError::NotOnGpu`] for what is not computed on a device, [`GpuNetworkError::TooLarge`] for more paths than
    /// fit a binding, [`GpuNetworkError::Gpu`] if the device or its memory does not suffice.
    pub fn new(
        gpu: &Gpu,
        fit: SdeFit<f32, Network>,
        samples: usize,
    ) -> Result<Self, GpuNetworkError> {
        size("the number of samples", samples.min(1), 1)?;
        let tile = PathTile::new(gpu, &fit, samples)?;
        Ok(Self { on_cpu: fit, on_gpu: UntilFailure::new(tile), recomputed: AtomicU64::new(0) })
    }

    /// Limits the steps of a submission, which changes no bit; by default submissions take about 50 ms.
    #[must_use]
    pub fn in_spans_of(mut self, steps: u32) -> Self {
        if let Some(tile) = self.on_gpu.device_mut() {
            tile.longest_span = steps.max(1);
        }
        self
    }

    /// The reason why the device is no longer used, if it has failed.
    pub fn failure(&self) -> Option<String> {
        self.on_gpu.failure()
    }

    /// Number of batches that the CPU has computed again, because their loss was not finite on the device.
    pub fn recomputed(&self) -> u64 {
        self.recomputed.load(Ordering::Relaxed)
    }

    /// The objective on the CPU.
    pub fn on_cpu(&self) -> &SdeFit<f32, Network> {
        &self.on_cpu
    }
}

impl PathTile {
    /// The mean loss of a batch, NaN for one that the CPU has to judge; writes its gradient.
    fn evaluate(
        &self,
        fit: &SdeFit<f32, Network>,
        theta: &[f32],
        batch: Batch<'_>,
        thetabar: Option<&mut [f32]>,
    ) -> Result<f64, BatchError> {
        if !self.write_orders(fit, theta)? {
            return Ok(f64::NAN);
        }
        self.start(theta)?;
        self.write(self.layout.scale, &[batch.scale as f32])?;
        let mut orders = vec![0.0; self.layout.sizes.dim];
        let of_orders = thetabar.is_some().then_some(&mut orders[..]);
        let loss = match self.loss {
            LossKernel::Host => self.loss_on_host(fit, batch, of_orders)?,
            _ => self.loss_on_device(fit, batch, of_orders)?,
        };
        if let Some(thetabar) = thetabar {
            self.gradient(thetabar)?;
            orders::pull_back(fit, theta, &orders, thetabar).map_err(BatchError::Loss)?;
        }
        Ok(loss)
    }

    /// Tiles of a batch with their first path.
    fn tiles<'b>(&self, batch: Batch<'b>) -> impl Iterator<Item = (usize, &'b [usize])> {
        let Sizes { samples, paths, .. } = self.layout.sizes;
        let chunks = batch.samples.chunks(samples).enumerate();
        chunks.map(move |(tile, chunk)| (tile * samples * paths, chunk))
    }

    /// Solves the paths of a tile, whose first path has this number.
    fn solve_tile(
        &self,
        fit: &SdeFit<f32, Network>,
        (first, samples): (usize, &[usize]),
        seed: u64,
    ) -> Result<(), GpuError> {
        let Sizes { dim, paths, .. } = self.layout.sizes;
        let lanes = self.layout.sizes.lanes();
        let starts = fit.windows().starts();
        let of = |at: usize| {
            let sample = samples.get(at % lanes / paths).copied().unwrap_or(samples[0]);
            starts[[sample, at / lanes]]
        };
        self.write(self.layout.states, &(0..dim * lanes).map(of).collect::<Vec<f32>>())?;
        let distinct = samples.len() * paths;
        self.solve(Addresses { seed, first_path: first as u64, distinct })
    }

    fn loss_on_device(
        &self,
        fit: &SdeFit<f32, Network>,
        batch: Batch<'_>,
        mut orders: Option<&mut [f64]>,
    ) -> Result<f64, BatchError> {
        let mut losses = vec![0f32; self.layout.sizes.lanes()];
        let mut loss = 0.0;
        for tile in self.tiles(batch) {
            self.solve_tile(fit, tile, batch.draw)?;
            self.observe(fit, tile.1, batch.samples.len())?;
            self.losses()?;
            if let Some(orders) = orders.as_deref_mut() {
                self.pull_back()?;
                self.add_orders(tile.1.len() * fit.paths(), orders)?;
            }
            let losses = &mut losses[..tile.1.len() * fit.paths()];
            self.read(self.layout.losses, losses)?;
            loss += losses.iter().map(|loss| f64::from(*loss)).sum::<f64>();
        }
        Ok(loss)
    }

    /// Uploads observations and weights of the samples of a tile.
    fn observe(
        &self,
        fit: &SdeFit<f32, Network>,
        samples: &[usize],
        of_batch: usize,
    ) -> Result<(), GpuError> {
        let observed = fit.windows().observed();
        let mut values = Vec::new();
        let mut weights = Vec::new();
        for sample in samples {
            let of_sample = observed.index_axis(hpfracc_nn::ndarray::Axis(0), *sample);
            values.extend(of_sample.iter().copied());
            let seen = match self.loss {
                LossKernel::EnergyScore => {
                    let nodes = of_sample.outer_iter();
                    nodes.filter(|node| node.iter().any(|y| !y.is_nan())).count()
                }
                _ => of_sample.iter().filter(|y| !y.is_nan()).count() * fit.paths(),
            };
            weights.push((1.0 / (seen as f64 * of_batch as f64)) as f32);
        }
        self.write(self.layout.observations, &values)?;
        self.write(self.layout.weights, &weights)
    }

    /// A loss of the states of all paths: solves all tiles, then again those whose states are no longer on the device.
    fn loss_on_host(
        &self,
        fit: &SdeFit<f32, Network>,
        batch: Batch<'_>,
        mut orders: Option<&mut [f64]>,
    ) -> Result<f64, BatchError> {
        let sizes = &self.layout.sizes;
        let Sizes { dim, paths, observed, .. } = *sizes;
        let lanes = sizes.lanes();
        let mut all = Array3::zeros((batch.samples.len() * paths, sizes.nodes.len(), dim));
        let mut states = vec![0f32; dim * lanes];
        for tile in self.tiles(batch) {
            self.solve_tile(fit, tile, batch.draw)?;
            for (index, node) in sizes.nodes.iter().enumerate() {
                self.read(self.layout.states + node * dim * lanes, &mut states)?;
                for at in 0..tile.1.len() * paths {
                    let rows = states[at..].iter().step_by(lanes);
                    rows.enumerate().for_each(|(i, x)| all[[tile.0 + at, index, i]] = *x);
                }
            }
        }
        if all.iter().any(|x| !x.is_finite()) {
            return Ok(f64::NAN);
        }
        let (loss, slopes) = fit.loss_of_paths(batch, &all).map_err(BatchError::Loss)?;
        let mut of_tile = vec![0f32; sizes.nodes.len() * observed * lanes];
        let one = batch.samples.len() <= sizes.samples;
        let Some(orders) = &mut orders else { return Ok(loss) };
        for tile in self.tiles(batch) {
            if !one {
                self.solve_tile(fit, tile, batch.draw)?;
            }
            let distinct = tile.1.len() * paths;
            for (at, slope) in of_tile.iter_mut().enumerate() {
                let (row, lane) = (at / lanes, at % lanes);
                let place = [tile.0 + lane, row / observed, row % observed];
                *slope = if lane < distinct { slopes[place] } else { 0.0 };
            }
            self.write(self.layout.slopes, &of_tile)?;
            self.pull_back()?;
            self.add_orders(distinct, orders)?;
        }
        Ok(loss)
    }
}

impl Objective<f32> for GpuSdeFit {
    fn parameter_blocks(&self) -> Vec<ParameterBlock> {
        self.on_cpu.parameter_blocks()
    }

    fn parameters(&self) -> usize {
        self.on_cpu.parameters()
    }

    fn samples(&self) -> usize {
        self.on_cpu.samples()
    }

    fn evaluate(
        &self,
        theta: &[f32],
        batch: Batch<'_>,
        mut thetabar: Option<&mut [f32]>,
    ) -> LossResult {
        self.on_cpu.admit(theta, batch, thetabar.as_deref())?;
        one_process("an equation on a GPU", batch)?;
        let found = self.on_gpu.compute(|tile| {
            match tile.evaluate(&self.on_cpu, theta, batch, thetabar.as_deref_mut()) {
                Ok(loss) => Ok(Ok(loss)),
                Err(BatchError::Loss(error)) => Ok(Err(error)),
                Err(BatchError::Device(error)) => Err(error),
            }
        });
        match found {
            Some(Ok(loss)) if !loss.is_finite() => {
                self.recomputed.fetch_add(1, Ordering::Relaxed);
            }
            Some(found) => return found,
            None => {}
        }
        // The error of the CPU names the path.
        self.on_cpu.evaluate(theta, batch, thetabar)
    }

    fn orders(&self) -> Range<usize> {
        self.on_cpu.orders()
    }

    fn estimate_orders(
        &self,
        samples: &[usize],
        theta: &mut [f32],
    ) -> Result<Vec<OrderEstimate>, TrainingError> {
        self.on_cpu.estimate_orders(samples, theta)
    }

    fn culprit(&self, theta: &[f32], batch: Batch<'_>, pass: Pass) -> Option<String> {
        self.on_cpu.culprit(theta, batch, pass)
    }
}

/// Sources of the kernels of a fit, for two samples.
#[cfg(test)]
pub(crate) fn sources(
    fit: &SdeFit<f32, Network>,
    of: hpfracc_equation::wgsl::Capabilities,
) -> Vec<String> {
    let (kernels, ..) = tile::Kernels::new(fit, 2, |_| Ok(())).expect("the fit has shaders");
    kernels.sources(of)
}
