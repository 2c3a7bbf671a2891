//! Where the fields are: a box, a domain with zero outside, or the points of an operator.

use super::points::ExtendedPoints;
use super::zero_outside::ZeroOutside;
use crate::error::{PdeError, Result};
use crate::{BoxOperator, SpectralPower};
use hpfracc_spatial::{BoxGrid, DenseModes, Discretisation, Laplacian, SpatialOperator};
use std::sync::Arc;

#[derive(Clone)]
pub(super) enum Space {
    Box(BoxGrid),
    ZeroOutside(ZeroOutside),
    /// An operator in place of -lap, with the values of each coordinate at its points.
    Operator(Arc<dyn SpatialOperator>, Arc<[f64]>),
}

/// Operator in place of -lap, with boundary values if it has them.
pub(super) enum Operator {
    OfBox(Arc<dyn BoxOperator>),
    Any(Arc<dyn SpatialOperator>),
}

impl Operator {
    pub(super) fn any(self) -> Arc<dyn SpatialOperator> {
        match self {
            Self::OfBox(operator) => operator,
            Self::Any(operator) => operator,
        }
    }
}

/// Exponent of the operator of fields without a linear part on a domain with zero outside.
const PLACEHOLDER: f64 = 0.5;

impl Space {
    /// Number of values of a field.
    pub(super) fn n(&self) -> usize {
        match self {
            Self::Box(grid) => grid.len(),
            Self::ZeroOutside(domain) => domain.len(),
            Self::Operator(operator, _) => operator.len(),
        }
    }

    /// Its points with the faces of its boundary.
    pub(super) fn points(&self) -> Result<ExtendedPoints> {
        match self {
            Self::Box(grid) => ExtendedPoints::of(grid),
            Self::ZeroOutside(domain) => {
                let nodes = domain.nodes();
                let columns = 0..domain.axes().len();
                let coordinates = columns.flat_map(|d| nodes.iter().map(move |node| node[d]));
                Ok(ExtendedPoints::nodes(nodes.len(), coordinates.collect()))
            }
            Self::Operator(operator, coordinates) => {
                Ok(ExtendedPoints::nodes(operator.len(), coordinates.to_vec()))
            }
        }
    }

    /// Weights of the points in integrals; on a graph those of the inner product of its operator.
    pub(super) fn weights(&self) -> Vec<f64> {
        match self {
            Self::Box(grid) => grid.weights(),
            Self::ZeroOutside(domain) => vec![domain.volume(); domain.len()],
            Self::Operator(operator, _) => {
                operator.weights().map_or_else(|| vec![1.0; operator.len()], <[f64]>::to_vec)
            }
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
            Self::ZeroOutside(domain) => Ok(Operator::Any(domain.laplacian(exponent)?)),
            Self::Operator(operator, _) if exponent == 1.0 => Ok(Operator::Any(operator.clone())),
            Self::Operator(operator, _) => {
                let of: Arc<dyn SpatialOperator> = match operator.modes() {
                    Some(_) => operator.clone(),
                    None => Arc::new(DenseModes::shared(operator.clone())?),
                };
                Ok(Operator::Any(Arc::new(SpectralPower::new(of, exponent)?)))
            }
        }
    }

    /// Operator of a field without a linear part.
    pub(super) fn placeholder(&self) -> Result<Operator> {
        match self {
            Self::ZeroOutside(_) => self.laplacian(PLACEHOLDER),
            _ => self.laplacian(1.0),
        }
    }

    /// Refuses differences on graphs, with zero outside and on axes without cells of second order.
    pub(super) fn require_cells(&self, name: &str) -> Result<()> {
        let second = Discretisation::Second;
        let reason = match self {
            Self::Operator(..) => format!("`{name}` needs a box"),
            Self::ZeroOutside(_) => {
                format!("`{name}` needs a box with boundary conditions, not zero outside")
            }
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
