use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// What is made once, and anew after it failed.
///
/// A list of places, each filled once: reading takes no lock and writes nothing, so that threads do
/// not slow each other down. What failed stays until the end, because others may be using it; after
/// [`LONGEST`] failures the last one stays in use.
pub(crate) struct Renewed<V> {
    made: OnceLock<V>,
    failed: AtomicBool,
    next: OnceLock<Box<Self>>,
}

/// Places in the list.
const LONGEST: usize = 16;

impl<V> Default for Renewed<V> {
    fn default() -> Self {
        Self { made: OnceLock::new(), failed: AtomicBool::new(false), next: OnceLock::new() }
    }
}

impl<V> Renewed<V> {
    /// The place in use, filled or to be filled.
    #[inline]
    pub(crate) fn latest(&self) -> &OnceLock<V> {
        &self.last().1.made
    }

    /// Leaves what was made, if anything was, for a new place; tells whether it did.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_one_is_made_anew_and_not_without_end() {
        let renewed = Renewed::default();
        assert!(!renewed.renew(), "nothing was made yet");
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
