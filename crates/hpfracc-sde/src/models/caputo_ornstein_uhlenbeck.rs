use super::definition::{DefaultGrid, Definition, parameters};
use super::{Known, Model, Range, Variate};
use crate::noise::Brownian;
use crate::{FractionalEulerMaruyama, SdeError};
use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_special::{MittagLeffler, mittag_leffler, recip_gamma};

parameters! {
    /// The process of Ornstein and Uhlenbeck with a Caputo derivative: a return to the mean with a
    /// memory, driven by white noise.
    ///
    /// ```text
    /// D^alpha X = theta (mu - X) + sigma dW/dt,   X(0) = x0,   1/2 < alpha <= 1
    /// X(t) = mu + (x0 - mu) E_alpha(-theta t^alpha)
    ///        + sigma int_0^t (t-s)^(alpha-1) E_{alpha,alpha}(-theta (t-s)^alpha) dW(s)
    /// ```
    ///
    /// Gaussian, and not Markov: it returns to the mean as the power `t^-alpha`. Its paths have
    /// the Hölder exponent alpha - 1/2, rougher than Brownian motion, and for alpha <= 1/2 there is
    /// no solution. At alpha = 1 it is [`OrnsteinUhlenbeck`](super::OrnsteinUhlenbeck).
    ///
    /// Scheme: [`FractionalEulerMaruyama`] with one
    /// [near cell](FractionalEulerMaruyama::near_cells): the noise has its exact covariance between
    /// all times within 0.1 %; the drift is of order 1 in the step h. Explicit: `theta h^alpha` has
    /// to be below 0.99.
    ///
    /// Source: Anh and McVinish, J. Appl. Math. Stoch. Anal. 16 (2003) 97,
    /// DOI 10.1155/S1048953303000078.
    pub struct CaputoOrnsteinUhlenbeck {
        /// Order of the derivative, above 1/2 and at most 1.
        alpha: Range::HALF_TO_ONE, 0.8;
        /// Rate of return to the mean, 1/time to the power alpha.
        theta: Range::POSITIVE, 1.0;
        /// The mean that it returns to, in units of X.
        mu: Range::ANY, 0.0;
        /// Strength of the noise, in units of X times time to the power 1/2 - alpha.
        sigma: Range::NOT_NEGATIVE, 0.5;
        /// Where the paths start, in units of X.
        x0: Range::ANY, 1.0;
    }
}

impl CaputoOrnsteinUhlenbeck {
    /// `mu + (x0 - mu) E_alpha(-theta t^alpha)`
    ///
    /// # Errors
    /// [`SdeError::Special`] if the function cannot be evaluated.
    pub fn mean(&self, t: f64) -> Result<f64, SdeError> {
        let e = mittag_leffler(self.alpha, 1.0, -self.theta * t.powf(self.alpha))?;
        Ok(self.mu + (self.x0 - self.mu) * e)
    }

    /// `sigma^2 int_0^t (s^(alpha-1) E_{alpha,alpha}(-theta s^alpha))^2 ds`, within a relative error
    /// of 1e-13.
    ///
    /// By the series of the integrand where `theta s^alpha <= 1`, and for later s by Gauss-Legendre
    /// rules in the logarithm of s.
    ///
    /// # Errors
    /// As for [`mean`](Self::mean).
    pub fn variance(&self, t: f64) -> Result<f64, SdeError> {
        let (alpha, power) = (self.alpha, 2.0 * self.alpha - 1.0);
        let z = self.theta * t.powf(alpha);
        let integral = if z <= 1.0 {
            t.powf(power) * self.series(z)
        } else {
            // In units of the time theta^(-1/alpha), which itself may overflow.
            self.theta.powf(-power / alpha) * (self.series(1.0) + self.beyond(z.ln() / alpha)?)
        };
        Ok(self.sigma.powi(2) * integral)
    }

    /// The limit of the variance for long times.
    ///
    /// # Errors
    /// As for [`mean`](Self::mean).
    pub fn stationary_variance(&self) -> Result<f64, SdeError> {
        self.variance(f64::MAX)
    }

    /// `int_0^1 (v^(alpha-1) E_{alpha,alpha}(-z v^alpha))^2 dv` for z <= 1.
    fn series(&self, z: f64) -> f64 {
        // At z = 1 and alpha = 1/2 the 50th is below 1e-17 of the sum.
        const TERMS: usize = 50;
        let alpha = self.alpha;
        let coefficients: Vec<f64> = (1..=TERMS).map(|k| recip_gamma(alpha * k as f64)).collect();
        let term = |k: usize| {
            let square: f64 = (0..=k).map(|j| coefficients[j] * coefficients[k - j]).sum();
            square * (-z).powi(k as i32) / (2.0 * alpha - 1.0 + alpha * k as f64)
        };
        (0..TERMS).rev().map(term).sum()
    }

    /// `int_0^x e^((2 alpha - 1) y) E_{alpha,alpha}(-e^(alpha y))^2 dy`; the integrand falls at least
    /// as `e^(-(1 + 2 alpha) y)`.
    fn beyond(&self, x: f64) -> Result<f64, SdeError> {
        const PANEL: f64 = 0.5;
        let end = x.min(20.0);
        let (panels, e) = ((end / PANEL).ceil(), MittagLeffler::new(self.alpha, self.alpha)?);
        let value =
            |y: f64| ((2.0 * self.alpha - 1.0) * y).exp() * e.eval(-(self.alpha * y).exp()).powi(2);
        let half = 0.5 * end / panels.max(1.0);
        let panel = |k: i32| {
            let middle = (2.0 * f64::from(k) + 1.0) * half;
            let pairs = GAUSS_LEGENDRE.iter();
            let pair = |(node, weight): &(f64, f64)| {
                weight * (value(middle - node * half) + value(middle + node * half))
            };
            half * pairs.map(pair).sum::<f64>()
        };
        Ok((0..panels as i32).map(panel).sum())
    }
}

/// The positive nodes of the Gauss-Legendre rule of 12 points on [-1, 1], with their weights.
const GAUSS_LEGENDRE: [(f64, f64); 6] = [
    (0.125_233_408_511_468_915, 0.249_147_045_813_402_785),
    (0.367_831_498_998_180_194, 0.233_492_536_538_354_809),
    (0.587_317_954_286_617_447, 0.203_167_426_723_065_922),
    (0.769_902_674_194_304_687, 0.160_078_328_543_346_226),
    (0.904_117_256_370_474_857, 0.106_939_325_995_318_431),
    (0.981_560_634_246_719_251, 0.047_175_336_386_511_827_2),
];

impl Model for CaputoOrnsteinUhlenbeck {
    const DEFINITION: Definition = Definition {
        name: "caputo-ornstein-uhlenbeck",
        title: "Ornstein-Uhlenbeck process with a Caputo derivative",
        equation: &["D^alpha X = theta (mu - X) + sigma dW/dt"],
        scheme: "fractional Euler-Maruyama with a near cell; theta dt^alpha has to be below 0.99",
        observables: &["x"],
        parameters: Self::PARAMETERS,
        default_grid: DefaultGrid { t1: 5.0, steps: 500 },
    };
    const ADDITIVE: &'static [bool] = &[true];

    type Noise<T: Variate> = Brownian;
    type Scheme<T: Variate> = FractionalEulerMaruyama;

    fn start(&self) -> Vec<f64> {
        vec![self.x0]
    }

    fn orders(&self) -> Vec<f64> {
        vec![self.alpha]
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

    fn scheme<T: Variate>(&self) -> FractionalEulerMaruyama {
        FractionalEulerMaruyama::default().near_cells(1)
    }

    fn known(&self, elapsed: f64) -> Result<Vec<Known>, SdeError> {
        Ok(vec![Known::both(self.mean(elapsed)?, self.variance(elapsed)?)])
    }
}
