//! Real Toeplitz matrices as products modulo `z^M - i`: the right-angle convolution.
//!
//! Modulo `z^M - i` the product of a real signal x of length N <= M with complex weights g is
//!
//! ```text
//! r[n] = sum_{j <= n} g[n-j] x[j]  +  i sum_{j > n} g[M+n-j] x[j]
//! ```
//!
//! Real weights w give the causal convolution in the real part, and the terms that wrap around are
//! in the imaginary part: no zero padding is needed. Imaginary weights return them to the real
//! part: with
//!
//! ```text
//! g[l] = below[l] for l < N,   minus i above[M-l] for l > M - N
//! ```
//!
//! the real part is `sum_{j <= n} below[n-j] x[j] + sum_{j > n} above[j-n] x[j]`, any real Toeplitz
//! matrix; for a circulant one, `above[d] = below[N-d]`. The transpose is the same map on reversed
//! signals. With `a = exp(i pi / (2 M))`, a^M = i, the product is cyclic for `a^n g[n]` and `a^n
//! x[n]`.
//!
//! Source: R. E. Crandall and B. Fagin, Math. Comp. 62 (1994) 305,
//! doi:10.1090/S0025-5718-1994-1185244-1, for the weighted transform.

use crate::spectral_multiplier::impulse_response;
use hpfracc_backend::Workload;
use rustfft::FftPlanner;
use rustfft::num_complex::Complex64;
use std::f64::consts::TAU;

/// The transform of `a^n g[n] / M` in M points.
pub(super) fn spectrum(workload: Workload, kernel: &[f64], points: usize) -> Vec<Complex64> {
    let mut values = weights(workload, kernel, points);
    for (n, value) in values.iter_mut().enumerate() {
        let angle = TAU * (n as f64 / (4 * points) as f64);
        *value = *value / points as f64 * Complex64::from_polar(1.0, angle);
    }
    FftPlanner::new().plan_fft_forward(points).process(&mut values);
    values
}

/// The weights g of a causal convolution, or of a spectral multiplier along one axis.
fn weights(workload: Workload, kernel: &[f64], points: usize) -> Vec<Complex64> {
    let mut g = vec![Complex64::default(); points];
    if let Workload::SpectralMultiplier { shape, .. } = workload {
        let h = impulse_response(kernel, shape);
        let n = h.len();
        for (g, h) in g.iter_mut().zip(&h) {
            g.re = *h;
        }
        for (l, h) in h.iter().enumerate().skip(1) {
            g[points - n + l].im = -h;
        }
    } else {
        for (g, w) in g.iter_mut().zip(kernel) {
            g.re = *w;
        }
    }
    g
}
