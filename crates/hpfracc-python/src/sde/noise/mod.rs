//! Noise by its name and numbers.

mod paths;

use super::failure::{of_sde, unknown};
use crate::errors;
use hpfracc::ndarray::ArrayView2;
use hpfracc::noise::{
    Antithetic, Brownian, Coarse, CompoundPoisson, CorrelatedBrownian, FractionalBrownian,
    Gaussian, JumpDistribution, Noise, Normalisation, OrnsteinUhlenbeckNoise, PoissonJumps,
    RiemannLiouvilleBrownian, StableDistribution, StableLevy,
};
use pyo3::prelude::*;

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    paths::register(module)
}

/// Noise, as the Python functions pass it: its kind, and of the numbers those that the kind has.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub(super) struct NoiseSpec {
    pub(super) kind: String,
    /// Number of components of Brownian motion.
    components: usize,
    hurst: Vec<f64>,
    near_cells: usize,
    fractional_integral: bool,
    driver: bool,
    /// Correlation of the second Brownian motions with the drivers.
    rho: Option<f64>,
    /// Correlation times.
    tau: Vec<f64>,
    /// Correlations or covariances, row by row.
    matrix: Vec<f64>,
    covariance: bool,
    /// Index, skewness and scale of stable components.
    stable: Vec<(f64, f64, f64)>,
    /// Rate, distribution and its numbers of compound Poisson components.
    jumps: Vec<(f64, String, Vec<f64>)>,
    compensated: bool,
    antithetic: bool,
    /// Shorter steps in each step.
    substeps: usize,
}

/// Names of the kinds.
const KINDS: [&str; 7] =
    ["brownian", "correlated", "fbm", "riemann-liouville", "coloured", "stable", "poisson"];

impl NoiseSpec {
    /// The exponent, if this is fractional Brownian motion of one component, as it is.
    pub(super) fn plain_fbm(&self) -> Option<f64> {
        match (self.kind.as_str(), self.hurst.as_slice()) {
            ("fbm", [hurst]) if !self.antithetic && self.substeps == 1 => Some(*hurst),
            _ => None,
        }
    }

    /// The noise of a seed.
    ///
    /// # Errors
    /// `InputError` for an unknown kind and for numbers out of range.
    pub(super) fn build<T: Gaussian>(&self, seed: u64) -> PyResult<Box<dyn Noise<T>>> {
        let noise = self.plain(seed)?;
        let noise: Box<dyn Noise<T>> = match self.substeps {
            1 => noise,
            factor => Box::new(Coarse::new(noise, factor).map_err(of_sde)?),
        };
        if self.antithetic {
            return Ok(Box::new(Antithetic::new(noise).map_err(of_sde)?));
        }
        Ok(noise)
    }

    fn plain<T: Gaussian>(&self, seed: u64) -> PyResult<Box<dyn Noise<T>>> {
        Ok(match self.kind.as_str() {
            "brownian" => Box::new(Brownian::new(seed, self.components).map_err(of_sde)?),
            "correlated" => Box::new(self.correlated(seed)?),
            "fbm" => Box::new(FractionalBrownian::<T>::new(seed, &self.hurst).map_err(of_sde)?),
            "riemann-liouville" => Box::new(self.riemann_liouville::<T>(seed)?),
            "coloured" => Box::new(OrnsteinUhlenbeckNoise::new(seed, &self.tau).map_err(of_sde)?),
            "stable" => {
                let stable = self.stable.iter();
                let stable = stable.map(|&(index, skewness, scale)| StableDistribution {
                    index,
                    skewness,
                    scale,
                });
                Box::new(StableLevy::new(seed, &stable.collect::<Vec<_>>()).map_err(of_sde)?)
            }
            "poisson" => {
                let jumps =
                    self.jumps.iter().map(compound_poisson).collect::<PyResult<Vec<_>>>()?;
                let noise = PoissonJumps::new(seed, &jumps).map_err(of_sde)?;
                Box::new(if self.compensated { noise.compensated() } else { noise })
            }
            other => return Err(unknown("noise", other, KINDS)),
        })
    }

    fn correlated(&self, seed: u64) -> PyResult<CorrelatedBrownian> {
        let rows = self.matrix.len().isqrt();
        let matrix = ArrayView2::from_shape((rows, rows), &self.matrix);
        let matrix = matrix.map_err(|_| errors::input("the correlation matrix is not square"))?;
        if self.covariance {
            CorrelatedBrownian::from_covariance(seed, matrix).map_err(of_sde)
        } else {
            CorrelatedBrownian::new(seed, matrix).map_err(of_sde)
        }
    }

    fn riemann_liouville<T: Gaussian>(&self, seed: u64) -> PyResult<RiemannLiouvilleBrownian<T>> {
        let noise = RiemannLiouvilleBrownian::new(seed, &self.hurst).map_err(of_sde)?;
        let noise = noise.with_near_cells(self.near_cells).map_err(of_sde)?;
        let noise = if self.fractional_integral {
            noise.normalised(Normalisation::FractionalIntegral)
        } else {
            noise
        };
        match self.rho {
            Some(rho) => noise.with_correlated(rho).map_err(of_sde),
            None if self.driver => Ok(noise.with_driver()),
            None => Ok(noise),
        }
    }
}

/// Compound Poisson process of a rate and jumps.
fn compound_poisson(
    (intensity, name, numbers): &(f64, String, Vec<f64>),
) -> PyResult<CompoundPoisson> {
    let distribution = match (name.as_str(), numbers.as_slice()) {
        ("constant", &[size]) => JumpDistribution::Constant(size),
        ("normal", &[mean, standard_deviation]) => {
            JumpDistribution::Normal { mean, standard_deviation }
        }
        ("double-exponential", &[upward, mean_up, mean_down]) => {
            JumpDistribution::DoubleExponential { upward, mean_up, mean_down }
        }
        (name @ ("constant" | "normal" | "double-exponential"), numbers) => {
            let (count, expected) = (
                numbers.len(),
                match name {
                    "constant" => "1, its size",
                    "normal" => "2, mean and standard deviation",
                    _ => "3, probability of a jump upward, mean size upward and downward",
                },
            );
            return Err(errors::input(format!(
                "jumps '{name}' have {count} numbers, expected {expected}"
            )));
        }
        (other, _) => {
            return Err(unknown("jumps", other, ["constant", "normal", "double-exponential"]));
        }
    };
    Ok(CompoundPoisson { intensity: *intensity, distribution })
}
