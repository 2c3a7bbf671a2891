//! Ensembles of stochastic equations, against the random numbers that they consume.

mod collectors;
mod gradients;
mod memory;
mod models;
mod multilevel;
mod noise;
mod schemes;
mod speed;

pub(crate) use collectors::{collectors, resident};
pub(crate) use gradients::gradients;
pub(crate) use memory::by_steps;
pub(crate) use models::models;
pub(crate) use multilevel::multilevel;
pub(crate) use noise::fractional_brownian;
pub(crate) use schemes::{adaptive, by_scheme};
pub(crate) use speed::{ensembles, memories, threads};

use super::INSIDE;
use crate::measure::Budget;
use hpfracc_sde::noise::Brownian;
use hpfracc_sde::{
    Collect, Ensemble, NoiseKind, StochasticProblem, StochasticScheme, StochasticSystem,
};
use hpfracc_sde::{Rows, RowsMut};

/// `(mu x) dt + (sigma + rho x) dW`: geometric Brownian motion, and Ornstein and Uhlenbeck's process.
#[derive(Clone, Copy)]
pub(crate) struct Linear {
    mu: f32,
    sigma: f32,
    rho: f32,
}

pub(crate) const GEOMETRIC: Linear = Linear { mu: 0.05, sigma: 0.0, rho: 0.2 };
pub(crate) const ORNSTEIN_UHLENBECK: Linear = Linear { mu: -1.0, sigma: 0.3, rho: 0.0 };

impl StochasticSystem<f32> for Linear {
    fn dim(&self) -> usize {
        1
    }

    fn noise_kind(&self) -> NoiseKind {
        NoiseKind::Diagonal
    }

    fn additive(&self) -> bool {
        self.rho == 0.0
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
            *g = self.sigma + self.rho * *x;
        }
    }
}

/// One ensemble from 1 on [0, 1].
pub(crate) fn run<C: StochasticScheme<f32>, K: Collect<f32>>(
    (system, order): (Linear, f64),
    scheme: &C,
    ensemble: &Ensemble<'_>,
    collector: &K,
) -> K::Output {
    let problem = StochasticProblem::new(system, (0.0, 1.0), &[1.0]).expect(INSIDE);
    let problem = problem.of_orders(&[order]).expect(INSIDE);
    let noise = Brownian::new(7, 1).expect(INSIDE);
    ensemble.solve(&problem, scheme, &noise, collector).expect(INSIDE)
}

/// Few rounds of whole ensembles, or many of small ones, some of which nobody disturbs.
fn short(budget: Budget, quick: bool) -> Budget {
    if quick { Budget { rounds: 15, ..budget } } else { budget.at_most(9) }
}
