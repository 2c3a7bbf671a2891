use crate::error::{require, require_finite, require_len};
use crate::functions::Function;
use crate::functions::function::Target;
use crate::functions::plan::Plan;
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
/// times: for one time some 12 for an error of 1e-12 if alpha <= 1, for `t1 = 10 t0` some 20 for
/// 1e-10. Orders above 1 have poles at the angle pi / alpha, and need more. Parameters minimise the
/// predicted error over phi as in the source; the error is measured for 60 eigenvalues from 0 to
/// `highest` at several times against the Mittag-Leffler function.
///
/// Source: J. A. C. Weideman, L. N. Trefethen, Math. Comp. 76 (2007) 1341,
/// doi:10.1090/S0025-5718-07-01945-X.
///
/// ```
/// use hpfracc_spatial::functions::Contour;
/// use hpfracc_spatial::graph::{Graph, GraphLaplacian};
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
        let (mut best, mut count) = (f64::INFINITY, 3);
        while count <= MOST {
            let (predicted, phi) = best_angle(alpha, t1 / t0, count);
            if predicted <= 4.0 * tolerance {
                let mut contour = Self::with_angle(alpha, window, count, phi);
                contour.error = contour.measured_error(highest)?;
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

    fn with_angle(alpha: f64, window: [f64; 2], count: usize, phi: f64) -> Self {
        let Shape { spacing, mu } = Shape::new(alpha, window[1] / window[0], count, phi);
        let mu = mu / window[1];
        let node = |k: usize| {
            let u = Complex64::new(-phi, (k as f64 + 0.5) * spacing);
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
        let weight = |&(z, slope): &(Complex64, Complex64)| {
            self.spacing / PI * (z * t).exp() * z.powf(self.alpha - 1.0) * slope
        };
        self.nodes.iter().map(weight).collect()
    }

    /// Measured error, relative to the norm of the initial values.
    pub fn error(&self) -> f64 {
        self.error
    }

    fn measured_error(&self, highest: f64) -> Result<f64> {
        let [t0, t1] = self.window;
        let scale = t1.powf(self.alpha);
        let width = (1.0 + highest * scale).ln() / 60.0;
        let l: Vec<f64> = (0..=60).map(|k| (k as f64 * width).exp_m1() / scale).collect();
        let shifts = self.shifts();
        let times = if t0 == t1 { 1 } else { 9 };
        let mut largest: f64 = 0.0;
        for k in 0..times {
            let t = t0 * (t1 / t0).powf(k as f64 / 8.0);
            let exact = Function::MittagLeffler { alpha: self.alpha, t }.checked()?;
            let exact = exact.values(Target::Value, &l)?;
            let coefficients = self.coefficients(t);
            for (l, exact) in l.iter().zip(exact) {
                let terms = coefficients.iter().zip(&shifts).map(|(c, z)| (c / (z + l)).im);
                let error = (terms.sum::<f64>() - exact).abs();
                largest = largest.max(if error.is_nan() { f64::INFINITY } else { error });
            }
        }
        Ok(largest)
    }

    /// Solves at all nodes.
    ///
    /// # Errors
    /// [`Length`](SpatialError::Length) and [`NotFinite`](SpatialError::NotFinite) for x; those of
    /// the shifted solves.
    pub fn solve(&self, operator: &dyn SpatialOperator, x: &[f64]) -> Result<ContourSolves<'_>> {
        require_len("x", x.len(), operator.len())?;
        require_finite("x", x)?;
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
        let [t0, t1] = self.contour.window;
        require(t >= t0 && t <= t1, "time t", t, "within the window of the contour")?;
        require_len("y", y.len(), self.fields[0].len())?;
        y.fill(0.0);
        for (field, c) in self.fields.iter().zip(self.contour.coefficients(t)) {
            y.iter_mut().zip(field).for_each(|(y, x)| *y += (c * x).im);
        }
        Ok(())
    }
}

/// Spacing h of the nodes and `mu t1` of a hyperbola.
struct Shape {
    spacing: f64,
    mu: f64,
}

impl Shape {
    /// Balances the errors of the rule above and below the contour and of its truncation, for all
    /// times of a window with the ratio t1 / t0.
    fn new(alpha: f64, ratio: f64, count: usize, phi: f64) -> Self {
        let limit = largest_angle(alpha);
        let balance = 2.0 * phi - limit;
        let a = ((ratio * (limit - phi) / balance + 1.0) / phi.sin()).acosh();
        let spacing = a / count as f64;
        Self { spacing, mu: 2.0 * PI * balance / spacing }
    }

    /// Predicted error, with rounding.
    fn error(&self, alpha: f64, phi: f64) -> f64 {
        let rule = (-2.0 * PI * (largest_angle(alpha) - phi) / self.spacing).exp();
        rule + f64::EPSILON * (self.mu * (1.0 - phi.sin())).exp()
    }
}

/// Angle phi at which the asymptotes of the hyperbola meet the singularities: the negative axis, or
/// the poles at the angle pi / alpha.
fn largest_angle(alpha: f64) -> f64 {
    if alpha <= 1.0 { FRAC_PI_2 } else { PI / alpha - FRAC_PI_2 }
}

/// The smallest predicted error and its angle phi.
fn best_angle(alpha: f64, ratio: f64, count: usize) -> (f64, f64) {
    let limit = largest_angle(alpha);
    let candidates = (1..200).map(|k| {
        let phi = limit * (0.5 + 0.5 * f64::from(k) / 200.0);
        (Shape::new(alpha, ratio, count, phi).error(alpha, phi), phi)
    });
    candidates.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((f64::INFINITY, 0.75 * limit))
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
            let solve = |solver: &Box<dyn ShiftedSolver + '_>| -> Result<Vec<Complex64>> {
                let mut solution = b.clone();
                solver.solve(&mut solution)?;
                Ok(solution)
            };
            let solutions = solvers.par_iter().map(solve).collect::<Result<Vec<_>>>()?;
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
