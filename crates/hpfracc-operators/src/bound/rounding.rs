//! What the rounding of samples does to a result.

use super::maps::{Call, Direction, SignalMap};
use super::{Bound, axes};
use crate::Result;
use hpfracc_types::Real;
use ndarray::{ArrayView, Dimension};

impl<T: Real> Bound<T> {
    /// A bound for what the rounding of samples alone, each to the nearest number of type T, changes
    /// in a result:
    ///
    /// ```text
    /// max_n  eps/2 sum_j |A_nj| |f_j|,      n = 1, N/2, N-1,   eps the distance from 1 to the next number
    /// ```
    ///
    /// For a derivative of order alpha it grows as h^-alpha: no arithmetic is more accurate, only
    /// larger steps or a scheme with smaller weights. BDF of order p has weights whose absolute
    /// values add up to about 2^alpha, 4^alpha, 6.7^alpha and 10.7^alpha for p = 1 to 4. Errors are
    /// usually a few times smaller than the bound.
    ///
    /// NaN if a sample is. Cost: three transposed applications.
    ///
    /// ```
    /// use hpfracc_backend::Reference;
    /// use hpfracc_operators::{Caputo, Operator};
    /// use hpfracc_types::{Grid, Order};
    /// use ndarray::Array1;
    ///
    /// let estimate = |n: usize| {
    ///     let grid = Grid::uniform(n, 1.0 / n as f64)?;
    ///     let bound = Caputo::bdf(Order::new(1.5)?, 2)?.on(grid, &Reference)?;
    ///     bound.rounding_estimate(Array1::<f64>::ones(n).view())
    /// };
    /// let (coarse, fine) = (estimate(100)?, estimate(400)?);
    /// assert!((fine / coarse / 8.0 - 1.0).abs() < 0.1); // 4^1.5
    /// # Ok::<(), hpfracc_operators::OperatorError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Bound::apply`].
    pub fn rounding_estimate<D: Dimension>(&self, samples: ArrayView<'_, T, D>) -> Result<f64> {
        self.check_result(samples.shape())?;
        let axis = self.axis.filter(|axis| axis.index() + 1 < samples.ndim());
        let mut signals = vec![T::zero(); samples.len()];
        axes::gather(samples, axis, &mut signals);
        rounding(self.weights.as_ref(), &signals)
    }
}

/// The bound for consecutive signals.
pub(crate) fn rounding<T: Real>(map: &dyn SignalMap<T>, signals: &[T]) -> Result<f64> {
    let n: usize = map.shape().lens().iter().product();
    let (mut unit, mut row) = (vec![T::zero(); n], vec![T::zero(); n]);
    let mut largest = 0.0;
    for at in [1.min(n - 1), n / 2, n - 1] {
        unit.fill(T::zero());
        unit[at] = T::one();
        map.run(Call::new(Direction::Transposed, &unit, &mut row, 1))?;
        for signal in signals.chunks_exact(n) {
            let terms = row.iter().zip(signal).map(|(w, f)| (w.widen() * f.widen()).abs());
            let sum: f64 = terms.sum();
            if sum > largest || sum.is_nan() {
                largest = sum;
            }
        }
    }
    Ok(0.5 * T::EPSILON.widen() * largest)
}
