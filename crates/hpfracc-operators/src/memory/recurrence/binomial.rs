use super::power::PowerNodes;
use super::{Asked, BETWEEN, ROUNDING};
use crate::OperatorError;
use hpfracc_special::{binomial, digamma, recip_gamma};

/// The binomial weights `(-1)^j C(beta, j)`, -1 < beta <= 1, as a sum of exponentials from the lag J =
/// ceil(beta) + 1 on: coefficients of exp(-p_k j).
///
/// ```text
/// (-1)^j C(beta, j) = 1/(Gamma(-beta) Gamma(1+beta)) int_0^inf exp(-p j) (exp(p) - 1)^beta dp,  j > beta
/// ```
///
/// exactly, which is Euler's beta integral. Beside the integral for `t^-b`, b = 1 + beta, there is a
/// factor ((exp(p) - 1)/p)^beta that is smooth along the contour: the same nodes serve, each weight
/// times that factor. What the trapezoidal rule then leaves is checked against the binomials, at every
/// lag up to 64 and on a grid of lags with 50 points to a step of the rule.
pub(crate) struct BinomialNodes {
    /// In units of 1/step.
    pub(crate) rates: Vec<f64>,
    pub(crate) coefficients: Vec<f64>,
    pub(crate) relative_error: f64,
    beta: f64,
    power: PowerNodes,
}

impl BinomialNodes {
    pub(crate) fn new(beta: f64, asked: Asked) -> Result<Self, OperatorError> {
        let b = 1.0 + beta;
        for aim in [1.0, 0.7, 0.4, 0.2, 0.1] {
            let tolerance = (aim * asked.tolerance).max(1e-13);
            let power = PowerNodes::new(b, Asked { tolerance, ..asked })?;
            let mut nodes = Self::of(beta, power);
            nodes.relative_error = BETWEEN * nodes.largest_error(beta, asked) + ROUNDING;
            if nodes.relative_error <= asked.tolerance {
                return Ok(nodes);
            }
        }
        let (kernel, ratio) = (format!("the binomials of {beta}"), asked.lags().1);
        Err(OperatorError::NoExponentials { kernel, ratio, tolerance: asked.tolerance })
    }

    fn of(beta: f64, power: PowerNodes) -> Self {
        let sum = &power.sum;
        let (factor, _) = recip_gamma_of_minus(beta);
        let each = sum.rates().iter().zip(sum.weights());
        let coefficients = each.map(|(p, w)| factor * w * (beta * growth(*p)).exp()).collect();
        Self { rates: sum.rates().to_vec(), coefficients, relative_error: 0.0, beta, power }
    }

    /// d/d beta of the coefficients, with the nodes held.
    ///
    /// # Errors
    /// Those of [`PowerNodes::logarithmic_slopes`].
    pub(crate) fn slopes(&self) -> Result<Vec<f64>, OperatorError> {
        let (factor, factor_slope) = recip_gamma_of_minus(self.beta);
        let (slopes, sum) = (self.power.logarithmic_slopes()?, &self.power.sum);
        let each = sum.rates().iter().zip(sum.weights()).zip(slopes);
        let slope = |((p, w), slope): ((&f64, &f64), f64)| {
            let growth = growth(*p);
            w * (self.beta * growth).exp() * (factor * (slope + growth) + factor_slope)
        };
        Ok(each.map(slope).collect())
    }

    /// The largest relative error at the lags checked.
    fn largest_error(&self, beta: f64, asked: Asked) -> f64 {
        let first = self.first_lag() as u64;
        let last = asked.longest.max(first);
        // The step of the rule is pi^2/ln(1/tolerance) or less.
        let distance = 9.8 / (50.0 * -asked.tolerance.ln());
        let parts = ((last as f64).ln() / distance).ceil().max(1.0);
        let spread = (0..=parts as usize).map(|i| (last as f64).powf(i as f64 / parts) as u64);
        let lags = (first..first + 64).chain(spread).filter(|lag| (first..=last).contains(lag));
        lags.map(|lag| self.error(beta, lag)).fold(0.0, f64::max)
    }

    fn error(&self, beta: f64, lag: u64) -> f64 {
        let Ok(k) = usize::try_from(lag) else { return f64::INFINITY };
        let sign = if lag.is_multiple_of(2) { 1.0 } else { -1.0 };
        let exact = sign * binomial(beta, k);
        if exact == 0.0 {
            return self.coefficients.iter().fold(0.0, |m: f64, c| m.max(c.abs()));
        }
        let nodes = self.rates.iter().zip(&self.coefficients);
        let sum: f64 = nodes.map(|(p, c)| c * (-p * lag as f64).exp()).sum();
        (sum / exact - 1.0).abs()
    }

    /// J: the first lag of the sum.
    pub(crate) fn first_lag(&self) -> usize {
        self.beta.ceil().max(0.0) as usize + 1
    }

    /// `(p_k, c_k exp(-p_k J))` for coefficients c_k.
    pub(crate) fn at_first_lag(&self, coefficients: &[f64]) -> Vec<(f64, f64)> {
        let lag = self.first_lag() as f64;
        self.rates.iter().zip(coefficients).map(|(p, c)| (*p, c * (-p * lag).exp())).collect()
    }
}

/// ln((exp(p) - 1)/p).
fn growth(p: f64) -> f64 {
    if p == 0.0 { 0.0 } else { (p.exp_m1() / p).ln() }
}

/// 1/Gamma(-beta) and its derivative in beta, which are smooth across the poles of Gamma.
fn recip_gamma_of_minus(beta: f64) -> (f64, f64) {
    // 1/Gamma(x) = x (x+1) / Gamma(x+2)
    let x = -beta;
    let (r, psi) = (recip_gamma(x + 2.0), digamma(x + 2.0));
    (x * (x + 1.0) * r, -(2.0 * x + 1.0 - x * (x + 1.0) * psi) * r)
}
