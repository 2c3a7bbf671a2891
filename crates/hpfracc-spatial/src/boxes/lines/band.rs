//! Matrix of one axis: few diagonals of differences, or dense.

use crate::boxes::{Axis, Boundary};

/// A row of a matrix: positions and values of its entries.
pub(in crate::boxes) type SparseRow = Vec<(usize, f64)>;

/// Matrix with `2 reach + 1` constant diagonals away from the ends.
pub(super) struct Band {
    n: usize,
    /// Entries of the rows away from the ends.
    interior: Vec<f64>,
    /// The first `reach` rows, then the last `reach` rows.
    edges: Vec<SparseRow>,
}

impl Band {
    /// Three-point difference `-d^2/dx^2` of cells.
    pub(super) fn second(axis: &Axis) -> Self {
        let n = axis.len();
        let scale = axis.cell_width().powi(-2);
        let [lower, upper] = axis.boundaries().map(|b| b.ghost(axis.cell_width()).reflection);
        let mut edges = vec![
            vec![(0, scale * (2.0 - lower)), (1, -scale)],
            vec![(n - 2, -scale), (n - 1, scale * (2.0 - upper))],
        ];
        if axis.is_periodic() {
            edges[0].push((n - 1, -scale));
            edges[1].push((0, -scale));
        }
        Self { n, interior: vec![-scale, 2.0 * scale, -scale], edges }
    }

    /// Five-point difference `A + h^2/12 A^2` with the three-point difference A.
    pub(super) fn fourth(axis: &Axis) -> Self {
        let n = axis.len();
        let second = Self::second(axis);
        let scale = axis.cell_width().powi(-2) / 12.0;
        let interior = [1.0, -16.0, 30.0, -16.0, 1.0].map(|c| c * scale).to_vec();
        let weight = axis.cell_width().powi(2) / 12.0;
        let edges = [0, 1, n - 2, n - 1].map(|i| {
            let mut row = vec![0.0; n.min(8)];
            // The rows near the ends reach the nearest columns only: fold positions to few slots.
            let slot = |j: usize| if j < 4 || n <= 8 { j } else { 8 + j - n };
            second.row(i, |j, a| {
                row[slot(j)] += a;
                second.row(j, |k, b| row[slot(k)] += weight * a * b);
            });
            let position = |s: usize| if s < 4 || n <= 8 { s } else { n + s - 8 };
            let entries = row.into_iter().enumerate().filter(|(_, a)| *a != 0.0);
            entries.map(|(s, a)| (position(s), a)).collect()
        });
        Self { n, interior, edges: edges.into() }
    }

    fn reach(&self) -> usize {
        self.interior.len() / 2
    }

    /// The entries of a row near an end.
    fn edge(&self, i: usize) -> Option<&SparseRow> {
        let reach = self.reach();
        if i < reach {
            Some(&self.edges[i])
        } else if i >= self.n - reach {
            Some(&self.edges[2 * reach + i - self.n])
        } else {
            None
        }
    }

    /// Calls a function with the position and the value of each entry of a row.
    pub(super) fn row(&self, i: usize, mut f: impl FnMut(usize, f64)) {
        match self.edge(i) {
            Some(entries) => entries.iter().for_each(|(j, a)| f(*j, *a)),
            None => {
                let first = i - self.reach();
                self.interior.iter().enumerate().for_each(|(k, a)| f(first + k, *a));
            }
        }
    }

    /// Adds `scale A x` to y.
    pub(super) fn add_product(&self, scale: f64, x: &[f64], y: &mut [f64]) {
        let reach = self.reach();
        let inside = &mut y[reach..self.n - reach];
        match self.interior.as_slice() {
            [a, b, c] => {
                let (a, b, c) = (scale * a, scale * b, scale * c);
                for (y, x) in inside.iter_mut().zip(x.windows(3)) {
                    *y += a * x[0] + b * x[1] + c * x[2];
                }
            }
            coefficients => {
                for (y, x) in inside.iter_mut().zip(x.windows(coefficients.len())) {
                    *y += scale * coefficients.iter().zip(x).map(|(a, x)| a * x).sum::<f64>();
                }
            }
        }
        for i in (0..reach).chain(self.n - reach..self.n) {
            self.row(i, |j, a| y[i] += scale * a * x[j]);
        }
    }

    /// Contributions of a boundary value 1 on each end to the right-hand side.
    pub(super) fn ends(&self, axis: &Axis) -> [SparseRow; 2] {
        let h = axis.cell_width();
        [0, 1].map(|side| {
            let boundary: Boundary = axis.boundaries()[side];
            let contribution = boundary.ghost(h).inflow / (h * h);
            let cell = side * (self.n - 1);
            if self.reach() == 1 {
                return vec![(cell, contribution)];
            }
            // b + h^2/12 A b with the three-point difference A, which is symmetric.
            let mut entries = vec![(cell, contribution)];
            Self::second(axis).row(cell, |j, a| {
                entries.push((j, h * h / 12.0 * a * contribution));
            });
            entries
        })
    }
}
