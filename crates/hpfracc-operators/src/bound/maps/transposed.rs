use super::signal_map::{Direction, Pending, SignalMap};
use crate::OperatorError;
use hpfracc_backend::Shape;
use hpfracc_types::Real;

/// The transpose of a map.
pub(super) struct Transposed<T: Real>(pub(super) Box<dyn SignalMap<T>>);

impl<T: Real> SignalMap<T> for Transposed<T> {
    fn shape(&self) -> Shape {
        self.0.shape()
    }

    fn run(
        &self,
        direction: Direction,
        from: &[T],
        to: &mut [T],
        batch: usize,
    ) -> Result<(), OperatorError> {
        self.0.run(direction.reversed(), from, to, batch)
    }

    fn run_async<'a>(
        &'a self,
        direction: Direction,
        from: &'a [T],
        to: &'a mut [T],
        batch: usize,
    ) -> Pending<'a> {
        self.0.run_async(direction.reversed(), from, to, batch)
    }
}
