use super::error::ModelError;
use crate::checks::{in_range, same_size};
use crate::{Block, BoundedOrder, OutOfRange, ParameterBlock, Scalar};
use serde::{Deserialize, Serialize};

/// Orders of the Caputo derivatives of an equation.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Orders {
    /// All orders are 1: an equation without memory.
    #[default]
    One,
    /// Fixed orders, one for all components or one for each, in (0, 1]; with white noise above 1/2.
    Fixed(Vec<f64>),
    /// Learned orders: the parameter is the r of a [`BoundedOrder`].
    Learned {
        /// Lower bound, at least 0; with white noise at least 1/2.
        lower: f64,
        /// Upper bound, at most 1.
        upper: f64,
        /// Initial order, between the bounds; a training replaces it by an estimate from the data
        /// where there is one (see [`OrderTraining`](crate::trainer::OrderTraining)).
        start: f64,
        /// True for one order for each component.
        each: bool,
    },
}

impl Orders {
    /// Checks the orders of `components` components, with white noise or without.
    pub(super) fn check(&self, components: usize, noise: bool) -> Result<(), ModelError> {
        let least = if noise { 0.5 } else { 0.0 };
        match self {
            Self::One => Ok(()),
            Self::Fixed(orders) => {
                if orders.len() != 1 {
                    same_size("the list of orders", orders.len(), components)?;
                }
                let expected = "at most 1, above 0, with white noise above 1/2";
                for &alpha in orders {
                    in_range(alpha > least && alpha <= 1.0, "an order", alpha, expected)?;
                }
                Ok(())
            }
            Self::Learned { lower, upper, start, .. } => {
                let expected = "at least 0, with white noise 1/2";
                in_range(*lower >= least, "the least order", *lower, expected)?;
                let expected = "above the least, and at most 1";
                in_range(upper > lower && *upper <= 1.0, "the largest order", *upper, expected)?;
                let between = start > lower && start < upper;
                Ok(in_range(between, "the order at the start", *start, "between its bounds")?)
            }
        }
    }

    /// Number of parameters for `components` components.
    pub(super) fn parameters(&self, components: usize) -> usize {
        match self {
            Self::Learned { each: true, .. } => components,
            Self::Learned { .. } => 1,
            _ => 0,
        }
    }

    /// The block of learned orders with its initial value.
    pub(super) fn block(&self, components: usize) -> Option<ParameterBlock> {
        let Self::Learned { start, .. } = self else { return None };
        // The start lies within the bounds, as `check` has found.
        let raw = self.bounds().and_then(|bounds| bounds.raw(*start).ok()).unwrap_or(0.0);
        Some(Block::new("order.raw", &[self.parameters(components)]).filled(raw))
    }

    /// True if orders are learned.
    pub(super) fn learned(&self) -> bool {
        matches!(self, Self::Learned { .. })
    }

    /// Bounds of learned orders; `check` has validated them.
    fn bounds(&self) -> Option<BoundedOrder> {
        match self {
            Self::Learned { lower, upper, .. } => BoundedOrder::new(*lower, *upper).ok(),
            _ => None,
        }
    }

    /// Writes the parameters of these orders, strictly within the bounds.
    pub(super) fn write<T: Scalar>(
        &self,
        orders: impl Iterator<Item = f64>,
        theta: &mut [T],
    ) -> Result<(), OutOfRange> {
        let Some(bounds) = self.bounds() else { return Ok(()) };
        for (raw, order) in theta.iter_mut().zip(orders) {
            *raw = T::narrow(bounds.raw(order)?);
        }
        Ok(())
    }

    /// Order of each component.
    pub(super) fn values<T: Scalar>(&self, theta: &[T], components: usize) -> Vec<f64> {
        let bounds = self.bounds();
        let alpha = |i: usize| match (self, bounds) {
            (Self::Fixed(orders), _) => orders[i.min(orders.len() - 1)],
            (_, Some(bounds)) => bounds.order(theta[i.min(theta.len() - 1)].widen()),
            _ => 1.0,
        };
        (0..components).map(alpha).collect()
    }

    /// The values, if the equation has memory.
    pub(super) fn with_memory<'v>(&self, values: &'v [f64]) -> Option<&'v [f64]> {
        (self.learned() || values.iter().any(|alpha| *alpha != 1.0)).then_some(values)
    }

    /// Writes the gradient with respect to the parameters, given that with respect to the orders.
    pub(super) fn pull_back<T: Scalar>(&self, theta: &[T], orders: &[f64], thetabar: &mut [T]) {
        thetabar.fill(T::zero());
        let Some(bounds) = self.bounds() else { return };
        let last = theta.len() - 1;
        for (i, orderbar) in orders.iter().enumerate() {
            let i = i.min(last);
            thetabar[i] += T::narrow(orderbar * bounds.derivative(theta[i].widen()));
        }
    }
}
