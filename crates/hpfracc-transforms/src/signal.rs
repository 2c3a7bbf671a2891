//! Signals of arrays into contiguous memory, and back.

use ndarray::{ArrayView1, ArrayViewMut1};
use num_complex::Complex;

/// The samples of one signal.
pub(crate) type Signal<'a, T> = ArrayView1<'a, Complex<T>>;

/// The samples of one result.
pub(crate) type SignalMut<'a, T> = ArrayViewMut1<'a, Complex<T>>;

pub(crate) fn load<T: Copy>(from: Signal<'_, T>, to: &mut [Complex<T>]) {
    match from.as_slice() {
        Some(from) => to.copy_from_slice(from),
        None => to.iter_mut().zip(from).for_each(|(to, from)| *to = *from),
    }
}

pub(crate) fn store<T: Copy>(from: &[Complex<T>], mut to: SignalMut<'_, T>) {
    match to.as_slice_mut() {
        Some(to) => to.copy_from_slice(from),
        None => to.into_iter().zip(from).for_each(|(to, from)| *to = *from),
    }
}
