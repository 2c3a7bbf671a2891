//! Functions prepared for their parameters, kept for the next call.

use hpfracc::special::{MittagLeffler, MittagLefflerGradient, SpecialError};
use std::sync::{Arc, Mutex, PoisonError};

/// Number of functions kept.
const CAPACITY: usize = 32;

pub(super) static VALUES: Prepared<MittagLeffler> = Prepared::new(MittagLeffler::new);
pub(super) static GRADIENTS: Prepared<MittagLefflerGradient> =
    Prepared::new(MittagLefflerGradient::new);

/// The functions used last, the latest first.
pub(super) struct Prepared<F> {
    new: fn(f64, f64) -> Result<F, SpecialError>,
    entries: Mutex<Vec<([u64; 2], Arc<F>)>>,
}

impl<F> Prepared<F> {
    const fn new(new: fn(f64, f64) -> Result<F, SpecialError>) -> Self {
        Self { new, entries: Mutex::new(Vec::new()) }
    }

    /// The function of these alpha and beta.
    pub(super) fn at(&self, alpha: f64, beta: f64) -> Result<Arc<F>, SpecialError> {
        let key = [alpha.to_bits(), beta.to_bits()];
        {
            let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(at) = entries.iter().position(|(of, _)| *of == key) {
                entries[..=at].rotate_right(1);
                return Ok(Arc::clone(&entries[0].1));
            }
        }
        let function = Arc::new((self.new)(alpha, beta)?);
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.truncate(CAPACITY - 1);
        entries.insert(0, (key, Arc::clone(&function)));
        Ok(function)
    }
}
