//! The two derivatives with a nonsingular kernel.

use super::nonsingular::{InitialConsistency, Nonsingular};
use crate::{OdeError, Problem, System};

/// Defines the equations with a derivative whose integral has the order `$order`, from alpha.
macro_rules! derivative {
    ($(#[$documentation:meta])* $name:ident: $order:expr, $(#[$normalisation:meta])*) => {
        $(#[$documentation])*
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub struct $name {
            /// The order a.
            pub alpha: f64,
            $(#[$normalisation])*
            pub normalisation: f64,
        }

        impl $name {
            /// With a normalisation of 1.
            pub fn new(alpha: f64) -> Self {
                Self { alpha, normalisation: 1.0 }
            }

            /// `D y = f(t, y)` with y(t0) = `initial`.
            ///
            /// # Errors
            /// [`OdeError::Inconsistent`] for initial values that are not consistent,
            /// [`OdeError::OutOfRange`] for the order or the normalisation, [`OdeError::NotFinite`]
            /// if f is not finite at t0, and those of [`Problem::of`].
            pub fn problem<S: System>(
                self,
                interval: (f64, f64),
                initial: &[f64],
                start: InitialConsistency,
                system: S,
            ) -> Result<Problem<Nonsingular<S>>, OdeError> {
                let definition = (self.alpha, self.normalisation, $order(self.alpha));
                Nonsingular::problem(system, definition, interval, initial, start)
            }
        }
    };
}

derivative! {
    /// Equations with the derivative of Caputo and Fabrizio.
    ///
    #[doc = formula!("ode_caputo_fabrizio", r"D y(t) = \frac{M}{1-a} \int_{t_0}^t e^{-a (t-s) / (1-a)} y'(s) \, ds = f(t, y)
    y = y_0 + \frac{1-a}{M} (f - f_0) + \frac{a}{M} \int_{t_0}^t f \, ds \quad \text{if } f_0 = f(t_0, y_0) = 0")]
    ///
    /// Range: 0 < a <= 1; at 1 it is y' = f/M. The memory is one integral, a Caputo problem of
    /// order 1 ([`Nonsingular`]), whose kernel is 1: with
    /// [`HistoryChoice::Exponentials`](crate::history::HistoryChoice::Exponentials) a solve costs
    /// O(N) and keeps one number for each component. Order: the scheme's for order 1, 2 for PECE.
    ///
    /// ```
    /// use hpfracc_ode::{
    ///     AdamsBashforthMoulton, CaputoFabrizio, Options, Rhs, InitialConsistency, Steps, solve,
    /// };
    ///
    /// // D y = t - y, y(0) = 0, alpha = 1/2, against the solution by Laplace's transform.
    /// let rhs = Rhs(|t: f64, y: &[f64], out: &mut [f64]| out[0] = t - y[0]);
    /// let problem =
    ///     CaputoFabrizio::new(0.5).problem((0.0, 1.0), &[0.0], InitialConsistency::Required, rhs)?;
    /// let scheme = AdamsBashforthMoulton::default();
    /// let solution = solve(&problem, &scheme, &Steps::Uniform(200), Options::default())?;
    /// let y = problem.system().value(&solution, 1.0)?[0];
    /// // mu = (a/M)/(1 + (1-a)/M) = 1/3
    /// let (mu, e) = (1.0 / 3.0, (-1.0f64 / 3.0).exp());
    /// let exact = ((1.0 - e) / mu + (1.0 / mu - (1.0 - e) / (mu * mu))) / 3.0;
    /// assert!((y - exact).abs() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Source: Caputo and Fabrizio, Progr. Fract. Differ. Appl. 1 (2015) 73, DOI
    /// 10.12785/pfda/010201; the integral: Losada and Nieto, ibid. 87, DOI 10.12785/pfda/010202.
    CaputoFabrizio: |_| 1.0,
    /// M(a), with M(0) = M(1) = 1.
}

derivative! {
    /// Equations with the derivative of Atangana and Baleanu in the sense of Caputo.
    ///
    #[doc = formula!("ode_atangana_baleanu", r"D y(t) = \frac{B}{1-a} \int_{t_0}^t E_a \left( -\frac{a}{1-a} (t-s)^a \right) y'(s) \, ds = f(t, y)
    y = y_0 + \frac{1-a}{B} (f - f_0) + \frac{a}{B} I^a f \quad \text{if } f_0 = f(t_0, y_0) = 0")]
    ///
    /// Range: 0 < a <= 1; at 1 it is y' = f/B. The memory is that of a Caputo problem of order a
    /// ([`Nonsingular`]) and costs as much. Order: the scheme's for that problem. If f_0 = 0 and f
    /// is smooth in t, y begins as t + t^(1+a), and schemes of order 2 for smooth `D^a x` have
    /// order 2 at a fixed time and min(2, 1 + 2a) over all nodes; after a
    /// [`InitialConsistency::Relaxed`] from f_0 other than 0, y begins as t^a and they have 1 + a
    /// at a fixed time.
    ///
    /// ```
    /// use hpfracc_ode::{
    ///     AdamsBashforthMoulton, AtanganaBaleanu, Options, Rhs, InitialConsistency, Steps, solve,
    /// };
    /// use hpfracc_special::mittag_leffler;
    ///
    /// // D y = -y from y(0) = 1 is not consistent: D y is 0 at 0. Relaxed, y = E_a(-mu t^a).
    /// let rhs = || Rhs(|_: f64, y: &[f64], out: &mut [f64]| out[0] = -y[0]);
    /// let kind = AtanganaBaleanu::new(0.5);
    /// assert!(kind.problem((0.0, 1.0), &[1.0], InitialConsistency::Required, rhs()).is_err());
    /// let problem = kind.problem((0.0, 1.0), &[1.0], InitialConsistency::Relaxed, rhs())?;
    /// let scheme = AdamsBashforthMoulton { passes: 2 };
    /// let solution = solve(&problem, &scheme, &Steps::Uniform(400), Options::default())?;
    /// let y = problem.system().value(&solution, 1.0)?[0];
    /// assert!((y - mittag_leffler(0.5, 1.0, -1.0 / 3.0)?).abs() < 1e-5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Source: Atangana and Baleanu, Thermal Science 20 (2016) 763, DOI 10.2298/TSCI160111018A; on
    /// the start: Diethelm, Garrappa, Giusti and Stynes, Fract. Calc. Appl. Anal. 23 (2020) 610,
    /// DOI 10.1515/fca-2020-0032.
    AtanganaBaleanu: |alpha| alpha,
    /// B(a), with B(0) = B(1) = 1. Some papers take 1 - a + a/Gamma(a).
}
