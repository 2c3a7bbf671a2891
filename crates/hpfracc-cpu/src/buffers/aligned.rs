use std::ops::{Deref, DerefMut};

/// A buffer that starts on a cache line.
///
/// `Vec` aligns to the scalar; every second 32-byte and every 64-byte load would then straddle two
/// lines. The vector is longer by one line, and the buffer starts at the first line boundary in it.
#[derive(Debug, Default)]
pub(crate) struct Aligned<T> {
    storage: Vec<T>,
    start: usize,
    len: usize,
}

const LINE: usize = 64;

impl<T: Copy> Aligned<T> {
    /// `len` copies of `value`.
    pub(crate) fn new(len: usize, value: T) -> Self {
        let slack = LINE / size_of::<T>();
        let storage = vec![value; len + slack];
        // `align_offset` may fail; an unaligned buffer is slower, but correct.
        let start = storage.as_ptr().align_offset(LINE).min(slack);
        Self { storage, start, len }
    }

    /// Bytes of a buffer of `len` values.
    pub(crate) fn bytes(len: usize) -> usize {
        len * size_of::<T>() + LINE
    }
}

impl<T> Deref for Aligned<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.storage[self.start..self.start + self.len]
    }
}

impl<T> DerefMut for Aligned<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.storage[self.start..self.start + self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_on_a_line_and_has_its_length() {
        for len in [0, 1, 7, 1000] {
            let buffer = Aligned::new(len, 1.0f64);
            assert_eq!(buffer.len(), len);
            assert_eq!(buffer.as_ptr() as usize % LINE, 0);
        }
    }
}
