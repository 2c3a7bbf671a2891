use super::{Axis, Discretisation};
use crate::error::{require, require_finite, require_len, require_memory};
use crate::{Result, SpatialError};

/// Points of a box of 1 to 3 axes.
///
/// A field has one value for each point, row-major: the last axis is the fastest.
///
/// ```
/// use hpfracc_spatial::{Axis, Boundary, BoxGrid};
///
/// let x = Axis::new(0.0, 1.0, 8, [Boundary::Neumann; 2])?;
/// let y = Axis::periodic(0.0, 2.0, 4)?;
/// let grid = BoxGrid::new(vec![x, y])?;
/// let u = grid.sample(|p| p[0]); // u(x, y) = x
/// assert_eq!(grid.shape(), [8, 4]);
/// assert_eq!(u[4], grid.axes()[0].points()[1]);
/// assert!((grid.integral(&u)? - 1.0).abs() < 1e-15);
/// # Ok::<(), hpfracc_spatial::SpatialError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct BoxGrid {
    axes: Vec<Axis>,
}

/// Names one of the faces of a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Face {
    /// The axis that the face is normal to.
    pub axis: usize,
    /// On which end of the axis.
    pub end: End,
}

/// One end of an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The end with the least coordinate.
    Lower,
    /// The end with the greatest coordinate.
    Upper,
}

/// Boundary values g on a [`Face`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FaceValues<'a> {
    /// The same value everywhere.
    Constant(f64),
    /// A value for each point of the face, row-major in the remaining axes.
    Each(&'a [f64]),
}

impl FaceValues<'_> {
    /// The value at a position of the face.
    pub(crate) fn at(&self, position: usize) -> f64 {
        match self {
            Self::Constant(g) => *g,
            Self::Each(values) => values[position],
        }
    }

    /// Refuses another number of values than the face has, and values that are not finite.
    pub(crate) fn check(&self, expected: usize) -> Result<()> {
        match self {
            Self::Constant(g) => require_finite("boundary value", &[*g]),
            Self::Each(values) => {
                require_len("boundary values", values.len(), expected)?;
                require_finite("boundary values", values)
            }
        }
    }
}

impl BoxGrid {
    /// Grid with these axes.
    ///
    /// # Errors
    /// [`SpatialError::OutOfRange`] unless there are 1 to 3 axes and the number of points fits into
    /// a 32-bit number, [`SpatialError::Memory`] if a field does not fit into memory.
    pub fn new(axes: Vec<Axis>) -> Result<Self> {
        let dim = axes.len() as f64;
        require((1..=3).contains(&axes.len()), "the number of axes", dim, "1 to 3")?;
        let points: f64 = axes.iter().map(|axis| axis.len() as f64).product();
        require(points <= f64::from(u32::MAX), "the number of points", points, "below 2^32")?;
        require_memory("a field of the box", points)?;
        Ok(Self { axes })
    }

    /// The axes.
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// Number of axes.
    pub fn dim(&self) -> usize {
        self.axes.len()
    }

    /// Number of points along each axis.
    pub fn shape(&self) -> Vec<usize> {
        self.axes.iter().map(Axis::len).collect()
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.axes.iter().map(Axis::len).product()
    }

    /// Whether there are no points: never.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Values of a function of the coordinates at all points.
    pub fn sample(&self, f: impl FnMut(&[f64]) -> f64) -> Vec<f64> {
        let coordinates: Vec<&[f64]> = self.axes.iter().map(Axis::points).collect();
        sample(&coordinates, f)
    }

    /// Coordinates of the point of a field's position.
    ///
    /// # Panics
    /// If there is no such position.
    pub fn coordinates(&self, index: usize) -> Vec<f64> {
        assert!(index < self.len(), "index {index} of a grid with {} points", self.len());
        let mut rest = index;
        let mut point: Vec<f64> = (self.axes.iter().rev())
            .map(|axis| {
                let j = rest % axis.len();
                rest /= axis.len();
                axis.points()[j]
            })
            .collect();
        point.reverse();
        point
    }

    /// Weight of each point in integrals: the volumes of the cells.
    pub fn weights(&self) -> Vec<f64> {
        let weights: Vec<&[f64]> = self.axes.iter().map(Axis::weights).collect();
        sample(&weights, |w| w.iter().product())
    }

    /// Integral of a field over the box.
    ///
    /// # Errors
    /// [`SpatialError::Length`] if the field has another number of values.
    pub fn integral(&self, field: &[f64]) -> Result<f64> {
        require_len("field", field.len(), self.len())?;
        let mut sums = field.to_vec();
        for axis in self.axes.iter().rev() {
            let lines = sums.chunks_exact(axis.len());
            sums = lines.map(|u| u.iter().zip(axis.weights()).map(|(u, w)| u * w).sum()).collect();
        }
        Ok(sums[0])
    }

    /// Number of lines before, number of points and stride of an axis in a field.
    pub(crate) fn layout(&self, axis: usize) -> Layout {
        let lens = |axes: &[Axis]| axes.iter().map(Axis::len).product();
        Layout {
            outer: lens(&self.axes[..axis]),
            n: self.axes[axis].len(),
            inner: lens(&self.axes[axis + 1..]),
        }
    }

    /// Refuses axes with another discretisation than cells.
    pub(crate) fn require_cells(&self, operator: &'static str) -> Result<()> {
        for (axis, a) in self.axes.iter().enumerate() {
            if a.discretisation() != Discretisation::Second {
                return Err(SpatialError::Axis {
                    axis,
                    what: operator,
                    found: format!("on {:?}", a.discretisation()),
                    expected: "Discretisation::Second",
                });
            }
        }
        Ok(())
    }

    /// The axis of a face, which is not periodic.
    ///
    /// # Errors
    /// [`Axis`](crate::SpatialError::Axis) if there is no such axis or it is periodic.
    pub fn face_axis(&self, face: Face) -> Result<&Axis> {
        let found = |found: String, expected| {
            let what = "the axis of a face";
            SpatialError::Axis { axis: face.axis, what, found, expected }
        };
        let axis = self.axes.get(face.axis);
        let axis = axis.ok_or_else(|| found("missing".into(), "an axis of the grid"))?;
        if axis.is_periodic() {
            return Err(found("periodic".into(), "an axis that has boundaries"));
        }
        Ok(axis)
    }
}

/// A field as lines along an axis: `[outer, n, inner]`, row-major.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) outer: usize,
    pub(crate) n: usize,
    pub(crate) inner: usize,
}

/// Values of a function on the product of sets of coordinates, row-major.
pub(crate) fn sample(coordinates: &[&[f64]], mut f: impl FnMut(&[f64]) -> f64) -> Vec<f64> {
    let len = coordinates.iter().map(|c| c.len()).product();
    let mut position = vec![0; coordinates.len()];
    let mut point: Vec<f64> = coordinates.iter().map(|c| c[0]).collect();
    let mut values = Vec::with_capacity(len);
    loop {
        values.push(f(&point));
        let mut axis = coordinates.len();
        loop {
            if axis == 0 {
                return values;
            }
            axis -= 1;
            position[axis] = (position[axis] + 1) % coordinates[axis].len();
            point[axis] = coordinates[axis][position[axis]];
            if position[axis] != 0 {
                break;
            }
        }
    }
}
