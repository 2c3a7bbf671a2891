//! User-defined scheme: explicit Grünwald–Letnikov steps.

use pictures::Outcome;

// ANCHOR: uses
use hpfracc::ode::history::{History, Kernel, Row};
use hpfracc::ode::{Node, Setup, Statistics, Stepper, UniformGrid};
use hpfracc::prelude::*;
use hpfracc::special::{binomial_weights, erfcx};
// ANCHOR_END: uses

// ANCHOR: scheme
/// `y_n = y_0 + h^alpha f_{n-1} - sum_{k=1}^{n-1} w_k (y_{n-k} - y_0)`, `w_k = (-1)^k C(alpha, k)`.
struct Explicit;

impl Scheme for Explicit {
    fn name(&self) -> &'static str {
        "explicit Grünwald-Letnikov"
    }

    fn prepare<'a>(&self, setup: &Setup<'a>) -> Result<Box<dyn Stepper + 'a>, OdeError> {
        let (problem, grid) = (setup.problem, setup.uniform(self)?);
        let mut rows = Vec::new();
        for component in 0..problem.dim() {
            let mut weights = vec![0.0; grid.n() + 1];
            binomial_weights(problem.order(component), &mut weights); // (-1)^k C(alpha, k)
            rows.push(Row::Table(weights));
        }
        let history = setup.history(&[Kernel::per_component(rows)], grid.n())?;
        let start = problem.initial().next().unwrap_or_default().to_vec();
        let change = vec![0.0; problem.dim()];
        Ok(Box::new(ExplicitStepper { problem, grid, history, start, change, index: 0 }))
    }
}

struct ExplicitStepper<'a> {
    problem: &'a Problem<dyn System + 'a>,
    grid: UniformGrid,
    history: Box<dyn History>,
    start: Vec<f64>,
    change: Vec<f64>,
    index: usize,
}

impl Stepper for ExplicitStepper<'_> {
    fn advance(&mut self, node: &mut Node, statistics: &mut Statistics) -> Result<(), OdeError> {
        // On entry `node` is the previous node; y - y_0 is pushed to the history.
        for (change, (y, start)) in self.change.iter_mut().zip(node.y.iter().zip(&self.start)) {
            *change = y - start;
        }
        self.history.push(&self.change)?;
        self.history.sum_into(0, &mut self.change)?;
        self.index += 1;
        node.t = self.grid.t(self.index);
        for i in 0..node.y.len() {
            let scale = self.grid.h().powf(self.problem.order(i));
            node.y[i] = self.start[i] + scale * node.f[i] - self.change[i];
        }
        self.problem.rhs(node.t, &node.y, &mut node.f, statistics)
    }
}
// ANCHOR_END: scheme

pub(super) fn check() -> Outcome<()> {
    // ANCHOR: use
    let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], |_t, y, dydt| dydt[0] = -y[0])?;
    let exact = erfcx(1.0);
    let mut errors = Vec::new();
    for steps in [1000, 4000] {
        let solution = solve(&problem, &Explicit, &Steps::Uniform(steps), Options::default())?;
        errors.push((solution.last()[0] - exact).abs());
    }
    assert!(errors[1] < errors[0] / 3.0);
    // ANCHOR_END: use
    let order = (errors[0] / errors[1]).log(4.0);
    println!("explicit steps: errors {errors:?}, order {order:.2}");
    Ok(())
}
