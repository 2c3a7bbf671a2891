//! Fractional equations: by history, against the transforms alone, and by scheme.

use crate::bench::Bench;
use crate::cell::{floor, label, nothing, ratio, reference_time, size, time};
use crate::measure::{Budget, interleaved};
use hpfracc_ode::history::HistoryChoice;
use hpfracc_ode::{
    AdamsBashforthMoulton, Exponential, L1, LinearMultistep, Options, Problem, ProductRectangle,
    ProductTrapezoid, Rhs, Scheme, Steps, solve,
};
use num_complex::Complex64;
use realfft::RealFftPlanner;
use std::hint::black_box;

/// The relative error of the weights with exponentials.
const TOLERANCE: f64 = 1e-10;

/// Direct sums of more steps would take seconds.
const MOST_DIRECT: usize = 20_000;

type Relaxation = Problem<Rhs<fn(f64, &[f64], &mut [f64])>>;

/// `D^1/2 y = -y` on [0, 10].
fn relaxation() -> Relaxation {
    let f: fn(f64, &[f64], &mut [f64]) = |_, y, dydt| dydt[0] = -y[0];
    Problem::new(&[0.5], (0.0, 10.0), &[&[1.0]], f).expect("a problem")
}

fn run(problem: &Relaxation, n: usize, history: HistoryChoice) {
    let options = Options { history, ..Options::default() };
    let scheme = AdamsBashforthMoulton::default();
    black_box(solve(problem, &scheme, &Steps::Uniform(n), options).expect("a solution"));
}

/// The transforms of the scheme of Hairer, Lubich and Schlichte over n samples, and nothing else: in
/// blocks of 64, one forward and two inverse ones of length 2L where a run of L blocks starts.
fn transforms(n: usize) -> impl FnMut() {
    const BLOCK: usize = 64;
    let mut planner = RealFftPlanner::<f64>::new();
    let levels = (0..).map(|level| BLOCK << level).take_while(|len| *len < n);
    let mut levels: Vec<_> = levels
        .map(|len| {
            let (there, back) =
                (planner.plan_fft_forward(2 * len), planner.plan_fft_inverse(2 * len));
            let scratch = there.get_scratch_len().max(back.get_scratch_len());
            (there, back, vec![0.0; 2 * len], vec![Complex64::ZERO; len + 1], scratch)
        })
        .collect();
    let longest = levels.iter().map(|level| level.4).max().unwrap_or(0);
    let mut scratch = vec![Complex64::ZERO; longest];
    move || {
        for block in 1..n.div_ceil(BLOCK) {
            let level = block.trailing_zeros() as usize;
            let (there, back, samples, spectrum, _) = &mut levels[level];
            let planned = "planned for these lengths";
            there.process_with_scratch(samples, spectrum, &mut scratch).expect(planned);
            for _ in 0..2 {
                back.process_with_scratch(spectrum, samples, &mut scratch).expect(planned);
                spectrum.fill(Complex64::ZERO);
            }
        }
        black_box(&mut levels);
    }
}

fn rounds(budget: Budget, n: usize) -> Budget {
    budget.at_most((2_000_000 / n).max(3))
}

/// Relaxation by history, with the ratio of the blocked one to the transforms alone.
pub(crate) fn relaxation_by_history(bench: &mut Bench) {
    bench.note(
        "Floor: the transforms of the scheme of Hairer, Lubich and Schlichte alone. D^1/2 y = -y on [0, 10] by the \
         predictor-corrector method, exponentials within 1e-10.",
    );
    bench.columns("N | direct | blocked | exponentials | transforms | blocked / transforms");
    let problem = relaxation();
    for n in [1000, 10_000, 100_000, 1_000_000] {
        if bench.quick && n > 100_000 {
            continue;
        }
        let mut direct = || {
            if n <= MOST_DIRECT {
                run(&problem, n, HistoryChoice::Direct);
            }
        };
        let mut blocked = || run(&problem, n, HistoryChoice::Blocked);
        let mut exponentials =
            || run(&problem, n, HistoryChoice::Exponentials { tolerance: TOLERANCE });
        let mut alone = transforms(n);
        let [direct, blocked, exponentials, alone] = interleaved(
            rounds(bench.budget, n),
            [&mut direct, &mut blocked, &mut exponentials, &mut alone],
        );
        bench.row([
            size(n),
            if n <= MOST_DIRECT { time(&direct) } else { nothing() },
            time(&blocked),
            time(&exponentials),
            floor(&alone),
            ratio(&blocked, &alone),
        ]);
    }
}

/// Where transforms become less work than sums.
pub(crate) fn crossover(bench: &mut Bench) {
    bench.note(
        "D^1/2 y = -y by the predictor-corrector method, its memory by direct sums and in blocks.",
    );
    bench.columns("N | direct | blocked | direct / blocked");
    let (problem, mut crossover) = (relaxation(), None);
    for n in [125, 250, 500, 1000, 2000, 4000, 8000] {
        if bench.quick && n > 4000 {
            continue;
        }
        let mut direct = || run(&problem, n, HistoryChoice::Direct);
        let mut blocked = || run(&problem, n, HistoryChoice::Blocked);
        let [direct, blocked] = interleaved(bench.budget, [&mut direct, &mut blocked]);
        bench.row([size(n), time(&direct), time(&blocked), ratio(&direct, &blocked)]);
        let ahead = direct.least <= blocked.least;
        crossover = if ahead { None } else { crossover.or(Some(n)) };
    }
    bench.note(match crossover {
        Some(n) => format!("Crossover: blocks are ahead from N = {n} of these on."),
        None => "Crossover: beyond these numbers of steps.".to_owned(),
    });
}

/// The fractional Brusselator, two components, order 0.7 and 0.8.
pub(crate) fn brusselator(bench: &mut Bench) {
    bench.note(
        "The fractional Brusselator, orders 0.8 and 0.7, on [0, 100], exponentials within 1e-10.",
    );
    bench.columns("N | blocked | exponentials");
    let f = |_: f64, y: &[f64], dydt: &mut [f64]| {
        let product = y[0] * y[0] * y[1];
        dydt[0] = 1.0 - 4.0 * y[0] + product;
        dydt[1] = 3.0 * y[0] - product;
    };
    let problem = Problem::new(&[0.8, 0.7], (0.0, 100.0), &[&[1.2, 2.8]], f).expect("a problem");
    let scheme = AdamsBashforthMoulton::default();
    let n = 10_000;
    let go = |history| {
        let options = Options { history, ..Options::default() };
        black_box(solve(&problem, &scheme, &Steps::Uniform(n), options).expect("a solution"));
    };
    let mut blocked = || go(HistoryChoice::Blocked);
    let mut exponentials = || go(HistoryChoice::Exponentials { tolerance: TOLERANCE });
    let [blocked, exponentials] = interleaved(bench.budget, [&mut blocked, &mut exponentials]);
    bench.row([size(n), time(&blocked), time(&exponentials)]);
}

/// The schemes on equal steps against the predictor-corrector method, all with the blocked history: a
/// linear equation, and one whose Jacobian changes.
pub(crate) fn schemes(bench: &mut Bench) {
    bench.note(
        "Beside: the predictor-corrector method of Adams, Bashforth and Moulton. D^1/2 y = -y and \
         D^1/2 y = sin t - y^3 on [0, 10], memory in blocks.",
    );
    bench.columns(
        "equation | N | scheme | Adams-Bashforth-Moulton | time | time / Adams-Bashforth-Moulton",
    );
    let linear: fn(f64, &[f64], &mut [f64]) = |_, y, dydt| dydt[0] = -y[0];
    let cubic: fn(f64, &[f64], &mut [f64]) = |t, y, dydt| dydt[0] = t.sin() - y[0] * y[0] * y[0];
    let pece = AdamsBashforthMoulton::default();
    let schemes: [(&str, &dyn Scheme); 8] = [
        ("Adams-Bashforth-Moulton", &pece),
        ("implicit product rectangle", &ProductRectangle::Implicit),
        ("implicit product trapezoid", &ProductTrapezoid),
        ("multistep, trapezoidal", &LinearMultistep::Trapezoidal),
        ("multistep, Newton-Gregory", &LinearMultistep::NewtonGregory),
        ("multistep, BDF2", &LinearMultistep::Bdf2),
        ("L1", &L1),
        ("exponential trapezoid", &Exponential::trapezoid(&[-0.5])),
    ];
    for (equation, f) in [("linear", linear), ("cubic", cubic)] {
        let problem = Problem::new(&[0.5], (0.0, 10.0), &[&[1.0]], f).expect("a problem");
        for n in [10_000, 100_000] {
            if bench.quick && n > 10_000 {
                continue;
            }
            let mut run = schemes.map(|(_, scheme)| {
                let problem = &problem;
                move || {
                    let options = Options { history: HistoryChoice::Blocked, ..Options::default() };
                    let solution = solve(problem, scheme, &Steps::Uniform(n), options);
                    black_box(solution.expect("a solution"));
                }
            });
            let run = run.each_mut().map(|run| run as &mut dyn FnMut());
            let times = interleaved(rounds(bench.budget, n), run);
            for ((name, _), whole) in schemes.iter().zip(&times) {
                let (reference, over) = (reference_time(&times[0]), ratio(whole, &times[0]));
                bench.row([label(equation), size(n), label(name), reference, time(whole), over]);
            }
        }
    }
}
