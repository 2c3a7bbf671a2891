//! Derivatives in time of fields.

use super::FieldEquation;
use crate::graph::Id;

/// Orders of a derivative in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Orders {
    /// `D^order u`, the order an expression of constants and parameters.
    Single(Id),
    /// `D^order u`, the order an expression of time, constants and parameters.
    Variable(Id),
    /// `int(density D^a u, a in [from, to])`.
    Distributed {
        /// Density, an expression of a, which is the variable of time, of constants and parameters.
        density: Id,
        /// Lowest order, an expression of constants and parameters.
        from: Id,
        /// Highest order, likewise.
        to: Id,
    },
}

/// One of the derivatives in time whose sum is the left side of the equation of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrderTerm {
    /// Weight, a positive expression of constants and parameters.
    pub weight: Id,
    /// Orders.
    pub orders: Orders,
}

/// Kind of a derivative in time, and the place of its expressions: the weight, then those of its
/// orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OrderPlace {
    pub(crate) kind: OrderKind,
    pub(crate) first: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OrderKind {
    Single,
    Variable,
    Distributed,
}

impl FieldEquation {
    /// Derivatives in time on the left side of the equation of a field, solved for one of them with
    /// the weight 1, which is the first. One of variable order has no others beside it.
    ///
    /// ```
    /// use hpfracc_equation::{FieldEquation, Orders};
    ///
    /// let equation = FieldEquation::parse("2 D u + D^b u = 4 lap(u); b = 0.3; u(0) = 1", &["x"])?;
    /// let [first, second] = equation.time_derivative(0)[..] else { panic!("two derivatives") };
    /// assert_eq!(equation.values(&[first.weight, second.weight]), [1.0, 0.5]);
    /// assert!(matches!(second.orders, Orders::Single(order) if equation.values(&[order]) == [0.3]));
    /// # Ok::<(), hpfracc_equation::EquationError>(())
    /// ```
    ///
    /// # Panics
    /// If there is no such field.
    pub fn time_derivative(&self, field: usize) -> Vec<OrderTerm> {
        let term = |place: &OrderPlace| {
            let expressions = &self.equation.of_orders[place.first..];
            let orders = match place.kind {
                OrderKind::Single => Orders::Single(expressions[1]),
                OrderKind::Variable => Orders::Variable(expressions[1]),
                OrderKind::Distributed => Orders::Distributed {
                    density: expressions[1],
                    from: expressions[2],
                    to: expressions[3],
                },
            };
            OrderTerm { weight: expressions[0], orders }
        };
        self.orders[field].iter().map(term).collect()
    }

    /// Order in time of each field: the highest of several, a variable order at t = 0.
    ///
    /// ```
    /// use hpfracc_equation::FieldEquation;
    ///
    /// let text = "D^0.4 u + D^0.9 u = lap(u); D^(0.6 + b t) v = u; b = 0.3; u(0) = 1; v(0) = 0";
    /// assert_eq!(FieldEquation::parse(text, &["x"])?.highest_orders(), [0.9, 0.6]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn highest_orders(&self) -> Vec<f64> {
        let order = |term: OrderTerm| match term.orders {
            Orders::Single(order)
            | Orders::Variable(order)
            | Orders::Distributed { to: order, .. } => self.equation.values_at(0.0, &[order])[0],
        };
        let highest =
            |field| self.time_derivative(field).into_iter().map(order).fold(f64::NAN, f64::max);
        (0..self.orders.len()).map(highest).collect()
    }

    /// Whether each field has one derivative in time, of an order that is a number.
    pub fn has_single_orders(&self) -> bool {
        self.orders.iter().all(|places| {
            places.len() == 1 && places.iter().all(|place| place.kind == OrderKind::Single)
        })
    }

    /// Gives the first derivative of a field one order.
    pub(super) fn set_order(&mut self, field: usize, order: f64) {
        let equation = &mut self.equation;
        let [one, order] = [1.0, order].map(|value| equation.graph.constant(value));
        equation.states[self.coordinates + field].order = order;
        let first = equation.of_orders.len();
        equation.of_orders.extend([one, order]);
        self.orders[field][0] = OrderPlace { kind: OrderKind::Single, first };
    }
}
