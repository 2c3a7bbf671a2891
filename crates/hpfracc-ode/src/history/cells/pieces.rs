use super::cell_kernel::CellKernel;

/// Function of time that is integrated over cells between nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pieces {
    /// Constant in each cell; a sample is the value in the cell before a node.
    Constant,
    /// Linear in each cell; a sample is the value at a node.
    Linear,
}

impl Pieces {
    /// Number of samples of some cells in a row.
    pub(super) fn samples(self, cells: usize) -> usize {
        match self {
            Self::Constant => cells,
            Self::Linear => cells + 1,
        }
    }

    /// Writes the weights of the samples in the integral of a kernel times the function over the
    /// cells before t, the last of a linear function possibly in part.
    pub(super) fn weights(self, kernel: &CellKernel, times: &[f64], t: f64, weights: &mut [f64]) {
        weights.fill(0.0);
        // Right weight of the cell before.
        let mut before = 0.0;
        for (cell, ends) in times.windows(2).enumerate().take_while(|(_, ends)| ends[0] < t) {
            match self {
                Self::Constant => weights[cell] = kernel.cell(t, ends[0], ends[1]),
                Self::Linear => {
                    let (left, right) = kernel.weights(t, ends[0], ends[1]);
                    weights[cell] = before + left;
                    weights[cell + 1] = right;
                    before = right;
                }
            }
        }
    }

    /// Writes the weights of the samples in `int exp(-p (T-s)) f(s) ds` over all cells, T the last
    /// of `times`, to `plain`; and in the same integral with the factor T - s to `sloped`, unless
    /// that is empty. Returns exp(-p H), H the length of all cells.
    pub(super) fn absorb(
        self,
        p: f64,
        times: &[f64],
        plain: &mut [f64],
        sloped: &mut [f64],
    ) -> f64 {
        plain.fill(0.0);
        sloped.fill(0.0);
        let last = times[times.len() - 1];
        // exp(-p (T - s)) at the end of the cell.
        let mut after = 1.0;
        for (cell, ends) in times.windows(2).enumerate().rev() {
            let h = ends[1] - ends[0];
            let decay = (-p * h).exp();
            let [m0, m1, m2] = moments(p * h, decay);
            let (first, second) = (after * h * m1, after * h * (m0 - m1));
            self.add(cell, (first, second), plain);
            if !sloped.is_empty() {
                let (later, square) = (last - ends[1], after * h * h);
                let left = later * first + square * m2;
                let right = later * second + square * (m1 - m2);
                self.add(cell, (left, right), sloped);
            }
            after *= decay;
        }
        after
    }

    /// Adds the weights of the values at both ends of a cell.
    fn add(self, cell: usize, (left, right): (f64, f64), weights: &mut [f64]) {
        match self {
            Self::Constant => weights[cell] += left + right,
            Self::Linear => {
                weights[cell] += left;
                weights[cell + 1] += right;
            }
        }
    }
}

/// `int_0^1 u^j exp(-x u) du` for j = 0, 1, 2; `decay` is exp(-x).
fn moments(x: f64, decay: f64) -> [f64; 3] {
    if x > 1.0 {
        let m0 = (1.0 - decay) / x;
        let m1 = (m0 - decay) / x;
        return [m0, m1, (2.0 * m1 - decay) / x];
    }
    // exp(-x) sum_i x^i / (3 ... (3+i)), and from it the others, all without a difference.
    let (mut sum, mut term, mut next) = (0.0, 1.0 / 3.0, 4.0);
    while term > 1e-17 {
        sum += term;
        term *= x / next;
        next += 1.0;
    }
    let m2 = decay * sum;
    let m1 = 0.5 * (x * m2 + decay);
    [x * m1 + decay, m1, m2]
}

#[cfg(test)]
mod tests {
    use super::moments;

    #[test]
    fn moments_are_integrals() {
        for x in [0.0, 1e-12, 1e-3, 0.5, 0.999, 1.001, 3.0, 50.0, 1e5] {
            let found = moments(x, f64::exp(-x));
            for (j, found) in (0..).zip(found) {
                // Midpoints after u = v^4, which follows the layer at 0.
                let n = 400_000;
                let cell = |i: i32| {
                    let v = (f64::from(i) + 0.5) / f64::from(n);
                    let u = v.powi(4);
                    u.powi(j) * (-x * u).exp() * 4.0 * v.powi(3)
                };
                let expected = (0..n).map(cell).sum::<f64>() / f64::from(n);
                assert!((found - expected).abs() < 1e-7 * expected, "{x} {j}: {found} {expected}");
            }
        }
    }

    #[test]
    fn moments_agree_where_the_forms_meet() {
        let (below, above) = (moments(1.0, (-1.0f64).exp()), moments(1.0 + 1e-15, (-1.0f64).exp()));
        for (below, above) in below.into_iter().zip(above) {
            assert!((below - above).abs() < 5e-14 * below, "{below} {above}");
        }
    }
}
