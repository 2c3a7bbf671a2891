use crate::SdeError;
use crate::error::CorrelationError;
use crate::noise::{
    Brownian, CellIntegral, Gaussian, Increments, Noise, NoiseProcess, Source, Tile, TileIncrements,
};
use crate::rows::add_scaled;
use hpfracc_lanes::RowsMut;
use ndarray::{Array2, ArrayView2};

/// Brownian motion whose components are correlated.
///
#[doc = formula!("correlated_brownian", r"Z = L W, \quad \mathbb{E} \, dZ_i \, dZ_j = C_{ij} h \text{ over a step of length } h, \quad C = L L^T")]
///
/// W is the [`Brownian`] motion of the same seed: next to that noise, use another seed.
/// Of a correlation, the first component is that of W.
///
/// C may be singular: components that are sums of others, or equal to another, are so to rounding,
/// and W has as many components as the rank of C. Integrals within a step are those of W, combined
/// in the same way.
///
/// Cost: that of W and a multiplication for each entry of L that is not 0.
///
/// Source: Higham, Accuracy and Stability of Numerical Algorithms (2002), section 10.3, DOI
/// 10.1137/1.9780898718027 (factors of matrices that may be singular).
///
/// ```
/// use hpfracc_sde::noise::{CorrelatedBrownian, Noise, Tile};
/// use hpfracc_sde::RowsMut;
///
/// // 1000 paths of two components side by side, to Z(1)
/// let noise = CorrelatedBrownian::new(7, ndarray::array![[1.0, 0.6], [0.6, 1.0]].view())?;
/// let tile = Tile { first_path: 0, lanes: 1000, steps: 4, h: 0.25 };
/// let mut increments = Noise::<f64>::increments(&noise, tile, &[])?;
/// let (mut z, mut dz) = (vec![0.0; 2 * 1000], vec![0.0; 2 * 1000]);
/// for step in 0..4 {
///     increments.write(step, RowsMut::new(&mut dz, 1000));
///     z.iter_mut().zip(&dz).for_each(|(z, dz)| *z += dz);
/// }
/// let product = z[..1000].iter().zip(&z[1000..]).map(|(a, b)| a * b).sum::<f64>() / 1000.0;
/// assert!((product - 0.6).abs() < 0.15);
/// # Ok::<(), hpfracc_sde::SdeError>(())
/// ```
#[derive(Debug, Clone)]
pub struct CorrelatedBrownian {
    brownian: Brownian,
    /// By row: `(column, L_ij)` where it is not 0.
    rows: Vec<Vec<(usize, f64)>>,
    processes: Vec<NoiseProcess>,
}

impl CorrelatedBrownian {
    /// With these correlations, `E dZ_i dZ_j = C_ij h`.
    ///
    /// ```
    /// use hpfracc_sde::ndarray::array;
    /// use hpfracc_sde::noise::CorrelatedBrownian;
    ///
    /// let noise = CorrelatedBrownian::new(7, array![[1.0, -0.7], [-0.7, 1.0]].view())?;
    /// let refused = CorrelatedBrownian::new(7, array![[1.0, 1.2], [1.2, 1.0]].view());
    /// assert!(refused.unwrap_err().to_string().contains("not positive semidefinite"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SdeError::Correlation`] if the matrix is not symmetric, exactly, with 1 on the diagonal,
    /// or not positive semidefinite to rounding: the covariances that noises have at the most
    /// differ from those given by 100 roundings for each component.
    pub fn new(seed: u64, correlation: ArrayView2<'_, f64>) -> Result<Self, SdeError> {
        if let Some((row, &value)) = correlation.diag().iter().enumerate().find(|(_, c)| **c != 1.0)
        {
            return Err(CorrelationError::Diagonal { row, value, expected: "1" }.into());
        }
        Self::from_covariance(seed, correlation)
    }

    /// With these covariances over a unit of time, `E dZ_i dZ_j = C_ij h`. A component may be 0.
    ///
    /// # Errors
    /// [`SdeError::Correlation`] as for [`new`](Self::new), without a condition on the diagonal but
    /// that it is not negative.
    pub fn from_covariance(seed: u64, covariance: ArrayView2<'_, f64>) -> Result<Self, SdeError> {
        let factor = factor(covariance)?;
        // Of a matrix of zeros, nothing is used of W.
        let brownian = Brownian::new(seed, factor.ncols().max(1))?;
        let sparse = |row: ndarray::ArrayView1<'_, f64>| {
            row.iter().copied().enumerate().filter(|(_, l)| *l != 0.0).collect()
        };
        let process = |i: usize| {
            let alone = |(j, c): (usize, &f64)| i == j || *c == 0.0;
            match covariance[[i, i]] {
                1.0 if covariance.row(i).iter().enumerate().all(alone) => NoiseProcess::Brownian,
                variance => NoiseProcess::CorrelatedBrownian { variance },
            }
        };
        let processes = (0..covariance.nrows()).map(process).collect();
        Ok(Self { brownian, rows: factor.rows().into_iter().map(sparse).collect(), processes })
    }
}

impl CorrelatedBrownian {
    /// The rows of L: columns and entries that are not 0.
    pub(crate) fn factors(&self) -> &[Vec<(usize, f64)>] {
        &self.rows
    }
}

/// L with `L L' = C` to rounding and as many columns as the rank, by the method of Cholesky on the
/// correlations, with the largest variance left over as the next pivot: where that is rounding, so
/// is all else that is left. The order of pivots keeps the first component first in a correlation.
fn factor(covariance: ArrayView2<'_, f64>) -> Result<Array2<f64>, CorrelationError> {
    let n = checked(covariance)?;
    let standard_deviations: Vec<f64> = covariance.diag().iter().map(|c| c.sqrt()).collect();
    let unit = |i: usize| if standard_deviations[i] > 0.0 { standard_deviations[i] } else { 1.0 };
    let mut left = Array2::from_shape_fn((n, n), |(i, j)| covariance[[i, j]] / unit(i) / unit(j));
    // Rounding errors of the entries and of the sums, where the exact value is 0.
    let rounding = 100.0 * n as f64 * f64::EPSILON;
    let mut columns: Vec<Vec<f64>> = Vec::new();
    while columns.len() < n {
        let first_largest = (0..n).rev().max_by(|i, j| left[[*i, *i]].total_cmp(&left[[*j, *j]]));
        let Some(pivot) = first_largest.filter(|i| left[[*i, *i]] > rounding) else { break };
        let root = left[[pivot, pivot]].sqrt();
        let column: Vec<f64> = (0..n).map(|i| left[[i, pivot]] / root).collect();
        for i in 0..n {
            for j in 0..n {
                left[[i, j]] -= column[i] * column[j];
            }
        }
        // Exactly, so that it is not looked at again.
        left.row_mut(pivot).fill(0.0);
        left.column_mut(pivot).fill(0.0);
        columns.push(column);
    }
    for (row, &variance) in left.diag().iter().enumerate() {
        // Not a number neither: entries that overflow.
        if variance.is_nan() || variance < -rounding {
            return Err(CorrelationError::Indefinite { row, variance });
        }
    }
    for ((row, column), &covariance) in left.indexed_iter() {
        if covariance.is_nan() || covariance.abs() > rounding {
            return Err(CorrelationError::Determined { row, column, covariance });
        }
    }
    Ok(Array2::from_shape_fn((n, columns.len()), |(i, k)| standard_deviations[i] * columns[k][i]))
}

/// The size of a matrix that is square, finite and symmetric, with a diagonal that is not negative.
fn checked(covariance: ArrayView2<'_, f64>) -> Result<usize, CorrelationError> {
    let (rows, columns) = covariance.dim();
    if rows != columns || rows == 0 {
        return Err(CorrelationError::Shape { rows, columns });
    }
    for ((row, column), &value) in covariance.indexed_iter() {
        if !value.is_finite() {
            return Err(CorrelationError::NotFinite { row, column, value });
        }
        let mirrored = covariance[[column, row]];
        if value != mirrored {
            return Err(CorrelationError::NotSymmetric { row, column, value, mirrored });
        }
        if row == column && value < 0.0 {
            return Err(CorrelationError::Diagonal { row, value, expected: "not negative" });
        }
        // A component without variance is constant: no other component depends on it.
        if value != 0.0 && covariance[[row, row]] == 0.0 {
            return Err(CorrelationError::Determined { row, column, covariance: value });
        }
    }
    Ok(rows)
}

impl<T: Gaussian> Noise<T> for CorrelatedBrownian {
    fn components(&self) -> usize {
        self.rows.len()
    }

    fn process(&self, component: usize) -> NoiseProcess {
        // A component that does not exist is plain Brownian motion.
        self.processes.get(component).copied().unwrap_or(NoiseProcess::Brownian)
    }

    fn sources(&self) -> Vec<Source> {
        Noise::<T>::sources(&self.brownian)
    }

    fn increments(&self, tile: Tile, integrals: &[CellIntegral]) -> TileIncrements<'_, T> {
        let components = self.rows.len();
        // An integral of Z_i is a sum of integrals of the W_j, each requested once.
        let mut inner: Vec<CellIntegral> = Vec::new();
        let mut combinations: Vec<Combination<T>> = Vec::new();
        for row in &self.rows {
            combinations.push(row.iter().map(|(column, l)| (*column, T::narrow(*l))).collect());
        }
        for integral in integrals {
            integral.check(components)?;
            let part = |(column, l): &(usize, f64)| {
                let wanted = CellIntegral { noise: *column, ..*integral };
                let known = inner.iter().position(|known| *known == wanted);
                let place = known.unwrap_or_else(|| {
                    inner.push(wanted);
                    inner.len() - 1
                });
                (components + place, T::narrow(*l))
            };
            combinations.push(self.rows[integral.noise].iter().map(part).collect());
        }
        tile.check(components + inner.len())?;
        let white = self.brownian.increments(tile, &inner)?;
        let rows = vec![T::zero(); (components + inner.len()) * tile.lanes];
        Ok(Box::new(Combined { white, combinations, rows }))
    }
}

/// `(row, factor)` of what is summed.
type Combination<T> = Vec<(usize, T)>;

/// Sums of the rows of Brownian motion.
struct Combined<'a, T> {
    white: Box<dyn Increments<T> + 'a>,
    combinations: Vec<Combination<T>>,
    rows: Vec<T>,
}

impl<T: Gaussian> Increments<T> for Combined<'_, T> {
    fn write(&mut self, step: usize, mut rows: RowsMut<'_, T>) {
        let lanes = rows.lanes();
        self.white.write(step, RowsMut::new(&mut self.rows, lanes));
        for (row, combination) in self.combinations.iter().enumerate() {
            let sum = &mut rows[row];
            sum.fill(T::zero());
            for (from, factor) in combination {
                add_scaled(sum, *factor, &self.rows[from * lanes..][..lanes]);
            }
        }
    }
}
