use super::lanes::Lanes;
use super::{Extent, History, Kernel, check_push, check_sum};
use crate::OdeError;

/// The sums as they are written, in registers: what the other histories are tested against.
///
/// Cost: `n` products for each kernel and component at the n-th step. Memory: the samples and one
/// table for each row of weights. Error: the rounding of a sum of n products.
#[derive(Debug)]
pub struct Direct {
    extent: Extent,
    pushed: usize,
    /// Component by component.
    samples: Vec<f64>,
    /// By kernel and component, the index of a table.
    table_of: Vec<usize>,
    /// Weights with time reversed, so that both factors of a sum run forward:
    /// `tables[i][capacity - m]` has the lag m.
    tables: Vec<Vec<f64>>,
    lanes: Lanes,
}

impl Direct {
    /// A history of up to `capacity` samples with `dim` components.
    ///
    /// # Errors
    /// [`OdeError::Empty`] without kernels or components, [`OdeError::Length`] if a kernel has
    /// rows for another number of components or a table that does not reach the lag `capacity`,
    /// [`OdeError::Operator`] if a product rule's order or step is out of range.
    pub fn new(kernels: &[Kernel], dim: usize, capacity: usize) -> Result<Self, OdeError> {
        let extent = Extent::checked(kernels, dim, capacity)?;
        let mut tables = Vec::new();
        let mut table_of = Vec::with_capacity(kernels.len() * dim);
        for kernel in kernels {
            table_of.extend((0..dim).map(|component| tables.len() + kernel.row_of(component)));
            for row in kernel.rows() {
                let weights = row.weights(capacity)?;
                tables.push(weights.iter().rev().copied().collect());
            }
        }
        let samples = vec![0.0; dim * capacity];
        Ok(Self { extent, pushed: 0, samples, table_of, tables, lanes: Lanes::new() })
    }

    /// Changes each sample so far: where the equation is linear, to another basis.
    pub fn change_samples(&mut self, mut change: impl FnMut(&mut [f64])) {
        let Extent { dim, capacity, .. } = self.extent;
        let mut sample = vec![0.0; dim];
        for n in 0..self.pushed {
            for (component, value) in sample.iter_mut().enumerate() {
                *value = self.samples[component * capacity + n];
            }
            change(&mut sample);
            for (component, value) in sample.iter().enumerate() {
                self.samples[component * capacity + n] = *value;
            }
        }
    }
}

impl History for Direct {
    fn extent(&self) -> Extent {
        self.extent
    }

    fn pushed(&self) -> usize {
        self.pushed
    }

    fn push(&mut self, f: &[f64]) -> Result<(), OdeError> {
        check_push(self.extent, self.pushed, f)?;
        for (component, value) in f.iter().enumerate() {
            self.samples[component * self.extent.capacity + self.pushed] = *value;
        }
        self.pushed += 1;
        Ok(())
    }

    fn sum_into(&self, kernel: usize, out: &mut [f64]) -> Result<(), OdeError> {
        check_sum(self.extent, kernel, out)?;
        let Extent { dim, capacity, .. } = self.extent;
        for (component, out) in out.iter_mut().enumerate() {
            let samples = &self.samples[component * capacity..][..self.pushed];
            // The lags n .. 1.
            let table = &self.tables[self.table_of[kernel * dim + component]];
            *out = self.lanes.dot(&table[capacity - self.pushed..capacity], samples);
        }
        Ok(())
    }
}
