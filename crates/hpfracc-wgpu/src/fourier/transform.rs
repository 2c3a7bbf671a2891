//! The Fourier transform inside a workgroup, generated as WGSL.
//!
//! A transform of L = 2^a points, 16 <= L <= 4096, is shared by L/H invocations, H <= 16.
//! Invocation t holds the points t + j L/H, j < H, in the variables `v0`, `v1`, .., before and
//! after. The passes are those of Stockham's algorithm, which returns the result in natural order,
//! with radix H in all passes but the first, which takes the remaining factor:
//!
//! ```text
//! butterfly i, radix r, Ns = product of the previous radices:  k = i mod Ns
//!   inputs    i + q L/r, times exp(-2 pi i q k / (r Ns))
//!   outputs   (i div Ns) r Ns + k + q Ns
//! ```
//!
//! Invocations exchange points through workgroup memory between passes; the last pass leaves its
//! outputs in registers. One gap for every sixteen addresses spreads the accesses of a subgroup
//! over the memory banks. (Passes are straight code and not loops: an array indexed by a loop
//! variable would lie in memory instead of registers.)

use crate::precision::Precision;
use std::fmt::Write as _;
use wgpu::Limits;

/// The shortest transform.
pub(crate) const SHORTEST: usize = 16;

/// The longest transform of one workgroup on any device.
pub(crate) const LONGEST: usize = 4096;

/// Invocations that short transforms, side by side, fill a workgroup with.
const FILLED: usize = 128;

/// Most invocations of a workgroup with several transforms; every device has as many.
const WIDEST: usize = 256;

/// The longest transform of one workgroup on this device: workgroup memory holds the real or the
/// imaginary parts of its points, with the gaps.
pub(crate) fn longest<P: Precision>(limits: &Limits) -> usize {
    let mut layout = Layout { points: LONGEST, held: P::HELD, slots: 1, split: true };
    while layout.points > SHORTEST && !layout.fits::<P>(limits) {
        layout.points /= 2;
    }
    layout.points
}

/// Points of the transform for a line of `len` entries of an array: the length itself if it is a
/// power of two, else the size of a convolution of two lines.
pub(crate) fn points_of_line(len: usize) -> usize {
    let direct = len.is_power_of_two() && len >= SHORTEST;
    if direct { len } else { (2 * len - 1).next_power_of_two().max(SHORTEST) }
}

/// Number of transforms side by side that fill a workgroup.
pub(crate) fn filling<P: Precision>(points: usize) -> usize {
    (FILLED * P::HELD / points).max(1)
}

/// The distribution of transforms over a workgroup.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Layout {
    /// L: points of one transform.
    pub(crate) points: usize,
    /// H: points of an invocation.
    pub(crate) held: usize,
    /// Transforms of a workgroup, side by side.
    pub(crate) slots: usize,
    /// Whether real and imaginary parts are exchanged one after the other, in half the memory.
    pub(crate) split: bool,
}

/// Order of the transforms of a workgroup in device memory.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Order {
    /// One after the other.
    Contiguous,
    /// Side by side.
    Interleaved,
}

impl Layout {
    /// Transforms of `points` points with `slots` side by side; fewer where the device allows fewer
    /// invocations, and split where the exchange memory is too small for complex numbers.
    pub(crate) fn new<P: Precision>(limits: &Limits, points: usize, slots: usize) -> Self {
        let mut layout = Self { points, held: P::HELD, slots, split: true };
        let too_wide = |l: Self| l.workgroup_size() > WIDEST || !l.fits::<P>(limits);
        while layout.slots > 1 && too_wide(layout) {
            layout.slots /= 2;
        }
        let whole = Self { split: false, ..layout };
        if whole.fits::<P>(limits) { whole } else { layout }
    }

    /// Whether the device allows this number of invocations and this much workgroup memory.
    fn fits<P: Precision>(self, limits: &Limits) -> bool {
        let scalars = if self.split { 1 } else { 2 };
        let bytes = self.shared_len() * scalars * P::BYTES;
        self.workgroup_size() <= limits.max_compute_invocations_per_workgroup as usize
            && self.workgroup_size() <= limits.max_compute_workgroup_size_x as usize
            && bytes <= limits.max_compute_workgroup_storage_size as usize
    }

    /// The grid of workgroups for a number of transforms: two dimensions, as one has at most 65535.
    pub(crate) fn grid(self, transforms: usize) -> [u32; 2] {
        let groups = transforms.div_ceil(self.slots) as u32;
        [groups.min(32768), groups.div_ceil(32768)]
    }

    /// A shader: arithmetic, constants, workgroup memory and functions of the transform, the
    /// snippets `head`, and `body` with the transform in place of `//{transform}`. A line
    /// `//{each} CODE` stands for the code of every point of an invocation: `$j` is its index among
    /// them, `$n` its index in the transform.
    pub(crate) fn shader<P: Precision>(self, order: Order, head: &[&str], body: &str) -> String {
        let element = if self.split { "real" } else { "complex" };
        let sizes = [
            ("THREADS", self.threads()),
            ("SLOTS", self.slots),
            ("PADDED", self.padded()),
            ("WORKGROUP_SIZE", self.workgroup_size()),
        ];
        let constants: String =
            sizes.iter().map(|(name, value)| format!("const {name} = {value}u;\n")).collect();
        let shared_points =
            format!("var<workgroup> shared_points: array<{element}, {}>;\n", self.shared_len());
        let address = match order {
            Order::Contiguous => "slot * PADDED + i + (i >> 4u)",
            Order::Interleaved => "(i + (i >> 4u)) * SLOTS + slot",
        };
        let functions = format!(
            "fn root(j: u32) -> complex {{ return roots[j]; }}\n\
             fn exchange_at(slot: u32, i: u32) -> u32 {{ return {address}; }}\n"
        );
        let body: String = body.lines().map(|line| self.each_point(line) + "\n").collect();
        let body = body.replace("//{transform}", &self.transform(P::literal));
        [P::WGSL, &constants, &shared_points, &functions, &head.concat(), &body].concat()
    }

    /// A line of a shader, `//{each}` expanded.
    fn each_point(self, line: &str) -> String {
        let Some(code) = line.strip_prefix("//{each} ") else { return line.to_owned() };
        let of_point = |j: usize| {
            let n = format!("(t + {}u)", j * self.threads());
            code.replace("$j", &j.to_string()).replace("$n", &n)
        };
        (0..self.held).map(of_point).collect::<Vec<_>>().join("\n")
    }

    /// Invocations that share one transform.
    pub(crate) fn threads(self) -> usize {
        self.points / self.held
    }

    /// Invocations of a workgroup.
    pub(crate) fn workgroup_size(self) -> usize {
        self.threads() * self.slots
    }

    /// Points of one transform in workgroup memory, with the gaps.
    pub(crate) fn padded(self) -> usize {
        self.points + self.points / 16
    }

    /// Length of the array in workgroup memory, of scalars if `split`, else of complex numbers.
    pub(crate) fn shared_len(self) -> usize {
        self.padded() * self.slots
    }

    /// Radices of the passes in order.
    fn radices(self) -> Vec<usize> {
        let log = self.points.trailing_zeros() as usize;
        let digits = self.held.trailing_zeros() as usize;
        let first = 1usize << (log % digits);
        let rest = std::iter::repeat_n(self.held, log / digits);
        (first > 1).then_some(first).into_iter().chain(rest).collect()
    }

    /// The transform of `v0`, `v1`, .. in place. The code calls `root(j)` = exp(-2 pi i j / L) and
    /// `exchange_at(slot, i)`, the address of point i.
    pub(crate) fn transform(self, literal: fn(f64) -> String) -> String {
        let mut code = String::new();
        let radices = self.radices();
        let mut done = 1;
        for (pass, &radix) in radices.iter().enumerate() {
            self.pass(&mut code, radix, done, literal);
            if pass + 1 < radices.len() {
                self.exchange(&mut code, radix, done);
            }
            done *= radix;
        }
        code
    }

    fn pass(self, code: &mut String, radix: usize, done: usize, literal: fn(f64) -> String) {
        let butterflies = self.held / radix;
        let _ = writeln!(code, "  // radix {radix} after {done}");
        for b in 0..butterflies {
            if done > 1 {
                let step = self.points / (done * radix);
                let i = b * self.threads();
                let _ = writeln!(code, "  {{ let k = ((t + {i}u) & {}u) * {step}u;", done - 1);
                for q in 1..radix {
                    let v = b + butterflies * q;
                    let _ = writeln!(code, "    v{v} = product(v{v}, root({q}u * k));");
                }
                code.push_str("  }\n");
            }
            let inputs: Vec<usize> = (0..radix).map(|q| b + butterflies * q).collect();
            dft(code, &inputs, literal);
        }
    }

    /// Writes the outputs of a pass to workgroup memory and reads the inputs of the next pass.
    fn exchange(self, code: &mut String, radix: usize, done: usize) {
        let butterflies = self.held / radix;
        let mut places = Vec::new();
        for b in 0..butterflies {
            let i = b * self.threads();
            let base = format!("i{b}_{done}");
            let _ = writeln!(
                code,
                "  let {base} = ((t + {i}u) / {done}u) * {}u + ((t + {i}u) & {}u);",
                done * radix,
                done - 1
            );
            for q in 0..radix {
                places.push((b + butterflies * q, format!("{base} + {}u", q * done)));
            }
        }
        let parts: &[&str] = if self.split { &[".x", ".y"] } else { &[""] };
        for part in parts {
            for (v, place) in &places {
                let _ = writeln!(code, "  shared_points[exchange_at(slot, {place})] = v{v}{part};");
            }
            code.push_str("  workgroupBarrier();\n");
            for j in 0..self.held {
                let at = j * self.threads();
                let _ =
                    writeln!(code, "  v{j}{part} = shared_points[exchange_at(slot, t + {at}u)];");
            }
            code.push_str("  workgroupBarrier();\n");
        }
    }
}

/// `v[inputs[q]] <- sum_p v[inputs[p]] exp(-2 pi i p q / r)`, in place and in natural order.
fn dft(code: &mut String, inputs: &[usize], literal: fn(f64) -> String) {
    match inputs.len() {
        2 => {
            let (a, b) = (inputs[0], inputs[1]);
            let _ = writeln!(
                code,
                "  {{ let d = minus(v{a}, v{b}); v{a} = plus(v{a}, v{b}); v{b} = d; }}"
            );
        }
        4 => {
            let [a, b, c, d] = [inputs[0], inputs[1], inputs[2], inputs[3]];
            let _ = writeln!(
                code,
                "  {{ let s = plus(v{a}, v{c}); let d = minus(v{a}, v{c}); \
                 let u = plus(v{b}, v{d}); let w = minus_i(minus(v{b}, v{d}));\n    \
                 v{a} = plus(s, u); v{b} = plus(d, w); v{c} = minus(s, u); v{d} = minus(d, w); }}"
            );
        }
        // r = m s: s transforms of m points, twiddle factors, and m transforms of s points.
        r => {
            let (m, s) = if r == 8 { (2, 4) } else { (4, 4) };
            for column in 0..s {
                let part: Vec<usize> = (0..m).map(|row| inputs[column + s * row]).collect();
                dft(code, &part, literal);
            }
            for k in 1..m {
                for column in 1..s {
                    let v = inputs[column + s * k];
                    let angle = -std::f64::consts::TAU * (k * column) as f64 / r as f64;
                    let (sin, cos) = angle.sin_cos();
                    let _ = writeln!(
                        code,
                        "  v{v} = product(v{v}, complex({}, {}));",
                        literal(cos),
                        literal(sin)
                    );
                }
            }
            for k in 0..m {
                let part: Vec<usize> = (0..s).map(|column| inputs[column + s * k]).collect();
                dft(code, &part, literal);
            }
            // Result k + m l is at row k, column l.
            let renamed: Vec<(usize, usize)> =
                (0..r).map(|q| (inputs[q], inputs[(q / m) + s * (q % m)])).collect();
            code.push_str("  {");
            for (target, source) in renamed.iter().filter(|(t, s)| t != s) {
                let _ = write!(code, " let n{target} = v{source};");
            }
            for (target, _) in renamed.iter().filter(|(t, s)| t != s) {
                let _ = write!(code, " v{target} = n{target};");
            }
            code.push_str(" }\n");
        }
    }
}
