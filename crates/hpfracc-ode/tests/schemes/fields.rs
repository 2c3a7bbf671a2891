//! Many components: histories in tiles, and Jacobians that solve their own linear systems.

use hpfracc_ode::history::{HistoryChoice, Kernel, Rule};
use hpfracc_ode::{
    AdamsBashforthMoulton, Collocation, ComplexShifts, Cotangents, Differentiable,
    DifferentiableScheme, Event, L1, LinearMultistep, OdeError, Options, Problem, ProductRectangle,
    ProductTrapezoid, SaveAt, SaveNodes, Scheme, ShiftedJacobian, Solution, Steps, System,
    gradient, solve,
};
use hpfracc_special::Complex64;
use std::ops::{Div, Mul, Neg, Sub};

fn run(
    problem: &Problem<impl System>,
    scheme: &dyn Scheme,
    steps: &Steps,
    history: HistoryChoice,
) -> Solution {
    solve(problem, scheme, steps, Options { history, ..Options::default() }).unwrap()
}

/// Largest difference of all states, relative to the largest state.
fn distance(a: &Solution, b: &Solution) -> f64 {
    let (a, b) = (a.states(), b.states());
    let size = b.iter().fold(0.0, |most: f64, y| most.max(y.abs()));
    a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / size
}

/// D^alpha_i y_i = sin(i + 3 t) - r_i y_i with rates from 0.5 to 1.1, orders in turn.
fn oscillators(dim: usize, orders: &[f64]) -> Problem<impl System> {
    let rhs = |t: f64, y: &[f64], dydt: &mut [f64]| {
        for (i, (dydt, y)) in dydt.iter_mut().zip(y).enumerate() {
            *dydt = (i as f64 + 3.0 * t).sin() - (0.5 + 0.1 * (i % 7) as f64) * y;
        }
    };
    let orders: Vec<f64> = (0..dim).map(|i| orders[i % orders.len()]).collect();
    let start: Vec<f64> = (0..dim).map(|i| (i as f64).cos()).collect();
    let zeros = vec![0.0; dim];
    let rows = [&start[..], &zeros];
    let count = if orders.iter().any(|alpha| *alpha > 1.0) { 2 } else { 1 };
    Problem::new(&orders, (0.0, 2.0), &rows[..count], rhs).unwrap()
}

/// Exponentials in tiles are the direct sums: few and many components, blocks that end within the
/// solve or not at all, one order, several, and those above 1.
#[test]
fn exponentials_of_fields_are_direct_sums() {
    let orders: [&[f64]; 4] = [&[0.5], &[1.5], &[0.4, 0.9, 1.0], &[0.7, 1.3]];
    for (dim, n) in [(3, 60), (64, 10), (70, 17), (100, 18), (131, 120)] {
        for orders in orders {
            let problem = oscillators(dim, orders);
            let irregular = (0..=n).map(|j| {
                let x = j as f64 / n as f64;
                2.0 * x * x + 0.3 * x * (1.0 - x) * (9.0 * x).sin().powi(2)
            });
            for steps in [Steps::Graded { n, exponent: 2.0 }, Steps::Given(irregular.collect())] {
                let exact = run(&problem, &ProductTrapezoid, &steps, HistoryChoice::Direct);
                for (history, bound) in [
                    (HistoryChoice::Exponentials { tolerance: 1e-11 }, 2e-11),
                    (HistoryChoice::Exponentials { tolerance: 1e-6 }, 3e-6),
                    (HistoryChoice::SingleExponentials { tolerance: 1e-8 }, 1e-6),
                ] {
                    let compressed = run(&problem, &ProductTrapezoid, &steps, history);
                    let error = distance(&compressed, &exact);
                    assert!(error < bound, "{dim} {n} {orders:?} {history:?}: {error:e}");
                }
            }
        }
    }
}

/// The same on equal steps, with one kernel and with the two of a predictor and a corrector.
#[test]
fn exponentials_of_fields_on_equal_steps() {
    let schemes: [&dyn Scheme; 3] =
        [&ProductTrapezoid, &AdamsBashforthMoulton::default(), &ProductRectangle::Explicit];
    for (dim, n) in [(63, 40), (64, 15), (65, 16), (90, 17), (100, 100)] {
        for orders in [&[0.5][..], &[1.5], &[0.4, 0.9], &[0.7, 1.3]] {
            let problem = oscillators(dim, orders);
            let steps = Steps::Uniform(n);
            for scheme in schemes {
                let exact = run(&problem, scheme, &steps, HistoryChoice::Direct);
                for (history, bound) in [
                    (HistoryChoice::Exponentials { tolerance: 1e-11 }, 1e-9),
                    (HistoryChoice::SingleExponentials { tolerance: 1e-8 }, 1e-4),
                ] {
                    let compressed = run(&problem, scheme, &steps, history);
                    let error = distance(&compressed, &exact);
                    let name = scheme.name();
                    assert!(error < bound, "{dim} {n} {orders:?} {name} {history:?}: {error:e}");
                }
            }
        }
    }
}

/// Two kernels of different orders over one component have no common states.
#[test]
fn kernels_of_two_orders() {
    let kernels = [0.5, 0.7].map(|alpha| Kernel::product(Rule::Trapezoid, &[alpha], 0.1));
    let single = HistoryChoice::SingleExponentials { tolerance: 1e-6 };
    let error = single.build(&kernels, 80, 100).map(drop).unwrap_err();
    assert!(matches!(error, OdeError::NoExponentials { .. }), "{error}");
    // In double precision each has its own.
    let [mut compressed, mut exact] =
        [HistoryChoice::Exponentials { tolerance: 1e-11 }, HistoryChoice::Direct]
            .map(|choice| choice.build(&kernels, 80, 100).unwrap());
    let (mut a, mut b) = (vec![0.0; 80], vec![0.0; 80]);
    for n in 0..60 {
        let f: Vec<f64> = (0..80).map(|i| ((n * i) as f64).sin()).collect();
        compressed.push(&f).unwrap();
        exact.push(&f).unwrap();
        for kernel in 0..2 {
            compressed.sum_into(kernel, &mut a).unwrap();
            exact.sum_into(kernel, &mut b).unwrap();
            assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-9));
        }
    }
}

/// Fields that are shared by threads have the same bits on any number of them.
#[test]
fn threads_do_not_change_bits() {
    let problem = oscillators(40_000, &[0.6]);
    let solution = |threads: usize, steps: &Steps, history| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let scheme = AdamsBashforthMoulton::default();
        pool.install(|| {
            let options = Options { history, save_nodes: SaveNodes::Last, ..Options::default() };
            solve(&problem, &scheme, steps, options).unwrap().last().to_vec()
        })
    };
    for history in [
        HistoryChoice::Exponentials { tolerance: 1e-8 },
        HistoryChoice::SingleExponentials { tolerance: 1e-6 },
    ] {
        for steps in [Steps::Uniform(20), Steps::Graded { n: 20, exponent: 2.0 }] {
            let one = solution(1, &steps, history);
            assert_eq!(solution(3, &steps, history), one, "{steps:?} {history:?}");
        }
    }
}

/// L1 on unequal steps: the slopes' history compressed is that of direct sums.
#[test]
fn exponentials_of_l1_are_direct_sums() {
    for (dim, n) in [(2, 50), (64, 17), (90, 18), (100, 150)] {
        for orders in [&[0.5][..], &[1.0], &[0.3, 0.8, 1.0]] {
            let problem = oscillators(dim, orders);
            let steps = Steps::Graded { n, exponent: 3.0 };
            let exact = run(&problem, &L1, &steps, HistoryChoice::Direct);
            for (history, bound) in [
                (HistoryChoice::Exponentials { tolerance: 1e-11 }, 1e-10),
                (HistoryChoice::SingleExponentials { tolerance: 1e-8 }, 3e-6),
            ] {
                let compressed = run(&problem, &L1, &steps, history);
                let error = distance(&compressed, &exact);
                assert!(error < bound, "{dim} {n} {orders:?} {history:?}: {error:e}");
            }
        }
    }
}

/// Dense output and saved times inside the steps of a compressed history.
#[test]
fn dense_output_of_fields() {
    let problem = oscillators(80, &[0.6, 1.2]);
    let steps = Steps::Graded { n: 70, exponent: 2.0 };
    let saved = |history| {
        let mut save = SaveAt::every(0.093).unwrap();
        let options = Options { history, observers: vec![&mut save], ..Options::default() };
        solve(&problem, &ProductTrapezoid, &steps, options).unwrap();
        save.states().to_owned()
    };
    let exact = saved(HistoryChoice::Direct);
    let compressed = saved(HistoryChoice::Exponentials { tolerance: 1e-11 });
    assert_eq!(exact.len(), compressed.len());
    for (a, b) in exact.iter().zip(&compressed) {
        assert!((a - b).abs() < 1e-10, "{a} {b}");
    }
}

/// Values just after jumps of the state, where a compressed history must not be asked for distances
/// below a step.
#[test]
fn dense_output_after_jumps_of_fields() {
    for dim in [3, 80] {
        let problem = oscillators(dim, &[0.6]);
        // A step that a jump ends has to be longer than the shortest one.
        let steps = Steps::Graded { n: 67, exponent: 2.0 };
        for jump in [0.31, 0.7, 1.21] {
            let saved = |history| {
                let times: Vec<f64> =
                    [1e-9, 1e-6, 1e-4, 1e-3, 1e-2, 0.3].iter().map(|d| jump + d).collect();
                let mut save = SaveAt::times_of(&times).unwrap();
                let mut events = [1.0, -3.0].map(|size| {
                    let kick = move |_: f64, y: &mut [f64]| y.iter_mut().for_each(|y| *y += size);
                    Event::new(move |t, _: &[f64]| t - jump).rising().jumping(kick)
                });
                let mut options = Options { history, ..Options::default() };
                options.observers.extend(events.iter_mut().map(|event| event as _));
                options.observers.push(&mut save);
                solve(&problem, &ProductTrapezoid, &steps, options).unwrap();
                save.states().to_owned()
            };
            let exact = saved(HistoryChoice::Direct);
            let compressed = saved(HistoryChoice::Exponentials { tolerance: 1e-11 });
            let differences = exact.iter().zip(&compressed).map(|(a, b)| (a - b).abs());
            let error = differences.fold(0.0, f64::max);
            assert!(error < 1e-9, "{dim} {jump}: {error:e}");
        }
    }
}

/// Adaptive steps of many components: the queried times are not known in advance.
#[test]
fn adaptive_steps_of_fields() {
    let problem = oscillators(70, &[0.5]);
    let steps = Steps::Adaptive { rtol: 1e-3, atol: 1e-5, min_step: 1e-9, max_step: 1.0 };
    let exact = run(&problem, &ProductTrapezoid, &steps, HistoryChoice::Direct);
    let history = HistoryChoice::Exponentials { tolerance: 1e-12 };
    let compressed = run(&problem, &ProductTrapezoid, &steps, history);
    assert_eq!(exact.times().len(), compressed.times().len());
    assert!(distance(&compressed, &exact) < 1e-9);
}

/// `D^alpha u = kappa u_xx + r u - u^3` on n cells, u = 0 at both ends.
#[derive(Clone)]
struct Front {
    parameters: [f64; 2],
    n: usize,
    /// Whether it solves its own linear systems.
    is_shifted: bool,
}

impl Front {
    fn problem(self, alpha: f64) -> Problem<Self> {
        let n = self.n;
        let start: Vec<f64> =
            (0..n).map(|i| ((i as f64 + 1.0) / (n as f64 + 1.0) * 3.0).sin()).collect();
        Problem::of(self, &[alpha], (0.0, 1.0), &[&start]).unwrap()
    }

    /// kappa / h^2.
    fn coupling(&self) -> f64 {
        self.parameters[0] * (self.n as f64 + 1.0).powi(2)
    }

    fn second_difference(&self, y: &[f64], i: usize) -> f64 {
        let left = if i > 0 { y[i - 1] } else { 0.0 };
        left - 2.0 * y[i] + y.get(i + 1).unwrap_or(&0.0)
    }
}

impl System for Front {
    fn rhs(&self, _: f64, y: &[f64], dydt: &mut [f64]) {
        for i in 0..self.n {
            let reaction = self.parameters[1] * y[i] - y[i].powi(3);
            dydt[i] = self.coupling() * self.second_difference(y, i) + reaction;
        }
    }

    fn shifted_jacobian(&self) -> Option<Box<dyn ShiftedJacobian + '_>> {
        let zeros = vec![0.0; self.n];
        self.is_shifted.then(|| {
            let solver: Box<dyn ShiftedJacobian> =
                Box::new(Tridiagonal { of: self, reaction: zeros.clone(), shift: zeros });
            solver
        })
    }
}

impl Differentiable for Front {
    fn parameters(&self) -> &[f64] {
        &self.parameters
    }

    fn vjp(&self, t: f64, y: &[f64], fbar: &[f64], ybar: &mut [f64], thetabar: &mut [f64]) {
        let mut by_state = vec![0.0; self.n];
        // The linear part is symmetric.
        self.jvp(t, y, fbar, &[0.0; 2], &mut by_state);
        ybar.iter_mut().zip(&by_state).for_each(|(ybar, x)| *ybar += x);
        for i in 0..self.n {
            let scale = self.coupling() / self.parameters[0];
            thetabar[0] += fbar[i] * scale * self.second_difference(y, i);
            thetabar[1] += fbar[i] * y[i];
        }
    }

    fn jvp(&self, _: f64, y: &[f64], dy: &[f64], dtheta: &[f64], df: &mut [f64]) {
        let scale = self.coupling() / self.parameters[0];
        for i in 0..self.n {
            df[i] = self.coupling() * self.second_difference(dy, i)
                + (self.parameters[1] - 3.0 * y[i] * y[i]) * dy[i]
                + dtheta[0] * scale * self.second_difference(y, i)
                + dtheta[1] * y[i];
        }
    }
}

struct Tridiagonal<'a> {
    of: &'a Front,
    reaction: Vec<f64>,
    shift: Vec<f64>,
}

impl Tridiagonal<'_> {
    /// Elimination without pivoting: rows scaled by c, or columns.
    fn eliminate<T: Number>(&self, c: impl Fn(usize) -> T, x: &mut [T], transposed: bool) -> bool {
        let (n, k) = (self.of.n, T::from(self.of.coupling()));
        let off = |row: usize, column: usize| -(k * if transposed { c(column) } else { c(row) });
        let mut upper = vec![T::from(0.0); n];
        for i in 0..n {
            let slope = T::from(self.reaction[i]) - k - k;
            let mut pivot = T::from(1.0) - c(i) * slope;
            if i > 0 {
                let lower = off(i, i - 1);
                pivot = pivot - lower * upper[i - 1];
                x[i] = x[i] - lower * x[i - 1];
            }
            x[i] = x[i] / pivot;
            if i + 1 < n {
                upper[i] = off(i, i + 1) / pivot;
            }
        }
        for i in (0..n - 1).rev() {
            x[i] = x[i] - upper[i] * x[i + 1];
        }
        true
    }
}

/// Real or complex number.
trait Number:
    Copy + From<f64> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
}

impl Number for f64 {}
impl Number for Complex64 {}

impl ComplexShifts for Tridiagonal<'_> {
    fn solve(&mut self, c: Complex64, x: &mut [Complex64]) -> bool {
        self.eliminate(|_| c, x, false)
    }

    fn solve_transposed(&mut self, c: Complex64, x: &mut [Complex64]) -> bool {
        self.eliminate(|_| c, x, true)
    }
}

impl ShiftedJacobian for Tridiagonal<'_> {
    fn linearise(&mut self, _: f64, y: &[f64]) {
        for (reaction, y) in self.reaction.iter_mut().zip(y) {
            *reaction = self.of.parameters[1] - 3.0 * y * y;
        }
    }

    fn shift(&mut self, c: &[f64]) -> bool {
        self.shift.copy_from_slice(c);
        true
    }

    fn solve(&mut self, x: &mut [f64]) -> bool {
        self.eliminate(|i| self.shift[i], x, false)
    }

    fn solve_transposed(&mut self, x: &mut [f64]) -> bool {
        self.eliminate(|i| self.shift[i], x, true)
    }

    fn complex(&mut self) -> Option<&mut dyn ComplexShifts> {
        Some(self)
    }
}

#[test]
fn systems_with_their_own_solver_have_the_solutions_of_dense_matrices() {
    let front = |is_shifted| Front { parameters: [0.05, 3.0], n: 40, is_shifted }.problem(0.6);
    let collocation = Collocation { points: 6, ..Collocation::default() };
    let cases: [(&dyn Scheme, Steps); 8] = [
        (&LinearMultistep::Bdf2, Steps::Uniform(50)),
        (&LinearMultistep::NewtonGregory, Steps::Uniform(50)),
        (&collocation, Steps::adaptive(1e-9, 1e-11)),
        (&ProductTrapezoid, Steps::Graded { n: 50, exponent: 2.5 }),
        (&ProductTrapezoid, Steps::Uniform(50)),
        (&L1, Steps::Graded { n: 50, exponent: 2.0 }),
        (&L1, Steps::Uniform(50)),
        (
            &ProductTrapezoid,
            Steps::Adaptive { rtol: 1e-4, atol: 1e-6, min_step: 1e-12, max_step: 1.0 },
        ),
    ];
    for (scheme, steps) in cases {
        let dense = run(&front(false), scheme, &steps, HistoryChoice::Direct);
        let shifted = run(&front(true), scheme, &steps, HistoryChoice::Direct);
        if let Steps::Adaptive { rtol, .. } = steps {
            let last = dense.last().iter().zip(shifted.last());
            let error = last.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(error < 10.0 * rtol, "{} {steps:?}: {error:e}", scheme.name());
        } else {
            let error = distance(&shifted, &dense);
            assert!(error < 2e-12, "{} {steps:?}: {error:e}", scheme.name());
        }
    }
}

/// Adjoints with transposed solves are those of dense matrices, and differences.
#[test]
fn gradients_of_systems_with_their_own_solver() {
    let n = 20;
    let loss = |front: Front, alpha: f64, scheme: &dyn Scheme, steps: &Steps| {
        let solution = run(&front.problem(alpha), scheme, steps, HistoryChoice::Direct);
        solution.last().iter().enumerate().map(|(i, y)| (1.0 + i as f64) * y).sum::<f64>()
    };
    let weights: Vec<f64> = (0..n).map(|i| 1.0 + i as f64).collect();
    let front = |is_shifted| Front { parameters: [0.05, 3.0], n, is_shifted };
    let collocation = Collocation { points: 6, ..Collocation::default() };
    let cases: [(&dyn DifferentiableScheme, Steps); 7] = [
        (&ProductTrapezoid, Steps::Graded { n: 30, exponent: 2.0 }),
        (&ProductTrapezoid, Steps::Uniform(30)),
        (&L1, Steps::Graded { n: 30, exponent: 2.0 }),
        (&L1, Steps::Uniform(30)),
        (&LinearMultistep::Bdf2, Steps::Uniform(30)),
        (&LinearMultistep::NewtonGregory, Steps::Uniform(30)),
        (&collocation, Steps::adaptive(1e-10, 1e-12)),
    ];
    for (scheme, steps) in cases {
        let of = |is_shifted| {
            let problem = front(is_shifted).problem(0.6);
            let solution = solve(&problem, scheme, &steps, Options::default()).unwrap();
            let at = [(solution.times().len() - 1, &weights[..])];
            let cotangents = Cotangents::At(&at);
            gradient(&problem, scheme, &solution, cotangents, &Options::default()).unwrap()
        };
        let (dense, shifted) = (of(false), of(true));
        // Adaptive steps of two solves differ in their last bits, or in one step.
        let adaptive = matches!(steps, Steps::Adaptive { .. });
        let bound = if adaptive { 1e-7 } else { 1e-11 };
        let same = |a: f64, b: f64| (a - b).abs() < bound * (1.0 + b.abs());
        let name = scheme.name();
        let initial = shifted.initial.iter().zip(&dense.initial);
        assert!(initial.clone().all(|(a, b)| same(*a, *b)), "{name} {steps:?}");
        for parameter in 0..2 {
            let (found, exact) = (shifted.parameters[parameter], dense.parameters[parameter]);
            assert!(same(found, exact), "{name} {steps:?}: {found} {exact}");
            let h = 1e-4;
            let moved = |by: f64| {
                let mut front = front(true);
                front.parameters[parameter] += by * front.parameters[parameter];
                loss(front, 0.6, scheme, &steps)
            };
            let difference = (moved(h) - moved(-h)) / (2.0 * h);
            let found = found * front(true).parameters[parameter];
            let error = (found - difference).abs() / difference.abs();
            let bound = if adaptive { 1e-5 } else { 1e-7 };
            assert!(error < bound, "{name} {steps:?}: {found} {difference}");
        }
    }
}
