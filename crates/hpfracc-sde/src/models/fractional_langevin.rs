use super::definition::{DefaultGrid, Definition, parameters};
use super::{Known, Model, Range, Variate};
use crate::noise::FractionalBrownian;
use crate::rows::write_scaled;
use crate::{ForcedEulerMaruyama, SdeError};
use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_special::{gamma, mittag_leffler};

parameters! {
    /// Langevin's equation with a friction that remembers, without inertia: a particle in a
    /// viscoelastic bath, free or on a spring.
    ///
    #[doc = formula!("fractional_langevin", r"\gamma D^\alpha x = -k x + \xi, \quad x(0) = x_0, \quad 0 < \alpha \le 1
        \mathrm{E} \, \xi(s) \xi(t) = \frac{\gamma k_B T}{\Gamma(1-\alpha)} |t-s|^{-\alpha}")]
    ///
    /// The force xi is fractional Gaussian noise of exponent 1 - alpha/2, of the strength that
    /// fluctuation and dissipation demand, `xi = sqrt(2 kT gamma / Gamma(3-alpha)) dB/dt`. Its
    /// integral of order alpha is a fractional Brownian motion again, of exponent alpha/2, exactly:
    ///
    #[doc = formula!("fractional_langevin_solution", r"x(t) = x_0 - \frac{k}{\gamma} I^\alpha x + \sqrt{\frac{2 k_B T}{\gamma \, \Gamma(1+\alpha)}} \, B(t)")]
    ///
    /// Scheme: [`ForcedEulerMaruyama`] in this form, in which a free particle has its exact
    /// distribution for any step. On a spring the mean is of order 1 in the step h and the
    /// variance, which comes out too large, of order min(1, 2 alpha): with k/gamma = 1/2 and t = 3
    /// by 8, 1.6 and 0.6 % at alpha = 0.2, 0.4 and 0.6 after 240 steps. `h^alpha k / gamma` has to
    /// be below 0.99.
    ///
    /// Source: Lutz, Phys. Rev. E 64 (2001) 051106, DOI 10.1103/PhysRevE.64.051106; fluctuation and
    /// dissipation: Kubo, Rep. Prog. Phys. 29 (1966) 255, DOI 10.1088/0034-4885/29/1/306.
    pub struct FractionalLangevin {
        /// Order of the friction: 1 is a Newtonian bath, smaller is more elastic.
        alpha: Range::UP_TO_ONE, 0.6;
        /// Friction gamma, force by length, times time to the power alpha.
        gamma: Range::POSITIVE, 1.0;
        /// Stiffness of the spring, force by length; 0 is a free particle.
        k: Range::NOT_NEGATIVE, 0.0;
        /// Temperature as an energy, force times length.
        kt: Range::NOT_NEGATIVE, 1.0;
        /// Where the particle starts, a length.
        x0: Range::ANY, 0.0;
    }
}

impl FractionalLangevin {
    /// `x0 E_alpha(-(k/gamma) t^alpha)`
    ///
    /// # Errors
    /// [`SdeError::Special`] if the function cannot be evaluated.
    pub fn mean(&self, t: f64) -> Result<f64, SdeError> {
        Ok(self.x0 * self.relaxation(t)?)
    }

    /// `kT/k (1 - E_alpha(-(k/gamma) t^alpha)^2)`, and for a free particle
    /// `2 kT/gamma t^alpha / Gamma(1+alpha)`.
    ///
    /// # Errors
    /// As for [`mean`](Self::mean).
    pub fn variance(&self, t: f64) -> Result<f64, SdeError> {
        self.covariance(t, t)
    }

    /// `kT/k (E_alpha(-(k/gamma) |t-s|^alpha) - E_alpha(-(k/gamma) s^alpha) E_alpha(-(k/gamma)
    /// t^alpha))`, and for a free particle `kT/gamma (s^alpha + t^alpha - |t-s|^alpha) /
    /// Gamma(1+alpha)`.
    ///
    /// # Errors
    /// As for [`mean`](Self::mean).
    pub fn covariance(&self, s: f64, t: f64) -> Result<f64, SdeError> {
        let apart = (t - s).abs();
        // (1 - E_alpha(-(k/gamma) t^alpha)) gamma/k = t^alpha E_{alpha, 1+alpha}(..): nothing
        // cancels as k falls to 0.
        let lost = |t: f64| -> Result<f64, SdeError> {
            let e = mittag_leffler(self.alpha, 1.0 + self.alpha, self.argument(t))?;
            Ok(t.powf(self.alpha) * e)
        };
        let (of_s, of_t, of_both) = (lost(s)?, lost(t)?, lost(apart)?);
        let sum = of_s + of_t - of_both - self.k / self.gamma * of_s * of_t;
        Ok(self.kt / self.gamma * sum)
    }

    /// Mean square of x(t) - x0.
    ///
    /// # Errors
    /// As for [`mean`](Self::mean).
    pub fn mean_square_displacement(&self, t: f64) -> Result<f64, SdeError> {
        Ok(self.variance(t)? + (self.mean(t)? - self.x0).powi(2))
    }

    fn argument(&self, t: f64) -> f64 {
        -self.k / self.gamma * t.powf(self.alpha)
    }

    fn relaxation(&self, t: f64) -> Result<f64, SdeError> {
        Ok(mittag_leffler(self.alpha, 1.0, self.argument(t))?)
    }
}

impl Model for FractionalLangevin {
    const DEFINITION: Definition = Definition {
        name: "fractional-langevin",
        title: "Fractional Langevin equation",
        equation: &[
            "gamma D^alpha x = -k x + xi",
            "E xi(s) xi(t) = gamma kT |t-s|^(-alpha) / Gamma(1-alpha)",
        ],
        scheme: "noise of exact distribution outside the memory of the drift (product rectangle rule); k dt^alpha/gamma has to be below 0.99",
        observables: &["x"],
        parameters: Self::PARAMETERS,
        default_grid: DefaultGrid { t1: 10.0, steps: 500 },
    };
    const ADDITIVE: &'static [bool] = &[true];

    type Noise<T: Variate> = FractionalBrownian<T>;
    type Scheme<T: Variate> = ForcedEulerMaruyama;

    fn start(&self) -> Vec<f64> {
        vec![self.x0]
    }

    fn orders(&self) -> Vec<f64> {
        vec![self.alpha]
    }

    #[inline(always)]
    fn drift<T: Variate>(&self, _: f64, x: Rows<'_, T>, mut f: RowsMut<'_, T>) {
        write_scaled(&mut f[0], T::narrow(-self.k / self.gamma), &x[0]);
    }

    #[inline(always)]
    fn diffusion<T: Variate>(&self, _: f64, _: Rows<'_, T>, mut g: RowsMut<'_, T>) {
        let squared = 2.0 * self.kt / (self.gamma * gamma(1.0 + self.alpha));
        g[0].fill(T::narrow(squared.sqrt()));
    }

    fn noise<T: Variate>(&self, seed: u64) -> Result<FractionalBrownian<T>, SdeError> {
        FractionalBrownian::new(seed, &[0.5 * self.alpha])
    }

    fn known(&self, elapsed: f64) -> Result<Vec<Known>, SdeError> {
        Ok(vec![Known::both(self.mean(elapsed)?, self.variance(elapsed)?)])
    }
}
