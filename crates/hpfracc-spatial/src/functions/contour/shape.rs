//! Hyperbolas.

use std::f64::consts::{FRAC_PI_2, PI};

/// Angle phi, spacing h of the nodes and `mu t1` of a hyperbola.
pub(super) struct Shape {
    pub(super) phi: f64,
    pub(super) spacing: f64,
    pub(super) mu: f64,
    /// Predicted error.
    pub(super) error: f64,
}

impl Shape {
    /// Balances the errors of the rule above and below the contour and of its truncation, for all
    /// times of a window with the ratio t1 / t0; singularities are met at phi = limit.
    fn new(limit: f64, ratio: f64, count: usize, phi: f64) -> Self {
        let balance = 2.0 * phi - limit;
        let a = ((ratio * (limit - phi) / balance + 1.0) / phi.sin()).acosh();
        let spacing = a / count as f64;
        let mu = 2.0 * PI * balance / spacing;
        let rule = (-2.0 * PI * (limit - phi) / spacing).exp();
        let error = rule + f64::EPSILON * (mu * (1.0 - phi.sin())).exp();
        Self { phi, spacing, mu, error }
    }

    /// That with the smallest predicted error.
    pub(super) fn best(limit: f64, ratio: f64, count: usize) -> Self {
        let of = |k: i32| {
            let phi = limit * (0.5 + 0.5 * f64::from(k) / 200.0);
            Self::new(limit, ratio, count, phi)
        };
        let better = |best: Self, other: Self| if other.error < best.error { other } else { best };
        (2..200).map(of).fold(of(1), better)
    }
}

/// Hyperbolas that may reach the tolerance.
///
/// The asymptotes meet the singularities at phi = pi/2, on the negative axis, for alpha <= 1. The
/// poles of larger orders lie at the angle pi / alpha, where those far out are negligible: the angle
/// is searched between theirs and the negative axis.
pub(super) fn shapes(alpha: f64, ratio: f64, count: usize, tolerance: f64) -> Vec<Shape> {
    let narrow = narrow(alpha);
    let candidates = if alpha <= 1.0 { 1 } else { 24 };
    let limit = |k: i32| narrow + (FRAC_PI_2 - narrow) * f64::from(k) / 24.0;
    let best = (0..candidates).map(|k| Shape::best(limit(k), ratio, count));
    best.filter(|shape| shape.error <= 4.0 * tolerance).collect()
}

/// Angle phi that meets the poles of the highest order alpha, at the angle pi / alpha, or the
/// negative axis.
pub(super) fn narrow(alpha: f64) -> f64 {
    if alpha <= 1.0 { FRAC_PI_2 } else { PI / alpha - FRAC_PI_2 }
}
