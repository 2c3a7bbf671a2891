//! Scale of a loss from the residuals, where none is given: fits and medians by turns.

use super::{Limits, Minimum, Round, State, minimise};
use crate::factor::Part;
use crate::pass::Objective;
use crate::{FitError, Loss};

/// Largest number of medians.
const ITERATIONS: usize = 10;
/// Relative change of the scale that is none.
const SETTLED: f64 = 1e-6;
/// Standard deviation of normal numbers over the median of their sizes.
const NORMAL: f64 = 1.4826;

/// Scale of a loss.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct LossScale {
    pub(crate) value: f64,
    /// Medians that it took, and whether it had settled; None for a given scale.
    pub(crate) iterations: Option<(usize, bool)>,
}

/// Standard deviation of normal residuals r of these sizes: 1.4826 median |r|.
pub(crate) fn by_median(mut sizes: Vec<f64>) -> f64 {
    if sizes.is_empty() {
        return f64::NAN;
    }
    let middle = sizes.len() / 2;
    let (below, at, _) = sizes.select_nth_unstable_by(middle, f64::total_cmp);
    let upper = *at;
    let lower = below.iter().copied().max_by(f64::total_cmp).unwrap_or(upper);
    let even = sizes.len().is_multiple_of(2);
    NORMAL * if even { 0.5 * (lower + upper) } else { upper }
}

/// Minimises with a given scale, or with one that is the median of the residuals of its own minimum: at most 10 rounds, after
/// one of least squares. Begins at a state and the factor there. Returns the scale of the minimum.
pub(crate) fn minimise_with_scale(
    objective: &mut Objective<'_>,
    rows: u64,
    mut begin: (State, Part),
    (mut limits, loss, given): (Limits<'_, '_>, Loss, Option<f64>),
) -> Result<(Minimum, LossScale), FitError> {
    loop {
        let Round { number, scale } = begin.0.round;
        let minimum = minimise(objective, rows, begin, limits.reborrow())?;
        if loss == Loss::Squares || given.is_some() {
            return Ok((minimum, LossScale { value: scale, iterations: None }));
        }
        let next = scale_of(objective, &minimum)?;
        let settled = number > 0 && (next - scale).abs() <= SETTLED * scale;
        if settled || number == ITERATIONS || !minimum.outcome.is_success() {
            let iterations = Some((number, settled));
            return Ok((minimum, LossScale { value: scale, iterations }));
        }
        let round = Round { number: number + 1, scale: next };
        set_round(objective, round, (loss, given));
        begin = State::next(objective, minimum, round)?;
    }
}

/// The first round of a fit.
pub(crate) fn first_round(given: Option<f64>) -> Round {
    Round { number: 0, scale: given.unwrap_or(1.0) }
}

/// Gives the objective the loss of a round: that of least squares before there is a scale.
pub(crate) fn set_round(
    objective: &mut Objective<'_>,
    round: Round,
    (loss, given): (Loss, Option<f64>),
) {
    objective.scale = round.scale;
    objective.loss = if round.number == 0 && given.is_none() { Loss::Squares } else { loss };
}

fn scale_of(objective: &Objective<'_>, minimum: &Minimum) -> Result<f64, FitError> {
    let value = objective.residual_sizes(&minimum.unknowns)?.map_or(f64::NAN, by_median);
    if value > 0.0 && value.is_finite() {
        return Ok(value);
    }
    let what = "the scale of the loss from the median of the residuals";
    let expected = "a positive number: more than half of the residuals are 0, so give a scale";
    Err(FitError::OutOfRange { what, value, expected })
}

#[cfg(test)]
mod tests {
    use super::by_median;

    #[test]
    fn medians_of_even_and_odd_counts() {
        let of =
            |residuals: &[f64]| by_median(residuals.iter().map(|r| r.abs()).collect()) / 1.4826;
        for (residuals, expected) in [
            (&[3.0, -1.0, 2.0][..], 2.0),
            (&[3.0, -1.0, 2.0, -5.0], 2.5),
            (&[-4.0], 4.0),
            (&[1.0, 1.0], 1.0),
        ] {
            assert!((of(residuals) - expected).abs() < 1e-15, "{residuals:?}");
        }
        assert!(of(&[]).is_nan());
    }
}
