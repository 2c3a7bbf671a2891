//! What a noise gives, as numbers, and covariances against their sampling error.

use hpfracc_sde::RowsMut;
use hpfracc_sde::noise::{CellIntegral, Gaussian, Noise, Tile};

/// All rows of all steps of a tile, as `[step][row][path]`.
pub(crate) fn rows_with<T: Gaussian>(
    noise: &dyn Noise<T>,
    tile: Tile,
    integrals: &[CellIntegral],
) -> Vec<Vec<Vec<T>>> {
    let count = noise.components() + integrals.len();
    let mut increments = noise.increments(tile, integrals).unwrap();
    let mut flat = vec![T::NAN; count * tile.lanes];
    let step = |step| {
        flat.fill(T::NAN);
        increments.write(step, RowsMut::new(&mut flat, tile.lanes));
        flat.chunks_exact(tile.lanes).map(<[T]>::to_vec).collect()
    };
    (0..tile.steps).map(step).collect()
}

/// The same without integrals.
pub(crate) fn rows<T: Gaussian>(noise: &dyn Noise<T>, tile: Tile) -> Vec<Vec<Vec<T>>> {
    rows_with(noise, tile, &[])
}

/// The same bits in any order of the steps, and in tiles of any size that start anywhere.
pub(crate) fn same_bits<T: Gaussian>(noise: &dyn Noise<T>, steps: usize, h: f64) {
    let whole = Tile { first_path: 1 << 33, lanes: 80, steps, h };
    let all = rows(noise, whole);
    for (first, lanes) in [(0, 80), (3, 1), (5, 16), (11, 60), (63, 2), (79, 1)] {
        let tile = Tile { first_path: whole.first_path + first as u64, lanes, ..whole };
        let mut increments = noise.increments(tile, &[]).unwrap();
        let mut flat = vec![T::NAN; noise.components() * lanes];
        for step in (0..steps).rev().chain([0, steps / 2, steps / 2, steps - 1, 0]) {
            flat.fill(T::NAN);
            increments.write(step, RowsMut::new(&mut flat, lanes));
            for (row, expected) in flat.chunks_exact(lanes).zip(&all[step]) {
                assert_eq!(row, &expected[first..first + lanes], "step {step} from path {first}");
            }
        }
    }
}

/// Means and covariances of `x[variable][path]`, normal with mean 0, each within 4.9 standard
/// errors; and the mean of all variances, in units of their own, which finds smaller errors that
/// they share.
pub(crate) fn covariances(x: &[Vec<f64>], exact: impl Fn(usize, usize) -> f64) {
    let count = x[0].len() as f64;
    let (mut shared, mut variance) = (0.0, 0.0);
    for i in 0..x.len() {
        for j in 0..x.len() {
            variance += 2.0 * exact(i, j).powi(2) / (exact(i, i) * exact(j, j)) / count;
        }
        shared += x[i].iter().map(|x| x * x / exact(i, i) - 1.0).sum::<f64>() / count;
        let mean = x[i].iter().sum::<f64>() / count;
        assert!(mean.abs() < 4.9 * (exact(i, i) / count).sqrt(), "mean {i}: {mean}");
        for j in 0..=i {
            let found = x[i].iter().zip(&x[j]).map(|(a, b)| a * b).sum::<f64>() / count;
            let expected = exact(i, j);
            let error = ((exact(i, i) * exact(j, j) + expected * expected) / count).sqrt();
            let z = (found - expected) / error;
            assert!(z.abs() < 4.9, "{i}, {j}: {found} for {expected}, {z} standard errors");
        }
    }
    let z = shared / variance.sqrt();
    assert!(z.abs() < 4.9, "all variances: {z} standard errors");
}

/// Sums over the steps: values at their ends, `[step][path]`, of a row.
pub(crate) fn values<T: Gaussian>(rows: &[Vec<Vec<T>>], row: usize) -> Vec<Vec<f64>> {
    let mut sums = vec![0.0; rows[0][row].len()];
    let value = |step: &Vec<Vec<T>>| {
        sums.iter_mut().zip(&step[row]).for_each(|(sum, x)| *sum += x.widen());
        sums.clone()
    };
    rows.iter().map(value).collect()
}

/// The characteristic function of a sample at u: real and imaginary part, each within 4.9 standard
/// errors of `exact(u)`, which `exact(2u)` gives.
pub(crate) fn empirical(x: &[f64], u: f64, exact: impl Fn(f64) -> (f64, f64), what: &str) {
    let count = x.len() as f64;
    let (re, im) = exact(u);
    let (double, _) = exact(2.0 * u);
    for (name, found, expected, square) in [
        ("cos", x.iter().map(|x| (u * x).cos()).sum::<f64>(), re, 0.5 * (1.0 + double)),
        ("sin", x.iter().map(|x| (u * x).sin()).sum::<f64>(), im, 0.5 * (1.0 - double)),
    ] {
        let error = ((square - expected * expected) / count).sqrt();
        let z = (found / count - expected) / error;
        assert!(z.abs() < 4.9, "{what}: {name} {} for {expected}, {z}", found / count);
    }
}

/// Rows that are independent of each other, whatever their distributions: each is above its median as often
/// together with another as apart from it.
pub(crate) fn independent(rows: &[Vec<f64>]) {
    let above = |row: &Vec<f64>| -> Vec<bool> {
        let mut sorted = row.clone();
        sorted.sort_by(f64::total_cmp);
        row.iter().map(|x| *x > sorted[sorted.len() / 2]).collect()
    };
    let signs: Vec<Vec<bool>> = rows.iter().map(above).collect();
    for i in 0..rows.len() {
        for j in 0..i {
            let together = signs[i].iter().zip(&signs[j]).filter(|(a, b)| a == b).count() as f64;
            let count = rows[i].len() as f64;
            let z = (2.0 * together - count) / count.sqrt();
            assert!(z.abs() < 4.9, "{i}, {j}: {z} standard errors");
        }
    }
}
