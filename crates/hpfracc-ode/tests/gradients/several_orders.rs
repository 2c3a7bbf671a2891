//! Gradients of L1 of several and variable orders against differences of sixth order.

use hpfracc_ode::history::HistoryChoice;
use hpfracc_ode::{
    Cotangents, L1OfOrders, OdeError, Options, Parametric, Problem, Solution, Steps, TimeOrders,
    Variation, gradient, solve, tangent,
};

const N: usize = 40;

/// Parameters a, b, the first initial value, and the shifts of the orders of both components.
type At = [f64; 5];

const AT: At = [1.3, 0.7, 0.4, 0.0, 0.0];

fn scheme(at: &At) -> L1OfOrders<'static> {
    let (first, second) = (at[3], at[4]);
    let several = [(1.0, 0.8 + first), (0.5, 0.3 + first)];
    let variable = TimeOrders::variable(move |t| 0.6 + 0.3 * (2.0 * t).sin() + second);
    L1OfOrders::new(vec![TimeOrders::several(&several).unwrap(), variable]).unwrap()
}

fn problem(at: &At) -> Problem<impl hpfracc_ode::Differentiable> {
    let f = Parametric::new(
        &at[..2],
        |t: f64, y: &[f64], p: &[f64], out: &mut [f64]| {
            out[0] = -p[0] * y[0] + y[1] * y[1] + t.cos();
            out[1] = -p[1] * y[1] + (y[0] - t).sin();
        },
        |t: f64, y: &[f64], p: &[f64], f_y: &mut [f64], f_p: &mut [f64]| {
            f_y.copy_from_slice(&[-p[0], 2.0 * y[1], (y[0] - t).cos(), -p[1]]);
            f_p.copy_from_slice(&[-y[0], 0.0, 0.0, -y[1]]);
        },
    );
    Problem::of(f, &[0.8, 0.9], (0.0, 1.5), &[&[at[2], 0.2]]).unwrap()
}

fn solved(at: &At, steps: &Steps) -> Solution {
    let options = Options { history: HistoryChoice::Direct, ..Options::default() };
    solve(&problem(at), &scheme(at), steps, options).unwrap()
}

const BARS: [(usize, [f64; 2]); 3] = [(N / 3, [0.7, -0.3]), (N - 1, [0.1, 0.4]), (N, [1.0, 2.0])];

fn loss(at: &At, steps: &Steps) -> f64 {
    let solution = solved(at, steps);
    let of = |(node, bar): (usize, [f64; 2])| -> f64 {
        solution.trajectory().state(node).iter().zip(bar).map(|(y, bar)| y * bar).sum()
    };
    BARS.into_iter().map(of).sum()
}

fn entries(bar: &Variation) -> At {
    [bar.parameters[0], bar.parameters[1], bar.initial[[0, 0]], bar.orders[0], bar.orders[1]]
}

#[test]
fn gradients_are_those_of_the_steps() {
    for steps in [Steps::Uniform(N), Steps::Graded { n: N, exponent: 2.5 }] {
        let (problem, scheme, solution) = (problem(&AT), scheme(&AT), solved(&AT, &steps));
        let bars: Vec<(usize, &[f64])> = BARS.iter().map(|(node, bar)| (*node, &bar[..])).collect();
        let options = Options::default();
        let bar = gradient(&problem, &scheme, &solution, Cotangents::At(&bars), &options).unwrap();
        for (k, found) in entries(&bar).into_iter().enumerate() {
            let step = 1e-3;
            let pair = |share: f64| {
                let moved = |share: f64| {
                    let mut at = AT;
                    at[k] += share * step;
                    loss(&at, &steps)
                };
                moved(share) - moved(-share)
            };
            let expected = (45.0 * pair(1.0) - 9.0 * pair(2.0) + pair(3.0)) / (60.0 * step);
            assert!((found / expected - 1.0).abs() < 1e-8, "{steps:?} {k}: {found} {expected}");
        }
        // The tangent is the transpose.
        let mut direction = bar.clone();
        direction.parameters[0] = 0.3;
        direction.orders[0] = -0.8;
        let change = tangent(&problem, &scheme, &solution, &direction, &options).unwrap();
        let of = |(node, bar): (usize, [f64; 2])| -> f64 {
            change.row(node).iter().zip(bar).map(|(dy, bar)| dy * bar).sum()
        };
        let along: f64 = BARS.into_iter().map(of).sum();
        let pairs = entries(&bar).into_iter().zip(entries(&direction));
        let product = pairs.map(|(bar, change)| bar * change).sum::<f64>()
            + bar.initial[[0, 1]] * direction.initial[[0, 1]];
        assert!((along / product - 1.0).abs() < 1e-11, "{along} {product}");
    }
}

/// Order 1 among several: the derivative from below.
#[test]
fn gradient_at_order_one() {
    let at = |alpha: f64| {
        let rhs = Parametric::new(
            &[1.0],
            |_: f64, y: &[f64], p: &[f64], out: &mut [f64]| out[0] = -p[0] * y[0],
            |_: f64, y: &[f64], p: &[f64], f_y: &mut [f64], f_p: &mut [f64]| {
                (f_y[0], f_p[0]) = (-p[0], -y[0]);
            },
        );
        let problem = Problem::of(rhs, &[1.0], (0.0, 1.0), &[&[1.0]]).unwrap();
        let orders = TimeOrders::several(&[(1.0, alpha), (0.5, alpha - 0.4)]).unwrap();
        (problem, L1OfOrders::new(vec![orders]).unwrap())
    };
    let steps = Steps::Graded { n: 30, exponent: 1.5 };
    let options = || Options { history: HistoryChoice::Direct, ..Options::default() };
    let solved = |alpha: f64| {
        let (problem, scheme) = at(alpha);
        solve(&problem, &scheme, &steps, options()).unwrap()
    };
    let (problem, scheme) = at(1.0);
    let bars = Cotangents::At(&[(30, &[1.0])]);
    let bar = gradient(&problem, &scheme, &solved(1.0), bars, &options()).unwrap();
    let last = |alpha: f64| solved(alpha).last()[0];
    let h = 1e-4;
    let below = (11.0 * last(1.0) - 18.0 * last(1.0 - h) + 9.0 * last(1.0 - 2.0 * h)
        - 2.0 * last(1.0 - 3.0 * h))
        / (6.0 * h);
    assert!((bar.orders[0] / below - 1.0).abs() < 1e-6, "{} {below}", bar.orders[0]);
    // Another scheme did not solve this.
    let l1 = gradient(&problem, &hpfracc_ode::L1, &solved(1.0), bars, &options());
    assert!(matches!(l1, Err(OdeError::OtherScheme { .. })));
}
