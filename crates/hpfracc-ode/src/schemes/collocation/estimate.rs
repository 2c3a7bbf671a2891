//! Error estimate of an element, from the decay of the Legendre coefficients of f.

use super::element::ReferenceElement;
use super::tolerance::{TARGET, Tolerance};
use hpfracc_special::recip_gamma;

/// Rounding of a polynomial at the left end, relative to the largest coefficient.
const ROUNDING: f64 = 1e-13;

/// Error of an element, and the number of points that it needs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Estimate {
    /// Error of the solution over the tolerance.
    pub(super) error: f64,
    /// The number of points, not rounded, with which the error would be [`TARGET`].
    pub(super) points: f64,
}

/// A solved element: input of the estimate.
pub(super) struct SolvedElement<'a> {
    /// Point by point.
    pub(super) states: &'a [f64],
    pub(super) reference: &'a ReferenceElement,
    /// Legendre coefficients of f, component by component.
    pub(super) coefficients: &'a [f64],
    /// f at the left end, from the element before.
    pub(super) slope_before: &'a [f64],
    /// For each component its order and the place of the order among the distinct ones.
    pub(super) orders: &'a [(f64, usize)],
    /// The element's length.
    pub(super) length: f64,
    /// From its left end to the end of the solution.
    pub(super) remaining: f64,
}

impl Estimate {
    /// Estimates the truncated part by the last coefficients, an upper bound as long as the
    /// coefficients fall, or the gap between the polynomial and f at the left end, which is no
    /// point of the element: f may have changed before the first point. A stiff f reduces the
    /// effect at the points of the element, but not between them.
    pub(super) fn new(solved: &SolvedElement<'_>, tolerance: Tolerance) -> Self {
        let (p, d) = (solved.reference.points(), solved.orders.len());
        let mut errors = vec![0.0; p * d];
        let mut flatness: f64 = f64::EPSILON;
        for (c, coefficients) in solved.coefficients.chunks_exact(p).enumerate() {
            let last = coefficients[p - 1].abs();
            // The last may vanish by symmetry. Of two, the first is f itself.
            let before = if p > 2 { coefficients[p - 2].abs() } else { 0.0 };
            let largest = coefficients.iter().fold(f64::MIN_POSITIVE, |m, c| m.max(c.abs()));
            flatness = flatness.max(last.max(before) / largest);
            let gap = (solved.slope_before[c] - at_left(coefficients)).abs() - ROUNDING * largest;
            let missing = last.max(0.5 * before).max(gap);
            let (alpha, k) = solved.orders[c];
            let scale = (0.5 * solved.length).powf(alpha) * missing;
            let later = later(solved, alpha, missing, largest);
            for (i, shape) in solved.reference.highest[k].iter().enumerate() {
                errors[i * d + c] = (scale * shape.abs()).max(later);
            }
        }
        let error = tolerance.ratio(&errors, solved.states, d);
        let decay = (-flatness.ln() / (p - 1) as f64).clamp(0.05, 4.0);
        let more = (error.max(1e-12) / TARGET).ln() / decay;
        Self { error, points: p as f64 + more.clamp(-12.0, 60.0) }
    }
}

/// A sum of Legendre polynomials at -1.
fn at_left(coefficients: &[f64]) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| c - sum)
}

/// The effect on later times, which for alpha > 1 is not the smaller one: the kernel grows. The
/// quadrature behind the interpolation has twice its order, hence the square of the decay.
fn later(solved: &SolvedElement<'_>, alpha: f64, missing: f64, largest: f64) -> f64 {
    if alpha <= 1.0 {
        return 0.0;
    }
    let kernel = recip_gamma(alpha) * solved.remaining.powf(alpha - 1.0);
    missing * (missing / largest) * solved.length * kernel
}
