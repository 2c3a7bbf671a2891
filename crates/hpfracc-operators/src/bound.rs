use crate::bound_weights::{self, Part};
use crate::scratch::Scratch;
use crate::{OperatorError, Weights, lanes};
use hpfracc_backend::Backend;
use hpfracc_types::Real;
use ndarray::{Array, Array2, ArrayView, ArrayViewMut, Axis, Dimension};
use std::fmt;
use std::sync::{Arc, OnceLock};

type WeightsOf = Box<dyn Fn() -> Result<Weights, OperatorError> + Send + Sync>;

/// An operator bound to a grid and a backend: signals of an array go through it, forward
/// ([`Bound::apply`]) and backward ([`Bound::vjp`], [`Bound::vjp_order`]).
///
/// It acts along the last axis of an array, or along the one given to [`Bound::along`]; all other
/// axes are a batch. An operator on a box of several axes acts on the last ones together. Arrays
/// may have any memory order; standard order needs no copy.
///
/// The weights' spectrum, or whatever the backend prepares for them, is made once per number of
/// signals and kept. After the first call with a given shape nothing is allocated by
/// [`Bound::apply_into`] and [`Bound::vjp_into`].
///
/// NaN and infinity in samples propagate into the result of their signal: to all later entries at
/// least, and through an FFT to every entry. Other signals of the array are not touched.
pub struct Bound<T> {
    weights: Box<dyn Part<T>>,
    order_derivative: OnceLock<Box<dyn Part<T>>>,
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
    ) -> Result<Self, OperatorError> {
        Ok(Self {
            weights: bound_weights::bind(&weights, &backend)?,
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
    pub fn along(mut self, axis: Axis) -> Result<Self, OperatorError> {
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
    /// the array does not fit, [`OperatorError::Backend`] if the device fails.
    pub fn apply<D: Dimension>(
        &self,
        samples: ArrayView<'_, T, D>,
    ) -> Result<Array<T, D>, OperatorError> {
        self.count_signals(samples.shape())?;
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
    ) -> Result<(), OperatorError> {
        self.through(samples, result, |x, y, batch| self.weights.apply(x, y, batch))
    }

    /// `fbar = A' ybar`: the gradient of a loss in the samples, given its gradient in the result.
    ///
    /// # Errors
    /// As [`Bound::apply`].
    pub fn vjp<D: Dimension>(
        &self,
        result_gradient: ArrayView<'_, T, D>,
    ) -> Result<Array<T, D>, OperatorError> {
        self.count_signals(result_gradient.shape())?;
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
    ) -> Result<(), OperatorError> {
        self.through(result_gradient, gradient, |y, x, batch| {
            self.weights.apply_transpose(y, x, batch)
        })
    }

    /// `ybar . (dA/dalpha) f`: the gradient of a loss in the order, given its gradient in the
    /// result of these samples. Summed over all signals, in double precision.
    ///
    /// The derivative's weights are made and bound at the first call.
    ///
    /// # Errors
    /// As [`Bound::apply_into`].
    pub fn vjp_order<D: Dimension>(
        &self,
        samples: ArrayView<'_, T, D>,
        result_gradient: ArrayView<'_, T, D>,
    ) -> Result<f64, OperatorError> {
        same_shape("result_gradient", result_gradient.shape(), samples.shape())?;
        self.count_signals(samples.shape())?;
        let derivative = self.order_derivative()?;
        let mut change = Array::zeros(samples.raw_dim());
        self.through(samples, change.view_mut(), |x, y, batch| derivative.apply(x, y, batch))?;
        let products = change.iter().zip(result_gradient).map(|(a, b)| a.widen() * b.widen());
        Ok(products.sum())
    }

    /// The matrix A, n by n: for tests and small sizes, it takes n^2 entries.
    ///
    /// For a box, rows and columns count its points in row-major order.
    ///
    /// # Errors
    /// [`OperatorError::Backend`] if the backend cannot plan n signals.
    pub fn to_matrix(&self) -> Result<Array2<T>, OperatorError> {
        let n: usize = self.weights.shape().lens().iter().product();
        let units = Array2::<T>::eye(n);
        let mut columns = vec![T::zero(); n * n];
        if let Some(units) = units.as_slice() {
            self.weights.apply(units, &mut columns, n)?;
        }
        Ok(Array2::from_shape_fn((n, n), |(row, column)| columns[column * n + row]))
    }

    fn order_derivative(&self) -> Result<&dyn Part<T>, OperatorError> {
        if let Some(bound) = self.order_derivative.get() {
            return Ok(bound.as_ref());
        }
        let weights = (self.derivative_weights)()?;
        let bound = bound_weights::bind(&weights, &self.backend)?;
        Ok(self.order_derivative.get_or_init(|| bound).as_ref())
    }

    /// Takes the signals of one array through a map into another, as contiguous slices.
    fn through<D: Dimension>(
        &self,
        from: ArrayView<'_, T, D>,
        mut to: ArrayViewMut<'_, T, D>,
        map: impl Fn(&[T], &mut [T], usize) -> Result<(), OperatorError>,
    ) -> Result<(), OperatorError> {
        same_shape("result", to.shape(), from.shape())?;
        let batch = self.count_signals(from.shape())?;
        let axis = self.axis.filter(|axis| axis.index() + 1 < from.ndim());
        if let (None, Some(x), Some(y)) = (axis, from.as_slice(), to.as_slice_mut()) {
            return map(x, y, batch);
        }
        let len = from.len();
        self.scratch.lend(len, |x| {
            self.scratch.lend(len, |y| {
                lanes::gather(from, axis, x);
                map(x, y, batch)?;
                lanes::scatter(y, axis, to);
                Ok(())
            })
        })
    }

    /// Checks that the array consists of signals of the right shape, and counts them.
    fn count_signals(&self, shape: &[usize]) -> Result<usize, OperatorError> {
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
        // A view may repeat one element any number of times; its result could not.
        let total = shape.iter().try_fold(size_of::<T>(), |size, n| size.checked_mul(*n));
        match total.filter(|bytes| *bytes <= isize::MAX as usize) {
            Some(bytes) => Ok(bytes / size_of::<T>() / signal.lens().iter().product::<usize>()),
            None => Err(OperatorError::TooLarge { shape: shape.to_vec() }),
        }
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

fn same_shape(
    argument: &'static str,
    found: &[usize],
    expected: &[usize],
) -> Result<(), OperatorError> {
    if found == expected {
        Ok(())
    } else {
        let (found, expected) = (found.to_vec(), expected.to_vec());
        Err(OperatorError::Shape { argument, found, expected })
    }
}
