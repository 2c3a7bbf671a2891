use super::kernel::tables;
use super::{Extent, History, Kernel, check_push, check_sum};
use crate::OdeError;
use hpfracc_lanes::causal::DirectSeries;

/// Direct sums: the formula, which the other histories are tested against.
///
/// Cost: `n` products for each kernel and component at the n-th step. Memory: the samples and one
/// table for each row of weights. Error: the rounding of a sum of n products.
#[derive(Debug)]
pub struct Direct {
    extent: Extent,
    /// By kernel and component, the index of a table.
    table_of: Vec<usize>,
    sums: DirectSeries<f64>,
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
        let (tables, table_of) = tables(kernels, dim, capacity)?;
        Ok(Self { extent, table_of, sums: DirectSeries::new(&tables, dim, capacity) })
    }

    /// Changes each stored sample: where the equation is linear, to another basis.
    pub fn change_samples(&mut self, mut change: impl FnMut(&mut [f64])) {
        let mut sample = vec![0.0; self.extent.dim];
        for n in 0..self.sums.pushed() {
            for (component, value) in sample.iter_mut().enumerate() {
                *value = *self.sums.sample_mut(component, n);
            }
            change(&mut sample);
            for (component, value) in sample.iter().enumerate() {
                *self.sums.sample_mut(component, n) = *value;
            }
        }
    }
}

impl History for Direct {
    fn extent(&self) -> Extent {
        self.extent
    }

    fn pushed(&self) -> usize {
        self.sums.pushed()
    }

    fn push(&mut self, f: &[f64]) -> Result<(), OdeError> {
        check_push(self.extent, self.pushed(), f)?;
        self.sums.push(f);
        Ok(())
    }

    fn sum_into(&self, kernel: usize, out: &mut [f64]) -> Result<(), OdeError> {
        check_sum(self.extent, kernel, out)?;
        for (component, out) in out.iter_mut().enumerate() {
            let table = self.table_of[kernel * self.extent.dim + component];
            *out = self.sums.sum(table, component);
        }
        Ok(())
    }
}
