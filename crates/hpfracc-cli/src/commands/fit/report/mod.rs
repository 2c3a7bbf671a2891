//! Report of a fit, as text and as JSON.

mod bootstrap;
pub(super) mod comparison;
mod posterior;

pub(super) use bootstrap::BootstrapReport;
pub(super) use comparison::ModelReport;
pub(super) use posterior::PosteriorReport;

use super::task::Task;
use crate::Error;
use crate::error::FittingError;
use crate::output::json;
use hpfracc::fit::{Criteria, Estimate, Found, HeldBy, ParameterRole, Profile};
use serde::Serialize;
use std::fmt;

/// Correlation from which a pair of parameters is named.
const CORRELATED: f64 = 0.9;

#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Report {
    formula: String,
    data: String,
    outcome: String,
    parameters: Vec<Parameter>,
    derived: Vec<Derived>,
    correlations: Vec<Correlation>,
    profiles: Vec<Interval>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bootstrap: Option<BootstrapReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    posterior: Option<PosteriorReport>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    models: Vec<ModelReport>,
    warnings: Vec<String>,
    number_of_data: u64,
    rows_skipped: u64,
    degrees_of_freedom: u64,
    cost: f64,
    standard_deviation: f64,
    errors: &'static str,
    level: f64,
    criteria: Option<InformationCriteria>,
    passes: usize,
    #[serde(skip)]
    text: String,
}

/// Computations that follow a fit.
#[derive(Debug, Default)]
pub(super) struct Extras {
    pub(super) profiles: Vec<(String, Profile)>,
    pub(super) bootstrap: Option<BootstrapReport>,
    pub(super) posterior: Option<PosteriorReport>,
    /// This model and others, if there are any.
    pub(super) models: Vec<ModelReport>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct Parameter {
    name: String,
    value: f64,
    standard_error: Option<f64>,
    interval: Option<(f64, f64)>,
    unit: Option<String>,
    /// `free`, `fixed`, `tied`, `at its lower bound` or `at its upper bound`.
    role: &'static str,
    multiplier: Option<f64>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct Derived {
    name: String,
    value: f64,
    standard_error: Option<f64>,
}

/// Information criteria, which a loss other than the squares does not have.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct InformationCriteria {
    log_likelihood: f64,
    aic: f64,
    /// None for too few data.
    aicc: Option<f64>,
    bic: f64,
}

impl From<Criteria> for InformationCriteria {
    fn from(criteria: Criteria) -> Self {
        let Criteria { log_likelihood, aic, aicc, bic } = criteria;
        Self { log_likelihood, aic, aicc: Some(aicc).filter(|aicc| aicc.is_finite()), bic }
    }
}

#[derive(Debug, Serialize)]
struct Correlation {
    pair: [String; 2],
    correlation: f64,
}

/// Interval of a profile; an open end is null.
#[derive(Debug, Serialize)]
struct Interval {
    name: String,
    low: Option<f64>,
    high: Option<f64>,
    /// Smaller cost that the profile met: the fit is not at the least minimum.
    lower_cost: Option<f64>,
}

impl Report {
    pub(super) fn new(task: &Task, found: &Found<'_>, extras: Extras) -> Result<Self, Error> {
        Self::of(task, found, extras).map_err(|error| FittingError::from(error).into())
    }

    fn of(task: &Task, found: &Found<'_>, extras: Extras) -> Result<Self, hpfracc::fit::FitError> {
        let level = task.settings.level();
        let parameters = found
            .estimates()
            .into_iter()
            .map(|estimate| {
                let interval = found.interval(&estimate.name, level)?;
                Ok(Parameter::new(estimate, interval))
            })
            .collect::<Result<_, hpfracc::fit::FitError>>()?;
        let derived = task.settings.derived.iter().map(|(name, expression)| {
            let (value, standard_error) = found.derived(expression)?;
            Ok(Derived { name: name.clone(), value, standard_error })
        });
        let derived = derived.collect::<Result<_, hpfracc::fit::FitError>>()?;
        let mut correlations = vec![];
        let names = found.names();
        for (k, a) in names.iter().enumerate() {
            for b in &names[k + 1..] {
                if let Some(correlation) = found.correlation(a, b)?
                    && correlation.abs() > CORRELATED
                {
                    let pair = [a, b].map(|name| (*name).to_owned());
                    correlations.push(Correlation { pair, correlation });
                }
            }
        }
        let Extras { profiles, bootstrap, posterior, models } = extras;
        let profiles = profiles.into_iter().map(|(name, profile)| {
            let ((low, high), lower_cost) = (profile.interval, profile.lower_cost);
            Interval { name, low, high, lower_cost }
        });
        Ok(Self {
            formula: task.text().to_owned(),
            data: task.data(),
            outcome: found.outcome().to_string(),
            parameters,
            derived,
            correlations,
            profiles: profiles.collect(),
            bootstrap,
            posterior,
            models,
            warnings: found.weak_directions().iter().map(ToString::to_string).collect(),
            number_of_data: found.data(),
            rows_skipped: found.skipped(),
            degrees_of_freedom: found.degrees_of_freedom(),
            cost: found.cost(),
            standard_deviation: found.variance().sqrt(),
            errors: match &task.settings.data {
                data if !data.sigma.is_empty() => "known standard deviations",
                data if !data.weight.is_empty() => "relative weights, scaled by the residuals",
                data if data.relative.is_some() => {
                    "proportional to the responses, scaled by the residuals"
                }
                _ => "equal, estimated from the residuals",
            },
            level,
            criteria: found.criteria().map(InformationCriteria::from),
            passes: found.passes(),
            text: found.to_string(),
        })
    }

    pub(super) fn to_json(&self) -> Result<String, Error> {
        json(self)
    }
}

impl Parameter {
    fn new(estimate: Estimate, interval: Option<(f64, f64)>) -> Self {
        let (role, multiplier) = match (estimate.role, estimate.held) {
            (ParameterRole::Fixed, _) => ("fixed", None),
            (ParameterRole::Tied, _) => ("tied", None),
            (_, Some(HeldBy::Lower { multiplier })) => ("at its lower bound", Some(multiplier)),
            (_, Some(HeldBy::Upper { multiplier })) => ("at its upper bound", Some(multiplier)),
            _ => ("free", None),
        };
        let Estimate { name, value, standard_error, unit, .. } = estimate;
        Self { name, value, standard_error, interval, unit, role, multiplier }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.formula)?;
        f.write_str(&self.text)?;
        if self.rows_skipped > 0 {
            writeln!(f, "{} rows skipped, in which a value is missing", self.rows_skipped)?;
        }
        if let Some(InformationCriteria { aic, aicc, bic, .. }) = &self.criteria {
            let aicc = aicc.map_or_else(|| "-".to_owned(), |aicc| format!("{aicc:.4}"));
            writeln!(f, "AIC {aic:.4}, AICc {aicc}, BIC {bic:.4}")?;
        }
        for Derived { name, value, standard_error } in &self.derived {
            write!(f, "{name} = {value:.7e}")?;
            match standard_error {
                Some(error) => writeln!(f, " +- {error:.1e}")?,
                None => writeln!(f)?,
            }
        }
        for Correlation { pair: [a, b], correlation } in &self.correlations {
            writeln!(f, "{a} and {b} are correlated: {correlation:.3}")?;
        }
        for profile in &self.profiles {
            profile.write(f, self.level)?;
        }
        if let Some(bootstrap) = &self.bootstrap {
            write!(f, "{bootstrap}")?;
        }
        if let Some(posterior) = &self.posterior {
            write!(f, "{posterior}")?;
        }
        comparison::write(f, &self.models)
    }
}

impl Interval {
    fn write(&self, f: &mut fmt::Formatter<'_>, level: f64) -> fmt::Result {
        let Self { name, low, high, lower_cost } = self;
        let end = |end: &Option<f64>| end.map_or_else(|| "open".to_owned(), |x| format!("{x:.5e}"));
        writeln!(f, "profile of {name}, {} %: {} to {}", 100.0 * level, end(low), end(high))?;
        match lower_cost {
            Some(cost) => writeln!(
                f,
                "warning: the profile of {name} met a smaller cost, {cost:.6e}: fit from another start"
            ),
            None => Ok(()),
        }
    }
}
