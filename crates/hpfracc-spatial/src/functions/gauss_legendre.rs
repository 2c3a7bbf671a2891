//! Gauss-Legendre quadrature.

use std::f64::consts::PI;

/// Nodes and weights on [-1, 1], by Newton's iteration for the zeros of P_n.
pub(crate) fn gauss_legendre(n: usize) -> Vec<(f64, f64)> {
    let node = |k: usize| {
        let mut x = (PI * (k as f64 + 0.75) / (n as f64 + 0.5)).cos();
        let mut slope = 1.0;
        for _ in 0..20 {
            let value;
            (value, slope) = polynomial(n, x);
            let step = value / slope;
            x -= step;
            if step.abs() <= 1e-16 {
                break;
            }
        }
        (x, 2.0 / ((1.0 - x * x) * slope * slope))
    };
    (0..n).map(node).collect()
}

/// P_n and its derivative.
fn polynomial(n: usize, x: f64) -> (f64, f64) {
    let (mut below, mut value) = (0.0, 1.0);
    for k in 1..=n {
        let k = k as f64;
        (below, value) = (value, ((2.0 * k - 1.0) * x * value - (k - 1.0) * below) / k);
    }
    (value, n as f64 * (below - x * value) / (1.0 - x * x))
}

#[cfg(test)]
mod tests {
    use super::gauss_legendre;

    #[test]
    fn powers_are_exact_to_the_degree() {
        for n in [1, 2, 7, 32, 128] {
            let rule = gauss_legendre(n);
            for degree in [0, 1, n, 2 * n - 2, 2 * n - 1] {
                let sum: f64 = rule.iter().map(|(x, w)| w * x.powi(degree as i32)).sum();
                let exact = if degree % 2 == 0 { 2.0 / (degree as f64 + 1.0) } else { 0.0 };
                assert!((sum - exact).abs() < 1e-14, "{n} {degree}: {sum} {exact}");
            }
        }
    }
}
