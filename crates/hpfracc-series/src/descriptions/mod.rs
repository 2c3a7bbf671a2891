//! Descriptions that are often read as Hurst exponents, with the values that they take for known ones.

mod detrended_fluctuations;
mod rescaled_range;
mod simulate;

pub use detrended_fluctuations::detrended_fluctuations;
pub use rescaled_range::rescaled_range;

use self::simulate::Simulator;
use crate::series::Series;
use std::fmt;

/// A scaling exponent of a series, and its distribution for fractional Gaussian noise of the same length.
///
/// The exponent is no estimate: white noise of 500 values has a rescaled range of exponent 0.6, not 0.5, and there is no
/// standard error. [`expected`](Self::expected) says what known noises give. Estimates with errors are those of
/// [`FractionalGaussianNoise`](crate::FractionalGaussianNoise), [`LocalWhittle`](crate::LocalWhittle) and [`Wavelet`](crate::Wavelet).
#[derive(Debug, Clone, PartialEq)]
pub struct Description {
    method: &'static str,
    exponent: f64,
    expected: Vec<Expected>,
}

/// The exponent of simulated fractional Gaussian noise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Expected {
    /// Hurst exponent of the noise.
    pub hurst: f64,
    /// Mean exponent of the simulated series; the bias is this less `hurst`.
    pub mean: f64,
    /// Standard deviation of the exponents.
    pub standard_deviation: f64,
}

impl Description {
    /// Exponent of a series by a function, and of simulated noises of its length.
    fn new(method: &'static str, series: &Series, exponent: impl Fn(&[f64]) -> f64) -> Self {
        let n = series.noise().len();
        let expected = HURST.map(|hurst| expected(hurst, n, &exponent)).to_vec();
        Self { method, exponent: exponent(series.noise()), expected }
    }

    /// Name of the method.
    #[must_use]
    pub fn method(&self) -> &'static str {
        self.method
    }

    /// Exponent of the series.
    #[must_use]
    pub fn exponent(&self) -> f64 {
        self.exponent
    }

    /// Exponents of 100 simulated noises with H = 0.1, 0.3, 0.5, 0.7 and 0.9, with fixed seeds.
    #[must_use]
    pub fn expected(&self) -> &[Expected] {
        &self.expected
    }
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: exponent {:.3}\nnoise with H  mean exponent  standard deviation",
            self.method, self.exponent
        )?;
        for Expected { hurst, mean, standard_deviation } in &self.expected {
            write!(f, "\n{hurst:<12}  {mean:<13.3}  {standard_deviation:.3}")?;
        }
        Ok(())
    }
}

/// Hurst exponents of the simulated noises.
const HURST: [f64; 5] = [0.1, 0.3, 0.5, 0.7, 0.9];

/// Number of simulated noises.
const COUNT: u64 = 100;

fn expected(hurst: f64, n: usize, exponent: impl Fn(&[f64]) -> f64) -> Expected {
    let simulator = Simulator::new(hurst, n);
    let found: Vec<f64> = (0..COUNT).map(|seed| exponent(&simulator.noise(seed))).collect();
    let count = COUNT as f64;
    let mean = found.iter().sum::<f64>() / count;
    let squares: f64 = found.iter().map(|x| (x - mean).powi(2)).sum();
    Expected { hurst, mean, standard_deviation: (squares / (count - 1.0)).sqrt() }
}

/// Window lengths from `first` to `last`, each about 1.4 times the one before.
fn windows(first: usize, last: usize) -> Vec<usize> {
    let mut windows = vec![];
    let mut length = first as f64;
    while length.round() <= last as f64 {
        windows.push(length.round() as usize);
        length *= std::f64::consts::SQRT_2;
    }
    windows
}

/// Slope of the least-squares line through the logarithms of positive points.
fn logarithmic_slope(points: impl Iterator<Item = (usize, f64)>) -> f64 {
    let points: Vec<(f64, f64)> =
        points.filter(|(_, y)| *y > 0.0).map(|(x, y)| ((x as f64).ln(), y.ln())).collect();
    let count = points.len() as f64;
    let mean_x = points.iter().map(|(x, _)| x).sum::<f64>() / count;
    let mean_y = points.iter().map(|(_, y)| y).sum::<f64>() / count;
    let products: f64 = points.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let squares: f64 = points.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
    products / squares
}
