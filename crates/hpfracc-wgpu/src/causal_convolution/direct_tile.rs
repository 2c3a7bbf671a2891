//! The tiles of the direct convolution: the generated parts of direct.wgsl.

use crate::device::Pipeline;
use crate::precision::Precision;
use crate::{Gpu, GpuError};
use std::fmt::Write as _;
use std::sync::Arc;

/// Outputs of a workgroup: 16 invocations times 8.
pub(super) const OUTPUTS: usize = 128;

/// Samples of a row of blocks between two barriers.
const ROW: usize = 32;

/// Rows of invocations of a workgroup: lanes times slices.
const ROWS: usize = 8;

/// Tiles of samples in one partial sum: 128 samples of a slice, so that the rounding error of equal
/// terms, all of one sign, stays below 128/3 of 2^-24 of the sum.
const TILES_OF_CHUNK: usize = 4;

/// The shape of a tile; see direct.wgsl.
///
/// Chosen by register pressure, without measurements on hardware. With 8 outputs of 8 signals an
/// f32 invocation holds 64 sums, 64 totals, 16 weights and 8 samples, about 170 registers: three
/// workgroups of 128 share a multiprocessor of 65536 registers, and while one waits for its next
/// tile the others have 2048 multiply-adds each, so that no second buffer is needed. In f64 a value
/// takes two registers, and 4 signals take as many. Eight samples take 18 reads of workgroup memory
/// for 512 multiply-adds; the reads of a subgroup of 32 have two addresses for samples and 16 for
/// weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tile {
    /// Whether a value is a vector of four signals.
    vector: bool,
    /// Values of an invocation for each output.
    values: usize,
    /// Groups of invocations along the signals.
    lanes: usize,
}

impl Tile {
    /// For 8 samples a single signal takes an invocation 64 multiply-adds and 12 other
    /// instructions, a vector of four 256 and 10, full or not: up to three signals are computed one
    /// by one. Lanes pay off when they are full; for fewer signals, slices occupy more of the
    /// device.
    pub(crate) fn new<P: Precision>(batch: usize) -> Self {
        let values = 8 / P::BYTES;
        let wide = Self { vector: P::NATIVE, values, lanes: ROWS };
        let narrow = Self { vector: P::NATIVE && batch > 3, values: 1, lanes: 1 };
        if batch >= wide.signals() { wide } else { narrow }
    }

    fn width(self) -> usize {
        if self.vector { 4 } else { 1 }
    }

    /// Signals of a workgroup.
    pub(super) fn signals(self) -> usize {
        self.width() * self.values * self.lanes
    }

    pub(crate) fn pipeline<P: Precision>(self, gpu: &Gpu) -> Result<Arc<Pipeline>, GpuError> {
        gpu.pipeline(&self.source::<P>(), "convolve")
    }

    pub(crate) fn source<P: Precision>(self) -> String {
        let slices = ROWS / self.lanes;
        let (tile, values) = (ROW * slices, self.values * self.lanes);
        let stride = if values > 1 { values + 1 } else { 1 };
        // A row of results, with a gap of one vector.
        let staged_stride = (OUTPUTS + 4) / self.width();
        let constants = [
            ("OUTPUTS", OUTPUTS),
            ("SIGNALS", self.signals()),
            ("LANES", self.lanes),
            ("SLICES", slices),
            ("TILE", tile),
            ("CHUNK", TILES_OF_CHUNK * tile),
            ("VALUES", values),
            ("SAMPLE_STRIDE", stride),
            ("STAGED_STRIDE", staged_stride),
            ("SAMPLES_LEN", (tile * stride).max(ROWS * staged_stride)),
            ("WINDOW_LEN", (OUTPUTS + tile) / 4 * 9 / 8 + 1),
        ];
        let constants: String =
            constants.iter().map(|(name, value)| format!("const {name} = {value}u;\n")).collect();
        let body = include_str!("direct.wgsl")
            .replace("//{access}", if self.vector { VECTOR_ACCESS } else { SCALAR_ACCESS })
            .replace("//{clear}", &self.clear())
            .replace("//{carry}", &self.carry())
            .replace("//{block}", &self.block(false))
            .replace("//{triangle}", &self.block(true))
            .replace("//{store}", &self.store());
        [P::WGSL, &P::sums(self.vector), &constants, super::SHAPE, &body].concat()
    }

    /// Code for each sum of an invocation.
    fn each(self, code: impl Fn(usize, usize) -> String) -> String {
        (0..8)
            .flat_map(|r| (0..self.values).map(move |v| (r, v)))
            .map(|(r, v)| code(r, v))
            .collect()
    }

    fn clear(self) -> String {
        self.each(|r, v| format!("var sum{r}_{v} = value(); var total{r}_{v} = value();\n"))
    }

    fn carry(self) -> String {
        self.each(|r, v| format!("carry(&total{r}_{v}, &sum{r}_{v});\n"))
    }

    /// Adds w[n0 + r - j0 - i] x[j0 + i] to output n0 + r; on the diagonal, n0 = j0, only for i <=
    /// r.
    fn block(self, diagonal: bool) -> String {
        let mut code = String::new();
        for i in 0..8 {
            for v in 0..self.values {
                let _ = writeln!(
                    code,
                    "let x{i}_{v} = samples[x_at + {i}u * SAMPLE_STRIDE + {}u];",
                    v * self.lanes
                );
            }
            for r in if diagonal { i..8 } else { 0..8 } {
                let (half, at) = if r >= i { ("high", r - i) } else { ("low", 8 + r - i) };
                let w = format!("{half}{}.{}", at / 4, ["x", "y", "z", "w"][at % 4]);
                for v in 0..self.values {
                    let _ = writeln!(code, "sum{r}_{v} = multiply_add({w}, x{i}_{v}, sum{r}_{v});");
                }
            }
        }
        code
    }

    /// Stores one signal of each lane at a time through workgroup memory, so that consecutive
    /// invocations write consecutive results.
    fn store(self) -> String {
        let mut code = String::new();
        for v in 0..self.values {
            for component in &["x", "y", "z", "w"][..self.width()] {
                if self.vector {
                    for half in 0..2 {
                        let sums: Vec<String> = (0..4)
                            .map(|r| format!("total{}_{v}.{component}", 4 * half + r))
                            .collect();
                        let _ = writeln!(
                            code,
                            "samples[row * STAGED_STRIDE + 2u * tn + {half}u] = value({});",
                            sums.join(", ")
                        );
                    }
                } else {
                    for r in 0..8 {
                        let _ = writeln!(
                            code,
                            "samples[row * STAGED_STRIDE + 8u * tn + {r}u] = total{r}_{v};"
                        );
                    }
                }
                code.push_str("workgroupBarrier();\n");
                let signal = format!(
                    "first_signal + {}u + {}u * lane",
                    v * self.lanes * self.width() + "xyzw".find(component).unwrap_or(0),
                    self.width()
                );
                if self.lanes > 1 {
                    let signal = signal.replace("lane", "r");
                    let _ = writeln!(
                        code,
                        "for (var r = 0u; r < LANES; r++) {{ \
                         store({signal}, tile_start + t, staged(r, t)); }}"
                    );
                } else {
                    let sum = (1..ROWS).fold("staged(0u, t)".to_owned(), |sum, r| {
                        format!("add({sum}, staged({r}u, t))")
                    });
                    let _ = writeln!(code, "store({signal}, tile_start + t, {sum});");
                }
                code.push_str("workgroupBarrier();\n");
            }
        }
        code
    }
}

/// Functions that load a value from signals and read result n of a staged row.
const VECTOR_ACCESS: &str = "
fn load(first: u32, v: u32, n: u32) -> value {
    let s = first + 4u * v;
    return value(sample(s, n), sample(s + 1u, n), sample(s + 2u, n), sample(s + 3u, n));
}

fn staged(row: u32, n: u32) -> real {
    return samples[row * STAGED_STRIDE + n / 4u][n % 4u];
}
";

const SCALAR_ACCESS: &str = "
fn load(first: u32, v: u32, n: u32) -> value {
    return sample(first + v, n);
}

fn staged(row: u32, n: u32) -> real {
    return samples[row * STAGED_STRIDE + n];
}
";
