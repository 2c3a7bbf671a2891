use super::definition::{DefaultGrid, Definition, parameters};
use super::{Known, Model, Range, Variate};
use crate::noise::RiemannLiouvilleBrownian;
use crate::{EulerMaruyama, SdeError};
use hpfracc_lanes::{Rows, RowsMut};

parameters! {
    /// The rough Bergomi model of Bayer, Friz and Gatheral, a price whose variance is log-normal
    /// and rough:
    ///
    #[doc = formula!("rough_bergomi", r"dS = S \sqrt{V} \, dZ, \quad S(0) = s_0
        V(t) = \xi_0 \exp \left( \eta Y(t) - \tfrac{1}{2} \eta^2 t^{2H} \right), \quad Y(t) = \sqrt{2H} \int_0^t (t-s)^{H-1/2} \, dW(s)")]
    ///
    /// Z and W are Brownian motions of correlation rho. Y and Z are one noise,
    /// [`RiemannLiouvilleBrownian`] with its correlated Brownian motion, by the hybrid scheme with
    /// two near cells; the logarithm of S goes by Euler and Maruyama's scheme with V at the start
    /// of each step, so that S stays positive and a martingale step by step.
    ///
    /// The paths show S and V.
    ///
    /// Source: Bayer, Friz and Gatheral, Quant. Finance 16 (2016) 887, DOI
    /// 10.1080/14697688.2015.1099717.
    pub struct RoughBergomi {
        /// Where the price starts.
        s0: Range::POSITIVE, 1.0;
        /// The mean variance, the same for all times, 1/time.
        xi0: Range::POSITIVE, 0.055_225;
        /// Volatility of the variance, time to the power -H.
        eta: Range::NOT_NEGATIVE, 1.9;
        /// Exponent H of the variance's paths.
        hurst: Range::UP_TO_HALF, 0.07;
        /// Correlation of price and variance.
        rho: Range::MINUS_ONE_TO_ONE, -0.9;
    }
}

impl RoughBergomi {
    /// Mean of S: `s0` at all times.
    pub fn mean_price(&self) -> f64 {
        self.s0
    }

    /// Mean of V: `xi0` at all times.
    pub fn mean_variance(&self) -> f64 {
        self.xi0
    }

    /// Variance of V: `xi0^2 (e^(eta^2 t^(2H)) - 1)`.
    pub fn variance_of_variance(&self, t: f64) -> f64 {
        self.xi0.powi(2) * (self.eta.powi(2) * t.powf(2.0 * self.hurst)).exp_m1()
    }

    /// The logarithm of V where Y is 0.
    fn level(&self, t: f64) -> f64 {
        self.xi0.ln() - 0.5 * self.eta.powi(2) * t.powf(2.0 * self.hurst)
    }
}

impl Model for RoughBergomi {
    const DEFINITION: Definition = Definition {
        name: "rough-bergomi",
        title: "Rough Bergomi model",
        equation: &[
            "dS = S sqrt(V) (rho dW + sqrt(1 - rho^2) dB)",
            "V = xi0 exp(eta sqrt(2H) int (t-s)^(H-1/2) dW - eta^2/2 t^(2H))",
        ],
        scheme: "hybrid scheme with two near cells for the noise, Euler-Maruyama for the logarithm of S; S is positive and a martingale",
        observables: &["s", "v"],
        parameters: Self::PARAMETERS,
        default_grid: DefaultGrid { t1: 1.0, steps: 500 },
    };
    const ADDITIVE: &'static [bool] = &[true, false];
    /// The diffusion of S depends on Y.
    const COMMUTATIVE: bool = false;

    type Noise<T: Variate> = RiemannLiouvilleBrownian<T>;
    type Scheme<T: Variate> = EulerMaruyama;

    fn start(&self) -> Vec<f64> {
        vec![0.0, self.s0.ln()]
    }

    #[inline(always)]
    fn drift<T: Variate>(&self, t: f64, x: Rows<'_, T>, mut f: RowsMut<'_, T>) {
        let (level, eta) = (T::narrow(self.level(t)), T::narrow(self.eta));
        let half = T::narrow(-0.5);
        f[0].fill(T::zero());
        for (f, y) in f[1].iter_mut().zip(&x[0]) {
            *f = half * (level + eta * *y).exponential();
        }
    }

    #[inline(always)]
    fn diffusion<T: Variate>(&self, t: f64, x: Rows<'_, T>, mut g: RowsMut<'_, T>) {
        let (level, eta) = (0.5 * self.level(t), 0.5 * self.eta);
        let (level, eta) = (T::narrow(level), T::narrow(eta));
        g[0].fill(T::one());
        for (g, y) in g[1].iter_mut().zip(&x[0]) {
            *g = (level + eta * *y).exponential();
        }
    }

    fn noise<T: Variate>(&self, seed: u64) -> Result<RiemannLiouvilleBrownian<T>, SdeError> {
        RiemannLiouvilleBrownian::new(seed, &[self.hurst])?.with_correlated(self.rho)
    }

    fn known(&self, elapsed: f64) -> Result<Vec<Known>, SdeError> {
        let variance = Known::both(self.xi0, self.variance_of_variance(elapsed));
        Ok(vec![Known::mean(self.s0), variance])
    }

    fn observe<T: Variate>(&self, elapsed: f64, x: Rows<'_, T>, mut observed: RowsMut<'_, T>) {
        for (price, log) in observed[0].iter_mut().zip(&x[1]) {
            *price = log.exponential();
        }
        let level = T::narrow(self.level(elapsed));
        let eta = T::narrow(self.eta);
        for (variance, y) in observed[1].iter_mut().zip(&x[0]) {
            *variance = (level + eta * *y).exponential();
        }
    }
}
