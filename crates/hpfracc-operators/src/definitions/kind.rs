use crate::definitions::entry::{Definition, Range};
use crate::{Caputo, Discretisation, Number, Result, RiemannLiouville, RlIntegral, Weights};
use hpfracc_types::{Grid, Order};

/// The three operators of one kernel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    /// The integral, by the product trapezoidal rule.
    Integral,
    /// The derivative of the integral, by the L1 scheme.
    RiemannLiouville,
    /// The integral of the derivative, by the L1 scheme.
    Caputo,
}

impl Kind {
    /// Names of the operator, by the definitions of the three, and of the scheme.
    pub(crate) fn name(self, of: [&Definition; 3]) -> (&'static str, &'static str) {
        (of[self as usize].name, if self == Self::Integral { "trapezoid" } else { "l1" })
    }

    /// Refuses an order outside the range.
    pub(crate) fn check(self, name: (&'static str, &'static str), order: Order) -> Result<()> {
        let range = if self == Self::Integral { Range::TO_TWO } else { Range::UNIT };
        range.check(name, order)
    }

    /// The operator of order alpha whose kernel is the power of Riemann and Liouville.
    pub(crate) fn of_power<N: Number>(self, alpha: N, grid: Grid) -> Result<Weights<N>> {
        let order = Order::new(alpha.value())?;
        match self {
            Self::Integral => RlIntegral::trapezoid(order)?.weights_at(alpha, grid),
            Self::RiemannLiouville => RiemannLiouville::l1(order)?.weights_at(alpha, grid),
            Self::Caputo => Caputo::l1(order)?.weights_at(alpha, grid),
        }
    }
}
