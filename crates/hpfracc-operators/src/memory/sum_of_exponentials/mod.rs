//! Kernels as sums of exponentials.

mod derivative;
mod kernel;
mod power_exponentials;
mod trapezoidal_rule;

use crate::error::demand;
use crate::{OperatorError, Result};
use kernel::Kernel;
pub use power_exponentials::PowerExponentials;
use trapezoidal_rule::{CHECKED, CONSTANT, Rule, Times, largest};

/// A kernel as a sum of exponentials: `k(t) = sum_k w_k exp(-p_k t)` on [shortest, longest], to a
/// relative tolerance.
///
/// With it, the memory of a convolution is one number for each k, whatever its length (kernel
/// compression). The weights of product rules are positive averages of the kernel, so the relative
/// error passes to them unchanged: [`cells`](Self::cells) and [`hats`](Self::hats) integrate the
/// exponentials themselves.
///
/// | constructor | kernel |
/// |---|---|
/// | [`of_power`](Self::of_power) | `t^-b`, 0 <= b <= 2 |
/// | [`of_mittag_leffler`](Self::of_mittag_leffler) | `E_alpha(-l t^alpha)`, 0 < alpha <= 1 |
/// | [`tempered`](Self::tempered) | `exp(-lambda t)` times one of them |
///
/// Method: both kernels are completely monotone, `k(t) = int exp(-t p) K(p) dp` with K > 0, and the
/// sum is the trapezoidal rule under `p = exp(x - exp(-x)) / longest`, whose left end decays doubly
/// exponentially. The step and the ends are found by a search; the result is checked on a denser
/// grid of times, 20 to a step and both ends included: [`relative_error`](Self::relative_error) is
/// the largest deviation found there. Between its points the error may be a hundredth larger, for
/// which the search leaves a margin.
///
/// About `ln(1/tolerance) ln(8 longest/shortest) / 6` nodes: 55 for t^-0.9, 1e-10 and a ratio of
/// 1e6; half as many again for a Mittag-Leffler kernel. The search takes some milliseconds, and
/// about ten for ratios such as 1e20, which strongly graded meshes have.
///
/// Source: McLean, "Exponential sum approximations for t^-beta", in Contemporary Computational
/// Mathematics (2018) 911, DOI 10.1007/978-3-319-72456-0_40.
///
/// ```
/// use hpfracc_operators::SumOfExponentials;
/// let sum = SumOfExponentials::of_power(0.5, (1e-3, 10.0), 1e-8)?;
/// assert!(sum.relative_error() <= 1e-8 && sum.rates().len() < 40);
/// assert!((sum.value(4.0) - 0.5).abs() < 0.5e-8);
/// # Ok::<(), hpfracc_operators::OperatorError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SumOfExponentials {
    shortest: f64,
    longest: f64,
    rates: Vec<f64>,
    weights: Vec<f64>,
    relative_error: f64,
}

/// Smaller tolerances are limited by the rounding of `exp(-p t)`, or of the function itself.
const SMALLEST_TOLERANCE: f64 = 1e-13;
const SMALLEST_TOLERANCE_OF_MITTAG_LEFFLER: f64 = 1e-12;

/// Fraction of the tolerance required at the points of the final check.
const ROOM: f64 = 0.98;

/// Largest ratio of longest to shortest time: with larger ones, rates and their squares leave the
/// range of `f64`.
const LARGEST_RATIO: f64 = 1e200;
const LARGEST_RATIO_OF_MITTAG_LEFFLER: f64 = 1e15;

impl SumOfExponentials {
    /// `t^-b` for `shortest <= t <= longest`. Range: 0 <= b <= 2; b = 0 is one exponential, exact to rounding,
    /// and so is a b so small that the kernel does not change by as much.
    ///
    /// # Errors
    /// [`OperatorError::Parameter`] unless 0 <= b <= 2, 0 < shortest < longest, both normal numbers
    /// whose ratio is at most 1e200, and 1e-13 <= tolerance <= 0.1;
    /// [`OperatorError::NoExponentials`] if the search ends without a sum within the tolerance.
    pub fn of_power(b: f64, (shortest, longest): (f64, f64), tolerance: f64) -> Result<Self> {
        check_power(b, (shortest, longest), tolerance)?;
        // Of an exponent below rounding the kernel is constant, and its density begins beyond all numbers.
        if b * (longest / shortest).ln() < f64::EPSILON {
            return Ok(Self::single(0.0, (shortest, longest)));
        }
        let kernel = Kernel::power(b, longest / shortest, tolerance);
        let sum = Self::search(&kernel, (shortest, longest), tolerance);
        sum.map(|sum| sum.scaled(longest.powf(-b))).ok_or_else(|| {
            let (kernel, ratio) = (format!("t^-{b}"), longest / shortest);
            OperatorError::NoExponentials { kernel, ratio, tolerance }
        })
    }

    /// `E_alpha(-l t^alpha)` for `shortest <= t <= longest`: the kernel of
    /// [`AtanganaBaleanu`](crate::AtanganaBaleanu). Range: 0 < alpha <= 1, l > 0; alpha = 1 is one
    /// exponential, exact.
    ///
    /// Its density in ln p is `sin(pi alpha) / (2 pi (cosh(alpha ln p - ln l) + cos(pi alpha)))`,
    /// with poles that approach the real line as alpha rises to 1; the nodes gather there as asinh
    /// of the distance measured in theirs, so that their number does not grow.
    ///
    /// ```
    /// use hpfracc_operators::SumOfExponentials;
    /// let sum = SumOfExponentials::of_mittag_leffler(0.5, 1.0, (1e-3, 10.0), 1e-8)?;
    /// // E_{1/2}(-1) = e erfc(1)
    /// assert!((sum.value(1.0) - 0.427583576155807).abs() < 1e-8);
    /// # Ok::<(), hpfracc_operators::OperatorError>(())
    /// ```
    ///
    /// Source: Gorenflo and Mainardi, in Fractals and Fractional Calculus in Continuum Mechanics
    /// (1997) 223, DOI 10.1007/978-3-7091-2664-6_5, section 3 (the density).
    ///
    /// # Errors
    /// [`OperatorError::Parameter`] unless 0 < alpha <= 1, l is a positive normal number, the times
    /// are as for [`of_power`](Self::of_power) but at most 1e15-fold apart, and 1e-12 <= tolerance
    /// <= 0.1; [`OperatorError::NoExponentials`] if the search ends without a sum within the
    /// tolerance.
    pub fn of_mittag_leffler(
        alpha: f64,
        l: f64,
        (shortest, longest): (f64, f64),
        tolerance: f64,
    ) -> Result<Self> {
        demand(("alpha", alpha, 0.0 < alpha && alpha <= 1.0, "0 < alpha <= 1"))?;
        demand(("the factor l", l, l.is_normal() && l > 0.0, "positive"))?;
        let most = (LARGEST_RATIO_OF_MITTAG_LEFFLER, "above the shortest, at most 1e15 times");
        check_times((shortest, longest), most)?;
        let smallest = (SMALLEST_TOLERANCE_OF_MITTAG_LEFFLER, "1e-12 <= tolerance <= 0.1");
        check_tolerance(tolerance, smallest)?;
        if alpha == 1.0 {
            return Ok(Self::single(l, (shortest, longest)));
        }
        let ratio = longest / shortest;
        let kernel = Kernel::mittag_leffler(alpha, l * longest.powf(alpha), ratio, tolerance);
        let sum = kernel.and_then(|k| Self::search(&k, (shortest, longest), tolerance));
        sum.ok_or_else(|| {
            let kernel = format!("E_{alpha}(-{l} t^{alpha})");
            OperatorError::NoExponentials { kernel, ratio, tolerance }
        })
    }

    /// `exp(-lambda t)` times the kernel: every rate is larger by lambda, at no cost. The relative
    /// error stays.
    ///
    /// # Errors
    /// [`OperatorError::Parameter`] unless lambda is finite and not negative.
    pub fn tempered(mut self, lambda: f64) -> Result<Self> {
        demand(("lambda", lambda, lambda.is_finite() && lambda >= 0.0, "lambda >= 0"))?;
        self.rates.iter_mut().for_each(|p| *p += lambda);
        Ok(self)
    }

    /// The same with one exponential of rate 0 for all that do not decay within the longest time:
    /// fewer nodes, which no longer determine derivatives in the exponent.
    pub(crate) fn with_slow_ones_merged(mut self) -> Self {
        let decaying = self.rates.partition_point(|p| p * self.longest > CONSTANT);
        if decaying < self.rates.len() {
            let slow = self.weights.drain(decaying..).sum();
            self.rates.truncate(decaying);
            self.rates.push(0.0);
            self.weights.push(slow);
        }
        self
    }

    /// `factor` times the kernel.
    fn scaled(mut self, factor: f64) -> Self {
        self.weights.iter_mut().for_each(|w| *w *= factor);
        self
    }

    /// `exp(-p t)`.
    fn single(p: f64, (shortest, longest): (f64, f64)) -> Self {
        let (rates, weights) = (vec![p], vec![1.0]);
        Self { shortest, longest, rates, weights, relative_error: 0.0 }
    }

    /// The kernel with times in units of the longest.
    fn search(kernel: &Kernel, interval: (f64, f64), tolerance: f64) -> Option<Self> {
        let (shortest, longest) = interval;
        // The check is finer than the search and may find a larger error: then the search aims
        // lower.
        [1.0, 0.9, 0.7, 0.4].into_iter().find_map(|aim| {
            let rule = Rule::search(kernel, aim * ROOM * tolerance);
            let times = Times::new(kernel, rule.step / CHECKED);
            let relative_error = largest(&rule.errors(&times));
            (relative_error <= ROOM * tolerance).then(|| {
                let rates = rule.rates.iter().map(|p| p / longest).collect();
                Self { shortest, longest, rates, weights: rule.weights, relative_error }
            })
        })
    }

    /// The times (shortest, longest) between which the sum is the kernel.
    pub fn interval(&self) -> (f64, f64) {
        (self.shortest, self.longest)
    }

    /// The p_k, decreasing, in units of 1/time; none is negative.
    pub fn rates(&self) -> &[f64] {
        &self.rates
    }

    /// The w_k; all are positive.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The largest relative error found.
    pub fn relative_error(&self) -> f64 {
        self.relative_error
    }

    /// `sum_k w_k exp(-p_k t)`.
    pub fn value(&self, t: f64) -> f64 {
        self.rates.iter().zip(&self.weights).map(|(p, w)| w * (-p * t).exp()).sum()
    }

    /// `exp(-p_k h)`: the decay of each exponential over a step.
    pub fn decays(&self, h: f64) -> Vec<f64> {
        self.rates.iter().map(|p| (-p * h).exp()).collect()
    }

    /// Integrals over a cell: `int_t^(t+h) k(s) ds = sum_k cells_k exp(-p_k t)`.
    ///
    /// At t = (m-1) h this is the product rectangle's weight of lag m, and the L1 scheme's of lag
    /// m - 1 for b = alpha. Lag 1 reaches down to t = 0 and has to be exact instead.
    pub fn cells(&self, h: f64) -> Vec<f64> {
        self.each(|x, w| w * h * mean(x), h)
    }

    /// Integrals against a hat: `int_t^(t+2h) (1 - |s-t-h|/h) k(s) ds = sum_k hats_k exp(-p_k t)`.
    ///
    /// At t = (m-1) h this is the product trapezoid's weight of lag m >= 2.
    pub fn hats(&self, h: f64) -> Vec<f64> {
        self.each(|x, w| w * h * mean(x) * mean(x), h)
    }

    /// The same as [`cells`](Self::cells) with the factor s - t under the integral. Together they
    /// have the cells of `s k(s)`, of `s^(1-b)` for a power, which is not a sum of decaying
    /// exponentials.
    pub fn cell_moments(&self, h: f64) -> Vec<f64> {
        self.each(|x, w| w * h * h * moment(x), h)
    }

    /// The same as [`hats`](Self::hats) with the factor s - t under the integral.
    pub fn hat_moments(&self, h: f64) -> Vec<f64> {
        self.each(|x, w| w * h * h * 2.0 * mean(x) * moment(x), h)
    }

    /// Integrals against the later half of a hat: `int_t^(t+h) (1 - (s-t)/h) k(s) ds = sum_k
    /// falling_k exp(-p_k t)`.
    pub(crate) fn falling_cells(&self, h: f64) -> Vec<f64> {
        self.each(|x, w| w * h * (mean(x) - moment(x)), h)
    }

    fn each(&self, of: impl Fn(f64, f64) -> f64, h: f64) -> Vec<f64> {
        self.rates.iter().zip(&self.weights).map(|(p, w)| of(p * h, *w)).collect()
    }
}

fn check_power(b: f64, times: (f64, f64), tolerance: f64) -> Result<()> {
    demand(("the exponent b", b, (0.0..=2.0).contains(&b), "0 <= b <= 2"))?;
    check_times(times, (LARGEST_RATIO, "above the shortest, at most 1e200 times"))?;
    check_tolerance(tolerance, (SMALLEST_TOLERANCE, "1e-13 <= tolerance <= 0.1"))
}

fn check_times(
    (shortest, longest): (f64, f64),
    (largest_ratio, expected): (f64, &'static str),
) -> Result<()> {
    demand(("the shortest time", shortest, shortest.is_normal() && shortest > 0.0, "positive"))?;
    let fits = longest.is_normal() && shortest < longest && longest / shortest <= largest_ratio;
    demand(("the longest time", longest, fits, expected))
}

fn check_tolerance(tolerance: f64, (smallest, expected): (f64, &'static str)) -> Result<()> {
    demand(("the tolerance", tolerance, (smallest..=0.1).contains(&tolerance), expected))
}

/// `int_0^1 exp(-x u) du`.
pub(crate) fn mean(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { -(-x).exp_m1() / x }
}

/// `int_0^1 u exp(-x u) du`.
pub(crate) fn moment(x: f64) -> f64 {
    if x > 0.5 {
        return (1.0 - (-x).exp() * (1.0 + x)) / (x * x);
    }
    // sum_k (-x)^k / (k! (k+2)); 2^-16/16! is below rounding.
    let (mut sum, mut term) = (0.0, 1.0);
    for k in 0..16 {
        sum += term / f64::from(k + 2);
        term *= -x / f64::from(k + 1);
    }
    sum
}
