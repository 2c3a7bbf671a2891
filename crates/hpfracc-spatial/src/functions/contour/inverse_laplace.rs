use super::hyperbola::Hyperbola;
use super::samples::Samples;
use super::shape::shapes;
use crate::error::{require, require_finite, require_len, require_memory};
use crate::functions::time_derivative::{LinearDatum, TimeDerivative};
use crate::operator::require_self_adjoint;
use crate::{Result, SpatialError, SpatialOperator};
use num_complex::Complex64;
use rayon::prelude::*;

/// Most nodes.
const MOST: usize = 400;

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
/// Equations of several or distributed orders differ by the symbol P(z) in place of z^alpha, see
/// [`of_derivative`](Self::of_derivative): the poles of the highest order have the smallest angle.
/// Their error is measured against another hyperbola with more nodes for each time.
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
    derivative: TimeDerivative,
    window: [f64; 2],
    hyperbola: Hyperbola,
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
        require(alpha > 0.0 && alpha < 2.0, "order alpha", alpha, "0 < alpha < 2")?;
        Self::of_derivative(TimeDerivative::of_order(alpha)?, window, tolerance, highest)
    }

    /// The same for several or distributed orders: the solution of `P(D) u + A u = 0`, whose
    /// transform is `P(z) / z (P(z) + A)^-1 u(0)`. The tolerance holds for all
    /// [data](Self::coefficients_for).
    ///
    /// # Errors
    /// As [`new`](Self::new), for the highest order.
    pub fn of_derivative(
        derivative: TimeDerivative,
        window: [f64; 2],
        tolerance: f64,
        highest: f64,
    ) -> Result<Self> {
        let [t0, t1] = window;
        let alpha = derivative.highest_order();
        require(alpha < 2.0, "the highest order of a contour", alpha, "below 2")?;
        require(t0 > 0.0 && t0 <= t1, "first time t0", t0, "0 < t0 <= t1")?;
        require(t1.is_finite(), "last time t1", t1, "a finite number")?;
        require(tolerance > 0.0 && tolerance < 1.0, "tolerance", tolerance, "0 < tolerance < 1")?;
        let fits = highest >= 0.0 && highest.is_finite();
        require(fits, "highest eigenvalue", highest, "finite, at least 0")?;
        let samples = Samples::new(&derivative, window, highest, tolerance)?;
        let (mut best, mut count) = (f64::INFINITY, 3);
        while count <= MOST {
            for shape in shapes(alpha, t1 / t0, count, tolerance) {
                let hyperbola = Hyperbola::new(&shape, count, t1);
                // Larger errors neither fit nor improve.
                let limit = best.max(tolerance);
                let error = samples.largest_error(&derivative, &hyperbola, limit);
                best = best.min(error);
                if error <= tolerance {
                    return Ok(Self { derivative, window, hyperbola, error });
                }
            }
            count += 1 + count / 24;
        }
        let what = "the contour in double precision";
        Err(SpatialError::Tolerance { what, tolerance, reached: best })
    }

    /// Symbols P(z) of the nodes, `z^alpha` for one order: one complex shifted solve each.
    pub fn shifts(&self) -> Vec<Complex64> {
        self.hyperbola.values(|z| self.derivative.symbol(z))
    }

    /// Coefficients c_k of the solutions: `u(t) = Im sum_k c_k (P(z_k) + A)^-1 u(0)`.
    pub fn coefficients(&self, t: f64) -> Vec<Complex64> {
        self.coefficients_of(1.0, t)
    }

    /// The same for the function with the transform `P(z) z^-beta (P(z) + A)^-1`, beta >= 1: for one
    /// order `t^(beta - 1) E_(alpha, beta)(-t^alpha A)`, beta = 2 for an initial velocity, alpha + 1
    /// for a constant source. The error relative to `t^(beta - 1)` is about the
    /// [measured](Self::error) one.
    pub fn coefficients_of(&self, beta: f64, t: f64) -> Vec<Complex64> {
        let factors = self.hyperbola.values(|z| self.derivative.symbol(z) * z.powf(-beta));
        self.hyperbola.weights(t, &factors)
    }

    /// The same for a datum of a linear equation, with the transform `F(z) (P(z) + A)^-1` and the
    /// [factor](TimeDerivative::factor) F. The error relative to `F(1/t) / (t P(1/t))`, about the
    /// size of the solution for A = 0, is about the measured one.
    pub fn coefficients_for(&self, datum: LinearDatum, t: f64) -> Vec<Complex64> {
        let factors = self.hyperbola.values(|z| self.derivative.factor(datum, z));
        self.hyperbola.weights(t, &factors)
    }

    /// Solutions of `P(D) u + l u = s` at a time for a unit datum, for each eigenvalue l: the
    /// multipliers of the modes, for operators that have them.
    ///
    /// # Errors
    /// [`OutOfRange`](SpatialError::OutOfRange) for a time outside the window,
    /// [`NotFinite`](SpatialError::NotFinite) for an eigenvalue.
    pub fn values(&self, datum: LinearDatum, t: f64, eigenvalues: &[f64]) -> Result<Vec<f64>> {
        let [t0, t1] = self.window;
        require(t >= t0 && t <= t1, "time t", t, "within the window of the contour")?;
        require_finite("eigenvalues", eigenvalues)?;
        let nodes = self.coefficients_for(datum, t).into_iter().zip(self.shifts());
        let nodes: Vec<(Complex64, Complex64)> = nodes.collect();
        let solution = |l: &f64| nodes.iter().map(|(c, p)| (c / (p + l)).im).sum();
        Ok(eigenvalues.par_iter().map(solution).collect())
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
        let numbers = 2.0 * (self.hyperbola.len() * x.len()) as f64;
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
