//! Backends that take as long as a test says, on a clock that the test owns.

#![allow(dead_code, reason = "each test file uses a part")]

use hpfracc_backend::{Backend, BackendError, Direction, Kind, LinearMap, Pending, Plan, Workload};
use hpfracc_selector::{Candidate, Clock, Experience, Prior, Selector, Settings, UnitCosts};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

#[derive(Default)]
pub(crate) struct FakeClock(AtomicU64);

impl FakeClock {
    pub(crate) fn advance(&self, nanos: u64) {
        self.0.fetch_add(nanos, Relaxed);
    }

    pub(crate) fn set(&self, nanos: u64) {
        self.0.store(nanos, Relaxed);
    }
}

impl Clock for FakeClock {
    fn nanos(&self) -> u64 {
        self.0.load(Relaxed)
    }
    fn unix_seconds(&self) -> u64 {
        1_700_000_000 + self.nanos() / 1_000_000_000
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Step {
    Plan,
    Bind,
    Forward,
    Transpose,
}

impl Step {
    fn of(direction: Direction) -> Self {
        match direction {
            Direction::Forward => Self::Forward,
            Direction::Transpose => Self::Transpose,
        }
    }
}

/// Nanoseconds of a step.
pub(crate) type Cost = Box<dyn Fn(Workload, Step) -> f64 + Send + Sync>;

/// What tests turn and read while a backend is in use.
#[derive(Default)]
pub(crate) struct Knobs {
    /// Nanoseconds by which each application is multiplied, in per cent; 0 means 100.
    pub(crate) slower: AtomicU64,
    pub(crate) fails: AtomicBool,
    pub(crate) fails_binding: AtomicBool,
    /// Plans fail as the device does.
    pub(crate) fails_planning: AtomicBool,
    /// What happens while a map is being bound, once.
    pub(crate) while_binding: Mutex<Option<Box<dyn FnOnce() + Send>>>,
    pub(crate) lacks_memory: AtomicBool,
    pub(crate) applied: AtomicUsize,
    pub(crate) bound: AtomicUsize,
    /// How often the device was lost: maps bound before fail for good.
    pub(crate) lost: AtomicUsize,
    /// Whether a map may only be awaited, and is not ready at once.
    pub(crate) never_waits: AtomicBool,
    pub(crate) by_len: Mutex<BTreeMap<usize, usize>>,
    pub(crate) inputs: Mutex<Vec<f64>>,
}

impl Knobs {
    pub(crate) fn applied(&self) -> usize {
        self.applied.load(Relaxed)
    }
}

pub(crate) struct Fake {
    pub(crate) name: &'static str,
    pub(crate) clock: Arc<FakeClock>,
    pub(crate) cost: Arc<Cost>,
    pub(crate) knobs: Arc<Knobs>,
    pub(crate) bytes: fn(Workload) -> usize,
    pub(crate) only: Option<Kind>,
    /// Written to every entry of a result, plus the first sample.
    pub(crate) mark: f64,
}

struct FakePlan(Arc<Fake>, Workload, usize);
struct FakeMap(Arc<Fake>, Workload, usize);

impl Fake {
    fn spend(&self, workload: Workload, step: Step) {
        let percent = match self.knobs.slower.load(Relaxed) {
            0 => 100,
            percent => percent,
        };
        let nanos = (self.cost)(workload, step) * percent as f64 / 100.0;
        self.clock.advance(nanos as u64);
    }

    /// Not ready when first polled, if the map may only be awaited.
    async fn later(&self) {
        let mut polled = !self.knobs.never_waits.load(Relaxed);
        std::future::poll_fn(|context| {
            context.waker().wake_by_ref();
            if std::mem::replace(&mut polled, true) { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }

    fn device(&self) -> BackendError {
        BackendError::Device { backend: self.name.to_owned(), source: "unplugged".into() }
    }
}

impl Backend<f64> for Shared {
    fn name(&self) -> &str {
        self.0.name
    }
    fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<f64>>, BackendError> {
        workload.check()?;
        if self.0.only.is_some_and(|kind| kind != workload.kind()) {
            return Err(BackendError::Unsupported {
                backend: self.0.name.to_owned(),
                workload,
                reason: "of another kind",
            });
        }
        self.0.spend(workload, Step::Plan);
        if self.0.knobs.fails_planning.load(Relaxed) {
            return Err(self.0.device());
        }
        let device = self.0.knobs.lost.load(Relaxed);
        Ok(Arc::new(FakePlan(Arc::clone(&self.0), workload, device)))
    }
}

/// A backend that a test keeps a hand on.
pub(crate) struct Shared(pub(crate) Arc<Fake>);

impl Plan<f64> for FakePlan {
    fn workload(&self) -> Workload {
        self.1
    }
    fn bytes(&self) -> usize {
        (self.0.bytes)(self.1)
    }
    fn bind(&self, kernel: &[f64]) -> Result<Box<dyn LinearMap<f64>>, BackendError> {
        self.1.check_kernel(kernel)?;
        self.0.spend(self.1, Step::Bind);
        let work = self.0.knobs.while_binding.lock().unwrap().take();
        if let Some(work) = work {
            work();
        }
        if self.0.knobs.fails_binding.load(Relaxed) {
            return Err(self.0.device());
        }
        self.0.knobs.bound.fetch_add(1, Relaxed);
        Ok(Box::new(FakeMap(Arc::clone(&self.0), self.1, self.2)))
    }
}

impl FakeMap {
    fn compute(&self, step: Step, from: &[f64], to: &mut [f64]) -> Result<(), BackendError> {
        let fake = &self.0;
        fake.spend(self.1, step);
        if fake.knobs.fails.load(Relaxed) || fake.knobs.lost.load(Relaxed) != self.2 {
            to.fill(f64::NAN);
            return Err(fake.device());
        }
        if fake.knobs.lacks_memory.load(Relaxed) {
            let (backend, workload) = (fake.name.to_owned(), self.1);
            return Err(BackendError::Memory { backend, workload, needed: 2, limit: 1 });
        }
        fake.knobs.applied.fetch_add(1, Relaxed);
        *fake.knobs.by_len.lock().unwrap().entry(self.1.signal_len()).or_default() += 1;
        fake.knobs.inputs.lock().unwrap().push(from[0]);
        to.fill(fake.mark + from[0]);
        Ok(())
    }
}

impl LinearMap<f64> for FakeMap {
    fn workload(&self) -> Workload {
        self.1
    }
    fn run(&self, direction: Direction, from: &[f64], to: &mut [f64]) -> Result<(), BackendError> {
        if self.0.knobs.never_waits.load(Relaxed) {
            return Err(self.0.device());
        }
        self.compute(Step::of(direction), from, to)
    }
    fn run_async<'a>(
        &'a self,
        direction: Direction,
        from: &'a [f64],
        to: &'a mut [f64],
    ) -> Pending<'a> {
        Box::pin(async move {
            self.0.later().await;
            self.compute(Step::of(direction), from, to)
        })
    }
}

/// A clock, and backends on it.
#[derive(Default)]
pub(crate) struct World {
    pub(crate) clock: Arc<FakeClock>,
    pub(crate) candidates: Vec<Candidate<f64>>,
}

impl World {
    /// A world of backends: name, expected seconds of a call, nanoseconds of a call of any size.
    pub(crate) fn of<const N: usize>(
        backends: [(&'static str, f64, f64); N],
    ) -> (Self, [Arc<Knobs>; N]) {
        let mut world = Self::default();
        let knobs =
            backends.map(|(name, prior, nanos)| world.add(name, per_call(prior), flat(nanos)));
        (world, knobs)
    }

    /// Adds a backend that takes `cost` and is expected to take `prior` seconds a call.
    pub(crate) fn add(
        &mut self,
        name: &'static str,
        prior: Prior,
        cost: impl Fn(Workload, Step) -> f64 + Send + Sync + 'static,
    ) -> Arc<Knobs> {
        self.add_fake(name, prior, cost, |fake| fake)
    }

    pub(crate) fn add_fake(
        &mut self,
        name: &'static str,
        prior: Prior,
        cost: impl Fn(Workload, Step) -> f64 + Send + Sync + 'static,
        change: impl FnOnce(Fake) -> Fake,
    ) -> Arc<Knobs> {
        let knobs = Arc::new(Knobs::default());
        let fake = change(Fake {
            name,
            clock: Arc::clone(&self.clock),
            cost: Arc::new(Box::new(cost)),
            knobs: Arc::clone(&knobs),
            bytes: |workload| 8 * workload.kernel_len(),
            only: None,
            mark: self.candidates.len() as f64,
        });
        self.candidates.push(Candidate::new(Shared(Arc::new(fake)), prior));
        knobs
    }

    pub(crate) fn experience(&self, settings: Settings) -> Arc<Experience> {
        Experience::with_clock(settings, self.clock.clone())
    }

    pub(crate) fn selector(&self, settings: Settings) -> Selector<f64> {
        Selector::new(self.candidates.clone(), self.experience(settings)).unwrap()
    }

    /// Fake nanoseconds that some work takes.
    pub(crate) fn nanos(&self, work: impl FnOnce()) -> f64 {
        let start = self.clock.nanos();
        work();
        (self.clock.nanos() - start) as f64
    }
}

pub(crate) fn conv(len: usize) -> Workload {
    Workload::CausalConvolution { len, batch: 1 }
}

/// A prior of a time per call and nothing else.
pub(crate) fn per_call(seconds: f64) -> Prior {
    let apply = UnitCosts { call: seconds, ..UnitCosts::default() };
    let little = UnitCosts { call: 1e-7, ..UnitCosts::default() };
    Prior { plan: little, bind: little, apply }
}

/// Sums in registers: a prior in which time grows with the products.
pub(crate) const SUMS: Prior = Prior {
    plan: UnitCosts { call: 3e-7, kernel: 1e-11, ..UnitCosts::ZERO },
    bind: UnitCosts { call: 1e-7, kernel: 3e-10, ..UnitCosts::ZERO },
    apply: UnitCosts { call: 2e-8, signal: 1e-8, sample: 1e-10, product: 3e-11, ..UnitCosts::ZERO },
};

/// Fourier transforms: a prior in which time grows as N log N.
pub(crate) const TRANSFORMS: Prior = Prior {
    plan: UnitCosts { call: 5e-6, kernel: 8e-9, ..UnitCosts::ZERO },
    bind: UnitCosts { call: 4e-7, kernel: 1e-9, transform: 2.5e-10, ..UnitCosts::ZERO },
    apply: UnitCosts {
        call: 6e-8,
        signal: 8e-8,
        sample: 3e-10,
        transform: 5e-10,
        ..UnitCosts::ZERO
    },
};

/// The same time for every size; plans and binding take 100 ns.
pub(crate) fn flat(nanos: f64) -> impl Fn(Workload, Step) -> f64 {
    move |_, step| match step {
        Step::Plan | Step::Bind => 100.0,
        _ => nanos,
    }
}

pub(crate) fn bind(selector: &Selector<f64>, workload: Workload) -> Box<dyn LinearMap<f64>> {
    let kernel = vec![0.0; workload.kernel_len()];
    selector.plan(workload).and_then(|plan| plan.bind(&kernel)).unwrap()
}

/// Applies forward `times` times; returns the first entry of the last result.
pub(crate) fn apply(map: &dyn LinearMap<f64>, times: usize) -> f64 {
    let workload = map.workload();
    let x = vec![1.0; workload.signal_len() * workload.batch()];
    let mut y = vec![0.0; workload.output_len() * workload.batch()];
    for _ in 0..times {
        map.apply(&x, &mut y).unwrap();
    }
    y[0]
}

/// After how many polls the future was ready, and with what.
pub(crate) fn awaited(mut future: Pending<'_>) -> (usize, Result<(), BackendError>) {
    let mut context = Context::from_waker(Waker::noop());
    let mut polls = 1;
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(outcome) => return (polls, outcome),
            Poll::Pending => polls += 1,
        }
    }
}
