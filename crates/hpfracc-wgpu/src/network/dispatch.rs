//! Compiled steps.

use super::step::Step;
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

impl Dispatch {
    pub(super) fn new(gpu: &Gpu, library: &Library, step: &Step) -> Result<Self, GpuError> {
        let source = library.needed_by(&step.source) + &step.source;
        let pipeline = gpu.pipeline(&source, step.entry)?;
        let words = gpu.uniform_words(&step.words)?;
        Ok(Self { pipeline, words, grid: step.grid, draws: step.draws })
    }
}
