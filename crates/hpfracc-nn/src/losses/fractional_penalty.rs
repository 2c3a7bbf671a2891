use super::LossError;
use super::tile::{self, Cotangent, expect, expect_cotangent, expect_tile, some_rows};
use crate::Scalar;
use crate::kernels::{scale, vectorised};
use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_operators::Bound;
use hpfracc_operators::ndarray::{ArrayView3, ArrayViewMut3, Axis};

/// Roughness penalty of a time series: the mean square of its fractional derivative,
///
/// ```text
/// P = mean_i (A y)_i^2
/// ```
///
/// for every lane, over all times of all channels. A is any operator along one axis; its order is
/// the weight of high frequencies, `omega^(2 alpha)`. Rows are channels x samples, the samples of a
/// channel contiguous. The gradient uses the transpose of A.
///
/// Units: those of y over those of the grid to the power alpha, squared; the factor of a penalty
/// converts them to those of the loss. Scale channels with different units beforehand.
///
/// Accuracy: that of A as its backend applies it, in the scalar of the series, and some roundings
/// of the largest `(A y)^2` for each channel and time in the sum; the gradient is that of the same
/// discrete A, not of the derivative that it stands for.
///
/// ```
/// use hpfracc_backend::Reference;
/// use hpfracc_nn::FractionalPenalty;
/// use hpfracc_operators::{GrunwaldLetnikov, Operator};
/// use hpfracc_sde::{Rows, RowsMut};
/// use hpfracc_types::{Grid, Order};
///
/// let derivative = GrunwaldLetnikov::new(Order::new(1.0)?).on(Grid::uniform(3, 0.5)?, &Reference)?;
/// let penalty = FractionalPenalty::<f64>::new(derivative, 3)?;
/// let (series, mut losses, mut scratch) = ([1.0, 2.0, 4.0], [0.0], [0.0; 3]);
/// penalty.evaluate(Rows::new(&series, 1), &mut losses, None, RowsMut::new(&mut scratch, 1))?;
/// // First differences over 0.5, of a series that is zero before its start.
/// assert_eq!(losses, [(4.0 + 4.0 + 16.0) / 3.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct FractionalPenalty<T: Scalar> {
    operator: Bound<T>,
    length: usize,
}

impl<T: Scalar> FractionalPenalty<T> {
    /// A penalty by an operator bound to this number of samples.
    ///
    /// # Errors
    /// [`LossError::Operator`] if the operator acts on several axes at once; [`LossError::Size`]
    /// for no samples.
    pub fn new(operator: Bound<T>, length: usize) -> Result<Self, LossError> {
        if length == 0 {
            let (what, of) = ("series", "samples");
            return Err(LossError::Size { what, of, found: 0, expected: 1 });
        }
        Ok(Self { operator: operator.along(Axis(1))?, length })
    }

    /// Writes the penalty of every lane and its gradient. `scratch` has as many rows as `y`, and is
    /// overwritten. Allocates only in the operator's backend: nothing after the first call of a
    /// size, except for `Reference`.
    ///
    /// # Errors
    /// [`LossError::Size`] for tiles whose sizes do not match, or rows that are not whole series,
    /// or none; [`LossError::Operator`] if the operator is bound to another number of samples, or
    /// its device fails: the results are then invalid.
    pub fn evaluate(
        &self,
        y: Rows<'_, T>,
        losses: &mut [T],
        cotangent: Option<Cotangent<'_, T>>,
        mut scratch: RowsMut<'_, T>,
    ) -> Result<(), LossError> {
        let (rows, lanes) = (tile::rows(y), y.lanes());
        some_rows("y", rows)?;
        let channels = rows / self.length;
        expect_tile("y", y, channels * self.length, lanes)?;
        expect("losses", "numbers", losses.len(), lanes)?;
        expect_tile("scratch", scratch.as_rows(), rows, lanes)?;
        expect_cotangent("cotangent", cotangent.as_ref(), rows, lanes)?;
        let shape = (channels, self.length, lanes);
        let derivative = scratch.as_mut_slice();
        self.operator.apply_into(view(shape, y.as_slice()), view_mut(shape, derivative))?;
        let share = T::narrow(1.0 / rows as f64);
        losses.fill(T::zero());
        mean_square(derivative, losses, share);
        if let Some(Cotangent { scale: factor, rows: mut ybar }) = cotangent {
            let twice = factor * (share + share);
            scale(derivative, twice);
            let gradient = view_mut(shape, ybar.as_mut_slice());
            self.operator.vjp_into(view(shape, derivative), gradient)?;
        }
        Ok(())
    }
}

fn view<T>(shape: (usize, usize, usize), values: &[T]) -> ArrayView3<'_, T> {
    ArrayView3::from_shape(shape, values).expect("tiles have been found to be of this size")
}

fn view_mut<T>(shape: (usize, usize, usize), values: &mut [T]) -> ArrayViewMut3<'_, T> {
    ArrayViewMut3::from_shape(shape, values).expect("tiles have been found to be of this size")
}

vectorised! {
    fn mean_square<'a, T>(derivative: &'a [T], losses: &'a mut [T], share: T) {
        for row in derivative.chunks_exact(losses.len()) {
            losses.iter_mut().zip(row).for_each(|(sum, d)| *sum += *d * *d);
        }
        losses.iter_mut().for_each(|sum| *sum *= share);
    }
}
