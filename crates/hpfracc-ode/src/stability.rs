use super::{StabilityHint, Statistics};

/// A state of a step, and f there.
pub(super) type Valued<'a> = (&'a [f64], &'a [f64]);

/// From y and the p that it was corrected from, and f of both, an estimate of the factor by which a
/// corrector `y = known + newest f(p)` changes differences: `|lambda| h^alpha/Gamma(alpha+2)` for the
/// trapezoidal rule. Above 1 the scheme is not stable, and `statistics` will say so.
pub(super) fn judge(
    t: f64,
    newest: impl Fn(usize) -> f64,
    (y, fy): Valued<'_>,
    (p, fp): Valued<'_>,
    statistics: &mut Statistics,
) {
    let (mut moved, mut answered, mut size) = (0.0f64, 0.0f64, 0.0f64);
    for i in 0..y.len() {
        moved = moved.max((y[i] - p[i]).abs());
        answered = answered.max((newest(i) * (fy[i] - fp[i])).abs());
        size = size.max(y[i].abs());
    }
    // Differences that are rounding tell nothing.
    if answered > moved && moved > 1e-9 * size {
        let excess = answered / moved;
        let hint = statistics.stability.get_or_insert(StabilityHint { t, excess });
        hint.excess = hint.excess.max(excess);
    }
}
