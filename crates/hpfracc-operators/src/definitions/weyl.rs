use crate::catalogue::{Definition, Entry, Range, arc, cost, outside};
use crate::schemes::frequencies::half_line;
use crate::{Operator, OperatorError, Symbol, Weights};
use hpfracc_backend::Shape;
use hpfracc_types::{Grid, Order};
use num_complex::Complex64;
use std::f64::consts::FRAC_PI_2;

/// The Weyl derivative of a periodic record: memory back to minus infinity.
///
#[doc = formula!("weyl", r"\widehat{D^\alpha f}(\xi) = (i \xi)^\alpha \hat{f}(\xi) = |\xi|^\alpha e^{i \pi \alpha \, \mathrm{sgn}(\xi) / 2} \hat{f}(\xi)")]
///
/// `D^alpha sin(w t) = w^alpha sin(w t + pi alpha / 2)`. The mean goes to zero for alpha > 0. The
/// period is n dt: the sample after the last one is the first. At the Nyquist frequency of an even
/// n, where a real record has no phase, the real part of the symbol is taken, which is what
/// sampling the exact derivative of cos gives.
///
/// alpha >= 0; spectral accuracy for smooth periodic f. A record that is not periodic has a jump
/// at its ends, and the derivative shows it. Cost: one FFT pair of length n.
///
/// Source: Samko, Kilbas and Marichev, Fractional Integrals and Derivatives (1993), section 19.
///
/// ```
/// use hpfracc_backend::Reference;
/// use hpfracc_operators::{Operator, Weyl};
/// use hpfracc_types::{Grid, Order};
/// use ndarray::Array1;
/// use std::f64::consts::{FRAC_PI_4, TAU};
///
/// let grid = Grid::uniform(32, TAU / 32.0)?;
/// let half = Weyl::new(Order::new(0.5)?).on(grid, &Reference)?;
/// let y = half.apply(grid.points().map(f64::sin).collect::<Array1<f64>>().view())?;
/// assert!((y[3] - (grid.t(3) + FRAC_PI_4).sin()).abs() < 1e-14);
/// # Ok::<(), hpfracc_operators::OperatorError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weyl {
    order: Order,
}

impl Weyl {
    /// The derivative of this order.
    pub fn new(order: Order) -> Self {
        Self { order }
    }

    /// `factor(ln |xi|)` times the symbol, and `at_zero` for the mean.
    fn symbol(self, grid: Grid, at_zero: f64, factor: impl Fn(f64) -> Complex64) -> Weights {
        let alpha = self.order.value();
        let value = |(xi, nyquist): (f64, bool)| {
            if xi == 0.0 {
                return Complex64::from(at_zero);
            }
            let value = Complex64::from_polar(xi.powf(alpha), FRAC_PI_2 * alpha) * factor(xi.ln());
            if nyquist { Complex64::from(value.re) } else { value }
        };
        Symbol::new(Shape::line(grid.n()), half_line(grid).map(value).collect()).into()
    }
}

const DEFINITION: &Definition = &Definition {
    name: "weyl",
    title: "Weyl derivative",
    formula: "multiplier (i xi)^alpha of a periodic record",
    of_constants: "0 for alpha > 0",
    of_powers: "none is periodic; sin(w t) -> w^alpha sin(w t + pi alpha/2)",
    relation: "Riemann-Liouville from minus infinity; equals Marchaud there",
    source: "Samko, Kilbas and Marichev, Fractional Integrals and Derivatives (1993), section 19",
    parameters: &[],
};

pub(crate) const ENTRIES: &[Entry] = &[Entry {
    definition: DEFINITION,
    scheme: "spectral",
    range: Range::ANY,
    accuracy: "spectral",
    cost: cost::MULTIPLIER,
    outside: outside::PERIODIC,
    make: |order, _| arc(Weyl::new(order)),
}];

impl Operator for Weyl {
    fn name(&self) -> (&'static str, &'static str) {
        ("weyl", "spectral")
    }

    fn order(&self) -> Order {
        self.order
    }

    fn weights(&self, grid: Grid) -> Result<Weights, OperatorError> {
        let at_zero = if self.order.value() == 0.0 { 1.0 } else { 0.0 };
        Ok(self.symbol(grid, at_zero, |_| Complex64::from(1.0)))
    }

    /// The symbol times ln(i xi) = ln |xi| + i pi sgn(xi) / 2; zero for the mean.
    fn weights_order_derivative(&self, grid: Grid) -> Result<Weights, OperatorError> {
        Ok(self.symbol(grid, 0.0, |ln_xi| Complex64::new(ln_xi, FRAC_PI_2)))
    }
}
