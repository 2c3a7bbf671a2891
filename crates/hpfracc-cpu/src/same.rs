//! From a generic scalar to the concrete type that it is.
#![expect(unsafe_code, reason = "a slice of T is a slice of U when T and U are the same type")]

use std::any::TypeId;

/// The slice itself, if `T` is `U`.
pub(crate) fn slice<T: 'static, U: 'static>(slice: &[T]) -> Option<&[U]> {
    // SAFETY: equal type ids mean equal types; address, length and lifetime are kept.
    (TypeId::of::<T>() == TypeId::of::<U>())
        .then(|| unsafe { std::slice::from_raw_parts(slice.as_ptr().cast(), slice.len()) })
}

/// The slice itself, if `T` is `U`.
pub(crate) fn slice_mut<T: 'static, U: 'static>(slice: &mut [T]) -> Option<&mut [U]> {
    // SAFETY: as above; the exclusive borrow is handed on.
    (TypeId::of::<T>() == TypeId::of::<U>())
        .then(|| unsafe { std::slice::from_raw_parts_mut(slice.as_mut_ptr().cast(), slice.len()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_type_passes() {
        let mut values = [1.0f64, 2.0];
        assert_eq!(slice::<f64, f64>(&values), Some(&[1.0, 2.0][..]));
        assert!(slice::<f64, f32>(&values).is_none());
        assert!(slice_mut::<f64, u64>(&mut values).is_none());
        slice_mut::<f64, f64>(&mut values).unwrap()[0] = 3.0;
        assert_eq!(values[0], 3.0);
    }
}
