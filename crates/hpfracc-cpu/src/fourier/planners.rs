//! Fourier transforms by length, cached.

use hpfracc_types::Real;
use realfft::{ComplexToReal, RealFftPlanner, RealToComplex};
use rustfft::{Fft, FftPlanner};
use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// A cache of transforms, of either scalar type, shared by all clones of a backend.
///
/// Twiddle factors depend on the length alone, so that plans of the same length share them. When
/// the lengths planned sum to more than [`CAPACITY`], the cache is cleared; plans own theirs.
#[derive(Clone, Default)]
pub(crate) struct Transforms {
    planners: Arc<Mutex<HashMap<TypeId, Box<dyn Any + Send>>>>,
}

/// Largest sum of lengths: about 64 MiB in f64, at one to three complex twiddle factors per sample.
const CAPACITY: usize = 2 << 20;

/// Forward and inverse complex transform, neither normalised.
pub(crate) struct ComplexPair<T> {
    pub(crate) forward: Arc<dyn Fft<T>>,
    pub(crate) inverse: Arc<dyn Fft<T>>,
}

/// Transform of a real signal to its half spectrum, and its inverse, neither normalised.
pub(crate) struct RealPair<T> {
    pub(crate) forward: Arc<dyn RealToComplex<T>>,
    pub(crate) inverse: Arc<dyn ComplexToReal<T>>,
}

struct Planners<T: Real> {
    complex: FftPlanner<T>,
    real: RealFftPlanner<T>,
    /// Sum of the lengths planned.
    planned: usize,
}

impl<T: Real> Planners<T> {
    fn new() -> Self {
        Self { complex: FftPlanner::new(), real: RealFftPlanner::new(), planned: 0 }
    }
}

impl Transforms {
    /// The complex transforms of this length.
    pub(crate) fn complex<T: Real>(&self, len: usize) -> ComplexPair<T> {
        self.with(len, |planners: &mut Planners<T>| ComplexPair {
            forward: planners.complex.plan_fft_forward(len),
            inverse: planners.complex.plan_fft_inverse(len),
        })
    }

    /// The real transforms of this length.
    pub(crate) fn real<T: Real>(&self, len: usize) -> RealPair<T> {
        self.with(len, |planners: &mut Planners<T>| RealPair {
            forward: planners.real.plan_fft_forward(len),
            inverse: planners.real.plan_fft_inverse(len),
        })
    }

    fn with<T: Real, R>(&self, len: usize, plan: impl FnOnce(&mut Planners<T>) -> R) -> R {
        // A panic while planning leaves the cache valid.
        let mut planners = self.planners.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = planners.entry(TypeId::of::<T>());
        let entry = entry.or_insert_with(|| Box::new(Planners::<T>::new()));
        let planners: &mut Planners<T> =
            entry.downcast_mut().expect("the entry of a type holds the planners of that type");
        let made = plan(planners);
        planners.planned = planners.planned.saturating_add(len);
        if planners.planned > CAPACITY {
            *planners = Planners::new();
        }
        made
    }
}

impl fmt::Debug for Transforms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transforms").finish_non_exhaustive()
    }
}
