use super::definition::{DefaultGrid, Definition, parameters};
use super::{Known, Model, Range, Variate};
use crate::noise::FractionalBrownian;
use crate::rows::write_scaled;
use crate::{ForcedEulerMaruyama, NoiseKind, SdeError};
use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_special::{mittag_leffler, recip_gamma};

parameters! {
    /// Langevin's equation with a friction that remembers, for a free particle with inertia:
    ///
    #[doc = formula!("inertial_langevin", r"m x'' = -\gamma D^\alpha x + \xi, \quad x(0) = x_0, \quad x'(0) = v_0, \quad 0 < \alpha < 1
        \mathrm{E} \, \xi(s) \xi(t) = \frac{\gamma k_B T}{\Gamma(1-\alpha)} |t-s|^{-\alpha}")]
    ///
    /// The force xi is fractional Gaussian noise of exponent 1 - alpha/2, of the strength that
    /// fluctuation and dissipation demand, `xi = sqrt(2 kT gamma / Gamma(3-alpha)) dB/dt`. It is
    /// solved as a system,
    ///
    #[doc = formula!("inertial_langevin_system", r"x' = v, \quad m v' = -\gamma u + \xi, \quad D^{1-\alpha} u = v, \quad u(0) = 0")]
    ///
    /// because the fractional integral of order 1 - alpha of x' is Caputo's derivative of order
    /// alpha of x. Scheme: [`ForcedEulerMaruyama`]; means and variances are of order 1 in the step.
    ///
    /// The paths show x and v.
    ///
    /// Source: Lutz, Phys. Rev. E 64 (2001) 051106, DOI 10.1103/PhysRevE.64.051106.
    pub struct InertialLangevin {
        /// Order of the friction: near 1 a Newtonian bath, smaller is more elastic.
        alpha: Range::UNIT, 0.6;
        /// Mass, force by length, times time squared.
        m: Range::POSITIVE, 1.0;
        /// Friction gamma, force by length, times time to the power alpha.
        gamma: Range::POSITIVE, 1.0;
        /// Temperature as an energy, force times length.
        kt: Range::NOT_NEGATIVE, 1.0;
        /// Where the particle starts, a length.
        x0: Range::ANY, 0.0;
        /// The velocity that it starts with, length by time.
        v0: Range::ANY, 0.0;
    }
}

impl InertialLangevin {
    /// `x0 + v0 t E_{b,2}(-(gamma/m) t^b)`, b = 2 - alpha.
    ///
    /// # Errors
    /// [`SdeError::Special`] if the function cannot be evaluated.
    pub fn mean(&self, t: f64) -> Result<f64, SdeError> {
        Ok(self.x0 + self.v0 * t * self.response(2.0, t)?)
    }

    /// `kT/m t^2 (2 E_{b,3}(-(gamma/m) t^b) - E_{b,2}(-(gamma/m) t^b)^2)`, b = 2 - alpha.
    ///
    /// # Errors
    /// As for [`mean`](Self::mean).
    pub fn variance(&self, t: f64) -> Result<f64, SdeError> {
        let difference = 2.0 * self.response(3.0, t)? - self.response(2.0, t)?.powi(2);
        Ok(self.kt / self.m * t.powi(2) * difference)
    }

    /// `v0 E_b(-(gamma/m) t^b)`, b = 2 - alpha.
    ///
    /// # Errors
    /// As for [`mean`](Self::mean).
    pub fn mean_velocity(&self, t: f64) -> Result<f64, SdeError> {
        Ok(self.v0 * self.response(1.0, t)?)
    }

    /// `kT/m (1 - E_b(-(gamma/m) t^b)^2)`, b = 2 - alpha: it begins at 0 and ends at equipartition.
    ///
    /// # Errors
    /// As for [`mean`](Self::mean).
    pub fn variance_of_velocity(&self, t: f64) -> Result<f64, SdeError> {
        Ok(self.kt / self.m * (1.0 - self.response(1.0, t)?.powi(2)))
    }

    /// Mean square of x(t) - x0 for particles that start in equilibrium with the bath, v0 being
    /// random: `2 kT/m t^2 E_{b,3}(-(gamma/m) t^b)`, b = 2 - alpha.
    ///
    /// # Errors
    /// As for [`mean`](Self::mean).
    pub fn thermal_mean_square_displacement(&self, t: f64) -> Result<f64, SdeError> {
        Ok(2.0 * self.kt / self.m * t.powi(2) * self.response(3.0, t)?)
    }

    /// `E_{b,beta}(-(gamma/m) t^b)`, b = 2 - alpha.
    fn response(&self, beta: f64, t: f64) -> Result<f64, SdeError> {
        let b = 2.0 - self.alpha;
        Ok(mittag_leffler(b, beta, -self.gamma / self.m * t.powf(b))?)
    }
}

impl Model for InertialLangevin {
    const DEFINITION: Definition = Definition {
        name: "inertial-langevin",
        title: "Fractional Langevin equation with inertia",
        equation: &[
            "m x'' = -gamma D^alpha x + xi",
            "E xi(s) xi(t) = gamma kT |t-s|^(-alpha) / Gamma(1-alpha)",
        ],
        scheme: "x' = v, m v' = -gamma u + xi, D^(1-alpha) u = v: noise outside the memory of the drift (product rectangle rule)",
        observables: &["x", "v"],
        parameters: Self::PARAMETERS,
        default_grid: DefaultGrid { t1: 10.0, steps: 1000 },
    };
    const NOISE_KIND: NoiseKind = NoiseKind::Scalar;
    const ADDITIVE: &'static [bool] = &[true];

    type Noise<T: Variate> = FractionalBrownian<T>;
    type Scheme<T: Variate> = ForcedEulerMaruyama;

    fn start(&self) -> Vec<f64> {
        vec![self.x0, self.v0, 0.0]
    }

    fn orders(&self) -> Vec<f64> {
        vec![1.0, 1.0, 1.0 - self.alpha]
    }

    #[inline(always)]
    fn drift<T: Variate>(&self, _: f64, x: Rows<'_, T>, mut f: RowsMut<'_, T>) {
        f[0].copy_from_slice(&x[1]);
        write_scaled(&mut f[1], T::narrow(-self.gamma / self.m), &x[2]);
        f[2].copy_from_slice(&x[1]);
    }

    #[inline(always)]
    fn diffusion<T: Variate>(&self, _: f64, _: Rows<'_, T>, mut g: RowsMut<'_, T>) {
        let squared = 2.0 * self.kt * self.gamma * recip_gamma(3.0 - self.alpha);
        g[0].fill(T::zero());
        g[1].fill(T::narrow(squared.sqrt() / self.m));
        g[2].fill(T::zero());
    }

    fn noise<T: Variate>(&self, seed: u64) -> Result<FractionalBrownian<T>, SdeError> {
        FractionalBrownian::new(seed, &[1.0 - 0.5 * self.alpha])
    }

    fn known(&self, elapsed: f64) -> Result<Vec<Known>, SdeError> {
        let position = Known::both(self.mean(elapsed)?, self.variance(elapsed)?);
        let velocity =
            Known::both(self.mean_velocity(elapsed)?, self.variance_of_velocity(elapsed)?);
        Ok(vec![position, velocity])
    }
}
