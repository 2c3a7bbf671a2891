//! Increments of fractional Brownian motion, which depend on all steps of a path: they are made by transforms before
//! its first step, and the steps read them from a buffer.
//!
//! The coefficients have the bits of `hpfracc-sde` where operations are guarded; transforms are in single precision, so
//! that increments agree to rounding.

mod transform;

use super::span::{FIRST_SPAN, next_span};
use super::{PathEquation, PathFractional, PathGrid};
use crate::device::{Pipeline, PooledBuffer, Purpose};
use crate::{Gpu, GpuError};
use hpfracc_equation::wgsl::{Capabilities, Library, NumberFormat, Rounding};
use std::sync::Arc;
#[cfg(test)]
pub(crate) use transform::Shaders;
use transform::{StepTransform, TransformSize};
use web_time::Instant;

/// Bytes of a coefficient.
const COEFFICIENT: usize = 2 * size_of::<f32>();

/// Most workgroups of a dimension of a grid on any device.
const MOST_GROUPS: usize = 65_535;

/// Paths of a workgroup that draws coefficients.
const WIDTH: usize = 64;

/// Share of the paths of a part whose coefficients are in memory at a time.
const CHUNKS: usize = 8;

impl PathEquation {
    /// Bytes of the increments of fractional Brownian motion of a path on a device.
    pub fn increment_bytes_per_path(&self) -> usize {
        let of_noise = |noise: &PathFractional| noise.steps() * size_of::<f32>();
        self.fractional.iter().map(of_noise).sum()
    }

    /// Bytes of device memory that a path takes while it is solved: states, what is uploaded and what is read, and
    /// increments with the coefficients that they are made from, in buffers of the next power of two, with numbers of
    /// this number of bytes.
    pub fn device_bytes_per_path(&self, bytes: usize) -> usize {
        8 * bytes * self.numbers_per_path() + 4 * self.increment_bytes_per_path()
    }

    /// Operations of the transforms of fractional Brownian motion for all steps of a path on a device.
    pub fn transform_operations(&self) -> usize {
        let of_noise = |noise: &PathFractional| TransformSize::of(noise.steps()).operations();
        self.fractional.iter().map(of_noise).sum()
    }
}

impl PathFractional {
    /// Number of steps.
    pub fn steps(&self) -> usize {
        self.standard_deviations.len().saturating_sub(1)
    }
}

/// Source of the shader that draws coefficients.
pub(crate) fn draw_source(device: Capabilities, rounding: Rounding) -> String {
    let own = include_str!("draw.wgsl");
    Library::new(NumberFormat::Single, device, rounding).needed_by(own) + own
}

/// Declaration of the increments at this binding, and a function `fractional0`, ... of a step and a path for each noise;
/// empty without such noises.
pub(super) fn functions(equation: &PathEquation, binding: usize) -> String {
    let noises = equation.fractional.len();
    if noises == 0 {
        return String::new();
    }
    let function = |j: usize| {
        format!(
            "fn fractional{j}(step: u32, lane: u32) -> f32 {{\n    \
             return fractional[({noises}u * step + {j}u) * sizes.paths + lane];\n}}\n\n"
        )
    };
    format!("@group(0) @binding({binding}) var<storage, read> fractional: array<f32>;\n\n")
        + &(0..noises).map(function).collect::<String>()
}

/// Maker of the increments of fractional Brownian motion of an equation.
pub(super) struct FractionalIncrements {
    gpu: Gpu,
    steps: usize,
    /// Stream and standard deviations of each noise.
    noises: Vec<(u32, PooledBuffer)>,
    draw: Arc<Pipeline>,
    transform: StepTransform,
}

impl FractionalIncrements {
    /// Of an equation; `None` without fractional Brownian motion.
    pub(super) fn new(
        gpu: &Gpu,
        equation: &PathEquation,
        rounding: Rounding,
    ) -> Result<Option<Self>, GpuError> {
        let Some(first) = equation.fractional.first() else { return Ok(None) };
        let steps = first.steps();
        let mut noises = Vec::new();
        for noise in &equation.fractional {
            if noise.steps() != steps || steps == 0 {
                return Err(too_few(gpu, noise.steps().max(1), steps));
            }
            noises.push((noise.stream, gpu.upload(&noise.standard_deviations)?));
        }
        let draw = gpu.pipeline(
            &draw_source(gpu.shader_capabilities(NumberFormat::Single)?, rounding),
            "draw",
        )?;
        let transform = StepTransform::new(gpu, steps)?;
        Ok(Some(Self { gpu: gpu.clone(), steps, noises, draw, transform }))
    }

    /// Refuses nodes beyond the steps.
    pub(super) fn check_last(&self, node: u32) -> Result<(), GpuError> {
        let node = node as usize;
        if node <= self.steps { Ok(()) } else { Err(too_few(&self.gpu, node, self.steps)) }
    }

    /// The increments of paths of an ensemble, from `first` on: a row of one number for each path, for each noise of each
    /// step. `pause` is called between dispatches.
    pub(super) async fn of_paths<E: From<GpuError>>(
        &self,
        grid: &PathGrid,
        (first, lanes): (usize, usize),
        mut pause: impl FnMut() -> Result<(), E>,
    ) -> Result<PooledBuffer, E> {
        let storage = |bytes: usize| self.gpu.acquire(bytes as u64, Purpose::Storage);
        let increments = storage(self.noises.len() * self.steps * lanes * size_of::<f32>())?;
        let most = self.paths_at_once(lanes);
        let coefficients = storage((self.steps + 1) * most * COEFFICIENT)?;
        let scratch = storage(self.transform.scratch_bytes() * most)?;
        let buffers = [&coefficients, &increments, &scratch];
        let (mut done, mut count) = (0, FIRST_SPAN as usize);
        while done < lanes {
            let paths = count.min(most).min(lanes - done);
            let begin = Instant::now();
            self.record(grid, (first, lanes), (done, paths), buffers).await?;
            count = next_span(paths as u32, begin.elapsed()) as usize;
            count -= if count > WIDTH { count % WIDTH } else { 0 };
            done += paths;
            pause()?;
        }
        Ok(increments)
    }

    /// Paths whose coefficients are in memory at a time.
    fn paths_at_once(&self, lanes: usize) -> usize {
        let per_path = ((self.steps + 1) * COEFFICIENT).max(self.transform.scratch_bytes());
        let binding = self.gpu.limits().max_storage_buffer_binding_size as usize;
        lanes.div_ceil(CHUNKS).min(binding / per_path).max(1)
    }

    /// Makes the increments of `paths` paths of a part, from its path `begin` on.
    async fn record(
        &self,
        grid: &PathGrid,
        (first, lanes): (usize, usize),
        (begin, paths): (usize, usize),
        buffers: [&PooledBuffer; 3],
    ) -> Result<(), GpuError> {
        let gpu = &self.gpu;
        let halves = |word: u64| [(word & 0xffff_ffff) as usize, (word >> 32) as usize];
        let [seed_low, seed_high] = halves(grid.seed);
        let [low, high] = halves(grid.first_path.wrapping_add((first + begin) as u64));
        let of_draw = gpu.uniform([paths, low, high, 0]);
        let of_transform = gpu.uniform([paths, begin, lanes, 0]);
        let buffers = buffers.map(PooledBuffer::buffer);
        let blocks = (self.steps / 2 + 1).min(MOST_GROUPS);
        let computed = gpu.compute(&[], |pass| {
            for (j, (stream, standard_deviations)) in self.noises.iter().enumerate() {
                let series = gpu.uniform([self.steps, *stream as usize, seed_low, seed_high]);
                let drawn = [standard_deviations.buffer(), buffers[0], &series, &of_draw];
                let groups = [paths.div_ceil(WIDTH) as u32, blocks as u32];
                gpu.dispatch(pass, &self.draw, &drawn, groups);
                let series = gpu.uniform([self.steps, self.noises.len(), j, 0]);
                let uniforms = [&series, &of_transform];
                self.transform.record((gpu, &mut *pass), buffers, uniforms, paths);
            }
        });
        computed.await
    }
}

fn too_few(gpu: &Gpu, requested: usize, available: usize) -> GpuError {
    GpuError::FractionalSteps { device: gpu.name().to_owned(), requested, available }
}
