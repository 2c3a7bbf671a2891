use hpfracc_spatial::BoxGrid;

/// Coordinates of the values of a field on a box; empty for other fields.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Points {
    axes: Vec<Vec<f64>>,
}

/// One value of a field: the time, its position in the field, and its coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Site<'a> {
    /// Time.
    pub t: f64,
    /// Position in the field: the number of the cell or node.
    pub index: usize,
    /// Coordinates on a box; empty where there are none.
    pub x: &'a [f64],
}

impl Points {
    /// Points of a grid.
    pub(crate) fn of(grid: &BoxGrid) -> Self {
        Self { axes: grid.axes().iter().map(|axis| axis.points().to_vec()).collect() }
    }

    /// Coordinates of a position; empty where there are none.
    pub fn at(&self, index: usize) -> Vec<f64> {
        self.cursor(index).x().to_vec()
    }

    /// Walks through the points in order, from a position on.
    pub(crate) fn cursor(&self, index: usize) -> Cursor<'_> {
        let mut cursor = Cursor { axes: &self.axes, position: [0; 3], point: [0.0; 3] };
        let mut rest = index;
        for (d, axis) in self.axes.iter().enumerate().rev() {
            cursor.position[d] = rest % axis.len();
            cursor.point[d] = axis[cursor.position[d]];
            rest /= axis.len();
        }
        cursor
    }
}

/// A position of a field and its coordinates.
pub(crate) struct Cursor<'a> {
    axes: &'a [Vec<f64>],
    position: [usize; 3],
    point: [f64; 3],
}

impl Cursor<'_> {
    /// Coordinates.
    #[inline]
    pub(crate) fn x(&self) -> &[f64] {
        &self.point[..self.axes.len()]
    }

    /// Moves to the next position.
    #[inline]
    pub(crate) fn advance(&mut self) {
        for (d, axis) in self.axes.iter().enumerate().rev() {
            self.position[d] += 1;
            if self.position[d] < axis.len() {
                self.point[d] = axis[self.position[d]];
                return;
            }
            self.position[d] = 0;
            self.point[d] = axis[0];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hpfracc_spatial::Axis;

    #[test]
    fn a_cursor_visits_the_points_of_the_grid() {
        let axes = [3, 4, 5].map(|n| Axis::periodic(0.0, n as f64, n).unwrap());
        let grid = BoxGrid::new(axes.to_vec()).unwrap();
        let points = Points::of(&grid);
        let mut cursor = points.cursor(7);
        for index in 7..60 {
            assert_eq!(cursor.x(), grid.coordinates(index));
            assert_eq!(points.at(index), grid.coordinates(index));
            cursor.advance();
        }
    }
}
