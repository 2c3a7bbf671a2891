//! Estimates against what is known, within standard errors that are computed.

use hpfracc_sde::Rows;
use hpfracc_sde::{Collect, Layout, RecordIndex, SavedWords};
use hpfracc_testkit::{Figure, record};
use hpfracc_types::Real;
use ndarray::Array2;

/// Two-sided probability 1e-6 for a normal variable.
pub(crate) const LIMIT: f64 = 4.9;

/// Number of paths of an estimate: `HPFRACC_TEST_PATHS`, or 40 000.
pub(crate) fn test_paths() -> usize {
    match std::env::var("HPFRACC_TEST_PATHS") {
        Ok(paths) => paths.parse().expect("HPFRACC_TEST_PATHS is a number of paths"),
        Err(_) => 40_000,
    }
}

/// Mean and covariance of all saved values of a path, at all times: the variable
/// `time * dim + component`.
pub(crate) struct Joint;

#[derive(Debug)]
pub(crate) struct JointMoments {
    pub(crate) paths: usize,
    pub(crate) mean: Vec<f64>,
    pub(crate) covariance: Array2<f64>,
}

pub(crate) struct JointSums {
    /// Of the present tile, by variable.
    tile: Vec<Vec<f64>>,
    sums: Vec<f64>,
    /// The lower triangle.
    products: Vec<f64>,
}

impl<T: Real> Collect<T> for Joint {
    type Shard = JointSums;
    type Output = JointMoments;

    fn shard(&self, layout: &Layout) -> JointSums {
        let variables = layout.dim * layout.times.len();
        let products = vec![0.0; variables * variables];
        JointSums { tile: vec![Vec::new(); variables], sums: vec![0.0; variables], products }
    }

    fn record(&self, shard: &mut JointSums, at: RecordIndex, x: Rows<'_, T>) {
        let JointSums { tile, sums, products } = shard;
        let (dim, variables) = (x.rows(), tile.len());
        for i in 0..dim {
            let row = &mut tile[at.time * dim + i];
            row.clear();
            row.extend(x[i].iter().map(|x| x.widen()));
        }
        if (at.time + 1) * dim < variables {
            return;
        }
        for i in 0..variables {
            sums[i] += tile[i].iter().sum::<f64>();
            for j in 0..=i {
                let product = |(x, y): (&f64, &f64)| x * y;
                products[i * variables + j] +=
                    tile[i].iter().zip(&tile[j]).map(product).sum::<f64>();
            }
        }
    }

    fn merge(&self, into: &mut JointSums, next: JointSums) {
        into.sums.iter_mut().zip(next.sums).for_each(|(sum, more)| *sum += more);
        into.products.iter_mut().zip(next.products).for_each(|(sum, more)| *sum += more);
    }

    fn finish(&self, layout: &Layout, all: JointSums) -> JointMoments {
        let (variables, count) = (all.sums.len(), layout.paths as f64);
        let mean: Vec<f64> = all.sums.iter().map(|sum| sum / count).collect();
        let covariance = Array2::from_shape_fn((variables, variables), |(i, j)| {
            let product = all.products[i.max(j) * variables + i.min(j)];
            (product - count * mean[i] * mean[j]) / (count - 1.0)
        });
        JointMoments { paths: layout.paths, mean, covariance }
    }

    fn save(&self, shard: &JointSums, words: &mut Vec<u64>) {
        words.extend(shard.sums.iter().chain(&shard.products).map(|sum| sum.to_bits()));
    }

    fn restore(&self, layout: &Layout, words: &mut SavedWords<'_>) -> Option<JointSums> {
        let JointSums { tile, mut sums, mut products } = Collect::<T>::shard(self, layout);
        for sum in sums.iter_mut().chain(&mut products) {
            *sum = f64::from_bits(*words.next()?);
        }
        Some(JointSums { tile, sums, products })
    }
}

/// Gaussian variables of this mean and covariance.
pub(crate) struct Gaussian {
    pub(crate) mean: Vec<f64>,
    pub(crate) covariance: Array2<f64>,
}

impl JointMoments {
    /// Every mean and covariance agrees with the exact one. What is printed are the largest
    /// differences, in standard errors.
    pub(crate) fn agree_with(&self, exact: &Gaussian, what: &str) {
        let (variables, count) = (self.mean.len(), self.paths as f64);
        assert_eq!(exact.mean.len(), variables);
        let c = &exact.covariance;
        let (mut means, mut variances, mut covariances) = (0.0f64, 0.0f64, 0.0f64);
        for i in 0..variables {
            if c[[i, i]] < 1e-20 {
                assert!((self.mean[i] - exact.mean[i]).abs() < 1e-6, "{what}: variable {i}");
                continue;
            }
            let z = (self.mean[i] - exact.mean[i]) / (c[[i, i]] / count).sqrt();
            means = means.max(z.abs());
            for j in (0..=i).filter(|j| c[[*j, *j]] > 1e-20) {
                let error = (c[[i, i]] * c[[j, j]] + c[[i, j]].powi(2)) / count;
                let z = (self.covariance[[i, j]] - c[[i, j]]) / error.sqrt();
                let largest = if i == j { &mut variances } else { &mut covariances };
                *largest = largest.max(z.abs());
            }
        }
        let z = [("mean", means), ("variance", variances), ("covariance", covariances)];
        let row = z.map(|(name, z)| (name, Figure::number(z, 2)));
        record("accuracy/distributions", &[("equation", what)], &row);
        let largest = means.max(variances).max(covariances);
        assert!(largest < LIMIT, "{what}: {means} {variances} {covariances} standard errors");
    }
}
