//! Exact simulation of fractional Gaussian noise by circulant embedding, with fixed seeds.

use crate::fractional_gaussian_noise::autocovariance;
use hpfracc_lanes::causal::FourierScalar;
use hpfracc_lanes::num_complex::Complex;
use std::f64::consts::TAU;

/// Fractional Gaussian noise of one Hurst exponent and length (Davies and Harte, Biometrika 74 (1987) 95).
///
/// The eigenvalues of the embedding in a circle of twice the length are not negative for any H (Craigmile, J. Time Ser. Anal. 24
/// (2003) 505).
pub(super) struct Simulator {
    n: usize,
    /// Standard deviations of the half spectrum.
    deviations: Vec<f64>,
}

const LENGTHS: &str = "the buffers have the lengths of the plan";

impl Simulator {
    pub(super) fn new(hurst: f64, n: usize) -> Self {
        let half = n.next_power_of_two();
        let gamma = autocovariance(hurst, half + 1);
        let mut circle: Vec<f64> = (0..2 * half).map(|k| gamma[k.min(2 * half - k)]).collect();
        let transform = f64::transform(2 * half);
        let mut spectrum = vec![Complex::ZERO; half + 1];
        let mut scratch = vec![Complex::ZERO; transform.get_scratch_len()];
        transform.process_with_scratch(&mut circle, &mut spectrum, &mut scratch).expect(LENGTHS);
        // Real and imaginary parts share the variance, except at both ends.
        let length = (2 * half) as f64;
        let deviation = |(k, z): (usize, &Complex<f64>)| {
            let shared = if k == 0 || k == half { 1.0 } else { 2.0 };
            (z.re.max(0.0) / (shared * length)).sqrt()
        };
        Self { n, deviations: spectrum.iter().enumerate().map(deviation).collect() }
    }

    pub(super) fn noise(&self, seed: u64) -> Vec<f64> {
        let half = self.deviations.len() - 1;
        let mut normals = Normals { state: seed };
        let mut spectrum: Vec<Complex<f64>> =
            self.deviations.iter().map(|deviation| normals.pair() * deviation).collect();
        (spectrum[0].im, spectrum[half].im) = (0.0, 0.0);
        let transform = f64::inverse_transform(2 * half);
        let mut noise = vec![0.0; 2 * half];
        let mut scratch = vec![Complex::ZERO; transform.get_scratch_len()];
        transform.process_with_scratch(&mut spectrum, &mut noise, &mut scratch).expect(LENGTHS);
        noise.truncate(self.n);
        noise
    }
}

/// Pairs of normal numbers: SplitMix64 (Steele, Lea and Flood, 2014) and the transform of Box and Muller.
struct Normals {
    state: u64,
}

impl Normals {
    fn pair(&mut self) -> Complex<f64> {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        Complex::from_polar(radius, TAU * self.uniform())
    }

    fn uniform(&mut self) -> f64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simulated_noise_has_the_autocovariances() {
        for hurst in [0.1, 0.5, 0.8] {
            let simulator = Simulator::new(hurst, 50);
            let mut sums = [0.0; 4];
            let count = 4000;
            for seed in 0..count {
                let x = simulator.noise(seed * 1000);
                sums.iter_mut().enumerate().for_each(|(k, sum)| *sum += x[10] * x[10 + k]);
            }
            for (sum, gamma) in sums.iter().zip(autocovariance(hurst, 4)) {
                assert!((sum / count as f64 - gamma).abs() < 0.08, "{hurst} {sums:?}");
            }
        }
    }
}
