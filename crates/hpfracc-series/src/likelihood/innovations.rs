//! Exact likelihood of stationary Gaussian series by one-step predictions.

use hpfracc_lanes::causal::dot;
use hpfracc_lanes::pulp::Arch;
use hpfracc_lanes::vectorised;

/// Sums over the standardised prediction errors of all series: with the covariance matrix R of one
/// series x and the vector 1 of ones, `ln |R|`, `x' R⁻¹ x`, `x' R⁻¹ 1` and `1' R⁻¹ 1`, added over
/// the series.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Innovations {
    pub(crate) ln_determinant: f64,
    pub(crate) squares: f64,
    pub(crate) with_ones: f64,
    pub(crate) ones: f64,
}

/// Innovations of series with the same autocovariances, by lag from 0, as many as the longest
/// series has values. `None` if the autocovariances are not positive definite.
///
/// Durbin-Levinson recursion (Brockwell and Davis, Time Series, 1991, 5.2): the predictions of
/// order t from those of order t-1. Cost: O(n²) for the recursion and for each series; memory O(n).
pub(crate) fn innovations(autocovariance: &[f64], series: &[&[f64]]) -> Option<Innovations> {
    let arch = Arch::new();
    let length = series.iter().map(|x| x.len()).max().unwrap_or(0);
    // Prediction coefficients of the lags t, ..., 1, so that sums run forward in time.
    let (mut now, mut next) = (vec![0.0; length], vec![0.0; length]);
    let mut variance = *autocovariance.first()?;
    let mut sum_of_coefficients = 0.0;
    let mut sums = Innovations::default();
    for t in 0..length {
        if t > 0 {
            let before = &now[..t - 1];
            let predicted = dot(arch, before, &autocovariance[1..t]);
            let reflection = (autocovariance[t] - predicted) / variance;
            reflect(arch, before, reflection, &mut next[..t]);
            std::mem::swap(&mut now, &mut next);
            sum_of_coefficients += reflection * (1.0 - sum_of_coefficients);
            variance *= (1.0 - reflection) * (1.0 + reflection);
        }
        if !(variance > 0.0 && variance.is_finite()) {
            return None;
        }
        let one = 1.0 - sum_of_coefficients;
        for x in series.iter().filter(|x| x.len() > t) {
            let error = x[t] - dot(arch, &now[..t], &x[..t]);
            sums.ln_determinant += variance.ln();
            sums.squares += error * error / variance;
            sums.with_ones += error * one / variance;
            sums.ones += one * one / variance;
        }
    }
    Some(sums)
}

/// Coefficients of the next order from those of the lags t-1, ..., 1.
fn reflect(arch: Arch, before: &[f64], reflection: f64, after: &mut [f64]) {
    after[0] = reflection;
    let after = &mut after[1..];
    vectorised(
        arch,
        #[inline(always)]
        || {
            let pairs = before.iter().zip(before.iter().rev());
            for (after, (own, mirrored)) in after.iter_mut().zip(pairs) {
                *after = own - reflection * mirrored;
            }
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums by Cholesky's factor of the dense matrix.
    fn dense(autocovariance: &[f64], x: &[f64]) -> Innovations {
        let n = x.len();
        let mut factor = vec![vec![0.0; n]; n];
        for i in 0..n {
            for j in 0..=i {
                let sum: f64 = (0..j).map(|k| factor[i][k] * factor[j][k]).sum();
                let rest = autocovariance[i - j] - sum;
                factor[i][j] = if i == j { rest.sqrt() } else { rest / factor[j][j] };
            }
        }
        let solve = |b: &[f64]| {
            let mut y = vec![0.0; n];
            for i in 0..n {
                let sum: f64 = (0..i).map(|k| factor[i][k] * y[k]).sum();
                y[i] = (b[i] - sum) / factor[i][i];
            }
            y
        };
        let (y, one) = (solve(x), solve(&vec![1.0; n]));
        let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum();
        Innovations {
            ln_determinant: (0..n).map(|i| 2.0 * factor[i][i].ln()).sum(),
            squares: product(&y, &y),
            with_ones: product(&y, &one),
            ones: product(&one, &one),
        }
    }

    #[test]
    fn sums_agree_with_the_dense_matrix() {
        let autocovariance: Vec<f64> = (0..60).map(|k| 2.0 / (1.0 + k as f64).powf(0.4)).collect();
        let wave = |n: usize| (0..n).map(|k| (k as f64 * 1.3).sin() + 0.2).collect::<Vec<f64>>();
        let (a, b, c) = (wave(60), wave(1), wave(23));
        let found = innovations(&autocovariance, &[&a, &b, &c]).unwrap();
        let mut exact = Innovations::default();
        for x in [&a, &b, &c] {
            let of_one = dense(&autocovariance, x);
            exact.ln_determinant += of_one.ln_determinant;
            exact.squares += of_one.squares;
            exact.with_ones += of_one.with_ones;
            exact.ones += of_one.ones;
        }
        for (found, exact) in [
            (found.ln_determinant, exact.ln_determinant),
            (found.squares, exact.squares),
            (found.with_ones, exact.with_ones),
            (found.ones, exact.ones),
        ] {
            assert!((found / exact - 1.0).abs() < 1e-13, "{found} {exact}");
        }
    }

    #[test]
    fn indefinite_covariances_have_no_likelihood() {
        assert_eq!(innovations(&[1.0, 1.5], &[&[1.0, 2.0]]), None);
        assert_eq!(innovations(&[0.0], &[&[1.0]]), None);
    }
}
