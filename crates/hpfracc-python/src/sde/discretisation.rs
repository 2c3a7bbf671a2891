//! Discretisation of an equation: a scheme on equal steps or on adaptive ones.

use super::collect::{Collected, Statistics};
use super::failure::of_sde;
use super::schemes::{AdaptiveSteps, DynProblem, Scheme, with_pathwise_scheme, with_scheme};
use super::settings::Settings;
use super::solve::finished;
use crate::errors;
use hpfracc::noise::Noise;
use hpfracc::sde::Ensemble;
use hpfracc::sde::models::Variate;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Scheme, on equal steps or on adaptive ones.
#[derive(Debug)]
pub(super) struct Discretisation {
    pub(super) scheme: Scheme,
    pub(super) adaptive: Option<AdaptiveSteps>,
}

impl Discretisation {
    /// The discretisation that the settings request, if it solves the problem.
    ///
    /// # Errors
    /// `InputError` for unknown names, numbers out of range, and a scheme that does not solve it, with the names of
    /// those that do.
    pub(super) fn chosen<T: Variate>(
        settings: &Settings,
        problem: &DynProblem<'_, T>,
        noise: &dyn Noise<T>,
    ) -> PyResult<Self> {
        let name = settings.scheme.as_deref();
        let Some(tolerances) = settings.tolerances else {
            let scheme = Scheme::chosen(name, problem, noise)?;
            return Ok(Self { scheme, adaptive: None });
        };
        if settings.antithetic {
            return Err(errors::input(
                "adaptive steps have no antithetic paths: leave out antithetic, or rtol and atol",
            ));
        }
        let length = problem.t1() - problem.t0();
        let steps = AdaptiveSteps::new(tolerances, noise, settings.seed, length)?;
        let scheme = Scheme::pathwise(name, problem, &steps, settings)?;
        Ok(Self { scheme, adaptive: Some(steps) })
    }

    /// Solves all paths, with checkpoints if they are requested.
    ///
    /// # Errors
    /// Those of the solve and of its checkpoints.
    pub(super) fn solve<T: Variate>(
        &self,
        ensemble: &Ensemble<'_>,
        problem: &DynProblem<'_, T>,
        noise: &dyn Noise<T>,
        statistics: &Statistics<'_, T>,
        settings: &Settings,
    ) -> PyResult<Collected<T>> {
        let run = match &self.adaptive {
            None => with_scheme!(self.scheme, scheme => {
                ensemble.run(problem, scheme, noise, statistics)
            }),
            Some(steps) => with_pathwise_scheme!(self.scheme, scheme => {
                let scheme = steps.of(scheme).map_err(of_sde)?;
                ensemble.run(problem, &scheme, &steps.tree, statistics)
            })?,
        };
        finished(run.map_err(of_sde)?, settings)?.map_err(of_sde)
    }

    /// Adds the name of the scheme, and the numbers of adaptive steps, to the results.
    pub(super) fn report(&self, results: &Bound<'_, PyDict>) -> PyResult<()> {
        results.set_item("scheme", self.scheme.name())?;
        let Some(steps) = &self.adaptive else { return Ok(()) };
        results.set_item("accepted", steps.counts.taken())?;
        results.set_item("rejected", steps.counts.refused())
    }
}
