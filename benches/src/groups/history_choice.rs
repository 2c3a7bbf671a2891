//! Regret of a machine that learns which algorithm sums the history of an equation.

use crate::bench::Bench;
use crate::cell::{nothing, ratio, reference_time, size, time};
use crate::measure::interleaved;
use hpfracc::Machine;
use hpfracc_backend::Autotuner;
use hpfracc_ode::history::HistoryChoice;
use hpfracc_ode::{AdamsBashforthMoulton, Options, Problem, Steps, solve};
use std::hint::black_box;
use std::sync::Arc;

const WITHIN: HistoryChoice = HistoryChoice::Within { tolerance: 1e-10 };
const EXPONENTIALS: HistoryChoice = HistoryChoice::Exponentials { tolerance: 1e-10 };

/// Direct sums of more steps would take seconds.
const MOST_DIRECT: usize = 20_000;

/// Solves of each size by which the machine learns, over two passes through all sizes.
const LEARNING: usize = 40;

/// Fixed algorithms, thresholds and the choice of a machine, by number of steps.
pub(crate) fn regret(bench: &mut Bench) {
    bench.note(
        "D^1/2 y = -y on [0, 10] by the predictor-corrector method. The machine may choose each of the three \
         algorithms (weights within 1e-10), after 40 solves of each size. Regret: its time over the least of \
         the others; target at most 1.05.",
    );
    bench.columns("N | direct | blocked | exponentials | thresholds | machine | regret");
    let f = |_: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = -y[0];
    let problem = Problem::new(&[0.5], (0.0, 10.0), &[&[1.0]], f).expect("a problem");
    let machine: Arc<dyn Autotuner> = Arc::new(Machine::detect());
    let run = |n: usize, history: HistoryChoice, machine: Option<&Arc<dyn Autotuner>>| {
        let options = Options { history, autotuner: machine.cloned(), ..Options::default() };
        let scheme = AdamsBashforthMoulton::default();
        black_box(solve(&problem, &scheme, &Steps::Uniform(n), options).expect("a solution"));
    };
    let sizes = [125, 250, 500, 1000, 2000, 5000, 10_000, 30_000, 100_000];
    for _ in 0..2 {
        for n in sizes {
            (0..LEARNING / 2).for_each(|_| run(n, WITHIN, Some(&machine)));
        }
    }
    let mut sum = 0.0;
    for n in sizes {
        let mut direct = || {
            if n <= MOST_DIRECT {
                run(n, HistoryChoice::Direct, None);
            }
        };
        let mut blocked = || run(n, HistoryChoice::Blocked, None);
        let mut exponentials = || run(n, EXPONENTIALS, None);
        let mut thresholds = || run(n, WITHIN, None);
        let mut tuned = || run(n, WITHIN, Some(&machine));
        let budget = bench.budget.at_most((2_000_000 / n).max(5));
        let [direct, blocked, exponentials, thresholds, tuned] = interleaved(
            budget,
            [&mut direct, &mut blocked, &mut exponentials, &mut thresholds, &mut tuned],
        );
        let least = blocked.or(&exponentials);
        let least = if n <= MOST_DIRECT { least.or(&direct) } else { least };
        sum += tuned.least / least.least;
        bench.row([
            size(n),
            if n <= MOST_DIRECT { time(&direct) } else { nothing() },
            time(&blocked),
            time(&exponentials),
            reference_time(&thresholds),
            time(&tuned),
            ratio(&tuned, least),
        ]);
    }
    bench.note(format!("Mean regret: {:.3}.", sum / sizes.len() as f64));
}
