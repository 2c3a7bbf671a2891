//! The dense product as a shader, with or without bias and activation: dense.wgsl.

use crate::gpu::{Binding, Pipeline, Uniform};
use crate::scalar::{Kernel, ShaderScalar};
use crate::{Gpu, GpuError};
use hpfracc_backend::{BackendError, Workload};
use std::fmt::Write as _;
use std::marker::PhantomData;
use std::sync::Arc;
use wgpu::Buffer;

/// Refuses matrices that a binding cannot show, and more outputs than a grid of tiles holds.
pub(crate) fn check_fits<T>(name: &str, gpu: &Gpu, workload: Workload) -> Result<(), BackendError> {
    let refuse = |needed: usize, limit: usize| {
        if needed <= limit {
            return Ok(());
        }
        Err(BackendError::Memory { backend: name.to_owned(), workload, needed, limit })
    };
    let limits = &gpu.inner.limits;
    let signal = workload.signal_len().max(workload.output_len()) * size_of::<T>();
    let matrix = workload.kernel_len() * size_of::<T>();
    let grid = limits.max_compute_workgroups_per_dimension as usize * NARROWEST * size_of::<T>();
    refuse(signal.max(matrix), limits.max_storage_buffer_binding_size as usize)?;
    refuse(signal, grid)
}

/// Up to so many signals take a tile of their own.
pub(crate) const FEW: usize = 16;

/// Entries of a signal that a dispatch takes.
const SPAN: usize = 16384;

/// Outputs of the narrowest tile.
const NARROWEST: usize = 64;

const BINDINGS: [Binding; 5] =
    [Binding::Read, Binding::Write, Binding::Read, Binding::Uniform, Binding::Read];

/// A compiled product and how it is cut; see dense.wgsl.
///
/// No device was at hand to measure on. With 8 signals times 8 outputs an f32 invocation holds 64
/// sums, 64 totals and 16 factors, about 170 registers, so that three workgroups of 128 share a
/// multiprocessor (five where the compiler keeps the totals in memory); an invocation of eight-byte
/// scalars holds 4 times 8 for the same. A step of k costs 4 reads of workgroup memory,
/// those of signals shared by TN neighbours, for 64 multiply-adds.
#[derive(Clone)]
pub(crate) struct Product<T> {
    tile: Tile,
    pipeline: Arc<Pipeline>,
    scalar: PhantomData<T>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Tile {
    /// Quads of signals that an invocation holds.
    held: usize,
    /// Invocations along the signals.
    tm: usize,
    /// Invocations along the outputs.
    tn: usize,
}

impl Tile {
    fn new<T: ShaderScalar>(outputs: usize, batch: usize) -> Self {
        let held = 8 / size_of::<T>();
        match (outputs, batch) {
            // A few signals: the matrix is read once, and by all invocations.
            (_, ..=FEW) => Self { held: 1, tm: 4, tn: 32 },
            (..=64, _) => Self { held, tm: 16, tn: 8 },
            _ => Self { held, tm: 8, tn: 16 },
        }
    }

    fn signals(self) -> usize {
        4 * self.held * self.tm
    }

    fn outputs(self) -> usize {
        8 * self.tn
    }

    /// Steps of k between two barriers: as many as fit the workgroup memory of every device, 16 KiB.
    fn depth<T>(self) -> usize {
        let quads = self.held * self.tm + 1 + 2 * self.tn + 1;
        let fits = |&depth: &usize| depth * quads * 4 * size_of::<T>() <= 16 << 10;
        [16, 8].into_iter().find(fits).unwrap_or(4)
    }

    fn source<T: ShaderScalar>(self, finish: Option<&str>) -> String {
        let constants = format!(
            "const HELD = {}u;\nconst TM = {}u;\nconst TN = {}u;\nconst TILE = {}u;\n\
             const SPAN = {SPAN}u;\n",
            self.held,
            self.tm,
            self.tn,
            self.depth::<T>()
        );
        let finish = finish.unwrap_or(PLAIN);
        let body = include_str!("dense.wgsl")
            .replace("//{clear}", &self.clear())
            .replace("//{carry}", &self.carry())
            .replace("//{steps}", &self.steps())
            .replace("//{store}", &self.store());
        [T::ARITHMETIC, &T::sums(true), &constants, finish, &body].concat()
    }

    fn clear(self) -> String {
        (0..4 * self.held)
            .flat_map(|m| [(m, 0), (m, 1)])
            .map(|(m, q)| format!("var sum{m}_{q} = value(); var total{m}_{q} = value();\n"))
            .collect()
    }

    fn carry(self) -> String {
        (0..4 * self.held)
            .flat_map(|m| [(m, 0), (m, 1)])
            .map(|(m, q)| format!("carry(&total{m}_{q}, &sum{m}_{q});\n"))
            .collect()
    }

    fn steps(self) -> String {
        let mut code = String::new();
        for k in 0..4 {
            for p in 0..self.held {
                let _ = writeln!(code, "let x{k}_{p} = left[l + {k}u * LEFT_STRIDE + {p}u * TM];");
            }
            for q in 0..2 {
                let _ =
                    writeln!(code, "let w{k}_{q} = right[r + {k}u * RIGHT_STRIDE + {q}u * TN];");
            }
            for m in 0..4 * self.held {
                let x = format!("x{k}_{}.{}", m / 4, ["x", "y", "z", "w"][m % 4]);
                for q in 0..2 {
                    let _ = writeln!(code, "sum{m}_{q} = multiply_add({x}, w{k}_{q}, sum{m}_{q});");
                }
            }
        }
        code
    }

    fn store(self) -> String {
        let mut code = String::new();
        for m in 0..4 * self.held {
            for q in 0..2 {
                let _ = writeln!(
                    code,
                    "store(first_signal + 4u * (tm + {}u * TM) + {}u, \
                     first_output + 4u * (tn + {q}u * TN), first, last, total{m}_{q});",
                    m / 4,
                    m % 4
                );
            }
        }
        code
    }
}

/// The shader of a product for so many signals; `finish` is the function of that name, if the sums do
/// not stay as they are, and then a fifth buffer is bound.
pub(crate) fn source<T: ShaderScalar>(
    outputs: usize,
    batch: usize,
    finish: Option<&str>,
) -> String {
    Tile::new::<T>(outputs, batch).source::<T>(finish)
}

const PLAIN: &str = "
fn finish(sum: value, n: u32) -> value {
    return sum;
}
";

/// Where a product finds its matrix, and its bias if it has one.
pub(crate) struct Factors<'a> {
    pub(crate) weights: &'a Kernel,
    pub(crate) bias: Option<&'a Buffer>,
    pub(crate) transposed: bool,
}

impl<T: ShaderScalar> Product<T> {
    /// The product for so many signals; `finish` as for [`source`].
    pub(crate) fn new(
        gpu: &Gpu,
        outputs: usize,
        batch: usize,
        finish: Option<&str>,
    ) -> Result<Self, GpuError> {
        let tile = Tile::new::<T>(outputs, batch);
        let bindings = if finish.is_some() { &BINDINGS[..] } else { &BINDINGS[..4] };
        let pipeline = gpu.pipeline(&source::<T>(outputs, batch, finish), "multiply", bindings)?;
        Ok(Self { tile, pipeline, scalar: PhantomData })
    }

    /// Signals of length `inner` to results of length `outputs`.
    pub(crate) async fn run(
        &self,
        gpu: &Gpu,
        factors: &Factors<'_>,
        (from, inner): (&[T::Host], usize),
        (to, outputs): (&mut [T::Host], usize),
    ) -> Result<(), GpuError> {
        let rows = gpu.rows_at_once(inner.max(outputs) * size_of::<T>(), from.len() / inner);
        for (from, to) in from.chunks(rows * inner).zip(to.chunks_mut(rows * outputs)) {
            let signals = from.len() / inner;
            let sizes = |span| {
                let span = 2 * span + usize::from(factors.transposed);
                Uniform::new(gpu, [signals, inner, outputs, span])
            };
            let spans: Vec<Uniform> = (0..inner.div_ceil(SPAN)).map(sizes).collect();
            let grid =
                [outputs.div_ceil(self.tile.outputs()), signals.div_ceil(self.tile.signals())];
            let call =
                T::call(gpu, factors.weights.exponent(), signals, from, to, |pass, chunk| {
                    let weights = factors.weights.buffer();
                    for sizes in &spans {
                        let mut buffers = vec![chunk.input, chunk.output, weights, sizes.buffer()];
                        buffers.extend(factors.bias);
                        gpu.dispatch(pass, &self.pipeline, &buffers, grid.map(|n| n as u32));
                    }
                    Ok(())
                });
            call.await?;
        }
        Ok(())
    }
}
