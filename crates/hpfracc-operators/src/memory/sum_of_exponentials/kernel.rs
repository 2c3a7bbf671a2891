//! Kernels for the trapezoidal rule: density, values, and the range of the nodes.

use hpfracc_special::{MittagLeffler, ln_gamma, recip_gamma};
use std::f64::consts::PI;

/// Values of a kernel at many times.
type Values = Box<dyn Fn(&[f64]) -> Vec<f64>>;

/// A completely monotone kernel on 1/ratio <= t <= 1, `k(t) = int exp(-t e^y) K(y) dy`.
pub(super) struct Kernel {
    /// K by y - [`Map::peak`]: around a narrow peak y itself would be rounded too coarsely.
    pub(super) density: Box<dyn Fn(f64) -> f64>,
    pub(super) values: Values,
    pub(super) ratio: f64,
    /// Outside the interval from the first to the last y the density is negligible.
    pub(super) first: f64,
    pub(super) last: f64,
    pub(super) map: Map,
    /// The same kernel over a smaller ratio of times, if the error of the full rule is the same
    /// there.
    pub(super) typical: Option<Box<Self>>,
}

/// For larger ratios of times the error of the full rule is the same as for this one.
const TYPICAL_RATIO: f64 = 1e6;

impl Kernel {
    pub(super) fn power(b: f64, ratio: f64, tolerance: f64) -> Self {
        let negligible = negligible(tolerance);
        let factor = recip_gamma(b);
        Self {
            density: Box::new(move |from_peak| factor * (b * (from_peak + Map::EVEN.peak)).exp()),
            values: Box::new(move |times| times.iter().map(|t| t.powf(-b)).collect()),
            ratio,
            // Below, p^b/Gamma(b+1) is negligible.
            first: (negligible + ln_gamma(b + 1.0).0) / b,
            last: (ratio * (3.0 - negligible)).ln(),
            map: Map::EVEN,
            typical: (ratio > TYPICAL_RATIO)
                .then(|| Box::new(Self::power(b, TYPICAL_RATIO, tolerance))),
        }
    }

    /// `E_alpha(-l t^alpha)`, 0 < alpha < 1; none if its value at an end of the interval is no
    /// number, or alpha so small that its poles lie beyond all numbers.
    pub(super) fn mittag_leffler(alpha: f64, l: f64, ratio: f64, tolerance: f64) -> Option<Self> {
        let negligible = negligible(tolerance);
        let function = MittagLeffler::new(alpha, 1.0).ok()?;
        let [shortest, longest] = [ratio.recip(), 1.0].map(|t| function.eval(-l * t.powf(alpha)));
        if !(shortest > 0.0 && longest > 0.0) {
            return None;
        }
        // Near alpha = 1 all digits are in 1 - alpha: sin(pi alpha) and cos(pi alpha / 2) from it.
        let rest = PI * (1.0 - alpha);
        let (sine, cosine) = (rest.sin(), (0.5 * rest).sin());
        let ln_l = l.ln();
        // Below, the mass p^alpha sin(pi alpha)/(pi alpha l) is negligible against the least value.
        let first = (negligible + (longest * PI * alpha * l / sine).ln()) / alpha;
        let last = (ratio * (3.0 - negligible - shortest.ln())).ln();
        let map = Map::around(ln_l / alpha, rest / alpha);
        let numbers = [first, last, map.peak, map.bend, map.centre, map.width];
        if !numbers.iter().all(|x| x.is_finite()) {
            return None;
        }
        let density = move |from_peak: f64| {
            let wave = (0.5 * alpha * from_peak).sinh();
            sine / (4.0 * PI * (wave * wave + cosine * cosine))
        };
        Some(Self {
            density: Box::new(density),
            values: Box::new(move |times| {
                let x: Vec<f64> = times.iter().map(|t| -l * t.powf(alpha)).collect();
                let mut values = vec![0.0; x.len()];
                function.eval_slice(&x, &mut values).expect("both are as long as the times");
                values
            }),
            ratio,
            first,
            last,
            map,
            typical: None,
        })
    }
}

fn negligible(tolerance: f64) -> f64 {
    (0.01 * tolerance).ln()
}

/// The variable of the rule, `u = z + asinh(z/width)` with `x = centre + z` and `y = x - exp(-x)`:
/// nodes gather around a centre, near which the density has poles at a distance of the width.
pub(super) struct Map {
    /// y at the centre.
    pub(super) peak: f64,
    /// exp(-centre).
    bend: f64,
    centre: f64,
    width: f64,
}

impl Map {
    /// Nodes at equal distances in x.
    const EVEN: Self = Self { peak: -1.0, bend: 1.0, centre: 0.0, width: f64::INFINITY };

    /// Around y = `peak`, with poles at a distance in y.
    fn around(peak: f64, distance: f64) -> Self {
        // y is concave and rises: from the left Newton's steps stay on the left.
        let mut centre = -(1.0 - peak).max(1.0).ln();
        for _ in 0..60 {
            centre -= (centre - (-centre).exp() - peak) / (1.0 + (-centre).exp());
        }
        let bend = (-centre).exp();
        Self { peak, bend, centre, width: distance / (1.0 + bend) }
    }

    /// z where x is `x`.
    pub(super) fn offset(&self, x: f64) -> f64 {
        x - self.centre
    }

    /// y - peak at z, and dy/du.
    pub(super) fn at(&self, z: f64) -> (f64, f64) {
        let from_peak = z - self.bend * (-z).exp_m1();
        let slope = 1.0 + self.bend * (-z).exp();
        let gathered =
            if self.width.is_infinite() { 1.0 } else { 1.0 + z.hypot(self.width).recip() };
        (from_peak, slope / gathered)
    }

    fn position(&self, z: f64) -> f64 {
        z + (z / self.width).asinh()
    }

    /// The z whose u is `step` less than that of `from`, which is nearer than `step`.
    pub(super) fn below(&self, from: f64, step: f64) -> f64 {
        if self.width.is_infinite() {
            return from - step;
        }
        let target = self.position(from) - step;
        let (mut low, mut high) = (from - step, from);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if self.position(middle) < target { low = middle } else { high = middle }
        }
        0.5 * (low + high)
    }
}
