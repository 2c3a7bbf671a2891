use super::kernel::Kernel;
use super::trapezoidal_rule::{CHECKED, Rule, Times, largest};
use super::{ROOM, check_power};
use crate::error::demand;
use crate::{OperatorError, Result};
use hpfracc_special::recip_gamma;

/// One set of rates for `t^-b` of all exponents b between two, `t^-b = sum_k w_k(b) exp(-p_k t)` on
/// [shortest, longest] to a relative tolerance: the exponent is in the weights alone.
///
/// With it a sum of powers, or a power whose exponent changes with time, has the memory of one
/// power. The nodes are those of [`SumOfExponentials`](crate::SumOfExponentials); rates that do not
/// decay within `longest` are one of rate 0, whose weight makes the sum exact at `longest`.
///
/// Cost: a power for each exponential and exponent; some more exponentials than for one exponent.
///
/// Source: McLean, "Exponential sum approximations for t^-beta", in Contemporary Computational
/// Mathematics (2018) 911, DOI 10.1007/978-3-319-72456-0_40.
///
/// ```
/// use hpfracc_operators::PowerExponentials;
/// let powers = PowerExponentials::new((0.2, 0.9), (1e-3, 10.0), 1e-8)?;
/// let mut weights = vec![0.0; powers.rates().len()];
/// // 2 t^-0.2 + t^-0.9 at t = 0.5
/// powers.add_weights(0.2, 2.0, &mut weights);
/// powers.add_weights(0.9, 1.0, &mut weights);
/// let terms = weights.iter().zip(powers.rates());
/// let sum: f64 = terms.map(|(w, p)| w * (-0.5 * p).exp()).sum();
/// assert!((sum - 2.0 * 0.5f64.powf(-0.2) - 0.5f64.powf(-0.9)).abs() < 1e-7);
/// # Ok::<(), hpfracc_operators::OperatorError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PowerExponentials {
    longest: f64,
    /// Decreasing; the last is 0.
    rates: Vec<f64>,
    /// Of the others, in units of 1/longest: ln p, d(ln p), exp(-p).
    nodes: Vec<(f64, f64, f64)>,
    relative_error: f64,
}

/// Rates that decay by less than this part of the tolerance within `longest` are 0.
const SLOW: f64 = 0.1;
/// Part of the tolerance of the fastest nodes that are left out.
const FAST: f64 = 0.2;
/// Part of the tolerance for the distance of the nodes.
const STEP: f64 = 0.5;
/// For smaller exponents a full rule has ever more slow nodes.
const RESOLVING: f64 = 0.3;

impl PowerExponentials {
    /// For exponents from `lowest` to `highest` and `shortest <= t <= longest`.
    ///
    /// # Errors
    /// [`OperatorError::Parameter`] unless 0 <= lowest <= highest <= 1, 0 < shortest < longest, both
    /// normal numbers whose ratio is at most 1e200, and 1e-13 <= tolerance <= 0.1;
    /// [`OperatorError::NoExponentials`] if the search ends without a sum within the tolerance.
    pub fn new(
        (lowest, highest): (f64, f64),
        (shortest, longest): (f64, f64),
        tolerance: f64,
    ) -> Result<Self> {
        check_power(lowest, (shortest, longest), tolerance)?;
        let fits = highest >= lowest && highest <= 1.0;
        demand(("the highest exponent b", highest, fits, "above the lowest, at most 1"))?;
        let ratio = longest / shortest;
        let searched = Kernel::power(highest.max(RESOLVING), ratio, tolerance);
        let exponents = [lowest, 0.5 * (lowest + highest), highest];
        let found = [0.9, 0.7, 0.4].into_iter().find_map(|aim| {
            let aim = aim * ROOM * tolerance;
            let step = Rule::largest_step(&searched, aim, STEP * aim);
            let mut powers = Self::with_step(step, (highest, longest, ratio), aim);
            let errors = exponents.map(|b| powers.error(b, step, ratio, tolerance));
            powers.relative_error = largest(&errors);
            (powers.relative_error <= ROOM * tolerance).then_some(powers)
        });
        found.ok_or_else(|| {
            let kernel = format!("t^-b, {lowest} <= b <= {highest}");
            OperatorError::NoExponentials { kernel, ratio, tolerance }
        })
    }

    fn with_step(step: f64, (highest, longest, ratio): (f64, f64, f64), tolerance: f64) -> Self {
        let factor = step * recip_gamma(highest);
        let (mut nodes, mut omitted) = (Vec::new(), 0.0);
        let mut x = (ratio * (3.0 - (0.01 * tolerance).ln())).ln();
        let slowest = (SLOW * tolerance).ln();
        loop {
            let (ln_p, measure) = (x - (-x).exp(), 1.0 + (-x).exp());
            if ln_p < slowest {
                break;
            }
            let shortest = ln_p.exp() / ratio;
            omitted += factor * measure * shortest.powf(highest) * (-shortest).exp();
            if !nodes.is_empty() || omitted > FAST * tolerance {
                nodes.push((ln_p, step * measure, (-ln_p.exp()).exp()));
            }
            x -= step;
        }
        let rates = nodes.iter().map(|(ln_p, ..)| ln_p.exp() / longest).chain([0.0]).collect();
        Self { longest, rates, nodes, relative_error: 0.0 }
    }

    /// Largest relative error of `t^-b`.
    fn error(&self, b: f64, step: f64, ratio: f64, tolerance: f64) -> f64 {
        let mut weights = vec![0.0; self.rates.len()];
        self.add_weights(b, self.longest.powf(b), &mut weights);
        let rates = self.rates.iter().map(|p| p * self.longest).collect();
        let rule = Rule { step, rates, weights, measures: Vec::new() };
        let times = Times::new(&Kernel::power(b, ratio, tolerance), step / CHECKED);
        largest(&rule.errors(&times))
    }

    /// The p_k, decreasing, in units of 1/time; none is negative.
    pub fn rates(&self) -> &[f64] {
        &self.rates
    }

    /// Largest relative error found, of the lowest, the highest and the middle exponent.
    pub fn relative_error(&self) -> f64 {
        self.relative_error
    }

    /// Adds the weights of `factor t^-b`; those of a positive factor are not negative.
    ///
    /// # Panics
    /// If `weights` has another length than the [rates](Self::rates).
    pub fn add_weights(&self, b: f64, factor: f64, weights: &mut [f64]) {
        assert_eq!(weights.len(), self.rates.len(), "a weight for each rate");
        let (whole, recip) = (factor * self.longest.powf(-b), recip_gamma(b));
        // What the nodes leave at `longest`.
        let mut rest = 1.0;
        for (weight, (ln_p, measure, left)) in weights.iter_mut().zip(&self.nodes) {
            let w = measure * recip * (b * ln_p).exp();
            rest -= w * left;
            *weight += whole * w;
        }
        weights[self.nodes.len()] += whole * f64::max(rest, 0.0);
    }
}
