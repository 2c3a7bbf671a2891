//! The dense product as a shader, with or without bias and activation: dense.wgsl.

use crate::activation::Activation;
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

/// Outputs of the narrowest tile.
const NARROWEST: usize = 64;

const BINDINGS: [Binding; 5] =
    [Binding::Read, Binding::Write, Binding::Read, Binding::Uniform, Binding::Read];

/// A compiled product and how it is cut; see dense.wgsl.
///
/// No device was at hand to measure on. With 8 signals times 8 outputs an f32 invocation holds 64
/// sums and 16 factors, about 100 registers, so that five workgroups of 128 share a multiprocessor;
/// an f64 invocation holds 4 times 8 for the same. A step of k costs 4 reads of workgroup memory,
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

    fn source<T: ShaderScalar>(self, activation: Option<Activation>) -> String {
        let constants = format!(
            "const HELD = {}u;\nconst TM = {}u;\nconst TN = {}u;\n",
            self.held, self.tm, self.tn
        );
        let finish = activation.map_or(PLAIN.to_owned(), Activation::source);
        let body = include_str!("dense.wgsl")
            .replace("//{clear}", &self.clear())
            .replace("//{carry}", &self.carry())
            .replace("//{steps}", &self.steps())
            .replace("//{store}", &self.store());
        [T::ARITHMETIC, &T::sums(true), &constants, &finish, &body].concat()
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
                     first_output + 4u * (tn + {q}u * TN), total{m}_{q});",
                    m / 4,
                    m % 4
                );
            }
        }
        code
    }
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
    pub(crate) fn new(
        gpu: &Gpu,
        outputs: usize,
        batch: usize,
        activation: Option<Activation>,
    ) -> Result<Self, GpuError> {
        let tile = Tile::new::<T>(outputs, batch);
        let bindings = if activation.is_some() { &BINDINGS[..] } else { &BINDINGS[..4] };
        let pipeline = gpu.pipeline(&tile.source::<T>(activation), "multiply", bindings)?;
        Ok(Self { tile, pipeline, scalar: PhantomData })
    }

    /// Signals of length `inner` to results of length `outputs`.
    pub(crate) fn run(
        &self,
        gpu: &Gpu,
        factors: &Factors<'_>,
        (from, inner): (&[T::Host], usize),
        (to, outputs): (&mut [T::Host], usize),
    ) -> Result<(), GpuError> {
        let rows = gpu.rows_at_once(inner.max(outputs) * size_of::<T>(), from.len() / inner);
        for (from, to) in from.chunks(rows * inner).zip(to.chunks_mut(rows * outputs)) {
            let signals = from.len() / inner;
            let sizes = Uniform::new(gpu, [signals, inner, outputs, factors.transposed.into()]);
            let grid =
                [outputs.div_ceil(self.tile.outputs()), signals.div_ceil(self.tile.signals())];
            T::call(gpu, factors.weights.exponent(), signals, from, to, |encoder, chunk| {
                let weights = factors.weights.buffer();
                let mut buffers = vec![chunk.input, chunk.output, weights, sizes.buffer()];
                buffers.extend(factors.bias);
                gpu.dispatch(encoder, &self.pipeline, &buffers, grid.map(|n| n as u32));
                Ok(())
            })?;
        }
        Ok(())
    }
}
