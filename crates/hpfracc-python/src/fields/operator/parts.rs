//! What operators of one kind have: boundary values, a derivative with respect to the order, nodes.

use crate::errors::{self, OrRaise};
use crate::fields::tree::Leaf;
use hpfracc::spatial::{End, Face, FaceValues};
use pyo3::prelude::*;

/// The face at an end of an axis.
pub(super) fn face_of(axis: usize, upper: bool) -> Face {
    Face { axis, end: if upper { End::Upper } else { End::Lower } }
}

/// Contribution of boundary values to the right-hand side: one number, or one for each point of the face.
///
/// # Errors
/// `InputError` for an operator without boundary values, and for bad ones.
pub(super) fn boundary_part(leaf: &Leaf, face: Face, numbers: &[f64]) -> PyResult<Vec<f64>> {
    let values = match numbers {
        [value] => FaceValues::Constant(*value),
        values => FaceValues::Each(values),
    };
    let mut part = vec![0.0; leaf.owned().len()];
    match (leaf, numbers) {
        (Leaf::Laplacian(operator), _) => operator.add_boundary_values(face, values, &mut part),
        (Leaf::Diffusion(operator), _) => operator.add_boundary_values(face, values, &mut part),
        (Leaf::AdvectionDiffusion(operator), [g]) if face.axis == 0 => {
            operator.add_boundary_value(face.end, *g, &mut part)
        }
        _ => return Err(errors::input("the operator takes no such boundary values")),
    }
    .or_raise()?;
    Ok(part)
}

/// Writes `(dA/dalpha) x` for each pair of fields.
///
/// # Errors
/// `InputError` for an operator without an order.
pub(super) fn order_derivative<'a>(
    leaf: &Leaf,
    pairs: impl Iterator<Item = (&'a [f64], &'a mut [f64])>,
) -> PyResult<()> {
    match leaf {
        Leaf::Interval(operator) => pairs.for_each(|(x, y)| operator.apply_order_derivative(x, y)),
        Leaf::Domain(operator) => pairs.for_each(|(x, y)| operator.apply_order_derivative(x, y)),
        Leaf::Skewed(operator) => pairs.for_each(|(x, y)| operator.apply_order_derivative(x, y)),
        _ => return Err(errors::input("the operator has no order alpha")),
    }
    Ok(())
}

/// Coordinates of the nodes.
///
/// # Errors
/// `InputError` for an operator whose points are those of a box or a graph.
pub(super) fn nodes(leaf: &Leaf) -> PyResult<Vec<Vec<f64>>> {
    let on_line = |nodes: Vec<f64>| nodes.into_iter().map(|x| vec![x]).collect();
    match leaf {
        Leaf::Interval(operator) => Ok(on_line(operator.nodes())),
        Leaf::Domain(operator) => Ok(operator.nodes()),
        Leaf::Skewed(operator) => Ok(on_line(operator.nodes())),
        _ => Err(errors::input("the operator has no nodes of its own")),
    }
}
