use super::definition::{DefaultGrid, Definition, parameters};
use super::{Known, Model, Range, Variate};
use crate::noise::Brownian;
use crate::{EulerMaruyama, SdeError};
use hpfracc_lanes::{Rows, RowsMut};

parameters! {
    /// The process of Ornstein and Uhlenbeck, which noise drives away from a mean and a force takes
    /// back:
    ///
    #[doc = formula!("ornstein_uhlenbeck", r"dX = \theta (\mu - X) \, dt + \sigma \, dW, \quad X(0) = x_0")]
    ///
    /// Gaussian. Scheme: Euler and Maruyama's, of strong order 1 because the noise is additive;
    /// explicit, so that steps have to be shorter than 2/theta.
    ///
    /// Source: Uhlenbeck and Ornstein, Phys. Rev. 36 (1930) 823, DOI 10.1103/PhysRev.36.823.
    pub struct OrnsteinUhlenbeck {
        /// Rate of return to the mean, 1/time.
        theta: Range::POSITIVE, 1.0;
        /// The mean that it returns to, in units of X.
        mu: Range::ANY, 0.0;
        /// Strength of the noise, in units of X a square root of time.
        sigma: Range::NOT_NEGATIVE, 0.5;
        /// Where the paths start, in units of X.
        x0: Range::ANY, 1.0;
    }
}

impl OrnsteinUhlenbeck {
    /// `mu + (x0 - mu) e^(-theta t)`
    pub fn mean(&self, t: f64) -> f64 {
        self.mu + (self.x0 - self.mu) * (-self.theta * t).exp()
    }

    /// `sigma^2 (1 - e^(-2 theta t)) / (2 theta)`
    pub fn variance(&self, t: f64) -> f64 {
        self.sigma.powi(2) * -(-2.0 * self.theta * t).exp_m1() / (2.0 * self.theta)
    }

    /// `e^(-theta |t-s|)` times the variance at the earlier time.
    pub fn covariance(&self, s: f64, t: f64) -> f64 {
        (-self.theta * (t - s).abs()).exp() * self.variance(s.min(t))
    }
}

impl Model for OrnsteinUhlenbeck {
    const DEFINITION: Definition = Definition {
        name: "ornstein-uhlenbeck",
        title: "Ornstein-Uhlenbeck process",
        equation: &["dX = theta (mu - X) dt + sigma dW"],
        scheme: "Euler-Maruyama; steps have to be shorter than 2/theta",
        observables: &["x"],
        parameters: Self::PARAMETERS,
        default_grid: DefaultGrid { t1: 5.0, steps: 500 },
    };
    const ADDITIVE: &'static [bool] = &[true];

    type Noise<T: Variate> = Brownian;
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

    fn noise<T: Variate>(&self, seed: u64) -> Result<Brownian, SdeError> {
        Brownian::new(seed, 1)
    }

    fn known(&self, elapsed: f64) -> Result<Vec<Known>, SdeError> {
        Ok(vec![Known::both(self.mean(elapsed), self.variance(elapsed))])
    }
}
