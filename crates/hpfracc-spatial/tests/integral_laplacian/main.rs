//! Integral fractional Laplacian on intervals and domains, against closed forms, dense matrices and
//! other discretisations.

mod definitions;
mod domain;
mod interval;
mod skewed;

use hpfracc_special::gamma;

/// Right-hand side and solution on (-1, 1) at the nodes x: (-Lap)^s [(1-x^2)^s G_k(x)] =
/// Gamma(2s+k+1)/k! G_k(x) with the Gegenbauer polynomials G_k of index s + 1/2.
///
/// Source: Dyda, Kuznetsov and Kwasnicki, Constr. Approx. 45 (2017) 427, DOI
/// 10.1007/s00365-016-9336-4.
pub fn interval_solution(alpha: f64, degree: usize, x: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let (s, index) = (0.5 * alpha, 0.5 * alpha + 0.5);
    let gegenbauer = |x: f64| {
        let (mut here, mut before) = (1.0, 0.0);
        for k in 0..degree {
            let k = k as f64;
            let next =
                (2.0 * (k + index) * x * here - (k + 2.0 * index - 1.0) * before) / (k + 1.0);
            (here, before) = (next, here);
        }
        here
    };
    let eigenvalue = gamma(alpha + degree as f64 + 1.0) / gamma(degree as f64 + 1.0);
    let f = x.iter().map(|x| eigenvalue * gegenbauer(*x)).collect();
    let u = x.iter().map(|x| (1.0 - x * x).powf(s) * gegenbauer(*x)).collect();
    (f, u)
}

/// Solution of (-Lap)^s u = 1 on the unit ball in d dimensions, at |x|^2.
///
/// Source: Getoor, Trans. Amer. Math. Soc. 101 (1961) 75, DOI 10.1090/S0002-9947-1961-0137148-5.
pub fn ball_solution(alpha: f64, d: usize, square: f64) -> f64 {
    let (s, half) = (0.5 * alpha, 0.5 * d as f64);
    (1.0 - square).max(0.0).powf(s) * 2f64.powf(-alpha) * gamma(half)
        / (gamma(half + s) * gamma(1.0 + s))
}

/// |x|^2.
pub fn square(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum()
}

/// Values without a pattern.
pub fn signal(n: usize) -> Vec<f64> {
    (0..n).map(|i| (1.7 * i as f64).sin() + 0.3 * (0.31 * i as f64).cos()).collect()
}

/// `x' y`.
pub fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// Largest difference of two fields.
///
/// # Panics
/// If they have unequal lengths.
pub fn max_difference(x: &[f64], y: &[f64]) -> f64 {
    assert_eq!(x.len(), y.len());
    x.iter().zip(y).fold(0.0, |most, (x, y)| most.max((x - y).abs()))
}

/// Largest error, relative to the largest value, of a derivative with respect to the order against
/// a difference of order 4.
pub fn difference(f: impl Fn(f64) -> Vec<f64>, alpha: f64, found: &[f64]) -> f64 {
    let step = 1e-3;
    let [a, b, c, d] = [-2.0, -1.0, 1.0, 2.0].map(|k| f(alpha + k * step));
    let at = |i: usize| (a[i] - 8.0 * b[i] + 8.0 * c[i] - d[i]) / (12.0 * step);
    let expected: Vec<f64> = (0..found.len()).map(at).collect();
    let scale = expected.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    max_difference(found, &expected) / scale
}
