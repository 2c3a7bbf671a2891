//! Networks of `hpfracc-nn` on a GPU, in single precision: [`GpuNetwork`], forward and backward
//! passes of any number of samples, [`GpuSupervised`], supervised learning with them, and
//! [`GpuSdeFit`], fits of neural differential equations.
//!
//! A network becomes a program: its layers one after the other as steps, each a dispatch of a kernel.
//! Values of all layers lie in one buffer, their cotangents at the same places in a second, parameters
//! and their gradient in two more: nothing leaves the device between the input and the output.

mod attention;
mod dispatch;
mod error;
mod lowering;
mod paths;
mod program;
mod series;
mod step;
mod storage;
mod supervised;
mod until_failure;

pub use error::GpuNetworkError;
pub use paths::GpuSdeFit;
#[cfg(test)]
pub(crate) use paths::sources as path_sources;
pub use program::NotOnGpu;
pub use supervised::GpuSupervised;

use crate::device::{PooledBuffer, Purpose};
use crate::ensemble::{DISPATCH, next_span};
use crate::{Gpu, GpuError};
use dispatch::Dispatch;
use error::size;
use hpfracc_equation::wgsl::{Library, NumberFormat, Rounding};
use hpfracc_nn::{Batch, Network, Pass, Shape, Storage, TrainingError};
use program::{Computed, Input, Program};
use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;
use step::{Place, Step};
use wgpu::Buffer;

/// A network for a fixed number of samples on a GPU.
///
/// Layers: all of [`Network`] but recurrent ones, which are [`NotOnGpu`], and their compositions, such
/// as [`Transformer`](hpfracc_nn::Transformer). Rows and lanes are those of
/// [`Layer`](hpfracc_nn::Layer). Fractional derivatives are direct sums, of `length^2/2` multiply-adds
/// for each lane and channel; their weights are computed on the CPU when parameters are written.
///
/// Accuracy: products are sums in order of single precision; values and gradients agree with those of
/// the CPU to rounding, about 1e-6 of their size, not to the bit. Repeated calls give the same bits.
///
/// Memory: parameters and values of all layers twice each; half of that in half precision
/// ([`with_values_in`](Self::with_values_in)). Attention keeps three numbers for each
/// head and time instead of its weights (online softmax).
///
/// ```no_run
/// use hpfracc_nn::{Activation, Network, Shape};
/// use hpfracc_wgpu::{Gpu, GpuNetwork};
///
/// let network = Network::perceptron(&[4, 64, 4], Activation::Tanh)?;
/// let on_gpu = GpuNetwork::new(&Gpu::new()?, &network, 100)?;
/// let (theta, x) = (vec![0.1; network.parameters()], vec![0.5; 4 * 100]);
/// let mut y = vec![0.0; 4 * 100];
/// on_gpu.forward(&theta, &x, &mut y)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Sources: Milakov and Gimelshein, arXiv:1805.02867 (2018), for the online softmax; Dao et al.,
/// NeurIPS (2022), arXiv:2205.14135, for its backward pass.
pub struct GpuNetwork {
    gpu: Gpu,
    name: String,
    lanes: usize,
    input: Array,
    output: Array,
    parameters: usize,
    /// Numbers in the buffer of parameters, with the computed weights.
    with_computed: usize,
    bytes: u64,
    computed: Vec<Computed>,
    buffers: Buffers,
    forward: Vec<Dispatch>,
    backward: Vec<Dispatch>,
    /// Steps of the next submission.
    span: AtomicU32,
}

/// Steps of the first submission, before the time of a step is known.
const FIRST_STEPS: u32 = 64;

/// Part of the buffer of values.
#[derive(Debug, Clone, Copy)]
struct Array {
    at: Place,
    len: usize,
}

struct Buffers {
    theta: PooledBuffer,
    values: PooledBuffer,
    bars: PooledBuffer,
    thetabar: PooledBuffer,
    /// Values and cotangents in half precision.
    halves: Option<[PooledBuffer; 2]>,
}

impl GpuNetwork {
    /// Compiles a network for `lanes` samples.
    ///
    /// # Errors
    /// [`GpuNetworkError::NotOnGpu`] for a layer without shaders or loops that are too long for a dispatch (in
    /// fractional derivatives from 30 000 times on), [`GpuNetworkError::TooLarge`] for more samples than fit a
    /// binding, [`GpuNetworkError::Gpu`] if the device or its memory does not suffice.
    pub fn new(gpu: &Gpu, network: &Network, lanes: usize) -> Result<Self, GpuNetworkError> {
        Self::with_values_in(gpu, network, lanes, Storage::Full)
    }

    /// [`new`](Self::new) with the values between layers and their cotangents in this format, of which a device has
    /// [`Storage::Float16`] (half precision): half the memory of a network in single precision. Sums are in single
    /// precision, and so are parameters, their gradients, inputs, outputs, and what normalisations and attention save.
    ///
    /// Outputs and gradients have a relative error of the order of 2^-11 of their largest. Values above 65504 become
    /// infinite, and cotangents below 6e-8 zero: trainings need a [`LossScale`](hpfracc_nn::LossScale).
    ///
    /// # Errors
    /// As [`new`](Self::new); [`GpuNetworkError::NotOnGpu`] for a format that the device does not have.
    pub fn with_values_in(
        gpu: &Gpu,
        network: &Network,
        lanes: usize,
        storage: Storage,
    ) -> Result<Self, GpuNetworkError> {
        Self::with(gpu, network, (lanes, storage), &mut |_, _| Vec::new())
    }

    /// A network with further steps between the forward and the backward pass, made for the output
    /// by a function that may reserve arrays.
    fn with(
        gpu: &Gpu,
        network: &Network,
        (lanes, storage): (usize, Storage),
        loss: &mut dyn FnMut(&mut Program, Place) -> Vec<Step>,
    ) -> Result<Self, GpuNetworkError> {
        size("the number of samples", lanes.min(1), 1)?;
        let limit = gpu.limits().max_storage_buffer_binding_size;
        let check = |numbers: usize| {
            let (bytes, device) = (4 * numbers as u64, gpu.name().to_owned());
            let fits = bytes <= limit;
            fits.then_some(()).ok_or(GpuNetworkError::TooLarge { device, lanes, bytes, limit })
        };
        // At least; checked before any step is made, of which many samples need many.
        let sizes = network.sizes();
        let ends = sizes.inputs.saturating_add(sizes.outputs).saturating_mul(lanes);
        check(ends.max(sizes.parameters).min(usize::MAX / 4))?;
        let in_halves = storage::in_halves(gpu, storage)?;
        let mut program = Program::for_parameters(sizes.parameters);
        program.halves = in_halves.then_some(0);
        let inputs = network.inputs() * lanes;
        let x = program.array(inputs);
        let y = program.layer(network, Input { x, columns: lanes, theta: 0 })?;
        let y = program.exact(y, network.outputs() * lanes);
        let steps = loss(&mut program, y);
        let halves = program.halves.map(|halves| halves.div_ceil(2));
        check(program.len.max(program.parameters).max(halves.unwrap_or(0)))?;
        program.check_rounds(&steps)?;
        let acquire = |len: usize| gpu.acquire(4 * len.max(1) as u64, Purpose::Storage);
        let buffers = Buffers {
            theta: acquire(program.parameters)?,
            values: acquire(program.len)?,
            bars: acquire(program.len)?,
            thetabar: acquire(program.parameters)?,
            halves: match halves {
                Some(len) => Some([acquire(len)?, acquire(len)?]),
                None => None,
            },
        };
        for (place, numbers) in &program.constants {
            gpu.write(&buffers.values, *place, numbers)?;
        }
        let library = Library::new(
            NumberFormat::Single,
            gpu.shader_capabilities(NumberFormat::Single)?,
            Rounding::Free,
        );
        let compiled = |steps: &mut dyn Iterator<Item = &Step>| {
            let dispatches = steps.map(|step| Dispatch::new(gpu, &library, step, in_halves));
            dispatches.collect::<Result<Vec<_>, GpuError>>()
        };
        Ok(Self {
            gpu: gpu.clone(),
            name: gpu.name().to_owned(),
            lanes,
            input: Array { at: x, len: inputs },
            output: Array { at: y, len: network.outputs() * lanes },
            parameters: network.parameters(),
            with_computed: program.parameters,
            bytes: 8 * (program.parameters + program.len + halves.unwrap_or(0)) as u64,
            buffers,
            forward: compiled(&mut program.forward.iter().chain(&steps))?,
            backward: compiled(&mut program.backward.iter().rev())?,
            computed: program.computed,
            span: AtomicU32::new(FIRST_STEPS),
        })
    }

    /// Bytes of the parameters and values on the device, with their gradients and cotangents.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Number of samples.
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// Writes the output for these parameters and inputs, in evaluation mode (no dropout).
    ///
    /// # Errors
    /// [`GpuNetworkError::Size`] for slices of other sizes; [`GpuNetworkError::Gpu`].
    pub fn forward(&self, theta: &[f32], x: &[f32], y: &mut [f32]) -> Result<(), GpuNetworkError> {
        size("the list of parameters", theta.len(), self.parameters)?;
        size("the input", x.len(), self.input.len)?;
        size("the output", y.len(), self.output.len)?;
        self.write_parameters(theta)?;
        self.gpu.write(&self.buffers.values, self.input.at, x)?;
        self.run(&[], &self.forward, Pass::Evaluate)?;
        self.read(&self.buffers.values, self.output.at, y)
    }

    /// Vector-Jacobian products of the last [`forward`](Self::forward): writes the gradients with
    /// respect to the inputs and, summed over the samples, to the parameters.
    ///
    /// # Errors
    /// As [`forward`](Self::forward).
    pub fn vjp(
        &self,
        ybar: &[f32],
        xbar: &mut [f32],
        thetabar: &mut [f32],
    ) -> Result<(), GpuNetworkError> {
        size("the cotangent", ybar.len(), self.output.len)?;
        size("the gradient of the inputs", xbar.len(), self.input.len)?;
        size("the gradient", thetabar.len(), self.parameters)?;
        let mut clear = self.cotangents();
        clear.push(&self.buffers.thetabar);
        self.run(&clear, &[], Pass::Evaluate)?;
        self.gpu.write(&self.buffers.bars, self.output.at, ybar)?;
        self.run(&[], &self.backward, Pass::Evaluate)?;
        self.read(&self.buffers.bars, self.input.at, xbar)?;
        let mut theta = Vec::new();
        if !self.computed.is_empty() {
            theta.resize(self.parameters, 0.0);
            self.read(&self.buffers.theta, 0, &mut theta)?;
        }
        self.read_gradient(&theta, thetabar)
    }

    /// Writes the parameters, and the weights that layers compute from them.
    fn write_parameters(&self, theta: &[f32]) -> Result<(), GpuError> {
        self.gpu.write(&self.buffers.theta, 0, theta)?;
        for Computed { weights, theta: own, at } in &self.computed {
            let mut values = vec![0.0; at.len()];
            weights.compute(&theta[own.clone()], &mut values);
            self.gpu.write(&self.buffers.theta, at.start, &values)?;
        }
        Ok(())
    }

    /// Reads the gradient with respect to these parameters, which only layers with computed weights need.
    fn read_gradient(&self, theta: &[f32], thetabar: &mut [f32]) -> Result<(), GpuNetworkError> {
        if self.computed.is_empty() {
            return self.read(&self.buffers.thetabar, 0, thetabar);
        }
        let mut all = vec![0.0; self.with_computed];
        self.read(&self.buffers.thetabar, 0, &mut all)?;
        let (own, _) = all.split_at_mut(self.parameters);
        thetabar.copy_from_slice(own);
        for Computed { weights, theta: own, at } in &self.computed {
            weights.pull_back(&theta[own.clone()], &all[at.clone()], &mut thetabar[own.clone()]);
        }
        Ok(())
    }

    /// Buffers of the cotangents of values.
    fn cotangents(&self) -> Vec<&PooledBuffer> {
        let halves = self.buffers.halves.as_ref().map(|[_, bars]| bars);
        [Some(&self.buffers.bars), halves].into_iter().flatten().collect()
    }

    /// Clears buffers, then executes steps in a mode, in submissions of about 50 ms: drivers reset a device after seconds.
    fn run(&self, clear: &[&PooledBuffer], steps: &[Dispatch], pass: Pass) -> Result<(), GpuError> {
        let draw = self.gpu.uniform(draw_words(pass));
        let (mut clear, mut left) = (clear, steps);
        loop {
            let span = self.span.load(Ordering::Relaxed);
            let (now, later) = left.split_at(left.len().min(span as usize));
            let (count, begin) = (now.len() as u32, Instant::now());
            self.submit(clear, now, &draw)?;
            let time = begin.elapsed();
            // The end of a network, which is shorter than a span, says nothing of a longer one.
            if count == span || time > DISPATCH && count > 0 {
                self.span.store(next_span(count, time), Ordering::Relaxed);
            }
            if later.is_empty() {
                return Ok(());
            }
            (clear, left) = (&[], later);
        }
    }

    /// Clears buffers, then executes steps, and waits for their end.
    fn submit(
        &self,
        clear: &[&PooledBuffer],
        steps: &[Dispatch],
        draw: &Buffer,
    ) -> Result<(), GpuError> {
        let Buffers { theta, values, bars, thetabar, halves } = &self.buffers;
        let shared = [theta, values, bars, thetabar].map(PooledBuffer::buffer);
        let halves = halves.iter().flatten().map(PooledBuffer::buffer);
        self.gpu.block_on(self.gpu.compute(clear, |pass| {
            for step in steps {
                let draw = step.draws.then_some(draw);
                let own = std::iter::once(&step.words).chain(halves.clone()).chain(draw);
                let buffers: Vec<&Buffer> = shared.into_iter().chain(own).collect();
                self.gpu.dispatch(pass, &step.pipeline, &buffers, step.grid);
            }
        }))
    }

    fn read(
        &self,
        buffer: &PooledBuffer,
        first: usize,
        to: &mut [f32],
    ) -> Result<(), GpuNetworkError> {
        Ok(self.gpu.block_on(self.gpu.read(buffer, first, to))?)
    }
}

impl fmt::Debug for GpuNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (steps, lanes) = (self.forward.len() + self.backward.len(), self.lanes);
        f.debug_struct("GpuNetwork")
            .field("device", &self.name)
            .field("lanes", &lanes)
            .field("parameters", &self.parameters)
            .field("steps", &steps)
            .finish()
    }
}

/// Sources of the kernels of a network and of the losses, for four samples.
#[cfg(test)]
pub(crate) fn sources(
    network: &Network,
    of: hpfracc_equation::wgsl::Capabilities,
    in_halves: bool,
) -> Vec<String> {
    let library = Library::new(NumberFormat::Single, of, Rounding::Free);
    let mut program = Program::for_parameters(network.parameters());
    program.halves = in_halves.then_some(0);
    let x = program.array(network.inputs() * 4);
    let y = program.layer(network, Input { x, columns: 4, theta: 0 }).expect("it has shaders");
    let losses =
        ["mean_square", "cross_entropy"].map(|loss| supervised::loss_step(loss, [3, 4], &[y; 4]));
    let steps = program.forward.iter().chain(&program.backward).chain(&losses);
    steps.map(|step| dispatch::source(&library, step, in_halves)).collect()
}

/// Words of a mode: whether numbers are dropped, the draw, and the first sample.
fn draw_words(pass: Pass) -> [usize; 4] {
    match pass {
        Pass::Evaluate => [0; 4],
        Pass::Train { draw, first_sample } => {
            let [low, high] = [draw as u32, (draw >> 32) as u32].map(|word| word as usize);
            [1, low, high, first_sample as usize]
        }
    }
}

/// Error for a batch that several ranks share.
fn one_process(objective: &'static str, batch: Batch<'_>) -> Result<(), TrainingError> {
    match batch.ranks.size() {
        1 => Ok(()),
        ranks => Err(TrainingError::OneProcess { objective, ranks }),
    }
}
