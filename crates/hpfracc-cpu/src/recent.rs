use hpfracc_backend::{Plan, Workload};
use hpfracc_types::Real;
use std::any::Any;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// The plans asked for last, of either scalar type, shared by all clones of a backend.
///
/// A training step in the order alpha asks for the same plan again and again; its tables take as
/// long as a few convolutions. Bounded, because a plan also owns scratch memory.
#[derive(Clone, Default)]
pub(crate) struct RecentPlans {
    /// Newest last.
    plans: Arc<Mutex<Vec<Recent>>>,
}

struct Recent {
    scalar: &'static str,
    workload: Workload,
    plan: Box<dyn Any + Send + Sync>,
}

/// Plans kept.
const KEPT: usize = 8;

impl RecentPlans {
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
        } else {
            let plan = Box::new(make());
            if plans.len() == KEPT {
                plans.remove(0);
            }
            plans.push(Recent { scalar: T::NAME, workload, plan });
        }
        let newest = plans.last().and_then(|p| p.plan.downcast_ref::<Arc<dyn Plan<T>>>());
        Arc::clone(newest.expect("the newest entry is the plan for this scalar"))
    }
}

impl fmt::Debug for RecentPlans {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecentPlans").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hpfracc_backend::{Backend, Reference};

    #[test]
    fn keeps_the_last_plans_apart_by_scalar_and_size() {
        let recent = RecentPlans::default();
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
}
