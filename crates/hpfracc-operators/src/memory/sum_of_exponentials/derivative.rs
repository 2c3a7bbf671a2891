use super::kernel::Kernel;
use super::trapezoidal_rule::Rule;
use super::{SMALLEST_TOLERANCE, SumOfExponentials, check_power};
use crate::Result;
use hpfracc_special::{digamma, recip_gamma};

/// For smaller exponents the nodes of the power do not resolve the derivative in the exponent.
const RESOLVING: f64 = 0.3;

impl SumOfExponentials {
    /// One set of rates p with weights w and w' for both `t^-b` and its derivative in b,
    /// `-ln(t) t^-b`: triples (p, w, w'), p decreasing.
    ///
    /// Differentiating the weights of [`of_power`](Self::of_power) is not accurate for small b: an
    /// omitted part of the power is larger by 1/b in the derivative. Here all that does not decay
    /// within `longest` is one node, whose weights make both sums exact at `longest`.
    ///
    /// Errors: of w relative to t^-b, of w' relative to `(1 + |ln(t/longest)|) t^-b`, within some
    /// times the tolerance.
    ///
    /// # Errors
    /// Those of [`of_power`](Self::of_power) for a parameter out of its range.
    pub fn with_derivative(
        b: f64,
        (shortest, longest): (f64, f64),
        tolerance: f64,
    ) -> Result<Vec<(f64, f64, f64)>> {
        check_power(b, (shortest, longest), tolerance)?;
        // Derivatives are larger than the power by a logarithm.
        let tolerance = (0.05 * tolerance).max(SMALLEST_TOLERANCE);
        let kernel = Kernel::power(b.max(RESOLVING), longest / shortest, tolerance);
        let rule = Rule::search(&kernel, tolerance);
        // (ln p - psi(b)) / Gamma(b), finite at b = 0.
        let (recip, constant) =
            (recip_gamma(b), recip_gamma(b + 1.0) - digamma(b + 1.0) * recip_gamma(b));
        let (scale, ln) = (longest.powf(-b), longest.ln());
        let mut rest = (1.0, 0.0);
        let nodes = rule.rates.iter().zip(&rule.measures).take(rule.decaying());
        let mut triples: Vec<(f64, f64, f64)> = nodes
            .map(|(&p, measure)| {
                let base = measure * p.powf(b);
                let (w, dw) = (base * recip, base * (recip * p.ln() + constant));
                let left = (-p).exp();
                rest = (rest.0 - w * left, rest.1 - dw * left);
                (p / longest, scale * w, scale * (dw - ln * w))
            })
            .collect();
        triples.push((0.0, scale * rest.0, scale * (rest.1 - ln * rest.0)));
        Ok(triples)
    }
}
