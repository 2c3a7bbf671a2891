use crate::error::require;
use crate::functions::{Function, OperatorFunction, Way};
use crate::graph::{GraphLaplacian, Normalisation};
use crate::{Result, SpatialError, SpatialOperator};

/// Fractional random walk on a graph, with long-range jumps: transition probabilities
/// `p_ij = delta_ij - (L^gamma)_ij / (L^gamma)_ii` with the combinatorial Laplacian L and
/// 0 < gamma <= 1; gamma = 1 is the ordinary random walk.
///
/// A row costs one application of `L^gamma`. Source: A. P. Riascos, J. L. Mateos, Phys. Rev. E 90
/// (2014) 032809, doi:10.1103/PhysRevE.90.032809.
///
/// ```
/// use hpfracc_spatial::{FractionalWalk, Graph, GraphLaplacian, Way};
///
/// let laplacian = GraphLaplacian::combinatorial(&Graph::ring(8)?)?;
/// let row = FractionalWalk::new(&laplacian, 0.5, Way::Auto, 1e-10)?.row(0)?;
/// assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-13);
/// assert!(row[0] == 0.0 && row[1] > row[2] && row[2] > row[4] && row[4] > 0.0);
/// # Ok::<(), hpfracc_spatial::SpatialError>(())
/// ```
pub struct FractionalWalk<'a> {
    power: OperatorFunction<'a>,
    nodes: usize,
}

impl<'a> FractionalWalk<'a> {
    /// Walk with the exponent gamma, with a method and tolerance for `L^gamma`.
    ///
    /// # Errors
    /// [`OutOfRange`](SpatialError::OutOfRange) for gamma outside (0, 1],
    /// [`Unsupported`](SpatialError::Unsupported) for a normalised Laplacian; those of
    /// [`OperatorFunction::new`].
    pub fn new(
        laplacian: &'a GraphLaplacian,
        gamma: f64,
        way: Way,
        tolerance: f64,
    ) -> Result<Self> {
        require(gamma > 0.0 && gamma <= 1.0, "exponent gamma", gamma, "0 < gamma <= 1")?;
        if laplacian.normalisation() != Normalisation::Combinatorial {
            return Err(SpatialError::Unsupported {
                method: "fractional random walk",
                request: format!("with a {:?} Laplacian", laplacian.normalisation()),
                reason: "its transition matrix is defined by the combinatorial Laplacian",
            });
        }
        let power = OperatorFunction::new(laplacian, Function::Power(gamma), way, tolerance)?;
        Ok(Self { power, nodes: laplacian.len() })
    }

    /// Probabilities of the next node, from a node. Those from an isolated node are 1 for itself.
    ///
    /// # Errors
    /// [`OutOfRange`](SpatialError::OutOfRange) for a node out of range; those of
    /// [`OperatorFunction::apply`].
    pub fn row(&self, node: usize) -> Result<Vec<f64>> {
        require(node < self.nodes, "node", node as f64, "below the number of nodes")?;
        let mut start = vec![0.0; self.nodes];
        start[node] = 1.0;
        let mut row = vec![0.0; self.nodes];
        self.power.apply(&start, &mut row)?;
        let leave = row[node];
        if leave <= 0.0 {
            return Ok(start);
        }
        row.iter_mut().for_each(|p| *p /= -leave);
        row[node] = 0.0;
        Ok(row)
    }
}
