use super::cell_moments::CellMoments;
use super::memory::{CellMemory, moments_by_order};

/// Direct sums over all cells; stores all nodes.
#[derive(Debug)]
pub(crate) struct DirectSums {
    orders: Vec<(CellMoments, Vec<usize>)>,
    times: Vec<f64>,
    /// Node by node.
    slopes: Vec<f64>,
}

impl DirectSums {
    /// With capacity for `nodes` nodes.
    pub(super) fn new(orders: &[f64], dim: usize, nodes: usize) -> Self {
        Self {
            orders: moments_by_order(orders, dim),
            times: Vec::with_capacity(nodes),
            slopes: Vec::with_capacity(nodes * dim),
        }
    }

    pub(super) fn nodes(&self) -> usize {
        self.times.len()
    }

    /// Pushes all nodes to another memory.
    pub(super) fn replay(&self, other: &mut dyn CellMemory) {
        let dim = self.slopes.len() / self.times.len().max(1);
        for (&t, f) in self.times.iter().zip(self.slopes.chunks_exact(dim.max(1))) {
            other.push(t, f);
        }
    }
}

impl CellMemory for DirectSums {
    fn push(&mut self, t: f64, f: &[f64]) {
        self.times.push(t);
        self.slopes.extend_from_slice(f);
    }

    fn add_into(&self, t: f64, out: &mut [f64]) {
        for (moments, components) in &self.orders {
            add_cells((moments, components), (&self.times, &self.slopes), t, out);
        }
    }
}

/// Adds the integral over the cells before t, the last possibly in part, to the components of one
/// order.
pub(crate) fn add_cells(
    (moments, components): (&CellMoments, &[usize]),
    (times, slopes): (&[f64], &[f64]),
    t: f64,
    out: &mut [f64],
) {
    let dim = out.len();
    for (j, cell) in times.windows(2).enumerate() {
        if cell[0] >= t {
            break;
        }
        let (left, right) = moments.weights(t, cell[0], cell[1]);
        let (f0, f1) = (&slopes[j * dim..][..dim], &slopes[(j + 1) * dim..][..dim]);
        for &component in components {
            out[component] += left * f0[component] + right * f1[component];
        }
    }
}
