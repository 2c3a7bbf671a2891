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
mod step;
mod supervised;

pub use error::GpuNetworkError;
pub use paths::GpuSdeFit;
#[cfg(test)]
pub(crate) use paths::sources as path_sources;
pub use program::NotOnGpu;
pub use supervised::GpuSupervised;

use crate::device::{PooledBuffer, Purpose};
use crate::{Gpu, GpuError};
use dispatch::Dispatch;
use error::{FAR_TOO_LARGE, size};
use hpfracc_equation::wgsl::{Library, Rounding};
use hpfracc_nn::{Network, Shape};
use program::{Input, Program};
use std::fmt;
use step::{Place, Step};

/// A network for a fixed number of samples on a GPU.
///
/// Layers: dense, gated (SwiGLU), embedding, both normalisations, softmax, self-attention, and all
/// compositions of them, such as [`Transformer`](hpfracc_nn::Transformer); others are
/// [`NotOnGpu`]. Rows and lanes are those of [`Layer`](hpfracc_nn::Layer).
///
/// Accuracy: products are sums in order of single precision; values and gradients agree with those of
/// the CPU to rounding, about 1e-6 of their size, not to the bit. Repeated calls give the same bits.
///
/// Memory: parameters and values of all layers twice each. Attention keeps three numbers for each
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
    buffers: Buffers,
    forward: Vec<Dispatch>,
    backward: Vec<Dispatch>,
}

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
}

impl GpuNetwork {
    /// Compiles a network for `lanes` samples.
    ///
    /// # Errors
    /// [`GpuNetworkError::NotOnGpu`] for a layer without shaders or loops that are too long for a dispatch (in
    /// dense layers from about 45 000 samples or times on), [`GpuNetworkError::TooLarge`] for more samples than fit a
    /// binding, [`GpuNetworkError::Gpu`] if the device or its memory does not suffice.
    pub fn new(gpu: &Gpu, network: &Network, lanes: usize) -> Result<Self, GpuNetworkError> {
        Self::with(gpu, network, lanes, &mut |_, _| Vec::new())
    }

    /// A network with further steps between the forward and the backward pass, made for the output
    /// by a function that may reserve arrays.
    fn with(
        gpu: &Gpu,
        network: &Network,
        lanes: usize,
        loss: &mut dyn FnMut(&mut Program, Place) -> Vec<Step>,
    ) -> Result<Self, GpuNetworkError> {
        size("the number of samples", lanes.min(1), 1)?;
        let limit = gpu.limits().max_storage_buffer_binding_size;
        let check = |numbers: usize| {
            let (bytes, device) = (4 * numbers as u64, gpu.name().to_owned());
            let fits = bytes <= limit;
            fits.then_some(()).ok_or(GpuNetworkError::TooLarge { device, lanes, bytes, limit })
        };
        // No size of a step overflows below, far above any binding.
        let sizes = network.sizes();
        let rows = sizes.inputs.saturating_add(sizes.outputs).saturating_add(sizes.saved);
        let numbers = rows.saturating_mul(lanes).saturating_add(sizes.parameters);
        if numbers > FAR_TOO_LARGE {
            check(numbers.min(usize::MAX / 4))?;
        }
        let mut program = Program::default();
        let inputs = network.inputs() * lanes;
        let x = program.array(inputs);
        let y = program.layer(network, Input { x, columns: lanes, theta: 0 })?;
        let steps = loss(&mut program, y);
        check(program.len.max(network.parameters()))?;
        program.check_rounds(&steps)?;
        let acquire = |len: usize| gpu.acquire(4 * len.max(1) as u64, Purpose::Storage);
        let buffers = Buffers {
            theta: acquire(network.parameters())?,
            values: acquire(program.len)?,
            bars: acquire(program.len)?,
            thetabar: acquire(network.parameters())?,
        };
        for (place, numbers) in &program.constants {
            gpu.write(&buffers.values, *place, numbers)?;
        }
        let library = Library::new(gpu.shader_capabilities()?, Rounding::Free);
        let compiled = |steps: &mut dyn Iterator<Item = &Step>| {
            let dispatches = steps.map(|step| Dispatch::new(gpu, &library, step));
            dispatches.collect::<Result<Vec<_>, GpuError>>()
        };
        Ok(Self {
            gpu: gpu.clone(),
            name: gpu.name().to_owned(),
            lanes,
            input: Array { at: x, len: inputs },
            output: Array { at: y, len: network.outputs() * lanes },
            parameters: network.parameters(),
            buffers,
            forward: compiled(&mut program.forward.iter().chain(&steps))?,
            backward: compiled(&mut program.backward.iter().rev())?,
        })
    }

    /// Number of samples.
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// Writes the output for these parameters and inputs.
    ///
    /// # Errors
    /// [`GpuNetworkError::Size`] for slices of other sizes; [`GpuNetworkError::Gpu`].
    pub fn forward(&self, theta: &[f32], x: &[f32], y: &mut [f32]) -> Result<(), GpuNetworkError> {
        size("the list of parameters", theta.len(), self.parameters)?;
        size("the input", x.len(), self.input.len)?;
        size("the output", y.len(), self.output.len)?;
        self.gpu.write(&self.buffers.theta, 0, theta)?;
        self.gpu.write(&self.buffers.values, self.input.at, x)?;
        self.run(&[], &self.forward)?;
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
        self.run(&[&self.buffers.bars, &self.buffers.thetabar], &[])?;
        self.gpu.write(&self.buffers.bars, self.output.at, ybar)?;
        self.run(&[], &self.backward)?;
        self.read(&self.buffers.bars, self.input.at, xbar)?;
        self.read(&self.buffers.thetabar, 0, thetabar)
    }

    /// Clears buffers, then executes steps.
    fn run(&self, clear: &[&PooledBuffer], steps: &[Dispatch]) -> Result<(), GpuError> {
        let Buffers { theta, values, bars, thetabar } = &self.buffers;
        let shared = [theta, values, bars, thetabar].map(PooledBuffer::buffer);
        self.gpu.block_on(self.gpu.compute(clear, |pass| {
            for step in steps {
                let [theta, values, bars, thetabar] = shared;
                let buffers = [theta, values, bars, thetabar, &step.words];
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
pub(crate) fn sources(network: &Network, of: hpfracc_equation::wgsl::Capabilities) -> Vec<String> {
    let (mut program, library) = (Program::default(), Library::new(of, Rounding::Free));
    let x = program.array(network.inputs() * 4);
    let y = program.layer(network, Input { x, columns: 4, theta: 0 }).expect("it has shaders");
    let losses =
        ["mean_square", "cross_entropy"].map(|loss| supervised::loss_step(loss, [3, 4], &[y; 4]));
    let steps = program.forward.iter().chain(&program.backward).chain(&losses);
    steps.map(|step| library.needed_by(&step.source) + &step.source).collect()
}
