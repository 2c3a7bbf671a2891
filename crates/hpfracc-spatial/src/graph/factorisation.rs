use crate::error::require;
use crate::{Result, ShiftedSolver, SpatialError};
use faer::linalg::solvers::Solve;
use faer::sparse::linalg::solvers::{Llt, Lu, SymbolicLlt, SymbolicLu};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMat};
use faer::{ColMut, Side};
use num_complex::Complex64;

/// Sparse matrix that is symmetric after its rows are multiplied by weights.
pub(crate) trait SparseRows {
    /// Number of rows.
    fn rows(&self) -> usize;

    /// Entries of a row with their columns, in ascending order, without the diagonal.
    fn off_diagonal(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + '_;

    /// The entry on the diagonal of a row.
    fn diagonal_entry(&self, i: usize) -> f64;

    /// Weights of the rows; none: all equal.
    fn row_weights(&self) -> Option<&[f64]>;
}

/// Symbolic analysis of a graph Laplacian, shared by the factorisations for all shifts: Cholesky for
/// real shifts of at least 0, LU for all others.
#[derive(Debug, Clone)]
pub(crate) struct SymbolicFactorisation {
    pattern: SymbolicSparseColMat<usize>,
    cholesky: SymbolicLlt<usize>,
    lu: SymbolicLu<usize>,
}

/// Factors of `W (z + A)`, which is symmetric, with the weights W of A.
pub(crate) struct Factorisation<'a> {
    weights: Option<&'a [f64]>,
    z: Complex64,
    factors: Factors,
}

enum Factors {
    Real(Llt<usize, f64>),
    Complex(Box<Lu<usize, Complex64>>),
}

impl SymbolicFactorisation {
    pub(crate) fn new(laplacian: &impl SparseRows) -> Result<Self> {
        let n = laplacian.rows();
        let (mut offsets, mut rows) = (vec![0], Vec::new());
        for i in 0..n {
            rows.extend(column(laplacian, i).map(|(row, _)| row));
            offsets.push(rows.len());
        }
        let pattern = SymbolicSparseColMat::new_checked(n, n, offsets, None, rows);
        let cholesky = SymbolicLlt::try_new(pattern.as_ref(), Side::Lower);
        let lu = SymbolicLu::try_new(pattern.as_ref());
        match (cholesky, lu) {
            (Ok(cholesky), Ok(lu)) => Ok(Self { pattern, cholesky, lu }),
            _ => Err(SpatialError::Unsupported {
                method: "a sparse factorisation",
                request: format!("the Laplacian of {n} nodes"),
                reason: "the factors do not fit into memory; use conjugate gradients",
            }),
        }
    }

    pub(crate) fn shifted<'a>(
        &self,
        laplacian: &'a impl SparseRows,
        z: Complex64,
    ) -> Result<Factorisation<'a>> {
        require(z.is_finite(), "modulus of the shift z", z.norm(), "a finite number")?;
        require(z.norm() > 0.0, "shift z of a singular operator", 0.0, "a number other than 0")?;
        let singular = |_| SpatialError::OutOfRange {
            what: "shift z",
            value: z.re,
            expected: "not minus an eigenvalue",
        };
        let real = z.im == 0.0 && z.re > 0.0;
        let factors = if real {
            let values = self
                .values(laplacian, |a, w, diagonal| w * (a + if diagonal { z.re } else { 0.0 }));
            let matrix = SparseColMatRef::new(self.pattern.as_ref(), &values);
            let factors = Llt::try_new_with_symbolic(self.cholesky.clone(), matrix, Side::Lower);
            Factors::Real(factors.map_err(|_| singular(()))?)
        } else {
            let values = self.values(laplacian, |a, w, diagonal| {
                w * (a + if diagonal { z } else { Complex64::ZERO })
            });
            let matrix = SparseColMatRef::new(self.pattern.as_ref(), &values);
            let factors = Lu::try_new_with_symbolic(self.lu.clone(), matrix);
            Factors::Complex(Box::new(factors.map_err(|_| singular(()))?))
        };
        Ok(Factorisation { weights: laplacian.row_weights(), z, factors })
    }

    /// Values on the pattern; `f` takes an entry, the weight of its row, and whether it is on the
    /// diagonal.
    fn values<T>(&self, laplacian: &impl SparseRows, f: impl Fn(f64, f64, bool) -> T) -> Vec<T> {
        let weight = |row: usize| laplacian.row_weights().map_or(1.0, |w| w[row]);
        let of_row = |i| column(laplacian, i).map(move |(j, a)| (i, j, a));
        // Rows of a symmetric matrix are its columns.
        (0..laplacian.rows()).flat_map(of_row).map(|(i, j, a)| f(a, weight(i), i == j)).collect()
    }
}

/// Row of the matrix with its diagonal, in ascending order.
fn column<M: SparseRows>(laplacian: &M, i: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
    let before = laplacian.off_diagonal(i).take_while(move |entry| entry.0 < i);
    let after = laplacian.off_diagonal(i).skip_while(move |entry| entry.0 < i);
    before.chain(std::iter::once((i, laplacian.diagonal_entry(i)))).chain(after)
}

impl ShiftedSolver for Factorisation<'_> {
    fn solve(&self, x: &mut [Complex64]) -> Result<()> {
        if let Some(weights) = self.weights {
            x.iter_mut().zip(weights).for_each(|(x, w)| *x *= w);
        }
        match &self.factors {
            Factors::Complex(lu) => lu.solve_in_place(ColMut::from_slice_mut(x)),
            Factors::Real(cholesky) => {
                let mut real: Vec<f64> = x.iter().map(|x| x.re).collect();
                let mut imaginary: Vec<f64> = x.iter().map(|x| x.im).collect();
                cholesky.solve_in_place(ColMut::from_slice_mut(&mut real));
                cholesky.solve_in_place(ColMut::from_slice_mut(&mut imaginary));
                for ((x, re), im) in x.iter_mut().zip(real).zip(imaginary) {
                    *x = Complex64::new(re, im);
                }
            }
        }
        Ok(())
    }

    fn solve_real(&self, x: &mut [f64]) -> Result<()> {
        require(self.z.im == 0.0, "imaginary part of z", self.z.im, "0 in a real solve")?;
        if let Some(weights) = self.weights {
            x.iter_mut().zip(weights).for_each(|(x, w)| *x *= w);
        }
        match &self.factors {
            Factors::Real(cholesky) => cholesky.solve_in_place(ColMut::from_slice_mut(x)),
            Factors::Complex(lu) => {
                let mut complex: Vec<Complex64> = x.iter().map(|x| Complex64::from(*x)).collect();
                lu.solve_in_place(ColMut::from_slice_mut(&mut complex));
                x.iter_mut().zip(complex).for_each(|(x, z)| *x = z.re);
            }
        }
        Ok(())
    }
}
