//! Comparison of models of the same data.

use hpfracc::fit::Found;
use serde::Serialize;
use std::fmt;

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(in super::super) struct ModelReport {
    model: String,
    outcome: String,
    /// Number of fitted parameters that no bound holds.
    parameters: u64,
    cost: f64,
    aicc: Option<f64>,
    bic: Option<f64>,
    /// Of the cross-validation in ten blocks, if the data suffice.
    prediction_error: Option<f64>,
    /// Of the F test against the first model, which has to contain this one or be contained.
    p_value: Option<f64>,
}

/// Blocks of the cross-validation.
const BLOCKS: usize = 10;

impl ModelReport {
    pub(in super::super) fn new(model: &str, found: &Found<'_>, first: Option<&Found<'_>>) -> Self {
        let criteria = found.criteria();
        let p_value = first.and_then(|first| {
            let pair = if first.cost() > found.cost() { (found, first) } else { (first, found) };
            pair.0.f_test(pair.1).ok()
        });
        let finite = |x: f64| Some(x).filter(|x| x.is_finite());
        Self {
            model: model.to_owned(),
            outcome: found.outcome().to_string(),
            parameters: found.data() - found.degrees_of_freedom(),
            cost: found.cost(),
            aicc: criteria.and_then(|criteria| finite(criteria.aicc)),
            bic: criteria.and_then(|criteria| finite(criteria.bic)),
            prediction_error: found.cross_validation(BLOCKS).ok().and_then(|all| finite(all.error)),
            p_value,
        }
    }
}

/// Writes a line for each model, the one with the smallest corrected criterion of Akaike first.
pub(super) fn write(f: &mut fmt::Formatter<'_>, models: &[ModelReport]) -> fmt::Result {
    if models.is_empty() {
        return Ok(());
    }
    let mut sorted: Vec<&ModelReport> = models.iter().collect();
    let criterion = |model: &ModelReport| model.aicc.unwrap_or(f64::INFINITY);
    sorted.sort_by(|a, b| criterion(a).total_cmp(&criterion(b)));
    let least = criterion(sorted[0]);
    writeln!(f, "models, the best one by AICc first:")?;
    for model in sorted {
        let ModelReport { parameters, cost, .. } = model;
        write!(f, "  {}: {parameters} parameters, cost {cost:.5e}", model.model)?;
        match model.aicc {
            Some(aicc) => write!(f, ", AICc {aicc:.2} (+{:.2})", aicc - least)?,
            None => write!(f, ", AICc -")?,
        }
        if let Some(bic) = model.bic {
            write!(f, ", BIC {bic:.2}")?;
        }
        if let Some(error) = model.prediction_error {
            write!(f, ", error of predictions {error:.3e}")?;
        }
        if let Some(p) = model.p_value {
            write!(f, ", p = {p:.2e} if nested")?;
        }
        writeln!(f)?;
    }
    Ok(())
}
