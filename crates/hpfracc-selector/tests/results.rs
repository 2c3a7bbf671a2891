//! A choice changes when a result comes and its rounding, nothing else.

use hpfracc_backend::conformance::verify;
use hpfracc_backend::{
    Backend, BackendError, Direction, Kind, LinearMap, Plan, Reference, Workload,
};
use hpfracc_selector::{Candidate, Experience, Prior, Selector, Settings};
use hpfracc_types::Real;
use proptest::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The reference under another name, on a device that fails every so often; `0` never.
#[derive(Clone)]
struct Flaky {
    name: &'static str,
    every: usize,
    calls: Arc<AtomicUsize>,
    backwards: bool,
}

impl Flaky {
    fn new(name: &'static str, every: usize, backwards: bool) -> Self {
        Self { name, every, calls: Arc::default(), backwards }
    }

    fn check(&self) -> Result<(), BackendError> {
        let call = self.calls.fetch_add(1, Relaxed) + 1;
        if self.every > 0 && call.is_multiple_of(self.every) {
            let backend = self.name.to_owned();
            return Err(BackendError::Device { backend, source: "unplugged".into() });
        }
        Ok(())
    }
}

struct FlakyPlan<T: Real>(Flaky, Arc<dyn Plan<T>>);
struct FlakyMap<T: Real>(Flaky, Box<dyn LinearMap<T>>, Vec<T>);

impl<T: Real> Backend<T> for Flaky {
    fn name(&self) -> &str {
        self.name
    }
    fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<T>>, BackendError> {
        Ok(Arc::new(FlakyPlan(self.clone(), Reference.plan(workload)?)))
    }
}

impl<T: Real> Plan<T> for FlakyPlan<T> {
    fn workload(&self) -> Workload {
        self.1.workload()
    }
    fn bytes(&self) -> usize {
        self.1.bytes()
    }
    fn bind(&self, kernel: &[T]) -> Result<Box<dyn LinearMap<T>>, BackendError> {
        Ok(Box::new(FlakyMap(self.0.clone(), self.1.bind(kernel)?, kernel.to_vec())))
    }
}

impl<T: Real> LinearMap<T> for FlakyMap<T> {
    fn workload(&self) -> Workload {
        self.1.workload()
    }
    fn run(&self, direction: Direction, from: &[T], to: &mut [T]) -> Result<(), BackendError> {
        to.fill(T::NAN);
        self.0.check()?;
        self.1.run(direction, from, to)?;
        if self.0.backwards && direction == Direction::Forward {
            // The same sums in the other order: other roundings.
            for (n, y) in to.iter_mut().enumerate() {
                let terms = (0..=n).rev().map(|k| self.2[k] * from[n - k]);
                *y = terms.fold(T::zero(), |sum, term| sum + term);
            }
        }
        Ok(())
    }
}

fn selector<T: Real>(candidates: Vec<Flaky>) -> Selector<T>
where
    Flaky: Backend<T>,
{
    let candidates = candidates.into_iter().map(|c| Candidate::new(c, Prior::LOOPS)).collect();
    Selector::new(candidates, Experience::new(Settings::default())).unwrap()
}

const KINDS: [Kind; 5] = Kind::ALL;

#[test]
fn passes_the_conformance_suite() {
    let pair = || vec![Flaky::new("a", 0, false), Flaky::new("b", 0, false)];
    verify::<f64>(&selector(pair()), &KINDS, 1e-13).unwrap();
    verify::<f32>(&selector(pair()), &KINDS, 4e-6).unwrap();
}

/// The suite fills results with NaN and asks for the same bits twice: a hand-over shows nowhere.
#[test]
fn passes_the_conformance_suite_while_a_device_fails() {
    let pair = vec![Flaky::new("flaky", 3, false), Flaky::new("steady", 0, false)];
    verify::<f64>(&selector(pair), &KINDS, 1e-13).unwrap();
}

proptest! {
    #[test]
    fn no_choice_changes_a_result_beyond_rounding(
        kernel in proptest::collection::vec(-1.0..1.0f64, 1..60),
        seed in 0u64..1000,
        every in 0usize..5,
        applications in 1usize..80,
    ) {
        let len = kernel.len();
        let x: Vec<f64> = (0..len).map(|i| ((seed + 7) as f64 * i as f64).sin()).collect();
        let workload = Workload::CausalConvolution { len, batch: 1 };
        let selector = selector::<f64>(vec![
            Flaky::new("forwards", every, false),
            Flaky::new("backwards", 0, true),
        ]);
        let map = selector.plan(workload).unwrap().bind(&kernel).unwrap();
        let mut expected = vec![0.0; len];
        Reference.plan(workload).unwrap().bind(&kernel).unwrap().apply(&x, &mut expected).unwrap();
        for _ in 0..applications {
            let mut y = vec![f64::NAN; len];
            map.apply(&x, &mut y).unwrap();
            for n in 0..len {
                let scale: f64 = (0..=n).map(|k| (kernel[k] * x[n - k]).abs()).sum();
                let bound = len as f64 * f64::EPSILON * scale;
                prop_assert!((y[n] - expected[n]).abs() <= bound, "{} {}", y[n], expected[n]);
            }
        }
    }
}
