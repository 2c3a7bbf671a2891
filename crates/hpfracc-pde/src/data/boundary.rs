use crate::error::Result;
use hpfracc_spatial::{BoxGrid, Diffusion, End, Face, FaceValues, Laplacian, SpatialOperator};
use std::sync::Arc;

/// Operator on a box that takes boundary values.
pub trait BoxOperator: SpatialOperator {
    /// The grid.
    fn grid(&self) -> &BoxGrid;

    /// Adds the contribution of boundary values g on a face to a right-hand side, so that
    /// `A u = b` is the discrete equation with these values.
    ///
    /// # Errors
    /// [`SpatialError`](hpfracc_spatial::SpatialError) for a face that does not exist or is
    /// periodic, and for values of the wrong number or that are not finite.
    fn add_boundary_values(
        &self,
        face: Face,
        values: FaceValues<'_>,
        b: &mut [f64],
    ) -> Result<(), hpfracc_spatial::SpatialError>;
}

/// Implements [`BoxOperator`] by the inherent methods of the same names.
macro_rules! box_operator {
    ($operator:ty) => {
        impl BoxOperator for $operator {
            fn grid(&self) -> &BoxGrid {
                self.grid()
            }

            fn add_boundary_values(
                &self,
                face: Face,
                values: FaceValues<'_>,
                b: &mut [f64],
            ) -> Result<(), hpfracc_spatial::SpatialError> {
                self.add_boundary_values(face, values, b)
            }
        }
    };
}

box_operator!(Laplacian);
box_operator!(Diffusion);

/// Function g(t, x) of the points of a face.
type FaceFunction<'a> = Arc<dyn Fn(f64, &[f64]) -> f64 + Send + Sync + 'a>;

/// Values g(t, x) on a face.
#[derive(Clone)]
pub(crate) enum BoundaryValues<'a> {
    Constant(f64),
    Function(FaceFunction<'a>),
}

/// Boundary values of a field on a face, as a term of the right-hand side.
#[derive(Clone)]
pub(crate) struct BoundaryTerm<'a> {
    pub(crate) field: usize,
    values: BoundaryValues<'a>,
    /// Position in the field, contribution of a boundary value 1, and point on the face.
    cells: Vec<(usize, f64, Vec<f64>)>,
}

impl<'a> BoundaryTerm<'a> {
    /// For an operator of a field.
    pub(crate) fn new(
        operator: &dyn BoxOperator,
        field: usize,
        face: Face,
        values: BoundaryValues<'a>,
    ) -> Result<Self> {
        let mut unit = vec![0.0; operator.len()];
        operator.add_boundary_values(face, FaceValues::Constant(1.0), &mut unit)?;
        let grid = operator.grid();
        let [lower, upper] = grid.axes()[face.axis].ends();
        let on_face = if face.end == End::Lower { lower } else { upper };
        let cell = |(index, weight): (usize, &f64)| {
            let mut point = grid.coordinates(index);
            point[face.axis] = on_face;
            (index, *weight, point)
        };
        let cells = unit.iter().enumerate().filter(|(_, w)| **w != 0.0).map(cell).collect();
        Ok(Self { field, values, cells })
    }

    /// Adds the contributions times a factor to the right-hand side of the field.
    pub(crate) fn add(&self, t: f64, factor: f64, f: &mut [f64]) {
        for (index, weight, point) in &self.cells {
            let g = match &self.values {
                BoundaryValues::Constant(g) => *g,
                BoundaryValues::Function(g) => g(t, point),
            };
            f[*index] += factor * weight * g;
        }
    }

    /// Cells at the face with the contribution of a boundary value 1.
    pub(crate) fn contributions(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.cells.iter().map(|(cell, weight, _)| (*cell, *weight))
    }

    /// Whether the values do not depend on time.
    pub(crate) fn is_constant(&self) -> bool {
        matches!(self.values, BoundaryValues::Constant(_))
    }
}
