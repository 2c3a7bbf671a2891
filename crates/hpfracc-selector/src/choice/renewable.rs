use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// A value that is made once, and made again after it failed.
///
/// A linked list of cells, each filled once: reading takes no lock and writes nothing, so that
/// threads do not contend. Failed values stay in the list, because other threads may be using them;
/// after [`LONGEST`] failures the last one stays in use.
pub(crate) struct Renewable<V> {
    made: OnceLock<V>,
    failed: AtomicBool,
    next: OnceLock<Box<Self>>,
}

/// Largest number of cells.
const LONGEST: usize = 16;

impl<V> Default for Renewable<V> {
    fn default() -> Self {
        Self { made: OnceLock::new(), failed: AtomicBool::new(false), next: OnceLock::new() }
    }
}

impl<V> Renewable<V> {
    /// The cell in use, which may be empty.
    #[inline]
    pub(crate) fn latest(&self) -> &OnceLock<V> {
        &self.last().1.made
    }

    /// Replaces a filled cell by an empty one; returns whether it did.
    pub(crate) fn renew(&self) -> bool {
        let (length, last) = self.last();
        let renewed = length < LONGEST && last.made.get().is_some();
        if renewed {
            last.failed.store(true, Ordering::Release);
        }
        renewed
    }

    #[inline]
    fn last(&self) -> (usize, &Self) {
        let (mut length, mut place) = (1, self);
        while place.failed.load(Ordering::Acquire) {
            (length, place) = (length + 1, place.next.get_or_init(Box::default));
        }
        (length, place)
    }
}

impl<V> Renewable<Option<V>> {
    /// The latest value, made now if there is none yet, and the error if that failed now.
    pub(crate) fn get_or_make<E>(
        &self,
        make: impl FnOnce() -> Result<V, E>,
    ) -> (Option<&V>, Option<E>) {
        let mut error = None;
        let value = self.latest().get_or_init(|| make().map_err(|e| error = Some(e)).ok());
        (value.as_ref(), error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_value_is_made_again_a_limited_number_of_times() {
        let renewed = Renewable::default();
        assert!(!renewed.renew(), "the cell is empty");
        for i in 1..LONGEST {
            assert_eq!(*renewed.latest().get_or_init(|| i), i);
            assert_eq!(*renewed.latest().get_or_init(|| 99), i);
            assert!(renewed.renew() && !renewed.renew());
            assert_eq!(renewed.latest().get(), None);
        }
        assert_eq!(*renewed.latest().get_or_init(|| 77), 77);
        assert!(!renewed.renew());
        assert_eq!(renewed.latest().get(), Some(&77));
    }
}
