//! Settings of an ensemble and its results, as the Python functions pass them.

use super::collect::{Observables, Statistics};
use super::failure::of_sde;
use hpfracc::noise::{Antithetic, Gaussian, Noise};
use hpfracc::sde::{Ensemble, Quantiles};
use pyo3::prelude::*;
use std::path::PathBuf;

/// Tolerances of adaptive steps, as the Python functions pass them.
#[derive(Debug, Clone, Copy, FromPyObject)]
#[pyo3(from_item_all)]
pub(super) struct Tolerances {
    pub(super) rtol: f64,
    pub(super) atol: f64,
    pub(super) min_step: Option<f64>,
}

/// Settings of an ensemble.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub(super) struct Settings {
    pub(super) paths: usize,
    /// Number of the first path, which selects the noise.
    pub(super) first: u64,
    pub(super) steps: Option<usize>,
    pub(super) t_span: Option<(f64, f64)>,
    /// Saved times; in their place every k-th node.
    pub(super) t: Option<Vec<f64>>,
    pub(super) every: usize,
    pub(super) seed: u64,
    pub(super) scheme: Option<String>,
    /// Adaptive steps; None for equal ones.
    pub(super) tolerances: Option<Tolerances>,
    /// Pairs of paths with mirrored noise.
    pub(super) antithetic: bool,
    /// float32 instead of float64.
    pub(super) single: bool,
    pub(super) moments: bool,
    pub(super) quantiles: Vec<f64>,
    pub(super) quantile_error: Option<f64>,
    /// Number of paths whose values are stored.
    pub(super) store: usize,
    pub(super) threads: Option<usize>,
    /// Paths of a tile.
    pub(super) tile: Option<usize>,
    pub(super) checkpoint: Option<PathBuf>,
    /// Seconds between two checkpoints.
    pub(super) checkpoint_interval: f64,
    pub(super) progress: Option<Py<PyAny>>,
}

impl Settings {
    /// A noise, mirrored in pairs of paths if they are antithetic.
    ///
    /// # Errors
    /// `InputError` for noise that is not symmetric.
    pub(super) fn mirrored<T: Gaussian>(
        &self,
        noise: Box<dyn Noise<T>>,
    ) -> PyResult<Box<dyn Noise<T>>> {
        if !self.antithetic {
            return Ok(noise);
        }
        Ok(Box::new(Antithetic::new(noise).map_err(of_sde)?))
    }

    /// The ensemble, with these steps by default.
    ///
    /// # Errors
    /// `InputError` for numbers out of range.
    pub(super) fn ensemble(&self, steps: usize) -> PyResult<Ensemble<'static>> {
        let ensemble = Ensemble::new(self.paths, self.steps.unwrap_or(steps)).map_err(of_sde)?;
        let ensemble = match &self.t {
            Some(times) => ensemble.saving_at(times),
            None => ensemble.saving_every(self.every),
        };
        let ensemble = ensemble.map_err(of_sde)?.starting_at(self.first);
        match self.tile {
            Some(paths) => ensemble.in_tiles_of(paths).map_err(of_sde),
            None => Ok(ensemble),
        }
    }

    /// The collector of the requested statistics.
    ///
    /// # Errors
    /// `InputError` for quantiles out of range.
    pub(super) fn statistics<'a, T>(
        &self,
        observables: Option<Observables<'a, T>>,
    ) -> PyResult<Statistics<'a, T>> {
        let quantiles = match (&self.quantiles[..], self.quantile_error) {
            ([], _) => None,
            (levels, None) => Some(Quantiles::new(levels).map_err(of_sde)?),
            (levels, Some(error)) => {
                let quantiles =
                    Quantiles::new(levels).and_then(|quantiles| quantiles.within(error));
                Some(quantiles.map_err(of_sde)?)
            }
        };
        let (moments, pairs) = (self.moments, self.moments && self.antithetic);
        Ok(Statistics { moments, pairs, quantiles, store: self.store, observables })
    }
}
