use super::chosen::Chosen;
use crate::budget::Timer;
use crate::failure::Failure;
use crate::transfer::{Numbers, Place};
use hpfracc::fit::{Found, HeldBy, Outcome, ParameterRole};
use serde::Serialize;
use std::collections::BTreeMap;

/// Result of a fit.
#[derive(Debug, Serialize)]
pub(crate) struct Fitted {
    estimates: Vec<Estimate>,
    fitted: Curves,
    /// Data minus model, of each response.
    residuals: BTreeMap<String, Place>,
    statistics: BTreeMap<&'static str, f64>,
    converged: bool,
    milliseconds: f64,
    notes: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Estimate {
    name: String,
    value: f64,
    /// Standard error.
    error: Option<f64>,
    /// Ends of the 95 % interval.
    low: Option<f64>,
    high: Option<f64>,
    free: bool,
}

/// Model at the rows of the data.
#[derive(Debug, Serialize)]
struct Curves {
    t: Place,
    y: BTreeMap<String, Place>,
}

/// Level of the intervals.
const LEVEL: f64 = 0.95;

pub(super) fn fitted(
    chosen: &Chosen,
    found: &Found<'_>,
    (inputs, data): (&[&[f64]], &[&[f64]]),
    timer: &Timer,
    numbers: &mut Numbers,
) -> Result<Fitted, Failure> {
    let outcome = found.outcome();
    let mut notes = vec![match outcome {
        Outcome::Cancelled => timer.message("before a minimum was reached"),
        outcome => outcome.to_string(),
    }];
    let mut estimates = Vec::new();
    for estimate in found.estimates() {
        let name = &estimate.name;
        notes.extend(estimate.held.map(|held| match held {
            HeldBy::Lower { .. } => format!("{name} is held by its lower bound"),
            HeldBy::Upper { .. } => format!("{name} is held by its upper bound"),
        }));
        let interval = found.interval(name, LEVEL).ok().flatten();
        estimates.push(Estimate {
            free: estimate.role == ParameterRole::Free,
            name: estimate.name,
            value: estimate.value,
            error: estimate.standard_error,
            low: interval.map(|ends| ends.0),
            high: interval.map(|ends| ends.1),
        });
    }
    let curves = found.evaluate(0, inputs)?;
    let named = || chosen.responses.iter().map(|(name, _)| name.clone());
    let gaps = data.iter().zip(&curves).map(|(y, model)| {
        let gaps = y.iter().zip(model).map(|(y, f)| y - f);
        numbers.put(gaps)
    });
    let residuals = named().zip(gaps.collect::<Vec<_>>()).collect();
    let y = named().zip(curves.into_iter().map(|curve| numbers.put(curve)).collect::<Vec<_>>());
    let t = numbers.put(inputs.first().into_iter().flat_map(|t| t.iter().copied()));
    Ok(Fitted {
        estimates,
        fitted: Curves { t, y: y.collect() },
        residuals,
        statistics: statistics(found, data),
        converged: outcome.is_success(),
        milliseconds: timer.milliseconds(),
        notes,
    })
}

/// Numbers about a fit, with their titles.
fn statistics(found: &Found<'_>, data: &[&[f64]]) -> BTreeMap<&'static str, f64> {
    let mut all = BTreeMap::from([
        ("rows", data.first().map_or(0, |data| data.len()) as f64),
        ("passes", found.passes() as f64),
        ("sum of squares", found.cost()),
        ("degrees of freedom", found.degrees_of_freedom() as f64),
        ("standard deviation of the residuals", found.variance().sqrt()),
    ]);
    if let Some(criteria) = found.criteria() {
        all.extend([("AIC", criteria.aic), ("BIC", criteria.bic)]);
    }
    all
}
