use super::definition::{DefaultGrid, Definition, parameters};
use super::{Known, Model, Range, Variate};
use crate::noise::FractionalBrownian;
use crate::{EulerMaruyama, SdeError};
use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_special::{gamma, gamma_p, gamma_q, mittag_leffler};

parameters! {
    /// The process of Ornstein and Uhlenbeck driven by fractional Brownian motion:
    ///
    #[doc = formula!("fractional_ornstein_uhlenbeck", r"dX = \theta (\mu - X) \, dt + \sigma \, dB, \quad X(0) = x_0")]
    ///
    /// B has the exponent H, 0 < H < 1. Gaussian; for H > 1/2 it remembers as a power of time.
    /// Noise is additive, so that every H has a meaning path by path. Scheme: Euler and Maruyama's,
    /// exact in the noise's distribution; explicit, so that steps have to be shorter than 2/theta.
    ///
    /// Source: Cheridito, Kawaguchi and Maejima, Electron. J. Probab. 8 (2003) 3,
    /// DOI 10.1214/EJP.v8-125.
    pub struct FractionalOrnsteinUhlenbeck {
        /// Rate of return to the mean, 1/time.
        theta: Range::POSITIVE, 1.0;
        /// The mean that it returns to, in units of X.
        mu: Range::ANY, 0.0;
        /// Strength of the noise, in units of X a time to the power H.
        sigma: Range::NOT_NEGATIVE, 0.5;
        /// Hurst exponent H of the noise: persistent above 1/2, antipersistent below.
        hurst: Range::UNIT, 0.7;
        /// Where the paths start, in units of X.
        x0: Range::ANY, 1.0;
    }
}

impl FractionalOrnsteinUhlenbeck {
    /// `mu + (x0 - mu) e^(-theta t)`
    pub fn mean(&self, t: f64) -> f64 {
        self.mu + (self.x0 - self.mu) * (-self.theta * t).exp()
    }

    /// `sigma^2 H int_0^t r^(2H-1) (e^(-theta r) + e^(-theta (2t-r))) dr`
    ///
    /// # Errors
    /// [`SdeError::Special`] if incomplete gamma functions cannot be evaluated.
    pub fn variance(&self, t: f64) -> Result<f64, SdeError> {
        let sum = self.falling(t)? + (-self.theta * t).exp() * self.rising(t)?;
        Ok(self.sigma.powi(2) * self.hurst * sum)
    }

    /// The limit of the variance, `sigma^2 Gamma(2H+1) / (2 theta^(2H))`.
    pub fn stationary_variance(&self) -> f64 {
        let two_h = 2.0 * self.hurst;
        self.sigma.powi(2) * gamma(two_h + 1.0) / (2.0 * self.theta.powf(two_h))
    }

    /// Covariance of X(s) and X(t): with s <= t and tau = t - s
    ///
    /// ```text
    /// e^(-theta tau) Var(s) + sigma^2 H/2 (  int_0^s (tau+w)^(2H-1) e^(-theta w) dw
    ///                                      + e^(-theta (s+t)) int_s^t w^(2H-1) e^(theta w) dw
    ///                                      - int_0^tau w^(2H-1) e^(-theta (tau-w)) dw
    ///                                      - e^(-theta tau) int_0^s w^(2H-1) e^(-theta w) dw)
    /// ```
    ///
    /// # Errors
    /// As for [`variance`](Self::variance).
    pub fn covariance(&self, s: f64, t: f64) -> Result<f64, SdeError> {
        let (s, t) = (s.min(t), s.max(t));
        let (tau, theta) = (t - s, self.theta);
        let decay = |t: f64| (-theta * t).exp();
        let later = self.tail(tau)? - decay(s) * self.tail(t)?;
        let between = decay(s) * self.rising(t)? - decay(t) * self.rising(s)?;
        let sum = later + between - self.rising(tau)? - decay(tau) * self.falling(s)?;
        Ok(decay(tau) * self.variance(s)? + 0.5 * self.sigma.powi(2) * self.hurst * sum)
    }

    /// `int_0^t r^(2H-1) e^(-theta r) dr`
    fn falling(&self, t: f64) -> Result<f64, SdeError> {
        let two_h = 2.0 * self.hurst;
        Ok(gamma(two_h) * self.theta.powf(-two_h) * gamma_p(two_h, self.theta * t)?)
    }

    /// `int_0^t r^(2H-1) e^(-theta (t-r)) dr`
    fn rising(&self, t: f64) -> Result<f64, SdeError> {
        let two_h = 2.0 * self.hurst;
        let e = mittag_leffler(1.0, two_h + 1.0, -self.theta * t)?;
        Ok(gamma(two_h) * t.powf(two_h) * e)
    }

    /// `int_t^oo r^(2H-1) e^(-theta (r-t)) dr`
    fn tail(&self, t: f64) -> Result<f64, SdeError> {
        let (two_h, x) = (2.0 * self.hurst, self.theta * t);
        let scaled = if x < 40.0 {
            gamma(two_h) * gamma_q(two_h, x)? * x.exp()
        } else {
            // Asymptotic: the terms fall up to the 40th, below 1e-16 of the sum.
            let mut term = x.powf(two_h - 1.0);
            let mut sum = 0.0;
            for k in 1..=40 {
                sum += term;
                term *= (two_h - f64::from(k)) / x;
            }
            sum
        };
        Ok(scaled * self.theta.powf(-two_h))
    }
}

impl Model for FractionalOrnsteinUhlenbeck {
    const DEFINITION: Definition = Definition {
        name: "fractional-ornstein-uhlenbeck",
        title: "Fractional Ornstein-Uhlenbeck process",
        equation: &["dX = theta (mu - X) dt + sigma dB, B fractional Brownian of exponent H"],
        scheme: "Euler-Maruyama with noise of exact distribution; steps have to be shorter than 2/theta",
        observables: &["x"],
        parameters: Self::PARAMETERS,
        default_grid: DefaultGrid { t1: 5.0, steps: 500 },
    };
    const ADDITIVE: &'static [bool] = &[true];

    type Noise<T: Variate> = FractionalBrownian<T>;
    type Scheme<T: Variate> = EulerMaruyama;

    fn start(&self) -> Vec<f64> {
        vec![self.x0]
    }

    #[inline(always)]
    fn drift<T: Variate>(&self, _: f64, x: Rows<'_, T>, mut f: RowsMut<'_, T>) {
        let (theta, mu) = (T::narrow(self.theta), T::narrow(self.mu));
        for (f, x) in f[0].iter_mut().zip(&x[0]) {
            *f = theta * (mu - *x);
        }
    }

    #[inline(always)]
    fn diffusion<T: Variate>(&self, _: f64, _: Rows<'_, T>, mut g: RowsMut<'_, T>) {
        g[0].fill(T::narrow(self.sigma));
    }

    fn noise<T: Variate>(&self, seed: u64) -> Result<FractionalBrownian<T>, SdeError> {
        FractionalBrownian::new(seed, &[self.hurst])
    }

    fn known(&self, elapsed: f64) -> Result<Vec<Known>, SdeError> {
        Ok(vec![Known::both(self.mean(elapsed), self.variance(elapsed)?)])
    }
}
