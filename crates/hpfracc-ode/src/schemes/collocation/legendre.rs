//! Legendre polynomials and the Radau points.

use std::f64::consts::PI;

/// Writes `P_0(x), P_1(x), ...`.
pub(super) fn legendre(x: f64, out: &mut [f64]) {
    for j in 0..out.len() {
        let k = j as f64;
        out[j] = match j {
            0 => 1.0,
            1 => x,
            _ => ((2.0 * k - 1.0) * x * out[j - 1] - (k - 1.0) * out[j - 2]) / k,
        };
    }
}

/// `1 + x` for the n Radau points of [-1, 1] that have the right end among them, increasing to 2:
/// the zeros of `P_{n-1} - P_n`, by Newton's iteration from their asymptotic places.
pub(super) fn radau(n: usize) -> Vec<f64> {
    let mut values = vec![0.0; n + 1];
    let mut point = |k: usize| {
        let mut x = ((2.0 * k as f64 + 0.5) * PI / (2.0 * n as f64)).cos();
        for _ in 0..20 {
            legendre(x, &mut values);
            // (1 - x^2) P_n' = n (P_{n-1} - x P_n)
            let [before, below, at] = [values[n - 2], values[n - 1], values[n]];
            let slope = (n - 1) as f64 * (before - x * below) - n as f64 * (below - x * at);
            let step = (below - at) * (1.0 - x * x) / slope;
            x -= step;
            if step.abs() < f64::EPSILON {
                break;
            }
        }
        1.0 + x
    };
    let mut points: Vec<f64> = (1..n).rev().map(&mut point).collect();
    points.push(2.0);
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legendre_polynomials_at_one_third() {
        let mut values = [0.0; 4];
        legendre(1.0 / 3.0, &mut values);
        let exact = [1.0, 1.0 / 3.0, -1.0 / 3.0, -11.0 / 27.0];
        for (value, exact) in values.iter().zip(exact) {
            assert!((value - exact).abs() < 1e-15);
        }
    }

    #[test]
    fn the_smallest_sets_of_points() {
        assert_eq!(radau(1), [2.0]);
        let [first, second] = radau(2)[..] else { panic!("two points") };
        assert!((first - 2.0 / 3.0).abs() < 1e-15 && second == 2.0);
    }

    #[test]
    fn points_are_zeros_and_increase() {
        for n in [3, 7, 20, 28, 40] {
            let points = radau(n);
            assert!(points.is_sorted() && points[0] > 0.0 && points.len() == n);
            assert!(points.windows(2).all(|pair| pair[1] - pair[0] > 1e-3 * pair[1]), "{n}");
            let mut values = vec![0.0; n + 1];
            for point in points {
                legendre(point - 1.0, &mut values);
                assert!((values[n - 1] - values[n]).abs() < 1e-13, "{n} {point}");
            }
        }
    }
}
