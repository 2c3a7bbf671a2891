use super::pointwise::Pointwise;
use crate::Scalar;

/// `(x - m)^2/(2 v) + (ln v)/2 + ln(2 pi)/2` with `v = exp(2 s) + floor^2`.
#[derive(Clone, Copy)]
pub(super) struct Gaussian<T> {
    floored: bool,
    /// `2 ln floor`
    least: T,
}

impl<T: Scalar> Gaussian<T> {
    pub(super) fn new(floor: f64) -> Self {
        let floored = floor > 0.0;
        Self { floored, least: T::narrow(if floored { 2.0 * floor.ln() } else { 0.0 }) }
    }
}

/// `ln(2 pi)/2`
const CONSTANT: f64 = 0.918_938_533_204_672_741_78;

impl<T: Scalar> Pointwise<T> for Gaussian<T> {
    const PREDICTIONS: usize = 2;

    #[inline(always)]
    fn at(self, m: T, s: T, x: T) -> (T, T, T) {
        let half = T::narrow(0.5);
        let (mut ln_variance, mut share) = (s + s, T::one());
        if self.floored {
            // ln(exp(2 s) + exp(least)), and the share of exp(2 s) in the sum.
            let above = ln_variance - self.least;
            ln_variance = self.least + above.softplus();
            share = above.logistic();
        }
        // The error in standard deviations first: exp(-ln_variance) and e^2 can overflow where
        // their product does not.
        let r = (-half * ln_variance).exp();
        let z = (m - x) * r;
        let loss = half * (z * z + ln_variance) + T::narrow(CONSTANT);
        (loss, z * r, share * (T::one() - z * z))
    }
}
