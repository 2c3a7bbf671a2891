use crate::OperatorError;
use hpfracc_special::{digamma, ln_gamma, recip_gamma};

/// A power as a sum of exponentials: `t^-b = sum_k w_k exp(-p_k t)` on [shortest, longest], to a
/// relative tolerance.
///
/// With one, the memory of a convolution is one number for each k, whatever its length. The weights
/// of product rules are positive averages of the kernel, so the relative error passes to them
/// unchanged: [`cells`](Self::cells) and [`hats`](Self::hats) integrate the exponentials themselves.
///
/// Method: the trapezoidal rule for `t^-b = 1/Gamma(b) int exp(-t p) p^(b-1) dp` under
/// `p = exp(x - exp(-x)) / longest`, whose left end decays doubly exponentially. The step and the ends
/// are searched for; the result is then checked on a denser grid of times, 20 to a step and both ends
/// included: [`relative_error`](Self::relative_error) is the largest deviation found there. Between
/// its points the error may be a hundredth larger, which the search leaves room for.
///
/// Range: 0 <= b <= 2 (b = 0 is one exponential, exact). About `ln(1/tolerance) ln(8 longest/shortest)
/// / 6` nodes: 55 for b = 0.9, 1e-10 and a ratio of 1e6. Making one takes some milliseconds.
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
    b: f64,
    shortest: f64,
    longest: f64,
    rates: Vec<f64>,
    weights: Vec<f64>,
    relative_error: f64,
}

/// Below this, rounding of `exp(-p t)` is in sight.
const SMALLEST_TOLERANCE: f64 = 1e-13;

/// Share of the tolerance that is left for what lies between the points of the final check.
const ROOM: f64 = 0.98;

/// Points to a step of the rule, in log t: while searching, and for the final check.
const SEARCHED: f64 = 6.0;
const CHECKED: f64 = 20.0;

impl SumOfExponentials {
    /// `t^-b` for `shortest <= t <= longest`.
    ///
    /// # Errors
    /// [`OperatorError::Parameter`] unless 0 <= b <= 2, 0 < shortest < longest, both normal numbers
    /// whose ratio is at most 1e15, and 1e-13 <= tolerance <= 0.1;
    /// [`OperatorError::NoExponentials`] if the search ends without a sum within the tolerance.
    pub fn of_power(
        b: f64,
        (shortest, longest): (f64, f64),
        tolerance: f64,
    ) -> Result<Self, OperatorError> {
        let demands = [
            ("the exponent b", b, (0.0..=2.0).contains(&b), "0 <= b <= 2"),
            ("the shortest time", shortest, shortest.is_normal() && shortest > 0.0, "positive"),
            (
                "the longest time",
                longest,
                longest.is_normal() && shortest < longest && longest / shortest <= 1e15,
                "above the shortest, at most 1e15 times",
            ),
            (
                "the tolerance",
                tolerance,
                (SMALLEST_TOLERANCE..=0.1).contains(&tolerance),
                "1e-13 <= tolerance <= 0.1",
            ),
        ];
        if let Some((what, value, _, expected)) = demands.into_iter().find(|demand| !demand.2) {
            return Err(OperatorError::Parameter { what, value, expected });
        }
        if b == 0.0 {
            let (rates, weights) = (vec![0.0], vec![1.0]);
            return Ok(Self { b, shortest, longest, rates, weights, relative_error: 0.0 });
        }
        let ratio = longest / shortest;
        // The check is finer than the search and may find more: then the search aims lower.
        for aim in [1.0, 0.9, 0.7, 0.4] {
            let rule = Rule::search(b, ratio, aim * ROOM * tolerance);
            let times = Times::new(b, ratio, rule.step / CHECKED);
            let relative_error = largest(&rule.errors(&times));
            if relative_error <= ROOM * tolerance {
                let scale = longest.powf(-b);
                let rates = rule.rates.iter().map(|p| p / longest).collect();
                let weights = rule.weights.iter().map(|w| w * scale).collect();
                return Ok(Self { b, shortest, longest, rates, weights, relative_error });
            }
        }
        Err(OperatorError::NoExponentials { b, ratio, tolerance })
    }

    /// The exponent b.
    pub fn exponent(&self) -> f64 {
        self.b
    }

    /// The times (shortest, longest) between which the sum is the power.
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

    /// `exp(-p_k h)`: what is left of each exponential after a step.
    pub fn decays(&self, h: f64) -> Vec<f64> {
        self.rates.iter().map(|p| (-p * h).exp()).collect()
    }

    /// Integrals over a cell: `int_t^(t+h) s^-b ds = sum_k cells_k exp(-p_k t)`.
    ///
    /// At t = (m-1) h this is the product rectangle's weight of lag m, and the L1 scheme's of lag
    /// m - 1 for b = alpha. Lag 1 reaches down to t = 0 and has to be exact instead.
    pub fn cells(&self, h: f64) -> Vec<f64> {
        self.each(|x, w| w * h * mean(x), h)
    }

    /// Integrals against a hat: `int_t^(t+2h) (1 - |s-t-h|/h) s^-b ds = sum_k hats_k exp(-p_k t)`.
    ///
    /// At t = (m-1) h this is the product trapezoid's weight of lag m >= 2.
    pub fn hats(&self, h: f64) -> Vec<f64> {
        self.each(|x, w| w * h * mean(x) * mean(x), h)
    }

    /// The same as [`cells`](Self::cells) with the factor s - t under the integral. Together they
    /// have the cells of `s^(1-b)`, which is not a sum of decaying exponentials.
    pub fn cell_moments(&self, h: f64) -> Vec<f64> {
        self.each(|x, w| w * h * h * moment(x), h)
    }

    /// The same as [`hats`](Self::hats) with the factor s - t under the integral.
    pub fn hat_moments(&self, h: f64) -> Vec<f64> {
        self.each(|x, w| w * h * h * 2.0 * mean(x) * moment(x), h)
    }

    /// Integrals against the later half of a hat: `int_t^(t+h) (1 - (s-t)/h) s^-b ds = sum_k
    /// falling_k exp(-p_k t)`.
    pub(crate) fn falling_cells(&self, h: f64) -> Vec<f64> {
        self.each(|x, w| w * h * (mean(x) - moment(x)), h)
    }

    /// d(ln w_k)/db with the nodes held, as for a kernel whose exponent varies: `ln p_k - psi(b)`.
    ///
    /// # Errors
    /// [`OperatorError::Parameter`] for b = 0, whose one exponential knows nothing of other exponents,
    /// and for exponents so small that some p_k is zero in `f64`.
    pub(crate) fn logarithmic_slopes(&self) -> Result<Vec<f64>, OperatorError> {
        if self.rates.contains(&0.0) {
            let what = "the exponent b of nodes for a derivative in it";
            return Err(OperatorError::Parameter { what, value: self.b, expected: "b > 0.05" });
        }
        let psi = digamma(self.b);
        Ok(self.rates.iter().map(|p| p.ln() - psi).collect())
    }

    fn each(&self, of: impl Fn(f64, f64) -> f64, h: f64) -> Vec<f64> {
        self.rates.iter().zip(&self.weights).map(|(p, w)| of(p * h, *w)).collect()
    }
}

/// `int_0^1 exp(-x u) du`.
fn mean(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { -(-x).exp_m1() / x }
}

/// `int_0^1 u exp(-x u) du`.
fn moment(x: f64) -> f64 {
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

/// Times between 1/ratio and 1, equally far apart in log t, each with t^b.
struct Times(Vec<(f64, f64)>);

impl Times {
    fn new(b: f64, ratio: f64, distance: f64) -> Self {
        let parts = (ratio.ln() / distance).ceil();
        let at = |i: usize| ratio.powf(i as f64 / parts - 1.0);
        Self((0..=parts as usize).map(at).map(|t| (t, t.powf(b))).collect())
    }
}

/// A trapezoidal rule for `t^-b` on [1/ratio, 1].
struct Rule {
    step: f64,
    /// From the largest to the smallest.
    rates: Vec<f64>,
    weights: Vec<f64>,
}

impl Rule {
    /// A rule with few nodes whose error at the times searched is at most `tolerance`.
    fn search(b: f64, ratio: f64, tolerance: f64) -> Self {
        // Some of the tolerance goes to the step, the rest to the nodes that are left out at the ends.
        [0.3, 0.6, 0.9]
            .map(|share| {
                let step = Self::largest_step(b, ratio, tolerance, share * tolerance);
                let times = Times::new(b, ratio, step / SEARCHED);
                Self::new(b, ratio, tolerance, step).trimmed(&times, tolerance)
            })
            .into_iter()
            .min_by_key(|rule| rule.rates.len())
            .expect("there are three")
    }

    /// The largest step, as a bisection finds it, with which the rule with all nodes stays below
    /// `allowed`.
    fn largest_step(b: f64, ratio: f64, tolerance: f64, allowed: f64) -> f64 {
        // The error of the plain rule is about exp(-pi^2/step).
        let guess = std::f64::consts::PI.powi(2) / -tolerance.ln();
        let (mut small, mut large) = (0.4 * guess, 2.0 * guess);
        for _ in 0..10 {
            let step = 0.5 * (small + large);
            let times = Times::new(b, ratio, step / SEARCHED);
            let rule = Self::new(b, ratio, tolerance, step);
            if largest(&rule.errors(&times)) <= allowed { small = step } else { large = step }
        }
        small
    }

    /// The rule with all nodes that could count.
    fn new(b: f64, ratio: f64, tolerance: f64, step: f64) -> Self {
        let negligible = (0.01 * tolerance).ln();
        // Beyond, exp(-p t) is negligible for all t; below, p^b/Gamma(b+1) is.
        let last = (ratio * (3.0 - negligible)).ln();
        let first = (negligible + ln_gamma(b + 1.0).0) / b;
        let (mut rates, mut weights) = (Vec::new(), Vec::new());
        let mut x = last;
        while x - (-x).exp() >= first {
            let ln_p = x - (-x).exp();
            rates.push(ln_p.exp());
            weights.push(step * (1.0 + (-x).exp()) * (b * ln_p).exp() * recip_gamma(b));
            x -= step;
        }
        Self { step, rates, weights }
    }

    /// What a node adds at a time, relative to the power.
    fn part(&self, node: usize, (t, power): (f64, f64)) -> f64 {
        self.weights[node] * (-self.rates[node] * t).exp() * power
    }

    /// The relative error at each of the times.
    fn errors(&self, times: &Times) -> Vec<f64> {
        let sum = |&time: &_| (0..self.rates.len()).map(|node| self.part(node, time)).sum::<f64>();
        times.0.iter().map(|time| sum(time) - 1.0).collect()
    }

    /// Without the nodes at both ends that the tolerance can do without.
    fn trimmed(mut self, times: &Times, tolerance: f64) -> Self {
        let mut errors = self.errors(times);
        let mut nodes = 0..self.rates.len();
        loop {
            let without = |node: usize, errors: &[f64]| -> Vec<f64> {
                let times = times.0.iter();
                times.zip(errors).map(|(&time, error)| error - self.part(node, time)).collect()
            };
            let ends = [nodes.start, nodes.end - 1];
            let [first, last] = ends.map(|node| without(node, &errors));
            if largest(&first) <= largest(&last) && largest(&first) <= tolerance {
                (errors, nodes.start) = (first, nodes.start + 1);
            } else if largest(&last) <= tolerance {
                (errors, nodes.end) = (last, nodes.end - 1);
            } else {
                break;
            }
        }
        self.rates = self.rates[nodes.clone()].to_vec();
        self.weights = self.weights[nodes].to_vec();
        self
    }
}

fn largest(errors: &[f64]) -> f64 {
    errors.iter().fold(0.0, |largest, error| largest.max(error.abs()))
}
