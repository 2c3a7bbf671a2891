//! Values of expressions of coordinates and parameters.

use super::pointwise::{At, Pointwise};
use super::space::Space;
use crate::error::Result;
use hpfracc_equation::{FieldEquation, Graph, Id};
use hpfracc_spatial::BoxGrid;

/// Values at all points.
pub(super) fn at_points(
    equation: &FieldEquation,
    space: &Space,
    (graph, root): (&Graph, Id),
) -> Result<Vec<f64>> {
    let mut points = space.points()?;
    points.leave_faces();
    values(equation, (graph, root), points.n, points.coordinates)
}

/// Values at the centres of the faces between cells, for each axis.
pub(super) fn at_faces(
    equation: &FieldEquation,
    grid: &BoxGrid,
    (graph, root): (&Graph, Id),
) -> Result<Vec<Vec<f64>>> {
    let mut all = Vec::with_capacity(grid.dim());
    for axis in 0..grid.dim() {
        let mut shape = grid.shape();
        shape[axis] += 1;
        let n: usize = shape.iter().product();
        let mut coordinates = vec![0.0; grid.dim() * n];
        for index in 0..n {
            let mut rest = index;
            for d in (0..grid.dim()).rev() {
                let (k, a) = (rest % shape[d], &grid.axes()[d]);
                rest /= shape[d];
                let face = a.ends()[0] + k as f64 * a.cell_width();
                // Periodic ends are one face.
                let first = d == axis && k == a.len() && a.is_periodic();
                coordinates[d * n + index] = match (d == axis, first) {
                    (true, true) => a.ends()[0],
                    (true, false) => face,
                    (false, _) => a.points()[k],
                };
            }
        }
        all.push(values(equation, (graph, root), n, coordinates)?);
    }
    Ok(all)
}

/// Values at n points, from a row for each coordinate.
fn values(
    equation: &FieldEquation,
    (graph, root): (&Graph, Id),
    n: usize,
    mut rows: Vec<f64>,
) -> Result<Vec<f64>> {
    let variables = equation.variables();
    let pointwise = Pointwise::of_values(graph, &[root], &variables)?;
    // Neither fields nor operators occur.
    rows.resize(rows.len() + (variables.fields.len() + variables.applied.len()) * n, f64::NAN);
    let theta: Vec<f64> = equation.parameters().iter().map(|p| p.value()).collect();
    let mut values = vec![0.0; n];
    pointwise.values(n, At { rows: &rows, t: f64::NAN, theta: &theta }, &mut values);
    Ok(values)
}
