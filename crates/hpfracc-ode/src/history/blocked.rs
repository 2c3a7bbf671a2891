use super::kernel::tables;
use super::{Extent, History, Kernel, check_push, check_sum};
use crate::OdeError;
use hpfracc_lanes::causal::BlockedSeries;

/// Sums of blocks by Fourier transforms as soon as their samples are complete, exact to rounding
/// (Hairer, Lubich and Schlichte, SIAM J. Sci. Stat. Comput. 6 (1985) 532, with eight blocks to a
/// parent).
///
/// Cost: O(N log^2 N) for each component. Memory: the samples, about 2 N numbers for each row of
/// weights and 2 N for each component. Error: rounding, relative to the largest sum within a block.
#[derive(Debug)]
pub struct Blocked {
    extent: Extent,
    sums: BlockedSeries<f64>,
}

impl Blocked {
    /// A history of up to `capacity` samples with `dim` components.
    ///
    /// # Errors
    /// Those of [`Direct::new`](super::Direct::new).
    pub fn new(kernels: &[Kernel], dim: usize, capacity: usize) -> Result<Self, OdeError> {
        let extent = Extent::checked(kernels, dim, capacity)?;
        let (tables, table_of) = tables(kernels, dim, capacity)?;
        Ok(Self { extent, sums: BlockedSeries::new(&tables, table_of, dim, capacity) })
    }

    /// The same with blocks of `block` samples, `radix` of which make one of the next level.
    ///
    /// # Errors
    /// Those of [`Blocked::new`], and [`OdeError::OutOfRange`] unless `block` >= 1 and `radix` >= 2.
    pub fn with_blocks(
        kernels: &[Kernel],
        dim: usize,
        capacity: usize,
        block: usize,
        radix: usize,
    ) -> Result<Self, OdeError> {
        let extent = Extent::checked(kernels, dim, capacity)?;
        for (what, value, least) in [("samples of a block", block, 1), ("the radix", radix, 2)] {
            if value < least {
                let (value, expected) = (value as f64, "at least 1 sample, and radix 2");
                return Err(OdeError::OutOfRange { what, value, expected });
            }
        }
        let (tables, table_of) = tables(kernels, dim, capacity)?;
        let sums = BlockedSeries::with_blocks(&tables, table_of, (dim, capacity), (block, radix));
        Ok(Self { extent, sums })
    }
}

impl History for Blocked {
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
            *out = self.sums.sum(kernel * self.extent.dim + component);
        }
        Ok(())
    }
}
