use crate::SdeError;
use crate::models::definition::parameters;
use crate::models::{Known, Range, Variate};
use crate::noise::OrnsteinUhlenbeckNoise;

parameters! {
    /// The integral of coloured noise, a stationary process of Ornstein and Uhlenbeck with
    /// correlation time tau:
    ///
    /// ```text
    /// dX = sigma xi dt,  E xi(s) xi(t) = e^(-|t-s|/tau) / (2 tau)
    /// ```
    ///
    /// Exact in distribution at the nodes, by [`OrnsteinUhlenbeckNoise`]; Brownian motion as tau
    /// goes to 0.
    ///
    /// Source: Gillespie, Phys. Rev. E 54 (1996) 2084, DOI 10.1103/PhysRevE.54.2084.
    pub struct ColouredNoise {
        /// Correlation time of the noise.
        tau: Range::POSITIVE, 0.1;
        /// Strength, in units of X a square root of time.
        sigma: Range::NOT_NEGATIVE, 1.0;
    }
}

impl ColouredNoise {
    /// `sigma^2 (t - tau (1 - e^(-t/tau)))`
    pub fn variance(&self, t: f64) -> f64 {
        self.sigma.powi(2) * (t + self.tau * (-t / self.tau).exp_m1())
    }

    fn strength(&self) -> f64 {
        self.sigma
    }

    fn noise_of(&self, seed: u64) -> Result<OrnsteinUhlenbeckNoise, SdeError> {
        OrnsteinUhlenbeckNoise::new(seed, &[self.tau])
    }

    fn known_at(&self, t: f64) -> Known {
        Known::both(0.0, self.variance(t))
    }
}

model_of_noise! {
    ColouredNoise: OrnsteinUhlenbeckNoise,
    name: "coloured-noise",
    title: "Integral of coloured noise",
    equation: "dX = sigma xi dt, E xi(s) xi(t) = e^(-|t-s|/tau) / (2 tau)",
    scheme: "sum of the increments, exact in distribution",
    t1: 1.0
}
