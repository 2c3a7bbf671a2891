//! The streams that a test draws from, on its thread.

use std::cell::RefCell;
use std::collections::BTreeSet;

thread_local! {
    static DRAWN: RefCell<BTreeSet<u32>> = const { RefCell::new(BTreeSet::new()) };
}

pub(crate) fn note(word: u32) {
    DRAWN.with_borrow_mut(|drawn| drawn.insert(word));
}

/// Their words since the last call.
pub(crate) fn take() -> BTreeSet<u32> {
    DRAWN.with_borrow_mut(std::mem::take)
}
