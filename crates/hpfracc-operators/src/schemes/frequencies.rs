//! Angular frequencies of the half spectrum, and symbols sampled on them.

use crate::{OperatorError, Symbol};
use hpfracc_backend::Shape;
use hpfracc_types::Grid;
use num_complex::Complex64;
use std::f64::consts::TAU;

/// The k-th angular frequency of n samples that repeat with period n dt: 2 pi k / (n dt), with k
/// above n/2 standing for k - n.
pub(crate) fn frequency(k: usize, grid: Grid) -> f64 {
    let n = grid.n();
    let k = if 2 * k <= n { k as f64 } else { k as f64 - n as f64 };
    TAU * k / (n as f64 * grid.dt())
}

/// The frequencies 0..=n/2 of a real signal, each with whether it is the Nyquist frequency n/2 of
/// an even n, where a real signal has no phase.
pub(crate) fn half_line(grid: Grid) -> impl Iterator<Item = (f64, bool)> {
    (0..=grid.n() / 2).map(move |k| (frequency(k, grid), 2 * k == grid.n()))
}

/// A real, even symbol of |xi| on the half spectrum of a box.
///
/// # Errors
/// [`OperatorError::Backend`] for no axes or too many.
pub(crate) fn radial_symbol(
    axes: &[Grid],
    value: impl Fn(f64) -> f64,
) -> Result<Symbol, OperatorError> {
    let lens: Vec<usize> = axes.iter().map(|grid| grid.n()).collect();
    let shape = Shape::new(&lens)?;
    let half_shape = shape.half_spectrum();
    // |xi|, one axis after the other: the last runs fastest.
    let mut moduli = vec![0.0f64];
    for (&grid, &count) in axes.iter().zip(half_shape.lens()) {
        let axis: Vec<f64> = (0..count).map(|k| frequency(k, grid).abs()).collect();
        moduli = moduli.iter().flat_map(|m| axis.iter().map(move |a| m.hypot(*a))).collect();
    }
    let half = moduli.into_iter().map(|m| Complex64::from(value(m))).collect();
    Ok(Symbol::new(shape, half))
}
