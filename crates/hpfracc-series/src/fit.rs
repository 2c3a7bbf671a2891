//! Result of every estimator.

use std::fmt;

/// The 97.5 % quantile of the normal distribution.
const QUANTILE: f64 = 1.959_963_984_540_054;

/// An estimated number.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    name: String,
    value: f64,
    standard_error: Option<f64>,
    interval: Option<(f64, f64)>,
}

impl Estimate {
    pub(crate) fn new(name: &str, value: f64, standard_error: Option<f64>) -> Self {
        let standard_error = standard_error.filter(|error| error.is_finite());
        let interval =
            standard_error.map(|error| (value - QUANTILE * error, value + QUANTILE * error));
        Self { name: name.to_owned(), value, standard_error, interval }
    }

    /// A number that is positive by definition.
    pub(crate) fn scale(name: &str, value: f64, standard_error: Option<f64>) -> Self {
        let estimate = Self::new(name, value, standard_error);
        let factor = estimate.standard_error.map(|error| (QUANTILE * error / value).exp());
        Self { interval: factor.map(|factor| (value / factor, value * factor)), ..estimate }
    }

    /// Square root of an estimated variance, 0 for a negative one.
    pub(crate) fn root(name: &str, variance: &Self) -> Self {
        let root = |x: f64| x.max(0.0).sqrt();
        let value = root(variance.value);
        let error =
            variance.standard_error.filter(|_| value > 0.0).map(|error| 0.5 * error / value);
        let interval = variance.interval.map(|(low, high)| (root(low), root(high)));
        Self { interval, ..Self::new(name, value, error) }
    }

    /// Name of the parameter.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Estimated value.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.value
    }

    /// Standard error, from the second derivatives of the log-likelihood at its maximum (observed information) or
    /// from the asymptotic distribution of the estimator. `None` at a bound and where the data do not
    /// determine the parameter.
    #[must_use]
    pub fn standard_error(&self) -> Option<f64> {
        self.standard_error
    }

    /// Interval that contains the parameter with probability 0.95: the value and 1.96 standard errors
    /// to each side, on a logarithmic axis for positive scales. That of a square root is the root of that of
    /// the variance.
    #[must_use]
    pub fn interval(&self) -> Option<(f64, f64)> {
        self.interval
    }
}

/// How an estimation ended.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Outcome {
    /// At the maximum of the likelihood, or by a formula.
    Converged,
    /// At a bound of a parameter, whose standard error has no meaning; those of the others hold for
    /// this parameter fixed.
    Bound {
        /// Name of the parameter.
        parameter: String,
    },
    /// The likelihood has no maximum that determines all parameters: it is flat in some direction.
    Flat,
    /// The minimiser stopped before the maximum.
    Steps,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Converged => f.write_str("converged"),
            Self::Bound { parameter } => write!(f, "{parameter} is at its bound"),
            Self::Flat => f.write_str("flat: the data do not determine all parameters"),
            Self::Steps => f.write_str("stopped before the maximum"),
        }
    }
}

/// Estimates with their uncertainty and how they were obtained. `Display` prints a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    pub(crate) method: String,
    pub(crate) observations: usize,
    pub(crate) estimates: Vec<Estimate>,
    pub(crate) derived: Vec<Estimate>,
    /// Row by row; NaN where there is no standard error.
    pub(crate) covariance: Vec<f64>,
    pub(crate) log_likelihood: Option<f64>,
    pub(crate) outcome: Outcome,
}

impl Fit {
    /// Name of the method.
    #[must_use]
    pub fn method(&self) -> &str {
        &self.method
    }

    /// Number of values, or of increments of tracks, that were used.
    #[must_use]
    pub fn observations(&self) -> usize {
        self.observations
    }

    /// Estimated parameters.
    #[must_use]
    pub fn estimates(&self) -> &[Estimate] {
        &self.estimates
    }

    /// Functions of the parameters: d = H - 1/2 where H is estimated and the reverse.
    #[must_use]
    pub fn derived(&self) -> &[Estimate] {
        &self.derived
    }

    /// Parameter or function of parameters with a name.
    #[must_use]
    pub fn estimate(&self, name: &str) -> Option<&Estimate> {
        self.estimates.iter().chain(&self.derived).find(|estimate| estimate.name == name)
    }

    /// Covariance of two parameters; `None` for unknown names and without standard errors.
    #[must_use]
    pub fn covariance(&self, a: &str, b: &str) -> Option<f64> {
        let place = |name: &str| self.estimates.iter().position(|estimate| estimate.name == name);
        let value = self.covariance[place(a)? * self.estimates.len() + place(b)?];
        value.is_finite().then_some(value)
    }

    /// Correlation of two parameters; `None` for unknown names and without standard errors.
    #[must_use]
    pub fn correlation(&self, a: &str, b: &str) -> Option<f64> {
        let variances = self.covariance(a, a)? * self.covariance(b, b)?;
        Some(self.covariance(a, b)? / variances.sqrt())
    }

    /// Logarithm of the maximal likelihood; `None` for methods without a likelihood. Values of
    /// [`Likelihood::Exact`](crate::Likelihood::Exact) and of Whittle's approximation cannot be
    /// compared with each other.
    #[must_use]
    pub fn log_likelihood(&self) -> Option<f64> {
        self.log_likelihood
    }

    /// How the estimation ended.
    #[must_use]
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }
}

impl fmt::Display for Fit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} observations: {}", self.method, self.observations, self.outcome)?;
        if let Some(value) = self.log_likelihood {
            write!(f, ", log-likelihood {value:.4}")?;
        }
        let wide = self.estimates.iter().chain(&self.derived).map(|e| e.name.len()).max();
        let wide = wide.unwrap_or(0).max(9);
        write!(f, "\n{:wide$} {:>12} {:>12}  95 % interval", "parameter", "value", "error")?;
        for estimate in self.estimates.iter().chain(&self.derived) {
            write!(f, "\n{:wide$} {:>12}", estimate.name, number(estimate.value))?;
            let error = estimate.standard_error.map_or("-".to_owned(), number);
            let interval = estimate.interval.map_or("-".to_owned(), |(low, high)| {
                format!("[{}, {}]", number(low), number(high))
            });
            write!(f, " {error:>12}  {interval}")?;
        }
        Ok(())
    }
}

/// Five significant digits.
fn number(x: f64) -> String {
    if x != 0.0 && x.is_finite() && !(1e-3..1e6).contains(&x.abs()) {
        return format!("{x:.4e}");
    }
    let before = if x == 0.0 { 0 } else { x.abs().log10().floor() as i32 };
    format!("{x:.*}", usize::try_from(4 - before).unwrap_or(0).min(7))
}
