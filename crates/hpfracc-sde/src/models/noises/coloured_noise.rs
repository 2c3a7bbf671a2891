use crate::models::definition::{DefaultGrid, Definition, parameters};
use crate::models::{Known, Model, Range, Variate};
use crate::noise::OrnsteinUhlenbeckNoise;
use crate::{EulerMaruyama, SdeError};
use hpfracc_lanes::{Rows, RowsMut};

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
}

impl Model for ColouredNoise {
    const DEFINITION: Definition = Definition {
        name: "coloured-noise",
        title: "Integral of coloured noise",
        equation: &["dX = sigma xi dt, E xi(s) xi(t) = e^(-|t-s|/tau) / (2 tau)"],
        scheme: "sum of the increments, exact in distribution",
        observables: &["x"],
        parameters: Self::PARAMETERS,
        default_grid: DefaultGrid { t1: 1.0, steps: 500 },
    };
    const ADDITIVE: &'static [bool] = &[true];

    type Noise<T: Variate> = OrnsteinUhlenbeckNoise;
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

    fn noise<T: Variate>(&self, seed: u64) -> Result<OrnsteinUhlenbeckNoise, SdeError> {
        OrnsteinUhlenbeckNoise::new(seed, &[self.tau])
    }

    fn known(&self, elapsed: f64) -> Result<Vec<Known>, SdeError> {
        Ok(vec![Known::both(0.0, self.variance(elapsed))])
    }
}
