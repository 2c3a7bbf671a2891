//! The memory on unequal steps, whose weights are new at each node.

use super::stepper::Memory;
use crate::OdeError;
use crate::history::{
    CellKernel, CellMemory, EXPONENTIALS_FROM, HistoryChoice, OrderGroup, Pieces,
    SumOfExponentialsMemory, checked_tolerance,
};
use hpfracc_lanes::Lanes;

/// Memory of the integrals of kernels, each over the slopes of its components.
pub(super) fn on_mesh(
    history: HistoryChoice,
    groups: Vec<OrderGroup>,
    nodes: Vec<f64>,
) -> Result<Box<dyn Memory>, OdeError> {
    Ok(match history {
        HistoryChoice::Blocked => return Err(OdeError::UnequalSteps),
        HistoryChoice::Within { tolerance } if nodes.len() >= EXPONENTIALS_FROM => {
            let tolerance = checked_tolerance(tolerance)?;
            Box::new(Compressed::<f64>::new(groups, nodes, tolerance)?)
        }
        HistoryChoice::Exact | HistoryChoice::Direct | HistoryChoice::Within { .. } => {
            let slopes = Vec::with_capacity(dim(&groups) * nodes.len());
            Box::new(Direct { nodes, groups, slopes })
        }
        HistoryChoice::Exponentials { tolerance } => {
            Box::new(Compressed::<f64>::new(groups, nodes, tolerance)?)
        }
        HistoryChoice::SingleExponentials { tolerance } => {
            Box::new(Compressed::<f32>::new(groups, nodes, tolerance)?)
        }
    })
}

fn dim(groups: &[OrderGroup]) -> usize {
    groups.iter().map(|(_, components)| components.len()).sum()
}

/// Ends the step to a node at an earlier time.
fn insert(nodes: &mut Vec<f64>, node: usize, t: f64) {
    if t < nodes[node] {
        nodes.insert(node, t);
    }
}

/// Factor of f at the end of a step: its length over the integral of the kernel.
fn newest(kernel: &CellKernel, (before, t): (f64, f64)) -> f64 {
    (t - before) / kernel.cell(t, before, t)
}

/// Direct sums over all steps.
struct Direct {
    nodes: Vec<f64>,
    groups: Vec<OrderGroup>,
    /// Step by step.
    slopes: Vec<f64>,
}

impl Memory for Direct {
    fn end_step(&mut self, node: usize, t: f64) -> bool {
        insert(&mut self.nodes, node, t);
        true
    }

    fn push(&mut self, change: &[f64]) -> Result<(), OdeError> {
        let known = self.slopes.len() / change.len();
        let width = self.nodes[known + 1] - self.nodes[known];
        self.slopes.extend(change.iter().map(|change| change / width));
        Ok(())
    }

    fn ahead(&mut self, next: usize, sum: &mut [f64], factor: &mut [f64]) -> Result<f64, OdeError> {
        let dim = sum.len();
        let (before, t) = (self.nodes[next - 1], self.nodes[next]);
        sum.fill(0.0);
        for (kernel, components) in &self.groups {
            let newest = newest(kernel, (before, t));
            for (cell, slopes) in self.nodes[..next].windows(2).zip(self.slopes.chunks_exact(dim)) {
                let weight = newest * kernel.cell(t, cell[0], cell[1]);
                components.iter().for_each(|&i| sum[i] -= weight * slopes[i]);
            }
            components.iter().for_each(|&i| factor[i] = newest);
        }
        Ok(t)
    }
}

/// Kernels as sums of exponentials.
struct Compressed<T> {
    nodes: Vec<f64>,
    groups: Vec<OrderGroup>,
    index: usize,
    slopes: Vec<f64>,
    sums: SumOfExponentialsMemory<T>,
}

impl<T: Lanes> Compressed<T> {
    fn new(groups: Vec<OrderGroup>, nodes: Vec<f64>, tolerance: f64) -> Result<Self, OdeError> {
        // At order 1, backward Euler, there is no history.
        let with_memory: Vec<OrderGroup> =
            groups.iter().filter(|(kernel, _)| !kernel.is_local()).cloned().collect();
        let shortest = nodes.windows(2).map(|ends| ends[1] - ends[0]).fold(f64::INFINITY, f64::min);
        let extent = (shortest, nodes[nodes.len() - 1] - nodes[0], &nodes[..]);
        let sums = SumOfExponentialsMemory::new(Pieces::Constant, &with_memory, extent, tolerance)?;
        let slopes = vec![0.0; dim(&groups)];
        Ok(Self { nodes, groups, index: 0, slopes, sums })
    }
}

impl<T: Lanes> Memory for Compressed<T> {
    fn end_step(&mut self, node: usize, t: f64) -> bool {
        insert(&mut self.nodes, node, t);
        true
    }

    fn push(&mut self, change: &[f64]) -> Result<(), OdeError> {
        let [before, t] = [self.nodes[self.index], self.nodes[self.index + 1]];
        let slopes = self.slopes.iter_mut().zip(change);
        slopes.for_each(|(slope, change)| *slope = change / (t - before));
        self.sums.push(t, &self.slopes);
        self.index += 1;
        Ok(())
    }

    fn ahead(&mut self, next: usize, sum: &mut [f64], factor: &mut [f64]) -> Result<f64, OdeError> {
        let (before, t) = (self.nodes[next - 1], self.nodes[next]);
        sum.fill(0.0);
        self.sums.add_into(t, sum);
        for (kernel, components) in &self.groups {
            let newest = newest(kernel, (before, t));
            for &i in components {
                factor[i] = newest;
                sum[i] *= -newest;
            }
        }
        Ok(t)
    }
}
