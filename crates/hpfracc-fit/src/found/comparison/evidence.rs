use crate::Found;
use crate::parameters::Parameter;
use crate::{FitError, Loss};
use libm::lgamma;
use statrs::distribution::{ContinuousCDF, Normal};
use std::f64::consts::{LN_2, PI, TAU};

impl Found<'_> {
    /// Logarithm of the evidence: of the probability of the data, integrated over the parameters with their priors, by
    /// Laplace's approximation at the estimates, which is exact for linear models far from bounds. The difference between two
    /// models of the same data is the logarithm of their Bayes factor.
    ///
    /// A parameter without a normal prior has a flat one between its bounds, or for one whose logarithm is fitted a flat
    /// one of its logarithm. An unknown standard deviation has the prior 1/sigma, the same for all models.
    ///
    /// Source: MacKay, Information Theory, Inference, and Learning Algorithms (2003), chapters 27 and 28.
    ///
    /// # Errors
    /// [`FitError::Undefined`] for a parameter with neither prior nor two finite bounds, for one that a bound holds, for data
    /// that do not determine a parameter, and for another loss than the squares.
    pub fn log_evidence(&self) -> Result<f64, FitError> {
        let undefined = |reason: String| FitError::Undefined { what: "the evidence", reason };
        if self.loss != Loss::Squares {
            return Err(undefined("it needs the loss of squares".to_owned()));
        }
        let all = &self.layout.parameters().all;
        let mut log_priors = 0.0;
        for (unknown, k) in self.layout.free().iter().enumerate() {
            let name = &all[*k].declared.name;
            if !self.covariance.free().contains(&unknown) {
                return Err(undefined(format!("a bound holds `{name}`")));
            }
            let prior = self.log_prior(unknown, &all[*k]).filter(|prior| prior.is_finite());
            let reason = || format!("`{name}` has neither a prior nor two finite bounds");
            log_priors += prior.ok_or_else(|| undefined(reason()))?;
        }
        // Priors of tied parameters are rows like others.
        let tied = all.iter().enumerate().filter(|(k, _)| !self.layout.free().contains(k));
        for (_, parameter) in tied {
            log_priors += parameter.prior.map_or(0.0, |(_, sd)| -(sd * TAU.sqrt()).ln());
        }
        let priors = all.iter().filter(|parameter| parameter.prior.is_some()).count();
        let (n, p) = (self.data as f64 - priors as f64, self.layout.free().len());
        let diagonal = (0..p).map(|k| self.factor().entry(k, k).abs().ln());
        let log_determinant: f64 = diagonal.sum();
        if !log_determinant.is_finite() {
            return Err(undefined("the data do not determine all parameters".to_owned()));
        }
        let (p, cost) = (p as f64, self.cost());
        let log_integral = if self.errors_are_known() {
            -0.5 * (cost + n * TAU.ln()) + 0.5 * p * TAU.ln()
        } else {
            let freedom = n - p;
            lgamma(0.5 * freedom) - 0.5 * freedom * (PI.ln() + cost.ln()) - LN_2
        };
        let evidence = log_integral - log_determinant + self.facts.log_weights + log_priors;
        let reason = || "the residuals are 0, or as many as the parameters".to_owned();
        Some(evidence).filter(|evidence| evidence.is_finite()).ok_or_else(|| undefined(reason()))
    }

    /// Logarithm of the prior density of an unknown at the estimate, but for the exponential of a normal prior, which is in
    /// the cost.
    fn log_prior(&self, unknown: usize, parameter: &Parameter) -> Option<f64> {
        let (lower, upper) = self.layout.bounds()[unknown];
        let Some((mean, sd)) = parameter.prior else { return Some(-(upper - lower).ln()) };
        // A normal density between the bounds of the parameter, and the slope of a logarithm.
        let normal = Normal::new(mean, sd).ok()?;
        let declared = &parameter.declared;
        let lowest = if declared.logarithmic { declared.lower.max(0.0) } else { declared.lower };
        let inside = normal.cdf(declared.upper) - normal.cdf(lowest);
        let slope = if declared.logarithmic { self.minimum.unknowns[unknown] } else { 0.0 };
        Some(slope - (sd * TAU.sqrt()).ln() - inside.ln())
    }
}
