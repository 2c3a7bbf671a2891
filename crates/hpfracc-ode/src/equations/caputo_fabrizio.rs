use crate::{InitialConsistency, Nonsingular, OdeError, Problem, System};

/// Equations with the derivative of Caputo and Fabrizio.
///
#[doc = formula!("ode_caputo_fabrizio", r"D y(t) = \frac{M}{1-a} \int_{t_0}^t e^{-a (t-s) / (1-a)} y'(s) \, ds = f(t, y)
    y = y_0 + \frac{1-a}{M} (f - f_0) + \frac{a}{M} \int_{t_0}^t f \, ds \quad \text{if } f_0 = f(t_0, y_0) = 0")]
///
/// Range: 0 < a <= 1; at 1 it is y' = f/M. The memory is one integral, a Caputo problem of order 1
/// ([`Nonsingular`]), whose kernel is 1: with
/// [`HistoryChoice::Exponentials`](crate::history::HistoryChoice::Exponentials) a solve costs O(N) and
/// keeps one number for each component. Order: the scheme's for order 1, 2 for PECE.
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
/// Source: Caputo and Fabrizio, Progr. Fract. Differ. Appl. 1 (2015) 73, DOI 10.12785/pfda/010201; the
/// integral: Losada and Nieto, ibid. 87, DOI 10.12785/pfda/010202.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CaputoFabrizio {
    /// The order a.
    pub alpha: f64,
    /// M(a), with M(0) = M(1) = 1.
    pub normalisation: f64,
}

impl CaputoFabrizio {
    /// With M = 1.
    pub fn new(alpha: f64) -> Self {
        Self { alpha, normalisation: 1.0 }
    }

    /// `D y = f(t, y)` with y(t0) = `initial`.
    ///
    /// # Errors
    /// [`OdeError::Inconsistent`] for a start that is not consistent, [`OdeError::OutOfRange`] for
    /// the order or the normalisation, [`OdeError::NotFinite`] if f has no value at the start, and
    /// those of [`Problem::of`].
    pub fn problem<S: System>(
        self,
        interval: (f64, f64),
        initial: &[f64],
        start: InitialConsistency,
        system: S,
    ) -> Result<Problem<Nonsingular<S>>, OdeError> {
        let definition = (self.alpha, self.normalisation, 1.0);
        Nonsingular::problem(system, definition, interval, initial, start)
    }
}
