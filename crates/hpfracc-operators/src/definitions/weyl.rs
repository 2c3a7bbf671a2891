use crate::definitions::entry::{Definition, Entry, Range, arc, cost, outside};
use crate::schemes::frequencies::one_sided_symbol;
use crate::{Discretisation, Number, Result, Weights};
use hpfracc_types::{Grid, Order};
use std::f64::consts::FRAC_PI_2;

/// The Weyl derivative of a periodic signal, whose memory goes back to minus infinity.
///
#[doc = formula!("weyl", r"\widehat{D^\alpha f}(\xi) = (i \xi)^\alpha \hat{f}(\xi) = |\xi|^\alpha e^{i \pi \alpha \, \mathrm{sgn}(\xi) / 2} \hat{f}(\xi)")]
///
/// `D^alpha sin(w t) = w^alpha sin(w t + pi alpha / 2)`. The mean goes to zero for alpha > 0. The
/// period is n dt: the sample after the last one is the first. At the Nyquist frequency of an even
/// n, where a real signal has no phase, the real part of the symbol is taken, as sampling the exact
/// derivative of cos gives.
///
/// alpha >= 0; spectral accuracy for smooth periodic f. A signal that is not periodic has a jump
/// at its ends, which the derivative shows. Cost: one FFT pair of length n.
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

pub(crate) const ENTRIES: &[Entry] = &[DEFINITION
    .scheme("spectral", Range::ANY, "spectral", |order, _| arc(Weyl::new(order)))
    .costs(cost::MULTIPLIER)
    .outside(outside::PERIODIC)];

impl Discretisation for Weyl {
    fn name(&self) -> (&'static str, &'static str) {
        ("weyl", "spectral")
    }

    fn order(&self) -> Order {
        self.order
    }

    fn weights_at<N: Number>(&self, alpha: N, grid: Grid) -> Result<Weights<N>> {
        Ok(one_sided_symbol(alpha, alpha * FRAC_PI_2, 1.0, grid).into())
    }
}
