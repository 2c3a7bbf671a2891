use super::drift::{Corrector, Drift};
use super::stepper::{FractionalEulerMaruyamaStepper, WithMemory};
use super::weights::{NearCells, cells, check_orders, near};
use crate::error::out_of_range;
use crate::noise::{Gaussian, NoiseProcess};
use crate::range::Range;
use crate::schemes::memory::{PathMemory, PowerKernel};
use crate::schemes::scheme::{Equation, StochasticScheme};
use crate::{Calculus, SdeError};

/// Euler and Maruyama's scheme for Caputo equations with noise, of orders alpha <= 1:
///
#[doc = formula!("fractional_euler_maruyama", r"X(t) = X_0 + \frac{1}{\Gamma(\alpha)} \int_0^t (t-s)^{\alpha-1} (f \, ds + g \, dZ)
    X_n = X_0 + \sum_{j<n} b_{n-1-j} f_j + \sum_{j<n} s_{n-1-j} g_j \, dZ_j, \quad b_m = \frac{h^\alpha}{\Gamma(\alpha+1)} \left( (m+1)^\alpha - m^\alpha \right)
    s_m^p = \frac{1}{h} \int \text{kernel}^p \text{ over the cell } m, \text{ for the nearest cells}, \quad s_m = b_m / h \text{ beyond}")]
///
/// The kernel is never taken at a point. The drift is integrated exactly over each cell; what the
/// noise of a cell weighs depends on its [process](NoiseProcess):
///
/// | noise | range of alpha | s_m |
/// |---|---|---|
/// | Brownian | alpha > 1/2 | p = 2: exactly the variance of the cell |
/// | stable, of index p | alpha > 1 - 1/p | exactly the scale of the cell |
/// | jumps of finite variance | alpha > 1/2 | the mean b_m / h |
/// | fractional, of exponent H, added | alpha > 1 - H | the mean b_m / h |
/// | the same, multiplying X | alpha > 2 - 2H | the mean b_m / h |
/// | with a derivative | alpha > 0 | the mean b_m / h |
///
/// Below these orders the integral of the kernel over the noise is infinite, or that of what
/// depends on X is none over paths. Each component has an order of its own, each noise its own
/// process, and every pair of them is judged by itself. Beyond the nearest cells the mean has the
/// scale of the cell within the relative error of [`variance_error`](Self::variance_error).
///
/// Strong orders:
///
/// | noise | added | multiplying X |
/// |---|---|---|
/// | Brownian | alpha - 1/2 | alpha - 1/2 |
/// | fractional | alpha + H - 1 | alpha + 2H - 2 |
///
/// and never more than the 1 of the drift, unless that is [corrected](Self::drift). They are those
/// of the noise within one step of t, whose integral is another random number than its increment:
/// where that matters, [`near_cells`](Self::near_cells) draws it. At alpha = 1, where the order for
/// added noise is 1, a component is that of [`EulerMaruyama`](crate::EulerMaruyama), bit for bit.
///
/// Cost: one f and one g a step, and the sum over the memory, as [`PathMemory`] has it.
///
/// Source: Doan, Huong, Kloeden and Vu, J. Comput. Appl. Math. 380 (2020) 112989, DOI
/// 10.1016/j.cam.2020.112989, of order alpha - 1/2 for Brownian noise, with the kernel at the left
/// of each cell; its mean and its variance there are ours.
///
/// ```
/// use hpfracc_sde::noise::Brownian;
/// use hpfracc_sde::models::{Model, OrnsteinUhlenbeck};
/// use hpfracc_sde::{Ensemble, FractionalEulerMaruyama, Moments};
/// use hpfracc_special::mittag_leffler;
///
/// // D^0.8 X = -X + 0.5 dW/dt, X(0) = 1: the mean is E_0.8(-t^0.8).
/// let problem = OrnsteinUhlenbeck::default().problem::<f64>((0.0, 1.0))?.of_orders(&[0.8])?;
/// let scheme = FractionalEulerMaruyama::default();
/// let found = Ensemble::new(4000, 100)?.solve(&problem, &scheme, &Brownian::new(7, 1)?, &Moments)?;
/// assert!((found.mean[[0, 0]] - mittag_leffler(0.8, 1.0, -1.0)?).abs() < 0.05);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FractionalEulerMaruyama {
    pub(crate) memory: PathMemory,
    variance_error: f64,
    near_cells: usize,
    drift: Drift,
}

impl Default for FractionalEulerMaruyama {
    fn default() -> Self {
        let (memory, drift) = (PathMemory::default(), Drift::default());
        Self { memory, variance_error: 1e-4, near_cells: 0, drift }
    }
}

/// Most near cells whose integrals are drawn.
const MOST_NEAR: usize = 8;

impl FractionalEulerMaruyama {
    /// With this method for the memory.
    pub fn new(memory: PathMemory) -> Self {
        Self { memory, ..Self::default() }
    }

    /// The relative error allowed to the variance of the noise of one cell; 1e-4 by default. It
    /// falls as the square of the cell's lag, so that few cells are near: thirteen at alpha = 0.6.
    pub fn variance_error(self, variance_error: f64) -> Self {
        Self { variance_error, ..self }
    }

    /// In the nearest `near_cells` cells, 0 to 8, the integral of the kernel over a Brownian noise
    /// is drawn in its joint distribution with the increment, instead of a multiple of it (0 by
    /// default): the hybrid scheme.
    ///
    /// Covariances, of X at neighbouring times and of X with the noise, then are right too. The
    /// strong order stays. For additive noise the error constant falls: without drift, after 1000
    /// steps on [0, 1], the root of the mean square of the error is
    ///
    /// | alpha | 0 cells | 1 | 2 | 3 |
    /// |---|--:|--:|--:|--:|
    /// | 0.6 | 0.54 | 0.028 | 0.015 | 0.011 |
    /// | 0.75 | 0.070 | 0.0083 | 0.0050 | 0.0037 |
    /// | 0.9 | 0.0075 | 0.0015 | 0.0010 | 0.0008 |
    ///
    /// For multiplicative noise less is gained, because X itself changes within a step: 0.059
    /// instead of 0.070 for `D^0.75 X = -X + X dW/2` on 16 steps.
    ///
    /// Beyond them the weights are those of the plain scheme. The best ones in the mean square are
    /// the means b_m / h, and with them the covariance of X with the noise is exact; the standard
    /// deviations s_m change neither by more than 2e-4 of itself and have the variance, which the
    /// means miss by up to 5e-4. For the means set [`variance_error`](Self::variance_error) to 1/2.
    ///
    /// Each cell costs a normal per noise and step. Other noises have no such integrals and keep
    /// their weights.
    ///
    /// Source: Bennedsen, Lunde and Pakkanen, Finance Stoch. 21 (2017) 931,
    /// DOI 10.1007/s00780-017-0335-5.
    pub fn near_cells(self, near_cells: usize) -> Self {
        Self { near_cells, ..self }
    }

    /// Sets how the drift is integrated; by rectangles by default.
    ///
    /// The noise stays as it is, so that the strong order is still that of the noise: for equations
    /// whose noise is small, or smooth, or of no interest beside the mean. Without noise the result
    /// is that of `hpfracc_ode::AdamsBashforthMoulton`, at the order 1
    /// too.
    pub fn drift(self, drift: Drift) -> Self {
        Self { drift, ..self }
    }

    /// Cells whose noise has a weight of its own: `s_m/(b_m/h) - 1` is about
    /// `(p-1) (1-alpha)^2 / (24 (m+1/2)^2)`, and p is at most 2.
    fn scaled_cells(&self, alpha: f64) -> usize {
        let squared = (1.0 - alpha).powi(2) / (12.0 * self.variance_error);
        (squared.sqrt() + 0.5).ceil() as usize
    }

    fn check(&self, processes: &[NoiseProcess]) -> Result<(), SdeError> {
        Range::UNIT.check("the error of a cell's variance", self.variance_error)?;
        let what = "the number of near cells";
        let expected = match self.near_cells {
            0 => return Ok(()),
            1..=MOST_NEAR if processes.iter().any(|process| process.is_brownian()) => return Ok(()),
            1..=MOST_NEAR => "0 where no noise is Brownian motion",
            _ => "0 to 8",
        };
        Err(out_of_range(what, self.near_cells as f64, expected))
    }
}

impl<T: Gaussian> StochasticScheme<T> for FractionalEulerMaruyama {
    const NAME: &'static str = "fractional-euler-maruyama";
    const CALCULUS: Calculus = Calculus::Ito;

    type Stepper = FractionalEulerMaruyamaStepper<T>;

    fn prepare(&self, equation: &Equation<'_>) -> Result<Self::Stepper, SdeError> {
        self.check(equation.processes)?;
        check_orders(equation)?;
        let (noise_kind, h) = (equation.noise_kind, equation.h);
        let corrected = self.drift == Drift::PredictorCorrector;
        let mut components: Vec<Option<WithMemory<T>>> = Vec::new();
        let mut integrals = Vec::new();
        for (i, &alpha) in equation.orders.iter().enumerate() {
            if alpha == 1.0 && !corrected {
                components.push(None);
                continue;
            }
            let cells = cells(alpha, h, equation.steps);
            let (memory, count) = if alpha == 1.0 {
                // One exponential, exact; all cells are alike.
                (PathMemory::default(), NearCells { joint: 0, scaled: 0 })
            } else {
                let scaled = self.scaled_cells(alpha);
                (self.memory, NearCells { joint: self.near_cells, scaled })
            };
            let near = near(equation, i, &cells, count, &mut integrals);
            // What belongs to the order alone takes a search for exponentials: made once for each.
            let alike = equation.orders[..i].iter().position(|order| *order == alpha);
            if let Some(known) = alike.and_then(|known| components[known].as_ref()) {
                let component = WithMemory { near, ..known.clone() };
                components.push(Some(component));
                continue;
            }
            let kernel = PowerKernel { alpha, h };
            let corrector = || Corrector::new(memory, &cells, kernel);
            components.push(Some(WithMemory {
                near,
                corrector: corrected.then(corrector).transpose()?,
                ..WithMemory::new(memory, &cells, kernel)?
            }));
        }
        Ok(FractionalEulerMaruyamaStepper {
            noise_kind,
            h,
            components,
            integrals,
            corrected,
            forced: false,
        })
    }
}
