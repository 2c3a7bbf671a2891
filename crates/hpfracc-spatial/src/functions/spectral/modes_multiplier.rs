//! Products in the modes of an operator, computed by a backend.

use super::modes::SpectralValues;
use crate::error::{require_finite, require_len};
use crate::functions::Function;
use crate::functions::function::Target;
use crate::functions::plan::Plan;
use crate::{Result, SpatialError, SpatialOperator};
use hpfracc_backend::{Backend, BackendError, LinearMap, Workload};
use std::sync::{Arc, OnceLock};

/// `y = S diag(m) S^-1 x` with a multiplier m for each mode of an operator, through a
/// [`Backend`]: any function of a [`Laplacian`](crate::Laplacian) from its values at the
/// [`eigenvalues`](crate::Modes::eigenvalues).
///
/// The operator's modes must be real transforms along axes, see
/// [`Modes::transform_axes`](crate::Modes::transform_axes). Results differ from those of
/// [`Modes`](crate::Modes) by rounding: of double precision, unless the backend's name says less.
///
/// Cost: `2 d - 1` passes over a field of d axes, where [`Modes`](crate::Modes) takes `2 d` and a
/// product; preparation copies the multipliers to the backend. Source of the transforms:
/// [`RealTransform`](hpfracc_backend::RealTransform).
///
/// ```
/// use hpfracc_backend::Reference;
/// use hpfracc_spatial::{
///     Axis, Boundary, BoxGrid, Contour, Laplacian, LinearDatum, Modes, ModesMultiplier,
///     SpatialOperator, TimeDerivative,
/// };
///
/// // D^0.4 u + 2 D^0.9 u = u'' without time steps, as a product in cosines.
/// let grid = BoxGrid::new(vec![Axis::new(0.0, 1.0, 50, [Boundary::Neumann; 2])?])?;
/// let u = grid.sample(|x| 1.0 + (3.0 * x[0]).sin());
/// let mass = grid.integral(&u)?;
/// let laplacian = Laplacian::new(grid, &[1.0])?;
/// let derivative = TimeDerivative::multi_term(&[(1.0, 0.4), (2.0, 0.9)])?;
/// let highest = laplacian.spectrum().highest;
/// let contour = Contour::of_derivative(derivative, [0.5, 0.5], 1e-9, highest)?;
/// let multipliers = contour.values(LinearDatum::Start, 0.5, laplacian.eigenvalues())?;
/// let solution = ModesMultiplier::new(&laplacian, &multipliers, &Reference)?;
/// let mut later = vec![0.0; 50];
/// solution.apply(&u, &mut later)?;
/// assert!((laplacian.grid().integral(&later)? - mass).abs() < 1e-8);
/// # Ok::<(), hpfracc_spatial::SpatialError>(())
/// ```
pub struct ModesMultiplier {
    map: Box<dyn LinearMap<f64>>,
}

impl ModesMultiplier {
    /// The map of an operator with a multiplier for each mode, in the order of the eigenvalues.
    ///
    /// # Errors
    /// [`Unsupported`](SpatialError::Unsupported) for an operator whose modes are no real transforms
    /// along axes; [`Length`](SpatialError::Length) and [`NotFinite`](SpatialError::NotFinite) for
    /// the multipliers; [`Backend`](SpatialError::Backend) for a backend that does not plan or bind
    /// the map.
    pub fn new(
        operator: &dyn SpatialOperator,
        multipliers: &[f64],
        backend: &dyn Backend<f64>,
    ) -> Result<Self> {
        require_len("multipliers", multipliers.len(), operator.len())?;
        require_finite("multipliers", multipliers)?;
        let plan = backend.plan(workload(operator, "a product in its modes".to_owned())?);
        let map = plan.and_then(|plan| plan.bind(multipliers)).map_err(backend_error)?;
        Ok(Self { map })
    }

    /// Writes the product; the map is symmetric, so that this is the transposed product, too.
    ///
    /// # Errors
    /// [`Length`](SpatialError::Length) and [`NotFinite`](SpatialError::NotFinite) for x and the
    /// result; [`Backend`](SpatialError::Backend) if the device fails.
    pub fn apply(&self, x: &[f64], y: &mut [f64]) -> Result<()> {
        let len = self.map.workload().signal_len();
        require_len("x", x.len(), len)?;
        require_len("y", y.len(), len)?;
        require_finite("x", x)?;
        self.map.apply(x, y).map_err(backend_error)?;
        require_finite("the product in modes", y)
    }
}

/// The workload of an operator whose modes are real transforms along axes.
fn workload(operator: &dyn SpatialOperator, request: String) -> Result<Workload> {
    let axes = operator.modes().and_then(|modes| modes.transform_axes());
    let axes = axes.ok_or(SpatialError::Unsupported {
        method: "a backend",
        request,
        reason: "the modes of the operator are no sine, cosine or Hartley transforms along axes; \
                 use `OperatorFunction::new`",
    })?;
    Ok(Workload::TrigonometricMultiplier { axes, batch: 1 })
}

fn backend_error(error: BackendError) -> SpatialError {
    SpatialError::Backend { message: error.with_causes() }
}

/// Function of an operator as a product in its modes, through a backend.
pub(crate) struct OnBackend {
    name: String,
    plan: Arc<dyn hpfracc_backend::Plan<f64>>,
    values: SpectralValues,
    value: Box<dyn LinearMap<f64>>,
    /// The derivative with respect to the exponent, bound when it is applied first.
    derivative: OnceLock<Box<dyn LinearMap<f64>>>,
}

impl OnBackend {
    pub(crate) fn new(
        operator: &dyn SpatialOperator,
        function: Function,
        nullity: usize,
        backend: &dyn Backend<f64>,
    ) -> Result<Self> {
        let workload = workload(operator, function.to_string())?;
        let eigenvalues = operator.modes().map_or(&[][..], |modes| modes.eigenvalues());
        let values = SpectralValues::new(function, eigenvalues, nullity)?;
        let plan = backend.plan(workload).map_err(backend_error)?;
        let value = plan.bind(values.of(Target::Value)).map_err(backend_error)?;
        let (name, derivative) = (backend.name().to_owned(), OnceLock::new());
        Ok(Self { name, plan, values, value, derivative })
    }

    fn map(&self, target: Target) -> Result<&dyn LinearMap<f64>> {
        if target == Target::Value {
            return Ok(self.value.as_ref());
        }
        if let Some(derivative) = self.derivative.get() {
            return Ok(derivative.as_ref());
        }
        let bound = self.plan.bind(self.values.of(target)).map_err(backend_error)?;
        Ok(self.derivative.get_or_init(|| bound).as_ref())
    }
}

impl Plan for OnBackend {
    fn apply(&self, target: Target, x: &[f64], y: &mut [f64]) -> Result<()> {
        self.map(target)?.apply(x, y).map_err(backend_error)
    }

    fn explain(&self) -> String {
        format!("{} on the backend {}", self.value.workload(), self.name)
    }

    fn error(&self) -> f64 {
        self.values.rounding()
    }
}
