//! Supervised learning on a GPU.

use super::program::Program;
use super::step::{self, Step};
use super::until_failure::UntilFailure;
use super::{Array, GpuNetwork, GpuNetworkError, one_process};
use crate::Gpu;
use hpfracc_nn::{
    Batch, Loss, LossResult, Network, Objective, ParameterBlock, Pass, Shape, Supervised, Targets,
};

/// Supervised learning with the forward pass, the loss and the backward pass on a GPU: an
/// [`Objective`] for the same trainers, checkpoints and optimisers as
/// [`Supervised`](hpfracc_nn::Supervised), which it is made of.
///
/// A batch is divided into tiles of a fixed number of samples; the last one is filled up with samples
/// of weight zero. Gradients of tiles are summed on the device in their order. Losses: the mean square
/// and the cross entropies.
///
/// Of an objective with activations in half precision ([`with_activations_in`](Supervised::with_activations_in)), values
/// and their cotangents have it on the device, too: see [`GpuNetwork::with_values_in`].
///
/// If the device fails, this batch and all later ones are computed on the CPU, with a warning in the
/// log: [`failure`](Self::failure) has the reason.
///
/// One process evaluates a batch: ranks are [`TrainingError::OneProcess`](hpfracc_nn::TrainingError::OneProcess).
#[derive(Debug)]
pub struct GpuSupervised {
    on_cpu: Supervised<f32, Network>,
    on_gpu: UntilFailure<Tile>,
}

/// A network with its loss, for the samples of a tile.
#[derive(Debug)]
struct Tile {
    network: GpuNetwork,
    targets: Array,
    weights: Array,
    losses: Array,
    /// Losses of a sample.
    times: usize,
}

impl GpuSupervised {
    /// An objective in tiles of `lanes` samples on a device.
    ///
    /// # Errors
    /// As [`GpuNetwork::new`]; [`NotOnGpu`](super::NotOnGpu) for other losses.
    pub fn new(
        gpu: &Gpu,
        objective: Supervised<f32, Network>,
        lanes: usize,
    ) -> Result<Self, GpuNetworkError> {
        let tile = Tile::new(gpu, &objective, lanes)?;
        Ok(Self { on_cpu: objective, on_gpu: UntilFailure::new(tile) })
    }

    /// The reason why the device is no longer used, if it has failed.
    pub fn failure(&self) -> Option<String> {
        self.on_gpu.failure()
    }

    /// The objective on the CPU.
    pub fn on_cpu(&self) -> &Supervised<f32, Network> {
        &self.on_cpu
    }
}

impl Tile {
    fn new(
        gpu: &Gpu,
        objective: &Supervised<f32, Network>,
        lanes: usize,
    ) -> Result<Self, GpuNetworkError> {
        let outputs = objective.network().outputs();
        let (entry, times, rows) = match objective.targets() {
            Targets::Values(values, Loss::MeanSquare) => ("mean_square", 1, values.ncols()),
            Targets::Classes(_) => ("cross_entropy", 1, 1),
            Targets::ClassSeries(classes) => ("cross_entropy", classes.ncols(), 1),
            Targets::Values(..) => {
                let reason =
                    "only the mean square and cross entropies of classes are; train on the CPU";
                return Err(super::NotOnGpu::new("the loss", reason).into());
            }
        };
        let columns = times * lanes;
        let mut arrays = [Array { at: 0, len: 0 }; 3];
        let mut loss = |program: &mut Program, y| -> Vec<Step> {
            arrays =
                [rows * columns, columns, columns].map(|len| Array { at: program.array(len), len });
            let [targets, weights, losses] = arrays.map(|array| array.at);
            vec![loss_step(entry, [outputs / times, columns], &[y, targets, weights, losses])]
        };
        let of = (lanes, objective.activations());
        let network = GpuNetwork::with(gpu, objective.network(), of, &mut loss)?;
        let [targets, weights, losses] = arrays;
        Ok(Self { network, targets, weights, losses, times })
    }

    /// The mean loss of a batch, and its gradient.
    fn evaluate(
        &self,
        objective: &Supervised<f32, Network>,
        theta: &[f32],
        batch: Batch<'_>,
        thetabar: Option<&mut [f32]>,
    ) -> Result<f64, GpuNetworkError> {
        let network = &self.network;
        let (gpu, buffers) = (&network.gpu, &network.buffers);
        network.write_parameters(theta)?;
        network.run(&[&buffers.thetabar], &[], Pass::Evaluate)?;
        let weight = 1.0 / (batch.samples.len() * self.times) as f64;
        let mut x = vec![0.0; network.input.len];
        let mut targets = vec![0.0; self.targets.len];
        let mut weights = vec![0.0; self.weights.len];
        let mut losses = vec![0f32; self.losses.len];
        let mut loss = 0.0;
        for (tile, samples) in batch.samples.chunks(network.lanes).enumerate() {
            let pass = batch.pass(thetabar.is_some()).starting_at(tile * network.lanes);
            self.gather(objective, samples, &mut x, &mut targets);
            let lanes = weights.chunks_exact_mut(network.lanes);
            for weights in lanes {
                let (present, rest) = weights.split_at_mut(samples.len());
                present.fill((weight * batch.scale) as f32);
                rest.fill(0.0);
            }
            gpu.write(&buffers.values, network.input.at, &x)?;
            gpu.write(&buffers.values, self.targets.at, &targets)?;
            gpu.write(&buffers.values, self.weights.at, &weights)?;
            network.run(&network.cotangents(), &network.forward, pass)?;
            if thetabar.is_some() {
                network.run(&[], &network.backward, pass)?;
            }
            network.read(&buffers.values, self.losses.at, &mut losses)?;
            loss += losses.iter().map(|loss| f64::from(*loss)).sum::<f64>();
        }
        if let Some(thetabar) = thetabar {
            network.read_gradient(theta, thetabar)?;
        }
        Ok(loss / batch.scale)
    }

    /// Inputs and targets of a tile; lanes without a sample have those of the first.
    fn gather(
        &self,
        objective: &Supervised<f32, Network>,
        samples: &[usize],
        x: &mut [f32],
        targets: &mut [f32],
    ) {
        let lanes = self.network.lanes;
        let mut features = vec![0.0; x.len() / lanes];
        for lane in 0..lanes {
            let sample = samples.get(lane).copied().unwrap_or(samples[0]);
            objective.read_inputs(sample, 0, &mut features);
            let column = |rows: &mut [f32], numbers: &mut dyn Iterator<Item = f32>| {
                rows[lane..].iter_mut().step_by(lanes).zip(numbers).for_each(|(row, x)| *row = x);
            };
            column(x, &mut features.iter().copied());
            match objective.targets() {
                Targets::Values(values, _) => {
                    column(targets, &mut values.row(sample).iter().copied());
                }
                Targets::Classes(classes) => {
                    column(targets, &mut std::iter::once(classes[sample] as f32));
                }
                Targets::ClassSeries(classes) => {
                    column(targets, &mut classes.row(sample).iter().map(|class| *class as f32));
                }
            }
        }
    }
}

/// The losses of columns, for (rows, columns) and the places of outputs, targets, weights and losses.
pub(super) fn loss_step(entry: &'static str, sizes: [usize; 2], places: &[usize; 4]) -> Step {
    let body = (include_str!("kernels/softmax.wgsl"), entry);
    step::each((sizes[1], 3 * sizes[0]), body, sizes, places)
}

impl Objective<f32> for GpuSupervised {
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
        one_process("a network on a GPU", batch)?;
        let found = self
            .on_gpu
            .compute(|tile| tile.evaluate(&self.on_cpu, theta, batch, thetabar.as_deref_mut()));
        found.map_or_else(|| self.on_cpu.evaluate(theta, batch, thetabar), Ok)
    }

    fn culprit(&self, theta: &[f32], batch: Batch<'_>, pass: Pass) -> Option<String> {
        self.on_cpu.culprit(theta, batch, pass)
    }
}
