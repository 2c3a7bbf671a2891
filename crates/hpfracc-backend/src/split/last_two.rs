//! A cache of two values.

use std::sync::{Mutex, PoisonError};

/// The values for the two numbers of signals used last.
pub(super) struct LastTwo<V> {
    /// Newest last.
    values: Mutex<Vec<(usize, V)>>,
}

/// The share in use and the one before it: on a device each has the spectrum of the kernel.
const CAPACITY: usize = 2;

impl<V: Clone> LastTwo<V> {
    pub(super) fn new() -> Self {
        Self { values: Mutex::new(Vec::new()) }
    }

    /// The value for a number of signals, and whether it was made now. No lock is held meanwhile.
    pub(super) fn get_or<E>(
        &self,
        signals: usize,
        make: impl FnOnce() -> Result<V, E>,
    ) -> Result<(V, bool), E> {
        let values = || self.values.lock().unwrap_or_else(PoisonError::into_inner);
        {
            let mut values = values();
            if let Some(at) = values.iter().position(|(known, _)| *known == signals) {
                values[at..].rotate_left(1);
                return Ok((values[values.len() - 1].1.clone(), false));
            }
        }
        let value = make()?;
        let mut values = values();
        if values.len() == CAPACITY {
            values.remove(0);
        }
        values.push((signals, value.clone()));
        Ok((value, true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_two_stay() {
        let last_two = LastTwo::new();
        let get = |signals: usize| last_two.get_or::<()>(signals, || Ok(signals * 10)).unwrap();
        assert_eq!([get(1), get(2), get(1)], [(10, true), (20, true), (10, false)]);
        assert_eq!([get(3), get(1), get(2)], [(30, true), (10, false), (20, true)]);
        assert_eq!(last_two.get_or(7, || Err("no")), Err("no"));
    }
}
