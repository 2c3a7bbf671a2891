use super::result::Found;
use crate::data::Set;
use crate::minimise::{Limits, State, minimise};
use crate::model::Model;
use crate::pass::Objective;
use crate::{FitError, Outcome};

/// Passes of the second fit, which begins at the estimates.
const MAX_PASSES: usize = 100;

/// Error of an estimate from the steps of an equation, beside its statistical error.
#[derive(Debug, Clone, PartialEq)]
pub struct Discretisation {
    /// Name of the parameter.
    pub name: String,
    /// Estimate.
    pub value: f64,
    /// Estimate with half of the steps.
    pub refined: f64,
    /// Standard error of the estimate, from the data.
    pub standard_error: Option<f64>,
}

impl Discretisation {
    /// Distance of the two estimates. By a scheme of order q the error of the first is this times
    /// 2^q/(2^q - 1), at most twice it from order 1 on.
    pub fn change(&self) -> f64 {
        (self.refined - self.value).abs()
    }

    /// Whether the change is below a tenth of the standard error: more steps would not make the estimate better.
    pub fn is_small(&self) -> bool {
        self.standard_error.is_some_and(|error| self.change() < 0.1 * error)
    }
}

impl Found<'_> {
    /// The free parameters of a second fit with half of the steps in all models that are numerical solutions of
    /// equations; none where no model is one. It begins at the estimates; cost: a few passes, with twice
    /// the steps.
    ///
    /// # Errors
    /// [`FitError::ModelNotFinite`] where the equation has no solution on shorter steps, and [`FitError::Passes`] if the
    /// second fit does not end.
    pub fn discretisation(&self) -> Result<Vec<Discretisation>, FitError> {
        let refined: Vec<Option<Box<dyn Model + '_>>> =
            self.sets.iter().map(|set| set.model.refined()).collect();
        if refined.iter().all(Option::is_none) {
            return Ok(vec![]);
        }
        let sets = self.sets.iter().zip(&refined).map(|(set, model)| match model {
            Some(model) => Set { model: &**model, ..set.clone() },
            None => set.clone(),
        });
        let sets: Vec<Set<'_>> = sets.collect();
        let objective = Objective { sets: &sets, ..self.objective_over_ranks() };
        let begin = State::start(&objective, self.minimum.unknowns.clone())?;
        let minimum = minimise(&objective, self.data, begin, Limits::passes(MAX_PASSES))?;
        if minimum.outcome == Outcome::Passes {
            return Err(FitError::Passes { passes: MAX_PASSES });
        }
        let refined = self.layout.values(&minimum.unknowns);
        let estimates = self.estimates();
        let of = |k: &usize| Discretisation {
            name: estimates[*k].name.clone(),
            value: estimates[*k].value,
            refined: refined[*k],
            standard_error: estimates[*k].standard_error,
        };
        Ok(self.layout.free().iter().map(of).collect())
    }
}
