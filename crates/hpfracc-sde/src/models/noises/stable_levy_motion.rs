use crate::SdeError;
use crate::models::definition::parameters;
use crate::models::{Known, Range, Variate};
use crate::noise::{StableDistribution, StableLevy};

parameters! {
    /// Stable Lévy motion, with jumps of all sizes:
    ///
    /// ```text
    /// E e^(iuX(t)) = exp(-t |c u|^alpha (1 - i beta sign(u) tan(pi alpha/2)))
    /// ```
    ///
    /// for alpha other than 1. Exact in distribution at the nodes, by [`StableLevy`], which has the
    /// formula at alpha = 1. Below alpha = 2 the variance is infinite, and sample variances mean
    /// nothing: use quantiles. The index is at least 1/2 here, so that single precision holds the
    /// largest jumps.
    ///
    /// Source: Nolan, Univariate Stable Distributions (2020), DOI 10.1007/978-3-030-52915-4.
    pub struct StableLevyMotion {
        /// Index alpha, the power with which tails fall.
        alpha: Range::HALF_TO_TWO, 1.7;
        /// Skewness beta; without effect for alpha = 2.
        beta: Range::MINUS_ONE_TO_ONE, 0.0;
        /// Scale c, in units of X a time to the power 1/alpha.
        scale: Range::POSITIVE, 1.0;
    }
}

impl StableLevyMotion {
    /// The mean, 0, for alpha > 1; there is none below.
    pub fn mean(&self) -> Option<f64> {
        (self.alpha > 1.0).then_some(0.0)
    }

    /// `2 c^2 t` for alpha = 2, and infinite below.
    pub fn variance(&self, t: f64) -> f64 {
        match (self.alpha < 2.0, t > 0.0) {
            (_, false) => 0.0,
            (true, true) => f64::INFINITY,
            (false, true) => 2.0 * self.scale.powi(2) * t,
        }
    }

    fn strength(&self) -> f64 {
        1.0
    }

    fn noise_of(&self, seed: u64) -> Result<StableLevy, SdeError> {
        let (index, skewness, scale) = (self.alpha, self.beta, self.scale);
        StableLevy::new(seed, &[StableDistribution { index, skewness, scale }])
    }

    fn known_at(&self, t: f64) -> Known {
        // An infinite variance is no number to compare with.
        let variance = Some(self.variance(t)).filter(|variance| variance.is_finite());
        Known { mean: self.mean(), variance }
    }
}

model_of_noise! {
    StableLevyMotion: StableLevy,
    name: "stable-levy-motion",
    title: "Stable Levy motion",
    equation: "increments over h: stable of index alpha, skewness beta, scale c h^(1/alpha)",
    scheme: "sum of the increments, exact in distribution (Chambers, Mallows and Stuck)",
    t1: 1.0
}
