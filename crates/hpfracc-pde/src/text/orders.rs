//! Derivatives in time of a text, with its values of parameters.

use super::parts::values_of_parameters;
use crate::data::function_of_time::function_of_time;
use crate::equation::FieldDerivative;
use crate::error::{Result, require};
use hpfracc_equation::{FieldEquation, Id, OrderTerm, Orders};
use hpfracc_spatial::TimeDerivative;
use std::sync::Arc;

/// Derivative in time of a field.
pub(super) fn derivative(text: &FieldEquation, field: usize) -> Result<FieldDerivative<'static>> {
    let terms = text.time_derivative(field);
    if let [OrderTerm { orders: Orders::Variable(order), .. }] = terms[..] {
        return Ok(FieldDerivative::Variable(Arc::new(of_time(text, order))));
    }
    if let [OrderTerm { orders: Orders::Single(order), .. }] = terms[..] {
        let alpha = text.values(&[order])[0];
        require(alpha > 0.0 && alpha < 2.0, "the order alpha", alpha, "0 < alpha < 2")?;
    }
    let mut sum: Option<TimeDerivative> = None;
    for OrderTerm { weight, orders } in terms {
        let weight = text.values(&[weight])[0];
        let term = match orders {
            Orders::Distributed { density, from, to } => {
                let ends = text.values(&[from, to]);
                let density = of_time(text, density);
                TimeDerivative::distributed((ends[0], ends[1]), |a| weight * density(a))?
            }
            Orders::Single(order) | Orders::Variable(order) => {
                TimeDerivative::multi_term(&[(weight, text.values(&[order])[0])])?
            }
        };
        sum = Some(match sum {
            Some(sum) => sum.plus(&term)?,
            None => term,
        });
    }
    Ok(FieldDerivative::Sum(sum.unwrap_or_else(TimeDerivative::first)))
}

/// Function of time, or of the order of a density, from an expression of it and of parameters.
fn of_time(text: &FieldEquation, root: Id) -> impl Fn(f64) -> f64 + Send + Sync + use<> {
    function_of_time(text.graph().clone(), root, vec![0], values_of_parameters(text))
}
