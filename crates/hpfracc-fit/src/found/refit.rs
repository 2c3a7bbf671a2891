use super::covariance::Covariance;
use super::result::Found;
use crate::data::Set;
use crate::minimise::{Limits, Minimum, Outcome, State, minimise};
use crate::pass::Objective;
use crate::{FitError, Loss};
use serde::{Deserialize, Serialize};
use std::sync::atomic::AtomicBool;

/// Largest number of passes.
const MAX_PASSES: usize = 2000;
/// Norm of a column after the earlier ones, relative to its own, below which it depends on them.
const DEPENDENT: f64 = 1e-10;

/// The same fit to other data, from the estimates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Refit {
    /// Values of all parameters.
    pub(crate) values: Vec<f64>,
    /// Their standard errors.
    pub(crate) errors: Vec<Option<f64>>,
}

/// Why a fit to other data has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum RefitFailure {
    NotConverged,
    NotFinite,
    Undetermined,
    Cancelled,
}

impl Found<'_> {
    /// Fits other responses, or rows with counts, the number of times that each occurs. The scale of the loss is that of this fit.
    pub(crate) fn refit(
        &self,
        sets: &[Set<'_>],
        counts: Option<&[Vec<f64>]>,
        cancel: Option<&AtomicBool>,
    ) -> Result<Result<(Refit, Minimum), RefitFailure>, FitError> {
        let objective = Objective { sets, counts, ..self.objective() };
        let limits = Limits { cancel, ..Limits::passes(MAX_PASSES) };
        let begin = State::start(&objective, self.minimum.unknowns.clone());
        let minimum = match begin.and_then(|begin| minimise(&objective, self.data, begin, limits)) {
            Ok(minimum) => minimum,
            Err(FitError::ModelNotFinite { .. }) => return Ok(Err(RefitFailure::NotFinite)),
            Err(error) => return Err(error),
        };
        match minimum.outcome {
            Outcome::Cancelled => return Ok(Err(RefitFailure::Cancelled)),
            outcome if !outcome.is_success() => return Ok(Err(RefitFailure::NotConverged)),
            _ => {}
        }
        let sandwich = match self.loss {
            Loss::Squares => None,
            _ => objective.sandwich(&minimum.unknowns)?,
        };
        let covariance = Covariance::new(&self.layout, &minimum, sandwich.as_ref(), self.data);
        let triangle = minimum.part.factor.select(covariance.free());
        let n = triangle.columns();
        if (0..n).any(|k| triangle.entry(k, k).abs() <= DEPENDENT * triangle.norm(k)) {
            return Ok(Err(RefitFailure::Undetermined));
        }
        let unit = match self.moments {
            Some(_) => 1.0,
            None if self.errors_are_known() => 1.0,
            None => minimum.part.cost / self.data.saturating_sub(n as u64) as f64,
        };
        let values = self.layout.values(&minimum.unknowns);
        let error = |k: usize| {
            let square: f64 = covariance.of_parameter(k)?.iter().map(|x| x * x).sum();
            Some((square * unit).sqrt()).filter(|error| *error > 0.0 && error.is_finite())
        };
        let errors = (0..values.len()).map(error).collect();
        Ok(Ok((Refit { values, errors }, minimum)))
    }
}

#[cfg(test)]
mod tests {
    use crate::{Fit, FormulaModel, Loss, Set};
    use hpfracc_equation::Formula;

    #[test]
    fn counts_are_copies_of_rows() {
        let formula = Formula::parse("y = a + exp(-b x); a = 0; b = 1", &["x", "y"]).unwrap();
        let model = FormulaModel::new(&[formula]).unwrap();
        let x = [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5];
        let y = [1.1, 0.7, 0.3, 0.25, 0.1, 0.1, 0.02, 0.3];
        let counts = [2.0, 0.0, 1.0, 3.0, 1.0, 0.0, 0.0, 1.0];
        let copies = |column: &[f64]| -> Vec<f64> {
            let rows = column.iter().zip(counts);
            rows.flat_map(|(value, count)| vec![*value; count as usize]).collect()
        };
        let (u, v) = (copies(&x), copies(&y));
        for loss in [Loss::Squares, Loss::Huber, Loss::Cauchy] {
            let fit = |x: &[f64], y: &[f64]| {
                let set = Set::new("data", &model).input(x).response(y);
                let found = Fit::new(set).unwrap().loss(loss).loss_scale(0.2).unwrap().run();
                let found = found.unwrap();
                let refit = found.refit(found.sets(), None, None).unwrap().unwrap().0;
                let counts = [counts.to_vec()];
                let drawn = (x.len() == 8).then(|| found.refit(found.sets(), Some(&counts), None));
                (refit, drawn.map(|drawn| drawn.unwrap().unwrap().0))
            };
            let (expected, drawn) = (fit(&u, &v).0, fit(&x, &y).1.unwrap());
            for k in 0..2 {
                let off = (drawn.values[k] - expected.values[k]).abs();
                assert!(off < 1e-8, "{loss:?}: {drawn:?}, {expected:?}");
                let ratio = drawn.errors[k].unwrap() / expected.errors[k].unwrap();
                assert!((ratio - 1.0).abs() < 1e-7, "{loss:?}: {drawn:?}, {expected:?}");
            }
        }
    }
}
