use super::blocks::Blocks;
use super::buckets::Window;
use super::request::{PathSummary, SummaryRequest};
use super::shader::{BLOCK, BlockWords, WIDTH, sources};
use crate::device::{Pipeline, PooledBuffer, Purpose};
use crate::{Gpu, GpuError};
use hpfracc_equation::wgsl::{NumberFormat, Rounding, ShaderFunction};
use std::sync::Arc;

/// Reduction of the states of paths to the requested statistics.
pub(crate) struct Reduction {
    gpu: Gpu,
    request: SummaryRequest,
    parameters: Vec<f64>,
    dim: usize,
    blocks: Arc<Pipeline>,
    buckets: Arc<Pipeline>,
}

impl SummaryRequest {
    /// Places of the words of a block.
    pub(super) fn words(&self, dim: usize) -> BlockWords {
        BlockWords {
            observables: self.observables(dim),
            moments: self.moments,
            order: self.digits.is_some(),
        }
    }
}

/// States of paths at a node.
pub(crate) struct NodeStates<'a> {
    pub(crate) states: &'a PooledBuffer,
    /// First path, counted from that of the ensemble.
    pub(crate) path: usize,
    pub(crate) paths: usize,
    pub(crate) t: f64,
}

impl Reduction {
    pub(crate) fn new(
        gpu: &Gpu,
        request: SummaryRequest,
        (dim, parameters): (usize, &[f64]),
        rounding: Rounding,
    ) -> Result<Self, GpuError> {
        let [blocks, buckets] =
            sources(&request, dim, (gpu.shader_capabilities(NumberFormat::Single)?, rounding));
        Ok(Self {
            blocks: gpu.pipeline(&blocks, "reduce_block")?,
            buckets: gpu.pipeline(&buckets, "count_numbers")?,
            gpu: gpu.clone(),
            parameters: parameters.to_vec(),
            request,
            dim,
        })
    }

    /// Statistics of paths at a node. `None` where the states themselves are needed: a number is not finite, a sum
    /// overflows, or the states are smaller than the counts.
    pub(crate) async fn summary(
        &self,
        of: &NodeStates<'_>,
    ) -> Result<Option<PathSummary>, GpuError> {
        let words = self.request.words(self.dim);
        let first_paths = self.request.first_paths.saturating_sub(of.path).min(of.paths);
        let blocks = of.paths.div_ceil(BLOCK);
        let mut values = vec![0u32; blocks * words.count() + self.dim * first_paths];
        let results = self.gpu.acquire(size_of_val(&values[..]) as u64, Purpose::Storage)?;
        let uniforms = self.uniforms(of.t)?;
        let sizes = self.gpu.uniform([of.paths, 0, first_paths, words.count()]);
        let computed = self.gpu.compute(&[], |pass| {
            let [steady, timed] = &uniforms;
            let buffers = [of.states, steady, timed, &results].map(PooledBuffer::buffer);
            let [states, steady, timed, results] = buffers;
            let buffers = [states, steady, timed, results, &sizes];
            self.gpu.dispatch(pass, &self.blocks, &buffers, [blocks as u32, 1]);
        });
        computed.await?;
        self.gpu.read(&results, 0, &mut values).await?;
        let reduced = Blocks { words, values: &values, paths: of.paths };
        if let Some((count, first)) = reduced.broken() {
            let path = of.path + first;
            tracing::debug!(device = self.gpu.name(), t = of.t, count, path, "paths not finite");
            return Ok(None);
        }
        let Some(sums) = reduced.sums() else { return Ok(None) };
        let Some(counts) = self.counts(of, &reduced, &uniforms).await? else { return Ok(None) };
        let first = values[blocks * words.count()..].iter().map(|bits| f32::from_bits(*bits));
        Ok(Some(PathSummary { blocks: sums, counts, first: first.collect(), first_paths }))
    }

    /// Values without time, and at a time, of the functions of the state.
    fn uniforms(&self, t: f64) -> Result<[PooledBuffer; 2], GpuError> {
        let of = |function: &ShaderFunction| function.uniforms(&[t], &self.parameters);
        let rows = self.request.shown.as_ref().map(of).unwrap_or_default();
        let filled = |values: Vec<f64>| {
            let mut values: Vec<f32> = values.into_iter().map(|x| x as f32).collect();
            // No buffer is empty.
            values.resize(values.len().max(1), 0.0);
            self.gpu.upload(&values)
        };
        Ok([filled(rows.steady)?, filled(rows.timed)?])
    }

    /// Counts of all observables, if they are requested; `None` if they exceed the states.
    async fn counts(
        &self,
        of: &NodeStates<'_>,
        reduced: &Blocks<'_>,
        [steady, timed]: &[PooledBuffer; 2],
    ) -> Result<Option<Vec<super::NumberCounts>>, GpuError> {
        let Some(digits) = self.request.digits else { return Ok(Some(vec![])) };
        let (mut windows, mut size) = (vec![], 0);
        for observable in 0..reduced.words.observables {
            let window = Window::of(reduced.extremes(observable), digits, size);
            size = size.saturating_add(window.counts());
            windows.push(window);
        }
        if size as usize >= self.dim * of.paths {
            return Ok(None);
        }
        let gpu = &self.gpu;
        let words: Vec<u32> = windows.iter().flat_map(Window::words).collect();
        let words = gpu.upload(&words)?;
        let mut values = vec![0u32; size as usize];
        let counts = gpu.acquire(size_of_val(&values[..]) as u64, Purpose::Storage)?;
        let sizes = gpu.uniform([of.paths, 0, digits as usize, 0]);
        let to_clear = [&counts];
        let computed = gpu.compute(&to_clear, |pass| {
            let buffers = [of.states, steady, timed, &words, &counts].map(PooledBuffer::buffer);
            let [states, steady, timed, words, counts] = buffers;
            let buffers = [states, steady, timed, words, &sizes, counts];
            let groups = of.paths.div_ceil(WIDTH) as u32;
            gpu.dispatch(pass, &self.buckets, &buffers, [groups, 1]);
        });
        computed.await?;
        gpu.read(&counts, 0, &mut values).await?;
        Ok(Some(windows.iter().map(|window| window.counted(&values)).collect()))
    }
}
