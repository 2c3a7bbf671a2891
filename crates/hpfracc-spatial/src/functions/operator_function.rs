use crate::error::{require, require_finite, require_len};
use crate::functions::contour::OneTime;
use crate::functions::function::Target;
use crate::functions::null_space::NullSpaceProjector;
use crate::functions::plan::Plan;
use crate::functions::polynomial::Chebyshev;
use crate::functions::polynomial::Lanczos;
use crate::functions::rational::{Rational, exponent_of};
use crate::functions::spectral::Dense;
use crate::functions::spectral::{OfModes, OnBackend};
use crate::functions::{Function, Way, way};
use crate::krylov::reductions::update;
use crate::operator::require_self_adjoint;
use crate::{Result, SpatialError, SpatialOperator};
use hpfracc_backend::Backend;

/// Function of an operator, `f(A)`, prepared once: A is self-adjoint in its weights and its
/// eigenvalues are at least 0.
///
/// The null space of A is split off for powers: `A^s x = A^s (x - P x)` with the projection P onto
/// it, for s > 0. A rounded eigenvalue of 1e-17 in place of 0 would be 3e-9 for s = 1/2, and 0.02
/// for s = 1/10. Negative powers of a singular operator need vectors that are orthogonal to the null
/// space, see [`remove_null_space`](crate::remove_null_space).
///
/// ```
/// use hpfracc_spatial::{Function, Graph, GraphLaplacian, OperatorFunction, Way};
///
/// // The square root of the Laplacian of a ring, twice.
/// let laplacian = GraphLaplacian::combinatorial(&Graph::ring(5)?)?;
/// let root = OperatorFunction::new(&laplacian, Function::Power(0.5), Way::Auto, 1e-12)?;
/// let (x, mut y, mut z) = ([1.0, 0.0, 0.0, 0.0, 0.0], [0.0; 5], [0.0; 5]);
/// root.apply(&x, &mut y)?;
/// root.apply(&y, &mut z)?;
/// assert!((z[0] - 2.0).abs() < 1e-13 && (z[1] + 1.0).abs() < 1e-13);
/// assert!(root.explain().contains("dense matrix"));
/// # Ok::<(), hpfracc_spatial::SpatialError>(())
/// ```
pub struct OperatorFunction<'a> {
    operator: &'a dyn SpatialOperator,
    function: Function,
    way: Way,
    projector: Option<NullSpaceProjector>,
    plan: Box<dyn Plan + 'a>,
}

impl<'a> OperatorFunction<'a> {
    /// Prepares f(A) for a method and a tolerance of the error, see
    /// [`error_bound`](Self::error_bound).
    ///
    /// # Errors
    /// [`OutOfRange`](SpatialError::OutOfRange) for parameters of the function or a tolerance
    /// outside (0, 1), and for `Way::Dense` with a large operator;
    /// [`Unsupported`](SpatialError::Unsupported) for an operator that is not self-adjoint and for
    /// a way that has no such function; [`NotConverged`](SpatialError::NotConverged) if a lower
    /// bound of the eigenvalues is needed and unknown, and the estimate of it does not settle;
    /// [`Tolerance`](SpatialError::Tolerance) for one that does not reach the tolerance; those of
    /// [`SpatialOperator::shifted`].
    pub fn new(
        operator: &'a dyn SpatialOperator,
        function: Function,
        way: Way,
        tolerance: f64,
    ) -> Result<Self> {
        require_self_adjoint(operator, "a function of an operator")?;
        require(tolerance > 0.0 && tolerance < 1.0, "tolerance", tolerance, "0 < tolerance < 1")?;
        let function = function.checked()?;
        let automatic = way == Way::Auto;
        let mut way = if automatic { way::choose(operator, function, tolerance)? } else { way };
        let projector = NullSpaceProjector::of(operator);
        let nullity = projector.as_ref().map_or(0, NullSpaceProjector::dimension);
        let projector = projector.filter(|_| function.exponent().is_some());
        let trivial = operator.spectrum().highest == 0.0 || is_identity(function);
        let prepare = |way: Way| -> Result<Box<dyn Plan + 'a>> {
            if trivial && way != Way::Dense && way != Way::Modes {
                let zero = projector.is_some() && operator.spectrum().highest == 0.0;
                return Ok(Box::new(Constant { zero }));
            }
            plan(operator, function, way, tolerance, nullity)
        };
        let mut plan = prepare(way);
        if automatic && way == Way::Dense && matches!(plan, Err(SpatialError::Tolerance { .. })) {
            way = way::choose_iterative(operator, function, tolerance)?;
            plan = prepare(way);
        }
        let plan = plan?;
        Ok(Self { operator, function, way, projector, plan })
    }

    /// Prepares f(A) as a product in the modes of A, which a backend computes: a GPU, or whatever is
    /// the fastest by measured times if the backend is a `hpfracc::Machine`. For operators that are
    /// diagonal in sines and cosines: [`Laplacian`](crate::Laplacian) with cells and without Robin
    /// boundaries, its powers, and sums with constants.
    ///
    /// Values are those of `Way::Modes` up to rounding, of double precision unless the backend's name
    /// says less. On the processor the backend takes one pass over the field less for each product. A
    /// GPU transfers x and y for each product, and opens a device and compiles shaders before the
    /// first.
    ///
    /// # Errors
    /// [`OutOfRange`](SpatialError::OutOfRange) for parameters of the function,
    /// [`Unsupported`](SpatialError::Unsupported) for an operator that is not self-adjoint or has
    /// other modes, [`Backend`](SpatialError::Backend) for a backend that does not plan or bind the
    /// map.
    ///
    /// ```
    /// use hpfracc_backend::Reference;
    /// use hpfracc_spatial::{Axis, Boundary, BoxGrid, Function, Laplacian, OperatorFunction};
    ///
    /// let grid = BoxGrid::new(vec![Axis::new(0.0, 1.0, 40, [Boundary::Dirichlet; 2])?])?;
    /// let u = grid.sample(|x| (std::f64::consts::PI * x[0]).sin());
    /// let laplacian = Laplacian::new(grid, &[1.0])?;
    /// let root = OperatorFunction::on(&laplacian, Function::Power(0.5), &Reference)?;
    /// let mut y = vec![0.0; 40];
    /// root.apply(&u, &mut y)?;
    /// assert!(y.iter().zip(&u).all(|(y, u)| (y - 3.1408 * u).abs() < 1e-4));
    /// # Ok::<(), hpfracc_spatial::SpatialError>(())
    /// ```
    pub fn on(
        operator: &'a dyn SpatialOperator,
        function: Function,
        backend: &dyn Backend<f64>,
    ) -> Result<Self> {
        require_self_adjoint(operator, "a function of an operator")?;
        let function = function.checked()?;
        let projector = NullSpaceProjector::of(operator);
        let nullity = projector.as_ref().map_or(0, NullSpaceProjector::dimension);
        let projector = projector.filter(|_| function.exponent().is_some());
        let plan = Box::new(OnBackend::new(operator, function, nullity, backend)?);
        Ok(Self { operator, function, way: Way::Modes, projector, plan })
    }

    /// Writes `y = f(A) x`.
    ///
    /// # Errors
    /// [`Length`](SpatialError::Length) and [`NotFinite`](SpatialError::NotFinite) for x, and for y
    /// if products of the operator are NaN or the result overflows;
    /// [`NotOrthogonal`](SpatialError::NotOrthogonal) for a negative power of a singular operator;
    /// [`Tolerance`](SpatialError::Tolerance) and [`NotConverged`](SpatialError::NotConverged) of
    /// iterative methods; [`Backend`](SpatialError::Backend) if a device fails.
    pub fn apply(&self, x: &[f64], y: &mut [f64]) -> Result<()> {
        self.apply_target(Target::Value, x, y)
    }

    /// Writes `x = f(A)' y`, with the transposed matrix: `f(A)' = W f(A) W^-1` with the weights W.
    ///
    /// # Errors
    /// As [`apply`](Self::apply).
    pub fn apply_transpose(&self, y: &[f64], x: &mut [f64]) -> Result<()> {
        let Some(weights) = self.operator.weights() else { return self.apply(y, x) };
        require_len("y", y.len(), weights.len())?;
        let scaled: Vec<f64> = y.iter().zip(weights).map(|(y, w)| y / w).collect();
        self.apply(&scaled, x)?;
        update(x, |i, x| *x *= weights[i]);
        Ok(())
    }

    /// Writes the derivative of `A^s x` with respect to s, `y = A^s ln(A) x`.
    ///
    /// # Errors
    /// [`Unsupported`](SpatialError::Unsupported) for other functions than powers, and for
    /// `Way::Chebyshev` if it does not reach the tolerance; else as [`apply`](Self::apply).
    pub fn apply_exponent_derivative(&self, x: &[f64], y: &mut [f64]) -> Result<()> {
        if self.function.exponent().is_none() {
            return Err(SpatialError::Unsupported {
                method: "the derivative with respect to the exponent",
                request: self.function.to_string(),
                reason: "it is for powers",
            });
        }
        if is_identity(self.function) && !matches!(self.way, Way::Dense | Way::Modes) {
            return Err(SpatialError::Unsupported {
                method: "the derivative with respect to the exponent",
                request: self.function.to_string(),
                reason: "at exponent 0 use `Way::Dense` or `Way::Modes`",
            });
        }
        self.apply_target(Target::OrderDerivative, x, y)
    }

    fn apply_target(&self, target: Target, x: &[f64], y: &mut [f64]) -> Result<()> {
        require_len("x", x.len(), self.operator.len())?;
        require_len("y", y.len(), self.operator.len())?;
        require_finite("x", x)?;
        self.apply_projected(target, x, y)?;
        require_finite("f(A) x", y)
    }

    fn apply_projected(&self, target: Target, x: &[f64], y: &mut [f64]) -> Result<()> {
        let Some(projector) = &self.projector else { return self.plan.apply(target, x, y) };
        if self.function.is_singular(target) {
            projector.check(x)?;
        }
        let null = projector.coefficients(x);
        let mut deflated = x.to_vec();
        projector.add(-1.0, &null, &mut deflated);
        self.plan.apply(target, &deflated, y)?;
        projector.remove(y);
        if target == Target::Value && is_identity(self.function) {
            projector.add(1.0, &null, y);
        }
        Ok(())
    }

    /// The function.
    pub fn function(&self) -> Function {
        self.function
    }

    /// The method; for `Way::Auto` the one taken.
    pub fn way(&self) -> Way {
        self.way
    }

    /// Bound or estimate of the error: of `|y - f(A) x|` relative to `|x|` and the largest value of
    /// |f| on the spectrum, in the norm of the weights. For `Rational` and `Sinc` it is that of the
    /// fractions, and holds relative to `|f(A) x|` too, if
    /// [`Spectrum::lowest`](crate::Spectrum::lowest) is known: with an estimate of it the error is
    /// unknown for eigenvalues below half of the estimate. For `Lanczos` it is the tolerance of the
    /// estimate relative to |y|. Errors of iterative shifted solves are not part of it, nor is the
    /// rounding of a backend in less than double precision.
    pub fn error_bound(&self) -> f64 {
        self.plan.error()
    }

    /// Method, its parameters and the error bound, as text.
    pub fn explain(&self) -> String {
        let n = self.operator.len();
        let (plan, error) = (self.plan.explain(), self.plan.error());
        format!("{} of {n} values: {plan}; error {error:.1e}", self.function)
    }
}

/// Prepares a way other than `Auto`.
fn plan<'a>(
    operator: &'a dyn SpatialOperator,
    function: Function,
    way: Way,
    tolerance: f64,
    nullity: usize,
) -> Result<Box<dyn Plan + 'a>> {
    Ok(match way {
        Way::Modes => {
            let modes = operator.modes().ok_or_else(|| SpatialError::Unsupported {
                method: "a fast transform",
                request: function.to_string(),
                reason: "the operator has none; use `Way::Auto`",
            })?;
            Box::new(OfModes::new(modes, function, nullity)?)
        }
        Way::Dense => Box::new(Dense::new(operator, function, nullity, tolerance)?),
        Way::Chebyshev => Box::new(Chebyshev::new(operator, function, tolerance)?),
        Way::Lanczos | Way::Auto => Box::new(Lanczos::new(operator, function, tolerance)),
        Way::Rational => {
            let s = exponent_of(function, "a rational function")?;
            Box::new(Rational::new(operator, s, tolerance, false)?)
        }
        Way::Sinc => {
            let s = exponent_of(function, "the sinc quadrature")?;
            Box::new(Rational::new(operator, s, tolerance, true)?)
        }
        Way::Contour => Box::new(OneTime::new(operator, function, tolerance)?),
    })
}

fn is_identity(function: Function) -> bool {
    match function {
        Function::Power(s) => s == 0.0,
        Function::Exponential { t } | Function::MittagLeffler { t, .. } => t == 0.0,
    }
}

/// The identity, or zero for a power of a zero operator.
struct Constant {
    zero: bool,
}

impl Plan for Constant {
    fn apply(&self, _: Target, x: &[f64], y: &mut [f64]) -> Result<()> {
        y.copy_from_slice(x);
        if self.zero {
            y.fill(0.0);
        }
        Ok(())
    }

    fn explain(&self) -> String {
        "a multiple of the identity".to_owned()
    }

    fn error(&self) -> f64 {
        0.0
    }
}
