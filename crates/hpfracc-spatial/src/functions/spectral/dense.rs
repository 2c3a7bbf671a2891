use super::modes::SpectralValues;
use crate::error::{require, require_finite};
use crate::functions::Function;
use crate::functions::function::Target;
use crate::functions::plan::Plan;
use crate::{Result, SpatialError, SpatialOperator};

/// Most values of a field.
pub(crate) const LARGEST: usize = if cfg!(feature = "sparse") { 2000 } else { 500 };

/// Eigenvalues and orthonormal eigenvectors of a dense symmetric matrix; eigenvectors one after the
/// other.
pub(crate) struct Eigen {
    pub(crate) values: Vec<f64>,
    pub(crate) vectors: Vec<f64>,
}

/// Function of a dense matrix, by its eigenvectors.
pub(crate) struct Dense {
    eigen: Eigen,
    values: SpectralValues,
    /// Square roots of the weights of the inner product.
    roots: Option<Vec<f64>>,
    error: f64,
}

impl Dense {
    pub(crate) fn new(
        operator: &dyn SpatialOperator,
        function: Function,
        nullity: usize,
        tolerance: f64,
    ) -> Result<Self> {
        let eigen = Eigen::of(operator)?;
        let values = SpectralValues::new(function, &eigen.values, nullity)?;
        let roots = operator.weights().map(|w| w.iter().map(|w| w.sqrt()).collect());
        let reached = rounding_error(function, &eigen.values, nullity)?;
        if reached <= tolerance {
            return Ok(Self { eigen, values, roots, error: reached });
        }
        let what = "the dense matrix in double precision";
        Err(SpatialError::Tolerance { what, tolerance, reached })
    }
}

/// Largest change of f relative to its largest absolute value, if eigenvalues but the `nullity`
/// smallest ones move by `d = n eps l_max`, the backward error of a symmetric eigensolver. At least
/// n eps, the rounding of the eigenvectors.
fn rounding_error(function: Function, eigenvalues: &[f64], nullity: usize) -> Result<f64> {
    let mut l: Vec<f64> = eigenvalues.iter().map(|l| l.abs()).collect();
    l.sort_by(f64::total_cmp);
    let l = &l[nullity.min(l.len())..];
    let rounding = f64::EPSILON * eigenvalues.len() as f64;
    let d = rounding * l.last().copied().unwrap_or(0.0);
    let moved = |by: f64| -> Result<Vec<f64>> {
        let l: Vec<f64> = l.iter().map(|l| (l + by).max(0.0)).collect();
        function.values(Target::Value, &l)
    };
    let [below, here, above] = [moved(-d)?, moved(0.0)?, moved(d)?];
    let largest = here.iter().fold(0.0, |largest: f64, f| largest.max(f.abs()));
    if largest == 0.0 {
        return Ok(rounding);
    }
    let change = |k: usize| (below[k] - here[k]).abs().max((above[k] - here[k]).abs()) / largest;
    let changes = (0..l.len()).map(change);
    Ok(changes.fold(
        rounding,
        |most, change| {
            if change.is_nan() { f64::INFINITY } else { most.max(change) }
        },
    ))
}

impl Eigen {
    /// Those of `W^1/2 A W^-1/2`, with the weights W of the operator.
    pub(crate) fn of(operator: &dyn SpatialOperator) -> Result<Self> {
        Self::plus_diagonal(operator, &[])
    }

    /// The same of `A + diag(v)`, of A if v is empty.
    pub(crate) fn plus_diagonal(operator: &dyn SpatialOperator, v: &[f64]) -> Result<Self> {
        let n = operator.len();
        let limit = if cfg!(feature = "sparse") { "at most 2000" } else { "at most 500" };
        require(n <= LARGEST, "number of values for a dense matrix", n as f64, limit)?;
        let root = |i: usize| operator.weights().map_or(1.0, |w| w[i].sqrt());
        let mut matrix = vec![0.0; n * n];
        let mut unit = vec![0.0; n];
        for (j, column) in matrix.chunks_exact_mut(n.max(1)).enumerate() {
            unit[j] = 1.0;
            operator.apply(&unit, column);
            unit[j] = 0.0;
            column.iter_mut().enumerate().for_each(|(i, a)| *a *= root(i) / root(j));
        }
        require_finite("entries of the dense matrix", &matrix)?;
        for i in 0..n {
            for j in 0..i {
                let mean = (matrix[i * n + j] + matrix[j * n + i]) / 2.0;
                (matrix[i * n + j], matrix[j * n + i]) = (mean, mean);
            }
        }
        v.iter().enumerate().for_each(|(i, v)| matrix[i * n + i] += v);
        Self::of_symmetric(n, matrix)
    }

    #[cfg(not(feature = "sparse"))]
    fn of_symmetric(n: usize, matrix: Vec<f64>) -> Result<Self> {
        let eigen = nalgebra::DMatrix::from_vec(n, n, matrix).symmetric_eigen();
        let values = eigen.eigenvalues.as_slice().to_vec();
        Ok(Self { values, vectors: eigen.eigenvectors.as_slice().to_vec() })
    }

    #[cfg(feature = "sparse")]
    fn of_symmetric(n: usize, matrix: Vec<f64>) -> Result<Self> {
        let matrix = faer::Mat::from_fn(n, n, |i, j| matrix[j * n + i]);
        let eigen = matrix.self_adjoint_eigen(faer::Side::Lower);
        let what = "eigenvalues of a dense matrix";
        let failed = crate::SpatialError::NotConverged { what, iterations: 0, residual: f64::NAN };
        let eigen = eigen.map_err(|_| failed)?;
        let values = (0..n).map(|k| eigen.S()[k]).collect();
        let vectors = (0..n * n).map(|k| eigen.U()[(k % n, k / n)]).collect();
        Ok(Self { values, vectors })
    }
}

impl Plan for Dense {
    fn apply(&self, target: Target, x: &[f64], y: &mut [f64]) -> Result<()> {
        let n = x.len();
        let scaled: Vec<f64> = match &self.roots {
            None => x.to_vec(),
            Some(roots) => x.iter().zip(roots).map(|(x, r)| x * r).collect(),
        };
        y.fill(0.0);
        let vectors = self.eigen.vectors.chunks_exact(n.max(1));
        for (vector, value) in vectors.zip(self.values.of(target)) {
            let coefficient: f64 = vector.iter().zip(&scaled).map(|(v, x)| v * x).sum();
            let factor = value * coefficient;
            y.iter_mut().zip(vector).for_each(|(y, v)| *y += factor * v);
        }
        if let Some(roots) = &self.roots {
            y.iter_mut().zip(roots).for_each(|(y, r)| *y /= r);
        }
        Ok(())
    }

    fn explain(&self) -> String {
        let n = self.eigen.values.len();
        format!("eigenvectors of the dense matrix of {n} rows, exact to rounding of the matrix")
    }

    fn error(&self) -> f64 {
        self.error
    }
}
