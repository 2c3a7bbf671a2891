//! Coefficients on the faces between cells.

use crate::boxes::grid::{self, BoxGrid};
use crate::error::require_len;
use crate::{Result, SpatialError};

/// Values of a function of the coordinates at the centres of the faces across each axis,
/// row-major, n + 1 along the axis.
pub(in crate::boxes) fn sample(grid: &BoxGrid, f: &dyn Fn(usize, &[f64]) -> f64) -> Vec<Vec<f64>> {
    let along = |d: usize| {
        let nodes = |axis: &crate::Axis| -> Vec<f64> {
            let [from, to] = axis.ends();
            let n = axis.len();
            (0..=n).map(|j| if j == n { to } else { from + j as f64 * axis.cell_width() }).collect()
        };
        let coordinates: Vec<Vec<f64>> = (grid.axes().iter().enumerate())
            .map(|(e, axis)| if e == d { nodes(axis) } else { axis.points().to_vec() })
            .collect();
        let slices: Vec<&[f64]> = coordinates.iter().map(Vec::as_slice).collect();
        grid::sample(&slices, |p| f(d, p))
    };
    (0..grid.dim()).map(along).collect()
}

/// Harmonic means of the values of the two cells at each face; the value of the cell inside on a
/// boundary.
pub(super) fn harmonic_means(grid: &BoxGrid, cells: &[f64]) -> Vec<Vec<f64>> {
    let along = |d: usize| {
        let (layout, periodic) = (grid.layout(d), grid.axes()[d].is_periodic());
        let (n, inner) = (layout.n, layout.inner);
        let mut faces = Vec::with_capacity(layout.outer * (n + 1) * inner);
        for slab in cells.chunks_exact(n * inner) {
            for face in 0..=n {
                let (below, above) = match face {
                    _ if periodic => ((face + n - 1) % n, face % n),
                    0 => (0, 0),
                    _ => (face - 1, face.min(n - 1)),
                };
                faces.extend((0..inner).map(|i| {
                    let (a, b) = (slab[below * inner + i], slab[above * inner + i]);
                    2.0 / (1.0 / a + 1.0 / b)
                }));
            }
        }
        faces
    };
    (0..grid.dim()).map(along).collect()
}

/// Refuses face values of the wrong number, that differ on the two ends of a periodic axis, or for
/// which `holds` is false.
pub(in crate::boxes) fn check(
    grid: &BoxGrid,
    what: &'static str,
    faces: &[Vec<f64>],
    expected: &'static str,
    holds: impl Fn(f64) -> bool,
) -> Result<()> {
    require_len(what, faces.len(), grid.dim())?;
    for (axis, values) in faces.iter().enumerate() {
        let layout = grid.layout(axis);
        require_len(what, values.len(), layout.outer * (layout.n + 1) * layout.inner)?;
        let wrong = |index: usize, expected| {
            let value = values[index];
            Err(SpatialError::FaceValue { what, axis, index, value, expected })
        };
        if let Some(index) = values.iter().position(|value| !holds(*value)) {
            return wrong(index, expected);
        }
        if grid.axes()[axis].is_periodic() {
            let slab = (layout.n + 1) * layout.inner;
            let last = layout.n * layout.inner;
            let differs = |i: &usize| i % slab >= last && values[*i] != values[*i - last];
            if let Some(index) = (0..values.len()).find(differs) {
                return wrong(index, "the value of the same face on the lower end");
            }
        }
    }
    Ok(())
}

/// Position of the lower face across an axis of the first cell in a row of the last axis.
///
/// `row` counts rows, `stride` is the distance in rows of neighbours along the axis.
pub(in crate::boxes) fn row_of_faces(row: usize, stride: usize, n: usize) -> usize {
    row + row / (stride * n) * stride
}
