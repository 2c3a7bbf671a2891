use super::definition::{DefaultGrid, Definition, parameters};
use super::{Known, Model, Range, Variate};
use crate::noise::CorrelatedBrownian;
use crate::{FractionalEulerMaruyama, PathMemory, SdeError};
use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_special::mittag_leffler;
use ndarray::array;

parameters! {
    /// The rough Heston model of El Euch and Rosenbaum, a price whose variance returns to its mean
    /// with a memory:
    ///
    #[doc = formula!("rough_heston", r"dS = S \sqrt{V} \, dZ, \quad S(0) = s_0
        D^{H+1/2} V = \kappa (\theta - V) + \nu \sqrt{V} \, \frac{dW}{dt}, \quad V(0) = v_0")]
    ///
    /// Z and W are Brownian motions of correlation rho, the derivative is Caputo's: a stochastic
    /// Volterra equation with kernel `(t-s)^(H-1/2)/Gamma(H+1/2)`.
    ///
    /// Scheme: [`FractionalEulerMaruyama`] of order H + 1/2 for V, with one near cell, and 1 for
    /// the logarithm of S, with full truncation: what is solved for may fall below 0, all
    /// coefficients see its positive part, and the positive part is what the paths show. S is
    /// positive and a martingale step by step; V is never negative or NaN. The mean of the
    /// truncated V lies above the exact one, and the more so the longer the steps, the smaller H
    /// and the more often V is at 0.
    ///
    /// The paths show S and V.
    ///
    /// Source: El Euch and Rosenbaum, Math. Finance 29 (2019) 3, DOI 10.1111/mafi.12173.
    pub struct RoughHeston {
        /// Where the price starts.
        s0: Range::POSITIVE, 1.0;
        /// Where the variance starts, 1/time.
        v0: Range::NOT_NEGATIVE, 0.04;
        /// Rate of return to the mean, time to the power -(H+1/2).
        kappa: Range::NOT_NEGATIVE, 1.5;
        /// The variance that it returns to, 1/time.
        theta: Range::NOT_NEGATIVE, 0.04;
        /// Volatility of the variance, time to the power -(H+1/2).
        nu: Range::NOT_NEGATIVE, 0.2;
        /// Exponent H of the variance's paths.
        hurst: Range::UP_TO_HALF, 0.12;
        /// Correlation of price and variance.
        rho: Range::MINUS_ONE_TO_ONE, -0.7;
    }
}

impl RoughHeston {
    /// Mean of S: `s0` at all times.
    pub fn mean_price(&self) -> f64 {
        self.s0
    }

    /// Mean of V: `theta + (v0 - theta) E_alpha(-kappa t^alpha)`, alpha = H + 1/2.
    ///
    /// # Errors
    /// [`SdeError::Special`] if the function cannot be evaluated.
    pub fn mean_variance(&self, t: f64) -> Result<f64, SdeError> {
        let alpha = self.hurst + 0.5;
        let left = mittag_leffler(alpha, 1.0, -self.kappa * t.powf(alpha))?;
        Ok(self.theta + (self.v0 - self.theta) * left)
    }
}

impl Model for RoughHeston {
    const DEFINITION: Definition = Definition {
        name: "rough-heston",
        title: "Rough Heston model",
        equation: &[
            "dS = S sqrt(V) (rho dW + sqrt(1 - rho^2) dB)",
            "D^(H+1/2) V = kappa (theta - V) + nu sqrt(V) dW/dt",
        ],
        scheme: "fractional Euler-Maruyama with full truncation: all coefficients see the positive part of V, and so do you; never negative; S is positive and a martingale",
        observables: &["s", "v"],
        parameters: Self::PARAMETERS,
        default_grid: DefaultGrid { t1: 1.0, steps: 500 },
    };
    const ADDITIVE: &'static [bool] = &[false, false];
    /// The diffusion of S depends on V.
    const COMMUTATIVE: bool = false;

    type Noise<T: Variate> = CorrelatedBrownian;
    type Scheme<T: Variate> = FractionalEulerMaruyama;

    fn start(&self) -> Vec<f64> {
        vec![self.v0, self.s0.ln()]
    }

    fn orders(&self) -> Vec<f64> {
        vec![self.hurst + 0.5, 1.0]
    }

    #[inline(always)]
    fn drift<T: Variate>(&self, _: f64, x: Rows<'_, T>, mut f: RowsMut<'_, T>) {
        let (kappa, theta) = (T::narrow(self.kappa), T::narrow(self.theta));
        let (half, lanes) = (T::narrow(-0.5), f.lanes());
        let (variance, price) = f.as_mut_slice().split_at_mut(lanes);
        for ((variance, price), v) in variance.iter_mut().zip(price).zip(&x[0]) {
            let v = v.positive_part();
            (*variance, *price) = (kappa * (theta - v), half * v);
        }
    }

    #[inline(always)]
    fn diffusion<T: Variate>(&self, _: f64, x: Rows<'_, T>, mut g: RowsMut<'_, T>) {
        let (nu, lanes) = (T::narrow(self.nu), g.lanes());
        let (variance, price) = g.as_mut_slice().split_at_mut(lanes);
        for ((variance, price), v) in variance.iter_mut().zip(price).zip(&x[0]) {
            let volatility = v.positive_root();
            (*variance, *price) = (nu * volatility, volatility);
        }
    }

    fn noise<T: Variate>(&self, seed: u64) -> Result<CorrelatedBrownian, SdeError> {
        CorrelatedBrownian::new(seed, array![[1.0, self.rho], [self.rho, 1.0]].view())
    }

    fn scheme<T: Variate>(&self) -> FractionalEulerMaruyama {
        let memory = PathMemory::Exponentials { tolerance: 1e-4 };
        // Near cells stand for a kernel that is singular.
        let near_cells = if self.hurst < 0.5 { 1 } else { 0 };
        FractionalEulerMaruyama::new(memory).near_cells(near_cells).variance_error(1e-3)
    }

    fn known(&self, elapsed: f64) -> Result<Vec<Known>, SdeError> {
        Ok(vec![Known::mean(self.s0), Known::mean(self.mean_variance(elapsed)?)])
    }

    fn observe<T: Variate>(&self, _: f64, x: Rows<'_, T>, mut observed: RowsMut<'_, T>) {
        for (price, log) in observed[0].iter_mut().zip(&x[1]) {
            *price = log.exponential();
        }
        for (variance, v) in observed[1].iter_mut().zip(&x[0]) {
            *variance = v.positive_part();
        }
    }
}
