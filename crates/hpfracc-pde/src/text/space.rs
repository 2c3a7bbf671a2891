//! Where the fields are: a box, or the points of an operator.

use super::points::ExtendedPoints;
use crate::error::{PdeError, Result};
use crate::{BoxOperator, SpectralPower};
use hpfracc_spatial::{BoxGrid, Discretisation, Laplacian, SpatialOperator};
use std::sync::Arc;

#[derive(Clone)]
pub(super) enum Space {
    Box(BoxGrid),
    Operator(Arc<dyn SpatialOperator>),
}

/// Operator in place of -lap, with boundary values if it has them.
pub(super) enum Operator {
    OfBox(Arc<dyn BoxOperator>),
    Any(Arc<dyn SpatialOperator>),
}

impl Space {
    /// Number of values of a field.
    pub(super) fn n(&self) -> usize {
        match self {
            Self::Box(grid) => grid.len(),
            Self::Operator(operator) => operator.len(),
        }
    }

    /// Its points with the faces of its boundary.
    pub(super) fn points(&self) -> Result<ExtendedPoints> {
        match self {
            Self::Box(grid) => ExtendedPoints::of(grid),
            Self::Operator(operator) => Ok(ExtendedPoints::nodes(operator.len())),
        }
    }

    /// `(-lap)^exponent`.
    pub(super) fn laplacian(&self, exponent: f64) -> Result<Operator> {
        match self {
            Self::Box(grid) => {
                let laplacian = Arc::new(Laplacian::new(grid.clone(), &vec![1.0; grid.dim()])?);
                if exponent == 1.0 {
                    return Ok(Operator::OfBox(laplacian));
                }
                Ok(Operator::Any(Arc::new(SpectralPower::new(laplacian, exponent)?)))
            }
            Self::Operator(operator) if exponent == 1.0 => Ok(Operator::Any(operator.clone())),
            Self::Operator(operator) => {
                Ok(Operator::Any(Arc::new(SpectralPower::new(operator.clone(), exponent)?)))
            }
        }
    }

    /// Refuses differences on graphs and on axes without cells of second order.
    pub(super) fn require_cells(&self, name: &str) -> Result<()> {
        let second = Discretisation::Second;
        let reason = match self {
            Self::Operator(_) => format!("`{name}` needs coordinates"),
            Self::Box(grid) if grid.axes().iter().all(|a| a.discretisation() == second) => {
                return Ok(());
            }
            Self::Box(_) => {
                format!("`{name}` is computed between cells, and an axis has other points")
            }
        };
        Err(PdeError::Text { reason })
    }
}
