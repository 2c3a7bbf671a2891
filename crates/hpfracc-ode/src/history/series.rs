use super::kernel::tables;
use super::{Extent, History, Kernel, check_push, check_sum};
use crate::OdeError;
use crate::error::require;
use hpfracc_lanes::causal::{BlockedSeries, DirectSeries, OnlineSeries};

/// A history whose weights are tables: [`Direct`] or [`Blocked`].
#[derive(Debug)]
pub struct SeriesHistory<S> {
    extent: Extent,
    sums: S,
}

/// Direct sums: the formula, which the other histories are tested against.
///
/// Cost: `n` products for each kernel and component at the n-th step. Memory: the samples and one
/// table for each row of weights. Error: the rounding of a sum of n products.
pub type Direct = SeriesHistory<DirectSeries<f64>>;

/// Sums of blocks by Fourier transforms as soon as their samples are complete, exact to rounding
/// (Hairer, Lubich and Schlichte, SIAM J. Sci. Stat. Comput. 6 (1985) 532, with eight blocks to a
/// parent).
///
/// Cost: O(N log^2 N) for each component. Memory: the samples, about 2 N numbers for each row of
/// weights and 2 N for each component. Error: rounding, relative to the largest sum within a block.
pub type Blocked = SeriesHistory<BlockedSeries<f64>>;

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
        Ok(Self { extent, sums: DirectSeries::new(&tables, table_of, dim, capacity) })
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

impl Blocked {
    /// A history of up to `capacity` samples with `dim` components.
    ///
    /// # Errors
    /// Those of [`Direct::new`].
    pub fn new(kernels: &[Kernel], dim: usize, capacity: usize) -> Result<Self, OdeError> {
        let extent = Extent::checked(kernels, dim, capacity)?;
        let (tables, table_of) = tables(kernels, dim, capacity)?;
        Ok(Self { extent, sums: BlockedSeries::new(&tables, table_of, dim, capacity) })
    }

    /// The same with blocks of `block` samples, `radix` of which make one of the next level.
    ///
    /// # Errors
    /// Those of [`Blocked::new`], and [`OdeError::OutOfRange`] unless `block` >= 1 and `radix` >=
    /// 2.
    pub fn with_blocks(
        kernels: &[Kernel],
        dim: usize,
        capacity: usize,
        block: usize,
        radix: usize,
    ) -> Result<Self, OdeError> {
        let extent = Extent::checked(kernels, dim, capacity)?;
        for (what, value, least) in [("samples of a block", block, 1), ("the radix", radix, 2)] {
            require(value >= least, what, value as f64, "at least 1 sample, and radix 2")?;
        }
        let (tables, table_of) = tables(kernels, dim, capacity)?;
        let sums = BlockedSeries::with_blocks(&tables, table_of, (dim, capacity), (block, radix));
        Ok(Self { extent, sums })
    }
}

impl<S: OnlineSeries<f64> + Send> History for SeriesHistory<S> {
    fn extent(&self) -> Extent {
        self.extent
    }

    #[inline]
    fn pushed(&self) -> usize {
        self.sums.pushed()
    }

    #[inline]
    fn push(&mut self, f: &[f64]) -> Result<(), OdeError> {
        check_push(self.extent, self.pushed(), f)?;
        self.sums.push(f);
        Ok(())
    }

    #[inline]
    fn sum_into(&self, kernel: usize, out: &mut [f64]) -> Result<(), OdeError> {
        check_sum(self.extent, kernel, out)?;
        for (component, out) in out.iter_mut().enumerate() {
            *out = self.sums.sum(kernel, component);
        }
        Ok(())
    }
}
