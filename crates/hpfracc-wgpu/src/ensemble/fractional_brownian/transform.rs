//! Transforms of coefficients into increments: sizes, shaders and tables.

use crate::device::{Pipeline, PooledBuffer};
use crate::fourier::{self, LONGEST, Layout, Order, SHORTEST, roots};
use crate::precision::Arithmetic;
use crate::{F32, Gpu, GpuError};
use rustfft::num_complex::Complex64;
use std::sync::Arc;
use wgpu::{Buffer, ComputePass, Limits};

/// Paths of a workgroup, side by side, so that it reads whole cache lines.
const ADJACENT: usize = 16;

/// Length of the fine table of quarter roots: see quarter_root.wgsl.
const FINE: usize = 1024;

const SERIES: &str = include_str!("series.wgsl");
const MATRIX: &str = include_str!("matrix.wgsl");
const QUARTER_ROOT: &str = include_str!("../../causal_convolution/quarter_root.wgsl");

/// Sizes of the transform of a number of steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TransformSize {
    steps: usize,
    /// Points of the transform.
    pub(super) points: usize,
    /// Whether it is a convolution with a chirp.
    pub(super) chirped: bool,
}

impl TransformSize {
    pub(super) fn of(steps: usize) -> Self {
        let direct = steps.is_power_of_two() && steps >= SHORTEST;
        // Half of the results are needed: increments of the second half are not.
        let lags = steps + steps.div_ceil(2) - 1;
        let points = if direct { steps } else { lags.next_power_of_two().max(SHORTEST) };
        Self { steps, points, chirped: !direct }
    }

    /// Transforms of all points, and operations of a path.
    pub(super) fn operations(self) -> usize {
        let transforms = if self.chirped { 2 } else { 1 };
        5 * transforms * self.points * self.points.trailing_zeros() as usize + 30 * self.steps
    }
}

/// A pass of a transform.
struct TransformPass {
    pipeline: Arc<Pipeline>,
    roots: Arc<PooledBuffer>,
    /// Paths of a workgroup.
    slots: usize,
    /// Transforms of each path.
    lines: usize,
}

/// Tables of a transform in several passes.
struct QuarterRoots {
    coarse: PooledBuffer,
    fine: PooledBuffer,
}

/// Transform of the coefficients of paths into their increments.
pub(super) struct StepTransform {
    size: TransformSize,
    passes: Vec<TransformPass>,
    turns: PooledBuffer,
    chirp: PooledBuffer,
    /// `None` where a series fits a workgroup.
    matrix: Option<QuarterRoots>,
}

/// Layouts and sources of the passes.
pub(crate) enum Shaders {
    OnePass(Layout, String),
    /// Along columns and along rows.
    Matrix([Layout; 2], [String; 2]),
}

impl Shaders {
    /// The shaders for a number of steps on a device with these limits; `None` where there are more than in two steps.
    pub(crate) fn new(limits: &Limits, steps: usize) -> Option<Self> {
        let longest = fourier::longest::<F32>(limits);
        let TransformSize { points, chirped, .. } = TransformSize::of(steps);
        let layout = |points: usize| {
            let slots = (LONGEST / points).clamp(1, ADJACENT).max(fourier::filling::<F32>(points));
            Layout::new::<F32>(limits, points, slots)
        };
        let form = format!(
            "const CHIRPED = {chirped};\nconst TRANSFORMS = {}u;\n",
            if chirped { 2 } else { 1 }
        );
        let source = |layout: Layout, head: &[&str], body: &str| {
            layout.shader::<F32>(Order::Interleaved, head, body)
        };
        if points <= longest {
            let layout = layout(points);
            let source = source(layout, &[&form, SERIES], include_str!("one_pass.wgsl"));
            return Some(Self::OnePass(layout, source));
        }
        // Short transforms of many paths side by side.
        let rows = 1 << (points.trailing_zeros() / 2);
        let columns = points / rows;
        if columns > longest {
            return None;
        }
        let sizes = format!("const ROWS = {rows}u;\nconst COLUMNS = {columns}u;\n");
        let head = [&*form, &*sizes, SERIES, MATRIX, QUARTER_ROOT];
        let layouts = [rows, columns].map(layout);
        let sources = [
            source(layouts[0], &head, include_str!("columns.wgsl")),
            source(layouts[1], &head, include_str!("rows.wgsl")),
        ];
        Some(Self::Matrix(layouts, sources))
    }
}

impl StepTransform {
    pub(super) fn new(gpu: &Gpu, steps: usize) -> Result<Self, GpuError> {
        let size = TransformSize::of(steps);
        let too_many = || {
            let longest = fourier::longest::<F32>(gpu.limits());
            let (device, available) = (gpu.name().to_owned(), longest * longest / 3 * 2);
            GpuError::FractionalSteps { device, requested: steps, available }
        };
        let shaders = Shaders::new(gpu.limits(), steps).ok_or_else(too_many)?;
        let table = |values: Vec<Complex64>| gpu.upload(&roots::narrowed::<F32>(values));
        let transform_roots = |points: usize| table(roots::transform_roots(points)).map(Arc::new);
        let mut filter_order = None;
        let (passes, matrix) = match shaders {
            Shaders::OnePass(layout, source) => {
                let pass = TransformPass {
                    pipeline: gpu.pipeline(&source, "along_steps")?,
                    roots: transform_roots(layout.points)?,
                    slots: layout.slots,
                    lines: 1,
                };
                (vec![pass], None)
            }
            Shaders::Matrix([columns, rows], [column_source, row_source]) => {
                let (r, c) = (columns.points, rows.points);
                filter_order = Some((r, c));
                let [column_roots, row_roots] = [transform_roots(r)?, transform_roots(c)?];
                let pass =
                    |source: &str, entry: &str, roots: &Arc<PooledBuffer>, layout: Layout| {
                        Ok::<_, GpuError>(TransformPass {
                            pipeline: gpu.pipeline(source, entry)?,
                            roots: Arc::clone(roots),
                            slots: layout.slots,
                            lines: size.points / layout.points,
                        })
                    };
                let mut passes = vec![
                    pass(&column_source, "forward", &column_roots, columns)?,
                    pass(&row_source, "along_rows", &row_roots, rows)?,
                ];
                if size.chirped {
                    passes.push(pass(&column_source, "backward", &column_roots, columns)?);
                }
                let all = 4 * size.points;
                let coarse = roots::conjugate_roots((0..all / FINE).map(|h| (h * FINE, all)));
                let fine = roots::conjugate_roots((0..FINE).map(|l| (l, all)));
                (passes, Some(QuarterRoots { coarse: table(coarse)?, fine: table(fine)? }))
            }
        };
        let turns = table(roots::conjugate_roots((0..steps).map(|k| (k, 2 * steps))))?;
        let chirp =
            if size.chirped { chirp(size, filter_order) } else { vec![Complex64::default()] };
        Ok(Self { size, passes, turns, chirp: table(chirp)?, matrix })
    }

    /// Bytes of the scratch of a path; 0 where there is none.
    pub(super) fn scratch_bytes(&self) -> usize {
        if self.matrix.is_some() { 2 * self.size.points * F32::BYTES } else { 0 }
    }

    /// Records the passes from coefficients to increments.
    pub(super) fn record(
        &self,
        (gpu, pass): (&Gpu, &mut ComputePass<'_>),
        [coefficients, increments, scratch]: [&Buffer; 3],
        [series, paths]: [&Buffer; 2],
        count: usize,
    ) {
        for of in &self.passes {
            let [turns, chirp] = [self.turns.buffer(), self.chirp.buffer()];
            let roots = of.roots.buffer();
            let mut buffers = vec![coefficients, increments, roots, turns, chirp, series, paths];
            if let Some(QuarterRoots { coarse, fine }) = &self.matrix {
                buffers.extend([scratch, coarse.buffer(), fine.buffer()]);
            }
            let grid = [count.div_ceil(of.slots) as u32, of.lines as u32];
            gpu.dispatch(pass, &of.pipeline, &buffers, grid);
        }
    }
}

/// Chirp and filter, the latter in the order of the rows of a matrix.
fn chirp(size: TransformSize, matrix: Option<(usize, usize)>) -> Vec<Complex64> {
    let TransformSize { steps, points, .. } = size;
    let mut table = roots::chirp([steps, steps.div_ceil(2)], points);
    if let Some((r, c)) = matrix {
        let filter = table.split_off(steps);
        table.extend((0..points).map(|at| filter[at / c + r * (at % c)]));
    }
    table
}
