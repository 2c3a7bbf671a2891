//! Comparison of models of the same data.

mod cross_validation;
mod evidence;

pub use cross_validation::CrossValidation;

use crate::FitError;
use crate::Found;
use statrs::distribution::{ContinuousCDF, FisherSnedecor};
use std::f64::consts::TAU;

/// Information criteria: smaller is better, for models of the same data.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Criteria {
    /// Logarithm of the largest likelihood of normal errors.
    pub log_likelihood: f64,
    /// Akaike.
    pub aic: f64,
    /// Akaike, corrected for few data; infinite where these are too few.
    pub aicc: f64,
    /// Schwarz (Bayes).
    pub bic: f64,
}

impl Found<'_> {
    /// Information criteria of normal errors. An estimated variance counts as a parameter. None for another loss than the
    /// squares, which belongs to no likelihood.
    pub fn criteria(&self) -> Option<Criteria> {
        if self.moments.is_some() {
            return None;
        }
        let (n, known) = (self.data as f64, self.errors_are_known());
        let variance = if known { 1.0 } else { self.cost() / n };
        let log_likelihood =
            -0.5 * (self.cost() / variance + n * (TAU * variance).ln()) + self.facts.log_weights;
        let k = self.covariance.free().len() as f64 + if known { 0.0 } else { 1.0 };
        let aic = 2.0 * k - 2.0 * log_likelihood;
        let rest = n - k - 1.0;
        let aicc = if rest > 0.0 { aic + 2.0 * k * (k + 1.0) / rest } else { f64::INFINITY };
        Some(Criteria { log_likelihood, aic, aicc, bic: k * n.ln() - 2.0 * log_likelihood })
    }

    /// p-value of the F test of this model against a smaller one that it contains: the probability of a decrease of the cost
    /// as large as found if the smaller model is right.
    ///
    /// # Errors
    /// [`FitError::OutOfRange`] if the other fit has other data or not fewer free parameters.
    pub fn f_test(&self, smaller: &Found<'_>) -> Result<f64, FitError> {
        if smaller.data != self.data {
            let (what, expected) =
                ("the number of data of the smaller model", "that of the larger model");
            return Err(FitError::OutOfRange { what, value: smaller.data as f64, expected });
        }
        let (p, q) = (self.covariance.free().len(), smaller.covariance.free().len());
        let freedom = self.degrees_of_freedom() as f64;
        let distribution = FisherSnedecor::new(p as f64 - q as f64, freedom);
        let Some(distribution) = distribution.ok().filter(|_| p > q) else {
            let what = "the number of free parameters of the smaller model";
            return Err(FitError::OutOfRange {
                what,
                value: q as f64,
                expected: "fewer than in the larger model",
            });
        };
        let ratio = (smaller.cost() - self.cost()) / (p - q) as f64 / (self.cost() / freedom);
        Ok(distribution.sf(ratio.max(0.0)))
    }
}
