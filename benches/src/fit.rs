//! Growth of a cost with the problem size: the fitted power law, and the theoretical exponent at
//! the same sizes.

/// Power law fitted by least squares to the logarithms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Power {
    /// Exponent, the slope on logarithmic axes.
    pub(crate) exponent: f64,
    /// Standard error of the exponent, from the residuals.
    pub(crate) error: f64,
}

impl Power {
    /// Fits at least three points `(size, cost)`, all positive: two points have no residuals.
    pub(crate) fn of(points: &[(f64, f64)]) -> Option<Self> {
        if points.len() < 3 || points.iter().any(|(n, cost)| !(*n > 0.0 && *cost > 0.0)) {
            return None;
        }
        let count = points.len() as f64;
        let logs: Vec<_> = points.iter().map(|(n, cost)| (n.ln(), cost.ln())).collect();
        let mean = |of: fn(&(f64, f64)) -> f64| logs.iter().map(of).sum::<f64>() / count;
        let (x0, y0) = (mean(|p| p.0), mean(|p| p.1));
        let sum = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
            logs.iter().map(|(x, y)| of(x - x0, y - y0)).sum()
        };
        let spread = sum(&|x, _| x * x);
        let exponent = sum(&|x, y| x * y) / spread;
        let residuals = sum(&|x, y| (y - exponent * x).powi(2));
        let error = (residuals / (count - 2.0) / spread).sqrt();
        (spread > 0.0).then_some(Self { exponent, error })
    }
}

/// Theoretical cost up to a factor.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Theory {
    /// Formula in the tables.
    pub(crate) name: &'static str,
    /// Cost by size.
    pub(crate) cost: fn(f64) -> f64,
}

impl Theory {
    pub(crate) const CONSTANT: Self = Self { name: "1", cost: |_| 1.0 };
    pub(crate) const INVERSE: Self = Self { name: "1 / N", cost: f64::recip };
    pub(crate) const LOG: Self = Self { name: "log N", cost: f64::ln };
    pub(crate) const LINEAR: Self = Self { name: "N", cost: |n| n };
    pub(crate) const N_LOG: Self = Self { name: "N log N", cost: |n| n * n.ln() };
    pub(crate) const N_LOG_SQUARED: Self = Self { name: "N log^2 N", cost: |n| n * n.ln().powi(2) };
    pub(crate) const QUADRATIC: Self = Self { name: "N^2", cost: |n| n * n };

    /// Exponent of a power law fitted at these sizes: slightly above 1 for N log N.
    pub(crate) fn over(self, sizes: impl Iterator<Item = f64>) -> Option<f64> {
        let points: Vec<_> = sizes.map(|n| (n, (self.cost)(n))).collect();
        Power::of(&points).map(|power| power.exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: [f64; 5] = [1e3, 3e3, 1e4, 3e4, 1e5];

    #[test]
    fn exponents_are_recovered() {
        for exponent in [-1.0, 0.0, 1.0, 1.5, 2.0] {
            let fit = Power::of(&SIZES.map(|n| (n, 7e-9 * n.powf(exponent)))).unwrap();
            assert!((fit.exponent - exponent).abs() < 1e-12, "{fit:?}");
            assert!(fit.error < 1e-7, "{fit:?}");
        }
    }

    #[test]
    fn logarithms_increase_the_exponent() {
        let slope = |theory: Theory| theory.over(SIZES.into_iter()).unwrap();
        assert_eq!(slope(Theory::QUADRATIC), 2.0);
        // Between the ends of two decades: ln(cost ratio) / ln(size ratio).
        let ends = |power: i32| 1.0 + f64::from(power) * (5.0_f64 / 3.0).ln() / 100_f64.ln();
        assert!((slope(Theory::N_LOG) - ends(1)).abs() < 2e-3);
        assert!((slope(Theory::N_LOG_SQUARED) - ends(2)).abs() < 4e-3);
    }

    /// A regression by hand: x = -1, 0, 1 and y = -1, e, 1 with e = 0.3 have slope 1, and the sum of
    /// squared residuals is 2/3 e^2 with one degree of freedom.
    #[test]
    fn the_standard_error_comes_from_the_residuals() {
        let e = 0.3_f64;
        let fit = Power::of(&[
            ((-1_f64).exp(), (-1_f64).exp()),
            (1.0, e.exp()),
            (1_f64.exp(), 1_f64.exp()),
        ]);
        let fit = fit.unwrap();
        assert!((fit.exponent - 1.0).abs() < 1e-14, "{fit:?}");
        assert!((fit.error - e * (1.0_f64 / 3.0).sqrt()).abs() < 1e-14, "{fit:?}");
    }

    /// The error of the exponent under noise of a few per cent has the estimated standard error.
    #[test]
    fn the_standard_error_is_that_of_noisy_fits() {
        let mut state = 1_u64;
        let mut uniform = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        };
        let sizes: Vec<f64> = (0..9).map(|k| 1e3 * 10_f64.powf(0.5 * f64::from(k))).collect();
        let fits = (0..400).map(|_| {
            let noisy: Vec<_> = sizes.iter().map(|n| (*n, n * (0.2 * uniform()).exp())).collect();
            Power::of(&noisy).unwrap()
        });
        let scaled: Vec<f64> = fits.map(|fit| (fit.exponent - 1.0) / fit.error).collect();
        // Student's t distribution with 7 degrees of freedom has variance 7 / 5.
        let variance = scaled.iter().map(|z| z * z).sum::<f64>() / scaled.len() as f64;
        assert!((0.9..2.0).contains(&variance), "{variance}");
    }

    #[test]
    fn degenerate_data_have_no_fit() {
        assert_eq!(Power::of(&[(1.0, 1.0), (2.0, 2.0)]), None);
        assert_eq!(Power::of(&[(1.0, 1.0), (2.0, 0.0), (3.0, 3.0)]), None);
        assert_eq!(Power::of(&[(2.0, 1.0), (2.0, 2.0), (2.0, 3.0)]), None);
    }
}
