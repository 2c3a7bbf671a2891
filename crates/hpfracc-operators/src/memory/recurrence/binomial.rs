use super::power::PowerNodes;
use super::{BETWEEN, ROUNDING, Request};
use crate::{Number, OperatorError, Result};
use hpfracc_special::{binomial, digamma, recip_gamma};

/// The binomial weights `(-1)^j C(beta, j)`, -1 < beta <= 1, as a sum of exponentials from the lag
/// J = ceil(beta) + 1 on: coefficients of exp(-p_k j).
///
/// ```text
/// (-1)^j C(beta, j) = 1/(Gamma(-beta) Gamma(1+beta)) int_0^inf exp(-p j) (exp(p) - 1)^beta dp,  j > beta
/// ```
///
/// exactly: Euler's beta integral. Compared with the integral for `t^-b`, b = 1 + beta, there is an
/// additional factor ((exp(p) - 1)/p)^beta that is smooth along the contour: the same nodes serve,
/// each weight times that factor. The remaining error of the trapezoidal rule is checked against
/// the binomials, at every lag up to 64 and on a grid of lags with 50 points to a step of the rule.
pub(crate) struct BinomialNodes<N> {
    /// In units of 1/step.
    pub(crate) rates: Vec<f64>,
    pub(crate) coefficients: Vec<N>,
    pub(crate) relative_error: f64,
    beta: f64,
}

impl<N: Number> BinomialNodes<N> {
    /// # Errors
    /// Those of [`PowerNodes::new`], and [`OperatorError::NoExponentials`] if no nodes are within
    /// the tolerance.
    pub(crate) fn new(beta: N, request: Request) -> Result<Self> {
        for aim in [1.0, 0.7, 0.4, 0.2, 0.1] {
            let tolerance = (aim * request.tolerance).max(1e-13);
            let power = PowerNodes::new(beta + 1.0, Request { tolerance, ..request })?;
            let mut nodes = Self::of(beta, &power);
            nodes.relative_error = BETWEEN * nodes.largest_error(request) + ROUNDING;
            if nodes.relative_error <= request.tolerance {
                return Ok(nodes);
            }
        }
        let (kernel, ratio) = (format!("the binomials of {}", beta.value()), request.lags().1);
        Err(OperatorError::NoExponentials { kernel, ratio, tolerance: request.tolerance })
    }

    fn of(beta: N, power: &PowerNodes<N>) -> Self {
        let factor = recip_gamma_of_minus(beta);
        let rates = power.sum.rates().to_vec();
        let each = rates.iter().zip(power.weights());
        let coefficients = each.map(|(p, w)| factor * w * (beta * growth(*p)).exp()).collect();
        Self { rates, coefficients, relative_error: 0.0, beta: beta.value() }
    }

    /// The largest relative error at the lags checked.
    fn largest_error(&self, request: Request) -> f64 {
        let first = self.first_lag() as u64;
        let last = request.longest.max(first);
        // The step of the rule is pi^2/ln(1/tolerance) or less.
        let distance = 9.8 / (50.0 * -request.tolerance.ln());
        let parts = ((last as f64).ln() / distance).ceil().max(1.0);
        let spread = (0..=parts as usize).map(|i| (last as f64).powf(i as f64 / parts) as u64);
        let lags = (first..first + 64).chain(spread).filter(|lag| (first..=last).contains(lag));
        lags.map(|lag| self.error(lag)).fold(0.0, f64::max)
    }

    fn error(&self, lag: u64) -> f64 {
        let Ok(k) = usize::try_from(lag) else { return f64::INFINITY };
        let sign = if lag.is_multiple_of(2) { 1.0 } else { -1.0 };
        let exact = sign * binomial(self.beta, k);
        if exact == 0.0 {
            return self.coefficients.iter().fold(0.0, |m: f64, c| m.max(c.value().abs()));
        }
        let nodes = self.rates.iter().zip(&self.coefficients);
        let sum: f64 = nodes.map(|(p, c)| c.value() * (-p * lag as f64).exp()).sum();
        (sum / exact - 1.0).abs()
    }

    /// J: the first lag of the sum.
    pub(crate) fn first_lag(&self) -> usize {
        self.beta.ceil().max(0.0) as usize + 1
    }

    /// `(p_k, c_k exp(-p_k J))`.
    pub(crate) fn at_first_lag(&self) -> Vec<(f64, N)> {
        let lag = self.first_lag() as f64;
        let nodes = self.rates.iter().zip(&self.coefficients);
        nodes.map(|(p, c)| (*p, *c * (-p * lag).exp())).collect()
    }
}

/// ln((exp(p) - 1)/p).
fn growth(p: f64) -> f64 {
    if p == 0.0 { 0.0 } else { (p.exp_m1() / p).ln() }
}

/// 1/Gamma(-beta), smooth across the poles of Gamma: 1/Gamma(x) = x (x+1) / Gamma(x+2).
fn recip_gamma_of_minus<N: Number>(beta: N) -> N {
    (-beta).chain(
        |x| x * (x + 1.0) * recip_gamma(x + 2.0),
        |x, _| (2.0 * x + 1.0 - x * (x + 1.0) * digamma(x + 2.0)) * recip_gamma(x + 2.0),
    )
}
