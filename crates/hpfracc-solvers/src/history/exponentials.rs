use super::lanes::Lanes;
use super::{Extent, History, Kernel, check_push, check_sum};
use crate::SolveError;

/// Placeholder.
#[derive(Debug)]
pub struct Exponentials {
    extent: Extent,
    pushed: usize,
    lanes: Lanes,
}

impl Exponentials {
    /// A history.
    ///
    /// # Errors
    /// Always, for now.
    pub fn new(
        kernels: &[Kernel],
        dim: usize,
        capacity: usize,
        _tolerance: f64,
    ) -> Result<Self, SolveError> {
        let extent = Extent::checked(kernels, dim, capacity)?;
        let _ = Self { extent, pushed: 0, lanes: Lanes::new() };
        Err(SolveError::NoExponentials { kernel: "any kernel".into() })
    }
}

impl History for Exponentials {
    fn extent(&self) -> Extent {
        self.extent
    }

    fn pushed(&self) -> usize {
        self.pushed
    }

    fn push(&mut self, f: &[f64]) -> Result<(), SolveError> {
        let _ = self.lanes;
        check_push(self.extent, self.pushed, f)
    }

    fn sum_into(&self, kernel: usize, out: &mut [f64]) -> Result<(), SolveError> {
        check_sum(self.extent, kernel, out)
    }
}
