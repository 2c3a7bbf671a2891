//! Scale of a loss from the median of the residuals.

use crate::FitError;
use crate::pass::Objective;

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

/// Scale of a loss at a minimum.
///
/// # Errors
/// [`FitError::OutOfRange`] if more than half of the residuals are 0.
pub(super) fn scale_of(objective: &Objective<'_>, unknowns: &[f64]) -> Result<f64, FitError> {
    let value = objective.residual_sizes(unknowns)?.map_or(f64::NAN, by_median);
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
