//! The residual of the linear model at a size, interpolated from nearby timings.

use super::features::{Coordinates, distance};

/// Timings that take part in one interpolation.
const NEIGHBOURS: usize = 8;

/// Correlation length of the residuals, in octaves.
const RANGE: f64 = 3.0;

/// Standard deviation of one stored timing about a smooth curve: padding to transform lengths
/// makes times of neighbouring sizes differ by a tenth.
const NOISE: f64 = 0.1;

/// Mean and standard deviation of the residual at a size, by simple kriging from the nearest
/// timings. `spread` is the standard deviation of the residuals.
pub(super) fn interpolate<'a>(
    place: &Coordinates,
    known: impl Iterator<Item = (&'a Coordinates, f64)>,
    spread: f64,
) -> (f64, f64) {
    // The nearest timings, nearest first.
    let mut near: [(f64, Option<&Coordinates>, f64); NEIGHBOURS] =
        [(f64::INFINITY, None, 0.0); NEIGHBOURS];
    for (at, residual) in known {
        let d = distance(place, at);
        if d < near[NEIGHBOURS - 1].0 {
            let slot = near.iter().position(|other| d < other.0).unwrap_or(NEIGHBOURS - 1);
            near[slot..].rotate_right(1);
            near[slot] = (d, Some(at), residual);
        }
    }
    let near: Vec<(f64, &Coordinates, f64)> =
        near.iter().filter_map(|&(d, at, r)| at.map(|at| (d, at, r))).collect();
    let variance = (spread * spread).max(0.01);
    let covariance = |d: f64| variance * (-d / RANGE).exp();
    let n = near.len();
    let mut matrix = [[0.0; NEIGHBOURS]; NEIGHBOURS];
    for i in 0..n {
        for j in 0..n {
            matrix[i][j] = covariance(distance(near[i].1, near[j].1));
        }
        matrix[i][i] += NOISE * NOISE;
    }
    let with: Vec<f64> = near.iter().map(|&(d, ..)| covariance(d)).collect();
    let weights = solve(matrix, &with);
    let mean: f64 = weights.iter().zip(&near).map(|(w, (.., r))| w * r).sum();
    let explained: f64 = weights.iter().zip(&with).map(|(w, c)| w * c).sum();
    (mean, ((variance - explained).max(0.0) + NOISE * NOISE).sqrt())
}

/// Solves a symmetric positive definite system by Cholesky factorisation.
fn solve(mut a: [[f64; NEIGHBOURS]; NEIGHBOURS], right: &[f64]) -> Vec<f64> {
    let n = right.len();
    let mut x = right.to_vec();
    for j in 0..n {
        for k in 0..j {
            for i in j..n {
                a[i][j] -= a[i][k] * a[j][k];
            }
        }
        let pivot = a[j][j].max(1e-12).sqrt();
        for i in j..n {
            a[i][j] /= pivot;
        }
    }
    for i in 0..n {
        for k in 0..i {
            x[i] -= a[i][k] * x[k];
        }
        x[i] /= a[i][i];
    }
    for i in (0..n).rev() {
        for k in i + 1..n {
            x[i] -= a[k][i] * x[k];
        }
        x[i] /= a[i][i];
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(octave: f64) -> Coordinates {
        [octave, 0.0, 0.0, 0.0, 0.0, 0.0]
    }

    #[test]
    fn solves() {
        let mut a = [[0.0; NEIGHBOURS]; NEIGHBOURS];
        let rows = [[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]];
        let truth = [1.0, -2.0, 0.5];
        for i in 0..3 {
            a[i][..3].copy_from_slice(&rows[i]);
        }
        let right: Vec<f64> =
            rows.iter().map(|row| row.iter().zip(truth).map(|(r, x)| r * x).sum()).collect();
        for (found, expected) in solve(a, &right).iter().zip(truth) {
            assert!((found - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn between_two_neighbours_lies_their_mean() {
        let places = [at(8.0), at(10.0)];
        let known = || places.iter().zip([0.2, 0.4]);
        let (mean, _) = interpolate(&at(9.0), known(), 0.5);
        assert!((mean - 0.3).abs() < 0.03, "{mean}");
        let (far, deviation) = interpolate(&at(40.0), known(), 0.5);
        assert!(far.abs() < 0.01 && (deviation - 0.5).abs() < 0.01, "{far} {deviation}");
    }

    #[test]
    fn only_the_nearest_take_part() {
        let places: Vec<Coordinates> = (0..100).map(|i| at(f64::from(i))).collect();
        let known = places.iter().map(|p| (p, if (p[0] - 50.0).abs() < 5.0 { 1.0 } else { -9.0 }));
        let (mean, _) = interpolate(&at(50.0), known, 1.0);
        assert!((mean - 1.0).abs() < 0.05, "{mean}");
    }
}
