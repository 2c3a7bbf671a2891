//! Residues of the poles s = q = z^{1/α}, times the part of them that the midpoint rule lacks.
//!
//! ```text
//! T = m Re(r c),   r = e^q q^{1-β}/α,   Λ = ln q,   m = 2 for z < 0 (a pair), 1 for z > 0
//! c = 1/(1 ± e^{-t}),   t = (2π/h) (σ-1),   σ = √(q/μ)          (- for nodes with offset 0)
//! D = c (q+1-β) + c (1-c) (π/h) σ
//! ∂T/∂z = m Re(r D)/(α z),   ∂T/∂α = -m Re(Λ r D + r c)/α,   ∂T/∂β = -m Re(Λ r c)
//! ```
//!
//! For z < 0 and α <= 1 no pole is on the sheet. |q| and the exponent of r are in two parts, so that
//! large values have as many digits as small ones.

use super::block_size::{BLOCK, Block};
use super::nodes::{Offset, Parabola};
use hpfracc_lanes::{Elementary, two_parts};
use std::f64::consts::PI;

/// ln |q| from which on r is infinite, or 0.
const LARGEST_LOG: f64 = 36.0;
/// |z| beyond is replaced by it.
const FAR: f64 = 1e300;

#[derive(Debug, Clone, Copy)]
pub(super) struct PoleTerms {
    /// 1/α in two parts.
    inverse: [f64; 2],
    /// 1-β
    power: f64,
    /// ln |q| below which a pole is left out.
    least_log: f64,
    /// 2π/h
    frequency: f64,
    /// 1/√μ
    scale: f64,
    positive: Ray,
    /// None where the poles are on another sheet.
    negative: Option<Ray>,
}

/// Direction of the poles of all z of one sign.
#[derive(Debug, Clone, Copy)]
struct Ray {
    /// m
    images: f64,
    angle: f64,
    sin: f64,
    cos: f64,
    /// Of half of the angle.
    half_sin: f64,
    half_cos: f64,
    /// Argument of q^{1-β}.
    phase: f64,
    /// Sign of e^{-t} in c.
    sign: f64,
}

impl PoleTerms {
    pub(super) fn new(alpha: f64, beta: f64, parabola: &Parabola, negative: Offset) -> Self {
        let inverse = 1.0 / alpha;
        let inverse = [inverse, (-alpha).mul_add(inverse, 1.0) / alpha];
        let power = 1.0 - beta;
        let frequency = 2.0 * PI / parabola.step;
        let positive = Ray {
            images: 1.0,
            angle: 0.0,
            sin: 0.0,
            cos: 1.0,
            half_sin: 0.0,
            half_cos: 1.0,
            phase: 0.0,
            sign: 1.0,
        };
        Self {
            inverse,
            power,
            least_log: Elementary::ln(parabola.nearest_pole),
            frequency,
            scale: 1.0 / parabola.vertex.sqrt(),
            positive,
            negative: (alpha > 1.0).then(|| Ray::of_negative(inverse, power, negative)),
        }
    }

    /// Whether z has poles.
    #[inline(always)]
    pub(super) fn on_sheet(&self, z: f64) -> bool {
        z > 0.0 || (z < 0.0 && self.negative.is_some())
    }

    /// Direction of the poles of an argument.
    #[inline(always)]
    fn ray(&self, z: f64) -> Ray {
        let (positive, other) = (self.positive, self.negative.unwrap_or(self.positive));
        let select = |positive, other| if z < 0.0 { other } else { positive };
        Ray {
            images: select(positive.images, other.images),
            angle: select(positive.angle, other.angle),
            sin: select(positive.sin, other.sin),
            cos: select(positive.cos, other.cos),
            half_sin: select(positive.half_sin, other.half_sin),
            half_cos: select(positive.half_cos, other.half_cos),
            phase: select(positive.phase, other.phase),
            sign: select(positive.sign, other.sign),
        }
    }

    /// Adds the terms of the first `count` arguments.
    #[inline(always)]
    pub(super) fn add(&self, count: usize, z: &Block, sums: &mut [Block; 4]) {
        let count = count.min(BLOCK);
        let mut poles = Poles::default();
        for i in 0..count {
            poles.set(i, self, z[i]);
        }
        poles.set_angles(count);
        let mut terms = [[0.0; BLOCK]; 4];
        for i in 0..count {
            let of_one = poles.terms(i, self, z[i]);
            for k in 0..4 {
                terms[k][i] = of_one[k];
            }
        }
        for (sums, terms) in sums.iter_mut().zip(&terms) {
            for i in 0..count {
                let on = (poles.log[i] >= self.least_log) & self.on_sheet(z[i]);
                sums[i] = if on { sums[i] + terms[i] } else { sums[i] };
            }
        }
    }
}

impl Ray {
    /// Of the pole with angle π/α, which with its mirror image belongs to z < 0.
    fn of_negative([inverse, rest]: [f64; 2], power: f64, offset: Offset) -> Self {
        let angle = PI * inverse;
        // What the angle lacks of π/α.
        let low = PI.mul_add(inverse, -angle) + PI * rest + PI_LOW * inverse;
        let sin_cos = |angle: f64, low: f64| {
            let (sin, cos) = Elementary::sin_cos(angle);
            (low.mul_add(cos, sin), (-low).mul_add(sin, cos))
        };
        let (sin, cos) = sin_cos(angle, low);
        let (half_sin, half_cos) = sin_cos(0.5 * angle, 0.5 * low);
        let sign = match offset {
            Offset::Half => 1.0,
            Offset::Zero => -1.0,
        };
        Self { images: 2.0, angle, sin, cos, half_sin, half_cos, phase: power * angle, sign }
    }
}

/// π less its double.
const PI_LOW: f64 = 1.224_646_799_147_353_2e-16;

/// The poles of a block.
struct Poles {
    /// ln |q|, |q| and √(|q|/μ).
    log: Block,
    size: Block,
    root: Block,
    /// |r| α
    residue: Block,
    /// Argument of r in two parts, its sine and its cosine.
    phase: Block,
    phase_low: Block,
    phase_sin_cos: [Block; 2],
    /// t
    t_re: Block,
    t_im: Block,
    t_sin_cos: [Block; 2],
}

impl Default for Poles {
    fn default() -> Self {
        let [log, size, root, residue] = [[0.0; BLOCK]; 4];
        let [phase, phase_low, t_re, t_im] = [[0.0; BLOCK]; 4];
        let [phase_sin_cos, t_sin_cos] = [[[0.0; BLOCK]; 2]; 2];
        Self { log, size, root, residue, phase, phase_low, phase_sin_cos, t_re, t_im, t_sin_cos }
    }
}

impl Poles {
    #[inline(always)]
    fn set(&mut self, i: usize, terms: &PoleTerms, z: f64) {
        let ray = terms.ray(z);
        let size = if z.abs() > FAR { FAR } else { z.abs() };
        let (ln, ln_low) = two_parts::ln(size);
        let [inverse, inverse_low] = terms.inverse;
        let log = ln * inverse;
        let log_low = ln.mul_add(inverse, -log) + ln.mul_add(inverse_low, ln_low * inverse);
        let near = log <= LARGEST_LOG;
        let (log, log_low) =
            (if near { log } else { LARGEST_LOG }, if near { log_low } else { 0.0 });
        let (size, size_low) = two_parts::exp((log, log_low));
        let root = Elementary::sqrt(size) * terms.scale;
        // q + (1-β) ln |q|
        let scaled = |by: f64| (size * by, size.mul_add(by, -(size * by)) + size_low * by);
        let (re, re_low) = scaled(ray.cos);
        let (re, lost) = exact_sum(re, terms.power * log);
        let rest = terms.power.mul_add(log, -(terms.power * log)) + terms.power * log_low;
        let (im, im_low) = scaled(ray.sin);
        let (im, im_lost) = exact_sum(im, ray.phase);
        self.log[i] = log;
        self.size[i] = size;
        self.root[i] = root;
        self.residue[i] = two_parts::exp((re, re_low + lost + rest)).0;
        self.phase[i] = im;
        self.phase_low[i] = im_low + im_lost;
        self.t_re[i] = terms.frequency * root.mul_add(ray.half_cos, -1.0);
        self.t_im[i] = terms.frequency * (root * ray.half_sin);
    }

    #[inline(always)]
    fn set_angles(&mut self, count: usize) {
        let [sin, cos] = &mut self.phase_sin_cos;
        f64::sin_cos_slice(&self.phase[..count], sin, cos);
        let [sin, cos] = &mut self.t_sin_cos;
        f64::sin_cos_slice(&self.t_im[..count], sin, cos);
    }

    /// Of the value and the derivatives in z, α and β.
    #[inline(always)]
    fn terms(&self, i: usize, terms: &PoleTerms, z: f64) -> [f64; 4] {
        let ray = terms.ray(z);
        // e^{iφ}
        let (low, [sin, cos]) = (self.phase_low[i], [0, 1].map(|k| self.phase_sin_cos[k][i]));
        let turned = [(-low).mul_add(sin, cos), low.mul_add(cos, sin)];
        // ± e^{-t}
        let size = ray.sign * Elementary::exp(-self.t_re[i]);
        let w = [size * self.t_sin_cos[1][i], -(size * self.t_sin_cos[0][i])];
        let below = [1.0 + w[0], w[1]];
        let norm = below[0].mul_add(below[0], below[1] * below[1]);
        let c = [below[0] / norm, -(below[1] / norm)];
        // c (1-c) = w c²
        let width = product(product(w, c), c);
        let q = [self.size[i].mul_add(ray.cos, terms.power), self.size[i] * ray.sin];
        let half = 0.5 * terms.frequency * self.root[i];
        let sigma = [half * ray.half_cos, half * ray.half_sin];
        let slope = sum(product(c, q), product(width, sigma));
        let log = [self.log[i], ray.angle];
        // Times e^{iφ}, and the size of r at last: it may be infinite.
        let (c, slope) = (product(turned, c), product(turned, slope));
        let size = ray.images * self.residue[i] * terms.inverse[0];
        let far = if z < -FAR { -FAR } else { z };
        let far = if far > FAR { FAR } else { far };
        [
            size * c[0],
            size * slope[0] * terms.inverse[0] / far,
            -(size * (real_product(log, slope) + c[0])) * terms.inverse[0],
            -(size * real_product(log, c)),
        ]
    }
}

#[inline(always)]
fn sum(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] + b[0], a[1] + b[1]]
}

#[inline(always)]
fn product(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [real_product(a, b), a[0].mul_add(b[1], a[1] * b[0])]
}

/// Real part of a product.
#[inline(always)]
fn real_product(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0].mul_add(b[0], -(a[1] * b[1]))
}

/// a + b in two parts.
#[inline(always)]
fn exact_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}
