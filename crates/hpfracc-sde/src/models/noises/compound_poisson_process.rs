use crate::models::definition::{DefaultGrid, Definition, parameters};
use crate::models::{Known, Model, Range, Variate};
use crate::noise::{CompoundPoisson, JumpDistribution, PoissonJumps};
use crate::{EulerMaruyama, SdeError};
use hpfracc_lanes::{Rows, RowsMut};

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
        /// Standard deviation of the size of a jump, in units of X.
        jump_deviation: Range::NOT_NEGATIVE, 1.0;
    }
}

impl CompoundPoissonProcess {
    /// `intensity m t`
    pub fn mean(&self, t: f64) -> f64 {
        self.intensity * self.jump_mean * t
    }

    /// `intensity (m^2 + s^2) t`
    pub fn variance(&self, t: f64) -> f64 {
        self.intensity * (self.jump_mean.powi(2) + self.jump_deviation.powi(2)) * t
    }
}

impl Model for CompoundPoissonProcess {
    const DEFINITION: Definition = Definition {
        name: "compound-poisson",
        title: "Compound Poisson process with normal jumps",
        equation: &["X(t) = sum of N(t) jumps, N Poisson of rate intensity, jumps normal"],
        scheme: "sum of the increments, exact in distribution; a step may have 1000 jumps on the average",
        observables: &["x"],
        parameters: Self::PARAMETERS,
        default_grid: DefaultGrid { t1: 2.0, steps: 500 },
    };
    const ADDITIVE: &'static [bool] = &[true];

    type Noise<T: Variate> = PoissonJumps;
    type Scheme<T: Variate> = EulerMaruyama;

    fn start(&self) -> Vec<f64> {
        vec![0.0]
    }

    #[inline(always)]
    fn drift<T: Variate>(&self, _: f64, _: Rows<'_, T>, mut f: RowsMut<'_, T>) {
        f[0].fill(T::zero());
    }

    #[inline(always)]
    fn diffusion<T: Variate>(&self, _: f64, _: Rows<'_, T>, mut g: RowsMut<'_, T>) {
        g[0].fill(T::one());
    }

    fn noise<T: Variate>(&self, seed: u64) -> Result<PoissonJumps, SdeError> {
        let (mean, standard_deviation) = (self.jump_mean, self.jump_deviation);
        let distribution = JumpDistribution::Normal { mean, standard_deviation };
        PoissonJumps::new(seed, &[CompoundPoisson { intensity: self.intensity, distribution }])
    }

    fn known(&self, elapsed: f64) -> Result<Vec<Known>, SdeError> {
        Ok(vec![Known::both(self.mean(elapsed), self.variance(elapsed))])
    }
}
