//! Sums and integrals of powers near a point, without cancellation.
//!
//! Product integration makes of a power a sum over offsets, or an integral: a measure mu of small
//! total weight, in which powers of large lags cancel. Its moments say by name what cancels:
//!
//! ```text
//! int (x + o)^b mu(do) = x^b sum_p C(b, p) M_p x^-p,    M_p = int o^p mu(do)
//! ```

use crate::dual::Dual;

/// `int (x + o)^b mu(do)` as a function of x, for a measure on |o| <= radius.
pub(crate) struct PowerSum {
    radius: f64,
    /// C(b, p) M_p.
    coefficients: Vec<Dual>,
    /// Terms that count besides those that the distance asks for: those in which a binomial grows.
    growing: usize,
}

/// Bits of a term that is left out, against the first one.
const BITS: usize = 60;

impl PowerSum {
    pub(crate) fn new(b: Dual, radius: f64, moment: impl Fn(usize) -> f64) -> Self {
        // Past p = |b| binomials shrink. Moments of second differences start at p = 2.
        let growing = b.value.abs() as usize + 3;
        let mut binomial = Dual::constant(1.0);
        let coefficients = (0..BITS + growing)
            .map(|p| {
                let coefficient = binomial * moment(p);
                binomial = binomial * (b - p as f64) * (1.0 / (p + 1) as f64);
                coefficient
            })
            .collect();
        Self { radius, coefficients, growing }
    }

    /// The sum at x >= 2 radius, given `power` = x^b.
    pub(crate) fn at(&self, x: Dual, power: Dual) -> Dual {
        let doublings = ((x.value / self.radius) as u64).ilog2().max(1) as usize;
        let terms = BITS / doublings + self.growing;
        let z = x.recip();
        power * self.coefficients[..terms].iter().rev().fold(Dual::ZERO, |sum, &c| sum * z + c)
    }
}
