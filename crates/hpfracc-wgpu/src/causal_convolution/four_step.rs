//! Signals longer than one workgroup holds: columns.wgsl and rows.wgsl, three passes.

use super::right_angle;
use crate::fourier::{LONGEST, Layout, filling};
use crate::gpu::{Binding, Pipeline, Uniform};
use crate::memory::Lent;
use crate::passes::{Arrays, DeviceBytes, Passes};
use crate::scalar::ShaderScalar;
use crate::{Gpu, GpuError, roots};
use hpfracc_backend::Workload;
use std::fmt::Write as _;
use std::marker::PhantomData;
use std::sync::Arc;
use wgpu::{ComputePass, Limits};

/// The right-angle convolution with the signal as a matrix, whose columns and rows each fit a
/// workgroup.
///
/// Source: D. H. Bailey, J. Supercomput. 4 (1990) 23, doi:10.1007/BF00162341; without the last of
/// the four steps, the transposition, since the spectrum may stand in any order.
pub(crate) struct FourStep<T> {
    len: usize,
    columns: Layout,
    rows: Layout,
    forward: Arc<Pipeline>,
    multiply: Arc<Pipeline>,
    backward: Arc<Pipeline>,
    column_roots: Lent,
    row_roots: Lent,
    coarse: Lent,
    fine: Lent,
    scalar: PhantomData<T>,
}

/// How a signal is cut, and the shaders along its columns and its rows.
pub(crate) struct Shaders {
    columns: Layout,
    rows: Layout,
    pub(crate) sources: [String; 2],
}

/// The quarter roots exp(-2 pi i j / (4 M)) are products of one root each from two tables.
const FINE: usize = 1024;

/// Columns that a workgroup transforms side by side, so that it reads whole cache lines.
const ADJACENT: usize = 16;

const COLUMN_BINDINGS: [Binding; 7] = [
    Binding::Read,
    Binding::Write,
    Binding::Write,
    Binding::Read,
    Binding::Read,
    Binding::Read,
    Binding::Uniform,
];

const ROW_BINDINGS: [Binding; 6] =
    [Binding::Write, Binding::Read, Binding::Read, Binding::Read, Binding::Read, Binding::Uniform];

impl<T: ShaderScalar> FourStep<T> {
    /// Signals of `len` samples, more than `longest` and at most its square.
    pub(crate) fn new(gpu: &Gpu, len: usize, longest: usize) -> Result<Self, GpuError> {
        let Shaders { columns, rows, sources: [column_source, row_source] } =
            Self::shaders(&gpu.inner.limits, len, longest);
        let points = columns.points * rows.points;
        let coarse = (0..4 * points / FINE).map(|h| (h * FINE, 4 * points));
        let fine = (0..FINE).map(|l| (l, 4 * points));
        Ok(Self {
            len,
            columns,
            rows,
            forward: gpu.pipeline(&column_source, "forward", &COLUMN_BINDINGS)?,
            multiply: gpu.pipeline(&row_source, "multiply", &ROW_BINDINGS)?,
            backward: gpu.pipeline(&column_source, "backward", &COLUMN_BINDINGS)?,
            column_roots: gpu.upload(&roots::pairs::<T>(roots::backward(columns.points)))?,
            row_roots: gpu.upload(&roots::pairs::<T>(roots::backward(rows.points)))?,
            coarse: gpu.upload(&roots::pairs::<T>(roots::conjugates(coarse)))?,
            fine: gpu.upload(&roots::pairs::<T>(roots::conjugates(fine)))?,
            scalar: PhantomData,
        })
    }

    /// How such signals are cut on a device with these limits, and the shaders.
    pub(crate) fn shaders(limits: &Limits, len: usize, longest: usize) -> Shaders {
        let points = len.next_power_of_two();
        // Short columns leave room for many side by side; rows grow first.
        let column = (points / longest).max(64);
        let row = points / column;
        let columns = Layout::new::<T>(limits, column, (LONGEST / column).clamp(1, ADJACENT));
        let rows = Layout::new::<T>(limits, row, filling::<T>(row).min(column));
        let sources = [column_source::<T>(columns, row), row_source::<T>(rows, column)];
        Shaders { columns, rows, sources }
    }

    fn points(&self) -> usize {
        self.columns.points * self.rows.points
    }
}

impl<T: ShaderScalar> Passes for FourStep<T> {
    fn bytes(&self) -> DeviceBytes {
        let array = 2 * self.points() * size_of::<T>();
        let entries = self.columns.points + self.rows.points + 4 * self.points() / FINE + FINE;
        DeviceBytes { tables: 2 * entries * size_of::<T>(), spectrum: array, work: array }
    }

    /// In the order of rows.wgsl.
    fn spectrum(&self, workload: Workload, kernel: &[f64]) -> Vec<f64> {
        let values = right_angle::spectrum(workload, kernel, self.points());
        let (r, c) = (self.columns.points, self.rows.points);
        let place = |at: usize| values[at / c + r * (at % c)];
        roots::pairs((0..r * c).map(place))
    }

    fn sizes(&self, gpu: &Gpu, signals: usize, transposed: bool) -> Vec<Uniform> {
        vec![Uniform::new(gpu, [self.len, signals, transposed.into(), 0])]
    }

    fn record(
        &self,
        gpu: &Gpu,
        pass: &mut ComputePass<'_>,
        arrays: &Arrays<'_>,
        sizes: &[Uniform],
        signals: usize,
    ) {
        let (coarse, fine, sizes) = (self.coarse.buffer(), self.fine.buffer(), sizes[0].buffer());
        let column = [
            arrays.input,
            arrays.output,
            arrays.work,
            self.column_roots.buffer(),
            coarse,
            fine,
            sizes,
        ];
        let row = [arrays.work, arrays.spectrum, self.row_roots.buffer(), coarse, fine, sizes];
        let column_groups = (self.rows.points / self.columns.slots) as u32;
        let row_groups = (self.columns.points / self.rows.slots) as u32;
        let signals = signals as u32;
        gpu.dispatch(pass, &self.forward, &column, [column_groups, signals]);
        gpu.dispatch(pass, &self.multiply, &row, [row_groups, signals]);
        gpu.dispatch(pass, &self.backward, &column, [column_groups, signals]);
    }
}

fn column_source<T: ShaderScalar>(layout: Layout, row: usize) -> String {
    let points = layout.points * row;
    let (mut load, mut keep) = (String::new(), String::new());
    let (mut take, mut store) = (String::new(), String::new());
    for j in 0..layout.held {
        let at = format!("(t + {}u)", j * layout.threads());
        let place = format!("row * {points}u + {at} * {row}u + column");
        let _ = writeln!(load, "    var v{j} = load(row, {at} * {row}u + column);");
        let _ =
            writeln!(keep, "    work[{place}] = product(v{j}, quarter_root(4u * {at} * column));");
        let _ = writeln!(take, "    var v{j} = work[{place}];");
        let _ = writeln!(store, "    store(row, {at} * {row}u + column, v{j});");
    }
    let body = include_str!("columns.wgsl")
        .replace("//{load}", &load)
        .replace("//{transform}", &layout.transform(T::literal))
        .replace("//{keep}", &keep)
        .replace("//{take}", &take)
        .replace("//{store}", &store);
    [layout.prelude::<T>().as_str(), include_str!("shape.wgsl"), &body].concat()
}

fn row_source<T: ShaderScalar>(layout: Layout, column: usize) -> String {
    let row = layout.points;
    let (mut load, mut multiply, mut store) = (String::new(), String::new(), String::new());
    for j in 0..layout.held {
        let at = format!("(t + {}u)", j * layout.threads());
        let _ = writeln!(load, "    var v{j} = work[start + {at}];");
        let _ = writeln!(
            multiply,
            "    v{j} = conjugate(product(v{j}, spectrum[k1 * {row}u + {at}]));"
        );
        let _ = writeln!(
            store,
            "    work[start + {at}] = product(v{j}, quarter_root(4u * {at} * k1));"
        );
    }
    let constants = format!("const COLUMNS = {row}u;\nconst POINTS = {}u;\n", row * column);
    let body = include_str!("rows.wgsl")
        .replace("//{load}", &load)
        .replace("//{transform}", &layout.transform(T::literal))
        .replace("//{multiply}", &multiply)
        .replace("//{store}", &store);
    [&layout.prelude::<T>(), &constants, include_str!("shape.wgsl"), &body].concat()
}
