//! Operators in space that a term needs, in the order in which they are computed.

use super::Step;
use super::applied::{MapKind, SpatialMap};
use crate::BoxOperator;
use crate::data::boundary::{BoundaryTerm, BoundaryValues};
use crate::error::{PdeError, Result};
use crate::text::parts::Parts;
use crate::text::points::ExtendedPoints;
use crate::text::pointwise::Pointwise;
use crate::text::space::{Operator, Space};
use hpfracc_equation::{
    Applied, FieldEquation, FieldVariables, Id, Node, Reduction, SpatialOperation,
};
use hpfracc_spatial::Boundary;

/// The operators that roots need, on these points; `with_values` says whether fields have boundary
/// values.
pub(in crate::text) fn steps(
    equation: &FieldEquation,
    space: &Space,
    (parts, roots): (&Parts, &[Id]),
    points: &ExtendedPoints,
    with_values: bool,
) -> Result<Vec<Step>> {
    let applied = equation.applied();
    let needed = needed(parts, roots, &applied, &equation.variables());
    let step = |&number: &usize| {
        let applied = &applied[number];
        let of_field = is_field(parts, &equation.variables(), applied.of);
        let robin = points.sides.iter().any(|side| matches!(side.boundary, Boundary::Robin(_)));
        let refused = |why: &str| {
            let reason = format!("`{}` {why}", equation.applied_name(number));
            Err(PdeError::Text { reason })
        };
        let reduced = matches!(applied.operation, SpatialOperation::Reduction(_));
        if robin && !of_field && !reduced {
            return refused("at a Robin boundary, where only fields have values");
        }
        let mut roots = vec![applied.of];
        let kind = match applied.operation {
            SpatialOperation::Laplacian { exponent } => {
                match space.laplacian(equation.values(&[exponent])[0])? {
                    Operator::OfBox(operator) => {
                        let faces = face_weights(&*operator, points)?;
                        MapKind::Minus { operator, faces }
                    }
                    Operator::Any(_) if with_values => {
                        return refused(
                            "is a power of the Laplacian, which takes no boundary values",
                        );
                    }
                    Operator::Any(operator) => MapKind::Minus { operator, faces: Vec::new() },
                }
            }
            SpatialOperation::Reduction(reduction) => match reduction {
                Reduction::Integral => MapKind::Sum(space.weights()),
                Reduction::Mean => {
                    let mut weights = space.weights();
                    let total: f64 = weights.iter().sum();
                    weights.iter_mut().for_each(|weight| *weight /= total);
                    MapKind::Sum(weights)
                }
                Reduction::Largest => MapKind::Largest,
                Reduction::Smallest => MapKind::Smallest,
            },
            SpatialOperation::Gradient { axis } => {
                space.require_cells(equation.applied_name(number))?;
                MapKind::Gradient(axis)
            }
            SpatialOperation::Diffusion { coefficient } => {
                space.require_cells(equation.applied_name(number))?;
                roots.push(coefficient);
                MapKind::Diffusion
            }
        };
        let of = Pointwise::new(&parts.graph, &roots, &equation.variables())?;
        Ok(Step { number, map: SpatialMap { kind, of_field }, of })
    };
    needed.iter().map(step).collect()
}

fn is_field(parts: &Parts, variables: &FieldVariables, id: Id) -> bool {
    matches!(parts.graph.node(id), Node::Variable(number) if variables.fields.contains(&number))
}

/// Contributions of face values to `-A e`: cell, face among the extended points, weight.
fn face_weights(
    operator: &dyn BoxOperator,
    points: &ExtendedPoints,
) -> Result<Vec<(usize, usize, f64)>> {
    let mut weights = Vec::new();
    for side in &points.sides {
        let lines = &points.lines[side.face.axis];
        let one = BoundaryValues::Constant(1.0);
        let term = BoundaryTerm::new(operator, 0, side.face, one)?;
        for (cell, weight) in term.contributions() {
            let line = cell / (lines.n * lines.stride) * lines.stride + cell % lines.stride;
            weights.push((cell, side.first + line, weight));
        }
    }
    Ok(weights)
}

/// Operators in space that roots need, each after those that it needs.
fn needed(
    parts: &Parts,
    roots: &[Id],
    applied: &[Applied],
    variables: &FieldVariables,
) -> Vec<usize> {
    let uses =
        |id: Id, k: usize| parts.graph.depends(|number| number == variables.applied[k])[id.index()];
    let mut needed = vec![false; applied.len()];
    for k in (0..applied.len()).rev() {
        let by_root = roots.iter().any(|root| uses(*root, k));
        let by_later = (k + 1..applied.len()).filter(|later| needed[*later]).any(|later| {
            let coefficient = match applied[later].operation {
                SpatialOperation::Diffusion { coefficient } => uses(coefficient, k),
                _ => false,
            };
            coefficient || uses(applied[later].of, k)
        });
        needed[k] = by_root || by_later;
    }
    (0..applied.len()).filter(|k| needed[*k]).collect()
}
