//! The dense product as a shader: product.wgsl.

use crate::device::Pipeline;
use crate::plan::BatchRecorder;
use crate::precision::Precision;
use crate::{Gpu, GpuError};
use std::fmt::Write as _;
use std::sync::Arc;

/// Largest batch of the narrow tile.
const FEW: usize = 16;

/// Entries of a signal in one dispatch.
const SPAN: usize = 16384;

/// Outputs of the narrowest tile.
pub(super) const NARROWEST: usize = 64;

/// A compiled product and its tile; see product.wgsl.
///
/// Chosen by register pressure, without measurements on hardware. With 8 signals times 8 outputs an
/// f32 invocation holds 64 sums, 64 totals and 16 factors, about 170 registers, so that three
/// workgroups of 128 share a multiprocessor (five where the compiler spills the totals to memory);
/// an invocation of eight-byte scalars holds 4 times 8 for the same. A step of k takes 4 reads of
/// workgroup memory, those of signals shared by TN neighbours, for 64 multiply-adds.
pub(super) struct Product {
    tile: Tile,
    pipeline: Arc<Pipeline>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Tile {
    /// Quads of signals of an invocation.
    held: usize,
    /// Invocations along the signals.
    tm: usize,
    /// Invocations along the outputs.
    tn: usize,
}

impl Tile {
    fn new<P: Precision>(outputs: usize, batch: usize) -> Self {
        let held = 8 / P::BYTES;
        match (outputs, batch) {
            // The matrix is read once, by all invocations together.
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

    /// Steps of k between two barriers, within 16 KiB of workgroup memory, which every device has.
    fn depth<P: Precision>(self) -> usize {
        let quads = self.held * self.tm + 1 + 2 * self.tn + 1;
        let fits = |&depth: &usize| depth * quads * 4 * P::BYTES <= 16 << 10;
        [16, 8].into_iter().find(fits).unwrap_or(4)
    }

    fn source<P: Precision>(self) -> String {
        let constants = format!(
            "const HELD = {}u;\nconst TM = {}u;\nconst TN = {}u;\nconst TILE = {}u;\n\
             const SPAN = {SPAN}u;\n",
            self.held,
            self.tm,
            self.tn,
            self.depth::<P>()
        );
        let body = include_str!("product.wgsl")
            .replace("//{clear}", &self.clear())
            .replace("//{carry}", &self.carry())
            .replace("//{steps}", &self.steps())
            .replace("//{store}", &self.store());
        [P::WGSL, &P::sums(true), &constants, &body].concat()
    }

    /// Code for each sum of an invocation: a signal and a quad of outputs.
    fn each(self, code: impl Fn(usize, usize) -> String) -> String {
        let sums = (0..4 * self.held).flat_map(|m| [(m, 0), (m, 1)]);
        sums.map(|(m, q)| code(m, q)).collect()
    }

    fn clear(self) -> String {
        self.each(|m, q| format!("var sum{m}_{q} = value(); var total{m}_{q} = value();\n"))
    }

    fn carry(self) -> String {
        self.each(|m, q| format!("carry(&total{m}_{q}, &sum{m}_{q});\n"))
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
            code += &self.each(|m, q| {
                let (p, part) = (m / 4, ["x", "y", "z", "w"][m % 4]);
                format!("sum{m}_{q} = multiply_add(x{k}_{p}.{part}, w{k}_{q}, sum{m}_{q});\n")
            });
        }
        code
    }

    fn store(self) -> String {
        self.each(|m, q| {
            format!(
                "store(first_signal + 4u * (tm + {}u * TM) + {}u, \
                 first_output + 4u * (tn + {q}u * TN), first, total{m}_{q});\n",
                m / 4,
                m % 4
            )
        })
    }
}

/// The shader of a product of `batch` signals.
pub(crate) fn source<P: Precision>(outputs: usize, batch: usize) -> String {
    Tile::new::<P>(outputs, batch).source::<P>()
}

impl Product {
    /// The product of `batch` signals.
    pub(super) fn new<P: Precision>(
        gpu: &Gpu,
        outputs: usize,
        batch: usize,
    ) -> Result<Self, GpuError> {
        let tile = Tile::new::<P>(outputs, batch);
        let source = source::<P>(outputs, batch);
        Ok(Self { tile, pipeline: gpu.pipeline(&source, "multiply")? })
    }

    /// Records the product of signals of length `inner` with results of length `outputs`: one
    /// dispatch for each span of the inner dimension.
    pub(super) fn record(&self, batch: &mut BatchRecorder<'_, '_>, inner: usize, outputs: usize) {
        let signals = batch.signals;
        let grid = [outputs.div_ceil(self.tile.outputs()), signals.div_ceil(self.tile.signals())];
        for span in 0..inner.div_ceil(SPAN) {
            let span = 2 * span + usize::from(batch.transposed);
            let sizes = batch.uniform([signals, inner, outputs, span]);
            let buffers = [batch.input, batch.output, batch.kernel, &sizes];
            batch.dispatch(&self.pipeline, &buffers, grid.map(|n| n as u32));
        }
    }
}
