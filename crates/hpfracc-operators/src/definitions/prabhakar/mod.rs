mod entries;
mod interpolant;

use crate::definitions::kind::Kind;
use crate::error::demand;
use crate::schemes::cell_integrals::CellIntegrals;
use crate::{Discretisation, Number, Result, Toeplitz, Weights};
use entries::{CAPUTO, INTEGRAL, RIEMANN};
use hpfracc_special::{prabhakar, prabhakar_beta_derivative};
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
/// `t^(mu-1) -> Gamma(mu) e^gamma_{mu+alpha}(t)` for the integral,
/// `Gamma(mu) e^{-gamma}_{mu-alpha}(t)` for the derivatives, 0 for constants in the sense of
/// Caputo. gamma = 0 or omega = 0 is the Riemann-Liouville integral, Caputo's and Riemann and
/// Liouville's derivative, with the plain schemes' weights. Integrals of one rho and omega compose,
/// orders and gammas add; the derivative in the sense of Riemann and Liouville undoes the integral
/// with the same parameters.
///
/// Range: 0 < alpha <= 2 (integral), 0 < alpha < 1 (derivatives), 0 < rho <= 2, -2 <= gamma <= 2,
/// any finite omega. For omega > 0 the kernels grow as exp(omega^(1/rho) t); for omega < 0 and rho
/// > 1 they oscillate, with a decay that ends at rho = 2. A grid on which a kernel changes that way
/// by more than a factor exp(8), or by 8 radians, within a step is refused: its weights would not
/// be right.
///
/// f is linear between samples, else exact: order 2 for the integral, 2 - alpha for the
/// derivatives. Weights are right within 1e-12 (rho <= 1) or 1e-10 of `t^(alpha-1)` or `t^-alpha`,
/// or of the weight where that is larger. Cost: one causal convolution. The function, 15
/// microseconds a value, is evaluated at 20 times for every doubling of n, and for every few units
/// of omega^(1/rho) t where the kernel grows or oscillates, and interpolated in ln t between them;
/// a weight takes 0.2 microseconds.
///
/// Sources: Prabhakar, Yokohama Math. J. 19 (1971) 7; Garra, Gorenflo, Polito and Tomovski, Appl.
/// Math. Comput. 242 (2014) 576, DOI 10.1016/j.amc.2014.05.129 (derivatives); Giusti et al., Fract.
/// Calc. Appl. Anal. 23 (2020) 9, DOI 10.1515/fca-2020-0002.
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

/// The parameters of a Prabhakar operator other than its order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrabhakarKernel {
    /// The power of t in the argument, 0 < rho <= 2.
    pub rho: f64,
    /// The third parameter of the function, -2 to 2.
    pub gamma: f64,
    /// The factor in the argument, in time^-rho.
    pub omega: f64,
}

impl Prabhakar {
    /// The integral, by the product trapezoid.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`](crate::OperatorError::OutOfRange) unless 0 < alpha <= 2,
    /// [`OperatorError::Parameter`](crate::OperatorError::Parameter) for the kernel.
    pub fn integral(order: Order, kernel: PrabhakarKernel) -> Result<Self> {
        Self::new(order, kernel, Kind::Integral)
    }

    /// The regularised derivative, in the sense of Caputo, L1.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`](crate::OperatorError::OutOfRange) unless 0 < alpha < 1,
    /// [`OperatorError::Parameter`](crate::OperatorError::Parameter) for the kernel.
    pub fn caputo(order: Order, kernel: PrabhakarKernel) -> Result<Self> {
        Self::new(order, kernel, Kind::Caputo)
    }

    /// The derivative in the sense of Riemann and Liouville, L1. Where f(0) != 0 it is infinite at
    /// the start; see [`RiemannLiouville`](crate::RiemannLiouville) for the first entry.
    ///
    /// # Errors
    /// As [`Prabhakar::caputo`].
    pub fn riemann_liouville(order: Order, kernel: PrabhakarKernel) -> Result<Self> {
        Self::new(order, kernel, Kind::RiemannLiouville)
    }

    fn new(order: Order, kernel: PrabhakarKernel, kind: Kind) -> Result<Self> {
        let made = Self { order, kernel, kind };
        kind.check(made.name(), order)?;
        let PrabhakarKernel { rho, gamma, omega } = kernel;
        let demands = [
            ("rho", rho, 0.0 < rho && rho <= 2.0, "0 < rho <= 2"),
            ("gamma", gamma, (-2.0..=2.0).contains(&gamma), "-2 <= gamma <= 2"),
            ("omega", omega, omega.is_finite(), "a finite number"),
        ];
        demands.into_iter().try_for_each(demand)?;
        Ok(made)
    }

    /// The kernel `t^(beta-1) E(y t^rho)` on a unit step.
    ///
    /// # Errors
    /// [`OperatorError::Parameter`](crate::OperatorError::Parameter) for an omega with which it
    /// changes too much within a step.
    fn unit<N: Number>(self, alpha: N, grid: Grid) -> Result<Unit<N>> {
        let PrabhakarKernel { rho, gamma, omega } = self.kernel;
        let y = omega * grid.dt().powf(rho);
        let unit = match self.kind {
            Kind::Integral => Unit { rho, gamma, y, beta: alpha },
            _ => Unit { rho, gamma: -gamma, y, beta: -alpha + 1.0 },
        };
        let expected = "|omega|^(1/rho) dt <= 8, as the kernel grows or oscillates: a smaller step or a smaller omega";
        demand(("omega", omega, unit.resolved(), expected))?;
        Ok(unit)
    }

    /// The weights from the kernel's cells, and from its values at the nodes for the part of f(0).
    fn assembled<N: Number>(
        self,
        cells: CellIntegrals<N>,
        n: usize,
        kernel: impl Fn(f64) -> N,
    ) -> Weights<N> {
        if self.kind == Kind::Integral {
            return cells.trapezoid().into();
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
}

/// `t^(beta-1) E^gamma_{rho,beta}(y t^rho)`.
#[derive(Clone, Copy)]
struct Unit<N> {
    rho: f64,
    gamma: f64,
    y: f64,
    beta: N,
}

/// The most that a kernel may grow in its exponent, or turn in radians, on a unit step: the
/// interpolant and the rules on cells keep 1e-12 up to here.
const MOST_PER_STEP: f64 = 8.0;

impl<N: Number> Unit<N> {
    /// `|y|^(1/rho)`: growth or oscillation is as `exp(rate t)` times a root of unity in the
    /// exponent.
    fn rate(self) -> f64 {
        self.y.abs().powf(self.rho.recip())
    }

    /// Whether the kernel changes slowly enough from one step to the next.
    fn resolved(self) -> bool {
        let polynomial = self.gamma <= 0.0 && self.gamma.fract() == 0.0;
        let rate = self.rate();
        // The kernel after a step, relative to that before, is exp(exponent).
        let exponent = match (self.y > 0.0, self.rho <= 1.0) {
            (true, _) => rate,
            (false, true) => return true,
            (false, false) => rate * (PI / self.rho).cos(),
        };
        polynomial || rate <= MOST_PER_STEP || exponent < f64::EPSILON.ln()
    }

    /// `E^gamma_{rho,beta}(y t^rho)`.
    fn value(self, beta: f64, t: f64) -> Result<f64> {
        Ok(prabhakar(self.rho, beta, self.gamma, self.y * t.powf(self.rho))?)
    }

    /// Its derivative in beta.
    fn beta_derivative(self, beta: f64, t: f64) -> Result<f64> {
        Ok(prabhakar_beta_derivative(self.rho, beta, self.gamma, self.y * t.powf(self.rho))?)
    }

    fn at(self, beta: N, t: f64) -> Result<N> {
        let value = self.value(beta.value(), t)?;
        let derivative =
            if N::HAS_DERIVATIVE { self.beta_derivative(beta.value(), t)? } else { 0.0 };
        Ok(N::new(value, derivative * beta.derivative()))
    }

    /// E as a function of t, from 1 to n.
    fn interpolant(self, n: usize) -> Result<impl Fn(f64) -> N> {
        // The accuracy of the function itself.
        let tolerance = if self.rho <= 1.0 { 1e-13 } else { 1e-11 };
        let (last, beta) = (n as f64, self.beta.value());
        let values = Interpolant::new(last, tolerance, |t| self.value(beta, t))?;
        let derivatives = match N::HAS_DERIVATIVE {
            true => Some(Interpolant::new(last, tolerance, |t| self.beta_derivative(beta, t))?),
            false => None,
        };
        let change = self.beta.derivative();
        Ok(move |t: f64| {
            let derivative = derivatives.as_ref().map_or(0.0, |d| d.eval(t) * change);
            N::new(values.eval(t), derivative)
        })
    }

    /// Integrals of a kernel over the cells.
    fn cells(self, n: usize, kernel: impl Fn(f64) -> N) -> Result<CellIntegrals<N>> {
        let whole = self.at(self.beta + 1.0, 1.0)?;
        let falling = self.at(self.beta + 2.0, 1.0)?;
        // Where it neither grows nor oscillates the power decides how many points a cell needs.
        let monotone = self.y < 0.0 && self.rho <= 1.0;
        let rate = if monotone { 0.0 } else { self.rate() };
        Ok(CellIntegrals::new(n, (falling, whole - falling), rate, |times, values| {
            values.iter_mut().zip(times).for_each(|(value, t)| *value = kernel(*t));
        }))
    }
}

impl Discretisation for Prabhakar {
    fn name(&self) -> (&'static str, &'static str) {
        self.kind.name([INTEGRAL, RIEMANN, CAPUTO])
    }

    fn order(&self) -> Order {
        self.order
    }

    fn weights_at<N: Number>(&self, alpha: N, grid: Grid) -> Result<Weights<N>> {
        if self.kernel.gamma == 0.0 || self.kernel.omega == 0.0 {
            return self.kind.of_power(alpha, grid);
        }
        let (unit, n) = (self.unit(alpha, grid)?, grid.n());
        let function = unit.interpolant(n)?;
        let kernel = |t: f64| N::constant(t).powf(unit.beta - 1.0) * function(t);
        let cells = unit.cells(n, kernel)?;
        let power = if self.kind == Kind::Integral { alpha } else { -alpha };
        Ok(self.assembled(cells, n, kernel).scaled(N::constant(grid.dt()).powf(power)))
    }
}
