use super::signal_map::{Call, SignalMap};
use crate::Result;
use crate::error::fits;
use hpfracc_backend::Shape;
use hpfracc_types::Real;

/// A factor for each sample.
pub(super) struct Diagonal<T> {
    factors: Vec<T>,
}

impl<T: Real> Diagonal<T> {
    pub(super) fn new(factors: Vec<T>) -> Result<Self> {
        fits("the number of factors of a diagonal", factors.len(), factors.len().max(1))?;
        Ok(Self { factors })
    }
}

impl<T: Real> SignalMap<T> for Diagonal<T> {
    fn shape(&self) -> Shape {
        Shape::line(self.factors.len())
    }

    /// A diagonal is its own transpose.
    fn run(&self, Call { from, to, .. }: Call<'_, T>) -> Result<()> {
        let n = self.factors.len();
        for (x, y) in from.chunks_exact(n).zip(to.chunks_exact_mut(n)) {
            for ((x, y), factor) in x.iter().zip(y).zip(&self.factors) {
                *y = *factor * *x;
            }
        }
        Ok(())
    }
}
