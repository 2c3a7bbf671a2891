mod entries;
mod interpolant;

use crate::error::in_range;
use crate::schemes::cell_integrals::CellIntegrals;
use crate::{Caputo, Operator, OperatorError, RiemannLiouville, RlIntegral, Toeplitz, Weights};
use hpfracc_special::{SpecialError, prabhakar, prabhakar_beta_derivative};
use hpfracc_types::{Grid, Order};
use interpolant::Interpolant;
use std::f64::consts::PI;

pub(crate) use entries::{CAPUTO_ENTRIES, INTEGRAL_ENTRIES, RIEMANN_ENTRIES};

/// Prabhakar's integral and derivatives, whose kernels are three-parameter Mittag-Leffler functions
/// `e^gamma_beta(t) = t^(beta-1) E^gamma_{rho,beta}(omega t^rho)`.
///
#[doc = formula!("prabhakar", r"\text{integral:}\quad \int_0^t e^\gamma_\alpha(t-s) f(s) \, ds
    \text{caputo, the regularised derivative:}\quad \int_0^t e^{-\gamma}_{1-\alpha}(t-s) f'(s) \, ds
    \text{riemann-liouville:}\quad \frac{d}{dt} \int_0^t e^{-\gamma}_{1-\alpha}(t-s) f(s) \, ds")]
///
/// `t^(mu-1) -> Gamma(mu) e^gamma_{mu+alpha}(t)` for the integral, `Gamma(mu) e^{-gamma}_{mu-alpha}(t)` for the
/// derivatives, 0 for constants in the sense of Caputo. gamma = 0 or omega = 0 is the Riemann-Liouville
/// integral, Caputo's and Riemann and Liouville's derivative, with the plain schemes' weights. Integrals of one
/// rho and omega compose, orders and gammas add; the derivative in the sense of Riemann and Liouville undoes the
/// integral with the same parameters.
///
/// Range: 0 < alpha <= 2 (integral), 0 < alpha < 1 (derivatives), 0 < rho <= 2, -2 <= gamma <= 2, any finite
/// omega. For omega > 0 the kernels grow as exp(omega^(1/rho) t); for omega < 0 and rho > 1 they oscillate, with
/// a decay that ends at rho = 2. A grid on which a kernel changes that way by more than a factor exp(8), or by 8
/// radians, within a step is refused: its weights would not be right.
///
/// f is linear between samples, else exact: order 2 for the integral, 2 - alpha for the derivatives. Weights are
/// right within 1e-12 (rho <= 1) or 1e-10 of `t^(alpha-1)` or `t^-alpha`, or of the weight where that is
/// larger. Cost: one causal convolution. The function, 15 microseconds a value, is evaluated at 20 times for
/// every doubling of n, and for every few units of omega^(1/rho) t where the kernel grows or oscillates, and
/// interpolated in ln t between them; a weight takes 0.2 microseconds.
///
/// Sources: Prabhakar, Yokohama Math. J. 19 (1971) 7; Garra, Gorenflo, Polito and Tomovski, Appl. Math.
/// Comput. 242 (2014) 576, DOI 10.1016/j.amc.2014.05.129 (derivatives); Giusti et al., Fract. Calc. Appl.
/// Anal. 23 (2020) 9, DOI 10.1515/fca-2020-0002.
///
/// ```
/// use hpfracc_backend::Reference;
/// use hpfracc_operators::{Operator, Prabhakar, PrabhakarKernel};
/// use hpfracc_special::prabhakar;
/// use hpfracc_types::{Grid, Order};
/// use ndarray::array;
///
/// let kernel = PrabhakarKernel { rho: 0.6, gamma: 1.5, omega: -1.0 };
/// let grid = Grid::uniform(3, 0.5)?;
/// let half = Prabhakar::integral(Order::new(0.5)?, kernel)?.on(grid, &Reference)?;
/// // Of 1 at t = 1: E^gamma_{rho,alpha+1}(omega)
/// let y = half.apply(array![1.0, 1.0, 1.0].view())?;
/// assert!((y[2] - prabhakar(0.6, 1.5, 1.5, -1.0)?).abs() < 1e-13);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prabhakar {
    order: Order,
    kernel: PrabhakarKernel,
    kind: Kind,
}

/// What a Prabhakar operator knows besides its order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrabhakarKernel {
    /// The power of t in the argument, 0 < rho <= 2.
    pub rho: f64,
    /// The third parameter of the function, -2 to 2.
    pub gamma: f64,
    /// The factor in the argument, in time^-rho.
    pub omega: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Integral,
    Caputo,
    RiemannLiouville,
}

impl Prabhakar {
    /// The integral, by the product trapezoid.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`] unless 0 < alpha <= 2, [`OperatorError::Parameter`] for the kernel.
    pub fn integral(order: Order, kernel: PrabhakarKernel) -> Result<Self, OperatorError> {
        Self::new(order, kernel, Kind::Integral)
    }

    /// The regularised derivative, in the sense of Caputo, L1.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`] unless 0 < alpha < 1, [`OperatorError::Parameter`] for the kernel.
    pub fn caputo(order: Order, kernel: PrabhakarKernel) -> Result<Self, OperatorError> {
        Self::new(order, kernel, Kind::Caputo)
    }

    /// The derivative in the sense of Riemann and Liouville, L1. Where f(0) != 0 it is infinite at the start;
    /// see [`RiemannLiouville`](crate::RiemannLiouville) for the first entry.
    ///
    /// # Errors
    /// As [`Prabhakar::caputo`].
    pub fn riemann_liouville(order: Order, kernel: PrabhakarKernel) -> Result<Self, OperatorError> {
        Self::new(order, kernel, Kind::RiemannLiouville)
    }

    fn new(order: Order, kernel: PrabhakarKernel, kind: Kind) -> Result<Self, OperatorError> {
        let made = Self { order, kernel, kind };
        let alpha = order.value();
        if kind == Kind::Integral {
            in_range(0.0 < alpha && alpha <= 2.0, made.name(), order, "0 < alpha <= 2")?;
        } else {
            in_range(0.0 < alpha && alpha < 1.0, made.name(), order, "0 < alpha < 1")?;
        }
        let PrabhakarKernel { rho, gamma, omega } = kernel;
        for (what, value, holds, expected) in [
            ("rho", rho, 0.0 < rho && rho <= 2.0, "0 < rho <= 2"),
            ("gamma", gamma, (-2.0..=2.0).contains(&gamma), "-2 <= gamma <= 2"),
            ("omega", omega, omega.is_finite(), "a finite number"),
        ] {
            if !holds {
                return Err(OperatorError::Parameter { what, value, expected });
            }
        }
        Ok(made)
    }

    /// The plain operator, which gamma = 0 and omega = 0 are.
    fn plain(self) -> Result<Option<Box<dyn Operator>>, OperatorError> {
        if self.kernel.gamma != 0.0 && self.kernel.omega != 0.0 {
            return Ok(None);
        }
        Ok(Some(match self.kind {
            Kind::Integral => Box::new(RlIntegral::trapezoid(self.order)?),
            Kind::Caputo => Box::new(Caputo::l1(self.order)?),
            Kind::RiemannLiouville => Box::new(RiemannLiouville::l1(self.order)?),
        }))
    }

    /// The kernel `t^(beta-1) E(y t^rho)` on a unit step.
    ///
    /// # Errors
    /// [`OperatorError::Parameter`] for an omega with which it changes too much within a step.
    fn unit(self, grid: Grid) -> Result<Unit, OperatorError> {
        let unit = self.unit_of(grid);
        if unit.resolved() {
            return Ok(unit);
        }
        Err(OperatorError::Parameter {
            what: "omega",
            value: self.kernel.omega,
            expected: "|omega|^(1/rho) dt <= 8, as the kernel grows or oscillates: a smaller step or a smaller omega",
        })
    }

    fn unit_of(self, grid: Grid) -> Unit {
        let PrabhakarKernel { rho, gamma, omega } = self.kernel;
        let y = omega * grid.dt().powf(rho);
        let alpha = self.order.value();
        match self.kind {
            Kind::Integral => Unit { rho, gamma, y, beta: alpha },
            _ => Unit { rho, gamma: -gamma, y, beta: 1.0 - alpha },
        }
    }

    /// The weights from the kernel's cells, and from its values at the nodes for the part of f(0).
    fn assembled(self, cells: CellIntegrals, n: usize, kernel: impl Fn(f64) -> f64) -> Weights {
        if self.kind == Kind::Integral {
            let (causal, start) = cells.trapezoid();
            return Toeplitz::causal(causal).with_start(start, vec![1.0]).into();
        }
        let cells = cells.whole();
        let first = cells[0];
        let differences = Toeplitz::of_differences(1, cells);
        if self.kind == Kind::Caputo {
            return differences.into();
        }
        let later = (1..n).map(|k| kernel(k as f64));
        differences.with_start(std::iter::once(first).chain(later).collect(), vec![1.0]).into()
    }

    /// The exponent of the step in front, and d beta/d alpha.
    fn step_power(self) -> (f64, f64) {
        let alpha = self.order.value();
        if self.kind == Kind::Integral { (alpha, 1.0) } else { (-alpha, -1.0) }
    }
}

/// `t^(beta-1) E^gamma_{rho,beta}(y t^rho)`.
#[derive(Clone, Copy)]
struct Unit {
    rho: f64,
    gamma: f64,
    y: f64,
    beta: f64,
}

/// The most that a kernel may grow in its exponent, or turn in radians, on a unit step: the interpolant and the
/// rules on cells keep 1e-12 up to here.
const MOST_PER_STEP: f64 = 8.0;

/// The function of three parameters, or its derivative in beta.
type Function = fn(f64, f64, f64, f64) -> Result<f64, SpecialError>;

impl Unit {
    /// `|y|^(1/rho)`: growth or oscillation is as `exp(rate t)` times a root of unity in the exponent.
    fn rate(self) -> f64 {
        self.y.abs().powf(self.rho.recip())
    }

    /// Whether the kernel changes slowly enough from one step to the next.
    fn resolved(self) -> bool {
        let polynomial = self.gamma <= 0.0 && self.gamma.fract() == 0.0;
        let rate = self.rate();
        // What is left of it after a step is exp(exponent).
        let exponent = match (self.y > 0.0, self.rho <= 1.0) {
            (true, _) => rate,
            (false, true) => return true,
            (false, false) => rate * (PI / self.rho).cos(),
        };
        polynomial || rate <= MOST_PER_STEP || exponent < f64::EPSILON.ln()
    }

    fn at(self, function: Function, beta: f64, t: f64) -> Result<f64, OperatorError> {
        Ok(function(self.rho, beta, self.gamma, self.y * t.powf(self.rho))?)
    }

    /// E by t, from 1 to n.
    fn interpolant(self, function: Function, n: usize) -> Result<Interpolant, OperatorError> {
        // What the function itself keeps.
        let tolerance = if self.rho <= 1.0 { 1e-13 } else { 1e-11 };
        Interpolant::new(n as f64, tolerance, |t| self.at(function, self.beta, t))
    }

    /// Integrals of t^(beta-1) times a kernel over the cells.
    fn cells(
        self,
        function: Function,
        n: usize,
        kernel: impl Fn(f64) -> f64,
    ) -> Result<CellIntegrals, OperatorError> {
        let whole = self.at(function, self.beta + 1.0, 1.0)?;
        let falling = self.at(function, self.beta + 2.0, 1.0)?;
        // Where it neither grows nor oscillates the power decides how many points a cell needs.
        let monotone = self.y < 0.0 && self.rho <= 1.0;
        let rate = if monotone { 0.0 } else { self.rate() };
        Ok(CellIntegrals::new(n, (falling, whole - falling), rate, |times, values| {
            values.iter_mut().zip(times).for_each(|(value, t)| *value = kernel(*t));
        }))
    }
}

impl Operator for Prabhakar {
    fn name(&self) -> (&'static str, &'static str) {
        let entries = match self.kind {
            Kind::Integral => INTEGRAL_ENTRIES,
            Kind::Caputo => CAPUTO_ENTRIES,
            Kind::RiemannLiouville => RIEMANN_ENTRIES,
        };
        (entries[0].definition.name, entries[0].scheme)
    }

    fn order(&self) -> Order {
        self.order
    }

    fn weights(&self, grid: Grid) -> Result<Weights, OperatorError> {
        if let Some(plain) = self.plain()? {
            return plain.weights(grid);
        }
        let (unit, n) = (self.unit(grid)?, grid.n());
        let values = unit.interpolant(prabhakar, n)?;
        let kernel = |t: f64| t.powf(unit.beta - 1.0) * values.eval(t);
        let cells = unit.cells(prabhakar, n, kernel)?;
        Ok(self.assembled(cells, n, kernel).scaled(grid.dt().powf(self.step_power().0)))
    }

    fn weights_order_derivative(&self, grid: Grid) -> Result<Weights, OperatorError> {
        if let Some(plain) = self.plain()? {
            return plain.weights_order_derivative(grid);
        }
        let (unit, n, ln_h) = (self.unit(grid)?, grid.n(), grid.dt().ln());
        let values = unit.interpolant(prabhakar, n)?;
        let slopes = unit.interpolant(prabhakar_beta_derivative, n)?;
        // d/d beta of h^beta t^(beta-1) E, the step's power included.
        let kernel = |t: f64| {
            let (value, slope) = (values.eval(t), slopes.eval(t));
            t.powf(unit.beta - 1.0) * (slope + (t.ln() + ln_h) * value)
        };
        let over = |function| unit.cells(function, n.min(1), kernel);
        let (first, first_slope) = (over(prabhakar)?, over(prabhakar_beta_derivative)?);
        let mut cells = unit.cells(prabhakar_beta_derivative, n, kernel)?;
        cells.falling[0] = first_slope.falling[0] + ln_h * first.falling[0];
        cells.rising[0] = first_slope.rising[0] + ln_h * first.rising[0];
        let (power, sign) = self.step_power();
        Ok(self.assembled(cells, n, kernel).scaled(sign * grid.dt().powf(power)))
    }
}
