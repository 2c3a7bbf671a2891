use super::result::Found;
use crate::FitError;
use crate::parameters::Role;
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// Estimate of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// Name.
    pub name: String,
    /// Unit.
    pub unit: Option<String>,
    /// Value.
    pub value: f64,
    /// Standard error: none for a fixed parameter, for one that a bound holds, and where the data do not determine it.
    pub standard_error: Option<f64>,
    /// Whether it is free, fixed or tied.
    pub role: ParameterRole,
    /// Bound that holds the parameter.
    pub held: Option<HeldBy>,
}

/// What a parameter does in a fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterRole {
    /// Fitted.
    Free,
    /// At a given value.
    Fixed,
    /// Expression of others.
    Tied,
}

/// Bound that holds a parameter. A symmetric standard error has no meaning there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum HeldBy {
    /// Lower bound, with the derivative of half of the cost (multiplier): how strongly the data push.
    Lower {
        /// Multiplier.
        multiplier: f64,
    },
    /// Upper bound.
    Upper {
        /// Multiplier.
        multiplier: f64,
    },
}

impl Found<'_> {
    /// Estimates of all parameters.
    pub fn estimates(&self) -> Vec<Estimate> {
        let values = self.values();
        (0..values.len()).map(|k| self.estimate_of(k, values[k])).collect()
    }

    /// Estimate of a parameter.
    pub fn estimate(&self, name: &str) -> Option<Estimate> {
        let k = self.layout.parameters().index(name).ok()?;
        Some(self.estimate_of(k, self.values()[k]))
    }

    fn estimate_of(&self, k: usize, value: f64) -> Estimate {
        let parameter = &self.layout.parameters().all[k];
        let role = match parameter.role {
            Role::Free => ParameterRole::Free,
            Role::Fixed => ParameterRole::Fixed,
            Role::Tied(_) => ParameterRole::Tied,
        };
        let held = self.held(k);
        let none = role == ParameterRole::Fixed || held.is_some();
        Estimate {
            name: parameter.declared.name.clone(),
            unit: parameter.declared.unit.clone(),
            value,
            standard_error: if none { None } else { self.standard_error(k) },
            role,
            held,
        }
    }

    fn held(&self, k: usize) -> Option<HeldBy> {
        let unknown = self.layout.free().iter().position(|free| *free == k)?;
        if self.covariance.free().contains(&unknown) {
            return None;
        }
        let (lower, _) = self.layout.bounds()[unknown];
        let multiplier = self.factor().product(unknown, self.minimum.unknowns.len()).abs();
        let at_lower = self.minimum.unknowns[unknown] <= lower;
        Some(if at_lower { HeldBy::Lower { multiplier } } else { HeldBy::Upper { multiplier } })
    }

    /// Standard error of a parameter: none for a fixed one, for one that a bound holds, and where the data do not determine it.
    pub(crate) fn standard_error(&self, k: usize) -> Option<f64> {
        let square: f64 = self.covariance.of_parameter(k)?.iter().map(|x| x * x).sum();
        Some((square * self.covariance_unit()).sqrt()).filter(|error| error.is_finite())
    }

    /// Covariance of two parameters; None where one has no standard error.
    ///
    /// # Errors
    /// [`FitError::UnknownParameter`].
    pub fn covariance(&self, a: &str, b: &str) -> Result<Option<f64>, FitError> {
        let (a, b) = (self.layout.parameters().index(a)?, self.layout.parameters().index(b)?);
        let (a, b) = (self.covariance.of_parameter(a), self.covariance.of_parameter(b));
        let product = |a: Vec<f64>, b: Vec<f64>| a.iter().zip(&b).map(|(a, b)| a * b).sum::<f64>();
        Ok(a.zip(b).map(|(a, b)| product(a, b) * self.covariance_unit()).filter(|c| c.is_finite()))
    }

    /// Correlation of two parameters.
    ///
    /// # Errors
    /// [`FitError::UnknownParameter`].
    pub fn correlation(&self, a: &str, b: &str) -> Result<Option<f64>, FitError> {
        let (of_a, of_b) = (self.covariance(a, a)?, self.covariance(b, b)?);
        let scale = of_a.zip(of_b).map(|(a, b)| (a * b).sqrt()).filter(|scale| *scale > 0.0);
        Ok(self.covariance(a, b)?.zip(scale).map(|(covariance, scale)| covariance / scale))
    }

    /// Quantile of the t distribution, or of the normal one where the errors are known, for a two-sided interval.
    pub(super) fn quantile(&self, level: f64) -> Result<f64, FitError> {
        if !(level > 0.0 && level < 1.0) {
            let what = "the level of an interval";
            return Err(FitError::OutOfRange {
                what,
                value: level,
                expected: "a number between 0 and 1",
            });
        }
        let tail = 0.5 + 0.5 * level;
        let freedom = self.degrees_of_freedom() as f64;
        let student = StudentsT::new(0.0, 1.0, freedom).ok().filter(|_| !self.errors_are_known());
        let normal = Normal::standard();
        Ok(student.map_or_else(|| normal.inverse_cdf(tail), |student| student.inverse_cdf(tail)))
    }

    /// Interval `value +- t standard_error` of a parameter; None without a standard error.
    ///
    /// # Errors
    /// [`FitError::UnknownParameter`], and [`FitError::OutOfRange`] for a level that is not between 0 and 1.
    pub fn interval(&self, name: &str, level: f64) -> Result<Option<(f64, f64)>, FitError> {
        let k = self.layout.parameters().index(name)?;
        let estimate = self.estimate_of(k, self.values()[k]);
        let quantile = self.quantile(level)?;
        let half =
            |error: f64| (estimate.value - quantile * error, estimate.value + quantile * error);
        Ok(estimate.standard_error.map(half))
    }
}
