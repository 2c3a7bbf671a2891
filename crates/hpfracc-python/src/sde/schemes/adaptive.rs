//! Adaptive steps of stochastic equations.

use crate::errors;
use crate::sde::failure::of_sde;
use crate::sde::settings::Tolerances;
use hpfracc::noise::{BrownianTree, Gaussian, Noise, NoiseProcess};
use hpfracc::sde::{Adaptive, SdeError, StepCounts, Tolerance};
use pyo3::prelude::*;

/// Levels of halved steps.
const DEEPEST: u32 = 30;

/// Adaptive steps on the tree of a Brownian motion.
#[derive(Debug)]
pub(in crate::sde) struct AdaptiveSteps {
    pub(in crate::sde) tree: BrownianTree,
    tolerance: Tolerance,
    deepest: u32,
    /// Cells that were crossed.
    pub(in crate::sde) counts: StepCounts,
}

impl AdaptiveSteps {
    /// Steps of these tolerances over an interval of this length, in place of a noise.
    ///
    /// # Errors
    /// `InputError` for noise other than independent Brownian motions, and for numbers out of range.
    pub(in crate::sde) fn new<T: Gaussian>(
        tolerances: Tolerances,
        noise: &dyn Noise<T>,
        seed: u64,
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
            tree: BrownianTree::new(seed, components).map_err(of_sde)?,
            tolerance: Tolerance { absolute: atol, relative: rtol },
            deepest,
            counts: StepCounts::default(),
        })
    }

    /// A scheme on these steps.
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`] for tolerances that are negative or not finite, or both zero.
    pub(in crate::sde) fn of<C>(&self, scheme: C) -> Result<Adaptive<'_, C>, SdeError> {
        let scheme = Adaptive::new(scheme, self.tree, self.tolerance)?;
        Ok(scheme.deepest(self.deepest)?.counting(&self.counts))
    }
}
