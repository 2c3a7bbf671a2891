use crate::{StabilityHint, Statistics};

/// A state and its f.
pub(super) type Valued<'a> = (&'a [f64], &'a [f64]);

/// Estimates the factor by which a corrector `y = known + newest f(p)` amplifies differences, from
/// y, the predicted p, and f of both: `|lambda| h^alpha/Gamma(alpha+2)` for the trapezoidal rule.
/// Above 1 the scheme is unstable, and the hint of `statistics` is set.
pub(super) fn check_stability(
    t: f64,
    newest: impl Fn(usize) -> f64,
    (y, fy): Valued<'_>,
    (p, fp): Valued<'_>,
    statistics: &mut Statistics,
) {
    let (mut difference, mut amplified, mut size) = (0.0f64, 0.0f64, 0.0f64);
    for i in 0..y.len() {
        difference = difference.max((y[i] - p[i]).abs());
        amplified = amplified.max((newest(i) * (fy[i] - fp[i])).abs());
        size = size.max(y[i].abs());
    }
    // Ignores differences of the size of rounding.
    if amplified > difference && difference > 1e-9 * size {
        let excess = amplified / difference;
        let hint = statistics.stability.get_or_insert(StabilityHint { t, excess });
        hint.excess = hint.excess.max(excess);
    }
}
