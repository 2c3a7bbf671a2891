use crate::definitions::entry::Range;
use crate::definitions::rl_integral::recurrence;
use crate::error::not_negative;
use crate::memory::recurrence::{Recurrence, Request};
use crate::schemes::cell_integrals::CellIntegrals;
use crate::schemes::exponential_moments::exponential_moment;
use crate::{Discretisation, Number, Result, RlIntegral, Weights};
use hpfracc_types::{Grid, Order};

/// The tempered Riemann-Liouville integral, 0 < alpha <= 20, lambda >= 0.
///
#[doc = formula!("tempered_integral", r"I f(t) = \frac{1}{\Gamma(\alpha)} \int_0^t e^{-\lambda (t-s)} (t-s)^{\alpha-1} f(s) \, ds")]
///
/// `exp(-lambda t) t^q -> exp(-lambda t) Gamma(q+1)/Gamma(q+1+alpha) t^(q+alpha)`, and a constant
/// gives `lambda^-alpha P(alpha, lambda t)`. Integrals of one lambda compose; lambda = 0 is
/// [`RlIntegral`](crate::RlIntegral) with the same weights.
///
/// The product trapezoid: f linear between samples, else exact. Order 2 for smooth f, min(2, 1+q)
/// for f ~ t^q; exact on 1 and t for every lambda h. Cost: one causal convolution.
///
/// Source: Meerschaert, Zhang and Baeumer, Geophys. Res. Lett. 35 (2008) L17403, DOI
/// 10.1029/2008GL034899.
///
/// ```
/// use hpfracc_backend::Reference;
/// use hpfracc_operators::{Operator, TemperedIntegral};
/// use hpfracc_types::{Grid, Order};
/// use ndarray::array;
///
/// let grid = Grid::uniform(3, 0.5)?;
/// let once = TemperedIntegral::trapezoid(Order::new(1.0)?, 2.0)?.on(grid, &Reference)?;
/// // Of 1: (1 - exp(-lambda t))/lambda
/// let y = once.apply(array![1.0, 1.0, 1.0].view())?;
/// assert!((y[2] - 0.5 * (1.0 - (-2.0f64).exp())).abs() < 1e-15);
/// # Ok::<(), hpfracc_operators::OperatorError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TemperedIntegral {
    order: Order,
    lambda: f64,
}

impl TemperedIntegral {
    /// The product trapezoidal rule.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`](crate::OperatorError::OutOfRange) unless 0 < alpha <= 20,
    /// [`OperatorError::Parameter`](crate::OperatorError::Parameter) unless lambda is finite and
    /// not negative.
    pub fn trapezoid(order: Order, lambda: f64) -> Result<Self> {
        let made = Self { order, lambda };
        Range::POSITIVE_TO_TWENTY.check(made.name(), order)?;
        not_negative("lambda", lambda)?;
        Ok(made)
    }

    /// Cells of `exp(-x t) t^(alpha-1)` on a unit step.
    fn cells<N: Number>(self, alpha: N, grid: Grid) -> CellIntegrals<N> {
        let x = self.lambda * grid.dt();
        let rising = exponential_moment(alpha + 1.0, x);
        let falling = exponential_moment(alpha, x) - rising;
        CellIntegrals::new(grid.n(), (falling, rising), x, |times, values| {
            for (value, t) in values.iter_mut().zip(times) {
                *value = N::constant(*t).powf(alpha - 1.0) * (-x * t).exp();
            }
        })
    }
}

impl Discretisation for TemperedIntegral {
    fn name(&self) -> (&'static str, &'static str) {
        ("tempered-integral", "trapezoid")
    }

    fn order(&self) -> Order {
        self.order
    }

    fn recurrence_at<N: Number>(&self, alpha: N, request: Request) -> Result<Recurrence<N>> {
        recurrence(self, alpha, self.lambda, request)
    }

    fn weights_at<N: Number>(&self, alpha: N, grid: Grid) -> Result<Weights<N>> {
        if self.lambda * grid.dt() == 0.0 {
            return RlIntegral::trapezoid(self.order)?.weights_at(alpha, grid);
        }
        let factor = N::constant(grid.dt()).powf(alpha) * alpha.recip_gamma();
        Ok(Weights::from(self.cells(alpha, grid).trapezoid()).scaled(factor))
    }
}
