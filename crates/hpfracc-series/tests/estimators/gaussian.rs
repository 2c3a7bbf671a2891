//! Exact simulation of Gaussian series with fixed seeds, and dense likelihoods.

use std::f64::consts::TAU;

/// Normal numbers: SplitMix64 and the transform of Box and Muller.
pub(crate) struct Normals {
    state: u64,
    second: Option<f64>,
}

impl Normals {
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5eed, second: None }
    }

    fn uniform(&mut self) -> f64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    pub(crate) fn next(&mut self) -> f64 {
        if let Some(second) = self.second.take() {
            return second;
        }
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        let (sine, cosine) = (TAU * self.uniform()).sin_cos();
        self.second = Some(radius * sine);
        radius * cosine
    }
}

/// Predictions of a stationary series of n values: for each time the coefficients of the earlier
/// values, by lag from 1, and the variance of the error.
pub(crate) struct Simulator {
    coefficients: Vec<Vec<f64>>,
    deviations: Vec<f64>,
}

impl Simulator {
    pub(crate) fn new(autocovariance: &[f64]) -> Self {
        let (mut coefficients, mut deviations) = (vec![vec![]], vec![autocovariance[0].sqrt()]);
        let mut variance = autocovariance[0];
        for t in 1..autocovariance.len() {
            let before: &Vec<f64> = &coefficients[t - 1];
            let sum: f64 = (1..t).map(|j| before[j - 1] * autocovariance[t - j]).sum();
            let last = (autocovariance[t] - sum) / variance;
            let mut now: Vec<f64> =
                (1..t).map(|j| before[j - 1] - last * before[t - j - 1]).collect();
            now.push(last);
            variance *= 1.0 - last * last;
            coefficients.push(now);
            deviations.push(variance.sqrt());
        }
        Self { coefficients, deviations }
    }

    /// A series with mean zero.
    pub(crate) fn series(&self, normals: &mut Normals) -> Vec<f64> {
        let mut x: Vec<f64> = Vec::new();
        for (coefficients, deviation) in self.coefficients.iter().zip(&self.deviations) {
            let predicted: f64 = coefficients.iter().zip(x.iter().rev()).map(|(c, x)| c * x).sum();
            x.push(predicted + deviation * normals.next());
        }
        x
    }
}

/// Logarithm of the density of a series with mean zero, by Cholesky's factor of the covariance
/// matrix.
pub(crate) fn dense_log_likelihood(autocovariance: &[f64], x: &[f64]) -> f64 {
    let n = x.len();
    let mut factor = vec![vec![0.0; n]; n];
    let mut total = -0.5 * n as f64 * TAU.ln();
    let mut y: Vec<f64> = Vec::new();
    for i in 0..n {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| factor[i][k] * factor[j][k]).sum();
            let rest = autocovariance[i - j] - sum;
            factor[i][j] = if i == j { rest.sqrt() } else { rest / factor[j][j] };
        }
        let sum: f64 = (0..i).map(|k| factor[i][k] * y[k]).sum();
        y.push((x[i] - sum) / factor[i][i]);
        total -= factor[i][i].ln() + 0.5 * y[i] * y[i];
    }
    total
}

/// Seeds of a coverage test: those of the variable `HPFRACC_SEEDS`, or `few`.
pub(crate) fn seeds(few: u64) -> u64 {
    std::env::var("HPFRACC_SEEDS").map_or(few, |text| {
        text.parse().unwrap_or_else(|_| panic!("HPFRACC_SEEDS is `{text}`, expected a number"))
    })
}

/// Prints the share of intervals that contain the truth and compares it with 95 %: within 2 % and
/// three standard errors of the simulation.
pub(crate) fn check_coverage(name: &str, inside: u64, all: u64) {
    let (share, n) = (inside as f64 / all as f64, all as f64);
    eprintln!("{name}: {inside} of {all} intervals, {:.1} %", 100.0 * share);
    let simulation = 3.0 * (0.95 * 0.05 / n).sqrt();
    let bound = if all >= 500 { 0.02 } else { 0.02 + simulation };
    assert!((share - 0.95).abs() <= bound, "{name}: {share}");
}
