use crate::{Backward, Forward, Layer, ParameterBlock, Scalar, Shape, Sizes};
use hpfracc_backend::Backend;
use hpfracc_operators::ndarray::{ArrayView3, ArrayViewMut3, Axis};
use hpfracc_operators::{Bound, Operator, OperatorError};
use hpfracc_types::Grid;
use std::sync::{Mutex, PoisonError};

/// Any operator of `hpfracc-operators` along time, on any backend, applied to each channel:
///
/// ```text
/// y_c = A x_c,   xbar_c = A' ybar_c
/// ```
///
/// Shapes: x and y have `channels * length` rows, one lane for each sample. No parameters: the
/// order is fixed.
///
/// Cost: that of the operator's plan on its backend. Saves nothing; the backward pass needs
/// `channels * length` rows of scratch.
///
/// Source: that of the operator.
///
/// A layer cannot return an error. If the backend fails during a pass, the results are NaN, which
/// training detects, and [`failure`](Self::failure) returns the reason.
///
/// ```
/// use hpfracc_backend::Reference; // or a backend of hpfracc-cpu, or the facade's Machine
/// use hpfracc_nn::{Activation, Dense, Layer, OperatorLayer, Sequential};
/// use hpfracc_operators::Riesz;
/// use hpfracc_types::{Grid, Order};
///
/// let riesz = Riesz::spectral(Order::new(1.5)?);
/// let layers: Vec<Box<dyn Layer<f32>>> = vec![
///     Box::new(OperatorLayer::new(riesz, 2, Grid::uniform(64, 0.1)?, &Reference)?),
///     Box::new(Dense::new(128, 1, Activation::Identity)),
/// ];
/// let network = Sequential::new(layers)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct OperatorLayer<T: Scalar> {
    bound: Bound<T>,
    channels: usize,
    length: usize,
    failure: Mutex<Option<OperatorError>>,
}

impl<T: Scalar> OperatorLayer<T> {
    /// An operator applied to each of `channels` channels on a grid of times.
    ///
    /// # Errors
    /// Those of [`Operator::on`]; [`OperatorError::BoxAxis`] for an operator of several axes;
    /// [`OperatorError::Empty`] for no channels.
    pub fn new<B>(
        operator: impl Operator + Clone + 'static,
        channels: usize,
        grid: Grid,
        backend: &B,
    ) -> Result<Self, OperatorError>
    where
        B: Backend<T> + Clone + 'static,
    {
        let length = grid.n();
        if channels == 0 {
            return Err(OperatorError::Empty { shape: vec![channels, length] });
        }
        let bound = operator.on(grid, backend)?.along(Axis(1))?;
        Ok(Self { bound, channels, length, failure: Mutex::new(None) })
    }

    /// The last error of the backend, which explains results of NaN; taken by this call.
    pub fn failure(&self) -> Option<OperatorError> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Applies the operator or its transpose to rows.
    fn through(&self, lanes: usize, back: bool, from: &[T], to: &mut [T]) {
        let shape = (self.channels, self.length, lanes);
        let view = ArrayView3::from_shape(shape, from).expect(ROWS);
        let into = ArrayViewMut3::from_shape(shape, &mut *to).expect(ROWS);
        let done = match back {
            false => self.bound.apply_into(view, into),
            true => self.bound.vjp_into(view, into),
        };
        if let Err(reason) = done {
            to.fill(T::NAN);
            *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(reason);
        }
    }
}

/// Invariant of the shapes.
const ROWS: &str = "the rows are those of the layer";

impl<T: Scalar> Shape for OperatorLayer<T> {
    fn sizes(&self) -> Sizes {
        let rows = self.channels * self.length;
        // Scratch: the transpose's result before it is added.
        Sizes { inputs: rows, outputs: rows, scratch: rows, ..Sizes::default() }
    }

    fn parameter_blocks(&self) -> Vec<ParameterBlock> {
        Vec::new()
    }
}

impl<T: Scalar> Layer<T> for OperatorLayer<T> {
    fn forward(&self, Forward { x, mut y, .. }: Forward<'_, T>) {
        self.through(x.lanes(), false, x.as_slice(), y.as_mut_slice());
    }

    fn vjp(&self, Backward { tape, ybar, xbar, mut scratch, .. }: Backward<'_, T>) {
        if let Some(mut xbar) = xbar {
            let back = scratch.as_mut_slice();
            self.through(tape.x.lanes(), true, ybar.as_rows().as_slice(), back);
            xbar.as_mut_slice().iter_mut().zip(back).for_each(|(xbar, back)| *xbar += *back);
        }
    }
}
