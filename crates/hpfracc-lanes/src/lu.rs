/// LU factorisation of a small dense matrix with partial pivoting, in reused storage.
///
/// `P A = L U` in about 2 n^3 / 3 operations, a solve in 2 n^2; nothing is allocated after
/// [`new`](Self::new).
///
/// ```
/// use hpfracc_lanes::Lu;
///
/// let mut lu = Lu::new(2);
/// lu.entries().copy_from_slice(&[2.0, 1.0, 1.0, 3.0]);
/// assert!(lu.factor());
/// let mut x = [3.0, 5.0];
/// lu.solve(&mut x);
/// assert!((x[0] - 0.8).abs() < 1e-15 && (x[1] - 1.4).abs() < 1e-15);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Lu {
    n: usize,
    /// The matrix by rows; after [`factor`](Self::factor) both triangles.
    entries: Vec<f64>,
    /// Row exchanged with row k.
    pivots: Vec<usize>,
}

impl Lu {
    /// Storage for n by n matrices.
    pub fn new(n: usize) -> Self {
        Self { n, entries: vec![0.0; n * n], pivots: vec![0; n] }
    }

    /// The matrix by rows, to be written before [`factor`](Self::factor).
    pub fn entries(&mut self) -> &mut [f64] {
        &mut self.entries
    }

    /// Gaussian elimination with partial pivoting. False if a pivot is zero or not finite.
    pub fn factor(&mut self) -> bool {
        let n = self.n;
        for k in 0..n {
            let size = |row: usize| self.entries[row * n + k].abs();
            let pivot =
                (k + 1..n).fold(k, |best, row| if size(row) > size(best) { row } else { best });
            self.pivots[k] = pivot;
            let (upper, lower) = self.entries.split_at_mut((k + 1) * n);
            let upper = &mut upper[k * n..];
            if pivot > k {
                upper.swap_with_slice(&mut lower[(pivot - k - 1) * n..][..n]);
            }
            if upper[k] == 0.0 || !upper[k].is_finite() {
                return false;
            }
            for row in lower.chunks_exact_mut(n) {
                let factor = row[k] / upper[k];
                row[k] = factor;
                if factor != 0.0 {
                    for (entry, above) in row[k + 1..].iter_mut().zip(&upper[k + 1..]) {
                        *entry -= factor * above;
                    }
                }
            }
        }
        true
    }

    /// Solves `A x = b` in place: b in, x out.
    ///
    /// # Panics
    /// Panics if the length of `x` is not n.
    pub fn solve(&self, x: &mut [f64]) {
        let n = self.n;
        // Whole rows were exchanged, the factors before them too: first all exchanges.
        for (k, &pivot) in self.pivots.iter().enumerate() {
            x.swap(k, pivot);
        }
        for k in 1..n {
            let (before, rest) = x.split_at_mut(k);
            rest[0] -= dot(&self.entries[k * n..][..k], before);
        }
        for k in (0..n).rev() {
            let (before, after) = x.split_at_mut(k + 1);
            let row = &self.entries[k * n..][..n];
            before[k] = (before[k] - dot(&row[k + 1..], after)) / row[k];
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_where_rows_must_be_exchanged() {
        let a = [0.0, 2.0, 1.0, 1.0, -1.0, 3.0, 4.0, 0.5, -2.0];
        let x = [3.0, -1.0, 0.25];
        let mut b: Vec<f64> = a.chunks_exact(3).map(|row| dot(row, &x)).collect();
        let mut lu = Lu::new(3);
        lu.entries().copy_from_slice(&a);
        assert!(lu.factor());
        lu.solve(&mut b);
        assert!(b.iter().zip(x).all(|(b, x)| (b - x).abs() < 1e-15), "{b:?}");
    }

    #[test]
    fn a_singular_matrix_is_seen() {
        let mut lu = Lu::new(2);
        lu.entries().copy_from_slice(&[1.0, 2.0, 2.0, 4.0]);
        assert!(!lu.factor());
    }
}
