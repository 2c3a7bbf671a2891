use super::SampleError;
use serde::{Deserialize, Serialize};

/// The no-U-turn sampler (NUTS): Hamiltonian Monte Carlo whose trajectories end where they turn
/// back.
///
/// Chains are independent and have random numbers by address (seed, chain, draw, index): results do
/// not depend on the number of threads, nor on where a sampling was interrupted. In coordinates
/// whitened by the factor of a fit, 150 to 200 draws of warm-up suffice and a draw takes about three
/// gradients; with [`Whitening::Identity`](super::Whitening::Identity) a warm-up of 1000 draws is
/// advisable.
///
/// Sources: Hoffman and Gelman, J. Mach. Learn. Res. 15 (2014) 1593 (trajectories, step); Betancourt,
/// arXiv:1701.02434 (2017), appendix A (multinomial weights, generalised criterion); the windows of
/// the warm-up are those of Stan.
///
/// ```
/// use hpfracc_fit::sample::{Coordinates, DensityFn, Nuts, Support, Watch, Whitening};
///
/// // An exponential distribution, whose parameter is above 0; its tail needs short steps.
/// let density = DensityFn::new(1, |theta: &[f64], gradient: &mut [f64]| {
///     gradient[0] = -1.0;
///     -theta[0]
/// });
/// let coordinates = Coordinates::new(&[1.0], &[Support::Above(0.0)], Whitening::Identity)?;
/// let settings = Nuts { acceptance: 0.95, ..Nuts::default() };
/// let mut sampling = settings.start(&density, coordinates)?;
/// sampling.run(&density, Watch::default())?;
/// let posterior = sampling.posterior()?;
/// posterior.converged()?;
/// let mean = posterior.summary(0);
/// assert!((mean.mean - 1.0).abs() < 5.0 * mean.mean_error);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Nuts {
    /// Number of chains, at least 1.
    pub chains: u32,
    /// Draws of a chain after the warm-up, at least 1.
    pub draws: u32,
    /// Draws of a chain in which step and metric are adapted; they are not stored.
    pub warm_up: u32,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Mean acceptance probability that the step is adapted to, between 0 and 1. Larger values give
    /// smaller steps and fewer divergences.
    pub acceptance: f64,
    /// Largest number of doublings of a trajectory, from 1 to 20: a draw takes less than 2^depth
    /// gradients.
    pub depth: u32,
}

impl Default for Nuts {
    /// 4 chains of 200 and 1000 draws, an acceptance of 0.8, a depth of 10.
    fn default() -> Self {
        Self { chains: 4, draws: 1000, warm_up: 200, seed: 0, acceptance: 0.8, depth: 10 }
    }
}

impl Nuts {
    pub(super) fn check(&self) -> Result<(), SampleError> {
        let in_range = |inside: bool, what, found, expected| {
            if inside { Ok(()) } else { Err(SampleError::Setting { what, found, expected }) }
        };
        let Self { chains, draws, warm_up, acceptance, depth, .. } = *self;
        in_range(chains > 0, "the number of chains", chains.into(), "at least 1")?;
        in_range(draws > 0, "the number of draws", draws.into(), "at least 1")?;
        let most = u32::MAX - draws;
        in_range(warm_up <= most, "warm-up", warm_up.into(), "fewer than 2^32 draws in all")?;
        let inside = acceptance > 0.0 && acceptance < 1.0;
        in_range(inside, "the acceptance", acceptance, "a number between 0 and 1")?;
        in_range((1..=20).contains(&depth), "the depth", depth.into(), "1 to 20")
    }
}
