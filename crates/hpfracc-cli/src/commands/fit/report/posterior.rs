//! Statistics of draws from the posterior distribution.

use hpfracc::fit::sample::Posterior;
use serde::Serialize;
use std::fmt;

#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(in super::super) struct PosteriorReport {
    chains: usize,
    /// Draws of a chain.
    draws: usize,
    /// Whether the statistics can be believed.
    converged: bool,
    reasons: Vec<String>,
    gradients: u64,
    level: f64,
    parameters: Vec<Drawn>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct Drawn {
    name: String,
    mean: f64,
    standard_deviation: f64,
    median: f64,
    interval: (f64, f64),
    r_hat: f64,
    effective_size: f64,
}

impl PosteriorReport {
    pub(in super::super) fn new(posterior: &Posterior, level: f64) -> Self {
        let parameter = |k: usize| {
            let summary = posterior.summary(k);
            let quantile = |p: f64| posterior.quantile(k, p).0;
            Drawn {
                name: posterior.names()[k].clone(),
                mean: summary.mean,
                standard_deviation: summary.standard_deviation,
                median: quantile(0.5),
                interval: (quantile(0.5 - 0.5 * level), quantile(0.5 + 0.5 * level)),
                r_hat: summary.r_hat,
                effective_size: summary.bulk_ess.min(summary.tail_ess),
            }
        };
        let reasons = posterior.converged().err().map(|error| error.reasons).unwrap_or_default();
        Self {
            chains: posterior.chains(),
            draws: posterior.draws(),
            converged: reasons.is_empty(),
            reasons: reasons.iter().map(ToString::to_string).collect(),
            gradients: posterior.gradients(),
            level,
            parameters: (0..posterior.dim()).map(parameter).collect(),
        }
    }
}

impl fmt::Display for PosteriorReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.converged { "converged" } else { "not converged" };
        let Self { chains, draws, .. } = self;
        writeln!(f, "posterior distribution: {chains} chains of {draws} draws, {verdict}")?;
        for reason in &self.reasons {
            writeln!(f, "warning: {reason}")?;
        }
        for drawn in &self.parameters {
            let Drawn { name, mean, standard_deviation, interval: (low, high), .. } = drawn;
            writeln!(
                f,
                "  {name}: mean {mean:.5e}, standard deviation {standard_deviation:.1e}, {} % {low:.5e} to {high:.5e}, R-hat {:.3}, \
                 {:.0} effective draws",
                100.0 * self.level,
                drawn.r_hat,
                drawn.effective_size
            )?;
        }
        Ok(())
    }
}
