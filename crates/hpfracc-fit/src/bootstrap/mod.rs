//! Bootstrap: the distribution of estimates from refits to resampled data.
//!
//! | item | meaning |
//! |---|---|
//! | [`Resampling`] | the settings: [`Scheme`], number of replicates, seed |
//! | [`Bootstrap`] | replicates that can be cancelled, saved and resumed with the same bits, and their statistics |
//! | [`Failures`] | refits without a result |

mod random;
mod resample;
mod state;
mod statistics;

pub use state::{Bootstrap, Progress, Watch};
pub use statistics::Failures;

use serde::{Deserialize, Serialize};

/// How data are resampled.
///
/// Residuals are weighted ones, divided by the square root of 1 - leverage, so that their variance is that of the errors and
/// not smaller. Rows of a set stay in it, and the responses of a row stay together.
///
/// | scheme | data of a replicate | right if |
/// |---|---|---|
/// | `Residual` | fitted values with residuals drawn from all of the set, less their mean | errors are independent and alike |
/// | `Wild` | fitted values with residuals of random signs | errors are independent |
/// | `Pairs` | rows drawn from all of the set, with their inputs | errors are independent, and rows are drawn from a population |
/// | `Blocks` | the same for blocks of consecutive rows | errors of rows at a distance are independent |
///
/// For a linear model the covariance of the first is that of least squares, and that of the second the one called HC2.
///
/// Sources: Davison and Hinkley, Bootstrap Methods and their Application (1997), chapters 5, 6 and 8; Wu, Ann. Statist. 14
/// (1986) 1261; Künsch, Ann. Statist. 17 (1989) 1217.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scheme {
    /// Residuals are drawn.
    #[default]
    Residual,
    /// Signs of residuals are drawn.
    Wild,
    /// Rows are drawn.
    Pairs,
    /// Blocks of rows are drawn.
    Blocks {
        /// Rows of a block: several times those over which errors are correlated.
        length: usize,
    },
}

/// Settings of a bootstrap.
///
/// Random numbers have an address (seed, replicate, set, row): replicates do not depend on the number of threads, on their
/// order, nor on where a bootstrap was interrupted.
///
/// Priors are the same in all replicates, and so is the scale of a loss.
///
/// Cost: a fit for each replicate, from the estimates. Memory: a column of responses or counts for each thread, and 24 bytes
/// for each parameter and replicate.
///
/// ```
/// use hpfracc_equation::Formula;
/// use hpfracc_fit::bootstrap::{Resampling, Scheme};
/// use hpfracc_fit::{Fit, FormulaModel, Set};
///
/// let x = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
/// let y = [2.1, 3.9, 6.2, 7.8, 10.1, 11.8];
/// let line = FormulaModel::new(&[Formula::parse("a + b x; a = 0; b = 1", &["x"])?])?;
/// let found = Fit::new(Set::new("line", &line).input(&x).response(&y))?.run()?;
/// let settings = Resampling { scheme: Scheme::Residual, replicates: 499, seed: 1 };
/// let bootstrap = found.bootstrap(&settings)?;
/// let (lower, upper) = bootstrap.studentised_interval("b", 0.95)?.unwrap();
/// assert!(lower < 1.97 && 1.97 < upper && bootstrap.failures().all() == 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Resampling {
    /// Scheme.
    pub scheme: Scheme,
    /// Number of replicates: some hundreds for standard errors, 999 or more for intervals.
    pub replicates: u32,
    /// Seed of all random numbers.
    pub seed: u64,
}

impl Default for Resampling {
    /// 999 replicates of residuals.
    fn default() -> Self {
        Self { scheme: Scheme::Residual, replicates: 999, seed: 0 }
    }
}
