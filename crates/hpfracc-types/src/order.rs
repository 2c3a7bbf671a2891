use crate::OrderError;
use std::fmt;

/// The order alpha of a derivative or an integral: finite and not negative.
///
/// Schemes narrow the range further (the L1 scheme requires 0 < alpha < 1) and say so in their own
/// errors.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "f64", into = "f64"))]
pub struct Order(f64);

impl Order {
    /// Checks `alpha`.
    ///
    /// # Errors
    /// [`OrderError`] if `alpha` is NaN, infinite or negative.
    pub fn new(alpha: f64) -> Result<Self, OrderError> {
        if !alpha.is_finite() {
            Err(OrderError::NotFinite { alpha })
        } else if alpha < 0.0 {
            Err(OrderError::Negative { alpha })
        } else {
            // -0.0 passes the comparison above; its sign must not survive into 1/alpha.
            Ok(Self(alpha.abs()))
        }
    }

    /// The number alpha.
    pub fn value(self) -> f64 {
        self.0
    }

    /// m = ceil(alpha), the number of classical derivatives a Caputo derivative takes first.
    pub fn ceil(self) -> usize {
        self.0.ceil() as usize
    }

    /// Whether alpha is 0, 1, 2, ...
    pub fn is_integer(self) -> bool {
        self.0.fract() == 0.0
    }
}

impl TryFrom<f64> for Order {
    type Error = OrderError;
    fn try_from(alpha: f64) -> Result<Self, OrderError> {
        Self::new(alpha)
    }
}

impl From<Order> for f64 {
    fn from(order: Order) -> f64 {
        order.0
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_every_finite_order_from_zero_up() {
        for alpha in [0.0, f64::MIN_POSITIVE, 0.5, 1.0, 1.7, 12.25] {
            assert_eq!(Order::new(alpha).unwrap().value(), alpha);
        }
        assert!(Order::new(-0.0).unwrap().value().is_sign_positive());
    }

    #[test]
    fn refuses_what_is_no_order() {
        assert_eq!(Order::new(-1e-300), Err(OrderError::Negative { alpha: -1e-300 }));
        for alpha in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(matches!(Order::new(alpha), Err(OrderError::NotFinite { .. })));
        }
    }

    #[test]
    fn counts_the_classical_derivatives() {
        for (alpha, m) in [(0.0, 0), (0.5, 1), (1.0, 1), (1.0000001, 2), (2.5, 3)] {
            assert_eq!(Order::new(alpha).unwrap().ceil(), m);
        }
    }
}
