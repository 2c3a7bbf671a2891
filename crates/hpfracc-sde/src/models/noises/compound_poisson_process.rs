use crate::SdeError;
use crate::models::definition::parameters;
use crate::models::{Known, Range, Variate};
use crate::noise::{CompoundPoisson, JumpDistribution, PoissonJumps};

parameters! {
    /// The sum of jumps at independent times with normal sizes, as in Merton's model:
    ///
    /// ```text
    /// X(t) = sum of J_k over k <= N(t),  N(t) Poisson of mean intensity t,  J_k normal
    /// ```
    ///
    /// Exact in distribution at the nodes, by [`PoissonJumps`].
    ///
    /// Source: Merton, J. Financ. Econ. 3 (1976) 125, DOI 10.1016/0304-405X(76)90022-2.
    pub struct CompoundPoissonProcess {
        /// Jumps in a unit of time on the average.
        intensity: Range::NOT_NEGATIVE, 5.0;
        /// Mean size of a jump, in units of X.
        jump_mean: Range::ANY, 0.0;
        /// Standard deviation of a jump size, in units of X.
        jump_standard_deviation: Range::NOT_NEGATIVE, 1.0;
    }
}

impl CompoundPoissonProcess {
    /// `intensity m t`
    pub fn mean(&self, t: f64) -> f64 {
        self.intensity * self.jump_mean * t
    }

    /// `intensity (m^2 + s^2) t`
    pub fn variance(&self, t: f64) -> f64 {
        self.intensity * (self.jump_mean.powi(2) + self.jump_standard_deviation.powi(2)) * t
    }

    fn strength(&self) -> f64 {
        1.0
    }

    fn noise_of(&self, seed: u64) -> Result<PoissonJumps, SdeError> {
        let (mean, standard_deviation) = (self.jump_mean, self.jump_standard_deviation);
        let distribution = JumpDistribution::Normal { mean, standard_deviation };
        PoissonJumps::new(seed, &[CompoundPoisson { intensity: self.intensity, distribution }])
    }

    fn known_at(&self, t: f64) -> Known {
        Known::both(self.mean(t), self.variance(t))
    }
}

model_of_noise! {
    CompoundPoissonProcess: PoissonJumps,
    name: "compound-poisson",
    title: "Compound Poisson process with normal jumps",
    equation: "X(t) = sum of N(t) jumps, N Poisson of rate intensity, jumps normal",
    scheme: "sum of the increments, exact in distribution; a step may have 1000 jumps on the average",
    t1: 2.0
}
