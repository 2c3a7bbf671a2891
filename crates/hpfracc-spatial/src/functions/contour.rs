use crate::error::{require, require_finite, require_len, require_memory};
use crate::functions::Function;
use crate::functions::function::Target;
use crate::functions::plan::Plan;
use crate::operator::require_self_adjoint;
use crate::{Result, ShiftedSolver, SpatialError, SpatialOperator};
use num_complex::Complex64;
use rayon::prelude::*;
use std::f64::consts::{FRAC_PI_2, PI};

/// Most nodes.
const MOST: usize = 400;
/// Solves at a time.
const GROUP: usize = 4;

/// Quadrature of the inverse Laplace transform
/// `E_alpha(-t^alpha A) = 1/(2 pi i) int exp(z t) z^(alpha - 1) (z^alpha + A)^-1 dz` on the hyperbola
/// `z(u) = mu (1 + sin(i u - phi))`, for all times of a window and 0 < alpha < 2; alpha = 1 is the
/// exponential function.
///
/// By symmetry only the nodes with u > 0 count, one complex shifted solve each, the same for all
/// times: for one time at most 13 for an error of 2e-12 if alpha <= 1, for `t1 = 10 t0` and alpha =
/// 0.6 at most 24 for 3e-10. Orders above 1 have poles at the angle pi / alpha, and need more.
/// Parameters minimise the predicted error over phi as in the source; the error is measured for 61
/// eigenvalues from 0 to `highest` (241 for alpha > 1), at one time or nine times of the window,
/// against the Mittag-Leffler function.
///
/// The eigenvalues must be real: the hyperbola passes between complex ones and the imaginary axis,
/// and the parts of those outside it are lost. Operators that are not self-adjoint are refused.
///
/// Source: J. A. C. Weideman, L. N. Trefethen, Math. Comp. 76 (2007) 1341,
/// doi:10.1090/S0025-5718-07-01945-X.
///
/// ```
/// use hpfracc_spatial::{Contour, Graph, GraphLaplacian};
///
/// // Subdiffusion on a ring, at two times from the same solves.
/// let laplacian = GraphLaplacian::combinatorial(&Graph::ring(6)?)?;
/// let contour = Contour::new(0.5, [1.0, 4.0], 1e-10, 4.0)?;
/// let solves = contour.solve(&laplacian, &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0])?;
/// let mut u = [0.0; 6];
/// solves.at(1.0, &mut u)?;
/// let early = u[0];
/// solves.at(4.0, &mut u)?;
/// assert!(u[0] < early && (u.iter().sum::<f64>() - 1.0).abs() < 1e-9);
/// # Ok::<(), hpfracc_spatial::SpatialError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Contour {
    alpha: f64,
    window: [f64; 2],
    /// Nodes z and derivatives z'(u), with u > 0.
    nodes: Vec<(Complex64, Complex64)>,
    spacing: f64,
    error: f64,
}

impl Contour {
    /// Nodes for all times of the window [t0, t1], and eigenvalues up to `highest`, with an error
    /// of at most the tolerance times the norm of the initial values.
    ///
    /// # Errors
    /// [`OutOfRange`](SpatialError::OutOfRange) unless 0 < alpha < 2, `0 < t0 <= t1`, `highest >= 0`
    /// and 0 < tolerance < 1, [`Tolerance`](SpatialError::Tolerance) if 400 nodes or double
    /// precision do not reach the tolerance.
    pub fn new(alpha: f64, window: [f64; 2], tolerance: f64, highest: f64) -> Result<Self> {
        let [t0, t1] = window;
        require(alpha > 0.0 && alpha < 2.0, "order alpha", alpha, "0 < alpha < 2")?;
        require(t0 > 0.0 && t0 <= t1, "first time t0", t0, "0 < t0 <= t1")?;
        require(t1.is_finite(), "last time t1", t1, "a finite number")?;
        require(tolerance > 0.0 && tolerance < 1.0, "tolerance", tolerance, "0 < tolerance < 1")?;
        let fits = highest >= 0.0 && highest.is_finite();
        require(fits, "highest eigenvalue", highest, "finite, at least 0")?;
        let samples = Samples::new(alpha, window, highest)?;
        let (mut best, mut count) = (f64::INFINITY, 3);
        while count <= MOST {
            for shape in shapes(alpha, t1 / t0, count, tolerance) {
                let mut contour = Self::of_shape(alpha, window, count, &shape);
                contour.error = samples.largest_error(&contour);
                best = best.min(contour.error);
                if contour.error <= tolerance {
                    return Ok(contour);
                }
            }
            count += 1 + count / 24;
        }
        let what = "the contour in double precision";
        Err(SpatialError::Tolerance { what, tolerance, reached: best })
    }

    fn of_shape(alpha: f64, window: [f64; 2], count: usize, shape: &Shape) -> Self {
        let (mu, spacing) = (shape.mu / window[1], shape.spacing);
        let node = |k: usize| {
            let u = Complex64::new(-shape.phi, (k as f64 + 0.5) * spacing);
            (mu * (1.0 + u.sin()), mu * Complex64::I * u.cos())
        };
        let nodes = (0..count).map(node).collect();
        Self { alpha, window, nodes, spacing, error: f64::INFINITY }
    }

    /// Numbers z^alpha, one complex shifted solve each.
    pub fn shifts(&self) -> Vec<Complex64> {
        self.nodes.iter().map(|(z, _)| z.powf(self.alpha)).collect()
    }

    /// Coefficients c_k of the solutions: `u(t) = Im sum_k c_k (z_k^alpha + A)^-1 u(0)`.
    pub fn coefficients(&self, t: f64) -> Vec<Complex64> {
        self.coefficients_of(1.0, t)
    }

    /// The same for `t^(beta - 1) E_(alpha, beta)(-t^alpha A)` with beta >= 1, whose transform is
    /// `z^(alpha - beta) (z^alpha + A)^-1`: beta = 2 for an initial velocity, alpha + 1 for a constant
    /// source. The error relative to `t^(beta - 1)` is about the [measured](Self::error) one.
    pub fn coefficients_of(&self, beta: f64, t: f64) -> Vec<Complex64> {
        let weight = |&(z, slope): &(Complex64, Complex64)| {
            self.spacing / PI * (z * t).exp() * z.powf(self.alpha - beta) * slope
        };
        self.nodes.iter().map(weight).collect()
    }

    /// Measured error, relative to the norm of the initial values.
    pub fn error(&self) -> f64 {
        self.error
    }

    /// Solves at all nodes.
    ///
    /// # Errors
    /// [`Unsupported`](SpatialError::Unsupported) for an operator that is not self-adjoint,
    /// [`Length`](SpatialError::Length) and [`NotFinite`](SpatialError::NotFinite) for x,
    /// [`Memory`](SpatialError::Memory) if the solutions do not fit; those of the shifted solves.
    pub fn solve(&self, operator: &dyn SpatialOperator, x: &[f64]) -> Result<ContourSolves<'_>> {
        require_self_adjoint(operator, "the contour")?;
        require_len("x", x.len(), operator.len())?;
        require_finite("x", x)?;
        let numbers = 2.0 * (self.nodes.len() * x.len()) as f64;
        require_memory("the solutions at the nodes of a contour", numbers)?;
        let complex: Vec<Complex64> = x.iter().map(|x| Complex64::from(*x)).collect();
        let solve = |z: Complex64| -> Result<Vec<Complex64>> {
            let mut solution = complex.clone();
            operator.shifted(z)?.solve(&mut solution)?;
            Ok(solution)
        };
        let fields = self.shifts().into_par_iter().map(solve).collect::<Result<_>>()?;
        Ok(ContourSolves { contour: self, fields })
    }
}

/// Solutions at the nodes of a contour, for values at many times.
pub struct ContourSolves<'a> {
    contour: &'a Contour,
    fields: Vec<Vec<Complex64>>,
}

impl ContourSolves<'_> {
    /// Writes the values at a time of the window.
    ///
    /// # Errors
    /// [`OutOfRange`](SpatialError::OutOfRange) for a time outside the window,
    /// [`Length`](SpatialError::Length) for y.
    pub fn at(&self, t: f64, y: &mut [f64]) -> Result<()> {
        self.check(1.0, t, y)?;
        y.fill(0.0);
        self.add(1.0, t, y);
        Ok(())
    }

    /// Adds the values of `t^(beta - 1) E_(alpha, beta)(-t^alpha A) x` with beta >= 1 at a time of the
    /// window, see [`Contour::coefficients_of`].
    ///
    /// # Errors
    /// As [`at`](Self::at), and [`OutOfRange`](SpatialError::OutOfRange) for beta < 1.
    pub fn add_at(&self, beta: f64, t: f64, y: &mut [f64]) -> Result<()> {
        self.check(beta, t, y)?;
        self.add(beta, t, y);
        Ok(())
    }

    fn check(&self, beta: f64, t: f64, y: &[f64]) -> Result<()> {
        require(beta >= 1.0 && beta.is_finite(), "parameter beta", beta, "at least 1")?;
        let [t0, t1] = self.contour.window;
        require(t >= t0 && t <= t1, "time t", t, "within the window of the contour")?;
        require_len("y", y.len(), self.fields[0].len())
    }

    fn add(&self, beta: f64, t: f64, y: &mut [f64]) {
        for (field, c) in self.fields.iter().zip(self.contour.coefficients_of(beta, t)) {
            y.iter_mut().zip(field).for_each(|(y, x)| *y += (c * x).im);
        }
    }
}

/// Values of the Mittag-Leffler function at eigenvalues and times.
struct Samples {
    eigenvalues: Vec<f64>,
    values: Vec<(f64, Vec<f64>)>,
}

impl Samples {
    fn new(alpha: f64, [t0, t1]: [f64; 2], highest: f64) -> Result<Self> {
        let scale = t1.powf(alpha);
        // Poles that pass near the contour need a finer grid.
        let count = if alpha > 1.0 { 240 } else { 60 };
        let width = (highest * scale).ln_1p() / f64::from(count);
        let eigenvalues: Vec<f64> =
            (0..=count).map(|k| (f64::from(k) * width).exp_m1() / scale).collect();
        let times = if t0 == t1 { 1 } else { 9 };
        let at = |k: i32| -> Result<(f64, Vec<f64>)> {
            let t = t0 * (t1 / t0).powf(f64::from(k) / 8.0);
            let function = Function::MittagLeffler { alpha, t }.checked()?;
            Ok((t, function.values(Target::Value, &eigenvalues)?))
        };
        let values = (0..times).map(at).collect::<Result<_>>()?;
        Ok(Self { eigenvalues, values })
    }

    fn largest_error(&self, contour: &Contour) -> f64 {
        let shifts = contour.shifts();
        let mut largest: f64 = 0.0;
        for (t, values) in &self.values {
            let coefficients = contour.coefficients(*t);
            for (l, exact) in self.eigenvalues.iter().zip(values) {
                let terms = coefficients.iter().zip(&shifts).map(|(c, z)| (c / (z + l)).im);
                let error = (terms.sum::<f64>() - exact).abs();
                largest = largest.max(if error.is_nan() { f64::INFINITY } else { error });
            }
        }
        largest
    }
}

/// Angle phi, spacing h of the nodes and `mu t1` of a hyperbola.
struct Shape {
    phi: f64,
    spacing: f64,
    mu: f64,
    /// Predicted error.
    error: f64,
}

impl Shape {
    /// Balances the errors of the rule above and below the contour and of its truncation, for all
    /// times of a window with the ratio t1 / t0; singularities are met at phi = limit.
    fn new(limit: f64, ratio: f64, count: usize, phi: f64) -> Self {
        let balance = 2.0 * phi - limit;
        let a = ((ratio * (limit - phi) / balance + 1.0) / phi.sin()).acosh();
        let spacing = a / count as f64;
        let mu = 2.0 * PI * balance / spacing;
        let rule = (-2.0 * PI * (limit - phi) / spacing).exp();
        let error = rule + f64::EPSILON * (mu * (1.0 - phi.sin())).exp();
        Self { phi, spacing, mu, error }
    }

    /// That with the smallest predicted error.
    fn best(limit: f64, ratio: f64, count: usize) -> Option<Self> {
        let angle = |k: i32| limit * (0.5 + 0.5 * f64::from(k) / 200.0);
        let shapes = (1..200).map(|k| Self::new(limit, ratio, count, angle(k)));
        shapes.min_by(|a, b| a.error.total_cmp(&b.error))
    }
}

/// Hyperbolas that may reach the tolerance.
///
/// The asymptotes meet the singularities at phi = pi/2, on the negative axis, for alpha <= 1. The
/// poles of larger orders lie at the angle pi / alpha, where those far out are negligible: the angle
/// is searched between theirs and the negative axis.
fn shapes(alpha: f64, ratio: f64, count: usize, tolerance: f64) -> Vec<Shape> {
    let narrow = if alpha <= 1.0 { FRAC_PI_2 } else { PI / alpha - FRAC_PI_2 };
    let candidates = if alpha <= 1.0 { 1 } else { 24 };
    let limit = |k: i32| narrow + (FRAC_PI_2 - narrow) * f64::from(k) / 24.0;
    let best = (0..candidates).filter_map(|k| Shape::best(limit(k), ratio, count));
    best.filter(|shape| shape.error <= 4.0 * tolerance).collect()
}

/// A function at one time, with prepared solves.
pub(super) struct OneTime<'a> {
    contour: Contour,
    coefficients: Vec<Complex64>,
    solvers: Vec<Box<dyn ShiftedSolver + 'a>>,
}

impl<'a> OneTime<'a> {
    pub(super) fn new(
        operator: &'a dyn SpatialOperator,
        function: Function,
        tolerance: f64,
    ) -> Result<Self> {
        let (alpha, t) = match function {
            Function::Exponential { t } => (1.0, t),
            Function::MittagLeffler { alpha, t } => (alpha, t),
            Function::Power(_) => {
                return Err(SpatialError::Unsupported {
                    method: "the contour",
                    request: function.to_string(),
                    reason: "it is for exponentials and Mittag-Leffler functions; use \
                             `Way::Rational`",
                });
            }
        };
        let contour = Contour::new(alpha, [t, t], tolerance, operator.spectrum().highest)?;
        let shifts = contour.shifts();
        let solvers =
            shifts.into_par_iter().map(|z| operator.shifted(z)).collect::<Result<Vec<_>>>()?;
        let coefficients = contour.coefficients(t);
        Ok(Self { contour, coefficients, solvers })
    }
}

impl Plan for OneTime<'_> {
    fn apply(&self, _: Target, x: &[f64], y: &mut [f64]) -> Result<()> {
        let b: Vec<Complex64> = x.iter().map(|x| Complex64::from(*x)).collect();
        y.fill(0.0);
        for (solvers, c) in self.solvers.chunks(GROUP).zip(self.coefficients.chunks(GROUP)) {
            let solve = |solver: &dyn ShiftedSolver| -> Result<Vec<Complex64>> {
                let mut solution = b.clone();
                solver.solve(&mut solution)?;
                Ok(solution)
            };
            let solutions = solvers.par_iter().map(|solver| solve(solver.as_ref()));
            let solutions = solutions.collect::<Result<Vec<_>>>()?;
            for (solution, c) in solutions.iter().zip(c) {
                y.iter_mut().zip(solution).for_each(|(y, x)| *y += (c * x).im);
            }
        }
        Ok(())
    }

    fn explain(&self) -> String {
        format!("hyperbolic contour, {} complex shifted solves", self.solvers.len())
    }

    fn error(&self) -> f64 {
        self.contour.error()
    }
}
