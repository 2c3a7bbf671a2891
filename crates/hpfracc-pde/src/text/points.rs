//! Points of a field: the cells of a box and the centres of its boundary faces, or the nodes of a graph.

use crate::error::Result;
use hpfracc_spatial::{Boundary, BoxGrid, End, Face};

/// Cells first, then the faces of the boundary: extended fields have a value for each.
pub(super) struct ExtendedPoints {
    /// Number of cells.
    pub(super) n: usize,
    /// Number of cells and faces.
    pub(super) extended: usize,
    pub(super) sides: Vec<Side>,
    /// Coordinates, a row for each.
    pub(super) coordinates: Vec<f64>,
    pub(super) lines: Vec<Lines>,
}

/// One end of an axis.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side {
    pub(super) face: Face,
    pub(super) boundary: Boundary,
    /// Position of its first face among the values of an extended field.
    pub(super) first: usize,
}

/// The lines of cells along an axis.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lines {
    pub(super) outer: usize,
    pub(super) n: usize,
    /// Distance of neighbours in a field.
    pub(super) stride: usize,
    /// Width of a cell.
    pub(super) h: f64,
    pub(super) periodic: bool,
    /// Sides of the two ends; none if periodic.
    pub(super) sides: [Option<Side>; 2],
}

impl ExtendedPoints {
    /// Points without a boundary, with a row of values for each coordinate.
    pub(super) fn nodes(n: usize, coordinates: Vec<f64>) -> Self {
        let (sides, lines) = (Vec::new(), Vec::new());
        Self { n, extended: n, sides, coordinates, lines }
    }

    /// Leaves the faces of the boundary out.
    pub(super) fn leave_faces(&mut self) {
        let rows = self.coordinates.chunks_exact(self.extended.max(1));
        self.coordinates = rows.flat_map(|row| row[..self.n].to_vec()).collect();
        self.extended = self.n;
        self.sides.clear();
    }

    /// Those of a grid.
    pub(super) fn of(grid: &BoxGrid) -> Result<Self> {
        let (n, shape, axes) = (grid.len(), grid.shape(), grid.axes());
        let (mut sides, mut extended) = (Vec::new(), n);
        for (axis, a) in axes.iter().enumerate().filter(|(_, axis)| !axis.is_periodic()) {
            for (end, boundary) in [End::Lower, End::Upper].into_iter().zip(a.boundaries()) {
                sides.push(Side { face: Face { axis, end }, boundary, first: extended });
                extended += n / shape[axis];
            }
        }
        let mut coordinates = vec![0.0; axes.len() * extended];
        let line = |axis: usize| {
            let stride: usize = shape[axis + 1..].iter().product();
            let outer = shape[..axis].iter().product();
            let side = |end| {
                let is = |side: &&Side| side.face.axis == axis && side.face.end == end;
                sides.iter().find(is).copied()
            };
            let (h, periodic) = (axes[axis].cell_width(), axes[axis].is_periodic());
            let sides = [side(End::Lower), side(End::Upper)];
            Lines { outer, n: shape[axis], stride, h, periodic, sides }
        };
        let lines: Vec<Lines> = (0..axes.len()).map(line).collect();
        let mut set = |index: usize, point: &[f64]| {
            for (d, x) in point.iter().enumerate() {
                coordinates[d * extended + index] = *x;
            }
        };
        (0..n).for_each(|index| set(index, &grid.coordinates(index)));
        for side in &sides {
            let lines = &lines[side.face.axis];
            let [lower, upper] = axes[side.face.axis].ends();
            for k in 0..lines.outer * lines.stride {
                let mut point = grid.coordinates(lines.end_cell(k, side.face.end));
                point[side.face.axis] = if side.face.end == End::Lower { lower } else { upper };
                set(side.first + k, &point);
            }
        }
        Ok(Self { n, extended, sides, coordinates, lines })
    }
}

impl Lines {
    /// Cell at an end of the k-th line.
    pub(super) fn end_cell(&self, k: usize, end: End) -> usize {
        self.first_cell(k) + if end == End::Lower { 0 } else { (self.n - 1) * self.stride }
    }

    /// First cell of the k-th line.
    pub(super) fn first_cell(&self, k: usize) -> usize {
        k / self.stride * self.stride * self.n + k % self.stride
    }

    /// Number of lines.
    pub(super) fn count(&self) -> usize {
        self.outer * self.stride
    }
}
