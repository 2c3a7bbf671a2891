use super::result::Found;
use crate::FitError;
use crate::minimise::Outcome;
use statrs::distribution::{ContinuousCDF, Normal};

/// Fewest residuals of a test.
const FEWEST: u64 = 10;
/// Probability of independent residuals below which they are called correlated, and standard errors of the autocorrelation.
const UNLIKELY: f64 = 0.01;
const FAR: f64 = 3.0;

/// Tests of the residuals for correlation between consecutive rows: of a model that is not right, or of errors that are
/// not independent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ResidualTests {
    /// Number of residuals.
    pub count: u64,
    /// Runs: consecutive residuals of the same sign.
    pub runs: u64,
    /// Expected number of runs of independent residuals.
    pub expected_runs: f64,
    /// Probability of so few runs, if residuals are independent (Wald and Wolfowitz 1940).
    pub probability: f64,
    /// Correlation of a residual with the next one. Its standard error is 1/sqrt(count).
    pub autocorrelation: f64,
}

impl ResidualTests {
    /// Whether residuals are correlated, by either test: then standard errors are too small, by the factor
    /// [`inflation`](Self::inflation) or so, and blocks of rows have to be resampled.
    pub fn are_correlated(&self) -> bool {
        self.probability < UNLIKELY || self.autocorrelation > FAR / (self.count as f64).sqrt()
    }

    /// Factor by which standard errors are too small if errors are an autoregression of order 1 and the model varies slowly:
    /// sqrt((1 + r)/(1 - r)) for the autocorrelation r.
    pub fn inflation(&self) -> f64 {
        let r = self.autocorrelation.clamp(0.0, 1.0);
        ((1.0 + r) / (1.0 - r)).sqrt()
    }
}

impl Found<'_> {
    /// Tests of the residuals in the order of the rows of each response of each set. None for fewer than 10 residuals, and for
    /// those that are rounding.
    ///
    /// Cost: a pass.
    ///
    /// # Errors
    /// [`FitError::Source`] for data that cannot be read again.
    pub fn residual_tests(&self) -> Result<Option<ResidualTests>, FitError> {
        let Some(series) = self.objective_over_ranks().series(&self.minimum.unknowns)? else {
            return Ok(None);
        };
        let (mut count, mut runs, mut expected_runs, mut variance) = (0, 0, 0.0, 0.0);
        let (mut products, mut squares) = (0.0, 0.0);
        for sums in series.iter().filter(|sums| sums.count > 0) {
            count += sums.count;
            runs += sums.runs;
            products += sums.products;
            squares += sums.squares;
            let (n, positive) = (sums.count as f64, sums.positive as f64);
            let changes = 2.0 * positive * (n - positive) / n;
            expected_runs += 1.0 + changes;
            variance += changes * (changes - 1.0) / (n - 1.0).max(1.0);
        }
        let distance = (runs as f64 + 0.5 - expected_runs) / variance.sqrt();
        let (probability, autocorrelation) = (Normal::standard().cdf(distance), products / squares);
        let tests = ResidualTests { count, runs, expected_runs, probability, autocorrelation };
        let rounding = self.outcome() == Outcome::ZeroResidual;
        let enough = count >= FEWEST && variance > 0.0 && autocorrelation.is_finite();
        Ok(Some(tests).filter(|_| enough && !rounding))
    }
}
