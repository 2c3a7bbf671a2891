//! Adaptive steps of stochastic equations.

use super::failure::of_sde;
use super::settings::Settings;
use crate::errors;
use hpfracc::noise::{BrownianTree, Gaussian, Noise, NoiseProcess};
use hpfracc::sde::{Adaptive, SdeError, StepCounts, Tolerance};
use pyo3::prelude::*;

/// Levels of halved steps.
const DEEPEST: u32 = 30;

/// Tolerances of adaptive steps, as the Python functions pass them.
#[derive(Debug, Clone, Copy, FromPyObject)]
#[pyo3(from_item_all)]
pub(super) struct Tolerances {
    rtol: f64,
    atol: f64,
    min_step: Option<f64>,
}

/// Adaptive steps on the tree of a Brownian motion.
#[derive(Debug)]
pub(super) struct AdaptiveSteps {
    pub(super) tree: BrownianTree,
    tolerance: Tolerance,
    deepest: u32,
    /// Cells that were crossed.
    pub(super) counts: StepCounts,
}

impl AdaptiveSteps {
    /// Steps of these tolerances over an interval of this length, in place of a noise.
    ///
    /// # Errors
    /// `InputError` for noise other than independent Brownian motions, and for numbers out of range.
    pub(super) fn new<T: Gaussian>(
        tolerances: Tolerances,
        noise: &dyn Noise<T>,
        settings: &Settings,
        length: f64,
    ) -> PyResult<Self> {
        let components = noise.components();
        if components == 0 {
            return Err(errors::input("adaptive steps follow noise, and this equation has none"));
        }
        if !(0..components).all(|k| noise.process(k) == NoiseProcess::Brownian) {
            return Err(errors::input(
                "adaptive steps take independent Brownian motions: put correlations into the diffusion, \
                 or leave out rtol and atol",
            ));
        }
        if settings.antithetic {
            return Err(errors::input(
                "adaptive steps have no antithetic paths: leave out antithetic, or rtol and atol",
            ));
        }
        let Tolerances { rtol, atol, min_step } = tolerances;
        let deepest = match min_step {
            None => DEEPEST,
            Some(step) if step > 0.0 && step.is_finite() => {
                let levels = (length / step).log2().floor();
                // A NaN and negative numbers become 0.
                (levels as u32).min(DEEPEST)
            }
            Some(step) => {
                return Err(errors::input(format!(
                    "min_step is {step}, expected a positive finite number"
                )));
            }
        };
        Ok(Self {
            tree: BrownianTree::new(settings.seed, components).map_err(of_sde)?,
            tolerance: Tolerance { absolute: atol, relative: rtol },
            deepest,
            counts: StepCounts::default(),
        })
    }

    /// A scheme on these steps.
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`] for tolerances that are negative or not finite, or both zero.
    pub(super) fn of<C>(&self, scheme: C) -> Result<Adaptive<'_, C>, SdeError> {
        let scheme = Adaptive::new(scheme, self.tree, self.tolerance)?;
        Ok(scheme.deepest(self.deepest)?.counting(&self.counts))
    }
}
