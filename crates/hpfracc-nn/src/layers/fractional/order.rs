use crate::checks::{checked, in_range};
use crate::{Block, OutOfRange, ParameterBlock, Scalar};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// A bounded fractional order alpha, parametrised by an unbounded number r, which is learned:
///
/// ```text
/// alpha = lower + (upper - lower) / (1 + exp(-r))
/// ```
///
/// ```
/// use hpfracc_nn::BoundedOrder;
///
/// let bounds = BoundedOrder::new(0.2, 1.0)?;
/// assert_eq!(bounds.order(0.0), 0.6);
/// assert!((bounds.order(bounds.raw(0.3)?) - 0.3).abs() < 1e-15);
/// assert!(bounds.raw(1.0).is_err());
/// # Ok::<(), hpfracc_nn::NetworkError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct BoundedOrder {
    lower: f64,
    upper: f64,
}

checked!(BoundedOrder);

impl BoundedOrder {
    /// Orders between these bounds.
    ///
    /// # Errors
    /// [`OutOfRange`] unless both are finite and lower < upper.
    pub fn new(lower: f64, upper: f64) -> Result<Self, OutOfRange> {
        let bounds = Self { lower, upper };
        bounds.check().map(|()| bounds)
    }

    fn check(&self) -> Result<(), OutOfRange> {
        let Self { lower, upper } = *self;
        let holds = lower.is_finite() && upper.is_finite() && lower < upper;
        let expected = format_args!("a finite number less than upper = {upper}, itself finite");
        in_range(holds, "BoundedOrder: lower", lower, expected)
    }

    /// The order alpha of r. Within the bounds; equal to one of them by rounding for |r| above
    /// about 36.
    pub fn order(self, r: f64) -> f64 {
        // Measured from the nearer bound, so that rounding does not leave the interval.
        let width = self.upper - self.lower;
        if r < 0.0 { self.lower + width * logistic(r) } else { self.upper - width * logistic(-r) }
    }

    /// d alpha / d r.
    pub fn derivative(self, r: f64) -> f64 {
        (self.upper - self.lower) * logistic(r) * logistic(-r)
    }

    /// The parameter r of an order, `ln((alpha - lower)/(upper - alpha))`.
    ///
    /// # Errors
    /// [`OutOfRange`] unless lower < alpha < upper.
    pub fn raw(self, alpha: f64) -> Result<f64, OutOfRange> {
        let Self { lower, upper } = self;
        let r = ((alpha - lower) / (upper - alpha)).ln();
        let holds = lower < alpha && alpha < upper && r.is_finite();
        let expected = format_args!("between {lower} and {upper}");
        in_range(holds, "BoundedOrder: alpha", alpha, expected)?;
        Ok(r)
    }
}

fn logistic(r: f64) -> f64 {
    1.0 / (1.0 + (-r).exp())
}

/// The order of a fractional layer: fixed or learned. A learned order is the r of a
/// [`BoundedOrder`], in a block of parameters named `order`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum LayerOrder {
    /// This order.
    Fixed(f64),
    /// One learned order for the layer.
    Learnable {
        /// Lower bound.
        lower: f64,
        /// Upper bound.
        upper: f64,
        /// Initial order.
        start: f64,
    },
    /// A learned order for each channel, kernel or unit of the layer.
    LearnableEach {
        /// Lower bound.
        lower: f64,
        /// Upper bound.
        upper: f64,
        /// Initial orders.
        start: f64,
    },
}

impl LayerOrder {
    /// Error unless all orders lie within a closed range.
    pub(super) fn check(self, layer: &str, range: &RangeInclusive<f64>) -> Result<(), OutOfRange> {
        let expected = format_args!("{} to {}", range.start(), range.end());
        let inside = |what: &str, value: f64| {
            in_range(range.contains(&value), format_args!("{layer}: {what}"), value, expected)
        };
        match self {
            Self::Fixed(alpha) => inside("order", alpha),
            Self::Learnable { lower, upper, start }
            | Self::LearnableEach { lower, upper, start } => {
                BoundedOrder::new(lower, upper)?.raw(start)?;
                inside("lower", lower)?;
                inside("upper", upper)
            }
        }
    }

    /// Number of parameters, for a layer with `several` channels, kernels or units.
    pub(super) fn parameters(self, several: usize) -> usize {
        match self {
            Self::Fixed(_) => 0,
            Self::Learnable { .. } => 1,
            Self::LearnableEach { .. } => several,
        }
    }

    /// The block of the parameters with its initial value, if there are any.
    pub(super) fn block(self, several: &[usize]) -> Option<ParameterBlock> {
        let (bounds, start) = self.bounds()?;
        let shape = if matches!(self, Self::Learnable { .. }) { &[1] } else { several };
        // `start` lies within the bounds, as `check` has found.
        Some(Block::new("order", shape).filled(bounds.raw(start).unwrap_or(0.0)))
    }

    fn bounds(self) -> Option<(BoundedOrder, f64)> {
        match self {
            Self::Fixed(_) => None,
            Self::Learnable { lower, upper, start }
            | Self::LearnableEach { lower, upper, start } => {
                Some((BoundedOrder { lower, upper }, start))
            }
        }
    }

    /// The order of channel, kernel or unit `which`, with the index of its parameter and the
    /// derivative with respect to it.
    pub(super) fn at<T: Scalar>(self, theta: &[T], which: usize) -> OrderValue {
        match (self, self.bounds()) {
            (Self::Fixed(alpha), _) => OrderValue { alpha, parameter: None },
            (_, None) => OrderValue { alpha: f64::NAN, parameter: None },
            (order, Some((bounds, _))) => {
                let place = if matches!(order, Self::Learnable { .. }) { 0 } else { which };
                let r = theta[place].widen();
                OrderValue {
                    alpha: bounds.order(r),
                    parameter: Some((place, bounds.derivative(r))),
                }
            }
        }
    }
}

/// The value of an order.
#[derive(Debug, Clone, Copy)]
pub(super) struct OrderValue {
    pub(super) alpha: f64,
    parameter: Option<(usize, f64)>,
}

impl OrderValue {
    pub(super) fn is_learned(self) -> bool {
        self.parameter.is_some()
    }

    /// Adds the gradient with respect to the order's parameter.
    pub(super) fn pull_back<T: Scalar>(self, alphabar: f64, thetabar: &mut [T]) {
        if let Some((place, derivative)) = self.parameter {
            thetabar[place] += T::narrow(alphabar * derivative);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_kept_and_the_derivative_is_that_of_the_order() {
        let bounds = BoundedOrder::new(0.1, 0.9).unwrap();
        assert_eq!((bounds.order(-1e3), bounds.order(1e3)), (0.1, 0.9));
        for r in [-40.0, -3.0, -1e-9, 0.0, 0.5, 7.0, 40.0] {
            assert!((0.1..=0.9).contains(&bounds.order(r)));
            let h = 1e-5;
            let slope = (bounds.order(r + h) - bounds.order(r - h)) / (2.0 * h);
            assert!((bounds.derivative(r) - slope).abs() < 1e-10, "{r}");
        }
        for alpha in [0.1 + 1e-15, 0.3, 0.9 - 1e-15] {
            assert!((bounds.order(bounds.raw(alpha).unwrap()) - alpha).abs() < 1e-15);
        }
        for alpha in [0.1, 0.9, 2.0, f64::NAN] {
            assert!(bounds.raw(alpha).is_err());
        }
    }

    #[test]
    fn no_bounds_without_room() {
        for (lower, upper) in [(1.0, 1.0), (0.5, 0.2), (f64::NAN, 1.0), (0.0, f64::INFINITY)] {
            assert!(BoundedOrder::new(lower, upper).is_err());
        }
        let error = BoundedOrder::new(0.5, 0.2).unwrap_err().to_string();
        assert!(error.contains("lower is 0.5") && error.contains("upper = 0.2"), "{error}");
    }
}
