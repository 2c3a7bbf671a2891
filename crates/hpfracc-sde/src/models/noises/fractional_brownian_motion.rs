use crate::SdeError;
use crate::models::definition::parameters;
use crate::models::{Known, Range, Variate};
use crate::noise::{FractionalBrownian, fractional_brownian_covariance};

parameters! {
    /// Fractional Brownian motion (fBm) of Mandelbrot and Van Ness, with stationary increments:
    ///
    /// ```text
    /// X(t) = sigma B(t),  E B(s) B(t) = (s^(2H) + t^(2H) - |t-s|^(2H)) / 2
    /// ```
    ///
    /// Exact in distribution at the nodes, by [`FractionalBrownian`].
    ///
    /// Source: Mandelbrot and Van Ness, SIAM Rev. 10 (1968) 422, DOI 10.1137/1010093.
    pub struct FractionalBrownianMotion {
        /// Hurst exponent H: persistent above 1/2, antipersistent below.
        hurst: Range::UNIT, 0.7;
        /// Strength: the standard deviation at t = 1, in units of X.
        sigma: Range::NOT_NEGATIVE, 1.0;
    }
}

impl FractionalBrownianMotion {
    /// `sigma^2 t^(2H)`
    pub fn variance(&self, t: f64) -> f64 {
        self.sigma.powi(2) * t.powf(2.0 * self.hurst)
    }

    /// `sigma^2 (|s|^(2H) + |t|^(2H) - |t-s|^(2H)) / 2`
    ///
    /// # Errors
    /// Those of [`fractional_brownian_covariance`].
    pub fn covariance(&self, s: f64, t: f64) -> Result<f64, SdeError> {
        Ok(self.sigma.powi(2) * fractional_brownian_covariance(self.hurst, s, t)?)
    }

    fn strength(&self) -> f64 {
        self.sigma
    }

    fn noise_of<T: Variate>(&self, seed: u64) -> Result<FractionalBrownian<T>, SdeError> {
        FractionalBrownian::new(seed, &[self.hurst])
    }

    fn known_at(&self, t: f64) -> Known {
        Known::both(0.0, self.variance(t))
    }
}

model_of_noise! {
    FractionalBrownianMotion: FractionalBrownian<T>,
    name: "fractional-brownian-motion",
    title: "Fractional Brownian motion",
    equation: "dX = sigma dB, E B(s) B(t) = (s^2H + t^2H - |t-s|^2H) / 2",
    scheme: "sum of the increments, which circulant embedding (Davies-Harte) makes exact in distribution",
    t1: 1.0
}
