//! Signals longer than a workgroup holds: columns.wgsl and rows.wgsl in three passes.

use super::{SHAPE, right_angle};
use crate::device::{Pipeline, PooledBuffer};
use crate::fourier::{LONGEST, Layout, Order, filling, roots};
use crate::plan::{BatchRecorder, DeviceBytes, Passes};
use crate::precision::Precision;
use crate::{Gpu, GpuError};
use hpfracc_backend::Workload;
use std::sync::Arc;
use wgpu::Limits;

/// The right-angle convolution of a signal as a matrix, whose columns and rows each fit a
/// workgroup.
///
/// Source: D. H. Bailey, J. Supercomput. 4 (1990) 23, doi:10.1007/BF00162341; without the last of
/// the four steps, the transposition, because the spectrum may be in any order.
pub(crate) struct FourStep {
    len: usize,
    columns: Layout,
    rows: Layout,
    forward: Arc<Pipeline>,
    multiply: Arc<Pipeline>,
    backward: Arc<Pipeline>,
    column_roots: PooledBuffer,
    row_roots: PooledBuffer,
    coarse: PooledBuffer,
    fine: PooledBuffer,
    bytes: DeviceBytes,
}

/// The shape of the matrix, and the shaders along its columns and its rows.
pub(crate) struct Shaders {
    columns: Layout,
    rows: Layout,
    pub(crate) sources: [String; 2],
}

/// Length of the fine table: a quarter root exp(-2 pi i j / (4 M)) is the product of one root from
/// each of two tables.
const FINE: usize = 1024;

/// Products of the two tables.
const QUARTER_ROOT: &str = include_str!("quarter_root.wgsl");

/// Columns of a workgroup, side by side, so that it reads whole cache lines.
const ADJACENT: usize = 16;

impl FourStep {
    /// Signals of `len` samples, more than `longest` and at most its square.
    pub(crate) fn new<P: Precision>(
        gpu: &Gpu,
        len: usize,
        longest: usize,
    ) -> Result<Self, GpuError> {
        let Shaders { columns, rows, sources: [column_source, row_source] } =
            Self::shaders::<P>(gpu.limits(), len, longest);
        let points = columns.points * rows.points;
        let coarse = (0..4 * points / FINE).map(|h| (h * FINE, 4 * points));
        let fine = (0..FINE).map(|l| (l, 4 * points));
        let table = |values| gpu.upload(&roots::narrowed::<P>(values));
        let entries = columns.points + rows.points + 4 * points / FINE + FINE;
        let array = 2 * points * P::BYTES;
        Ok(Self {
            len,
            columns,
            rows,
            forward: gpu.pipeline(&column_source, "forward")?,
            multiply: gpu.pipeline(&row_source, "multiply")?,
            backward: gpu.pipeline(&column_source, "backward")?,
            column_roots: table(roots::transform_roots(columns.points))?,
            row_roots: table(roots::transform_roots(rows.points))?,
            coarse: table(roots::conjugate_roots(coarse))?,
            fine: table(roots::conjugate_roots(fine))?,
            bytes: DeviceBytes { tables: 2 * entries * P::BYTES, kernel: array, scratch: array },
        })
    }

    /// The matrix of such signals on a device with these limits, and the shaders.
    pub(crate) fn shaders<P: Precision>(limits: &Limits, len: usize, longest: usize) -> Shaders {
        let points = len.next_power_of_two();
        // Short columns leave room for many side by side; rows grow first.
        let column = (points / longest).max(64);
        let row = points / column;
        let columns = Layout::new::<P>(limits, column, (LONGEST / column).clamp(1, ADJACENT));
        let rows = Layout::new::<P>(limits, row, filling::<P>(row).min(column));
        let sizes = format!("const COLUMNS = {row}u;\nconst POINTS = {points}u;\n");
        let head = [&*sizes, SHAPE, QUARTER_ROOT];
        let sources = [
            columns.shader::<P>(Order::Interleaved, &head, include_str!("columns.wgsl")),
            rows.shader::<P>(Order::Contiguous, &head, include_str!("rows.wgsl")),
        ];
        Shaders { columns, rows, sources }
    }
}

impl Passes for FourStep {
    fn bytes(&self, _: usize) -> DeviceBytes {
        self.bytes
    }

    /// In the order of rows.wgsl.
    fn device_kernel(&self, workload: Workload, kernel: Vec<f64>) -> Vec<f64> {
        let (r, c) = (self.columns.points, self.rows.points);
        let spectrum = right_angle::spectrum(workload, &kernel, r * c);
        roots::interleaved((0..r * c).map(|at| spectrum[at / c + r * (at % c)]))
    }

    fn record(&self, batch: &mut BatchRecorder<'_, '_>) {
        let shape = &batch.uniform([self.len, batch.signals, batch.transposed.into(), 0]);
        let (coarse, fine, scratch) = (self.coarse.buffer(), self.fine.buffer(), batch.scratch);
        let [column_roots, row_roots] = [self.column_roots.buffer(), self.row_roots.buffer()];
        let column = [batch.input, batch.output, scratch, column_roots, coarse, fine, shape];
        let row = [scratch, batch.kernel, row_roots, coarse, fine, shape];
        let column_grid = [(self.rows.points / self.columns.slots) as u32, batch.signals as u32];
        let row_grid = [(self.columns.points / self.rows.slots) as u32, batch.signals as u32];
        batch.dispatch(&self.forward, &column, column_grid);
        batch.dispatch(&self.multiply, &row, row_grid);
        batch.dispatch(&self.backward, &column, column_grid);
    }
}
