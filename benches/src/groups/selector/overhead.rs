//! What the selector itself costs, on a backend that does nothing.

use crate::bench::Bench;
use crate::measure::interleaved;
use hpfracc_backend::{Backend, BackendError, LinearMap, Plan, Workload};
use hpfracc_selector::{Candidate, Clock, Experience, Prior, Selector, Settings, SystemClock};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

/// Returns at once.
#[derive(Clone, Copy)]
struct Idle(&'static str, Workload);

impl Backend<f64> for Idle {
    fn name(&self) -> &str {
        self.0
    }
    fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<f64>>, BackendError> {
        Ok(Arc::new(Self(self.0, workload)))
    }
}

impl Plan<f64> for Idle {
    fn workload(&self) -> Workload {
        self.1
    }
    fn bytes(&self) -> usize {
        1
    }
    fn bind(&self, _: &[f64]) -> Result<Box<dyn LinearMap<f64>>, BackendError> {
        Ok(Box::new(*self))
    }
}

impl LinearMap<f64> for Idle {
    fn workload(&self) -> Workload {
        self.1
    }
    fn apply(&self, x: &[f64], y: &mut [f64]) -> Result<(), BackendError> {
        self.1.check_signals(x, y)
    }
    fn apply_transpose(&self, y: &[f64], x: &mut [f64]) -> Result<(), BackendError> {
        self.1.check_signals(x, y)
    }
}

const WORKLOAD: Workload = Workload::CausalConvolution { len: 16, batch: 1 };
const CALLS: usize = 1000;

fn selector(learning: bool) -> Selector<f64> {
    let names = ["first", "second", "third", "fourth"];
    let candidates =
        names.map(|name| Candidate::new(Idle(name, WORKLOAD), Prior::SUMS)).into_iter().collect();
    let experience = Experience::new(Settings { learning, ..Settings::default() });
    Selector::new(candidates, experience).expect("names differ")
}

fn bound(backend: &dyn Backend<f64>) -> Box<dyn LinearMap<f64>> {
    let plan = backend.plan(WORKLOAD).and_then(|plan| plan.bind(&[0.0; 16]));
    plan.expect("idle backends take everything")
}

fn calls(map: &dyn LinearMap<f64>) {
    let (x, mut y) = ([0.0; 16], [0.0; 16]);
    for _ in 0..CALLS {
        map.apply(black_box(&x), &mut y).expect("idle backends do not fail");
    }
}

/// Nanoseconds of a core for one call, with as many threads at once.
fn shared(threads: usize, call: impl Fn() + Sync) -> f64 {
    let cores = std::thread::available_parallelism().map_or(1, usize::from).min(threads);
    const REPEATS: usize = 300;
    let rounds = (0..5).map(|_| {
        let start = Instant::now();
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| (0..REPEATS).for_each(|_| call()));
            }
        });
        start.elapsed().as_secs_f64() * 1e9
    });
    let least = rounds.fold(f64::INFINITY, f64::min);
    least * cores as f64 / (threads * REPEATS * CALLS) as f64
}

/// Lookup, decision and recording, alone and with eight threads on one map.
pub(crate) fn overhead(bench: &mut Bench) {
    let budget = bench.budget;
    let (still, learning) = (selector(false), selector(true));
    let idle = bound(&Idle("alone", WORKLOAD));
    let (decided, recorded) = (bound(&still), bound(&learning));
    calls(recorded.as_ref());
    let clock = SystemClock::new();
    let lookup = || {
        for _ in 0..CALLS {
            black_box(learning.preferred(black_box(WORKLOAD)));
        }
    };
    let nanos = |seconds: f64| seconds * 1e9 / CALLS as f64;
    let [alone, decided_time, recorded_time, reading, looked_up] = interleaved(
        budget,
        [
            &mut || calls(idle.as_ref()),
            &mut || calls(decided.as_ref()),
            &mut || calls(recorded.as_ref()),
            &mut || {
                for _ in 0..2 * CALLS {
                    black_box(clock.nanos());
                }
            },
            &mut || lookup(),
        ],
    );
    let base = nanos(alone.least);
    let decision = nanos(decided_time.least) - base;
    let recording = nanos(recorded_time.least) - nanos(decided_time.least);
    println!(
        "Nanoseconds of a core per call; a backend that does nothing takes {base:.1} itself.\n"
    );
    println!("| what | 1 thread | 8 threads |");
    println!("|---|--:|--:|");
    let many = |call: &(dyn Fn() + Sync)| shared(8, call);
    let base_shared = many(&|| calls(idle.as_ref()));
    let decision_shared = many(&|| calls(decided.as_ref())) - base_shared;
    let recorded_shared = many(&|| calls(recorded.as_ref())) - base_shared - decision_shared;
    println!("| decision, in a bound map | {decision:.1} | {decision_shared:.1} |");
    println!(
        "| decision, looked up by workload | {:.1} | {:.1} |",
        nanos(looked_up.least),
        many(&lookup)
    );
    println!(
        "| recording, with two readings of the clock | {recording:.1} | {recorded_shared:.1} |"
    );
    println!("| two readings of the clock alone | {:.1} | |", nanos(reading.least));
}
