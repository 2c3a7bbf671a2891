//! Operators as sums of exponentials.

mod binomial;
#[cfg(feature = "serde")]
mod bits;
mod power;
mod rules;

pub(crate) use binomial::BinomialNodes;
pub(crate) use power::PowerNodes;
pub(crate) use rules::{of_slopes, one_step_on};

use crate::error::demand;
use crate::{Number, Result, SumOfExponentials};
use hpfracc_types::Grid;

/// An operator on uniform steps by its states instead of its past: a few exact weights and a sum of
/// exponentials.
///
/// ```text
/// s[n] = backward difference of order q of f, which before the first sample is 0 or f_0
/// y[n] = sum_{j < J} near_j s[n-j] + sum_{j >= J} w_j s[n-j] + f_0 start_n
/// w_j  = sum_k c_k (1 - r_k)^(j-J),      start_n = sum_k c_k e_k (1 - r_k)^(n-J)  for n >= J
/// ```
///
/// So n samples need K numbers, whatever n is: from `z_k = s_0 + e_k f_0` after the first J
/// samples, `z_k <- z_k + (s - r_k z_k)` with s delayed by J. The rate `r_k = -expm1(-p_k h)` is
/// stored and not the decay `1 - r_k`, which loses its digits in `f32` where the memory is long.
///
/// Accuracy: each weight `w_j` and each `start_n` is right relative to its own size within
/// [`relative_error`](Self::relative_error), and so is a result relative to
/// `sum_j |w_j s[n-j]| + |f_0 start_n|`; rounding of states and sums adds to it. It holds for time
/// series of up to [`longest`](Self::longest) samples.
///
/// [`Operator::recurrence`](crate::Operator::recurrence) makes one, in some milliseconds; about
/// `ln(1/tolerance) ln(8 longest) / 6` nodes. [`Stream`](crate::Stream) runs it sample by sample
/// and
/// [`Operator::on_exponentials`](crate::Operator::on_exponentials) over a whole time series.
///
/// With the feature `serde` it is written bit for bit, its numbers as the whole numbers that
/// [`f64::to_bits`] gives: neither a text format nor another computer changes a resumed stream.
///
/// ```
/// use hpfracc_operators::{Caputo, Operator};
/// use hpfracc_types::Order;
///
/// let half = Caputo::l1(Order::new(0.5)?)?.recurrence(1.0, 1_000_000, 1e-8)?;
/// assert!(half.relative_error() <= 1e-8 && half.rates().len() < 50);
/// // ((j+1)^1/2 - j^1/2) / Gamma(3/2), here at j = 99
/// let weight = (10.0 - 99f64.sqrt()) / (std::f64::consts::PI.sqrt() / 2.0);
/// assert!((half.weight(99) / weight - 1.0).abs() < 1e-8);
/// # Ok::<(), hpfracc_operators::OperatorError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Recurrence<N = f64> {
    dt: f64,
    longest: u64,
    relative_error: f64,
    differences: usize,
    before: Before,
    near: Vec<N>,
    rates: Vec<f64>,
    coefficients: Vec<N>,
    start: Option<Start<N>>,
}

/// The value of f before the first sample, for its first differences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Before {
    /// Zero: the first difference is f_0.
    Zero,
    /// f_0: the first difference is zero.
    Held,
}

/// The contribution of f_0 at the start.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Start<N = f64> {
    /// `start_n` for n < J.
    pub(crate) outputs: Vec<N>,
    /// `e_k`.
    pub(crate) states: Vec<f64>,
}

/// The requested step, length and accuracy of a [`Recurrence`], in the ranges of
/// [`Operator::recurrence`](crate::Operator::recurrence).
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Request {
    /// Step.
    pub dt: f64,
    /// Samples of the longest time series.
    pub longest: u64,
    /// Largest relative error of each weight.
    pub tolerance: f64,
}

/// Contribution of rounding to the relative error of a weight: that of the coefficients, of the
/// rates and of the power of a decay.
pub(crate) const ROUNDING: f64 = 1e-14;

/// Factor by which an error may be larger between the points of a check.
pub(crate) const BETWEEN: f64 = 1.02;

/// Largest number of samples: `f64` cannot represent larger numbers, nor is the sum of exponentials
/// accurate.
const LONGEST: u64 = 1_000_000_000_000_000;

impl Request {
    /// Checks the step, the length and the tolerance.
    pub(crate) fn new(dt: f64, longest: u64, tolerance: f64) -> Result<Self> {
        let n = longest as f64;
        let demands = [
            ("the longest time series", n, (1..=LONGEST).contains(&longest), "1 to 1e15 samples"),
            (
                "the tolerance of a recurrence",
                tolerance,
                (1e-12..=0.1).contains(&tolerance),
                "1e-12 <= tolerance <= 0.1",
            ),
        ];
        // The same requirement as a grid's.
        let _ = Grid::uniform(2, dt)?;
        demands.into_iter().try_for_each(demand)?;
        Ok(Self { dt, longest, tolerance })
    }

    /// The tolerance of a sum of exponentials, reduced by the margin of the bound.
    pub(crate) fn aim(&self) -> f64 {
        0.97 * self.tolerance
    }

    /// The bound for weights computed from a sum of exponentials.
    pub(crate) fn bound(sum: &SumOfExponentials) -> f64 {
        BETWEEN * sum.relative_error() + ROUNDING
    }

    /// The interval of lags, in units of the step, on which a kernel has to be accurate: from one
    /// step to the end of the last cell.
    pub(crate) fn lags(&self) -> (f64, f64) {
        (1.0, self.longest.max(2) as f64)
    }
}

impl<N: Number> Recurrence<N> {
    /// Exact weights of the first lags, then `sum_k c_k exp(-p_k (j-J))` for the nodes (p_k, c_k),
    /// p_k in units of 1/step.
    pub(crate) fn new(
        request: Request,
        relative_error: f64,
        near: Vec<N>,
        nodes: impl IntoIterator<Item = (f64, N)>,
    ) -> Self {
        let Request { dt, longest, .. } = request;
        let (mut rates, mut coefficients): (Vec<f64>, Vec<N>) =
            nodes.into_iter().map(|(p, c)| (-(-p).exp_m1(), c)).unzip();
        if rates.is_empty() {
            // Without a memory: one node of weight zero.
            (rates, coefficients) = (vec![1.0], vec![N::constant(0.0)]);
        }
        Self {
            dt,
            longest,
            relative_error,
            differences: 0,
            before: Before::Zero,
            near,
            rates,
            coefficients,
            start: None,
        }
    }

    /// The same for backward differences of the samples.
    pub(crate) fn of_differences(self, differences: usize, before: Before) -> Self {
        Self { differences, before, ..self }
    }

    /// The same with the contribution of f_0 at the start.
    pub(crate) fn with_start(self, outputs: Vec<N>, states: Vec<f64>) -> Self {
        Self { start: Some(Start { outputs, states }), ..self }
    }

    /// The same plus `identity f`, for a recurrence of values.
    pub(crate) fn with_identity(mut self, identity: N) -> Self {
        self.near[0] = self.near[0] + identity;
        self
    }

    /// `factor` times the same operator.
    pub(crate) fn scaled(self, factor: N) -> Self {
        self.map(|w| w * factor)
    }

    pub(crate) fn map<M>(self, f: impl Fn(N) -> M + Copy) -> Recurrence<M> {
        let each = |numbers: Vec<N>| numbers.into_iter().map(f).collect();
        let start =
            self.start.map(|start| Start { outputs: each(start.outputs), states: start.states });
        Recurrence {
            dt: self.dt,
            longest: self.longest,
            relative_error: self.relative_error,
            differences: self.differences,
            before: self.before,
            near: each(self.near),
            rates: self.rates,
            coefficients: each(self.coefficients),
            start,
        }
    }
}

impl Recurrence {
    /// The step.
    pub fn dt(&self) -> f64 {
        self.dt
    }

    /// Largest number of samples for which the bound holds; a stream refuses more.
    pub fn longest(&self) -> u64 {
        self.longest
    }

    /// Bound of the relative error of every weight.
    pub fn relative_error(&self) -> f64 {
        self.relative_error
    }

    /// q: order of the backward difference of the samples.
    pub fn differences(&self) -> usize {
        self.differences
    }

    /// The exact weights of the lags 0 .. J.
    pub fn near(&self) -> &[f64] {
        &self.near
    }

    /// The rates r_k: the relative decay of a state in a step. Their number is K.
    pub fn rates(&self) -> &[f64] {
        &self.rates
    }

    /// The coefficients c_k.
    pub fn coefficients(&self) -> &[f64] {
        &self.coefficients
    }

    /// Weight of a lag.
    pub fn weight(&self, lag: u64) -> f64 {
        match usize::try_from(lag).ok().and_then(|lag| self.near.get(lag)) {
            Some(near) => *near,
            None => self.far(lag - self.near.len() as u64, |_| 1.0),
        }
    }

    /// The contribution of f_0 to `y[n]` in addition to the weights.
    pub fn start(&self, n: u64) -> f64 {
        let Some(start) = &self.start else { return 0.0 };
        match usize::try_from(n).ok().and_then(|n| start.outputs.get(n)) {
            Some(output) => *output,
            None => self.far(n - self.near.len() as u64, |k| start.states[k]),
        }
    }

    /// `sum_k c_k factor_k (1 - r_k)^steps`.
    fn far(&self, steps: u64, factor: impl Fn(usize) -> f64) -> f64 {
        let fading =
            |rate: f64| if steps == 0 { 1.0 } else { (steps as f64 * (-rate).ln_1p()).exp() };
        let nodes = self.coefficients.iter().zip(&self.rates).enumerate();
        nodes.map(|(k, (c, rate))| c * factor(k) * fading(*rate)).sum()
    }

    pub(crate) fn before(&self) -> Before {
        self.before
    }

    pub(crate) fn start_parts(&self) -> Option<&Start> {
        self.start.as_ref()
    }

    /// `[d, r_0 .. , c_0 ..]`: the kernel of a [`Workload::Recurrence`](hpfracc_backend::Workload)
    /// whose input is the differences delayed by J - 1.
    pub(crate) fn kernel(&self) -> Vec<f64> {
        let d = self.near.last().copied().unwrap_or(0.0);
        [&[d], &self.rates[..], &self.coefficients[..]].concat()
    }
}
