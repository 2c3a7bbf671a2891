//! What the selector itself costs, on a backend that does nothing.

use super::machine::{CALLS, WORKLOAD, apply, bound};
use crate::bench::Bench;
use crate::cell::{each, label};
use crate::measure::{Time, interleaved};
use hpfracc_backend::{Backend, BackendError, Direction, LinearMap, Plan, Workload};
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
    fn run(&self, _: Direction, _: &[f64], _: &mut [f64]) -> Result<(), BackendError> {
        Ok(())
    }
}

fn selector(learning: bool) -> Selector<f64> {
    let names = ["first", "second", "third", "fourth"];
    let candidates =
        names.map(|name| Candidate::new(Idle(name, WORKLOAD), Prior::LOOPS)).into_iter().collect();
    let experience = Experience::new(Settings { learning, ..Settings::default() });
    Selector::new(candidates, experience).expect("names differ")
}

/// The time that a core spends on all calls of each of the works, with as many threads at once.
fn shared<const N: usize>(threads: usize, works: [&(dyn Fn() + Sync); N]) -> [Time; N] {
    const REPEATS: usize = 300;
    const ROUNDS: usize = 5;
    let cores = std::thread::available_parallelism().map_or(1, usize::from).min(threads);
    let once = |work: &(dyn Fn() + Sync)| {
        let start = Instant::now();
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| (0..REPEATS).for_each(|_| work()));
            }
        });
        start.elapsed().as_secs_f64() * cores as f64 / (threads * REPEATS) as f64
    };
    let mut rounds: [Vec<f64>; N] = std::array::from_fn(|_| Vec::new());
    for _ in 0..ROUNDS {
        for (readings, work) in rounds.iter_mut().zip(works) {
            readings.push(once(work));
        }
    }
    rounds.map(Time::of)
}

/// Lookup, decision and recording, alone and with eight threads on one map.
pub(crate) fn overhead(bench: &mut Bench) {
    bench.note(
        "The time of a core for each call, on a backend that does nothing; decisions and recording are what a call \
         takes beyond that backend itself, or beyond one that decides only.",
    );
    bench.columns("what | 1 thread | 8 threads");
    let (still, learning) = (selector(false), selector(true));
    let idle = bound(&Idle("alone", WORKLOAD));
    let (decided, recorded) = (bound(&still), bound(&learning));
    apply(recorded.as_ref());
    let clock = SystemClock::new();
    let lookup = || {
        for _ in 0..CALLS {
            black_box(learning.preferred(black_box(WORKLOAD)));
        }
    };
    let readings = || {
        for _ in 0..2 * CALLS {
            black_box(clock.nanos());
        }
    };
    let works: [&(dyn Fn() + Sync); 5] = [
        &|| apply(idle.as_ref()),
        &|| apply(decided.as_ref()),
        &|| apply(recorded.as_ref()),
        &lookup,
        &readings,
    ];
    let [a, b, c, d, e] = works;
    let alone = interleaved(
        bench.budget,
        [&mut || a(), &mut || b(), &mut || c(), &mut || d(), &mut || e()],
    );
    let [alone, shared] =
        [alone, shared(8, works)].map(|[idle, decided, recorded, lookup, clock]| {
            let (decision, recording) = (decided.beyond(&idle), recorded.beyond(&decided));
            [idle, decision, lookup, recording, clock].map(|time| each(&time, CALLS as f64))
        });
    let names = [
        "a backend that does nothing",
        "decision, in a bound map",
        "decision, looked up by workload",
        "recording, with two readings of the clock",
        "two readings of the clock alone",
    ];
    for ((name, alone), shared) in names.into_iter().zip(alone).zip(shared) {
        bench.row([label(name), alone, shared]);
    }
}
