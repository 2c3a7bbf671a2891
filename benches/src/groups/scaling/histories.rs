//! Whole solves by the history that sums their memory, and the noise that has one.

use super::{Curve, exponents, measured, sizes};
use crate::bench::Bench;
use crate::cell::{bytes, each, label, size, time};
use crate::fit::Theory;
use crate::groups::INSIDE;
use hpfracc_ode::history::HistoryChoice;
use hpfracc_ode::{
    AdamsBashforthMoulton, Options, Problem, ProductTrapezoid, SaveNodes, Scheme, Steps, solve,
};
use hpfracc_sde::noise::{FractionalBrownian, Tile};
use std::hint::black_box;

const EXPONENTIALS: HistoryChoice = HistoryChoice::Exponentials { tolerance: 1e-10 };
const LONGEST: usize = 10_000_000;

/// A way of solving, by the number of steps.
struct Way<'a> {
    name: &'static str,
    /// More steps would take seconds.
    most: usize,
    run: &'a dyn Fn(usize),
    /// Of the time and of the memory.
    theory: [Theory; 2],
}

/// The relaxation of order 1/2, and fractional Brownian motion.
pub(crate) fn histories(bench: &mut Bench) {
    bench.note(
        "Whole solves of D^1/2 y = -y on [0, 10], f64, one core; PECE is the predictor-corrector method, the \
         trapezoid is implicit; exponentials within 1e-10, and finding them, a millisecond, is most of a short solve. \
         Noise: a path of fractional Brownian motion, H = 0.3, f32, its spectrum made anew. Memory: the most that is held at once, all nodes of the solution included; \
         where only the last is kept, what grows is the weights of the first value.",
    );
    bench.columns("what | N | time | a step | memory");
    let pece = AdamsBashforthMoulton::default();
    let trapezoid = ProductTrapezoid;
    let blocked = HistoryChoice::Blocked;
    let n_log_squared = [Theory::N_LOG_SQUARED, Theory::LINEAR];
    let ways = [
        Way {
            name: "PECE, direct sums",
            most: 100_000,
            run: &|n| relax(&pece, HistoryChoice::Direct, SaveNodes::All, n),
            theory: [Theory::QUADRATIC, Theory::LINEAR],
        },
        Way {
            name: "PECE, blocked",
            most: LONGEST,
            run: &|n| relax(&pece, blocked, SaveNodes::All, n),
            theory: n_log_squared,
        },
        Way {
            name: "PECE, exponentials",
            most: LONGEST,
            run: &|n| relax(&pece, EXPONENTIALS, SaveNodes::All, n),
            theory: [Theory::N_LOG, Theory::LINEAR],
        },
        Way {
            name: "PECE, exponentials, last node",
            most: LONGEST,
            run: &|n| relax(&pece, EXPONENTIALS, SaveNodes::Last, n),
            theory: [Theory::N_LOG, Theory::LINEAR],
        },
        Way {
            name: "trapezoid, blocked",
            most: LONGEST,
            run: &|n| relax(&trapezoid, blocked, SaveNodes::All, n),
            theory: n_log_squared,
        },
        Way {
            name: "fractional Brownian motion",
            most: LONGEST,
            run: &noise,
            theory: [Theory::N_LOG, Theory::LINEAR],
        },
    ];
    let curves: Vec<Curve> = ways.iter().flat_map(|way| rows(bench, way)).collect();
    exponents(bench, &curves);
}

fn relax(scheme: &dyn Scheme, history: HistoryChoice, save_nodes: SaveNodes, n: usize) {
    let f = |_: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = -y[0];
    let problem = Problem::new(&[0.5], (0.0, 10.0), &[&[1.0]], f).expect(INSIDE);
    let options = Options { history, save_nodes, ..Options::default() };
    black_box(solve(&problem, scheme, &Steps::Uniform(n), options).expect(INSIDE));
}

fn noise(steps: usize) {
    let noise = FractionalBrownian::<f32>::new(3, &[0.3]).expect(INSIDE);
    let mut increments = vec![0f32; steps];
    let tile = Tile { first_path: 0, lanes: 1, steps, h: 1e-3 };
    noise.fill_paths(tile, &mut increments).expect(INSIDE);
    black_box(&increments);
}

fn rows(bench: &mut Bench, way: &Way<'_>) -> [Curve; 2] {
    let [time_of, memory_of] = way.theory;
    let mut times = Curve::new(way.name, "time", time_of);
    let mut memory = Curve::new(way.name, "memory", memory_of);
    let longest = match bench.quick {
        true => (way.most / 3).min(100_000),
        false => way.most,
    };
    for n in sizes(1000, longest) {
        let (whole, held) = measured(bench.budget, &mut || (way.run)(n));
        times.push(n, whole.least);
        memory.push(n, held);
        let step = each(&whole, n as f64);
        bench.row([label(way.name), size(n), time(&whole), step, bytes(held)]);
    }
    [times, memory]
}
