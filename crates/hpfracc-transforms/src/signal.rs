//! Signals of arrays into contiguous memory, and back.

use ndarray::{ArrayView1, ArrayViewMut1};
use num_complex::Complex;

pub(crate) fn load<T: Copy>(from: ArrayView1<'_, Complex<T>>, to: &mut [Complex<T>]) {
    match from.as_slice() {
        Some(from) => to.copy_from_slice(from),
        None => to.iter_mut().zip(from).for_each(|(to, from)| *to = *from),
    }
}

pub(crate) fn store<T: Copy>(from: &[Complex<T>], mut to: ArrayViewMut1<'_, Complex<T>>) {
    match to.as_slice_mut() {
        Some(to) => to.copy_from_slice(from),
        None => to.into_iter().zip(from).for_each(|(to, from)| *to = *from),
    }
}
