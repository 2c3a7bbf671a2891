use super::Part;
use crate::OperatorError;
use hpfracc_backend::Shape;
use hpfracc_types::Real;

/// A factor for each sample.
pub(super) struct Diagonal<T> {
    factors: Vec<T>,
}

impl<T: Real> Diagonal<T> {
    pub(super) fn new(factors: Vec<T>) -> Result<Self, OperatorError> {
        if factors.is_empty() {
            let what = "the number of factors of a diagonal";
            return Err(OperatorError::Malformed { what, found: 0, expected: 1 });
        }
        Ok(Self { factors })
    }
}

impl<T: Real> Part<T> for Diagonal<T> {
    fn shape(&self) -> Shape {
        Shape::line(self.factors.len())
    }

    fn apply(&self, x: &[T], y: &mut [T], _batch: usize) -> Result<(), OperatorError> {
        let n = self.factors.len();
        for (x, y) in x.chunks_exact(n).zip(y.chunks_exact_mut(n)) {
            for ((x, y), factor) in x.iter().zip(y).zip(&self.factors) {
                *y = *factor * *x;
            }
        }
        Ok(())
    }

    fn apply_transpose(&self, y: &[T], x: &mut [T], batch: usize) -> Result<(), OperatorError> {
        self.apply(y, x, batch)
    }
}
