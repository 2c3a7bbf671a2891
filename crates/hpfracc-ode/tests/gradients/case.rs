//! Problems of which gradients are tested.

use hpfracc_ode::history::HistoryChoice;
use hpfracc_ode::{
    Differentiable, DifferentiableScheme, Options, Parametric, Problem, Solution, Steps, System,
    Variation, solve,
};
use ndarray::Array2;

/// A system for any parameters.
pub(super) type Make = fn(&[f64]) -> Box<dyn Differentiable>;

/// All that a solution depends on, and the rest of a problem.
#[derive(Clone)]
pub(super) struct Case {
    pub(super) name: &'static str,
    make: Make,
    pub(super) at: Variation,
    t1: f64,
    pub(super) n: usize,
    /// None for n equal steps.
    steps: Option<Steps>,
}

impl Case {
    pub(super) fn new(
        (name, make): (&'static str, Make),
        initial: &[&[f64]],
        parameters: &[f64],
        orders: &[f64],
        (t1, n): (f64, usize),
    ) -> Self {
        let shape = (initial.len(), initial[0].len());
        let initial = Array2::from_shape_vec(shape, initial.concat()).unwrap();
        let at = Variation { initial, parameters: parameters.to_vec(), orders: orders.to_vec() };
        Self { name, make, at, t1, n, steps: None }
    }

    pub(super) fn problem(&self, at: &Variation) -> Problem<Boxed> {
        let rows: Vec<Vec<f64>> = at.initial.rows().into_iter().map(|row| row.to_vec()).collect();
        let rows: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
        let system = Boxed((self.make)(&at.parameters));
        Problem::of(system, &at.orders, (0.0, self.t1), &rows).unwrap()
    }

    pub(super) fn solve(
        &self,
        at: &Variation,
        scheme: &dyn DifferentiableScheme,
        history: HistoryChoice,
    ) -> Solution {
        let options = Options { history, ..Options::default() };
        solve(&self.problem(at), scheme, &self.steps(), options).unwrap()
    }

    fn steps(&self) -> Steps {
        self.steps.clone().unwrap_or(Steps::Uniform(self.n))
    }

    /// On steps that grow from t0 on, and on steps without a pattern.
    pub(super) fn on_unequal_steps(&self) -> [Self; 2] {
        let graded = Steps::Graded { n: self.n, exponent: 2.0 };
        let mut next = scattered(self.n + 1);
        let (t1, n) = (self.t1, self.n as f64);
        let node = |j: usize| match j {
            0 => 0.0,
            j if j == self.n => t1,
            j => t1 / n * (j as f64 + 0.45 * next()),
        };
        let given = Steps::Given((0..=self.n).map(node).collect());
        [graded, given].map(|steps| Self { steps: Some(steps), ..self.clone() })
    }

    /// With initial values and orders that L1 takes.
    pub(super) fn for_l1(mut self) -> Self {
        self.at.initial = self.at.initial.slice(ndarray::s![..1, ..]).to_owned();
        self.at.orders.iter_mut().for_each(|order| *order = order.min(0.9));
        self
    }
}

pub(super) struct Boxed(Box<dyn Differentiable>);

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

pub(super) fn brusselator(theta: &[f64]) -> Box<dyn Differentiable> {
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
pub(super) fn pendulum(theta: &[f64]) -> Box<dyn Differentiable> {
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

pub(super) fn chain(theta: &[f64]) -> Box<dyn Differentiable> {
    Box::new(Chain([theta[0], theta[1], theta[2]]))
}

/// Numbers in [-1, 1] without a pattern.
pub(super) fn scattered(seed: usize) -> impl FnMut() -> f64 {
    let mut state = (seed as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// All entries of a variation that mean something, as functions that find them.
pub(super) type Entry = Box<dyn Fn(&mut Variation) -> &mut f64>;

pub(super) fn entries(at: &Variation) -> Vec<(String, Entry)> {
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

pub(super) fn decay(theta: &[f64]) -> Box<dyn Differentiable> {
    Box::new(Parametric::new(
        theta,
        |_: f64, y: &[f64], p: &[f64], dydt: &mut [f64]| dydt[0] = -p[0] * y[0],
        |_: f64, y: &[f64], p: &[f64], f_y: &mut [f64], f_p: &mut [f64]| {
            (f_y[0], f_p[0]) = (-p[0], -y[0]);
        },
    ))
}
