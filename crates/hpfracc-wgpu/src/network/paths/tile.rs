//! A tile of paths: buffers, compiled steps, and the passes over all steps.
//!
//! Networks are computed layer by layer for all paths of a tile, by the kernels of `GpuNetwork`, one step of the equation
//! after the other. So every layer that a device knows may be part of an equation, at any width, and a step needs four
//! kernels of its own. A kernel that solves whole paths with the activations of a small network in workgroup memory would
//! save the traffic between layers, which decides at few paths; it is not here yet.
//!
//! States of all nodes are stored; networks are computed again in the backward pass, as on the CPU, and the noise is drawn
//! again from its addresses. Memory is bounded by the number of samples of a tile. Sums over paths and steps have a
//! fixed order, which no length of a span changes: each part of the paths adds its steps one after the other to a gradient of its
//! own, so that many paths occupy a device in the sums too, and the parts are added at the end.

use super::super::dispatch::Dispatch;
use super::super::error::GpuNetworkError;
use super::super::program::{NotOnGpu, Program};
use super::super::step::{self, Parts, Place, Step};
use super::layout::{FIRST_WORDS, Layout, Sizes};
use super::loss::LossKernel;
use super::model::{Coefficients, memories};
use crate::device::{PooledBuffer, Purpose};
use crate::ensemble::{FIRST_SPAN, next_span};
use crate::{Gpu, GpuError};
use hpfracc_equation::wgsl::{Library, NumberFormat, Rounding};
use hpfracc_nn::models::SdeFit;
use hpfracc_nn::{Network, Objective};
use std::time::Instant;
use wgpu::{Buffer, ComputePass};

/// Paths of a part of the sums over paths.
const PATHS_OF_PART: usize = 512;

/// Most numbers of the gradients of all parts.
const NUMBERS_OF_PARTS: usize = 1 << 24;

/// Parts of the sums over the paths, by sizes alone.
fn parts(lanes: usize, parameters: usize) -> Parts {
    let room = NUMBERS_OF_PARTS / parameters.max(1);
    let count = lanes.div_ceil(PATHS_OF_PART).min(room).clamp(1, 64);
    Parts { count, distance: parameters }
}

/// Kernels of a tile, in the order of their execution.
pub(super) struct Kernels {
    begin_forward: Step,
    begin_backward: Step,
    update: Step,
    adjoint: Step,
    losses: Vec<Step>,
    /// Executed for gradients only.
    loss_parameters: Option<Step>,
    /// Adds the gradients of the parts.
    sum_parts: Option<Step>,
    network: Program,
}

impl Kernels {
    pub(super) fn new(
        fit: &SdeFit<f32, Network>,
        samples: usize,
        check: impl Fn(usize) -> Result<(), GpuNetworkError>,
    ) -> Result<(Self, Layout, LossKernel), GpuNetworkError> {
        let loss = LossKernel::new(fit.path_loss()).ok_or_else(|| {
            NotOnGpu::new("the loss", "its sums are computed on the CPU alone; train on the CPU")
        })?;
        let memories = memories(fit)?;
        let mut layout =
            Layout::new(Sizes::new(fit, samples), &memories, fit.model().learns_orders());
        check(layout.len)?;
        layout.tables();
        let Sizes { dim, observed, nodes, paths, noises, .. } = &layout.sizes;
        let lanes = layout.sizes.lanes();
        let parts = parts(lanes, fit.parameters());
        let mut network = Program { parts, ..Program::default() };
        let of = Coefficients::append(&mut network, fit, lanes)?;
        check(network.len.max(parts.count * fit.parameters()))?;
        let inputs = of.inputs * lanes;
        let bars = network.len - inputs;
        let constants = layout.text(fit, &of, (bars, fit.model().parameters()));
        let header = include_str!("kernels/header.wgsl");
        let activation = include_str!("../kernels/activation.wgsl");
        let text =
            |body: &str| [&constants, loss.text(), "\n", header, "\n", activation, body].concat();
        let (steps, losses) =
            (text(include_str!("kernels/step.wgsl")), text(include_str!("kernels/loss.wgsl")));
        let each = |count: usize, rounds: usize, body: &str, entry: &'static str| {
            step::each((count.max(1), rounds), (body, entry), [count, 0], &[])
        };
        let begun = inputs + noises * lanes;
        let rounds = layout.terms + of.acting;
        let of_loss = match &loss {
            LossKernel::Pointwise { .. } => {
                vec![each(lanes, observed * (nodes.len() + 1) + dim, &losses, "pointwise")]
            }
            LossKernel::EnergyScore => vec![
                each(nodes.len() * lanes, 2 * observed * (paths + 1), &losses, "energy_score"),
                each(lanes, nodes.len() + dim, &losses, "sum_nodes"),
            ],
            LossKernel::Host => Vec::new(),
        };
        let deviations = matches!(loss, LossKernel::Pointwise { deviations: true, .. });
        let sums = Step {
            grid: [*observed as u32, 1],
            ..each(1, lanes.div_ceil(64) + 6, &losses, "sum_deviations")
        };
        let kernels = Self {
            begin_forward: each(begun, 0, &steps, "begin_forward"),
            begin_backward: each(begun.max(bars), 0, &steps, "begin_backward"),
            update: each(dim * lanes, rounds, &steps, "update"),
            adjoint: each(dim * lanes, rounds, &steps, "adjoint"),
            losses: of_loss,
            loss_parameters: deviations.then_some(sums),
            sum_parts: (parts.count > 1).then(|| {
                let body = include_str!("kernels/sum_parts.wgsl");
                let parameters = fit.parameters();
                let sizes = [parameters, parts.count];
                step::each((parameters, parts.count), (body, "sum_parts"), sizes, &[])
            }),
            network,
        };
        Ok((kernels, layout, loss))
    }

    fn own(&self) -> impl Iterator<Item = &Step> {
        let Self { begin_forward, begin_backward, update, adjoint, .. } = self;
        let steps = [begin_forward, begin_backward, update, adjoint].into_iter();
        steps.chain(&self.losses).chain(&self.loss_parameters)
    }

    fn check_rounds(&self) -> Result<(), NotOnGpu> {
        let own = self.own().chain(&self.sum_parts).cloned();
        self.network.check_rounds(&own.collect::<Vec<_>>())
    }

    /// Sources of the kernels of paths.
    #[cfg(test)]
    pub(super) fn sources(&self, of: hpfracc_equation::wgsl::Capabilities) -> Vec<String> {
        let library = Library::new(NumberFormat::Single, of, Rounding::Free);
        self.own().map(|step| library.needed_by(&step.source) + &step.source).collect()
    }
}

/// Paths of a number of samples on a device.
pub(super) struct PathTile {
    gpu: Gpu,
    pub(super) layout: Layout,
    pub(super) loss: LossKernel,
    buffers: Buffers,
    forward: Vec<Kernel>,
    backward: Vec<Kernel>,
    losses: Vec<Kernel>,
    loss_parameters: Vec<Kernel>,
    sum_parts: Vec<Kernel>,
    /// Most steps of a dispatch.
    pub(super) longest_span: u32,
}

struct Buffers {
    theta: PooledBuffer,
    values: PooledBuffer,
    bars: PooledBuffer,
    thetabar: PooledBuffer,
    paths: PooledBuffer,
    counts: PooledBuffer,
}

/// A compiled step of a network, or one of paths, which has two more buffers.
struct Kernel {
    dispatch: Dispatch,
    of_paths: bool,
}

/// Path numbers and the seed of a tile.
#[derive(Debug, Clone, Copy)]
pub(super) struct Addresses {
    pub(super) seed: u64,
    pub(super) first_path: u64,
    /// Paths that are no copies.
    pub(super) distinct: usize,
}

impl PathTile {
    pub(super) fn new(
        gpu: &Gpu,
        fit: &SdeFit<f32, Network>,
        samples: usize,
    ) -> Result<Self, GpuNetworkError> {
        let lanes = samples.saturating_mul(fit.paths());
        let limit = gpu.limits().max_storage_buffer_binding_size;
        let check = |numbers: usize| {
            let bytes = (numbers as u64).saturating_mul(4);
            let device = gpu.name().to_owned();
            let fits = bytes <= limit;
            fits.then_some(()).ok_or(GpuNetworkError::TooLarge { device, lanes, bytes, limit })
        };
        let (kernels, layout, loss) = Kernels::new(fit, samples, check)?;
        kernels.check_rounds()?;
        let acquire = |len: usize| gpu.acquire(4 * len.max(1) as u64, Purpose::Storage);
        let buffers = Buffers {
            theta: acquire(fit.parameters())?,
            values: acquire(kernels.network.len)?,
            bars: acquire(kernels.network.len)?,
            thetabar: acquire(kernels.network.parts.count * fit.parameters())?,
            paths: acquire(layout.len)?,
            counts: acquire(FIRST_WORDS + layout.table.len())?,
        };
        for (place, numbers) in &kernels.network.constants {
            gpu.write(&buffers.values, *place, numbers)?;
        }
        for (place, numbers) in &layout.constants {
            gpu.write(&buffers.paths, *place, numbers)?;
        }
        gpu.write(&buffers.counts, FIRST_WORDS, &layout.table)?;
        let library = Library::new(
            NumberFormat::Single,
            gpu.shader_capabilities(NumberFormat::Single)?,
            Rounding::Free,
        );
        let kernel = |step: &Step, of_paths: bool| -> Result<Kernel, GpuError> {
            Ok(Kernel { dispatch: Dispatch::new(gpu, &library, step, false)?, of_paths })
        };
        let network = &kernels.network;
        let mut forward = vec![kernel(&kernels.begin_forward, true)?];
        let mut backward = vec![kernel(&kernels.begin_backward, true)?];
        for step in &network.forward {
            forward.push(kernel(step, false)?);
            backward.push(kernel(step, false)?);
        }
        forward.push(kernel(&kernels.update, true)?);
        backward.push(kernel(&kernels.adjoint, true)?);
        for step in network.backward.iter().rev() {
            backward.push(kernel(step, false)?);
        }
        let own = |steps: &mut dyn Iterator<Item = &Step>| {
            steps.map(|step| kernel(step, true)).collect::<Result<Vec<_>, GpuError>>()
        };
        let losses = own(&mut kernels.losses.iter())?;
        let loss_parameters = own(&mut kernels.loss_parameters.iter())?;
        let sum_parts = kernels.sum_parts.iter().map(|step| kernel(step, false));
        let sum_parts = sum_parts.collect::<Result<Vec<_>, GpuError>>()?;
        let (gpu, longest_span) = (gpu.clone(), u32::MAX);
        Ok(Self {
            gpu,
            layout,
            loss,
            buffers,
            forward,
            backward,
            losses,
            loss_parameters,
            sum_parts,
            longest_span,
        })
    }

    /// Uploads the parameters and clears the gradient.
    pub(super) fn start(&self, theta: &[f32]) -> Result<(), GpuError> {
        self.gpu.write(&self.buffers.theta, 0, theta)?;
        self.gpu.block_on(self.gpu.compute(&[&self.buffers.thetabar], |_| {}))
    }

    /// Writes numbers of the paths.
    pub(super) fn write(&self, place: Place, numbers: &[f32]) -> Result<(), GpuError> {
        self.gpu.write(&self.buffers.paths, place, numbers)
    }

    /// Reads numbers of the paths.
    pub(super) fn read(&self, place: Place, numbers: &mut [f32]) -> Result<(), GpuError> {
        self.gpu.block_on(self.gpu.read(&self.buffers.paths, place, numbers))
    }

    /// Adds the gradients of the parts, and reads their sum.
    pub(super) fn gradient(&self, thetabar: &mut [f32]) -> Result<(), GpuError> {
        self.run(|pass, tile| tile.record(pass, &tile.sum_parts))?;
        self.gpu.block_on(self.gpu.read(&self.buffers.thetabar, 0, thetabar))
    }

    /// Solves all paths from their initial values.
    pub(super) fn solve(&self, addresses: Addresses) -> Result<(), GpuError> {
        let halves = |word: u64| [word as u32, (word >> 32) as u32];
        let ([seed, seed_high], [path, path_high]) =
            (halves(addresses.seed), halves(addresses.first_path));
        let words = [0, 0, seed, seed_high, path, path_high, addresses.distinct as u32, 0];
        self.gpu.write(&self.buffers.counts, 0, &words)?;
        self.steps(&self.forward)
    }

    /// Computes the losses of the paths, and their derivatives at the observed nodes.
    pub(super) fn losses(&self) -> Result<(), GpuError> {
        self.run(|pass, tile| tile.record(pass, &tile.losses))
    }

    /// Adds the gradient for the derivatives at the observed nodes, after a solve.
    pub(super) fn pull_back(&self) -> Result<(), GpuError> {
        let Some(last) = self.layout.sizes.steps().checked_sub(1) else {
            return self.run(|pass, tile| tile.record(pass, &tile.loss_parameters));
        };
        self.gpu.write(&self.buffers.counts, 0, &[last as u32])?;
        self.run(|pass, tile| tile.record(pass, &tile.loss_parameters))?;
        self.steps(&self.backward)
    }

    /// All steps, in dispatches of about equal time.
    fn steps(&self, kernels: &[Kernel]) -> Result<(), GpuError> {
        let (mut left, mut span) = (self.layout.sizes.steps() as u32, FIRST_SPAN);
        while left > 0 {
            let count = span.min(self.longest_span).min(left);
            let begin = Instant::now();
            self.run(|pass, tile| (0..count).for_each(|_| tile.record(pass, kernels)))?;
            span = next_span(count, begin.elapsed());
            left -= count;
        }
        Ok(())
    }

    fn run(&self, record: impl FnOnce(&mut ComputePass<'_>, &Self)) -> Result<(), GpuError> {
        self.gpu.block_on(self.gpu.compute(&[], |pass| record(pass, self)))
    }

    fn record(&self, pass: &mut ComputePass<'_>, kernels: &[Kernel]) {
        let Buffers { theta, values, bars, thetabar, paths, counts } = &self.buffers;
        let [theta, values, bars, thetabar, paths, counts] =
            [theta, values, bars, thetabar, paths, counts].map(PooledBuffer::buffer);
        for Kernel { dispatch: Dispatch { pipeline, words, grid, .. }, of_paths } in kernels {
            let all: [&Buffer; 7] = [theta, values, bars, thetabar, words, paths, counts];
            let buffers = if *of_paths { &all[..] } else { &all[..5] };
            self.gpu.dispatch(pass, pipeline, buffers, *grid);
        }
    }
}

impl std::fmt::Debug for PathTile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sizes = &self.layout.sizes;
        let kernels = self.forward.len() + self.backward.len();
        f.debug_struct("PathTile").field("sizes", sizes).field("kernels", &kernels).finish()
    }
}
