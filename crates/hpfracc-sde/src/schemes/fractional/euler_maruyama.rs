use super::drift::{Corrector, Drift};
use super::joint_weights::JointWeights;
use super::near_cells::{CellWeights, NearCells, near};
use super::stepper::{FractionalEulerMaruyamaStepper, WithMemory};
use super::weights::{cell_scales, cells, check_orders};
use crate::checks::Range;
use crate::checks::room_for;
use crate::error::out_of_range;
use crate::noise::{Gaussian, NoiseProcess};
use crate::schemes::memory::{PathMemory, PowerKernel};
use crate::schemes::scheme::{Equation, StochasticScheme};
use crate::{Calculus, SdeError};
use std::cell::OnceCell;

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
    pub(super) drift: Drift,
}

impl Default for FractionalEulerMaruyama {
    fn default() -> Self {
        let (memory, drift) = (PathMemory::default(), Drift::default());
        Self { memory, variance_error: 1e-4, near_cells: 0, drift }
    }
}

/// Most near cells whose integrals are drawn.
const MOST_NEAR: usize = 3;

impl FractionalEulerMaruyama {
    /// With this method for the memory.
    pub fn new(memory: PathMemory) -> Self {
        Self { memory, ..Self::default() }
    }

    /// The relative error allowed to the variance of the noise of one cell, and with
    /// [`near_cells`](Self::near_cells) to its covariance with that of another; 1e-4 by default. It
    /// falls as the lag of the cell grows, so that few cells are near: thirteen at alpha = 0.6, with
    /// near cells 39.
    pub fn variance_error(self, variance_error: f64) -> Self {
        Self { variance_error, ..self }
    }

    /// In the nearest `near_cells` cells, 0 to 3, the integral of the kernel over a Brownian noise
    /// is drawn in its joint distribution with the increment, instead of a multiple of it (0 by
    /// default): the hybrid scheme. In the cells beyond, as far as
    /// [`variance_error`](Self::variance_error) requires, the integral is estimated by its
    /// conditional expectation, given all numbers that were drawn for the cell; farther away, by
    /// that given the increment, the mean `b_m / h` times it.
    ///
    /// Covariances, of X at all pairs of times and of X with the noise, then are right too. Relative
    /// to the product of the standard deviations their errors are at most (without drift, alpha
    /// from 0.52 to 0.99, `variance_error` small)
    ///
    /// | near cells | 0 | 1 | 2 | 3 |
    /// |---|--:|--:|--:|--:|
    /// | error | 0.105 | 7e-4 | 1e-6 | 1.1e-8 |
    ///
    /// The strong order stays. For additive noise the error constant falls: without drift, after
    /// 1000 steps on [0, 1], the root of the mean square of the error is
    ///
    /// | alpha | 0 cells | 1 | 2 | 3 |
    /// |---|--:|--:|--:|--:|
    /// | 0.6 | 0.54 | 0.024 | 0.0015 | 0.0011 |
    /// | 0.75 | 0.070 | 0.0056 | 0.00055 | 0.00048 |
    /// | 0.9 | 0.0075 | 0.00085 | 0.00028 | 0.00027 |
    ///
    /// For multiplicative noise less is gained, because X itself changes within a step.
    ///
    /// Each cell costs a normal per noise and step, and a sum over the cells that are estimated.
    /// Other noises have no such integrals and keep their weights.
    ///
    /// Source: Bennedsen, Lunde and Pakkanen, Finance Stoch. 21 (2017) 931,
    /// DOI 10.1007/s00780-017-0335-5; there the increment alone estimates the cells beyond, and
    /// neighbouring values of X have covariances that are 0.9 % too small at alpha = 0.6 with one
    /// near cell.
    pub fn near_cells(self, near_cells: usize) -> Self {
        Self { near_cells, ..self }
    }

    /// Sets how the drift is integrated; by rectangles by default. With
    /// [`Drift::PredictorCorrector`] the scheme has the name `fractional-predictor-corrector`.
    ///
    /// The noise stays as it is, so that the strong order is still that of the noise: for equations
    /// whose noise is small, or smooth, or of no interest beside the mean. Without noise the result
    /// is that of `hpfracc_ode::AdamsBashforthMoulton`, at the order 1
    /// too.
    pub fn drift(self, drift: Drift) -> Self {
        Self { drift, ..self }
    }

    /// The near cells of a component. At the order 1 all cells are alike.
    pub(crate) fn near(&self, alpha: f64) -> NearCells {
        if alpha == 1.0 {
            return NearCells { joint: 0, estimated: 0, scaled: 0 };
        }
        let (joint, estimated) = (self.near_cells, self.estimated_cells(alpha));
        NearCells { joint, estimated, scaled: self.scaled_cells(alpha) }
    }

    /// Cells whose noise has a weight of its own: `s_m/(b_m/h) - 1` is about
    /// `(p-1) (1-alpha)^2 / (24 (m+1/2)^2)`, and p is at most 2.
    fn scaled_cells(&self, alpha: f64) -> usize {
        let squared = (1.0 - alpha).powi(2) / (12.0 * self.variance_error);
        (squared.sqrt() + 0.5).ceil() as usize
    }

    /// Cells whose noise is estimated by the drawn integrals. Without these, its covariance with
    /// that of the nearest cell, over the variance of that, lacks about
    /// `(2 alpha - 1) (1-alpha)^2 / (2 alpha (1+alpha)) m^(alpha-2)`.
    fn estimated_cells(&self, alpha: f64) -> usize {
        let factor = (2.0 * alpha - 1.0) * (1.0 - alpha).powi(2) / (2.0 * alpha * (1.0 + alpha));
        (factor / self.variance_error).powf(1.0 / (2.0 - alpha)).ceil() as usize
    }

    fn check(&self, processes: &[NoiseProcess]) -> Result<(), SdeError> {
        Range::UNIT.check("the error of a cell's variance", self.variance_error)?;
        let what = "the number of near cells";
        let expected = match self.near_cells {
            0 => return Ok(()),
            1..=MOST_NEAR if processes.iter().any(|process| process.is_brownian()) => return Ok(()),
            1..=MOST_NEAR => "0 where no noise is Brownian motion",
            _ => "0 to 3",
        };
        Err(out_of_range(what, self.near_cells as f64, expected))
    }
}

impl<T: Gaussian> StochasticScheme<T> for FractionalEulerMaruyama {
    const NAME: &'static str = "fractional-euler-maruyama";
    const CALCULUS: Calculus = Calculus::Ito;

    type Stepper = FractionalEulerMaruyamaStepper<T>;

    /// `fractional-predictor-corrector`, if the drift is corrected.
    fn name(&self) -> &'static str {
        match self.drift {
            Drift::Rectangle => <Self as StochasticScheme<T>>::NAME,
            Drift::PredictorCorrector => "fractional-predictor-corrector",
        }
    }

    fn prepare(&self, equation: &Equation<'_>) -> Result<Self::Stepper, SdeError> {
        self.check(equation.processes)?;
        check_orders(equation)?;
        // Integrals and weights of each cell, and tables of transforms.
        room_for("the weights of the memory", &[equation.steps, 6, size_of::<f64>()])?;
        let (noise_kind, h) = (equation.noise_kind, equation.h);
        let corrected = self.drift == Drift::PredictorCorrector;
        let mut components: Vec<Option<WithMemory<T>>> = Vec::new();
        let mut integrals = Vec::new();
        // Weights of drawn integrals, by the first component of an order.
        let joint_weights = vec![OnceCell::new(); equation.orders.len()];
        for (i, &alpha) in equation.orders.iter().enumerate() {
            if alpha == 1.0 && !corrected {
                components.push(None);
                continue;
            }
            // What belongs to the order alone, among it a search for exponentials, is made once.
            let alike = equation.orders[..i].iter().position(|order| *order == alpha);
            let cells = cells(alpha, h, equation.steps);
            // At the order 1 one exponential, exact.
            let memory = if alpha == 1.0 { PathMemory::default() } else { self.memory };
            let of = CellWeights {
                cells: &cells,
                scales: &|p, count| cell_scales(alpha, p, h, count),
                joint: &|joint, cells, _| {
                    let made = joint_weights[alike.unwrap_or(i)]
                        .get_or_init(|| JointWeights::new(alpha, h, joint, cells));
                    made.clone()
                },
            };
            let near = near(equation, i, &of, self.near(alpha), &mut integrals);
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
