use hpfracc_backend::{Plan, Workload};
use hpfracc_types::Real;
use std::any::Any;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// The plans asked for last, of either scalar type, shared by all clones of a backend.
///
/// A training step in the order alpha asks for the same plan again and again; the tables of a
/// short one take as long as a few convolutions. Bounded in number and in bytes, because a plan
/// also owns scratch memory.
#[derive(Clone, Default)]
pub(crate) struct PlanCache {
    /// Newest last.
    plans: Arc<Mutex<Vec<Recent>>>,
}

struct Recent {
    scalar: &'static str,
    workload: Workload,
    /// What a map of the plan holds, one call at a time: more than the plan alone.
    bytes: usize,
    plan: Box<dyn Any + Send + Sync>,
}

/// Plans kept at most.
const KEPT: usize = 8;

/// Bytes of the plans kept, together. A plan of more is not kept, as its memory would outlive every
/// map; to make the tables of a convolution of 2.2e6 samples again takes 5 ms, to apply it 45 ms.
const KEPT_BYTES: usize = 64 << 20;

impl PlanCache {
    /// The plan kept for this workload, or a new one.
    pub(crate) fn get_or<T: Real>(
        &self,
        workload: Workload,
        make: impl FnOnce() -> Arc<dyn Plan<T>>,
    ) -> Arc<dyn Plan<T>> {
        // Nothing is changed while planning, so that a panic there leaves the list sound.
        let mut plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        let known = plans.iter().position(|p| p.scalar == T::NAME && p.workload == workload);
        if let Some(known) = known {
            plans[known..].rotate_left(1);
            let newest = plans.last().and_then(|p| p.plan.downcast_ref::<Arc<dyn Plan<T>>>());
            return Arc::clone(newest.expect("the newest entry is the plan for this scalar"));
        }
        let plan = make();
        let bytes = plan.bytes();
        if bytes <= KEPT_BYTES {
            let room = |plans: &[Recent]| {
                let held: usize = plans.iter().map(|p| p.bytes).sum();
                plans.len() < KEPT && held + bytes <= KEPT_BYTES
            };
            while !room(&plans) {
                plans.remove(0);
            }
            let kept = Box::new(Arc::clone(&plan));
            plans.push(Recent { scalar: T::NAME, workload, bytes, plan: kept });
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
    fn keeps_the_last_plans_apart_by_scalar_and_size() {
        let recent = PlanCache::default();
        let of = |len| Workload::CausalConvolution { len, batch: 1 };
        let get = |len| recent.get_or::<f64>(of(len), || Reference.plan(of(len)).unwrap());
        let first = get(1);
        assert!(Arc::ptr_eq(&first, &get(1)));
        let single = recent.get_or::<f32>(of(1), || Reference.plan(of(1)).unwrap());
        assert_eq!(single.workload(), of(1));
        for len in 2..2 + KEPT {
            assert_eq!(get(len).workload(), of(len));
        }
        assert!(!Arc::ptr_eq(&first, &get(1)), "the oldest plan is dropped");
    }

    #[test]
    fn keeps_no_more_bytes_than_allowed() {
        let recent = PlanCache::default();
        let of = |len| Workload::CausalConvolution { len, batch: 1 };
        let get = |len| recent.get_or::<f64>(of(len), || Reference.plan(of(len)).unwrap());
        let third = KEPT_BYTES / 3 / size_of::<f64>();
        let [first, second, third, fourth] = [0, 1, 2, 3].map(|less| get(third - less));
        let bytes = |plans: &[&Arc<dyn Plan<f64>>]| plans.iter().map(|p| p.bytes()).sum::<usize>();
        assert!(bytes(&[&first, &second, &third]) <= KEPT_BYTES);
        assert!(bytes(&[&first, &second, &third, &fourth]) > KEPT_BYTES);
        // The first has made room; a plan beyond the bound takes none.
        let large = get(KEPT_BYTES);
        assert!(!Arc::ptr_eq(&large, &get(KEPT_BYTES)));
        for kept in [&second, &third, &fourth] {
            assert!(Arc::ptr_eq(kept, &get(kept.workload().signal_len())));
        }
        assert!(!Arc::ptr_eq(&first, &get(first.workload().signal_len())));
    }
}
