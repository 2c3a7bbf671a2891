//! Exponentials of the poles of many arguments, as vector code.
//!
//! ```text
//! q = z^{1/α} on all sheets,   r = e^q q^{1-β}/α,   r/(1 - w),   w = ± e^{(2π/h)(1-√(q/μ))}
//! ```
//!
//! |q|, its angle and the exponent of r are in two parts, so that large values have as many digits
//! as small ones. The correction 1/(1-w) is that of the contour; the algebraic expansion has w = 0.

use std::f64::consts::PI;

use hpfracc_lanes::{Elementary, two_parts};

use super::super::contour::Contour;
use super::parts::Parts;

/// Poles that are computed at a time.
const BLOCK: usize = 32;

type Block = [f64; BLOCK];

/// π less its double.
const PI_LOW: f64 = 1.224_646_799_147_353_2e-16;
/// Beyond, w is so large that nothing is left of the pole.
const LARGEST_EXPONENT: f64 = 300.0;

/// An argument: its parts, its angle in two parts.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Argument {
    pub(super) re: f64,
    pub(super) im: f64,
    pub(super) angle: (f64, f64),
}

/// A pole of an argument.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Pole {
    /// Place of the argument in its chunk.
    pub(super) member: usize,
    /// Times 2π, added to the angle.
    turns: f64,
    /// 2 where the mirror image of the pole belongs to the argument too, else 1.
    images: f64,
    pub(super) residue: [f64; 2],
    /// √q
    pub(super) root: [f64; 2],
    /// e^{(2π/h)(1-√(q/μ))}
    pub(super) crossing: [f64; 2],
}

/// How the sum that a pole is added to treats it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rule {
    /// 2π/h and 1/√μ
    frequency: f64,
    scale: f64,
    /// 0 where the sum knows nothing of poles, else 1.
    correction: f64,
}

impl Rule {
    /// That of the algebraic expansion.
    pub(super) const NONE: Self = Self { frequency: 0.0, scale: 0.0, correction: 0.0 };

    pub(super) fn of(contour: &Contour) -> Self {
        let (frequency, scale) = (2.0 * PI / contour.step, 1.0 / contour.vertex.sqrt());
        Self { frequency, scale, correction: 1.0 }
    }
}

/// Appends the poles of an argument; for real ones only those of the upper half plane and the real
/// axis. Whether there are any.
#[inline(always)]
pub(super) fn append(
    alpha: f64,
    member: usize,
    angle: f64,
    real: bool,
    to: &mut Vec<Pole>,
) -> bool {
    let (reach, before) = (alpha * PI, to.len());
    let last = Elementary::floor((reach - angle) / (2.0 * PI));
    let mut turns = if real { 0.0 } else { -Elementary::floor((reach + angle) / (2.0 * PI)) };
    while turns <= last {
        let sheet = angle + turns * (2.0 * PI);
        // At α = 1 the pole of z < 0 lies on the cut; the sum without it is right there.
        if sheet.abs() < reach {
            let images = if real && sheet > 0.0 { 2.0 } else { 1.0 };
            to.push(Pole { member, turns, images, ..Pole::default() });
        }
        turns += 1.0;
    }
    to.len() > before
}

/// Residues and roots of the poles, from their arguments.
#[inline(always)]
pub(super) fn set_residues(parts: Parts<'_>, arguments: &[Argument], poles: &mut [Pole]) {
    for poles in poles.chunks_mut(BLOCK) {
        let mut block = Residues::default();
        for i in 0..BLOCK {
            // The last block repeats a pole.
            let pole = &poles[i.min(poles.len() - 1)];
            block.arguments[i] = arguments[pole.member];
            block.turns[i] = pole.turns;
        }
        block.set(parts);
        for (i, pole) in poles.iter_mut().enumerate() {
            pole.residue = [block.residue[0][i], block.residue[1][i]];
            pole.root = [block.root[0][i], block.root[1][i]];
        }
    }
}

#[derive(Default)]
struct Residues {
    arguments: [Argument; BLOCK],
    turns: Block,
    residue: [Block; 2],
    root: [Block; 2],
}

impl Residues {
    #[inline(always)]
    fn set(&mut self, parts: Parts<'_>) {
        let (inverse, power) = (parts.poles.inverse, 1.0 - parts.beta);
        // ln |q|, |q| and the angle of q.
        let [mut log, mut log_low, mut size, mut size_low] = [[0.0; BLOCK]; 4];
        let [mut angle, mut angle_low] = [[0.0; BLOCK]; 2];
        for i in 0..BLOCK {
            let Argument { re, im, angle: at } = self.arguments[i];
            let ln = half_ln_of_squares(re, im);
            (log[i], log_low[i]) = product(ln, (inverse.hi, inverse.lo));
            (size[i], size_low[i]) = two_parts::exp((log[i], log_low[i]));
            let turned = self.turns[i] * (2.0 * PI);
            let low = self.turns[i].mul_add(2.0 * PI, -turned) + self.turns[i] * (2.0 * PI_LOW);
            let (sheet, lost) = exact_sum(at.0, turned);
            let sheet = (sheet, at.1 + (low + lost));
            (angle[i], angle_low[i]) = product(sheet, (inverse.hi, inverse.lo));
        }
        // The exponent q + (1-β) ln q of r.
        let [mut growth, mut phase, mut phase_low] = [[0.0; BLOCK]; 3];
        for i in 0..BLOCK {
            let (sin, cos) = two_parts::sin_cos((angle[i], angle_low[i]));
            let size = (size[i], size_low[i]);
            let exponent = |q: (f64, f64), of_power: (f64, f64)| {
                let (sum, lost) = exact_sum(q.0, of_power.0);
                (sum, lost + (q.1 + of_power.1))
            };
            let re = exponent(product(size, cos), product((log[i], log_low[i]), (power, 0.0)));
            let im = exponent(product(size, sin), product((angle[i], angle_low[i]), (power, 0.0)));
            growth[i] = two_parts::exp(re).0 * inverse.hi;
            (phase[i], phase_low[i]) = im;
        }
        let [mut sin, mut cos] = [[0.0; BLOCK]; 2];
        f64::sin_cos_slice(&phase, &mut sin, &mut cos);
        for i in 0..BLOCK {
            let low = phase_low[i];
            self.residue[0][i] = growth[i] * (-low).mul_add(sin[i], cos[i]);
            self.residue[1][i] = growth[i] * low.mul_add(cos[i], sin[i]);
            let (half_sin, half_cos) = Elementary::bounded_sin_cos(0.5 * angle[i]);
            let root = Elementary::sqrt(size[i]);
            (self.root[0][i], self.root[1][i]) = (root * half_cos, root * half_sin);
        }
    }
}

/// Sets where the poles cross, by the rule of each.
#[inline(always)]
pub(super) fn set_crossings(poles: &mut [Pole], rule: impl Fn(&Pole) -> Rule) {
    for poles in poles.chunks_mut(BLOCK) {
        let [mut re, mut im, mut correction] = [[0.0; BLOCK]; 3];
        for i in 0..BLOCK {
            let pole = &poles[i.min(poles.len() - 1)];
            let rule = rule(pole);
            re[i] = rule.frequency * (1.0 - pole.root[0] * rule.scale);
            im[i] = -(rule.frequency * (pole.root[1] * rule.scale));
            correction[i] = rule.correction;
        }
        let mut crossing = [[0.0; BLOCK]; 2];
        for i in 0..BLOCK {
            let re = if re[i] > LARGEST_EXPONENT { LARGEST_EXPONENT } else { re[i] };
            let (sin, cos) = Elementary::bounded_sin_cos(im[i]);
            let size = correction[i] * Elementary::exp(re);
            (crossing[0][i], crossing[1][i]) = (size * cos, size * sin);
        }
        for (i, pole) in poles.iter_mut().enumerate() {
            pole.crossing = [crossing[0][i], crossing[1][i]];
        }
    }
}

impl Pole {
    /// Distance of the pole from a contour, in its parameter u.
    pub(super) fn clearance(&self, rule: &Rule) -> f64 {
        (self.root[0] * rule.scale - 1.0).abs()
    }

    /// |1 - w|² for each sign of w.
    #[inline(always)]
    pub(super) fn distances(&self) -> [f64; 2] {
        let [re, im] = self.crossing;
        let square = im * im;
        [(1.0 - re).mul_add(1.0 - re, square), (1.0 + re).mul_add(1.0 + re, square)]
    }

    /// r/(1 - w), for w of this sign.
    #[inline(always)]
    pub(super) fn exponential(&self, sign: f64, real: bool) -> [f64; 2] {
        let [re, im] = [1.0 - sign * self.crossing[0], -(sign * self.crossing[1])];
        let scale = self.images / re.mul_add(re, im * im);
        let [a, b] = self.residue;
        let imaginary = if real { 0.0 } else { scale * b.mul_add(re, -(a * im)) };
        [scale * a.mul_add(re, b * im), imaginary]
    }
}

/// ln |x + iy| in two parts.
#[inline(always)]
fn half_ln_of_squares(x: f64, y: f64) -> (f64, f64) {
    let (a, b) = (x * x, y * y);
    let (sum, lost) = exact_sum(a, b);
    let lost = lost + (x.mul_add(x, -a) + y.mul_add(y, -b));
    let (ln, low) = two_parts::ln(sum);
    (0.5 * ln, 0.5 * (low + lost / sum))
}

/// The product of numbers in two parts.
#[inline(always)]
fn product(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    let product = a.0 * b.0;
    (product, a.0.mul_add(b.0, -product) + a.0.mul_add(b.1, a.1 * b.0))
}

/// a + b in two parts.
#[inline(always)]
fn exact_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}
