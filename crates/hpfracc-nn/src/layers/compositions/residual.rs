use crate::checks::checked;
use crate::error::sum_of;
use crate::{Backward, Forward, Layer, NetworkError, ParameterBlock, Scalar, Shape, Sizes, Tape};
use hpfracc_lanes::{CompactVec, Rows, RowsMut};
use serde::{Deserialize, Serialize};

/// Residual (skip) connection around a layer:
///
/// ```text
/// y = x + inner(x)
/// ```
///
/// Shapes: x and y have the rows of the inner layer, which has equally many inputs and outputs.
///
/// Parameters: those of the inner layer.
///
/// Cost: that of the inner layer, and an addition for each number. Saves the rows of the inner
/// layer and its output.
///
/// Source: He, Zhang, Ren and Sun, CVPR (2016), DOI 10.1109/CVPR.2016.90.
///
/// ```
/// use hpfracc_nn::{Activation, Dense, Residual, Shape};
///
/// let layer = Residual::new(Dense::new(4, 4, Activation::Tanh))?;
/// assert_eq!((layer.inputs(), layer.outputs(), layer.parameters()), (4, 4, 4 * 5));
/// assert!(Residual::new(Dense::new(4, 3, Activation::Tanh)).is_err());
/// # Ok::<(), hpfracc_nn::NetworkError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct Residual<L> {
    inner: L,
}

checked!(Residual<L>);

impl<L: Shape> Residual<L> {
    /// A residual connection around `inner`.
    ///
    /// # Errors
    /// [`NetworkError::NotSquare`] if `inner` has different numbers of inputs and outputs;
    /// [`NetworkError::TooLarge`] if the number of rows is not addressable.
    pub fn new(inner: L) -> Result<Self, NetworkError> {
        let layer = Self { inner };
        layer.check().map(|()| layer)
    }

    /// The layer within.
    pub fn inner(&self) -> &L {
        &self.inner
    }

    fn check(&self) -> Result<(), NetworkError> {
        let Sizes { inputs, outputs, saved, .. } = self.inner.sizes();
        if outputs != inputs {
            return Err(NetworkError::NotSquare { outputs, inputs });
        }
        sum_of("Residual", [saved, outputs]).map(|_| ())
    }

    /// The tape of the inner layer.
    fn inner_tape<'a, T>(&self, tape: Tape<'a, T>) -> Tape<'a, T> {
        let (sizes, lanes) = (self.inner.sizes(), tape.x.lanes());
        let (saved, y) = tape.saved.as_slice().split_at(sizes.saved * lanes);
        let y = &y[..sizes.outputs * lanes];
        Tape { saved: Rows::new(saved, lanes), y: Rows::new(y, lanes), ..tape }
    }
}

impl<L: Shape> Shape for Residual<L> {
    fn sizes(&self) -> Sizes {
        let inner = self.inner.sizes();
        // Saved: the rows of the inner layer, then its y.
        Sizes { saved: inner.saved + inner.outputs, ..inner }
    }

    fn parameter_blocks(&self) -> Vec<ParameterBlock> {
        self.inner.parameter_blocks()
    }

    fn tape_rows(&self) -> usize {
        self.inner.tape_rows() + self.inner.outputs()
    }

    fn compact_work(&self) -> usize {
        // The inner layer's y, then its own.
        self.inner.outputs() + self.inner.compact_work()
    }
}

impl<T: Scalar, L: Layer<T>> Layer<T> for Residual<L> {
    fn forward(&self, Forward { pass, theta, x, mut saved, mut y }: Forward<'_, T>) {
        let (sizes, lanes) = (self.inner.sizes(), x.lanes());
        let (saved, inner) = saved.as_mut_slice().split_at_mut(sizes.saved * lanes);
        let inner = &mut inner[..sizes.outputs * lanes];
        let (saved, out) = (RowsMut::new(saved, lanes), RowsMut::new(inner, lanes));
        self.inner.forward(Forward { pass, theta, x, saved, y: out });
        for ((y, x), inner) in y.as_mut_slice().iter_mut().zip(x.as_slice()).zip(&*inner) {
            *y = *x + *inner;
        }
    }

    fn vjp(&self, run: Backward<'_, T>) {
        let Backward { mut xbar, ybar, .. } = run;
        if let Some(xbar) = &mut xbar {
            add(xbar, &ybar);
        }
        self.inner.vjp(Backward { tape: self.inner_tape(run.tape), ybar, xbar, ..run });
    }

    fn forward_compact(
        &self,
        Forward { pass, theta, x, mut saved, mut y }: Forward<'_, T>,
        (tape, first): (&mut CompactVec<T>, usize),
    ) {
        let (sizes, lanes) = (self.inner.sizes(), x.lanes());
        let (inner, work) = saved.as_mut_slice().split_at_mut(sizes.outputs * lanes);
        let (saved, out) = (RowsMut::new(work, lanes), RowsMut::new(inner, lanes));
        let run = Forward { pass, theta, x, saved, y: out };
        self.inner.forward_compact(run, (&mut *tape, first));
        tape.write(first + self.inner.tape_rows() * lanes, inner);
        for ((y, x), inner) in y.as_mut_slice().iter_mut().zip(x.as_slice()).zip(&*inner) {
            *y = *x + *inner;
        }
    }

    fn vjp_compact(
        &self,
        run: Backward<'_, T>,
        (tape, first): (&CompactVec<T>, usize),
        mut work: RowsMut<'_, T>,
    ) {
        let Backward { mut xbar, ybar, .. } = run;
        let (sizes, lanes) = (self.inner.sizes(), run.tape.x.lanes());
        let (y, work) = work.as_mut_slice().split_at_mut(sizes.outputs * lanes);
        tape.read(first + self.inner.tape_rows() * lanes, y);
        if let Some(xbar) = &mut xbar {
            add(xbar, &ybar);
        }
        let rows = Tape { y: Rows::new(y, lanes), ..run.tape };
        let run = Backward { tape: rows, ybar, xbar, ..run };
        self.inner.vjp_compact(run, (tape, first), RowsMut::new(work, lanes));
    }

    fn culprit(&self, tape: Tape<'_, T>) -> Option<String> {
        self.inner.culprit(self.inner_tape(tape))
    }
}

/// `xbar += ybar`
fn add<T: Scalar>(xbar: &mut RowsMut<'_, T>, ybar: &RowsMut<'_, T>) {
    let both = xbar.as_mut_slice().iter_mut().zip(ybar.as_rows().as_slice());
    both.for_each(|(xbar, ybar)| *xbar += *ybar);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Activation, Dense};

    #[test]
    fn not_square() {
        let error = Residual::new(Dense::new(3, 2, Activation::Tanh)).unwrap_err();
        assert_eq!(error, NetworkError::NotSquare { outputs: 2, inputs: 3 });
        let text = "a residual connection around a layer with 3 inputs and 2 outputs, expected equal \
                    numbers";
        assert_eq!(error.to_string(), text);
    }
}
