use super::memory::{CellMemory, OrderGroup};
use crate::steps::MAX_LONG_STEPS;

/// Direct sums over all cells; stores all nodes.
#[derive(Debug)]
pub(crate) struct DirectSums {
    groups: Vec<OrderGroup>,
    times: Vec<f64>,
    /// Node by node.
    slopes: Vec<f64>,
}

impl DirectSums {
    /// With capacity for `nodes` nodes.
    pub(super) fn new(groups: Vec<OrderGroup>, dim: usize, nodes: usize) -> Self {
        Self { groups, times: Vec::with_capacity(nodes), slopes: Vec::with_capacity(nodes * dim) }
    }

    pub(super) fn nodes(&self) -> usize {
        self.times.len()
    }

    /// Length of the last step; infinite before the first.
    pub(super) fn last_step(&self) -> f64 {
        match self.times[..] {
            [.., before, last] => last - before,
            _ => f64::INFINITY,
        }
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

    fn max_steps(&self) -> usize {
        MAX_LONG_STEPS
    }

    fn add_into(&self, t: f64, out: &mut [f64]) {
        add_cells(&self.groups, (&self.times, &self.slopes), t, out);
    }
}

/// Adds the integral over the cells before t, the last possibly in part.
pub(crate) fn add_cells(
    groups: &[OrderGroup],
    (times, slopes): (&[f64], &[f64]),
    t: f64,
    out: &mut [f64],
) {
    let dim = out.len();
    for (kernel, components) in groups {
        let cells = times.windows(2).zip(slopes.windows(2 * dim).step_by(dim));
        for (cell, slopes) in cells.take_while(|(cell, _)| cell[0] < t) {
            let (left, right) = kernel.weights(t, cell[0], cell[1]);
            for &component in components {
                out[component] += left * slopes[component] + right * slopes[dim + component];
            }
        }
    }
}
