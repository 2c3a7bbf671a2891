//! Gradients with respect to edge weights.

use crate::graph::{GraphLaplacian, Normalisation};
use rayon::prelude::*;

/// Gradient of a loss with respect to the entries of a Laplacian, on its pattern.
pub(crate) struct EntryGradient {
    /// One for each stored entry outside the diagonal, with the sign of the matrix.
    entries: Vec<f64>,
    diagonal: Vec<f64>,
}

impl EntryGradient {
    pub(crate) fn new(laplacian: &GraphLaplacian) -> Self {
        let entries = vec![0.0; laplacian.entries.columns.len()];
        Self { entries, diagonal: vec![0.0; laplacian.diagonal.len()] }
    }

    /// Adds that of `factor <g, A u>`, which is `factor g_i u_j`.
    pub(crate) fn add(&mut self, laplacian: &GraphLaplacian, factor: f64, g: &[f64], u: &[f64]) {
        let pattern = &laplacian.entries;
        for (i, diagonal) in self.diagonal.iter_mut().enumerate() {
            *diagonal += factor * g[i] * u[i];
        }
        let mut rows = Vec::with_capacity(g.len());
        let mut rest = self.entries.as_mut_slice();
        for i in 0..g.len() {
            let row;
            (row, rest) = rest.split_at_mut(pattern.offsets[i + 1] - pattern.offsets[i]);
            rows.push(row);
        }
        rows.into_par_iter().with_min_len(1024).enumerate().for_each(|(i, row)| {
            let factor = factor * g[i];
            for (entry, &j) in row.iter_mut().zip(pattern.row(i).0) {
                *entry += factor * u[j as usize];
            }
        });
    }

    /// Gradient with respect to the weights of the edges, in the order of
    /// [`Graph::edges`](crate::graph::Graph::edges).
    pub(crate) fn with_respect_to_weights(&self, laplacian: &GraphLaplacian) -> Vec<f64> {
        let through_degrees = self.with_respect_to_degrees(laplacian);
        let pattern = &laplacian.entries;
        let degrees = laplacian.degrees();
        let mut gradient = Vec::with_capacity(pattern.columns.len() / 2);
        for i in 0..degrees.len() {
            for (k, &j) in (pattern.offsets[i]..).zip(pattern.row(i).0) {
                let j = j as usize;
                if i > j {
                    continue;
                }
                let (here, there) = (self.entries[k], self.entries[position(laplacian, j, i)]);
                let direct = match laplacian.normalisation() {
                    Normalisation::Combinatorial => here + there,
                    Normalisation::Symmetric => (here + there) / (degrees[i] * degrees[j]).sqrt(),
                    Normalisation::RandomWalk => here / degrees[i] + there / degrees[j],
                };
                gradient.push(through_degrees[i] + through_degrees[j] - direct);
            }
        }
        gradient
    }

    /// Gradient with respect to the degrees, for weights held fixed.
    fn with_respect_to_degrees(&self, laplacian: &GraphLaplacian) -> Vec<f64> {
        let pattern = &laplacian.entries;
        let (degrees, loops) = (laplacian.degrees(), laplacian.graph().loops());
        let of_node = |i: usize| {
            if laplacian.normalisation() == Normalisation::Combinatorial {
                return self.diagonal[i];
            }
            if degrees[i] == 0.0 {
                return 0.0;
            }
            // A_ij = -w / d_i or -w / sqrt(d_i d_j), and A_ii = 1 - loop / d_i.
            let mut sum = self.diagonal[i] * loops[i] / degrees[i];
            for k in pattern.offsets[i]..pattern.offsets[i + 1] {
                let here = self.entries[k] * pattern.values[k];
                sum += match laplacian.normalisation() {
                    Normalisation::RandomWalk => here,
                    _ => {
                        let back = position(laplacian, pattern.columns[k] as usize, i);
                        (here + self.entries[back] * pattern.values[back]) / 2.0
                    }
                };
            }
            sum / degrees[i]
        };
        (0..degrees.len()).map(of_node).collect()
    }
}

/// Position of the entry (i, j), which is stored.
fn position(laplacian: &GraphLaplacian, i: usize, j: usize) -> usize {
    let columns = laplacian.entries.row(i).0;
    laplacian.entries.offsets[i] + columns.partition_point(|&column| (column as usize) < j)
}
