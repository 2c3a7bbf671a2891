use crate::models::definition::{DefaultGrid, Definition, parameters};
use crate::models::{Known, Model, Range, Variate};
use crate::noise::Brownian;
use crate::{EulerMaruyama, SdeError};
use hpfracc_lanes::{Rows, RowsMut};

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
}

impl Model for BrownianMotion {
    const DEFINITION: Definition = Definition {
        name: "brownian-motion",
        title: "Brownian motion",
        equation: &["dX = sigma dW"],
        scheme: "sum of the increments, exact in distribution",
        observables: &["x"],
        parameters: Self::PARAMETERS,
        default_grid: DefaultGrid { t1: 1.0, steps: 500 },
    };
    const ADDITIVE: &'static [bool] = &[true];

    type Noise<T: Variate> = Brownian;
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
        g[0].fill(T::narrow(self.sigma));
    }

    fn noise<T: Variate>(&self, seed: u64) -> Result<Brownian, SdeError> {
        Brownian::new(seed, 1)
    }

    fn known(&self, elapsed: f64) -> Result<Vec<Known>, SdeError> {
        Ok(vec![Known::both(0.0, self.variance(elapsed))])
    }
}
