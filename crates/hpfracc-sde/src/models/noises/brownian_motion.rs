use crate::SdeError;
use crate::models::definition::parameters;
use crate::models::{Known, Range, Variate};
use crate::noise::Brownian;

parameters! {
    /// Brownian motion, the sum of independent normal increments:
    ///
    /// ```text
    /// X(t) = sigma W(t),  E X(s) X(t) = sigma^2 min(s, t)
    /// ```
    ///
    /// Exact in distribution at the nodes.
    ///
    /// Source: Uhlenbeck and Ornstein, Phys. Rev. 36 (1930) 823, DOI 10.1103/PhysRev.36.823.
    pub struct BrownianMotion {
        /// Strength: the standard deviation at t = 1, in units of X.
        sigma: Range::NOT_NEGATIVE, 1.0;
    }
}

impl BrownianMotion {
    /// `sigma^2 t`
    pub fn variance(&self, t: f64) -> f64 {
        self.sigma.powi(2) * t
    }

    fn strength(&self) -> f64 {
        self.sigma
    }

    fn noise_of(&self, seed: u64) -> Result<Brownian, SdeError> {
        Brownian::new(seed, 1)
    }

    fn known_at(&self, t: f64) -> Known {
        Known::both(0.0, self.variance(t))
    }
}

model_of_noise! {
    BrownianMotion: Brownian,
    name: "brownian-motion",
    title: "Brownian motion",
    equation: "dX = sigma dW",
    scheme: "sum of the increments, exact in distribution",
    t1: 1.0
}
