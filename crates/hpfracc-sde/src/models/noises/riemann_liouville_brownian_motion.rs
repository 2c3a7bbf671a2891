use crate::models::definition::{DefaultGrid, Definition, parameters};
use crate::models::{Known, Model, Range, Variate};
use crate::noise::RiemannLiouvilleBrownian;
use crate::{EulerMaruyama, SdeError};
use hpfracc_lanes::{Rows, RowsMut};

parameters! {
    /// Brownian motion of Riemann and Liouville (type II fractional Brownian motion), whose memory
    /// begins at t = 0:
    ///
    /// ```text
    /// X(t) = sigma sqrt(2H) int_0^t (t-s)^(H-1/2) dW(s)
    /// ```
    ///
    /// By the hybrid scheme of [`RiemannLiouvilleBrownian`], with its error at the nodes.
    ///
    /// Source: Bennedsen, Lunde and Pakkanen, Finance Stoch. 21 (2017) 931,
    /// DOI 10.1007/s00780-017-0335-5.
    pub struct RiemannLiouvilleBrownianMotion {
        /// Hurst exponent H: rough below 1/2.
        hurst: Range::UNIT, 0.3;
        /// Strength: the standard deviation at t = 1, in units of X.
        sigma: Range::NOT_NEGATIVE, 1.0;
    }
}

impl RiemannLiouvilleBrownianMotion {
    /// `sigma^2 t^(2H)`
    pub fn variance(&self, t: f64) -> f64 {
        self.sigma.powi(2) * t.powf(2.0 * self.hurst)
    }
}

impl Model for RiemannLiouvilleBrownianMotion {
    const DEFINITION: Definition = Definition {
        name: "riemann-liouville-brownian-motion",
        title: "Brownian motion of Riemann and Liouville",
        equation: &["X(t) = sigma sqrt(2H) int_0^t (t-s)^(H-1/2) dW(s)"],
        scheme: "hybrid scheme with two exact near cells",
        observables: &["x"],
        parameters: Self::PARAMETERS,
        default_grid: DefaultGrid { t1: 1.0, steps: 500 },
    };
    const ADDITIVE: &'static [bool] = &[true];

    type Noise<T: Variate> = RiemannLiouvilleBrownian<T>;
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

    fn noise<T: Variate>(&self, seed: u64) -> Result<RiemannLiouvilleBrownian<T>, SdeError> {
        RiemannLiouvilleBrownian::new(seed, &[self.hurst])
    }

    fn known(&self, elapsed: f64) -> Result<Vec<Known>, SdeError> {
        Ok(vec![Known::both(0.0, self.variance(elapsed))])
    }
}
