use crate::signal::{Signal, SignalMut};
use crate::{Result, TransformError};
use hpfracc_types::Real;
use ndarray::{Array, Array1, ArrayView, ArrayViewMut, Axis, Dimension};
use num_complex::Complex;

/// A planned linear transform `y = A x` of complex signals of one length: signals of an array go
/// through it, forward ([`Transform::apply`]) and through its adjoint ([`Transform::vjp`]).
///
/// It acts along the last axis of an array, or along the one given to the type's `along`; all other
/// axes are a batch, one signal after the other on the calling thread. Arrays may have any memory
/// order, and views any strides. After the first call nothing is allocated by
/// [`Transform::apply_into`] and [`Transform::vjp_into`] on arrays whose number of axes is in their
/// type. Plans are used by several threads at once.
///
/// NaN and infinity reach all of their signal's results, and no other signal's.
pub trait Transform<T: Real>: Send + Sync {
    /// Samples of a signal that goes in, and of the one that comes out.
    fn lens(&self) -> (usize, usize);

    /// The axis along which signals lie; the last one if `None`.
    fn axis(&self) -> Option<Axis>;

    /// `y = A x` for one signal. Every entry of `y` is overwritten.
    ///
    /// # Errors
    /// [`TransformError::AxisLength`] if a length is not that of [`Transform::lens`].
    fn forward(&self, x: Signal<'_, T>, y: SignalMut<'_, T>) -> Result<()>;

    /// `x = A* y` for one signal, `A*` the conjugate transpose. Every entry of `x` is overwritten.
    ///
    /// # Errors
    /// As [`Transform::forward`].
    fn adjoint(&self, y: Signal<'_, T>, x: SignalMut<'_, T>) -> Result<()>;

    /// `y = A x` for every signal in the array.
    ///
    /// # Errors
    /// [`TransformError::AxisLength`] or [`TransformError::NoSuchAxis`] if the array does not fit,
    /// [`TransformError::TooLarge`] if the result would not fit into memory.
    fn apply<D: Dimension>(
        &self,
        samples: ArrayView<'_, Complex<T>, D>,
    ) -> Result<Array<Complex<T>, D>>
    where
        Self: Sized,
    {
        let (n, m) = self.lens();
        let mut result = like(&samples, self.axis(), "samples", (n, m))?;
        self.apply_into(samples, result.view_mut())?;
        Ok(result)
    }

    /// As [`Transform::apply`], into an array that differs in the length of the axis only.
    ///
    /// # Errors
    /// As [`Transform::apply`], and [`TransformError::Shape`] if the result's shape is another.
    fn apply_into<D: Dimension>(
        &self,
        samples: ArrayView<'_, Complex<T>, D>,
        result: ArrayViewMut<'_, Complex<T>, D>,
    ) -> Result<()>
    where
        Self: Sized,
    {
        let (n, m) = self.lens();
        let names = ("samples", "result");
        through(samples, result, self.axis(), names, (n, m), |x, y| self.forward(x, y))
    }

    /// `xbar = A* ybar`: the gradient of a real loss with respect to the input, given its gradient
    /// with respect to the result. Gradients are `dL/d re + i dL/d im`.
    ///
    /// # Errors
    /// As [`Transform::apply`].
    fn vjp<D: Dimension>(
        &self,
        result_gradient: ArrayView<'_, Complex<T>, D>,
    ) -> Result<Array<Complex<T>, D>>
    where
        Self: Sized,
    {
        let (n, m) = self.lens();
        let mut gradient = like(&result_gradient, self.axis(), "result_gradient", (m, n))?;
        self.vjp_into(result_gradient, gradient.view_mut())?;
        Ok(gradient)
    }

    /// As [`Transform::vjp`], into an array that differs in the length of the axis only.
    ///
    /// # Errors
    /// As [`Transform::apply_into`].
    fn vjp_into<D: Dimension>(
        &self,
        result_gradient: ArrayView<'_, Complex<T>, D>,
        gradient: ArrayViewMut<'_, Complex<T>, D>,
    ) -> Result<()>
    where
        Self: Sized,
    {
        let (n, m) = self.lens();
        let names = ("result_gradient", "gradient");
        through(result_gradient, gradient, self.axis(), names, (m, n), |y, x| self.adjoint(y, x))
    }
}

/// Refuses signals (argument, length, expected length) of another length.
pub(crate) fn same_lens(signals: [(&'static str, usize, usize); 2]) -> Result<()> {
    match signals.into_iter().find(|(_, found, expected)| found != expected) {
        None => Ok(()),
        Some((argument, found, expected)) => {
            Err(TransformError::AxisLength { argument, axis: 0, found, expected })
        }
    }
}

/// The axis of the signals of an array; refuses arrays of another shape.
pub(crate) fn signals_along(
    shape: &[usize],
    axis: Option<Axis>,
    argument: &'static str,
    expected: usize,
) -> Result<Axis> {
    let ndim = shape.len();
    let at = axis.map_or(ndim.saturating_sub(1), |axis| axis.index());
    match shape.get(at) {
        None => Err(TransformError::NoSuchAxis { axis: at, ndim }),
        Some(&found) if found != expected => {
            Err(TransformError::AxisLength { argument, axis: at, found, expected })
        }
        Some(_) => Ok(Axis(at)),
    }
}

/// Zeros in the shape of the array, with `to` in place of `from` along the axis.
fn like<T: Real, D: Dimension>(
    array: &ArrayView<'_, Complex<T>, D>,
    axis: Option<Axis>,
    argument: &'static str,
    (from, to): (usize, usize),
) -> Result<Array<Complex<T>, D>> {
    let axis = signals_along(array.shape(), axis, argument, from)?;
    let mut dim = array.raw_dim();
    dim[axis.index()] = to;
    // A view may repeat one element any number of times; its result could not.
    let shape = dim.slice();
    let unit = size_of::<Complex<T>>();
    let bytes = shape.iter().filter(|n| **n > 0).try_fold(unit, |size, n| size.checked_mul(*n));
    if bytes.is_none_or(|bytes| bytes > isize::MAX as usize) {
        return Err(TransformError::TooLarge { shape: shape.to_vec() });
    }
    Ok(Array::zeros(dim))
}

/// Takes the signals of one array through a map into another.
fn through<T: Real, D: Dimension>(
    from: ArrayView<'_, Complex<T>, D>,
    mut to: ArrayViewMut<'_, Complex<T>, D>,
    axis: Option<Axis>,
    (from_name, to_name): (&'static str, &'static str),
    (n, m): (usize, usize),
    map: impl Fn(Signal<'_, T>, SignalMut<'_, T>) -> Result<()>,
) -> Result<()> {
    let axis = signals_along(from.shape(), axis, from_name, n)?;
    let mut expected = from.raw_dim();
    expected[axis.index()] = m;
    if to.shape() != expected.slice() {
        let (found, expected) = (to.shape().to_vec(), expected.slice().to_vec());
        return Err(TransformError::Shape { argument: to_name, found, expected });
    }
    let mut results = to.lanes_mut(axis).into_iter();
    from.lanes(axis).into_iter().zip(&mut results).try_for_each(|(x, y)| map(x, y))
}

/// Refuses two arrays that differ in shape.
pub(crate) fn same_samples<T: Real, D: Dimension>(
    samples: &ArrayView<'_, Complex<T>, D>,
    result_gradient: &ArrayView<'_, Complex<T>, D>,
) -> Result<()> {
    if samples.shape() == result_gradient.shape() {
        return Ok(());
    }
    let (found, expected) = (result_gradient.shape().to_vec(), samples.shape().to_vec());
    Err(TransformError::Shape { argument: "result_gradient", found, expected })
}

/// `Re <ybar, change(x)>` summed over all signals of arrays of the same shape.
pub(crate) fn sum_over_signals<T: Real, D: Dimension>(
    samples: ArrayView<'_, Complex<T>, D>,
    result_gradient: ArrayView<'_, Complex<T>, D>,
    axis: Option<Axis>,
    n: usize,
    mut change: impl FnMut(Signal<'_, T>) -> Array1<Complex<f64>>,
) -> Result<f64> {
    let axis = signals_along(samples.shape(), axis, "samples", n)?;
    let signals = samples.lanes(axis).into_iter().zip(result_gradient.lanes(axis));
    Ok(signals
        .map(|(x, ybar)| {
            let change = change(x);
            let products = change
                .iter()
                .zip(ybar)
                .map(|(d, ybar)| d.re * ybar.re.widen() + d.im * ybar.im.widen());
            products.sum::<f64>()
        })
        .sum())
}
