//! Gradients and tangents against differences of sixth order and against each other.

use hpfracc_ode::Parametric;
use hpfracc_ode::history::HistoryChoice;
use hpfracc_ode::{
    AdamsBashforthMoulton, Cotangents, Differentiable, DifferentiableScheme, L1, OdeError, Options,
    Problem, ProductRectangle, ProductTrapezoid, Solution, Steps, System, Variation, gradient,
    solve, tangent,
};
use ndarray::Array2;

const HISTORIES: [HistoryChoice; 3] = [
    HistoryChoice::Direct,
    HistoryChoice::Blocked,
    HistoryChoice::Exponentials { tolerance: 1e-12 },
];

/// A system for any parameters.
type Make = fn(&[f64]) -> Box<dyn Differentiable>;

/// All that a solution depends on, and the rest of a problem.
#[derive(Clone)]
struct Case {
    name: &'static str,
    make: Make,
    at: Variation,
    t1: f64,
    n: usize,
}

impl Case {
    fn new(
        (name, make): (&'static str, Make),
        initial: &[&[f64]],
        parameters: &[f64],
        orders: &[f64],
        (t1, n): (f64, usize),
    ) -> Self {
        let shape = (initial.len(), initial[0].len());
        let initial = Array2::from_shape_vec(shape, initial.concat()).unwrap();
        let at = Variation { initial, parameters: parameters.to_vec(), orders: orders.to_vec() };
        Self { name, make, at, t1, n }
    }

    fn problem(&self, at: &Variation) -> Problem<Boxed> {
        let rows: Vec<Vec<f64>> = at.initial.rows().into_iter().map(|row| row.to_vec()).collect();
        let rows: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
        let system = Boxed((self.make)(&at.parameters));
        Problem::of(system, &at.orders, (0.0, self.t1), &rows).unwrap()
    }

    fn solve(
        &self,
        at: &Variation,
        scheme: &dyn DifferentiableScheme,
        history: HistoryChoice,
    ) -> Solution {
        let options = Options { history, ..Options::default() };
        solve(&self.problem(at), scheme, &Steps::Uniform(self.n), options).unwrap()
    }
}

struct Boxed(Box<dyn Differentiable>);

impl System for Boxed {
    fn rhs(&self, t: f64, y: &[f64], dydt: &mut [f64]) {
        self.0.rhs(t, y, dydt);
    }
    fn jacobian(&self, t: f64, y: &[f64], jacobian: &mut [f64]) -> bool {
        self.0.jacobian(t, y, jacobian)
    }
}

impl Differentiable for Boxed {
    fn parameters(&self) -> &[f64] {
        self.0.parameters()
    }
    fn vjp(&self, t: f64, y: &[f64], fbar: &[f64], ybar: &mut [f64], thetabar: &mut [f64]) {
        self.0.vjp(t, y, fbar, ybar, thetabar);
    }
    fn jvp(&self, t: f64, y: &[f64], dy: &[f64], dtheta: &[f64], df: &mut [f64]) {
        self.0.jvp(t, y, dy, dtheta, df);
    }
}

fn brusselator(theta: &[f64]) -> Box<dyn Differentiable> {
    Box::new(Parametric::new(
        theta,
        |_: f64, y: &[f64], p: &[f64], dydt: &mut [f64]| {
            let product = y[0] * y[0] * y[1];
            dydt[0] = p[0] - (p[1] + 1.0) * y[0] + product;
            dydt[1] = p[1] * y[0] - product;
        },
        |_: f64, y: &[f64], p: &[f64], f_y: &mut [f64], f_p: &mut [f64]| {
            let (x, xx) = (2.0 * y[0] * y[1], y[0] * y[0]);
            f_y.copy_from_slice(&[x - p[1] - 1.0, xx, p[1] - x, -xx]);
            f_p.copy_from_slice(&[1.0, -y[0], 0.0, y[0]]);
        },
    ))
}

/// A driven pendulum.
fn pendulum(theta: &[f64]) -> Box<dyn Differentiable> {
    Box::new(Parametric::new(
        theta,
        |t: f64, y: &[f64], p: &[f64], dydt: &mut [f64]| {
            dydt[0] = p[1] * (2.0 * t).cos() - p[0] * y[0].sin();
        },
        |t: f64, y: &[f64], p: &[f64], f_y: &mut [f64], f_p: &mut [f64]| {
            f_y[0] = -p[0] * y[0].cos();
            f_p.copy_from_slice(&[-y[0].sin(), (2.0 * t).cos()]);
        },
    ))
}

/// Three components by hand, with products and without a Jacobian.
struct Chain([f64; 3]);

impl System for Chain {
    fn rhs(&self, t: f64, y: &[f64], dydt: &mut [f64]) {
        let p = &self.0;
        dydt[0] = -p[0] * y[0] + y[1] * y[2];
        dydt[1] = (p[1] * t).sin() - y[1] * y[0];
        dydt[2] = y[0].cos() - p[2] * y[2] * y[2];
    }
}

impl Differentiable for Chain {
    fn parameters(&self) -> &[f64] {
        &self.0
    }
    fn vjp(&self, t: f64, y: &[f64], fbar: &[f64], ybar: &mut [f64], thetabar: &mut [f64]) {
        let p = &self.0;
        ybar[0] += -p[0] * fbar[0] - y[1] * fbar[1] - y[0].sin() * fbar[2];
        ybar[1] += y[2] * fbar[0] - y[0] * fbar[1];
        ybar[2] += y[1] * fbar[0] - 2.0 * p[2] * y[2] * fbar[2];
        thetabar[0] -= y[0] * fbar[0];
        thetabar[1] += t * (p[1] * t).cos() * fbar[1];
        thetabar[2] -= y[2] * y[2] * fbar[2];
    }
    fn jvp(&self, t: f64, y: &[f64], dy: &[f64], dp: &[f64], df: &mut [f64]) {
        let p = &self.0;
        df[0] = -p[0] * dy[0] + y[2] * dy[1] + y[1] * dy[2] - y[0] * dp[0];
        df[1] = -y[0] * dy[1] - y[1] * dy[0] + t * (p[1] * t).cos() * dp[1];
        df[2] = -y[0].sin() * dy[0] - 2.0 * p[2] * y[2] * dy[2] - y[2] * y[2] * dp[2];
    }
}

fn chain(theta: &[f64]) -> Box<dyn Differentiable> {
    Box::new(Chain([theta[0], theta[1], theta[2]]))
}

/// Numbers in [-1, 1] without a pattern.
fn scattered(seed: usize) -> impl FnMut() -> f64 {
    let mut state = (seed as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// Cotangents of some nodes, the first and the last among them.
fn loss(dim: usize, n: usize) -> Vec<(usize, Vec<f64>)> {
    let mut next = scattered(n);
    [0, n / 7, n / 2 + 1, n - n / 5, n]
        .map(|node| (node, (0..dim).map(|_| next()).collect()))
        .to_vec()
}

fn value(solution: &Solution, loss: &[(usize, Vec<f64>)]) -> f64 {
    let at = |(node, bar): &(usize, Vec<f64>)| -> f64 {
        solution.trajectory().state(*node).iter().zip(bar).map(|(y, bar)| y * bar).sum()
    };
    loss.iter().map(at).sum()
}

/// All entries of a variation that mean something, as functions that find them.
type Entry = Box<dyn Fn(&mut Variation) -> &mut f64>;

fn entries(at: &Variation) -> Vec<(String, Entry)> {
    let mut found: Vec<(String, Entry)> = Vec::new();
    for ((row, component), _) in at.initial.indexed_iter() {
        if row < at.orders[component.min(at.orders.len() - 1)].ceil() as usize {
            let name = format!("row {row}, component {component}");
            found.push((name, Box::new(move |v| &mut v.initial[[row, component]])));
        }
    }
    for k in 0..at.parameters.len() {
        found.push((format!("parameter {k}"), Box::new(move |v| &mut v.parameters[k])));
    }
    for i in 0..at.orders.len() {
        found.push((format!("order {i}"), Box::new(move |v| &mut v.orders[i])));
    }
    found
}

/// Prints the largest relative errors of a gradient in rows, parameters and orders.
fn check(case: &Case, scheme: &dyn DifferentiableScheme, history: HistoryChoice) {
    let problem = case.problem(&case.at);
    let solution = case.solve(&case.at, scheme, history);
    let loss = loss(problem.dim(), case.n);
    let some: Vec<(usize, &[f64])> = loss.iter().map(|(node, bar)| (*node, &bar[..])).collect();
    let found = gradient(
        &problem,
        scheme,
        &solution,
        Cotangents::At(&some),
        &Options { history, ..Options::default() },
    )
    .unwrap();
    let mut worst = [0.0f64; 3];
    for (name, entry) in entries(&case.at) {
        let step = 1e-3;
        let moved = |share: f64| {
            let mut at = case.at.clone();
            *entry(&mut at) += share * step;
            value(&case.solve(&at, scheme, history), &loss)
        };
        let pair = |share: f64| moved(share) - moved(-share);
        let difference = (45.0 * pair(1.0) - 9.0 * pair(2.0) + pair(3.0)) / (60.0 * step);
        let entry = *entry(&mut found.clone());
        let error = (entry - difference).abs() / difference.abs();
        let kind = usize::from(name.starts_with('p')) + 2 * usize::from(name.starts_with('o'));
        worst[kind] = worst[kind].max(error);
        assert!(
            error < 1e-8,
            "{} {} {history:?}: {name}: {entry} {difference} {error:e}",
            case.name,
            scheme.name()
        );
    }
    let Case { name, n, .. } = case;
    let [rows, parameters, orders] = worst;
    println!(
        "| {name} | {n} | {} | {history:?} | {rows:.0e} | {parameters:.0e} | {orders:.0e} |",
        scheme.name()
    );
}

fn cases() -> Vec<Case> {
    vec![
        Case::new(("Brusselator", brusselator), &[&[1.2, 2.8]], &[1.0, 3.0], &[0.8], (6.0, 613)),
        Case::new(
            ("Brusselator, two orders", brusselator),
            &[&[1.2, 2.8]],
            &[1.0, 3.0],
            &[0.8, 0.55],
            (6.0, 101),
        ),
        Case::new(("pendulum", pendulum), &[&[0.3], &[1.1]], &[2.0, 0.7], &[1.6], (5.0, 331)),
        Case::new(
            ("chain, three orders", chain),
            &[&[0.4, 1.0, 0.9], &[0.0, 0.3, 0.0]],
            &[0.7, 1.3, 0.8],
            &[0.6, 1.4, 1.0],
            (3.0, 257),
        ),
        Case::new(
            ("chain, two steps", chain),
            &[&[0.4, 1.0, 0.9]],
            &[0.7, 1.3, 0.8],
            &[0.5],
            (0.5, 2),
        ),
        Case::new(("pendulum, one step", pendulum), &[&[0.3]], &[2.0, 0.7], &[0.5], (0.5, 1)),
    ]
}

#[test]
fn predictor_corrector_methods() {
    for case in cases() {
        for passes in [0, 1, 2, 3] {
            for history in HISTORIES {
                check(&case, &AdamsBashforthMoulton { passes }, history);
            }
        }
    }
}

#[test]
fn the_explicit_product_rectangle() {
    for case in cases() {
        check(&case, &ProductRectangle::Explicit, HistoryChoice::Blocked);
    }
    let case = &cases()[0];
    let scheme = ProductRectangle::Implicit;
    let solution = case.solve(&case.at, &scheme, HistoryChoice::Exact);
    let loss = Cotangents::At(&[]);
    let refused = gradient(&case.problem(&case.at), &scheme, &solution, loss, &Options::default());
    assert!(matches!(refused.unwrap_err(), OdeError::NotDifferentiable { .. }));
}

#[test]
fn the_implicit_product_trapezoid() {
    for case in cases() {
        for history in HISTORIES {
            check(&case, &ProductTrapezoid, history);
        }
    }
}

#[test]
fn the_l1_scheme() {
    for mut case in cases() {
        if case.name.contains("pendulum") {
            let first = case.at.initial.rows().into_iter().next().unwrap().to_owned();
            case.at.initial = first.insert_axis(ndarray::Axis(0));
        }
        if case.at.initial.nrows() > 1 {
            case.at.initial = case.at.initial.slice(ndarray::s![..1, ..]).to_owned();
        }
        case.at.orders.iter_mut().for_each(|order| *order = order.min(0.9));
        for history in [HistoryChoice::Direct, HistoryChoice::Blocked] {
            check(&case, &L1, history);
        }
    }
}

#[test]
fn tangents_are_the_transposes_of_gradients() {
    let pece = |passes| AdamsBashforthMoulton { passes };
    let schemes: [&dyn DifferentiableScheme; 5] =
        [&pece(0), &pece(1), &pece(3), &ProductTrapezoid, &L1];
    let mut worst = 0.0f64;
    for case in cases() {
        for scheme in schemes {
            for history in HISTORIES {
                let l1 = scheme.name() == "L1";
                if l1
                    && (case.at.orders.iter().any(|order| *order > 1.0) || history == HISTORIES[2])
                {
                    continue;
                }
                let problem = case.problem(&case.at);
                let solution = case.solve(&case.at, scheme, history);
                let mut next = scattered(case.n + 5);
                let bars = Array2::from_shape_fn((case.n + 1, problem.dim()), |_| next());
                let mut direction = Variation::zeros(&problem);
                for (_, entry) in entries(&case.at) {
                    *entry(&mut direction) = next();
                }
                let all = Cotangents::All(bars.view());
                let bar = gradient(
                    &problem,
                    scheme,
                    &solution,
                    all,
                    &Options { history, ..Options::default() },
                )
                .unwrap();
                let moved = tangent(
                    &problem,
                    scheme,
                    &solution,
                    &direction,
                    &Options { history, ..Options::default() },
                )
                .unwrap();
                let size: f64 = bars.iter().zip(&moved).map(|(a, b)| (a * b).abs()).sum();
                let forward: f64 = bars.iter().zip(&moved).map(|(a, b)| a * b).sum();
                let error = (forward - bar.dot(&direction)).abs() / size;
                worst = worst.max(error);
                assert!(error < 1e-12, "{} {} {history:?} {error:e}", case.name, scheme.name());
            }
        }
    }
    println!("{worst:e}");
}

/// At alpha = 1 the implicit schemes are the trapezoidal rule and Euler's backward method, whose
/// derivatives in the start are products of factors.
#[test]
fn the_classical_limit() {
    let (n, lambda) = (50, 1.3);
    let case = Case::new(("decay", decay), &[&[0.7]], &[lambda], &[1.0], (2.0, n));
    let h = 2.0 / n as f64;
    let schemes: [(&dyn DifferentiableScheme, f64); 2] = [
        (&ProductTrapezoid, (1.0 - 0.5 * lambda * h) / (1.0 + 0.5 * lambda * h)),
        (&L1, 1.0 / (1.0 + lambda * h)),
    ];
    for (scheme, factor) in schemes {
        let history = HistoryChoice::Exact;
        let solution = case.solve(&case.at, scheme, history);
        let end = Cotangents::At(&[(n, &[1.0])]);
        let found = gradient(
            &case.problem(&case.at),
            scheme,
            &solution,
            end,
            &Options { history, ..Options::default() },
        )
        .unwrap();
        let error = (found.initial[[0, 0]] / factor.powi(n as i32) - 1.0).abs();
        assert!(error < 1e-13, "{} {error:e}", scheme.name());
    }
}

fn decay(theta: &[f64]) -> Box<dyn Differentiable> {
    Box::new(Parametric::new(
        theta,
        |_: f64, y: &[f64], p: &[f64], dydt: &mut [f64]| dydt[0] = -p[0] * y[0],
        |_: f64, y: &[f64], p: &[f64], f_y: &mut [f64], f_p: &mut [f64]| {
            (f_y[0], f_p[0]) = (-p[0], -y[0]);
        },
    ))
}
