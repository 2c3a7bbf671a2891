//! Fractional differencing of a whole series.

mod stream;

pub use stream::DifferenceStream;

use crate::error::{SeriesError, finite, in_range};
use hpfracc_lanes::causal::{SeriesConvolution, dot};
use hpfracc_lanes::pulp::Arch;
use hpfracc_special::binomial_weights;

/// Length up to which direct sums take less time than transforms.
const DIRECT_UP_TO: usize = 256;

/// (1-B)^d of a series, with the lag operator B and the series taken as zero before its start.
///
#[doc = formula!("difference", r"y_n = \sum_{k=0}^n \pi_k x_{n-k}, \quad \pi_0 = 1, \quad \pi_k = \pi_{k-1} \frac{k-1-d}{k}")]
///
/// Any finite d: 1 gives the steps of the series, -1 its sums, 0 the series. The inverse is the same
/// with -d ([`integrate`]). Error: rounding, relative to the largest sum of |π_k x_{n-k}| (direct, up to
/// 256 values) or to `|π|₂ |x|₂` (longer series). Cost: O(n log n). Source: Hosking, Biometrika 68 (1981) 165.
///
/// # Errors
/// [`SeriesError::NotFinite`]; for d that is not finite, [`SeriesError::Parameter`]; for weights or sums beyond 1.8e308,
/// [`SeriesError::Overflow`].
///
/// ```
/// use hpfracc_series::{difference, integrate};
/// let x = [3.0, 1.0, 4.0, 1.0, 5.0];
/// assert_eq!(difference(&x, 1.0)?, [3.0, -2.0, 3.0, -3.0, 4.0]);
/// let back = integrate(&difference(&x, 0.4)?, 0.4)?;
/// assert!(x.iter().zip(back).all(|(x, back)| (x - back).abs() < 1e-14));
/// # Ok::<(), hpfracc_series::SeriesError>(())
/// ```
pub fn difference(series: &[f64], d: f64) -> Result<Vec<f64>, SeriesError> {
    finite(series)?;
    checked_order(d)?;
    let weights = checked_weights(d, series.len())?;
    let out = if series.len() <= DIRECT_UP_TO {
        direct(&weights, series)
    } else {
        let mut out = series.to_vec();
        let convolution = SeriesConvolution::new(&weights);
        convolution.convolve(&mut out, &mut convolution.buffers());
        out
    };
    match out.iter().position(|y| !y.is_finite()) {
        Some(index) => Err(SeriesError::Overflow { d, index }),
        None => Ok(out),
    }
}

/// (1-B)^(-d) of a series, the inverse of [`difference`] with the same start.
///
/// # Errors
/// As [`difference`].
pub fn integrate(series: &[f64], d: f64) -> Result<Vec<f64>, SeriesError> {
    difference(series, -d)
}

/// The first `count` weights of the order d.
fn checked_weights(d: f64, count: usize) -> Result<Vec<f64>, SeriesError> {
    let mut weights = vec![0.0; count];
    binomial_weights(d, &mut weights);
    match weights.iter().position(|weight| !weight.is_finite()) {
        Some(index) => Err(SeriesError::Overflow { d, index }),
        None => Ok(weights),
    }
}

/// Refuses an order that is NaN or infinite.
fn checked_order(d: f64) -> Result<(), SeriesError> {
    in_range(d.is_finite(), "d", d, "a finite number")
}

/// Causal convolution by its formula.
fn direct(weights: &[f64], series: &[f64]) -> Vec<f64> {
    let (arch, n) = (Arch::new(), series.len());
    let reversed: Vec<f64> = weights.iter().rev().copied().collect();
    (1..=n).map(|to| dot(arch, &reversed[n - to..], &series[..to])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transforms_and_direct_sums_agree() {
        let x: Vec<f64> = (0..1000).map(|n| (n as f64 * 0.7).sin() + (n % 7) as f64).collect();
        for d in [-0.4, 0.3, 0.49, 1.2, -1.0] {
            let mut weights = vec![0.0; x.len()];
            binomial_weights(d, &mut weights);
            let found = difference(&x, d).unwrap();
            let exact = direct(&weights, &x);
            let size = exact.iter().fold(1.0f64, |size, y| size.max(y.abs()));
            for (found, exact) in found.iter().zip(exact) {
                assert!((found - exact).abs() < 1e-14 * size * 4.0, "{d}: {found} {exact}");
            }
        }
    }
}
