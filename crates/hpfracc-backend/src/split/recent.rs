use std::sync::{Mutex, PoisonError};

/// What was made for the numbers of signals asked for last.
pub(super) struct Recent<V> {
    /// Newest last.
    kept: Mutex<Vec<(usize, V)>>,
}

/// The share in use and the one before it: on a device each holds the kernel's spectrum.
const KEPT: usize = 2;

impl<V: Clone> Recent<V> {
    pub(super) fn new() -> Self {
        Self { kept: Mutex::new(Vec::new()) }
    }

    /// The value for so many signals, and whether it was made now. Nothing is locked meanwhile.
    pub(super) fn get_or<E>(
        &self,
        signals: usize,
        make: impl FnOnce() -> Result<V, E>,
    ) -> Result<(V, bool), E> {
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        {
            let mut kept = kept();
            if let Some(at) = kept.iter().position(|(known, _)| *known == signals) {
                kept[at..].rotate_left(1);
                return Ok((kept[kept.len() - 1].1.clone(), false));
            }
        }
        let value = make()?;
        let mut kept = kept();
        if kept.len() == KEPT {
            kept.remove(0);
        }
        kept.push((signals, value.clone()));
        Ok((value, true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_last_ones() {
        let recent = Recent::new();
        let get = |signals: usize| recent.get_or::<()>(signals, || Ok(signals * 10)).unwrap();
        assert_eq!([get(1), get(2), get(1)], [(10, true), (20, true), (10, false)]);
        assert_eq!([get(3), get(1), get(2)], [(30, true), (10, false), (20, true)]);
        assert_eq!(recent.get_or(7, || Err("no")), Err("no"));
    }
}
