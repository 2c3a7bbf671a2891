use crate::SdeError;
use crate::checks::Range;
use crate::checks::room_for;
use crate::error::in_range;
use hpfracc_lanes::causal::FourierScalar;
use hpfracc_special::second_differences_of_powers;

/// Covariance of fractional Brownian motion (fBm) of Hurst exponent H at two times, which may be
/// negative: `(|s|^2H + |t|^2H - |t-s|^2H) / 2`.
///
/// # Errors
/// [`SdeError::OutOfRange`] for an exponent that is not between 0 and 1.
///
/// ```
/// use hpfracc_sde::noise::fractional_brownian_covariance;
///
/// // Brownian motion: the earlier of the times.
/// assert_eq!(fractional_brownian_covariance(0.5, 2.0, 3.0)?, 2.0);
/// # Ok::<(), hpfracc_sde::SdeError>(())
/// ```
pub fn fractional_brownian_covariance(hurst: f64, s: f64, t: f64) -> Result<f64, SdeError> {
    Range::UNIT.check("the exponent H", hurst)?;
    let power = |t: f64| t.abs().powf(2.0 * hurst);
    Ok(0.5 * (power(s) + power(t) - power(t - s)))
}

/// Covariances of fractional Gaussian noise (fGn), the increments of fractional Brownian motion over
/// steps of length 1, at the lags k = 0 .. n - 1: `(|k+1|^2H - 2 |k|^2H + |k-1|^2H) / 2`, without
/// cancellation. Over steps of length h they are `h^2H` times these.
///
/// # Errors
/// [`SdeError::OutOfRange`] for an exponent that is not between 0 and 1; [`SdeError::TooLarge`].
///
/// ```
/// use hpfracc_sde::noise::fractional_gaussian_covariances;
///
/// let covariances = fractional_gaussian_covariances(0.75, 3)?;
/// assert_eq!(covariances[0], 1.0);
/// assert!((covariances[1] - (2f64.sqrt() - 1.0)).abs() < 1e-15);
/// # Ok::<(), hpfracc_sde::SdeError>(())
/// ```
pub fn fractional_gaussian_covariances(hurst: f64, n: usize) -> Result<Vec<f64>, SdeError> {
    Range::UNIT.check("the exponent H", hurst)?;
    room_for("the covariances of the noise", &[n, size_of::<f64>()])?;
    let mut covariances = vec![0.0; n];
    second_differences_of_powers(2.0 * hurst, &mut covariances);
    covariances.iter_mut().for_each(|g| *g *= 0.5);
    covariances.iter_mut().take(1).for_each(|g| *g = 1.0);
    Ok(covariances)
}

/// Eigenvalues of the circulant embedding (Davies-Harte) of a stationary covariance `c_0, ..., c_n`:
/// of the circulant matrix of size 2n with the first row `c_0, c_1, ..., c_n, c_{n-1}, ..., c_1`,
///
/// ```text
/// lambda_k = c_0 + (-1)^k c_n + 2 sum_{0<j<n} c_j cos(pi j k / n),   k = 0 .. n
/// ```
///
/// the others being `lambda_{2n-k} = lambda_k`. Where none is negative, a real transform of 2n
/// independent normals of these variances is exact in distribution; rounding leaves some 1e-13 of
/// c_0. Cost: one real transform of 2n values.
///
/// # Errors
/// [`SdeError::OutOfRange`] for less than two covariances, or one that is NaN or infinite;
/// [`SdeError::TooLarge`].
///
/// ```
/// use hpfracc_sde::noise::{circulant_eigenvalues, fractional_gaussian_covariances};
///
/// let eigenvalues = circulant_eigenvalues(&fractional_gaussian_covariances(0.9, 101)?)?;
/// assert_eq!(eigenvalues.len(), 101);
/// assert!(eigenvalues.iter().all(|lambda| *lambda > 0.0));
/// // Not every covariance can be embedded.
/// let eigenvalues = circulant_eigenvalues(&[1.0, 0.9, 0.2])?;
/// assert!(eigenvalues[2] < 0.0);
/// # Ok::<(), hpfracc_sde::SdeError>(())
/// ```
pub fn circulant_eigenvalues(covariances: &[f64]) -> Result<Vec<f64>, SdeError> {
    let n = covariances.len().saturating_sub(1);
    in_range(n > 0, "the number of covariances", covariances.len() as f64, "at least 2")?;
    for value in covariances {
        Range::ANY.check("a covariance", *value)?;
    }
    room_for("the circulant embedding", &[n, 12, size_of::<f64>()])?;
    let mut circulant = covariances.to_vec();
    circulant.extend(covariances[1..n].iter().rev());
    let forward = f64::transform(2 * n);
    let mut eigenvalues = forward.make_output_vec();
    let transformed = forward.process(&mut circulant, &mut eigenvalues).is_ok();
    in_range(transformed, "the number of steps", n as f64, "one that can be transformed")?;
    Ok(eigenvalues.into_iter().map(|lambda| lambda.re).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eigenvalues_are_their_sum_of_cosines() {
        for n in [1usize, 2, 7, 16] {
            let covariances: Vec<f64> = (0..=n).map(|k| (-0.3 * k as f64).exp()).collect();
            let found = circulant_eigenvalues(&covariances).unwrap();
            for (k, found) in found.iter().enumerate() {
                let cos = |j: usize| (std::f64::consts::PI * (j * k) as f64 / n as f64).cos();
                let inner: f64 = (1..n).map(|j| 2.0 * covariances[j] * cos(j)).sum();
                let expected = covariances[0] + inner + covariances[n] * cos(n);
                assert!((found - expected).abs() < 1e-13, "{n}, {k}");
            }
        }
        for bad in [&[1.0][..], &[], &[1.0, f64::NAN]] {
            assert!(matches!(circulant_eigenvalues(bad), Err(SdeError::OutOfRange { .. })));
        }
    }

    /// Increments of the motion have the covariances of the noise.
    #[test]
    fn motion_and_noise_agree() {
        for hurst in [0.05, 0.5, 0.8] {
            let noise = fractional_gaussian_covariances(hurst, 6).unwrap();
            for (k, found) in noise.iter().enumerate() {
                let c = |s: usize, t: usize| {
                    fractional_brownian_covariance(hurst, s as f64, t as f64).unwrap()
                };
                let expected = c(3, k + 3) - c(3, k + 2) - c(2, k + 3) + c(2, k + 2);
                assert!((found - expected).abs() < 1e-13, "{hurst}, {k}");
            }
        }
        assert!(fractional_brownian_covariance(1.0, 1.0, 1.0).is_err());
        assert!(fractional_gaussian_covariances(0.0, 3).is_err());
    }
}
