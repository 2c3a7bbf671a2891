use super::definition::{Definition, Range, Usual, parameters};
use super::{Known, Model, Variate};
use crate::SolveError;
use crate::noise::{Brownian, Rows, RowsMut};
use crate::sde::{
    Coupling, FractionalEulerMaruyama, PathMemory, StochasticProblem, StochasticSystem,
};
use hpfracc_special::gamma;

parameters! {
    /// The rough Bergomi model of Bayer, Friz and Gatheral, a price whose variance is log-normal and rough:
    ///
    /// ```text
    /// dS = S sqrt(V) dZ,   S(0) = s0
    /// V(t) = xi0 exp(eta Y(t) - eta^2/2 t^(2H)),   Y(t) = sqrt(2H) int_0^t (t-s)^(H-1/2) dW(s)
    /// ```
    ///
    /// Z and W are Brownian motions of correlation rho. Y is a Riemann-Liouville process, of variance
    /// t^(2H): a Caputo equation of order H + 1/2 with additive noise, which
    /// [`FractionalEulerMaruyama`] solves with cells of exact variance. The logarithm of S goes by Euler
    /// and Maruyama's scheme, so that S stays positive and a martingale step by step.
    ///
    /// The paths show S and V.
    ///
    /// Source: Bayer, Friz and Gatheral, Quant. Finance 16 (2016) 887, DOI 10.1080/14697688.2015.1099717.
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
        rho: Range::CORRELATION, -0.9;
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
}

/// Coefficients of [`RoughBergomi`] for paths that start at t0, in the logarithm of S and eta Y.
#[derive(Debug, Clone, Copy)]
pub struct RoughBergomiSystem {
    model: RoughBergomi,
    t0: f64,
}

impl RoughBergomiSystem {
    /// The logarithm of `V e^(-eta Y)` at t.
    fn level(&self, t: f64) -> f64 {
        let RoughBergomi { xi0, eta, hurst, .. } = self.model;
        xi0.ln() - 0.5 * eta.powi(2) * (t - self.t0).powf(2.0 * hurst)
    }
}

impl<T: Variate> StochasticSystem<T> for RoughBergomiSystem {
    fn dim(&self) -> usize {
        2
    }

    fn coupling(&self) -> Coupling {
        Coupling::General { noises: 2 }
    }

    #[inline(always)]
    fn drift(&self, t: f64, x: Rows<'_, T>, mut f: RowsMut<'_, T>) {
        let (level, half) = (T::narrow(self.level(t)), T::narrow(-0.5));
        for (f, y) in f[0].iter_mut().zip(&x[1]) {
            *f = half * (level + *y).exponential();
        }
        f[1].fill(T::zero());
    }

    #[inline(always)]
    fn diffusion(&self, t: f64, x: Rows<'_, T>, mut g: RowsMut<'_, T>) {
        let RoughBergomi { eta, hurst, rho, .. } = self.model;
        let (level, half) = (T::narrow(self.level(t)), T::narrow(0.5));
        let (along, across) = (T::narrow(rho), T::narrow((1.0 - rho * rho).sqrt()));
        let lanes = g.lanes();
        let (first, second) = g.as_mut_slice().split_at_mut(lanes);
        for ((first, second), y) in first.iter_mut().zip(second).zip(&x[1]) {
            let volatility = (half * (level + *y)).exponential();
            (*first, *second) = (along * volatility, across * volatility);
        }
        // sqrt(2H) (t-s)^(H-1/2) is the kernel (t-s)^(alpha-1)/Gamma(alpha), times this.
        g[2].fill(T::narrow(eta * (2.0 * hurst).sqrt() * gamma(hurst + 0.5)));
        g[3].fill(T::zero());
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
        observables: &["s", "v"],
        parameters: Self::PARAMETERS,
        usual: Usual { t1: 1.0, steps: 500 },
    };

    type System<T: Variate> = RoughBergomiSystem;
    type Noise<T: Variate> = Brownian;
    type Scheme<T: Variate> = FractionalEulerMaruyama;

    fn problem<T: Variate>(
        &self,
        interval: (f64, f64),
    ) -> Result<StochasticProblem<T, RoughBergomiSystem>, SolveError> {
        let system = RoughBergomiSystem { model: *self, t0: interval.0 };
        let start = [T::narrow(self.s0.ln()), T::zero()];
        StochasticProblem::new(system, interval, &start)?.of_orders(&[1.0, self.hurst + 0.5])
    }

    fn noise<T: Variate>(&self, seed: u64) -> Result<Brownian, SolveError> {
        Brownian::new(seed, 2)
    }

    fn scheme<T: Variate>(&self) -> FractionalEulerMaruyama {
        FractionalEulerMaruyama::new(PathMemory::Exponentials { tolerance: 1e-4 })
    }

    fn known(&self, elapsed: f64) -> Result<Vec<Known>, SolveError> {
        let variance = Known::both(self.xi0, self.variance_of_variance(elapsed));
        Ok(vec![Known::mean(self.s0), variance])
    }

    fn observe<T: Variate>(&self, elapsed: f64, x: Rows<'_, T>, mut observed: RowsMut<'_, T>) {
        for (price, log) in observed[0].iter_mut().zip(&x[0]) {
            *price = log.exponential();
        }
        let level = T::narrow(RoughBergomiSystem { model: *self, t0: 0.0 }.level(elapsed));
        for (variance, y) in observed[1].iter_mut().zip(&x[1]) {
            *variance = (level + *y).exponential();
        }
    }
}
