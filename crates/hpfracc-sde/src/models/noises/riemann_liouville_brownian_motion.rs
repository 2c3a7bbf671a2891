use crate::SdeError;
use crate::models::definition::parameters;
use crate::models::{Known, Range, Variate};
use crate::noise::RiemannLiouvilleBrownian;

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

    fn strength(&self) -> f64 {
        self.sigma
    }

    fn noise_of<T: Variate>(&self, seed: u64) -> Result<RiemannLiouvilleBrownian<T>, SdeError> {
        RiemannLiouvilleBrownian::new(seed, &[self.hurst])
    }

    fn known_at(&self, t: f64) -> Known {
        Known::both(0.0, self.variance(t))
    }
}

model_of_noise! {
    RiemannLiouvilleBrownianMotion: RiemannLiouvilleBrownian<T>,
    name: "riemann-liouville-brownian-motion",
    title: "Brownian motion of Riemann and Liouville",
    equation: "X(t) = sigma sqrt(2H) int_0^t (t-s)^(H-1/2) dW(s)",
    scheme: "hybrid scheme with two exact near cells",
    t1: 1.0
}
