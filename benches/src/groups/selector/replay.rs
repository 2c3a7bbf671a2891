//! Backends that take the times that were measured, on a clock that runs by them.
//!
//! What the selector decides is then repeatable, and the same suite can be run with other settings
//! in a second.

use super::suite::{Case, NAMES, Times, mean};
use hpfracc::Machine;
use hpfracc_backend::{Backend, BackendError, LinearMap, Plan, Workload};
use hpfracc_selector::{Candidate, Clock, Direction, Experience, Scalar, Selector, Settings};
use hpfracc_types::Real;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

/// The measured machine.
#[derive(Default)]
pub(super) struct World {
    times: HashMap<(Workload, Scalar), Times>,
    nanos: AtomicU64,
    next: AtomicUsize,
    /// Seconds by mean: what is compared.
    pub(super) account: Mutex<Account>,
}

/// Seconds spent, in all and on applications alone.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Account {
    pub(super) all: f64,
    pub(super) applying: f64,
}

impl Clock for World {
    fn nanos(&self) -> u64 {
        self.nanos.load(Relaxed)
    }
    fn unix_seconds(&self) -> u64 {
        self.nanos() / 1_000_000_000
    }
}

impl World {
    pub(super) fn new(cases: &[Case], times: &[Times]) -> Arc<Self> {
        let times =
            cases.iter().zip(times).map(|(c, t)| ((c.workload, c.scalar), t.clone())).collect();
        Arc::new(Self { times, ..Self::default() })
    }

    fn take(&self, readings: &[f64]) -> f64 {
        let next = self.next.fetch_add(1, Relaxed);
        let seconds = readings[next % readings.len()];
        self.nanos.fetch_add((seconds * 1e9) as u64, Relaxed);
        mean(readings)
    }

    pub(super) fn experience(self: &Arc<Self>, settings: Settings) -> Arc<Experience> {
        Experience::with_clock(settings, Arc::clone(self) as Arc<dyn Clock>)
    }
}

/// The selectors of both precisions on one experience.
pub(super) struct Selectors {
    single: Selector<f32>,
    double: Selector<f64>,
    /// Signals long enough for every case.
    zeros: (Vec<f32>, Vec<f64>),
    results: (Vec<f32>, Vec<f64>),
    pub(super) experience: Arc<Experience>,
}

impl Selectors {
    pub(super) fn new(world: &Arc<World>, settings: Settings) -> Self {
        let experience = world.experience(settings);
        let single = Selector::new(candidates(world), Arc::clone(&experience));
        let double = Selector::new(candidates(world), Arc::clone(&experience));
        let longest =
            world.times.keys().map(|(w, _)| w.signal_len().max(w.kernel_len()) * w.batch());
        let longest = longest.max().unwrap_or(0);
        Self {
            single: single.expect("names differ"),
            double: double.expect("names differ"),
            zeros: (vec![0.0; longest], vec![0.0; longest]),
            results: (vec![0.0; longest], vec![0.0; longest]),
            experience,
        }
    }

    /// Plans, binds and applies a case as often as it says.
    pub(super) fn run(&mut self, case: &Case) {
        match case.scalar {
            Scalar::F32 => run(&self.single, case, &self.zeros.0, &mut self.results.0),
            Scalar::F64 => run(&self.double, case, &self.zeros.1, &mut self.results.1),
        }
    }

    /// Measures a case on purpose.
    pub(super) fn measure(&self, case: &Case, effort: hpfracc_selector::Effort) {
        let done = match case.scalar {
            Scalar::F32 => self.single.measure(case.workload, effort),
            Scalar::F64 => self.double.measure(case.workload, effort),
        };
        done.expect("there is memory for all cases");
    }

    /// Expected seconds of one application, by backend.
    pub(super) fn predict(&self, case: &Case) -> Vec<f64> {
        let task = hpfracc_selector::Task { direction: case.direction, ..case.workload.into() };
        let predictions = match case.scalar {
            Scalar::F32 => self.single.predict(task),
            Scalar::F64 => self.double.predict(task),
        };
        let predictions = predictions.expect("the sizes are not zero");
        predictions.iter().map(|p| p.seconds).collect()
    }
}

fn run<T: Real>(selector: &Selector<T>, case: &Case, zeros: &[T], results: &mut [T]) {
    let workload = case.workload;
    let x = workload.signal_len() * workload.batch();
    let y = workload.output_len() * workload.batch();
    let plan = selector.plan(workload).expect("every case has a backend");
    let map = plan.bind(&zeros[..workload.kernel_len()]).expect("a kernel of zeros is bound");
    for _ in 0..case.applications {
        let done = match case.direction {
            Direction::Forward => map.apply(&zeros[..x], &mut results[..y]),
            Direction::Transpose => map.apply_transpose(&zeros[..y], &mut results[..x]),
        };
        done.expect("replayed maps do not fail");
    }
}

fn candidates<T: Real>(world: &Arc<World>) -> Vec<Candidate<T>> {
    let threads = rayon::current_num_threads();
    let prior = |name| Machine::prior(name, threads).expect("a backend on the processor");
    let candidate = |index: usize| {
        let backend = Replayed { index, world: Arc::clone(world), workload: None };
        Candidate::new(backend, prior(NAMES[index]))
    };
    (0..NAMES.len()).map(candidate).collect()
}

/// Backend, plan and map that take the measured times.
#[derive(Clone)]
struct Replayed {
    index: usize,
    world: Arc<World>,
    /// Of a plan or a map.
    workload: Option<Workload>,
}

impl Replayed {
    fn workload(&self) -> Workload {
        self.workload.expect("a plan has a workload")
    }

    fn spend<T: Real>(&self, step: Step) {
        let key = (self.workload(), Scalar::of::<T>());
        let times = self.world.times.get(&key).and_then(|t| t[self.index].as_ref());
        let Some(times) = times else { return };
        let readings = match step {
            Step::Plan => &times.plan,
            Step::Bind => &times.bind,
            Step::Apply => &times.apply,
        };
        let seconds = self.world.take(readings);
        let mut account = self.world.account.lock().expect("no thread panics");
        account.all += seconds;
        if step == Step::Apply {
            account.applying += seconds;
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Step {
    Plan,
    Bind,
    Apply,
}

impl<T: Real> Backend<T> for Replayed {
    fn name(&self) -> &str {
        NAMES[self.index]
    }

    fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<T>>, BackendError> {
        let times = self.world.times.get(&(workload, Scalar::of::<T>()));
        if times.is_none_or(|t| t[self.index].is_none()) {
            return Err(BackendError::Unsupported {
                backend: NAMES[self.index].to_owned(),
                workload,
                reason: "it was not measured",
            });
        }
        let plan = Self { workload: Some(workload), ..self.clone() };
        plan.spend::<T>(Step::Plan);
        Ok(Arc::new(plan))
    }
}

impl<T: Real> Plan<T> for Replayed {
    fn workload(&self) -> Workload {
        self.workload()
    }
    fn bytes(&self) -> usize {
        1
    }
    fn bind(&self, _: &[T]) -> Result<Box<dyn LinearMap<T>>, BackendError> {
        self.spend::<T>(Step::Bind);
        Ok(Box::new(self.clone()))
    }
}

impl<T: Real> LinearMap<T> for Replayed {
    fn workload(&self) -> Workload {
        self.workload()
    }
    fn run(&self, _: Direction, _: &[T], _: &mut [T]) -> Result<(), BackendError> {
        self.spend::<T>(Step::Apply);
        Ok(())
    }
}
