//! [`Bound`]: an operator with a backend.

mod axes;
mod maps;
mod rounding;
mod scratch;

pub(crate) use maps::{Call, Direction, SignalMap, Start, VariableSum, applied, bind, narrow};
pub(crate) use rounding::rounding;

use crate::error::same_shape;
use crate::{OperatorError, Result, Weights};
use hpfracc_backend::Backend;
use hpfracc_types::{Real, check_memory};
use ndarray::{Array, Array2, ArrayView, ArrayViewMut, Axis, Dimension};
use scratch::Scratch;
use std::fmt;
use std::sync::{Arc, OnceLock};

type WeightsOf = Box<dyn Fn() -> Result<Weights> + Send + Sync>;

/// An operator bound to a grid and a backend: signals of an array go through it, forward
/// ([`Bound::apply`]) and backward ([`Bound::vjp`], [`Bound::vjp_order`]).
///
/// It acts along the last axis of an array, or along that of [`Bound::along`]; all other
/// axes are a batch. An operator on a box of several axes acts on the last ones together. Arrays
/// may have any memory order; standard order needs no copy.
///
/// The spectrum of the weights, or other preparation by the backend, is computed once per batch
/// size and stored. After the first call with a shape, [`Bound::apply_into`] and
/// [`Bound::vjp_into`] allocate nothing.
///
/// NaN and infinity in samples propagate into the result of their signal: to all later entries at
/// least, and through an FFT to every entry. Other signals of the array are not affected.
pub struct Bound<T: Real> {
    weights: Box<dyn SignalMap<T>>,
    order_derivative: OnceLock<Box<dyn SignalMap<T>>>,
    derivative_weights: WeightsOf,
    backend: Arc<dyn Backend<T>>,
    axis: Option<Axis>,
    scratch: Scratch<T>,
}

impl<T: Real> Bound<T> {
    pub(crate) fn new(
        weights: Weights,
        derivative_weights: WeightsOf,
        backend: Arc<dyn Backend<T>>,
    ) -> Result<Self> {
        Ok(Self {
            weights: bind(weights, &backend)?,
            order_derivative: OnceLock::new(),
            derivative_weights,
            backend,
            axis: None,
            scratch: Scratch::new(),
        })
    }

    /// The same operator along another axis than the last.
    ///
    /// # Errors
    /// [`OperatorError::BoxAxis`] if the operator acts on several axes at once.
    pub fn along(mut self, axis: Axis) -> Result<Self> {
        let rank = self.weights.shape().lens().len();
        if rank > 1 {
            return Err(OperatorError::BoxAxis { rank });
        }
        self.axis = Some(axis);
        Ok(self)
    }

    /// `y = A f`: the derivative or integral of every signal in the array.
    ///
    /// # Errors
    /// [`OperatorError::AxisLength`], [`OperatorError::NoSuchAxis`] or [`OperatorError::Empty`] if
    /// the array does not fit, [`OperatorError::Memory`] if the result exceeds the memory,
    /// [`OperatorError::Backend`] if the device fails.
    pub fn apply<D: Dimension>(&self, samples: ArrayView<'_, T, D>) -> Result<Array<T, D>> {
        self.check_result(samples.shape())?;
        let mut result = Array::zeros(samples.raw_dim());
        self.apply_into(samples, result.view_mut())?;
        Ok(result)
    }

    /// As [`Bound::apply`], into an array of the same shape. Every entry is overwritten.
    ///
    /// # Errors
    /// As [`Bound::apply`], and [`OperatorError::Shape`] if the shapes differ.
    pub fn apply_into<D: Dimension>(
        &self,
        samples: ArrayView<'_, T, D>,
        result: ArrayViewMut<'_, T, D>,
    ) -> Result<()> {
        self.through(self.weights.as_ref(), Direction::Forward, samples, result)
    }

    /// [`Bound::apply`] without blocking while a device computes, for programs such as those in a
    /// browser.
    ///
    /// Operators that need no device compute when the future is first polled. Buffers are allocated
    /// for each call, so that any number of calls can be in flight.
    ///
    /// ```
    /// use hpfracc_backend::Reference;
    /// use hpfracc_operators::{GrunwaldLetnikov, Operator};
    /// use hpfracc_types::{Grid, Order};
    /// use ndarray::{Array1, array};
    ///
    /// async fn difference() -> Result<Array1<f64>, hpfracc_operators::OperatorError> {
    ///     let grid = Grid::uniform(3, 1.0)?;
    ///     let bound = GrunwaldLetnikov::new(Order::new(1.0)?).on(grid, &Reference)?;
    ///     bound.apply_async(array![0.0, 1.0, 4.0].view()).await
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`Bound::apply`].
    pub async fn apply_async<D: Dimension>(
        &self,
        samples: ArrayView<'_, T, D>,
    ) -> Result<Array<T, D>> {
        self.through_async(Direction::Forward, samples).await
    }

    /// [`Bound::vjp`] without blocking; see [`Bound::apply_async`].
    ///
    /// # Errors
    /// As [`Bound::vjp`].
    pub async fn vjp_async<D: Dimension>(
        &self,
        result_gradient: ArrayView<'_, T, D>,
    ) -> Result<Array<T, D>> {
        self.through_async(Direction::Transposed, result_gradient).await
    }

    /// `fbar = A' ybar`: the gradient of a loss with respect to the input, given its gradient with
    /// respect to the result (vector-Jacobian product).
    ///
    /// # Errors
    /// As [`Bound::apply`].
    pub fn vjp<D: Dimension>(&self, result_gradient: ArrayView<'_, T, D>) -> Result<Array<T, D>> {
        self.check_result(result_gradient.shape())?;
        let mut gradient = Array::zeros(result_gradient.raw_dim());
        self.vjp_into(result_gradient, gradient.view_mut())?;
        Ok(gradient)
    }

    /// As [`Bound::vjp`], into an array of the same shape. Every entry is overwritten.
    ///
    /// # Errors
    /// As [`Bound::apply_into`].
    pub fn vjp_into<D: Dimension>(
        &self,
        result_gradient: ArrayView<'_, T, D>,
        gradient: ArrayViewMut<'_, T, D>,
    ) -> Result<()> {
        self.through(self.weights.as_ref(), Direction::Transposed, result_gradient, gradient)
    }

    /// `ybar . (dA/dalpha) f`: the gradient of a loss with respect to the order alpha, given its
    /// gradient with respect to the result of these samples. Summed over all signals, in double
    /// precision.
    ///
    /// The weights of the derivative are computed and bound at the first call.
    ///
    /// # Errors
    /// As [`Bound::apply_into`].
    pub fn vjp_order<D: Dimension>(
        &self,
        samples: ArrayView<'_, T, D>,
        result_gradient: ArrayView<'_, T, D>,
    ) -> Result<f64> {
        same_shape("result_gradient", result_gradient.shape(), samples.shape())?;
        self.check_result(samples.shape())?;
        let derivative = self.order_derivative()?;
        let mut change = Array::zeros(samples.raw_dim());
        self.through(derivative, Direction::Forward, samples, change.view_mut())?;
        let products = change.iter().zip(result_gradient).map(|(a, b)| a.widen() * b.widen());
        Ok(products.sum())
    }

    /// The matrix A, n by n, for tests and small sizes.
    ///
    /// For a box, rows and columns count its points in row-major order.
    ///
    /// # Errors
    /// [`OperatorError::Backend`] if the backend cannot plan n signals.
    pub fn to_matrix(&self) -> Result<Array2<T>> {
        let n: usize = self.weights.shape().lens().iter().product();
        let units = Array2::<T>::eye(n);
        let mut columns = vec![T::zero(); n * n];
        if let Some(units) = units.as_slice() {
            self.weights.run(Call::new(Direction::Forward, units, &mut columns, n))?;
        }
        Ok(Array2::from_shape_fn((n, n), |(row, column)| columns[column * n + row]))
    }

    fn order_derivative(&self) -> Result<&dyn SignalMap<T>> {
        if let Some(bound) = self.order_derivative.get() {
            return Ok(bound.as_ref());
        }
        let weights = (self.derivative_weights)()?;
        let bound = bind(weights, &self.backend)?;
        Ok(self.order_derivative.get_or_init(|| bound).as_ref())
    }

    /// Takes the signals of one array through a map into another, as contiguous slices.
    fn through<D: Dimension>(
        &self,
        map: &dyn SignalMap<T>,
        direction: Direction,
        from: ArrayView<'_, T, D>,
        mut to: ArrayViewMut<'_, T, D>,
    ) -> Result<()> {
        same_shape("result", to.shape(), from.shape())?;
        let batch = self.count_signals(from.shape())?;
        let axis = self.axis.filter(|axis| axis.index() + 1 < from.ndim());
        if let (None, Some(x), Some(y)) = (axis, from.as_slice(), to.as_slice_mut()) {
            return map.run(Call::new(direction, x, y, batch));
        }
        let len = from.len();
        self.scratch.lend(len, |x| {
            self.scratch.lend(len, |y| {
                axes::gather(from, axis, x);
                map.run(Call::new(direction, x, y, batch))?;
                axes::scatter(y, axis, to);
                Ok(())
            })
        })
    }

    async fn through_async<D: Dimension>(
        &self,
        direction: Direction,
        from: ArrayView<'_, T, D>,
    ) -> Result<Array<T, D>> {
        self.check_result(from.shape())?;
        let batch = self.count_signals(from.shape())?;
        let axis = self.axis.filter(|axis| axis.index() + 1 < from.ndim());
        let mut result = Array::zeros(from.raw_dim());
        let (mut x, mut y) = (vec![T::zero(); from.len()], vec![T::zero(); from.len()]);
        axes::gather(from, axis, &mut x);
        self.weights.run_async(Call::new(direction, &x, &mut y, batch)).await?;
        axes::scatter(&y, axis, result.view_mut());
        Ok(result)
    }

    /// Number of signals in an array; refuses signals of another shape.
    fn count_signals(&self, shape: &[usize]) -> Result<usize> {
        let signal = self.weights.shape();
        let (ndim, rank) = (shape.len(), signal.lens().len());
        let first = match self.axis {
            Some(axis) if axis.index() >= ndim => {
                return Err(OperatorError::NoSuchAxis { axis: axis.index(), ndim });
            }
            Some(axis) => axis.index(),
            None if ndim < rank => {
                return Err(OperatorError::NoSuchAxis { axis: rank - 1, ndim });
            }
            None => ndim - rank,
        };
        for (offset, &expected) in signal.lens().iter().enumerate() {
            let (axis, found) = (first + offset, shape[first + offset]);
            if found != expected {
                return Err(OperatorError::AxisLength { axis, found, expected });
            }
        }
        if shape.contains(&0) {
            return Err(OperatorError::Empty { shape: shape.to_vec() });
        }
        Ok(shape.iter().product::<usize>() / signal.lens().iter().product::<usize>())
    }

    /// Refuses signals of another shape, and a result that exceeds the memory: a view may repeat one
    /// element any number of times, its result could not.
    fn check_result(&self, shape: &[usize]) -> Result<()> {
        self.count_signals(shape)?;
        let bytes = shape.iter().fold(size_of::<T>() as f64, |size, n| size * *n as f64);
        Ok(check_memory(bytes / size_of::<f64>() as f64)?)
    }
}

impl<T: Real> fmt::Debug for Bound<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bound")
            .field("scalar", &T::NAME)
            .field("shape", &self.weights.shape())
            .field("axis", &self.axis)
            .field("backend", &self.backend.name())
            .finish_non_exhaustive()
    }
}
