//! Standard errors and intervals by a bootstrap.

use hpfracc::fit::bootstrap::{Bootstrap, Scheme};
use hpfracc::fit::{FitError, Found, ParameterRole};
use serde::Serialize;
use std::fmt;

#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(in super::super) struct BootstrapReport {
    resampled: String,
    replicates: u32,
    seed: u64,
    /// Refits without a result.
    failures: u32,
    level: f64,
    parameters: Vec<Resampled>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct Resampled {
    name: String,
    standard_error: Option<f64>,
    bias: Option<f64>,
    /// Between quantiles of the refits.
    percentile: Option<(f64, f64)>,
    studentised: Option<(f64, f64)>,
}

impl BootstrapReport {
    pub(in super::super) fn new(
        found: &Found<'_>,
        bootstrap: &Bootstrap,
        level: f64,
    ) -> Result<Self, FitError> {
        let estimates = found.estimates();
        let fitted = estimates.iter().filter(|estimate| estimate.role != ParameterRole::Fixed);
        let parameter = |name: &str| -> Result<Resampled, FitError> {
            Ok(Resampled {
                name: name.to_owned(),
                standard_error: bootstrap.standard_error(name)?,
                bias: bootstrap.bias(name)?,
                percentile: bootstrap.percentile_interval(name, level)?,
                studentised: bootstrap.studentised_interval(name, level)?,
            })
        };
        let settings = bootstrap.settings();
        Ok(Self {
            resampled: match settings.scheme {
                Scheme::Residual => "residuals".to_owned(),
                Scheme::Wild => "signs of residuals".to_owned(),
                Scheme::Pairs => "rows".to_owned(),
                Scheme::Blocks { length } => format!("blocks of {length} rows"),
            },
            replicates: bootstrap.replicates(),
            seed: settings.seed,
            failures: bootstrap.failures().all(),
            level,
            parameters: fitted
                .map(|estimate| parameter(&estimate.name))
                .collect::<Result<_, _>>()?,
        })
    }
}

impl fmt::Display for BootstrapReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { resampled, replicates, level, .. } = self;
        writeln!(f, "bootstrap: {replicates} refits to resampled {resampled}")?;
        if self.failures > 0 {
            writeln!(f, "warning: {} refits have no result", self.failures)?;
        }
        for Resampled { name, standard_error, bias, percentile, studentised } in &self.parameters {
            let number = |x: &Option<f64>| x.map_or_else(|| "-".to_owned(), |x| format!("{x:.1e}"));
            write!(
                f,
                "  {name}: standard error {}, bias {}",
                number(standard_error),
                number(bias)
            )?;
            if let Some((low, high)) = studentised.or(*percentile) {
                write!(f, ", {} % {low:.5e} to {high:.5e}", 100.0 * level)?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
