//! Sums over the nodes of a solution: over earlier ones for tangents, over later ones for adjoints.

mod mesh;

pub(super) use mesh::{MeshRows, MeshRule};

use crate::history::{History, Kernel};
use crate::schemes::Weights;
use crate::{OdeError, Options};

/// `sum_{j<n} W_r[n, j] x_j` for several rules r, n being the number of samples pushed.
pub(super) trait EarlierSums {
    /// Appends x_n, a value for each component.
    fn push(&mut self, x: &[f64]) -> Result<(), OdeError>;

    /// Writes the sum of a rule, a value for each component.
    fn sum_into(&mut self, rule: usize, out: &mut [f64]) -> Result<(), OdeError>;
}

/// The transposed sums `sum_{n>j} sum_r W_r[n, j] u_{r,n}`, with u pushed from the last node on.
pub(super) trait LaterSums {
    /// Takes u of the next earlier node, rule by rule.
    fn push(&mut self, sources: &[f64]) -> Result<(), OdeError>;

    /// Writes the sum for the node before those pushed.
    fn sum_into(&mut self, out: &mut [f64]) -> Result<(), OdeError>;
}

/// Sums over earlier nodes of a series that is known: node by node and rule by rule.
pub(super) struct KnownSums {
    pub(super) values: Vec<f64>,
    /// With the derivatives of the weights in the order of each component.
    pub(super) by_order: Vec<f64>,
}

impl KnownSums {
    pub(super) fn zeros(len: usize) -> Self {
        Self { values: vec![0.0; len], by_order: vec![0.0; len] }
    }
}

/// Rules on equal steps: a convolution each, and weights of their own for the first samples.
#[derive(Debug, Clone)]
pub(super) struct Convolution {
    /// Number of steps.
    pub(super) n: usize,
    /// Rule by rule, the weights of each group of components.
    pub(super) rules: Vec<Vec<Weights>>,
    /// Group of each component.
    pub(super) group_of: Vec<usize>,
}

impl Convolution {
    pub(super) fn weights(&self, rule: usize, component: usize) -> &Weights {
        &self.rules[rule][self.group_of[component]]
    }

    fn kernel(&self, rule: usize, series: usize) -> Kernel {
        let rows = self.rules[rule].iter().map(|weights| weights.row.clone()).collect();
        Kernel::of_rows(rows, self.group_of.repeat(series))
    }

    /// Number of first samples with weights of their own.
    fn starts(&self) -> usize {
        self.rules.iter().flatten().map(|weights| weights.starts.len()).max().unwrap_or(0)
    }

    /// Sums of the rules from `first_rule` on, of several series side by side.
    pub(super) fn earlier<'a>(
        &'a self,
        (first_rule, series): (usize, usize),
        options: &Options<'_>,
    ) -> Result<Box<dyn EarlierSums + 'a>, OdeError> {
        let dim = self.group_of.len() * series;
        let rules = first_rule..self.rules.len();
        let kernels: Vec<Kernel> = rules.map(|rule| self.kernel(rule, series)).collect();
        let history = options.build_history(&kernels, dim, self.n)?;
        Ok(Box::new(EarlierConvolution { of: self, first_rule, history, first: Vec::new() }))
    }

    /// Sums of a known series, node by node and rule by rule; zeros before `first_rule`.
    pub(super) fn known(
        &self,
        first_rule: usize,
        x: &[f64],
        options: &Options<'_>,
    ) -> Result<Vec<f64>, OdeError> {
        let (dim, count) = (self.group_of.len(), self.rules.len());
        let mut sums = vec![0.0; (self.n + 1) * count * dim];
        let mut earlier = self.earlier((first_rule, 1), options)?;
        let nodes = sums.chunks_exact_mut(count * dim).skip(1);
        for (x, sums) in x.chunks_exact(dim).zip(nodes) {
            earlier.push(x)?;
            for rule in first_rule..count {
                earlier.sum_into(rule, &mut sums[rule * dim..][..dim])?;
            }
        }
        Ok(sums)
    }

    pub(super) fn later<'a>(
        &'a self,
        options: &Options<'_>,
    ) -> Result<Box<dyn LaterSums + 'a>, OdeError> {
        let dim = self.group_of.len();
        // All rules side by side.
        let groups: Vec<usize> = self.rules.iter().map(Vec::len).collect();
        let rows = self.rules.iter().flatten().map(|weights| weights.row.clone()).collect();
        let row_of = (0..self.rules.len()).flat_map(|rule| {
            let before: usize = groups[..rule].iter().sum();
            self.group_of.iter().map(move |group| before + group)
        });
        let kernel = Kernel::of_rows(rows, row_of.collect());
        let width = dim * self.rules.len();
        Ok(Box::new(LaterConvolution {
            of: self,
            history: options.build_history(&[kernel], width, self.n)?,
            sums: vec![0.0; width],
            first: vec![0.0; self.starts() * dim],
        }))
    }
}

struct EarlierConvolution<'a> {
    of: &'a Convolution,
    first_rule: usize,
    history: Box<dyn History>,
    first: Vec<f64>,
}

impl EarlierSums for EarlierConvolution<'_> {
    fn push(&mut self, x: &[f64]) -> Result<(), OdeError> {
        if self.first.len() < self.of.starts() * x.len() {
            self.first.extend_from_slice(x);
        }
        self.history.push(x)
    }

    fn sum_into(&mut self, rule: usize, out: &mut [f64]) -> Result<(), OdeError> {
        self.history.sum_into(rule - self.first_rule, out)?;
        let (dim, next) = (out.len(), self.history.pushed());
        for (i, out) in out.iter_mut().enumerate() {
            let starts = self.of.weights(rule, i % self.of.group_of.len()).starts.iter();
            let first = self.first.iter().skip(i).step_by(dim);
            *out += starts.zip(first).map(|(column, x)| column[next] * x).sum::<f64>();
        }
        Ok(())
    }
}

struct LaterConvolution<'a> {
    of: &'a Convolution,
    history: Box<dyn History>,
    sums: Vec<f64>,
    /// Contributions of the weights of the first samples.
    first: Vec<f64>,
}

impl LaterSums for LaterConvolution<'_> {
    fn push(&mut self, sources: &[f64]) -> Result<(), OdeError> {
        let (dim, node) = (self.of.group_of.len(), self.of.n - self.history.pushed());
        for (rule, sources) in sources.chunks_exact(dim).enumerate() {
            for (i, source) in sources.iter().enumerate() {
                let starts = self.of.weights(rule, i).starts.iter();
                let first = self.first.iter_mut().skip(i).step_by(dim);
                starts.zip(first).for_each(|(column, first)| *first += column[node] * source);
            }
        }
        self.history.push(sources)
    }

    fn sum_into(&mut self, out: &mut [f64]) -> Result<(), OdeError> {
        let (dim, node) = (out.len(), self.of.n - self.history.pushed());
        match self.first.get(node * dim..(node + 1) * dim) {
            Some(first) => out.copy_from_slice(first),
            None => out.fill(0.0),
        }
        self.history.sum_into(0, &mut self.sums)?;
        for sums in self.sums.chunks_exact(dim) {
            out.iter_mut().zip(sums).for_each(|(out, sum)| *out += sum);
        }
        Ok(())
    }
}
