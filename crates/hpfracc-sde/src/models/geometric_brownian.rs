use super::definition::{DefaultGrid, Definition, parameters};
use super::{Known, Model, Range, Variate};
use crate::noise::Brownian;
use crate::rows::write_scaled;
use crate::{EulerMaruyama, SdeError};
use hpfracc_lanes::{Rows, RowsMut};

parameters! {
    /// Geometric Brownian motion, growth by random factors:
    ///
    #[doc = formula!("geometric_brownian", r"dS = \mu S \, dt + \sigma S \, dW, \quad S(0) = s_0
        S(t) = s_0 \exp \left( (\mu - \sigma^2/2) t + \sigma W(t) \right)")]
    ///
    /// Log-normal. Scheme: Euler and Maruyama's, of strong order 1/2; its second moment is
    /// `s0^2 ((1 + mu h)^2 + sigma^2 h)^n` after n steps.
    ///
    /// Source: Samuelson, Ind. Manage. Rev. 6 (1965) 13.
    pub struct GeometricBrownian {
        /// Rate of growth of the mean, 1/time.
        mu: Range::ANY, 0.05;
        /// Volatility, 1 a square root of time.
        sigma: Range::NOT_NEGATIVE, 0.2;
        /// Where the paths start, in units of S.
        s0: Range::POSITIVE, 1.0;
    }
}

impl GeometricBrownian {
    /// `s0 e^(mu t)`
    pub fn mean(&self, t: f64) -> f64 {
        self.s0 * (self.mu * t).exp()
    }

    /// `s0^2 e^(2 mu t) (e^(sigma^2 t) - 1)`
    pub fn variance(&self, t: f64) -> f64 {
        self.covariance(t, t)
    }

    /// `s0^2 e^(mu (s+t)) (e^(sigma^2 min(s, t)) - 1)`
    pub fn covariance(&self, s: f64, t: f64) -> f64 {
        self.mean(s) * self.mean(t) * (self.sigma.powi(2) * s.min(t)).exp_m1()
    }
}

impl Model for GeometricBrownian {
    const DEFINITION: Definition = Definition {
        name: "geometric-brownian",
        title: "Geometric Brownian motion",
        equation: &["dS = mu S dt + sigma S dW"],
        scheme: "Euler-Maruyama",
        observables: &["s"],
        parameters: Self::PARAMETERS,
        default_grid: DefaultGrid { t1: 1.0, steps: 250 },
    };

    type Noise<T: Variate> = Brownian;
    type Scheme<T: Variate> = EulerMaruyama;

    fn start(&self) -> Vec<f64> {
        vec![self.s0]
    }

    #[inline(always)]
    fn drift<T: Variate>(&self, _: f64, x: Rows<'_, T>, mut f: RowsMut<'_, T>) {
        write_scaled(&mut f[0], T::narrow(self.mu), &x[0]);
    }

    #[inline(always)]
    fn diffusion<T: Variate>(&self, _: f64, x: Rows<'_, T>, mut g: RowsMut<'_, T>) {
        write_scaled(&mut g[0], T::narrow(self.sigma), &x[0]);
    }

    fn noise<T: Variate>(&self, seed: u64) -> Result<Brownian, SdeError> {
        Brownian::new(seed, 1)
    }

    fn known(&self, elapsed: f64) -> Result<Vec<Known>, SdeError> {
        Ok(vec![Known::both(self.mean(elapsed), self.variance(elapsed))])
    }
}
