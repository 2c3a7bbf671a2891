use crate::error::require;
use crate::graph::Graph;
use crate::graph::csr::Csr;
#[cfg(feature = "sparse")]
use crate::graph::factorisation::{SparseRows, SymbolicFactorisation};
use crate::krylov::{IterativeSolver, Stopping};
use crate::{NullSpace, Result, ShiftedSolver, SpatialError, SpatialOperator, Spectrum};
use num_complex::Complex64;

/// How a graph Laplacian is normalised, with the weights W and the degrees D.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Normalisation {
    /// `D - W`.
    Combinatorial,
    /// `D^-1/2 (D - W) D^-1/2`.
    Symmetric,
    /// `D^-1 (D - W)`: 1 minus the transition matrix of the random walk.
    RandomWalk,
}

/// Laplacian of an undirected graph.
///
/// | | combinatorial | normalised | random walk |
/// |---|---|---|---|
/// | matrix | `D - W` | `D^-1/2 (D - W) D^-1/2` | `D^-1 (D - W)` |
/// | eigenvalues up to | the largest `d_i + d_j` of an edge | 2 | 2 |
/// | null vectors, one a component | 1 | `D^1/2 1` | 1 |
/// | self-adjoint with the weights | 1 | 1 | D |
///
/// Degrees of the last two contain the loops of a node once. Rows of isolated nodes are 0; their
/// weight is 1. The bound of the largest eigenvalue is that of W. N. Anderson, T. D. Morley, Linear
/// Multilinear Algebra 18 (1985) 141, doi:10.1080/03081088508817681, with weights. The smallest
/// eigenvalue above 0 is unknown; give it by [`with_lowest`](Self::with_lowest) if it is known.
///
/// Cost of a product: 12 bytes a stored entry (two an edge) and the field; rows are shared among
/// threads. Shifted equations are solved by conjugate gradients, see
/// [`with_stopping`](Self::with_stopping).
///
/// ```
/// use hpfracc_spatial::{Graph, GraphLaplacian, SpatialOperator};
///
/// let laplacian = GraphLaplacian::combinatorial(&Graph::path(3)?)?;
/// let mut y = [0.0; 3];
/// laplacian.apply(&[1.0, 2.0, 4.0], &mut y);
/// assert_eq!(y, [-1.0, -1.0, 2.0]);
/// # Ok::<(), hpfracc_spatial::SpatialError>(())
/// ```
#[derive(Debug, Clone)]
pub struct GraphLaplacian {
    normalisation: Normalisation,
    graph: Graph,
    degrees: Vec<f64>,
    /// Negative entries outside the diagonal, with the sign turned.
    pub(super) entries: Csr,
    pub(super) diagonal: Vec<f64>,
    weights: Option<Vec<f64>>,
    spectrum: Spectrum,
    stopping: Stopping,
    #[cfg(feature = "sparse")]
    factorisation: Option<SymbolicFactorisation>,
}

impl GraphLaplacian {
    /// `D - W`.
    ///
    /// # Errors
    /// [`Directed`](SpatialError::Directed) for a directed graph.
    pub fn combinatorial(graph: &Graph) -> Result<Self> {
        Self::new(graph, Normalisation::Combinatorial)
    }

    /// `D^-1/2 (D - W) D^-1/2`.
    ///
    /// # Errors
    /// As [`combinatorial`](Self::combinatorial).
    pub fn normalised(graph: &Graph) -> Result<Self> {
        Self::new(graph, Normalisation::Symmetric)
    }

    /// `D^-1 (D - W)`.
    ///
    /// # Errors
    /// As [`combinatorial`](Self::combinatorial).
    pub fn random_walk(graph: &Graph) -> Result<Self> {
        Self::new(graph, Normalisation::RandomWalk)
    }

    /// Laplacian with a normalisation.
    ///
    /// # Errors
    /// As [`combinatorial`](Self::combinatorial).
    pub fn new(graph: &Graph, normalisation: Normalisation) -> Result<Self> {
        if graph.is_directed() {
            return Err(SpatialError::Directed { what: "a symmetric Laplacian" });
        }
        let degrees = graph.degrees();
        let mut entries = graph.adjacency().clone();
        let loops = graph.loops();
        let open = |i: usize| degrees[i] - loops[i];
        let ratio = |i: usize| if degrees[i] > 0.0 { open(i) / degrees[i] } else { 0.0 };
        let n = degrees.len();
        let diagonal: Vec<f64> = match normalisation {
            Normalisation::Combinatorial => (0..n).map(|i| entries.row(i).1.iter().sum()).collect(),
            _ => (0..n).map(ratio).collect(),
        };
        match normalisation {
            Normalisation::Combinatorial => {}
            Normalisation::Symmetric => {
                entries.map_values(|i, j, w| w / (degrees[i] * degrees[j]).sqrt());
            }
            Normalisation::RandomWalk => entries.map_values(|i, _, w| w / degrees[i]),
        }
        let positive = |d: f64| if d > 0.0 { d } else { 1.0 };
        let (component, _) = graph.components();
        let vector = match normalisation {
            Normalisation::Symmetric => degrees.iter().map(|&d| positive(d).sqrt()).collect(),
            _ => vec![1.0; n],
        };
        let highest = match normalisation {
            Normalisation::Combinatorial => {
                graph.edges().map(|(i, j, _)| diagonal[i] + diagonal[j]).fold(0.0, f64::max)
            }
            _ => 2.0,
        };
        let null_space = NullSpace::Components { component, vector };
        let weights = (normalisation == Normalisation::RandomWalk)
            .then(|| degrees.iter().map(|&d| positive(d)).collect());
        Ok(Self {
            normalisation,
            graph: graph.clone(),
            degrees,
            entries,
            diagonal,
            weights,
            spectrum: Spectrum { lowest: 0.0, highest, null_space },
            stopping: Stopping::default(),
            #[cfg(feature = "sparse")]
            factorisation: None,
        })
    }

    /// The same operator with a lower bound of its eigenvalues above 0, for
    /// [`spectrum`](SpatialOperator::spectrum).
    ///
    /// # Errors
    /// [`OutOfRange`](SpatialError::OutOfRange) unless `0 < lowest <= highest`.
    pub fn with_lowest(mut self, lowest: f64) -> Result<Self> {
        let fits = lowest > 0.0 && lowest <= self.spectrum.highest;
        require(fits, "lowest eigenvalue", lowest, "above 0, at most the highest eigenvalue")?;
        self.spectrum.lowest = lowest;
        Ok(self)
    }

    /// The same with another tolerance of the residual of solves (default 1e-12) and another largest
    /// number of iterations (default 10 000).
    ///
    /// # Errors
    /// [`OutOfRange`](SpatialError::OutOfRange) unless the tolerance is between 0 and 1 and the
    /// number positive.
    pub fn with_stopping(mut self, stopping: Stopping) -> Result<Self> {
        self.stopping = stopping.checked()?;
        Ok(self)
    }

    /// The same operator with sparse direct solvers of its shifted equations: Cholesky factors for
    /// real shifts of at least 0, LU factors for others, with one symbolic analysis for all.
    ///
    /// The fill-in is small for paths, trees and planar graphs, and prohibitive for large graphs without
    /// small separators.
    ///
    /// # Errors
    /// [`Unsupported`](SpatialError::Unsupported) if the analysis does not fit into memory.
    #[cfg(feature = "sparse")]
    pub fn with_factorisation(mut self) -> Result<Self> {
        self.factorisation = Some(SymbolicFactorisation::new(&self)?);
        Ok(self)
    }

    /// The normalisation.
    pub fn normalisation(&self) -> Normalisation {
        self.normalisation
    }

    /// The graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Degrees of the nodes, with loops.
    pub fn degrees(&self) -> &[f64] {
        &self.degrees
    }

    /// Diagonal of the matrix.
    pub fn diagonal(&self) -> &[f64] {
        &self.diagonal
    }

    /// Entries of a row outside the diagonal, as `(column, value)`.
    ///
    /// # Panics
    /// If the row is not below the number of nodes.
    pub fn row(&self, row: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let (columns, values) = self.entries.row(row);
        columns.iter().zip(values).map(|(&j, &w)| (j as usize, -w))
    }
}

impl SpatialOperator for GraphLaplacian {
    fn len(&self) -> usize {
        self.diagonal.len()
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        let row = |i: usize| self.diagonal[i] * x[i] - self.entries.row_times(i, x);
        self.entries.for_rows(y, row);
    }

    fn apply_transpose(&self, y: &[f64], x: &mut [f64]) {
        let Some(weights) = &self.weights else { return self.apply(y, x) };
        // A' = W A W^-1.
        let scaled: Vec<f64> = y.iter().zip(weights).map(|(y, w)| y / w).collect();
        self.apply(&scaled, x);
        x.iter_mut().zip(weights).for_each(|(x, w)| *x *= w);
    }

    fn spectrum(&self) -> Spectrum {
        self.spectrum.clone()
    }

    fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    fn shifted(&self, z: Complex64) -> Result<Box<dyn ShiftedSolver + '_>> {
        #[cfg(feature = "sparse")]
        if let Some(factorisation) = &self.factorisation {
            return Ok(Box::new(factorisation.shifted(self, z)?));
        }
        let solver = IterativeSolver::new(self, z, Some(&self.diagonal), self.stopping)?;
        Ok(Box::new(solver))
    }
}

#[cfg(feature = "sparse")]
impl SparseRows for GraphLaplacian {
    fn rows(&self) -> usize {
        self.len()
    }

    fn off_diagonal(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.row(i)
    }

    fn diagonal_entry(&self, i: usize) -> f64 {
        self.diagonal()[i]
    }

    fn row_weights(&self) -> Option<&[f64]> {
        self.weights()
    }
}
