/// Cholesky's factor L of a covariance, with its derivative, variable after variable.
///
/// A variable that the earlier ones determine has no normal of its own: its diagonal entry is 0.
#[derive(Debug, Clone, Default)]
pub(crate) struct Factored {
    /// By row, up to the diagonal: entry and derivative.
    rows: Vec<Vec<[f64; 2]>>,
}

/// Variance that is left to a variable when the others are known, relative to its own, below which
/// it is nothing but rounding.
const ROUNDING: f64 = 1e-13;

impl Factored {
    /// Appends a variable, of these covariances with the earlier ones and itself; with their
    /// derivatives.
    pub(crate) fn push(&mut self, covariance: impl Fn(usize) -> [f64; 2]) {
        let mut row = self.project(&covariance);
        let [whole, change] = covariance(self.rows.len());
        let left = whole - row.iter().map(|[l, _]| l * l).sum::<f64>();
        let diagonal = if left > ROUNDING * whole {
            let change = change - 2.0 * row.iter().map(|[l, dl]| l * dl).sum::<f64>();
            [left.sqrt(), 0.5 * change / left.sqrt()]
        } else {
            [0.0; 2]
        };
        row.push(diagonal);
        self.rows.push(row);
    }

    /// A row of L and its derivative, up to the diagonal.
    pub(crate) fn row(&self, i: usize) -> (Vec<f64>, Vec<f64>) {
        self.rows[i].iter().map(|&[l, dl]| (l, dl)).unzip()
    }

    /// What another variable of these covariances with all is of the normals, as far as they
    /// determine it, and its derivative.
    pub(crate) fn estimate(&self, covariance: impl Fn(usize) -> [f64; 2]) -> (Vec<f64>, Vec<f64>) {
        self.project(&covariance).into_iter().map(|[v, dv]| (v, dv)).unzip()
    }

    fn project(&self, covariance: &impl Fn(usize) -> [f64; 2]) -> Vec<[f64; 2]> {
        let mut row: Vec<[f64; 2]> = Vec::with_capacity(self.rows.len() + 1);
        for (j, factor) in self.rows.iter().enumerate() {
            let [pivot, pivot_change] = factor[j];
            if pivot == 0.0 {
                row.push([0.0; 2]);
                continue;
            }
            let [mut value, mut change] = covariance(j);
            for ([v, dv], [l, dl]) in row.iter().zip(factor) {
                value -= v * l;
                change -= dv * l + v * dl;
            }
            let value = value / pivot;
            row.push([value, (change - value * pivot_change) / pivot]);
        }
        row
    }

    /// `L'^T x`, L' being the derivative.
    pub(crate) fn times_change(&self, x: &[f64]) -> Vec<f64> {
        let mut product = vec![0.0; self.rows.len()];
        for (x, row) in x.iter().zip(&self.rows) {
            product.iter_mut().zip(row).for_each(|(sum, [_, dl])| *sum += x * dl);
        }
        product
    }

    /// The x with `x^T L = v^T`; entries of v that are not there are 0.
    pub(crate) fn solve(&self, v: Vec<f64>) -> Vec<f64> {
        let mut x = vec![0.0; self.rows.len()];
        for j in (0..x.len()).rev() {
            let pivot = self.rows[j][j][0];
            if pivot != 0.0 {
                let later = x.iter().zip(&self.rows).skip(j + 1);
                let known: f64 = later.map(|(x, row)| x * row[j][0]).sum();
                x[j] = (v.get(j).copied().unwrap_or(0.0) - known) / pivot;
            }
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a covariance that depends on t, and whose third variable is the sum of the others.
    #[test]
    fn factor_and_derivative() {
        let root = |t: f64| [[1.0 + t, 0.0], [0.3 - t * t, 0.8 + t], [1.3 + t - t * t, 0.8 + t]];
        let covariance = |t: f64, i: usize, j: usize| {
            let [a, b] = [root(t)[i], root(t)[j]];
            a[0] * b[0] + a[1] * b[1]
        };
        let (t, d) = (0.2, 1e-5);
        let mut factored = Factored::default();
        for i in 0..3 {
            let change = |j| (covariance(t + d, i, j) - covariance(t - d, i, j)) / (2.0 * d);
            factored.push(|j| [covariance(t, i, j), change(j)]);
        }
        let changes = [[1.0, 0.0], [-2.0 * t, 1.0], [1.0 - 2.0 * t, 1.0]];
        for i in 0..3 {
            let (row, change) = factored.row(i);
            for j in 0..2.min(row.len()) {
                assert!((row[j] - root(t)[i][j]).abs() < 1e-14, "{i} {j}");
                assert!((change[j] - changes[i][j]).abs() < 1e-9, "{i} {j}");
            }
        }
        assert_eq!(factored.row(2).0[2], 0.0);
        let product = factored.times_change(&[3.0, -1.0, 0.0]);
        for (found, expected) in product.iter().zip([3.0 + 2.0 * t, -1.0]) {
            assert!((found - expected).abs() < 1e-9);
        }
        let x = factored.solve(vec![1.0, 2.0]);
        let rows = root(t);
        for (j, v) in [1.0, 2.0].into_iter().enumerate() {
            let sum: f64 = (0..3).map(|i| x[i] * rows[i][j]).sum();
            assert!((sum - v).abs() < 1e-14);
        }
    }
}
