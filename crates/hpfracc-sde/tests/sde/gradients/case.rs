//! A case, its loss and its differences.

use super::systems::{Written, oscillator};
use crate::systems::{AnyDifferentiable, differentiable};
use hpfracc_sde::RowsMut;
use hpfracc_sde::noise::{Brownian, Gaussian};
use hpfracc_sde::{
    DifferentiableStochasticScheme, Ensemble, EnsembleGradient, FractionalEulerMaruyama,
    PathMemory, Paths, SavedStates, StochasticGradient, StochasticProblem, StochasticScheme,
};
use hpfracc_testkit::{Figure, record};

/// Two tiles, the second one narrower than a register is wide.
pub(crate) const PATHS: usize = 71;
pub(crate) const STEPS: usize = 24;

/// A system at a point: parameters, start and orders.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) system: Written,
    pub(crate) start: Vec<f64>,
    pub(crate) orders: Vec<f64>,
    pub(crate) steps: usize,
    pub(crate) stratonovich: bool,
}

/// What the loss of a path is at a saved time: weight (x - 0.3)^2 + sin x.
fn weight(time: usize, component: usize) -> f64 {
    0.4 + 0.3 * time as f64 - 0.5 * component as f64
}

fn value(x: f64, weight: f64) -> f64 {
    weight * (x - 0.3).powi(2) + x.sin()
}

/// The same as a loss with derivatives.
pub(crate) fn loss<T: Gaussian>(
    saved: SavedStates<'_, T>,
    losses: &mut [T],
    mut xbar: RowsMut<'_, T>,
) {
    for row in 0..saved.x.rows() {
        let weight = weight(row / saved.layout.dim, row % saved.layout.dim);
        for (lane, loss) in losses.iter_mut().enumerate() {
            let x = saved.x[row][lane].widen();
            *loss += T::narrow(value(x, weight));
            xbar[row][lane] = T::narrow(2.0 * weight * (x - 0.3) + x.cos());
        }
    }
}

impl Case {
    pub(crate) fn new(system: Written, orders: &[f64]) -> Self {
        let orders = orders.to_vec();
        Self { system, start: vec![0.7, -0.4], orders, steps: STEPS, stratonovich: false }
    }

    pub(crate) fn ensemble(&self) -> Ensemble<'static> {
        // The nodes 0, 9, 18, and the last one.
        Ensemble::new(PATHS, self.steps).unwrap().saving_every(9).unwrap().starting_at(100)
    }

    pub(crate) fn noise(&self) -> Brownian {
        Brownian::new(11, self.system.noise_kind.noises(self.system.dim)).unwrap()
    }

    pub(crate) fn problem<T: Gaussian>(&self) -> StochasticProblem<T, AnyDifferentiable<T>> {
        let start: Vec<T> = self.start.iter().map(|x| T::narrow(*x)).collect();
        let problem = differentiable(self.system.clone(), (0.5, 2.0), &start).unwrap();
        let problem = problem.of_orders(&self.orders).unwrap();
        if self.stratonovich { problem.stratonovich() } else { problem }
    }

    /// The mean of the loss, by the solver of the library and a loop.
    pub(crate) fn loss<C: StochasticScheme<f64>>(&self, scheme: &C) -> f64 {
        let problem = self.problem::<f64>();
        let paths = self.ensemble().solve(&problem, scheme, &self.noise(), &Paths).unwrap();
        let losses = paths.indexed_iter().map(|((_, time, i), x)| value(*x, weight(time, i)));
        losses.sum::<f64>() / PATHS as f64
    }

    pub(crate) fn gradient<T: Gaussian, C: DifferentiableStochasticScheme<T>>(
        &self,
        scheme: &C,
        how: impl Fn(EnsembleGradient<'static>) -> EnsembleGradient<'static>,
    ) -> StochasticGradient<T> {
        let gradient = how(EnsembleGradient::new(self.ensemble()));
        gradient.solve(&self.problem(), scheme, &self.noise(), &loss::<T>).unwrap()
    }

    /// Differences of sixth order of the loss in what `at` finds.
    pub(crate) fn difference<C: StochasticScheme<f64>>(
        &self,
        scheme: &C,
        step: f64,
        at: impl Fn(&mut Self) -> &mut f64,
    ) -> f64 {
        let moved = |by: f64| self.moved(scheme, by * step, &at);
        let pairs = [(1.0, 45.0), (2.0, -9.0), (3.0, 1.0)];
        let sum: f64 = pairs.iter().map(|(by, c)| c * (moved(*by) - moved(-*by))).sum();
        sum / (60.0 * step)
    }

    /// The loss where what `at` finds is elsewhere.
    fn moved<C: StochasticScheme<f64>>(
        &self,
        scheme: &C,
        by: f64,
        at: impl Fn(&mut Self) -> &mut f64,
    ) -> f64 {
        let mut case = self.clone();
        *at(&mut case) += by;
        case.loss(scheme)
    }

    /// Differences of sixth order of the loss in an order, from below at 1.
    pub(crate) fn difference_in_order<C: StochasticScheme<f64>>(
        &self,
        scheme: &C,
        component: usize,
    ) -> f64 {
        if self.orders[component] < 1.0 {
            // The number of near cells stays.
            return self.difference(scheme, 1e-4, |case| &mut case.orders[component]);
        }
        let step = 2e-3;
        let backward = [49.0 / 20.0, -6.0, 7.5, -20.0 / 3.0, 3.75, -1.2, 1.0 / 6.0];
        let at = |by: f64| self.moved(scheme, -by * step, |case| &mut case.orders[component]);
        let sum: f64 = (0..).zip(backward).map(|(k, c)| c * at(f64::from(k))).sum();
        sum / step
    }

    /// Gradients in parameters and start against differences.
    pub(crate) fn check<C: DifferentiableStochasticScheme<f64>>(&self, name: &str, scheme: &C) {
        self.check_within(name, scheme, (3e-4, 1e-9));
    }

    /// The same with differences over this step, within a relative error.
    pub(crate) fn check_within<C: DifferentiableStochasticScheme<f64>>(
        &self,
        name: &str,
        scheme: &C,
        (step, within): (f64, f64),
    ) {
        let found = self.gradient(scheme, |gradient| gradient);
        let loss = self.loss(scheme);
        close(&format!("{name}: loss"), found.loss.values[0], loss, 1e-13);
        for k in 0..self.system.theta.len() {
            let expected = self.difference(scheme, step, |case| &mut case.system.theta[k]);
            close(&format!("{name}: parameter {k}"), found.parameters.values[k], expected, within);
        }
        for i in 0..self.start.len() {
            let expected = self.difference(scheme, step, |case| &mut case.start[i]);
            close(&format!("{name}: start {i}"), found.start.values[i], expected, within);
        }
    }
}

/// Within a relative error.
pub(crate) fn close(what: &str, found: f64, expected: f64, tolerance: f64) {
    let error = (found - expected).abs() / expected.abs();
    println!("{what}: {found:.12}, relative error {error:.1e}");
    let (_, quantity) = what.rsplit_once(": ").unwrap_or(("", what));
    let quantity = quantity.trim_end_matches(|c: char| c.is_ascii_digit() || c == ' ');
    let bound = format!("{tolerance:.0e}");
    let labels = [("quantity", quantity), ("bound", &bound)];
    record("accuracy/stochastic_gradients", &labels, &[("relative error", Figure::error(error))]);
    assert!(error <= tolerance, "{what}: {found} and {expected}, relative error {error:.1e}");
}

/// With transforms of blocks, all derivatives are those with direct sums.
pub(crate) fn blocks_are_direct_sums(scheme: impl Fn(PathMemory) -> FractionalEulerMaruyama) {
    let mut case = Case::new(oscillator(), &[0.7, 1.0]);
    case.steps = 300;
    let found =
        |memory| case.gradient::<f64, _>(&scheme(memory), |gradient| gradient.with_orders());
    let (direct, blocked) = (found(PathMemory::Direct), found(PathMemory::Blocked));
    let parts = |all: &StochasticGradient<f64>| {
        [&all.parameters, &all.start, &all.orders].map(|part| part.values.clone()).concat()
    };
    for (found, expected) in parts(&blocked).iter().zip(parts(&direct)) {
        close("blocked", *found, expected, 1e-11);
    }
    assert_ne!(parts(&blocked), parts(&direct));
}
