//! Wavelet estimator.

use super::fit_of_d;
use crate::error::{SeriesError, in_range, long_enough};
use crate::fit::Fit;
use crate::series::Series;
use hpfracc_special::{digamma, trigamma};
use std::f64::consts::LN_2;

/// The wavelet estimator of d (logscale diagram): half the slope of `log2` of the mean squared wavelet
/// coefficients against the octave, by weighted least squares.
///
/// Wavelets of Daubechies with N vanishing moments, which also remove polynomial trends of degree below N; coefficients
/// that would need values outside of the series are left out. The n_j coefficients of octave j are taken as independent: the logarithm of
/// their mean square has the bias `(ψ(n_j/2) - ln(n_j/2))/ln 2`, which is subtracted, and the variance `ζ(2, n_j/2)/ln² 2`, which gives the
/// weights and the standard error. Octaves with fewer than 4 coefficients are left out. Valid for -1/2 < d < N - 1/2. Cost: O(n).
/// Sources: Abry and Veitch, IEEE Trans. Inf. Theory 44 (1998) 2; 45 (1999) 878; Daubechies, Ten Lectures on Wavelets (1992), table 6.1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wavelet {
    /// Number of vanishing moments N, 1 to 4; 2 by default.
    pub moments: usize,
    /// First octave j >= 1, scale 2^j; 4 by default. A larger one has less bias and a larger error: 2048 values of
    /// fractional Gaussian noise with H = 0.2 have the bias -0.045 from octave 3 and -0.03 from octave 4, at an error of
    /// 0.04 and 0.07; for H >= 1/2 it is below 0.01 in both.
    pub first_octave: usize,
}

impl Default for Wavelet {
    fn default() -> Self {
        Self { moments: 2, first_octave: 4 }
    }
}

/// Fewest coefficients of an octave.
const FEWEST: usize = 4;

impl Wavelet {
    /// Estimates of `d` and `hurst`.
    ///
    /// # Errors
    /// [`SeriesError::Parameter`] for other moments or octaves, [`SeriesError::TooShort`] if fewer than two octaves
    /// remain.
    ///
    /// ```
    /// use hpfracc_series::{Record, Series, Wavelet};
    /// let values: Vec<f64> = (0..500).map(|k| f64::from(k * k % 83)).collect();
    /// let fit = Wavelet::default().fit(&Series::new(&values, Record::Noise)?)?;
    /// assert!(fit.estimate("hurst").unwrap().standard_error().is_some());
    /// # Ok::<(), hpfracc_series::SeriesError>(())
    /// ```
    pub fn fit(&self, series: &Series) -> Result<Fit, SeriesError> {
        let Self { moments, first_octave } = *self;
        in_range((1..=4).contains(&moments), "moments", moments as f64, "1 to 4")?;
        in_range(first_octave >= 1, "first_octave", first_octave as f64, "at least 1")?;
        let mean = series.mean();
        let mut smooth: Vec<f64> = series.noise().iter().map(|x| x - mean).collect();
        let mut sums = Sums::default();
        for octave in 1.. {
            let (next, details) = split(&smooth, FILTERS[moments - 1]);
            if details.len() < FEWEST {
                break;
            }
            let energy = details.iter().map(|x| x * x).sum::<f64>() / details.len() as f64;
            if octave >= first_octave && energy > 0.0 {
                sums.add(octave as f64, energy, 0.5 * details.len() as f64);
            }
            smooth = next;
        }
        long_enough("the wavelet estimator", sums.octaves, 2, "octaves")?;
        let (slope, error) = sums.slope();
        let method = format!(
            "wavelet estimator, {moments} vanishing moments, {} octaves from {first_octave}",
            sums.octaves
        );
        let upper = moments as f64 - 0.5;
        Ok(fit_of_d(method, series.noise().len(), 0.5 * slope, 0.5 * error, upper))
    }
}

/// Sums of a weighted straight line.
#[derive(Default)]
struct Sums {
    octaves: usize,
    w: f64,
    wx: f64,
    wy: f64,
    wxx: f64,
    wxy: f64,
}

impl Sums {
    /// An octave whose mean square has `half` times two degrees of freedom.
    fn add(&mut self, x: f64, energy: f64, half: f64) {
        let y = (energy.ln() - (digamma(half) - half.ln())) / LN_2;
        let w = LN_2 * LN_2 / trigamma(half);
        self.octaves += 1;
        self.w += w;
        self.wx += w * x;
        self.wy += w * y;
        self.wxx += w * x * x;
        self.wxy += w * x * y;
    }

    /// Slope and its standard error.
    fn slope(&self) -> (f64, f64) {
        let determinant = self.w * self.wxx - self.wx * self.wx;
        let slope = (self.w * self.wxy - self.wx * self.wy) / determinant;
        (slope, (self.w / determinant).sqrt())
    }
}

/// Averages and wavelet coefficients of the next octave, those inside the series.
fn split(values: &[f64], filter: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let windows = values.windows(filter.len()).step_by(2);
    let last = filter.len() - 1;
    let sums = |window: &[f64]| {
        let (mut average, mut detail) = (0.0, 0.0);
        for (i, x) in window.iter().enumerate() {
            average += filter[i] * x;
            let sign = if i % 2 == 0 { 1.0 } else { -1.0 };
            detail += sign * filter[last - i] * x;
        }
        (average, detail)
    };
    windows.map(sums).unzip()
}

/// Scaling filters of Daubechies by vanishing moments, of least phase and norm 1, from the roots of their
/// polynomial with 50 digits.
const FILTERS: [&[f64]; 4] = [
    &[std::f64::consts::FRAC_1_SQRT_2, std::f64::consts::FRAC_1_SQRT_2],
    &[0.48296291314453416, 0.8365163037378079, 0.2241438680420134, -0.12940952255126037],
    &[
        0.33267055295008263,
        0.8068915093110925,
        0.45987750211849154,
        -0.13501102001025458,
        -0.08544127388202666,
        0.03522629188570954,
    ],
    &[
        0.2303778133088965,
        0.7148465705529157,
        0.6308807679298589,
        -0.027983769416859854,
        -0.18703481171909309,
        0.030841381835560764,
        0.0328830116668852,
        -0.010597401785069032,
    ],
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Orthogonal to its even shifts, with wavelets orthogonal to polynomials: this determines a
    /// filter of Daubechies up to reversal and choice of roots.
    #[test]
    fn filters_are_orthonormal_with_vanishing_moments() {
        for (n, filter) in (1..).zip(FILTERS) {
            assert_eq!(filter.len(), 2 * n);
            for shift in 0..n {
                let product: f64 =
                    filter.iter().zip(&filter[2 * shift..]).map(|(a, b)| a * b).sum();
                assert!((product - f64::from(u8::from(shift == 0))).abs() < 1e-15);
            }
            for power in 0..n {
                let values: Vec<f64> = (0..2 * n).map(|k| (k as f64).powi(power as i32)).collect();
                let (_, details) = split(&values, filter);
                assert!(details[0].abs() < 1e-12, "{n} {power}");
            }
        }
    }
}
