//! Compiled steps.

use super::step::Step;
use super::storage::kernel_in_halves;
use crate::device::Pipeline;
use crate::{Gpu, GpuError};
use hpfracc_equation::wgsl::Library;
use std::sync::Arc;
use wgpu::Buffer;

/// A compiled step.
pub(super) struct Dispatch {
    pub(super) pipeline: Arc<Pipeline>,
    pub(super) words: Buffer,
    pub(super) grid: [u32; 2],
    /// Whether it draws random numbers.
    pub(super) draws: bool,
}

/// Source of a step with the functions that it calls.
pub(super) fn source(library: &Library, step: &Step, in_halves: bool) -> String {
    let functions = library.needed_by(&step.source);
    match in_halves {
        true => kernel_in_halves(&step.source) + "\n\n" + &functions,
        false => functions + &step.source,
    }
}

impl Dispatch {
    /// Compiles a step, whose values may be stored in half precision.
    pub(super) fn new(
        gpu: &Gpu,
        library: &Library,
        step: &Step,
        in_halves: bool,
    ) -> Result<Self, GpuError> {
        let source = source(library, step, in_halves);
        let pipeline = gpu.pipeline(&source, step.entry)?;
        let words = gpu.uniform_words(&step.words)?;
        Ok(Self { pipeline, words, grid: step.grid, draws: step.draws })
    }
}
