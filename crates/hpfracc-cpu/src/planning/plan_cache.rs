//! A cache of plans.

use hpfracc_backend::{Plan, Workload};
use hpfracc_types::Real;
use std::any::Any;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// The plans used last, of either scalar type, shared by all clones of a backend.
///
/// Training the order alpha uses the same plan in every step; the tables of a short one take as
/// long as a few convolutions. Bounded in number and in bytes, because a plan also owns scratch
/// memory.
#[derive(Clone, Default)]
pub(crate) struct PlanCache {
    /// Newest last.
    plans: Arc<Mutex<Vec<CachedPlan>>>,
}

struct CachedPlan {
    scalar: &'static str,
    workload: Workload,
    /// Bytes of a map of this plan with the scratch memory of one call.
    bytes: usize,
    plan: Box<dyn Any + Send + Sync>,
}

/// Largest number of plans.
const CAPACITY: usize = 8;

/// Largest number of bytes of all cached plans. A larger plan is not cached, because its memory
/// would outlive every map. Making the tables of a convolution of 2.2e6 samples again takes 5 ms,
/// applying it 45 ms.
const CAPACITY_BYTES: usize = 64 << 20;

impl PlanCache {
    /// The cached plan for this workload, or a new one.
    pub(crate) fn get_or<T: Real>(
        &self,
        workload: Workload,
        make: impl FnOnce() -> Arc<dyn Plan<T>>,
    ) -> Arc<dyn Plan<T>> {
        // The list does not change while planning, so that a panic leaves it valid.
        let mut plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        let known = plans.iter().position(|p| p.scalar == T::NAME && p.workload == workload);
        if let Some(known) = known {
            plans[known..].rotate_left(1);
            let newest = plans.last().and_then(|p| p.plan.downcast_ref::<Arc<dyn Plan<T>>>());
            return Arc::clone(newest.expect("the newest entry is the plan for this scalar"));
        }
        let plan = make();
        let bytes = plan.bytes();
        if bytes <= CAPACITY_BYTES {
            let room = |plans: &[CachedPlan]| {
                let held: usize = plans.iter().map(|p| p.bytes).sum();
                plans.len() < CAPACITY && held + bytes <= CAPACITY_BYTES
            };
            while !room(&plans) {
                plans.remove(0);
            }
            let cached = Box::new(Arc::clone(&plan));
            plans.push(CachedPlan { scalar: T::NAME, workload, bytes, plan: cached });
        }
        plan
    }
}

impl fmt::Debug for PlanCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlanCache").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hpfracc_backend::{Backend, Reference};

    #[test]
    fn scalars_and_sizes_have_separate_plans() {
        let recent = PlanCache::default();
        let of = |len| Workload::CausalConvolution { len, batch: 1 };
        let get = |len| recent.get_or::<f64>(of(len), || Reference.plan(of(len)).unwrap());
        let first = get(1);
        assert!(Arc::ptr_eq(&first, &get(1)));
        let single = recent.get_or::<f32>(of(1), || Reference.plan(of(1)).unwrap());
        assert_eq!(single.workload(), of(1));
        for len in 2..2 + CAPACITY {
            assert_eq!(get(len).workload(), of(len));
        }
        assert!(!Arc::ptr_eq(&first, &get(1)), "the oldest plan is dropped");
    }

    #[test]
    fn the_bytes_are_bounded() {
        let recent = PlanCache::default();
        let of = |len| Workload::CausalConvolution { len, batch: 1 };
        let get = |len| recent.get_or::<f64>(of(len), || Reference.plan(of(len)).unwrap());
        let third = CAPACITY_BYTES / 3 / size_of::<f64>();
        let [first, second, third, fourth] = [0, 1, 2, 3].map(|less| get(third - less));
        let bytes = |plans: &[&Arc<dyn Plan<f64>>]| plans.iter().map(|p| p.bytes()).sum::<usize>();
        assert!(bytes(&[&first, &second, &third]) <= CAPACITY_BYTES);
        assert!(bytes(&[&first, &second, &third, &fourth]) > CAPACITY_BYTES);
        // The first was removed; a plan beyond the bound is not cached.
        let large = get(CAPACITY_BYTES);
        assert!(!Arc::ptr_eq(&large, &get(CAPACITY_BYTES)));
        for cached in [&second, &third, &fourth] {
            assert!(Arc::ptr_eq(cached, &get(cached.workload().signal_len())));
        }
        assert!(!Arc::ptr_eq(&first, &get(first.workload().signal_len())));
    }
}
