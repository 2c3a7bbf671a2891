use super::{entries, not_negative};
use crate::error::{in_range, no_recurrence};
use crate::memory::recurrence::{Asked, PowerNodes, Recurrence, of_values, one_step_on};
use crate::schemes::cell_integrals::CellIntegrals;
use crate::schemes::exponential_moments::exponential_moment;
use crate::{Operator, OperatorError, RlIntegral, Toeplitz, Weights};
use hpfracc_special::{digamma, recip_gamma};
use hpfracc_types::{Grid, Order};

/// The tempered Riemann-Liouville integral, 0 < alpha <= 20, lambda >= 0.
///
#[doc = formula!("tempered_integral", r"I f(t) = \frac{1}{\Gamma(\alpha)} \int_0^t e^{-\lambda (t-s)} (t-s)^{\alpha-1} f(s) \, ds")]
///
/// `exp(-lambda t) t^q -> exp(-lambda t) Gamma(q+1)/Gamma(q+1+alpha) t^(q+alpha)`, and a constant gives
/// `lambda^-alpha P(alpha, lambda t)`. Integrals of one lambda compose; lambda = 0 is
/// [`RlIntegral`](crate::RlIntegral) with the same weights.
///
/// The product trapezoid: f linear between samples, else exact. Order 2 for smooth f, min(2, 1+q) for f ~
/// t^q; exact on 1 and t for every lambda h. Cost: one causal convolution.
///
/// Source: Meerschaert, Zhang and Baeumer, Geophys. Res. Lett. 35 (2008) L17403, DOI 10.1029/2008GL034899.
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
    /// [`OperatorError::OutOfRange`] unless 0 < alpha <= 20, [`OperatorError::Parameter`] unless lambda is
    /// finite and not negative.
    pub fn trapezoid(order: Order, lambda: f64) -> Result<Self, OperatorError> {
        let made = Self { order, lambda };
        let inside = 0.0 < order.value() && order.value() <= 20.0;
        in_range(inside, made.name(), order, "0 < alpha <= 20")?;
        not_negative(lambda)?;
        Ok(made)
    }

    /// Cells of `exp(-x t) t^(alpha-1)`, or with the factor ln t, on a unit step.
    fn cells(self, grid: Grid, by_log: bool) -> CellIntegrals {
        let (alpha, x) = (self.order.value(), self.lambda * grid.dt());
        let part = |a: f64| {
            let (value, slope) = exponential_moment(a, x);
            if by_log { slope } else { value }
        };
        let rising = part(alpha + 1.0);
        CellIntegrals::new(grid.n(), (part(alpha) - rising, rising), x, |times, values| {
            for (value, t) in values.iter_mut().zip(times) {
                let kernel = t.powf(alpha - 1.0) * (-x * t).exp();
                *value = if by_log { kernel * t.ln() } else { kernel };
            }
        })
    }

    fn factor(self, grid: Grid) -> f64 {
        grid.dt().powf(self.order.value()) * recip_gamma(self.order.value())
    }
}

fn trapezoid(cells: &CellIntegrals) -> Weights {
    let (causal, start) = cells.trapezoid();
    Toeplitz::causal(causal).with_start(start, vec![1.0]).into()
}

impl Operator for TemperedIntegral {
    fn name(&self) -> (&'static str, &'static str) {
        (entries::INTEGRAL_ENTRIES[0].definition.name, entries::INTEGRAL_ENTRIES[0].scheme)
    }

    fn order(&self) -> Order {
        self.order
    }

    fn recurrence(
        &self,
        dt: f64,
        longest: u64,
        tolerance: f64,
    ) -> Result<Recurrence, OperatorError> {
        let asked = Asked::new(dt, longest, tolerance)?;
        let alpha = self.order.value();
        // Beyond, t^(alpha-1) grows: no sum of decaying exponentials.
        in_range(alpha <= 1.0, self.name(), self.order, "0 < alpha <= 1 for a recurrence")?;
        let nodes = PowerNodes::new(1.0 - alpha, asked)?;
        let sum = nodes.sum.tempered(self.lambda * dt)?;
        let two = Grid::uniform(2, dt)?;
        let Weights::Toeplitz(first) = Operator::weights(self, two)? else {
            return Err(no_recurrence(self.name()));
        };
        let far = one_step_on(&sum, self.factor(two), &sum.hats(1.0));
        Ok(of_values(asked, nodes.relative_error, &sum, &first, far))
    }

    fn weights(&self, grid: Grid) -> Result<Weights, OperatorError> {
        if self.lambda * grid.dt() == 0.0 {
            return RlIntegral::trapezoid(self.order)?.weights(grid);
        }
        Ok(trapezoid(&self.cells(grid, false)).scaled(self.factor(grid)))
    }

    fn weights_order_derivative(&self, grid: Grid) -> Result<Weights, OperatorError> {
        if self.lambda * grid.dt() == 0.0 {
            return RlIntegral::trapezoid(self.order)?.weights_order_derivative(grid);
        }
        let slope = grid.dt().ln() - digamma(self.order.value());
        let cells = self.cells(grid, true).combined(1.0, slope, &self.cells(grid, false));
        Ok(trapezoid(&cells).scaled(self.factor(grid)))
    }
}
