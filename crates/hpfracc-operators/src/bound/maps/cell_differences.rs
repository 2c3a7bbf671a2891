//! The differences that an interpolant on cells is made of.
//!
//! On the cell from sample m-1 to m, at m-1+theta, the slope of the polynomial through the last
//! samples is `d_m + (theta - 1/2) d2_m + (3 theta^2 - 1)/6 d3_m` with backward differences of
//! first, second and third order at m. The first cells, which lack samples before them, take the
//! cubic through the first four samples.

use hpfracc_types::Real;

/// Samples that a number of differences needs: all of one cubic.
pub(crate) fn min_points(count: usize) -> usize {
    count + 1
}

/// Writes one or three sequences of differences of x, one after the other. Entry 0 is zero.
pub(crate) fn cell_differences<T: Real>(x: &[T], differences: &mut [f64]) {
    let n = x.len();
    let (d, higher) = differences.split_at_mut(n);
    d[0] = 0.0;
    for m in 1..n {
        d[m] = x[m].widen() - x[m - 1].widen();
    }
    if higher.is_empty() {
        return;
    }
    let (d2, d3) = higher.split_at_mut(n);
    (d2[0], d3[0]) = (0.0, 0.0);
    for m in 2..n {
        d2[m] = d[m] - d[m - 1];
    }
    for m in 3..n {
        d3[m] = d2[m] - d2[m - 1];
    }
    (d3[1], d3[2]) = (d3[3], d3[3]);
    d2[1] = d2[2] - d3[3];
}

/// The transpose of [`cell_differences`]. Overwrites the differences.
pub(crate) fn cell_differences_transposed<T: Real>(differences: &mut [f64], x: &mut [T]) {
    let n = x.len();
    let (d, higher) = differences.split_at_mut(n);
    d[0] = 0.0;
    if !higher.is_empty() {
        let (d2, d3) = higher.split_at_mut(n);
        d2[2] += d2[1];
        d3[3] += d3[1] + d3[2] - d2[1];
        for m in 3..n {
            d2[m] += d3[m];
            d2[m - 1] -= d3[m];
        }
        for m in 2..n {
            d[m] += d2[m];
            d[m - 1] -= d2[m];
        }
    }
    for m in 0..n {
        x[m] = T::narrow(d[m] - d.get(m + 1).copied().unwrap_or(0.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Slopes of a cubic are exact on every cell.
    #[test]
    fn the_differences_of_a_cubic_give_its_slopes() {
        let value = |t: f64| 1.0 + t - 0.5 * t * t + 0.25 * t * t * t;
        let slope = |t: f64| 1.0 - t + 0.75 * t * t;
        for n in [4, 5, 9] {
            let x: Vec<f64> = (0..n).map(|m| value(m as f64)).collect();
            let mut d = vec![f64::NAN; 3 * n];
            cell_differences(&x, &mut d);
            for m in 1..n {
                for theta in [0.0, 0.3, 1.0] {
                    let (second, third) = (theta - 0.5, (3.0 * theta * theta - 1.0) / 6.0);
                    let found = d[m] + second * d[n + m] + third * d[2 * n + m];
                    let exact = slope(m as f64 - 1.0 + theta);
                    assert!((found - exact).abs() < 1e-12, "{n} {m} {theta}: {found} {exact}");
                }
            }
        }
    }

    #[test]
    fn the_transpose_is_that_of_the_matrix() {
        for (n, count) in [(2, 1), (5, 1), (4, 3), (7, 3)] {
            let size = n * count;
            for row in 0..size {
                let (mut unit, mut back) = (vec![0.0; size], vec![f64::NAN; n]);
                unit[row] = 1.0;
                // Entries 0 are no differences.
                let constant = row % n == 0;
                if constant {
                    unit[row] = 0.0;
                }
                cell_differences_transposed(&mut unit, &mut back);
                for (column, found) in back.iter().enumerate() {
                    let (mut x, mut d) = (vec![0.0; n], vec![0.0; size]);
                    x[column] = 1.0;
                    cell_differences(&x, &mut d);
                    let expected = if constant { 0.0 } else { d[row] };
                    assert_eq!(*found, expected, "{n} {count} {row} {column}");
                }
            }
        }
    }
}
