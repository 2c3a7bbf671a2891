use super::lanczos::Krylov;
use super::tridiagonal_eigen::tridiagonal_eigen;
use crate::error::{require, require_finite};
use crate::functions::null_space::NullSpaceProjector;
use crate::operator::require_self_adjoint;
use crate::{Result, SpatialError, SpatialOperator};

/// Interval of the eigenvalues that are not 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bounds {
    /// 0 if unknown.
    pub(crate) lowest: f64,
    pub(crate) highest: f64,
    /// Whether `lowest` is an estimate.
    pub(crate) estimated: bool,
}

impl Bounds {
    /// Those that the operator states.
    pub(crate) fn known(operator: &dyn SpatialOperator) -> Self {
        let spectrum = operator.spectrum();
        Self { lowest: spectrum.lowest, highest: spectrum.highest, estimated: false }
    }

    /// With an estimate of the lowest eigenvalue if it is unknown.
    pub(crate) fn estimated(operator: &dyn SpatialOperator) -> Result<Self> {
        let known = Self::known(operator);
        if known.lowest > 0.0 || known.highest == 0.0 {
            return Ok(known);
        }
        let lowest = lowest_eigenvalue_estimate(operator, 400)? / 2.0;
        Ok(Self { lowest, highest: known.highest, estimated: true })
    }
}

/// Estimate of the lowest eigenvalue above 0: the lowest Ritz value of a Lanczos process on the
/// complement of the null space, which is not below it, once it changes by less than 1 % in a
/// quarter of the steps.
///
/// Half of it is taken where a lower bound is needed and [`Spectrum`](crate::Spectrum) has none. The
/// initial vector has fixed pseudo-random values. About `sqrt(highest / lowest)` steps are needed.
///
/// # Errors
/// [`OutOfRange`](SpatialError::OutOfRange) for 0 steps, [`Unsupported`](SpatialError::Unsupported)
/// for an operator that is not self-adjoint, [`NotConverged`](SpatialError::NotConverged) with the
/// last relative change if the Ritz value does not settle: state a lower bound instead, see
/// [`GraphLaplacian::with_lowest`](crate::GraphLaplacian::with_lowest);
/// [`NotFinite`](SpatialError::NotFinite) for products that are NaN or infinite.
///
/// ```
/// use hpfracc_spatial::{Graph, GraphLaplacian, lowest_eigenvalue_estimate};
///
/// let laplacian = GraphLaplacian::combinatorial(&Graph::ring(32)?)?;
/// let exact = 2.0 - 2.0 * (std::f64::consts::TAU / 32.0).cos();
/// let estimate = lowest_eigenvalue_estimate(&laplacian, 100)?;
/// assert!((estimate / exact - 1.0).abs() < 1e-6);
/// # Ok::<(), hpfracc_spatial::SpatialError>(())
/// ```
pub fn lowest_eigenvalue_estimate(operator: &dyn SpatialOperator, steps: usize) -> Result<f64> {
    require(steps > 0, "number of steps", 0.0, "at least 1")?;
    require_self_adjoint(operator, "the estimate of the lowest eigenvalue")?;
    let n = operator.len();
    let projector = NullSpaceProjector::of(operator);
    // Fractional parts of multiples of the golden ratio, and of their squares.
    let value = |i: usize| {
        let phase = (i + 1) as f64 * 0.618_033_988_749_894_9;
        (phase.fract() - 0.5) + ((phase.fract() * i as f64).fract() - 0.5)
    };
    let mut x: Vec<f64> = (0..n).map(value).collect();
    if let Some(projector) = &projector {
        projector.remove(&mut x);
    }
    let mut krylov = Krylov::new(operator, projector.as_ref(), &x, 0);
    let (mut last, mut next, mut change) = (f64::INFINITY, 8, f64::INFINITY);
    for step in 1..=steps {
        let ended = !krylov.step()?;
        if ended || step >= next || step == steps {
            let (values, _) = tridiagonal_eigen(krylov.diagonal(), krylov.off_diagonal());
            require_finite("Ritz values", &values)?;
            let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
            change = (lowest / last - 1.0).abs();
            if ended || change < 0.01 {
                return Ok(lowest.max(0.0));
            }
            (last, next) = (lowest, (next * 5).div_ceil(4));
        }
    }
    Err(SpatialError::NotConverged {
        what: "the estimate of the lowest eigenvalue (state a lower bound by `with_lowest`)",
        iterations: steps,
        residual: change,
    })
}
