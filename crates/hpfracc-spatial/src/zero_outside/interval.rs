use super::boundary_correction;
use super::shifted::{
    KrylovSolver, PoissonSolution, Preconditioned, check_field, check_order, poisson, solve,
};
use super::sine::{SineTransform, tau_eigenvalues};
use super::toeplitz::Toeplitz;
use crate::error::{require, require_memory};
use crate::krylov::Stopping;
use crate::{NullSpace, Result, ShiftedSolver, SpatialOperator, Spectrum};
use hpfracc_operators::{Discretisation, Dual, FractionalLaplacian, Number, Weights};
use hpfracc_types::{Grid, Order};
use num_complex::Complex64;
use std::sync::OnceLock;

/// Integral fractional Laplacian (-Lap)^(alpha/2) on an interval (a, b) with u = 0 outside, also
/// called restricted fractional Laplacian, 0 < alpha < 2.
///
/// ```text
/// (-Lap)^(alpha/2) u(x) = C p.v. int (u(x) - u(y)) / |x-y|^(1+alpha) dy,   u = 0 outside (a, b)
/// ```
///
/// At the n nodes `x_j = a + (j+1) h`, `h = (b-a)/(n+1)`, with the quadrature of Huang and Oberman
/// by parabolas: a symmetric Toeplitz matrix with positive diagonal and negative entries elsewhere,
/// hence a discrete maximum principle.
///
/// Accuracy: [`apply`](SpatialOperator::apply) has order 4 - alpha for u in C^4 of the whole line.
/// Solutions of [`poisson`](Self::poisson) behave like dist^(alpha/2) at the ends, and have order
/// alpha/2 in the maximum norm and 1 inside, whatever the scheme. For more,
/// [`with_boundary_correction`](Self::with_boundary_correction), and
/// `hpfracc_operators::IntervalLaplacian` for smooth f, whose Gegenbauer polynomials have spectral
/// accuracy.
///
/// Cost: `apply` one pair of real FFTs of length 2n, a solve at most 12 iterations for n up to 65535
/// and alpha from 0.5 to 1.5, with two such pairs each: conjugate gradients with the sine (tau)
/// preconditioner.
///
/// Sources: Huang and Oberman, SIAM J. Numer. Anal. 52 (2014) 3056, DOI 10.1137/140954040; Bini and
/// Di Benedetto, SPAA 1990, p. 220, and arXiv:1404.5332 (the preconditioner).
///
/// ```
/// use hpfracc_spatial::IntegralLaplacian1d;
///
/// // (-Lap)^(1/2) u = 1 on (-1, 1) has the solution sqrt(1 - x^2).
/// let laplacian = IntegralLaplacian1d::new(1.0, (-1.0, 1.0), 255)?.with_boundary_correction();
/// let solution = laplacian.poisson(&[1.0; 255])?;
/// assert!(solution.iterations < 20);
/// for (x, u) in laplacian.nodes().iter().zip(&solution.values) {
///     assert!((u - (1.0 - x * x).sqrt()).abs() < 1e-10);
/// }
/// # Ok::<(), hpfracc_spatial::SpatialError>(())
/// ```
pub struct IntegralLaplacian1d {
    alpha: f64,
    interval: (f64, f64),
    /// Entries by lag, with their derivatives with respect to alpha.
    column: Vec<Dual>,
    matrix: Toeplitz,
    derivative: OnceLock<Toeplitz>,
    /// Diagonal that makes the matrix exact for dist^(alpha/2).
    correction: Option<Vec<Dual>>,
    sine: SineTransform,
    tau: Vec<f64>,
    bounds: (f64, f64),
    stopping: Stopping,
}

impl IntegralLaplacian1d {
    /// At n interior nodes of (a, b).
    ///
    /// # Errors
    /// [`OutOfRange`](crate::SpatialError::OutOfRange) unless 0 < alpha < 2, a < b are finite and n
    /// is 1 to 2^28; [`Memory`](crate::SpatialError::Memory) if the matrix does not fit.
    pub fn new(alpha: f64, (a, b): (f64, f64), n: usize) -> Result<Self> {
        check_order(alpha)?;
        check_interval((a, b), n)?;
        let column = column(alpha, (b - a) / (n as f64 + 1.0), n)?;
        let values: Vec<f64> = column.iter().map(|t| t.value).collect();
        let mut laplacian = Self {
            alpha,
            interval: (a, b),
            matrix: Toeplitz::symmetric(&values),
            derivative: OnceLock::new(),
            correction: None,
            sine: SineTransform::new(n),
            tau: tau_eigenvalues(&values),
            bounds: (0.0, 0.0),
            stopping: Stopping { tolerance: 1e-12, iterations: 200 },
            column,
        };
        laplacian.bounds = laplacian.spectral_bounds();
        Ok(laplacian)
    }

    /// The same with a diagonal added that makes the matrix exact for
    /// `w(x) = ((x-a) (b-x))^(alpha/2)`: row i holds v = u/w constant in the error of the quadrature.
    ///
    /// For solutions, which are w times a smooth function for smooth f, it raises the order in the
    /// maximum norm from alpha/2 to about 1 + alpha/2, and is exact for constant f. For functions
    /// that are smooth on the whole line, `apply` without it is the better one. The matrix stays
    /// symmetric and positive definite.
    #[must_use]
    pub fn with_boundary_correction(mut self) -> Self {
        // (-Lap)^(alpha/2) w = Gamma(alpha + 1) for every length of the interval.
        let exact = (Dual::variable(self.alpha) + 1.0).gamma();
        self.correction = Some(boundary_correction::diagonal(
            &self.boundary_functions(),
            exact,
            |x, y| self.matrix.product(x, y),
            |x, y| self.derivative().product(x, y),
        ));
        self.bounds = self.spectral_bounds();
        self
    }

    /// The same with another tolerance of the residual of solves (default 1e-12) and another largest
    /// number of iterations (default 200).
    ///
    /// # Errors
    /// [`OutOfRange`](crate::SpatialError::OutOfRange) unless the tolerance is between 0 and 1 and
    /// the number positive.
    pub fn with_stopping(mut self, stopping: Stopping) -> Result<Self> {
        self.stopping = stopping.checked()?;
        Ok(self)
    }

    /// Order alpha.
    pub fn order(&self) -> f64 {
        self.alpha
    }

    /// Nodes, increasing; the ends of the interval are none.
    pub fn nodes(&self) -> Vec<f64> {
        let (a, b) = self.interval;
        let n = self.column.len();
        (1..=n).map(|j| a + (b - a) * (j as f64 / (n + 1) as f64)).collect()
    }

    /// Solves `(-Lap)^(alpha/2) u = f`.
    ///
    /// # Errors
    /// [`Length`](crate::SpatialError::Length) and
    /// [`NotFinite`](crate::SpatialError::NotFinite) for f,
    /// [`NotConverged`](crate::SpatialError::NotConverged) at the limit of iterations.
    pub fn poisson(&self, f: &[f64]) -> Result<PoissonSolution> {
        poisson(self, f)
    }

    /// Writes `y = (dA/dalpha) x`, the derivative of `apply` with respect to the order alpha.
    pub fn apply_order_derivative(&self, x: &[f64], y: &mut [f64]) {
        self.derivative().product(x, y);
        boundary_correction::add(self.correction.as_ref(), |d| d.derivative, x, y);
    }

    /// Derivative of the solution u of [`poisson`](Self::poisson) with respect to the order alpha,
    /// f held: `-A^-1 (dA/dalpha) u`. A loss with the gradient g with respect to u has the gradient
    /// `poisson(g)` with respect to f, since A is symmetric.
    ///
    /// # Errors
    /// As [`poisson`](Self::poisson).
    pub fn poisson_order_derivative(&self, u: &[f64]) -> Result<Vec<f64>> {
        check_field("solution u", u, self.size())?;
        let mut right = vec![0.0; u.len()];
        self.apply_order_derivative(u, &mut right);
        right.iter_mut().for_each(|x| *x = -*x);
        let mut change = vec![0.0; u.len()];
        solve(self, Complex64::default(), &right, &mut change)?;
        Ok(change)
    }

    fn derivative(&self) -> &Toeplitz {
        self.derivative.get_or_init(|| {
            let slopes: Vec<f64> = self.column.iter().map(|t| t.derivative).collect();
            Toeplitz::symmetric(&slopes)
        })
    }

    /// `((x-a) (b-x))^(alpha/2)` at the nodes, with its derivative with respect to alpha.
    fn boundary_functions(&self) -> Vec<Dual> {
        let (a, b) = self.interval;
        let power = Dual::variable(self.alpha) * 0.5;
        let n = self.column.len();
        let at = |j: usize| {
            let (left, right) = (j as f64 / (n + 1) as f64, (n + 1 - j) as f64 / (n + 1) as f64);
            Dual::constant(left * (b - a) * (right * (b - a))).powf(power)
        };
        (1..=n).map(at).collect()
    }

    /// Above by Gershgorin: row sums of the matrix are not negative.
    fn spectral_bounds(&self) -> (f64, f64) {
        let w: Vec<f64> = self.boundary_functions().iter().map(|w| w.value).collect();
        let lowest = boundary_correction::lower_bound(&w, |x, y| self.multiply(x, y));
        let added = boundary_correction::largest(self.correction.as_ref());
        (lowest, 2.0 * self.column[0].value + added)
    }
}

/// First column of the matrix.
fn column(alpha: f64, h: f64, n: usize) -> Result<Vec<Dual>> {
    let refused = |_| crate::SpatialError::OutOfRange {
        what: "step h",
        value: h,
        expected: "a positive number",
    };
    // A grid has two points or more.
    let grid = Grid::uniform(n.max(2), h).map_err(refused)?;
    let order = Order::new(alpha).map_err(|_| unreachable_order(alpha))?;
    let scheme = FractionalLaplacian::huang_oberman(order).map_err(|_| unreachable_order(alpha))?;
    let weights =
        scheme.weights_at(Dual::variable(alpha), grid).map_err(|_| unreachable_order(alpha))?;
    let Weights::Toeplitz(toeplitz) = weights else {
        return Err(unreachable_order(alpha));
    };
    let mut column = toeplitz.causal;
    column.truncate(n);
    // The mirror image of the weights is added.
    column[0] = column[0] * 2.0;
    Ok(column)
}

fn unreachable_order(alpha: f64) -> crate::SpatialError {
    crate::SpatialError::OutOfRange {
        what: "order alpha",
        value: alpha,
        expected: "above 0 and below 2",
    }
}

/// Refuses an interval that is not one, and too many nodes.
pub(crate) fn check_interval((a, b): (f64, f64), n: usize) -> Result<()> {
    require(a.is_finite(), "left end a", a, "a finite number")?;
    require(b.is_finite(), "right end b", b, "a finite number")?;
    let length = b - a;
    require(length > 0.0 && length.is_finite(), "length b - a", length, "a positive number")?;
    require((1..=1 << 28).contains(&n), "number of nodes", n as f64, "1 to 2^28")?;
    // Entries and derivatives on two sides, transforms of length 2n, and the scratch of a solve.
    require_memory("an operator on an interval", 12.0 * n as f64)
}

impl Preconditioned for IntegralLaplacian1d {
    fn size(&self) -> usize {
        self.column.len()
    }

    fn multiply(&self, x: &[f64], y: &mut [f64]) {
        self.matrix.product(x, y);
        boundary_correction::add(self.correction.as_ref(), |d| d.value, x, y);
    }

    fn to_modes(&self, x: &[f64], modes: &mut [f64]) {
        modes.copy_from_slice(x);
        self.sine.process(modes);
    }

    fn to_values(&self, modes: &[f64], x: &mut [f64]) {
        x.copy_from_slice(modes);
        self.sine.process(x);
    }

    fn scale(&self) -> f64 {
        2.0 / (self.size() + 1) as f64
    }

    fn eigenvalues(&self) -> &[f64] {
        &self.tau
    }

    fn symmetric(&self) -> bool {
        true
    }

    fn stopping(&self) -> Stopping {
        self.stopping
    }

    fn lower_bound(&self) -> f64 {
        self.bounds.0
    }

    fn upper_bound(&self) -> f64 {
        self.bounds.1
    }
}

impl SpatialOperator for IntegralLaplacian1d {
    fn len(&self) -> usize {
        self.size()
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        self.multiply(x, y);
    }

    fn spectrum(&self) -> Spectrum {
        let (lowest, highest) = self.bounds;
        Spectrum { lowest, highest, null_space: NullSpace::Zero }
    }

    fn shifted(&self, z: Complex64) -> Result<Box<dyn ShiftedSolver + '_>> {
        Ok(Box::new(KrylovSolver::new(self, z)?))
    }
}
