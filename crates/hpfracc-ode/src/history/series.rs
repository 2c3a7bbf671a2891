use super::{Extent, History, Kernel};
use crate::OdeError;
use crate::error::{require, same_length};
use hpfracc_lanes::causal::{BlockedSeries, DirectSeries, OnlineSeries};
use std::borrow::Cow;

/// A history from online sums: [`Direct`], [`Blocked`] or [`Exponentials`](super::Exponentials).
#[derive(Debug)]
pub struct SeriesHistory<S> {
    pub(super) extent: Extent,
    pub(super) sums: S,
}

impl<S> SeriesHistory<S> {
    /// The history whose sums `make` builds from the tables of all kernels' rows by lag, 0 ..
    /// capacity, and by kernel and component the index of a table.
    fn of_tables(
        kernels: &[Kernel],
        dim: usize,
        capacity: usize,
        make: impl FnOnce(&[Cow<'_, [f64]>], Vec<usize>) -> S,
    ) -> Result<Self, OdeError> {
        let extent = Extent::checked(kernels, dim, capacity)?;
        let (mut tables, mut table_of) = (Vec::new(), Vec::with_capacity(kernels.len() * dim));
        for kernel in kernels {
            table_of.extend((0..dim).map(|component| tables.len() + kernel.row_of(component)));
            for row in kernel.rows() {
                tables.push(row.weights(capacity)?);
            }
        }
        Ok(Self { extent, sums: make(&tables, table_of) })
    }
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
        Self::of_tables(kernels, dim, capacity, |tables, table_of| {
            DirectSeries::new(tables, table_of, dim, capacity)
        })
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
        Self::of_tables(kernels, dim, capacity, |tables, table_of| {
            BlockedSeries::new(tables, table_of, dim, capacity)
        })
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
        for (what, value, least) in [("samples of a block", block, 1), ("the radix", radix, 2)] {
            require(value >= least, what, value as f64, "at least 1 sample, and radix 2")?;
        }
        Self::of_tables(kernels, dim, capacity, |tables, table_of| {
            BlockedSeries::with_blocks(tables, table_of, (dim, capacity), (block, radix))
        })
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
        let Extent { dim, capacity, .. } = self.extent;
        same_length("a sample", f.len(), dim)?;
        if self.pushed() == capacity {
            return Err(OdeError::HistoryFull { capacity });
        }
        self.sums.push(f);
        Ok(())
    }

    #[inline]
    fn sum_into(&self, kernel: usize, out: &mut [f64]) -> Result<(), OdeError> {
        same_length("a sum", out.len(), self.extent.dim)?;
        let (inside, expected) =
            (kernel < self.extent.kernels, "below the number of kernels of the history");
        require(inside, "the index of a kernel", kernel as f64, expected)?;
        for (component, out) in out.iter_mut().enumerate() {
            *out = self.sums.sum(kernel, component);
        }
        Ok(())
    }
}
