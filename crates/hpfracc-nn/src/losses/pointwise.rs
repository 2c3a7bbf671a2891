//! Elementwise losses.

use super::tile::{Cotangent, Observations, TOGETHER};
use crate::Scalar;
use crate::kernels::{lanes, vectorised, write};
use hpfracc_lanes::Rows;

/// Value and slope of the loss of one row of a lane, from prediction, deviation and observation.
pub(super) trait Pointwise<T>: Copy {
    /// Rows of predictions for each row of observations: 1, or 2 with standard deviations after the
    /// values.
    const PREDICTIONS: usize;

    /// The loss and its derivatives with respect to the prediction and the deviation.
    fn at(self, y: T, s: T, x: T) -> (T, T, T);
}

/// A function of the difference `y - x`, and its slope.
#[derive(Clone, Copy)]
pub(super) struct OfDifference<F>(pub(super) F);

impl<T: Scalar, F: Fn(T) -> (T, T) + Copy> Pointwise<T> for OfDifference<F> {
    const PREDICTIONS: usize = 1;

    #[inline(always)]
    fn at(self, y: T, _: T, x: T) -> (T, T, T) {
        let (loss, slope) = (self.0)(y - x);
        (loss, slope, T::zero())
    }
}

#[inline(always)]
pub(super) fn square<T: Scalar>(e: T) -> (T, T) {
    (e * e, e + e)
}

#[inline(always)]
pub(super) fn absolute<T: Scalar>(e: T) -> (T, T) {
    let size = if e < T::zero() { -e } else { e };
    let slope = if e < T::zero() { -T::one() } else { T::one() };
    // 0 at zero, NaN for NaN.
    (size, if size > T::zero() { slope } else { e })
}

#[inline(always)]
pub(super) fn huber<T: Scalar>(e: T, delta: T) -> (T, T) {
    let half = T::narrow(0.5);
    let size = if e < T::zero() { -e } else { e };
    let slope = if e > delta { delta } else { e };
    let slope = if slope < -delta { -delta } else { slope };
    (if size > delta { delta * (size - half * delta) } else { half * e * e }, slope)
}

vectorised! {
    /// Writes the weighted mean over the rows of every lane, and its gradient.
    pub(super) fn evaluate<'a, T, P: Pointwise<T>>(
        of: P,
        y: Rows<'a, T>,
        x: Observations<'a, T>,
        losses: &'a mut [T],
        cotangent: Option<Cotangent<'a, T>>,
    ) {
        let mut cotangent = cotangent;
        let rows = x.values.rows();
        for at in (0..losses.len()).step_by(TOGETHER) {
            let count = TOGETHER.min(losses.len() - at);
            let row =
                |tile: &Rows<'_, T>, row: usize| lanes::<T, TOGETHER>(&tile[row][at..], count);
            // Reciprocal of the sum of weights; 0 without observations.
            let mut share = [T::narrow(1.0 / rows as f64); TOGETHER];
            if let Some(weights) = &x.weights {
                let mut sum = [T::zero(); TOGETHER];
                for i in 0..rows {
                    let w = row(weights, i);
                    sum.iter_mut().zip(w).for_each(|(sum, w)| *sum += w);
                }
                let over = |s: T| if s == T::zero() { T::zero() } else { T::one() / s };
                share = sum.map(over);
            }
            let mut sums = [T::zero(); TOGETHER];
            for i in 0..rows {
                let (value, observed) = (row(&y, i), row(&x.values, i));
                let deviation = if P::PREDICTIONS > 1 { row(&y, rows + i) } else { value };
                let weights = x.weights.map_or([T::one(); TOGETHER], |w| row(&w, i));
                let (mut slope, mut slope_of_deviation) = (value, value);
                for l in 0..TOGETHER {
                    let (loss, of_value, of_deviation) = of.at(value[l], deviation[l], observed[l]);
                    // Missing observations may be NaN.
                    let observed =
                        |z| if weights[l] == T::zero() { T::zero() } else { weights[l] * z };
                    sums[l] += observed(loss);
                    slope[l] = observed(of_value);
                    slope_of_deviation[l] = observed(of_deviation);
                }
                if let Some(Cotangent { scale, rows: ybar }) = &mut cotangent {
                    for l in 0..TOGETHER {
                        slope[l] *= *scale * share[l];
                        slope_of_deviation[l] *= *scale * share[l];
                    }
                    write(&mut ybar[i][at..], count, &slope);
                    if P::PREDICTIONS > 1 {
                        write(&mut ybar[rows + i][at..], count, &slope_of_deviation);
                    }
                }
            }
            for l in 0..TOGETHER {
                sums[l] *= share[l];
            }
            write(&mut losses[at..], count, &sums);
        }
    }
}
