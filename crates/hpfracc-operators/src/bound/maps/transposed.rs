use super::signal_map::{Call, Pending, SignalMap};
use crate::Result;
use hpfracc_backend::Shape;
use hpfracc_types::Real;

/// The transpose of a map.
pub(super) struct Transposed<T: Real>(pub(super) Box<dyn SignalMap<T>>);

impl<T: Real> SignalMap<T> for Transposed<T> {
    fn shape(&self) -> Shape {
        self.0.shape()
    }

    fn run(&self, call: Call<'_, T>) -> Result<()> {
        self.0.run(call.reversed())
    }

    fn run_async<'a>(&'a self, call: Call<'a, T>) -> Pending<'a> {
        self.0.run_async(call.reversed())
    }
}
