//! Equations as text in whole steps of the solvers, against the same systems by hand.

use crate::bench::Bench;
use crate::cell::{label, nothing, number, ratio, reference_time, time};
use crate::groups::INSIDE;
use crate::measure::{Time, interleaved};
use crate::threads::pool;
use hpfracc_equation::{Equation, Input, Program, Simplify, Symbol, catalogue};
use hpfracc_ode::{
    AdamsBashforthMoulton, Differentiable, EquationProblem, Options, Problem, Steps, System, solve,
};
use hpfracc_sde::{
    Ensemble, EquationModel, EulerMaruyama, FractionalEulerMaruyama, Moments, NoiseKind, Rows,
    RowsMut, StochasticProblem, StochasticScheme, StochasticSystem,
};
use std::hint::black_box;

/// `D^0.7 X = -theta X + sigma dW/dt`
const FRACTIONAL: &str =
    "D^0.7 X = -theta X + sigma dW/dt; theta = 1; sigma = 0.3; X(0) = 1; t in [0, 1]";

/// Equations that are read and compiled.
const TEN: [&str; 10] = [
    "lorenz",
    "rossler",
    "chen",
    "brusselator",
    "sir",
    "van-der-pol",
    "fitzhugh-nagumo",
    "lotka-volterra",
    "geometric-brownian",
    "duffing",
];

/// Evaluations of a right-hand side in one timing.
const EVALUATIONS: usize = 64;

/// Steps of ensembles, solves, products for gradients, and the way from a text to a program.
pub(crate) fn of_texts(bench: &mut Bench) {
    bench.note(
        "Reference: the same system by hand through the same scheme with the same noise, of ensembles in f32 on one core, \
         of solves by the predictor-corrector method a closure; of vjp the right-hand side of the same text. Bars: a step 1.1, a fractional step 1.05, a solve \
         1.1, vjp 3, ten equations from their texts to programs 100 us.",
    );
    bench.columns("work | reference | of the text | of the text / reference | bar");
    pool(1).install(|| {
        let model = of_catalogue("geometric-brownian");
        let hand = Geometric { mu: black_box(0.05), sigma: black_box(0.2) };
        ensembles(bench, ("Euler-Maruyama, geometric", 1.1), &model, hand, &EulerMaruyama);
        let model = of_catalogue("stochastic-lorenz").with_interval((0.0, 1.0));
        let hand = NoisyLorenz {
            sigma: black_box(10.0),
            rho: black_box(28.0),
            beta: black_box(8.0 / 3.0),
            noise: black_box(1.0),
        };
        ensembles(bench, ("Euler-Maruyama, noisy Lorenz", 1.1), &model, hand, &EulerMaruyama);
        let model = Equation::parse(FRACTIONAL).expect(INSIDE);
        let hand = Relaxation { theta: black_box(1.0), sigma: black_box(0.3) };
        let scheme = FractionalEulerMaruyama::default();
        ensembles(bench, ("fractional Euler-Maruyama", 1.05), &model, hand, &scheme);
    });
    let [sigma, rho, beta] = black_box([10.0, 28.0, 8.0 / 3.0]);
    solves(bench, "PECE, Lorenz", "lorenz", [1.0, 1.0, 1.0], move |_, y, dydt| {
        dydt[0] = sigma * (y[1] - y[0]);
        dydt[1] = y[0] * (rho - y[2]) - y[1];
        dydt[2] = y[0] * y[1] - beta * y[2];
    });
    let [beta, gamma] = black_box([0.4, 0.1]);
    solves(bench, "PECE, SIR", "sir", [0.99, 0.01, 0.0], move |_, y, dydt| {
        dydt[0] = -(beta * y[0] * y[1]);
        dydt[1] = beta * y[0] * y[1] - gamma * y[1];
        dydt[2] = gamma * y[1];
    });
    products(bench);
    let ten = compiled(bench);
    bench.row([label("ten texts to programs"), nothing(), time(&ten), nothing(), nothing()]);
}

fn of_catalogue(name: &str) -> Equation {
    let entry = catalogue::named(name).expect("a name of the catalogue");
    entry.equation().expect("the catalogue parses")
}

/// Ensembles of a text and of the same system by hand.
fn ensembles<H: StochasticSystem<f32>, C: StochasticScheme<f32>>(
    bench: &mut Bench,
    (name, bar): (&str, f64),
    equation: &Equation,
    by_hand: H,
    scheme: &C,
) {
    let (paths, steps) = if bench.quick { (1_024, 128) } else { (8_192, 512) };
    let model = EquationModel::new(equation).expect(INSIDE);
    let own = model.problem::<f32>(0).expect(INSIDE);
    let start = vec![1.0f32; equation.states().len()];
    let order = equation.value(equation.states()[0].order());
    let hand = StochasticProblem::new(by_hand, model.interval(), &start).expect(INSIDE);
    let hand = hand.of_orders(&[order]).expect(INSIDE);
    let noise = model.noise::<f32>(7).expect(INSIDE);
    let ensemble = Ensemble::new(paths, steps).expect(INSIDE);
    let [hand, own] = interleaved(
        bench.budget.at_most(15),
        [
            &mut || {
                black_box(ensemble.solve(&hand, scheme, &*noise, &Moments).expect(INSIDE));
            },
            &mut || {
                black_box(ensemble.solve(&own, scheme, &*noise, &Moments).expect(INSIDE));
            },
        ],
    );
    let each = 1.0 / (paths * steps) as f64;
    row(bench, (name, bar), &hand.scaled(each), &own.scaled(each));
}

/// Solves of an equation of the catalogue and of a closure, with the same orders and interval.
fn solves(
    bench: &mut Bench,
    name: &str,
    equation: &str,
    start: [f64; 3],
    closure: impl Fn(f64, &[f64], &mut [f64]),
) {
    let steps = Steps::Uniform(if bench.quick { 10_000 } else { 100_000 });
    let own = EquationProblem::new(&of_catalogue(equation)).expect(INSIDE);
    let order = own.equation().value(own.equation().states()[0].order());
    let hand = Problem::new(&[order], own.interval(), &[&start], closure).expect(INSIDE);
    let scheme = AdamsBashforthMoulton::default();
    let [hand, own] = interleaved(
        bench.budget.at_most(9),
        [
            &mut || {
                let solution = solve(&hand, &scheme, &steps, Options::default());
                black_box(solution.expect("a solution"));
            },
            &mut || {
                let solution = own.solve(&scheme, &steps, Options::default());
                black_box(solution.expect("a solution"));
            },
        ],
    );
    row(bench, (name, 1.1), &hand, &own);
}

/// Product of a cotangent with the Jacobian, against the right-hand side.
fn products(bench: &mut Bench) {
    let problem = EquationProblem::new(&of_catalogue("lorenz")).expect(INSIDE);
    let problem = problem.differentiable().expect("Lorenz's system has derivatives");
    let system = problem.system();
    let (mut y, mut dydt) = ([0.3, 0.4, 0.5], [0.0; 3]);
    let (mut at, cotangent) = (y, [0.2, -0.3, 0.7]);
    let (mut bars, mut parameters) = ([0.0; 3], vec![0.0; system.parameters().len()]);
    let [rhs, vjp] = interleaved(
        bench.budget,
        [
            &mut || {
                for _ in 0..EVALUATIONS {
                    system.rhs(0.0, black_box(&y), &mut dydt);
                    y[0] = 0.3 + 1e-9 * dydt[0];
                }
            },
            &mut || {
                for _ in 0..EVALUATIONS {
                    system.vjp(0.0, black_box(&at), &cotangent, &mut bars, &mut parameters);
                    at[0] = 0.3 + 1e-15 * bars[0];
                }
            },
        ],
    );
    let each = 1.0 / EVALUATIONS as f64;
    row(bench, ("vjp / right-hand side, Lorenz", 3.0), &rhs.scaled(each), &vjp.scaled(each));
}

/// Ten equations from their texts through all passes to programs.
fn compiled(bench: &Bench) -> Time {
    let texts = TEN.map(|name| catalogue::named(name).expect("a name of the catalogue").text);
    let compile = |text: &str| {
        let equation = Equation::parse(text).expect("the catalogue parses");
        let states = equation.states().iter();
        let roots: Vec<_> = states
            .flat_map(|state| {
                let noises = state.noise().iter().map(|term| term.coefficient());
                std::iter::once(state.drift()).chain(noises)
            })
            .collect();
        let (graph, roots) = Simplify::default().run(equation.graph(), &roots);
        let input = |symbol: &Symbol| match *symbol {
            Symbol::State(k) => Input::Row(k),
            Symbol::Parameter(k) => Input::Uniform(1 + k),
            _ => Input::Uniform(0),
        };
        let inputs: Vec<Input> = equation.symbols().iter().map(input).collect();
        black_box(Program::<f32>::new(&graph, &roots, &inputs).expect("inputs of all variables"));
    };
    let [ten] = interleaved(bench.budget, [&mut || texts.iter().for_each(|text| compile(text))]);
    ten
}

fn row(bench: &mut Bench, (name, bar): (&str, f64), hand: &Time, own: &Time) {
    bench.row([label(name), reference_time(hand), time(own), ratio(own, hand), number(bar, 2)]);
}

/// `mu x dt + sigma x dW`
struct Geometric {
    mu: f32,
    sigma: f32,
}

impl StochasticSystem<f32> for Geometric {
    fn dim(&self) -> usize {
        1
    }

    fn noise_kind(&self) -> NoiseKind {
        NoiseKind::Diagonal
    }

    #[inline(always)]
    fn drift(&self, _: f64, x: Rows<'_, f32>, mut f: RowsMut<'_, f32>) {
        for (f, x) in f[0].iter_mut().zip(&x[0]) {
            *f = self.mu * *x;
        }
    }

    #[inline(always)]
    fn diffusion(&self, _: f64, x: Rows<'_, f32>, mut g: RowsMut<'_, f32>) {
        for (g, x) in g[0].iter_mut().zip(&x[0]) {
            *g = self.sigma * *x;
        }
    }
}

/// `-theta x dt + sigma dW`
struct Relaxation {
    theta: f32,
    sigma: f32,
}

impl StochasticSystem<f32> for Relaxation {
    fn dim(&self) -> usize {
        1
    }

    fn noise_kind(&self) -> NoiseKind {
        NoiseKind::Diagonal
    }

    fn additive(&self) -> bool {
        true
    }

    #[inline(always)]
    fn drift(&self, _: f64, x: Rows<'_, f32>, mut f: RowsMut<'_, f32>) {
        for (f, x) in f[0].iter_mut().zip(&x[0]) {
            *f = -self.theta * *x;
        }
    }

    #[inline(always)]
    fn diffusion(&self, _: f64, _: Rows<'_, f32>, mut g: RowsMut<'_, f32>) {
        g[0].fill(self.sigma);
    }
}

/// Lorenz's system with an additive noise in each component.
struct NoisyLorenz {
    sigma: f32,
    rho: f32,
    beta: f32,
    noise: f32,
}

impl StochasticSystem<f32> for NoisyLorenz {
    fn dim(&self) -> usize {
        3
    }

    fn noise_kind(&self) -> NoiseKind {
        NoiseKind::Diagonal
    }

    fn additive(&self) -> bool {
        true
    }

    #[inline(always)]
    fn drift(&self, _: f64, x: Rows<'_, f32>, mut f: RowsMut<'_, f32>) {
        for lane in 0..x.lanes() {
            let (a, b, c) = (x[0][lane], x[1][lane], x[2][lane]);
            f[0][lane] = self.sigma * (b - a);
            f[1][lane] = a * (self.rho - c) - b;
            f[2][lane] = a * b - self.beta * c;
        }
    }

    #[inline(always)]
    fn diffusion(&self, _: f64, _: Rows<'_, f32>, mut g: RowsMut<'_, f32>) {
        for noise in 0..3 {
            g[noise].fill(self.noise);
        }
    }
}
