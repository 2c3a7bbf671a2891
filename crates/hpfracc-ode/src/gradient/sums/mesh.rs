//! Sums over the nodes of any mesh: a new row of weights for each node, N^2/2 in all.

use super::{EarlierSums, KnownSums, LaterSums};
use crate::OdeError;
use crate::history::{CellKernel, OrderGroup};
use hpfracc_operators::Number;

/// Rules of a scheme on a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MeshRule {
    /// f linear in each cell, without the newest value.
    Trapezoid,
    /// The same with the newest value extrapolated from the two before.
    Extrapolated,
    /// L1: x_j is the change of y in the cell before node j.
    L1,
}

/// Weights of several rules on a mesh: those of `f64`, or with `Dual` numbers their derivatives with
/// respect to the order of each component.
#[derive(Debug)]
pub(crate) struct MeshRows<T> {
    pub(crate) times: Vec<f64>,
    pub(crate) rules: &'static [MeshRule],
    dim: usize,
    /// Kernels with their components: of f, or of the derivative of y in the L1 scheme.
    groups: Vec<OrderGroup<T>>,
}

impl<T: Number> MeshRows<T> {
    pub(crate) fn new(
        times: &[f64],
        rules: &'static [MeshRule],
        groups: Vec<OrderGroup<T>>,
    ) -> Self {
        let dim = groups.iter().map(|(_, components)| components.len()).sum();
        Self { times: times.to_vec(), rules, dim, groups }
    }

    /// Weight of the newest value, of each component.
    pub(crate) fn newest_into(&self, node: usize, out: &mut [f64]) {
        let (before, t) = (self.times[node - 1], self.times[node]);
        for (kernel, components) in &self.groups {
            let newest = if self.rules[0] == MeshRule::L1 {
                l1_newest(kernel, before, t)
            } else {
                kernel.weights(t, before, t).1
            };
            components.iter().for_each(|&i| out[i] = part(newest));
        }
    }

    /// Calls `with` for each group with its components and the rows of weights of all rules, for the
    /// samples before a node.
    fn each(&self, node: usize, rows: &mut Vec<T>, mut with: impl FnMut(&[usize], &[T])) {
        let t = self.times[node];
        for (kernel, components) in &self.groups {
            rows.clear();
            rows.resize(node * self.rules.len(), T::constant(0.0));
            if self.rules[0] == MeshRule::L1 {
                self.l1(kernel, t, rows);
            } else {
                let newest = self.trapezoids(kernel, t, &mut rows[..node]);
                for (rule, from) in self.rules.iter().zip((0..).step_by(node)) {
                    if from > 0 {
                        rows.copy_within(..node, from);
                    }
                    if *rule == MeshRule::Extrapolated {
                        self.extrapolate(newest, &mut rows[from..from + node]);
                    }
                }
            }
            with(components, rows);
        }
    }

    /// Returns the weight of the newest value.
    fn trapezoids(&self, kernel: &CellKernel<T>, t: f64, row: &mut [T]) -> T {
        let mut before = T::constant(0.0);
        for (cell, weight) in self.times.windows(2).zip(row) {
            let (left, right) = kernel.weights(t, cell[0], cell[1]);
            *weight = before + left;
            before = right;
        }
        before
    }

    /// Adds the newest value, extrapolated from the two before.
    fn extrapolate(&self, newest: T, row: &mut [T]) {
        let last = row.len() - 1;
        row[last] = row[last] + newest;
        if last > 0 {
            let [before, here, next] = [last - 1, last, last + 1].map(|j| self.times[j]);
            let share = newest * ((next - here) / (here - before));
            row[last] = row[last] + share;
            row[last - 1] = row[last - 1] - share;
        }
    }

    fn l1(&self, kernel: &CellKernel<T>, t: f64, row: &mut [T]) {
        let node = row.len();
        let newest = l1_newest(kernel, self.times[node - 1], t);
        for (cell, weight) in self.times[..node].windows(2).zip(&mut row[1..]) {
            *weight = -(newest * kernel.cell(t, cell[0], cell[1]) / (cell[1] - cell[0]));
        }
    }

    /// Sums of a known series, with their derivatives if the numbers have them.
    pub(crate) fn known(&self, x: &[f64]) -> KnownSums {
        let (dim, count) = (self.dim, self.rules.len());
        let mut sums = KnownSums::zeros(self.times.len() * count * dim);
        let mut rows = Vec::new();
        for node in 1..self.times.len() {
            let from = node * count * dim;
            self.each(node, &mut rows, |components, rows| {
                for (rule, row) in rows.chunks_exact(node).enumerate() {
                    for &i in components {
                        let mut sum = [0.0; 2];
                        for (weight, x) in row.iter().zip(x.iter().skip(i).step_by(dim)) {
                            sum[0] += weight.value() * x;
                            sum[1] += weight.derivative() * x;
                        }
                        let at = from + rule * dim + i;
                        (sums.values[at], sums.by_order[at]) = (sum[0], sum[1]);
                    }
                }
            });
        }
        sums
    }

    /// Sums of several series side by side.
    pub(crate) fn earlier(&self, series: usize) -> Box<dyn EarlierSums + '_> {
        let sums = vec![0.0; self.rules.len() * self.dim * series];
        Box::new(Earlier { of: self, x: Vec::new(), rows: Vec::new(), known: None, sums })
    }

    pub(crate) fn later(&self) -> Box<dyn LaterSums + '_> {
        let node = self.times.len() - 1;
        let sums = vec![0.0; self.times.len() * self.dim];
        Box::new(Later { of: self, node, rows: Vec::new(), sums })
    }
}

/// Factor of f at the end of a step of the L1 scheme.
fn l1_newest<T: Number>(kernel: &CellKernel<T>, before: f64, t: f64) -> T {
    T::constant(t - before) / kernel.cell(t, before, t)
}

/// The derivative of a number that has one, otherwise its value.
fn part<T: Number>(number: T) -> f64 {
    if T::HAS_DERIVATIVE { number.derivative() } else { number.value() }
}

struct Earlier<'a, T> {
    of: &'a MeshRows<T>,
    /// Node by node.
    x: Vec<f64>,
    rows: Vec<T>,
    /// The node whose sums are in `sums`, rule by rule.
    known: Option<usize>,
    sums: Vec<f64>,
}

impl<T: Number> EarlierSums for Earlier<'_, T> {
    fn push(&mut self, x: &[f64]) -> Result<(), OdeError> {
        self.x.extend_from_slice(x);
        Ok(())
    }

    fn sum_into(&mut self, rule: usize, out: &mut [f64]) -> Result<(), OdeError> {
        let Self { of, x, rows, known, sums } = self;
        let (dim, width) = (of.dim, out.len());
        let node = x.len() / width;
        if *known != Some(node) {
            sums.fill(0.0);
            of.each(node, rows, |components, rows| {
                for (row, sums) in rows.chunks_exact(node).zip(sums.chunks_exact_mut(width)) {
                    for (weight, x) in row.iter().zip(x.chunks_exact(width)) {
                        for (x, sums) in x.chunks_exact(dim).zip(sums.chunks_exact_mut(dim)) {
                            components.iter().for_each(|&i| sums[i] += weight.value() * x[i]);
                        }
                    }
                }
            });
            *known = Some(node);
        }
        out.copy_from_slice(&sums[rule * width..][..width]);
        Ok(())
    }
}

struct Later<'a, T> {
    of: &'a MeshRows<T>,
    /// The next node that is pushed.
    node: usize,
    rows: Vec<T>,
    /// Node by node.
    sums: Vec<f64>,
}

impl<T: Number> LaterSums for Later<'_, T> {
    fn push(&mut self, sources: &[f64]) -> Result<(), OdeError> {
        let Self { of, node, rows, sums } = self;
        let dim = of.dim;
        of.each(*node, rows, |components, rows| {
            for (row, sources) in rows.chunks_exact(*node).zip(sources.chunks_exact(dim)) {
                for (weight, sums) in row.iter().zip(sums.chunks_exact_mut(dim)) {
                    components.iter().for_each(|&i| sums[i] += weight.value() * sources[i]);
                }
            }
        });
        *node -= 1;
        Ok(())
    }

    fn sum_into(&mut self, out: &mut [f64]) -> Result<(), OdeError> {
        let dim = out.len();
        out.copy_from_slice(&self.sums[self.node * dim..][..dim]);
        Ok(())
    }
}
