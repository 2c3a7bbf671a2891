//! Periodogram of a series.

use hpfracc_lanes::causal::FourierScalar;
use hpfracc_lanes::num_complex::Complex;
use std::f64::consts::{PI, TAU};

/// Ordinates `|sum_t x_t e^(-i lambda_j t)|² / (2 pi n)` at `lambda_j = 2 pi j / n`, j = 1, ...,
/// floor((n-1)/2): those of independent cosine and sine. The mean takes no part.
#[derive(Debug, Clone)]
pub(crate) struct Periodogram {
    pub(crate) frequencies: Vec<f64>,
    pub(crate) ordinates: Vec<f64>,
}

impl Periodogram {
    /// Of a series from which `offset` is subtracted first.
    pub(crate) fn new(x: &[f64], offset: f64) -> Self {
        let n = x.len();
        let transform = f64::transform(n);
        let mut centred: Vec<f64> = x.iter().map(|x| x - offset).collect();
        let mut spectrum = vec![Complex::ZERO; n / 2 + 1];
        let mut scratch = vec![Complex::ZERO; transform.get_scratch_len()];
        transform
            .process_with_scratch(&mut centred, &mut spectrum, &mut scratch)
            .expect("the buffers have the lengths of the plan");
        let count = n.saturating_sub(1) / 2;
        let size = PI * 2.0 * n as f64;
        Self {
            frequencies: (1..=count).map(|j| TAU * j as f64 / n as f64).collect(),
            ordinates: spectrum[1..=count].iter().map(|z| z.norm_sqr() / size).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinates_agree_with_the_formula() {
        for n in [2, 7, 12, 31] {
            let x: Vec<f64> = (0..n).map(|t| ((t * t) % 5) as f64 + 1e6).collect();
            let found = Periodogram::new(&x, 1e6 + 1.0);
            for (lambda, ordinate) in found.frequencies.iter().zip(&found.ordinates) {
                let sum = |part: fn(f64) -> f64| {
                    (0..n).map(|t| (x[t] - 1e6) * part(lambda * t as f64)).sum::<f64>()
                };
                let exact = (sum(f64::cos).powi(2) + sum(f64::sin).powi(2)) / (TAU * n as f64);
                assert!((ordinate - exact).abs() < 1e-12, "{n} {lambda}");
            }
            assert_eq!(found.ordinates.len(), (n - 1) / 2);
        }
    }
}
