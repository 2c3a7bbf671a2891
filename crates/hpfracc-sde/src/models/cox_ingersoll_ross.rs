use super::definition::{DefaultGrid, Definition, parameters};
use super::{Known, Model, Range, Variate};
use crate::noise::Brownian;
use crate::{EulerMaruyama, SdeError};
use hpfracc_lanes::{Rows, RowsMut};

parameters! {
    /// The process of Cox, Ingersoll and Ross, an interest rate or a variance that is never
    /// negative:
    ///
    #[doc = formula!("cox_ingersoll_ross", r"dX = \kappa (\theta - X) \, dt + \sigma \sqrt{X} \, dW, \quad X(0) = x_0")]
    ///
    /// X stays above 0 if `2 kappa theta >= sigma^2` ([`feller`](Self::feller)), and else touches
    /// it.
    ///
    /// Scheme: Euler and Maruyama's with full truncation. The state that is solved for may fall
    /// below 0, drift and diffusion see its positive part, and the positive part is what the paths
    /// show:
    ///
    #[doc = formula!("cox_ingersoll_ross_step", r"Y_{n+1} = Y_n + \kappa (\theta - X_n) h + \sigma \sqrt{X_n} \, dW_n, \quad X_n = \max(Y_n, 0)")]
    ///
    /// No value is ever negative or NaN. Weak order 1 where 0 is out of reach; the bias grows as
    /// `2 kappa theta / sigma^2` falls below 1.
    ///
    /// Sources: Cox, Ingersoll and Ross, Econometrica 53 (1985) 385, DOI 10.2307/1911242; full
    /// truncation: Lord, Koekkoek and van Dijk, Quant. Finance 10 (2010) 177, DOI
    /// 10.1080/14697680802392496.
    pub struct CoxIngersollRoss {
        /// Rate of return to the mean, 1/time.
        kappa: Range::POSITIVE, 1.5;
        /// The mean that it returns to, in units of X.
        theta: Range::NOT_NEGATIVE, 0.04;
        /// Strength of the noise, in square roots of X a square root of time.
        sigma: Range::NOT_NEGATIVE, 0.3;
        /// Where the paths start, in units of X.
        x0: Range::NOT_NEGATIVE, 0.04;
    }
}

impl CoxIngersollRoss {
    /// `theta + (x0 - theta) e^(-kappa t)`
    pub fn mean(&self, t: f64) -> f64 {
        self.theta + (self.x0 - self.theta) * (-self.kappa * t).exp()
    }

    /// `sigma^2/kappa (1 - e^(-kappa t)) (x0 e^(-kappa t) + theta/2 (1 - e^(-kappa t)))`
    pub fn variance(&self, t: f64) -> f64 {
        let (decay, lost) = ((-self.kappa * t).exp(), -(-self.kappa * t).exp_m1());
        let scale = self.sigma.powi(2) / self.kappa;
        scale * lost * (self.x0 * decay + 0.5 * self.theta * lost)
    }

    /// `e^(-kappa |t-s|)` times the variance at the earlier time.
    pub fn covariance(&self, s: f64, t: f64) -> f64 {
        (-self.kappa * (t - s).abs()).exp() * self.variance(s.min(t))
    }

    /// `2 kappa theta / sigma^2`: Feller's condition, that X never touches 0, is that it is at
    /// least 1.
    pub fn feller(&self) -> f64 {
        2.0 * self.kappa * self.theta / self.sigma.powi(2)
    }
}

impl Model for CoxIngersollRoss {
    const DEFINITION: Definition = Definition {
        name: "cox-ingersoll-ross",
        title: "Cox-Ingersoll-Ross process",
        equation: &["dX = kappa (theta - X) dt + sigma sqrt(X) dW"],
        scheme: "Euler-Maruyama with full truncation: drift and noise see the positive part of what is solved for, and so do you; never negative",
        observables: &["x"],
        parameters: Self::PARAMETERS,
        default_grid: DefaultGrid { t1: 5.0, steps: 500 },
    };

    type Noise<T: Variate> = Brownian;
    type Scheme<T: Variate> = EulerMaruyama;

    fn start(&self) -> Vec<f64> {
        vec![self.x0]
    }

    #[inline(always)]
    fn drift<T: Variate>(&self, _: f64, x: Rows<'_, T>, mut f: RowsMut<'_, T>) {
        let (kappa, theta) = (T::narrow(self.kappa), T::narrow(self.theta));
        for (f, x) in f[0].iter_mut().zip(&x[0]) {
            *f = kappa * (theta - x.positive_part());
        }
    }

    #[inline(always)]
    fn diffusion<T: Variate>(&self, _: f64, x: Rows<'_, T>, mut g: RowsMut<'_, T>) {
        let sigma = T::narrow(self.sigma);
        for (g, x) in g[0].iter_mut().zip(&x[0]) {
            *g = sigma * x.positive_root();
        }
    }

    fn noise<T: Variate>(&self, seed: u64) -> Result<Brownian, SdeError> {
        Brownian::new(seed, 1)
    }

    fn known(&self, elapsed: f64) -> Result<Vec<Known>, SdeError> {
        Ok(vec![Known::both(self.mean(elapsed), self.variance(elapsed))])
    }

    fn observe<T: Variate>(&self, _: f64, state: Rows<'_, T>, mut observed: RowsMut<'_, T>) {
        for (x, y) in observed[0].iter_mut().zip(&state[0]) {
            *x = y.positive_part();
        }
    }
}
