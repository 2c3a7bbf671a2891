//! Angular frequencies of the half spectrum, and symbols sampled on them.

use crate::{Number, Result, Symbol};
use hpfracc_backend::Shape;
use hpfracc_types::Grid;
use num_complex::Complex;
use std::f64::consts::TAU;

/// The k-th angular frequency of n samples that repeat with period n dt: 2 pi k / (n dt), with k
/// above n/2 standing for k - n.
pub(crate) fn frequency(k: usize, grid: Grid) -> f64 {
    let n = grid.n();
    let k = if 2 * k <= n { k as f64 } else { k as f64 - n as f64 };
    TAU * k / (n as f64 * grid.dt())
}

/// The frequencies 0..=n/2 of a real signal, each with a flag for the Nyquist frequency n/2 of an
/// even n, where a real signal has no phase.
pub(crate) fn half_line(grid: Grid) -> impl Iterator<Item = (f64, bool)> {
    (0..=grid.n() / 2).map(move |k| (frequency(k, grid), 2 * k == grid.n()))
}

/// xi^alpha for xi >= 0. At xi = 0 it is 0, and 1 for alpha = 0; the derivative there is 0 as for
/// every alpha > 0.
pub(crate) fn power<N: Number>(xi: f64, alpha: N) -> N {
    if xi == 0.0 { N::constant(xi.powf(alpha.value())) } else { N::constant(xi).powf(alpha) }
}

/// The symbol `scale xi^alpha exp(i angle)` of signals with the samples of a grid,
/// `scale = 1 or -1`. At the Nyquist frequency its real part.
pub(crate) fn one_sided_symbol<N: Number>(alpha: N, angle: N, scale: f64, grid: Grid) -> Symbol<N> {
    let (cosine, sine, zero) = (angle.cos(), angle.sin(), N::constant(0.0));
    let value = |(xi, nyquist): (f64, bool)| {
        if xi == 0.0 {
            return Complex::new(power(xi, alpha), zero);
        }
        let radius = power(xi, alpha) * scale;
        let imaginary = if nyquist { zero } else { radius * sine };
        Complex::new(radius * cosine, imaginary)
    };
    Symbol::new(Shape::line(grid.n()), half_line(grid).map(value).collect())
}

/// The symbol `scale |xi|^alpha` on the half spectrum of a box.
///
/// # Errors
/// [`OperatorError::Backend`](crate::OperatorError::Backend) for no axes or too many.
pub(crate) fn radial_symbol<N: Number>(axes: &[Grid], alpha: N, scale: f64) -> Result<Symbol<N>> {
    let lens: Vec<usize> = axes.iter().map(|grid| grid.n()).collect();
    let shape = Shape::new(&lens)?;
    let half_shape = shape.half_spectrum();
    // |xi|, one axis after the other: the last runs fastest.
    let mut moduli: Vec<f64> = Vec::new();
    for (&grid, &count) in axes.iter().zip(half_shape.lens()) {
        let axis: Vec<f64> = (0..count).map(|k| frequency(k, grid).abs()).collect();
        moduli = match moduli.is_empty() {
            true => axis,
            false => moduli.iter().flat_map(|m| axis.iter().map(move |a| m.hypot(*a))).collect(),
        };
    }
    let imaginary = N::constant(0.0 * scale);
    let value = |m: f64| Complex::new(power(m, alpha) * scale, imaginary);
    Ok(Symbol::new(shape, moduli.into_iter().map(value).collect()))
}
