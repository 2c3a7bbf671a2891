//! What a selector loses in real runs, its own time included.

use super::suite::{Case, FAR_BEHIND, PRODUCTS_PER_SECOND, kernel, signal};
use crate::bench::Bench;
use crate::cell::{Cell, label, number, total};
use hpfracc_backend::{Backend, Direction, Workload};
use hpfracc_selector::Scalar;
use hpfracc_types::Real;
use std::sync::Arc;
use std::time::Instant;

/// A backend or a selector in both precisions.
pub(crate) struct Contender {
    pub(crate) name: String,
    pub(crate) single: Arc<dyn Backend<f32>>,
    pub(crate) double: Arc<dyn Backend<f64>>,
}

const PASSES: usize = 3;
const NAMES: [&str; PASSES] = ["first pass", "second pass", "third pass"];

/// Seconds of a case in each pass.
type Seconds = [f64; PASSES];

impl Contender {
    pub(crate) fn new(
        name: impl Into<String>,
        backend: impl Backend<f32> + Backend<f64> + Clone + 'static,
    ) -> Self {
        Self { name: name.into(), single: Arc::new(backend.clone()), double: Arc::new(backend) }
    }

    /// Wall time of plan, binding and all applications; infinite without an algorithm, where the
    /// device fails, or if it takes longer than `limit`.
    fn seconds(&self, case: &Case, limit: f64) -> f64 {
        if self.name == CPU_DIRECT && least_direct(case) > limit {
            return f64::INFINITY;
        }
        match case.scalar {
            Scalar::F32 => seconds::<f32>(self.single.as_ref(), case, limit),
            Scalar::F64 => seconds::<f64>(self.double.as_ref(), case, limit),
        }
    }
}

/// The backend that [`least_direct`] is a bound of.
const CPU_DIRECT: &str = "cpu-direct";

/// Least time of a direct sum on the CPU.
fn least_direct(case: &Case) -> f64 {
    match case.workload {
        Workload::CausalConvolution { len, batch } => {
            let products = (len as f64 * (len + 1) as f64 / 2.0) * batch as f64;
            products * case.applications as f64 / PRODUCTS_PER_SECOND
        }
        _ => 0.0,
    }
}

fn seconds<T: Real>(backend: &dyn Backend<T>, case: &Case, limit: f64) -> f64 {
    let (workload, batch) = (case.workload, case.workload.batch());
    let kernel = kernel::<T>(workload);
    let lens = [workload.signal_len() * batch, workload.output_len() * batch];
    let [from, to] = match case.direction {
        Direction::Forward => lens,
        Direction::Transpose => [lens[1], lens[0]],
    };
    let (from, mut to) = (signal::<T>(from), vec![T::one(); to]);
    let start = Instant::now();
    let Ok(map) = backend.plan(workload).and_then(|plan| plan.bind(&kernel)) else {
        return f64::INFINITY;
    };
    for _ in 0..case.applications {
        let done = match case.direction {
            Direction::Forward => map.apply(&from, &mut to),
            Direction::Transpose => map.apply_transpose(&from, &mut to),
        };
        if let Err(error) = done {
            // A device may fail; the slices have the lengths of the workload.
            assert!(!error.is_bad_input(), "{}: {error}", backend.name());
            return f64::INFINITY;
        }
        if start.elapsed().as_secs_f64() > limit {
            return f64::INFINITY;
        }
    }
    start.elapsed().as_secs_f64()
}

/// Runs all cases by selectors that begin without timings, and by each backend alone, in turn:
/// totals over those of the best backend of each case.
pub(crate) fn compare(
    bench: &mut Bench,
    cases: &[Case],
    selectors: &[Contender],
    backends: &[Contender],
) {
    let mut runs = vec![vec![[0.0f64; PASSES]; selectors.len() + backends.len()]; cases.len()];
    for pass in 0..PASSES {
        for (case, runs) in cases.iter().zip(&mut runs) {
            let mut limit = f64::INFINITY;
            let contenders = selectors.iter().chain(backends).zip(runs.iter_mut());
            for (index, (contender, run)) in contenders.enumerate() {
                // What was far behind in a pass is so in the next one.
                let behind = run[..pass].iter().any(|seconds| seconds.is_infinite());
                run[pass] = if behind { f64::INFINITY } else { contender.seconds(case, limit) };
                // Selectors come first and have an algorithm for every case.
                if index < selectors.len() {
                    limit = limit.min(FAR_BEHIND * run[pass]);
                }
            }
        }
    }
    let best: Vec<Seconds> = runs.iter().map(|runs| best(&runs[selectors.len()..])).collect();
    let sum = |runs: &mut dyn Iterator<Item = Seconds>| {
        runs.fold([0.0; PASSES], |sum, run| std::array::from_fn(|pass| sum[pass] + run[pass]))
    };
    let hindsight = sum(&mut best.iter().copied());
    bench.columns(&format!(
        "what runs | {0}",
        NAMES.map(|name| format!("{name} | / hindsight")).join(" | ")
    ));
    let mut row = |name: &str, totals: Seconds| {
        let [a, b, c] = totals;
        let over = |pass: usize| number(totals[pass] / hindsight[pass], 3);
        let cells: [Cell; 7] =
            [label(name), total(a), over(0), total(b), over(1), total(c), over(2)];
        bench.row(cells);
    };
    row("best backend of each case, in hindsight", hindsight);
    for (index, selector) in selectors.iter().enumerate() {
        row(&selector.name, sum(&mut runs.iter().map(|runs| runs[index])));
    }
    alone(bench, &runs, &best, selectors.len(), backends);
}

/// The backend with the least total over all passes.
fn best(runs: &[Seconds]) -> Seconds {
    let all = |run: &Seconds| run.iter().sum::<f64>();
    runs.iter().copied().min_by(|a, b| all(a).total_cmp(&all(b))).unwrap_or([f64::NAN; PASSES])
}

/// Each backend over its own cases: those that it has an algorithm for and where it is not far
/// behind.
fn alone(
    bench: &mut Bench,
    runs: &[Vec<Seconds>],
    best: &[Seconds],
    selectors: usize,
    backends: &[Contender],
) {
    bench.note(format!(
        "Each backend alone, over the cases that it computes in less than {FAR_BEHIND} times the time of the \
         fastest selector; best: of how many it is the best in hindsight. All passes; without such a case it has no row."
    ));
    bench.columns("backend | cases | best | total | / hindsight of these cases");
    for (index, backend) in backends.iter().enumerate() {
        let own: Vec<(Seconds, Seconds)> = runs
            .iter()
            .zip(best)
            .map(|(runs, best)| (runs[selectors + index], *best))
            .filter(|(run, _)| run.iter().all(|seconds| seconds.is_finite()))
            .collect();
        if own.is_empty() {
            continue;
        }
        let sum = |of: fn(&(Seconds, Seconds)) -> Seconds| -> f64 { own.iter().flat_map(of).sum() };
        let (seconds, hindsight) = (sum(|own| own.0), sum(|own| own.1));
        let wins = own.iter().filter(|(run, best)| run == best).count();
        bench.row([
            label(&backend.name),
            number(own.len() as f64, 0),
            number(wins as f64, 0),
            total(seconds),
            number(seconds / hindsight, 3),
        ]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hindsight_is_one_backend_for_all_passes() {
        let runs = [[1.0, 4.0, 1.0], [2.0, 1.5, 2.0], [f64::INFINITY; 3]];
        assert_eq!(best(&runs), [2.0, 1.5, 2.0]);
    }
}
