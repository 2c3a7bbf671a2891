//! The poles s_j = z^{1/α} of the Laplace transform and the exponentials they contribute.

use num_complex::Complex64;

use crate::DoubleDouble;

/// |s| from which the exponent is carried to more than double precision.
const LARGE: f64 = 3.0;
/// |s| from which on no digit of the exponential is left, but for some.
const LARGEST: f64 = 1e13;

/// The residues of E_{α,β}.
#[derive(Debug, Clone)]
pub(super) struct Poles {
    alpha: f64,
    beta: f64,
    /// 1/α as a sum.
    pub(super) inverse: DoubleDouble,
    /// |z| beyond which |s| is so large that the exponential has lost its digits.
    pub(super) largest: f64,
}

/// A pole with its residue.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pole {
    pub(super) s: Complex64,
    pub(super) residue: Complex64,
}

/// The poles as far as their distance from a contour needs them; unused places are far away.
#[derive(Debug)]
pub(super) struct Roots {
    real_parts: [f64; 12],
}

impl Roots {
    /// The least |Re σ_j - 1| for a contour through `vertex`: the distance in u.
    pub(super) fn clearance(&self, vertex: f64) -> f64 {
        let scale = 1.0 / vertex.sqrt();
        self.real_parts.iter().map(|r| (r * scale - 1.0).abs()).fold(f64::INFINITY, f64::min)
    }
}

impl Poles {
    pub(super) fn new(alpha: f64, beta: f64) -> Self {
        let one = DoubleDouble::from(1.0);
        let inverse = one.over(DoubleDouble::from(alpha));
        Self { alpha, beta, inverse, largest: LARGEST.powf(alpha) }
    }

    /// Calls `visit` for each pole |arg s| < π. For real z only those of the upper half plane
    /// and the real axis, the former flagged: their mirror images double the real part.
    pub(super) fn visit(&self, z: Complex64, mut visit: impl FnMut(Pole, bool)) {
        let real = z.im == 0.0;
        // One symmetric convention for z < 0: both +π and -π.
        let z = if real { Complex64::new(z.re, 0.0) } else { z };
        if self.none(z.im.atan2(z.re)) {
            return;
        }
        let modulus = z.re.hypot(z.im);
        let r = modulus.powf(self.inverse.hi);
        let large = r > LARGE && r.is_finite();
        // ln|s| - ln r, the rounding error of r and of 1/α.
        let mut r_tail = 0.0;
        if large {
            let ln_z = if real {
                DoubleDouble::from(modulus).ln()
            } else {
                let square =
                    DoubleDouble::product(z.re, z.re).plus(DoubleDouble::product(z.im, z.im));
                square.ln().scaled(0.5)
            };
            let difference = ln_z.times(self.inverse).minus(DoubleDouble::from(r).ln());
            r_tail = r * (difference.hi + difference.lo);
        } else {
            // The rounding of 1/α alone, magnified by ln|z|.
            let tail = self.inverse.lo * modulus.ln();
            if tail.is_finite() && r.is_finite() {
                r_tail = r * tail;
            }
        }
        let angle = if large || real {
            DoubleDouble::angle(z.im, z.re)
        } else {
            DoubleDouble::from(z.im.atan2(z.re))
        };
        let turns = (0.5 * self.alpha).ceil() as i32 + 1;
        let first = if real { 0 } else { -turns };
        for j in first..=turns {
            let theta = angle.plus(DoubleDouble::PI.scaled(f64::from(2 * j))).times(self.inverse);
            // At α = 1 the pole of z < 0 lies on the cut; the sum without it is right there.
            if theta.hi.abs() >= DoubleDouble::PI.hi {
                continue;
            }
            visit(self.pole(r, r_tail, theta, large), real && theta.hi > 0.0);
        }
    }

    /// Whether even the pole of least argument is beyond the cut. A doubtful case, where the
    /// contribution vanishes anyway, counts as none or one.
    fn none(&self, angle: f64) -> bool {
        angle.abs() >= self.alpha * DoubleDouble::PI.hi
    }

    /// Re √s_j of all poles, to a few digits.
    pub(super) fn roots(&self, z: Complex64) -> Roots {
        let mut roots = Roots { real_parts: [f64::INFINITY; 12] };
        let angle = z.arg();
        if self.none(angle) {
            return roots;
        }
        let root = z.norm().powf(self.inverse.hi).sqrt();
        let turns = (0.5 * self.alpha).ceil() as i32 + 1;
        let mut places = roots.real_parts.iter_mut();
        for j in -turns..=turns {
            let theta = (angle + f64::from(2 * j) * DoubleDouble::PI.hi) * self.inverse.hi;
            if theta.abs() < DoubleDouble::PI.hi
                && let Some(place) = places.next()
            {
                *place = root * (0.5 * theta).cos();
            }
        }
        roots
    }

    fn pole(&self, r: f64, r_tail: f64, theta: DoubleDouble, large: bool) -> Pole {
        let (s, tail) = if large {
            let (sine, cosine) = theta.sin_cos();
            let part = |c: DoubleDouble| {
                let p = DoubleDouble::product(r, c.hi);
                let s = DoubleDouble::sum(p.hi, p.lo + r * c.lo + r_tail * c.hi);
                (s.hi, s.lo)
            };
            let ((re, re_tail), (im, im_tail)) = (part(cosine), part(sine));
            (Complex64::new(re, im), Complex64::new(re_tail, im_tail))
        } else {
            let direction = Complex64::from_polar(1.0, theta.hi);
            (scale(direction, r), direction * r_tail)
        };
        // s^{1-β} e^s / α: first its direction.
        let exponent = 1.0 - self.beta;
        let turn = if s.im == 0.0 { 0.0 } else { theta.hi * exponent };
        let mut residue = Complex64::from_polar(1.0 / self.alpha, turn);
        if s.im != 0.0 {
            residue *= Complex64::from_polar(1.0, s.im);
        }
        // e^tail; for |s| near 1e13 the tail, a rounding error of s, is no longer tiny.
        // Above 1e16 it is as large as the spacing of the exponent, and no digit is significant.
        if tail.norm() < 1.0 {
            residue *=
                if tail.norm() < 1e-6 { tail * (0.5 * tail + 1.0) + 1.0 } else { tail.exp() };
        }
        let power = r.powf(exponent);
        residue = if power == 0.0 || power.is_infinite() {
            scale(
                residue,
                if s.re.is_finite() { (s.re + exponent * r.ln()).exp() } else { s.re.exp() },
            )
        } else if s.re.abs() > 700.0 {
            // In two halves, since e^s alone would overflow first.
            let half = (0.5 * s.re).exp();
            scale(scale(residue * power, half), half)
        } else {
            scale(residue, power * s.re.exp())
        };
        Pole { s, residue }
    }
}

/// Product with a real factor; zero times infinity is zero, the limit along the axes.
fn scale(z: Complex64, factor: f64) -> Complex64 {
    let times = |x: f64| if x == 0.0 || factor == 0.0 { 0.0 } else { x * factor };
    Complex64::new(times(z.re), times(z.im))
}
