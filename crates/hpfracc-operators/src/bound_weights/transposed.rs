use super::Part;
use crate::OperatorError;
use hpfracc_backend::Shape;

/// A map with its two directions exchanged.
pub(super) struct Transposed<T>(pub(super) Box<dyn Part<T>>);

impl<T> Part<T> for Transposed<T> {
    fn shape(&self) -> Shape {
        self.0.shape()
    }

    fn apply(&self, x: &[T], y: &mut [T], batch: usize) -> Result<(), OperatorError> {
        self.0.apply_transpose(x, y, batch)
    }

    fn apply_transpose(&self, y: &[T], x: &mut [T], batch: usize) -> Result<(), OperatorError> {
        self.0.apply(y, x, batch)
    }
}
