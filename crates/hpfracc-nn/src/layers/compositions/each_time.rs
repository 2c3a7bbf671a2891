use crate::checks::{checked, sizes_of};
use crate::error::product_of;
use crate::{
    Backward, Forward, Layer, NetworkError, ParameterBlock, Pass, Scalar, Shape, Sizes, Tape,
};
use hpfracc_lanes::{CompactVec, RowsMut, RowsOf};
use serde::{Deserialize, Serialize};
use std::ops::Deref;

/// A layer applied to every time of a time series, with the same parameters:
///
/// ```text
/// y(t) = inner(x(t)),   t = 0, ..., length - 1
/// ```
///
/// Shapes: x has the inner layer's inputs as channels of `length` times, y its outputs.
///
/// Parameters: those of the inner layer.
///
/// Cost: `length` times that of the inner layer. The times of all samples are lanes of the inner
/// layer, so nothing is copied. Stochastic layers draw for the place in the tile: other masks in
/// tiles of another size.
///
/// ```
/// use hpfracc_nn::{Activation, Dense, EachTime, Shape};
///
/// let layer = EachTime::new(10, Dense::new(3, 2, Activation::Tanh))?;
/// assert_eq!((layer.inputs(), layer.outputs(), layer.parameters()), (30, 20, 8));
/// # Ok::<(), hpfracc_nn::NetworkError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct EachTime<L> {
    length: usize,
    inner: L,
}

checked!(EachTime<L>);

const NAME: &str = "EachTime";

impl<L: Shape> EachTime<L> {
    /// `inner` at each of `length` times.
    ///
    /// # Errors
    /// [`NetworkError::OutOfRange`] for a length of 0; [`NetworkError::TooLarge`] if the number of
    /// rows is not addressable.
    pub fn new(length: usize, inner: L) -> Result<Self, NetworkError> {
        let layer = Self { length, inner };
        layer.check().map(|()| layer)
    }

    /// Times of a series.
    pub fn length(&self) -> usize {
        self.length
    }

    /// The layer at each time.
    pub fn inner(&self) -> &L {
        &self.inner
    }

    fn check(&self) -> Result<(), NetworkError> {
        sizes_of(NAME, &[("length", self.length)])?;
        let Sizes { inputs, outputs, saved, scratch, .. } = self.inner.sizes();
        let largest = inputs.max(outputs).max(saved).max(scratch).max(self.inner.compact_work());
        product_of(NAME, &[self.length, largest]).map(|_| ())
    }

    /// Rows whose lanes are the times of all samples.
    fn times<V: Deref<Target = [T]>, T>(&self, rows: RowsOf<V>) -> RowsOf<V> {
        let lanes = rows.lanes() * self.length;
        rows.with_lanes(lanes)
    }

    fn forward_run<'a, T>(&self, run: Forward<'a, T>) -> Forward<'a, T> {
        let Forward { pass, theta, x, saved, y } = run;
        let pass = match pass {
            Pass::Evaluate => pass,
            Pass::Train { draw, first_sample } => {
                Pass::Train { draw, first_sample: first_sample.wrapping_mul(self.length as u64) }
            }
        };
        let (x, saved, y) = (self.times(x), self.times(saved), self.times(y));
        Forward { pass, theta, x, saved, y }
    }

    fn tape<'a, T>(&self, Tape { x, saved, y }: Tape<'a, T>) -> Tape<'a, T> {
        Tape { x: self.times(x), saved: self.times(saved), y: self.times(y) }
    }

    fn backward_run<'a, T>(&self, run: Backward<'a, T>) -> Backward<'a, T> {
        let Backward { theta, tape, ybar, xbar, thetabar, scratch } = run;
        let (tape, ybar, scratch) = (self.tape(tape), self.times(ybar), self.times(scratch));
        let xbar = xbar.map(|xbar| self.times(xbar));
        Backward { theta, tape, ybar, xbar, thetabar, scratch }
    }
}

impl<L: Shape> Shape for EachTime<L> {
    fn sizes(&self) -> Sizes {
        let Sizes { inputs, outputs, parameters, saved, scratch } = self.inner.sizes();
        let [inputs, outputs, saved, scratch] =
            [inputs, outputs, saved, scratch].map(|rows| rows.saturating_mul(self.length));
        Sizes { inputs, outputs, parameters, saved, scratch }
    }

    fn parameter_blocks(&self) -> Vec<ParameterBlock> {
        self.inner.parameter_blocks()
    }

    fn tape_rows(&self) -> usize {
        self.inner.tape_rows() * self.length
    }

    fn compact_work(&self) -> usize {
        self.inner.compact_work() * self.length
    }
}

impl<T: Scalar, L: Layer<T>> Layer<T> for EachTime<L> {
    fn forward(&self, run: Forward<'_, T>) {
        self.inner.forward(self.forward_run(run));
    }

    fn vjp(&self, run: Backward<'_, T>) {
        self.inner.vjp(self.backward_run(run));
    }

    fn forward_compact(&self, run: Forward<'_, T>, tape: (&mut CompactVec<T>, usize)) {
        self.inner.forward_compact(self.forward_run(run), tape);
    }

    fn vjp_compact(
        &self,
        run: Backward<'_, T>,
        tape: (&CompactVec<T>, usize),
        work: RowsMut<'_, T>,
    ) {
        self.inner.vjp_compact(self.backward_run(run), tape, self.times(work));
    }

    fn culprit(&self, tape: Tape<'_, T>) -> Option<String> {
        self.inner.culprit(self.tape(tape))
    }
}
