use super::ball::distances_in_ball;
use super::boundary_correction;
use super::box_axes::{check_axes, eigenvalues, node, three_axes};
use super::box_convolution::BoxConvolution;
use super::box_sine::BoxSine;
use super::lattice::lattice_entries;
use super::shifted::{
    KrylovSolver, PoissonSolution, Preconditioned, check_field, check_order, poisson, solve,
};
use crate::error::require;
use crate::krylov::Stopping;
use crate::pool::Pool;
use crate::{NullSpace, Result, ShiftedSolver, SpatialError, SpatialOperator, Spectrum};
use hpfracc_operators::{Dual, Number};
use num_complex::Complex64;
use std::sync::OnceLock;

/// Integral fractional Laplacian (-Lap)^(alpha/2) on a domain in one to three dimensions with u = 0
/// outside, also called restricted fractional Laplacian, 0 < alpha < 2.
///
/// ```text
/// (-Lap)^(alpha/2) u(x) = C p.v. int (u(x) - u(y)) / |x-y|^(d+alpha) dy,   u = 0 outside the domain
/// ```
///
/// The domain is any set of the interior nodes of a box with uniform steps, which may differ by axis.
/// A field holds the nodes of the domain alone, in row-major order, see [`nodes`](Self::nodes). The
/// matrix is the fractional power of the second-order Laplacian on the infinite lattice, restricted
/// to the domain: symmetric, with negative entries off the diagonal, hence a discrete maximum
/// principle. Its entries are quadratures over the heat kernel: relative error below 2e-13 on a line,
/// where there is a closed form; checked to 1e-7 of the diagonal in the plane, 4e-6 in space.
///
/// Accuracy: order 2 of [`apply`](SpatialOperator::apply) for u smooth on the whole space. Solutions
/// of [`poisson`](Self::poisson) behave like dist^(alpha/2) at the boundary; in addition it is a
/// staircase: order alpha/2 in the maximum norm, about 1 in L2 and inside.
///
/// Cost for N nodes of the box: `apply` one pair of real FFTs of size 2^d N; a solve takes some tens
/// of iterations of conjugate gradients, preconditioned with the spectral fractional Laplacian of the
/// box. Memory: some 15 numbers per node of the box. Threads share rows and planes, and results have
/// the same bits for any number of them.
///
/// # Which fractional Laplacian?
///
/// Three operators bear the name (-Lap)^s, s = alpha/2. They agree on the whole space only, and
/// differ by O(1) on bounded domains: the problem `(-Lap)^(1/2) u = 1` on (-1, 1) has
/// u(0) = 1 with the integral definition and u(0) = 8 Catalan/pi^2 = 0.7425 with the spectral one.
///
/// | definition | formula | outside the domain | process | solutions at the boundary | type |
/// |---|---|---|---|---|---|
/// | periodic | multiplier \|xi\|^alpha of Fourier series | periodic copies | stable process on a torus | smooth | power of the periodic Laplacian of a box |
/// | spectral | `sum_k lambda_k^s <u, phi_k> phi_k`, eigenpairs of -Lap with a boundary condition | no values: depends on the domain alone | Brownian motion killed (Dirichlet) or reflected (Neumann) at the boundary, then subordinated | dist^min(alpha, 1) for Dirichlet and f not 0 there | power of the Laplacian of a box |
/// | integral, restricted | `C p.v. int (u(x)-u(y)) / \|x-y\|^(d+alpha) dy` | u = 0 | stable process, killed when it jumps out | dist^(alpha/2) | [`IntegralLaplacian1d`](crate::IntegralLaplacian1d), this one |
///
/// # What accuracy to expect
///
/// Schemes are of order 2 to 4 for functions that are smooth on the whole space; solutions with zero
/// outside are not. Measured orders for `(-Lap)^s u = f` with smooth f:
///
/// | | maximum norm | inside |
/// |---|---|---|
/// | interval, any scheme of uniform steps | alpha/2 | 1 |
/// | interval, boundary correction | 1 + alpha/2 | 1 + alpha/2 |
/// | interval, Gegenbauer polynomials (`hpfracc_operators::IntervalLaplacian`) | spectral | spectral |
/// | domain in a box | alpha/2, uneven: a staircase | 1 |
/// | disk, correction, alpha = 0.5, 1, 1.5 | 1.1, 1.3, 1.6 | 1.6, 1.7, 2.0 |
/// | ball, correction, alpha = 0.5, 1, 1.5 | 0.9, 1.2, 1.3 | 2.0, 1.8, 1.6 |
///
/// Sources: Ciaurri et al., Adv. Math. 330 (2018) 688, DOI 10.1016/j.aim.2018.03.023 (powers of the
/// lattice Laplacian); Lischke et al., J. Comput. Phys. 404 (2020) 109009, DOI
/// 10.1016/j.jcp.2019.109009 (definitions); Acosta and Borthagaray, SIAM J. Numer. Anal. 55 (2017) 472,
/// DOI 10.1137/15M1033952 (regularity).
///
/// # Fractional Poisson problem on a disk
/// ```
/// use hpfracc_spatial::IntegralLaplacian;
///
/// // (-Lap)^(1/2) u = 1 on the unit disk has the solution (2/pi) sqrt(1 - |x|^2).
/// let disk = |x: &[f64]| x[0] * x[0] + x[1] * x[1] < 1.0;
/// let laplacian = IntegralLaplacian::inside(1.0, &[(-1.0, 1.0, 63), (-1.0, 1.0, 63)], disk)?;
/// let nodes = laplacian.nodes();
/// let solution = laplacian.poisson(&vec![1.0; nodes.len()])?;
/// let middle = nodes.iter().position(|x| x[0] == 0.0 && x[1] == 0.0).unwrap();
/// assert!((solution.values[middle] - std::f64::consts::FRAC_2_PI).abs() < 0.02);
/// // Values on the whole box, for a picture.
/// assert_eq!(laplacian.on_box(&solution.values, 0.0).len(), 63 * 63);
/// # Ok::<(), hpfracc_spatial::SpatialError>(())
/// ```
pub struct IntegralLaplacian {
    alpha: f64,
    axes: Vec<(f64, f64, usize)>,
    /// Index in the box of each node of the domain.
    inside: Vec<usize>,
    entries: Vec<Dual>,
    matrix: BoxConvolution,
    derivative: OnceLock<BoxConvolution>,
    sine: BoxSine,
    /// In the order of the modes of `sine`.
    eigenvalues: Vec<f64>,
    bounds: (f64, f64),
    /// Diagonal that makes the matrix exact for the solution on a ball.
    correction: Option<Vec<Dual>>,
    boxes: Pool<f64>,
    stopping: Stopping,
}

impl IntegralLaplacian {
    /// On the whole box of one to three axes `(a, b, n)`: n nodes inside (a, b), at distances
    /// (b-a)/(n+1) from each other and from the ends.
    ///
    /// # Errors
    /// [`OutOfRange`](SpatialError::OutOfRange) unless 0 < alpha < 2, there are 1 to 3 axes, a < b
    /// are finite, n is at least 1, the box has at most 2^28 nodes, and steps differ by a factor of
    /// at most 100; [`Memory`](SpatialError::Memory) if some 15 numbers for each node of the box do
    /// not fit.
    pub fn on(alpha: f64, axes: &[(f64, f64, usize)]) -> Result<Self> {
        Self::inside(alpha, axes, |_| true)
    }

    /// On the nodes of a box whose coordinates satisfy a condition.
    ///
    /// # Errors
    /// As [`on`](Self::on), and [`OutOfRange`](SpatialError::OutOfRange) for a domain without nodes.
    pub fn inside(
        alpha: f64,
        axes: &[(f64, f64, usize)],
        condition: impl Fn(&[f64]) -> bool,
    ) -> Result<Self> {
        check_axes(axes)?;
        let count = axes.iter().map(|(_, _, n)| n).product();
        Self::of_indices(alpha, axes, (0..count).filter(|i| condition(&node(axes, *i))).collect())
    }

    /// On the nodes of a box where a mask, row-major, is true.
    ///
    /// # Errors
    /// As [`inside`](Self::inside), and [`Length`](SpatialError::Length) for the mask.
    pub fn masked(alpha: f64, axes: &[(f64, f64, usize)], mask: &[bool]) -> Result<Self> {
        check_axes(axes)?;
        let expected = axes.iter().map(|(_, _, n)| n).product();
        if mask.len() != expected {
            return Err(SpatialError::Length { what: "mask", found: mask.len(), expected });
        }
        Self::of_indices(alpha, axes, (0..expected).filter(|i| mask[*i]).collect())
    }

    fn of_indices(alpha: f64, axes: &[(f64, f64, usize)], inside: Vec<usize>) -> Result<Self> {
        check_order(alpha)?;
        require(!inside.is_empty(), "number of nodes in the domain", 0.0, "at least 1")?;
        let (shape, steps) = three_axes(axes);
        let entries = lattice_entries(alpha, shape, steps);
        let values: Vec<f64> = entries.iter().map(|c| c.value).collect();
        let mut laplacian = Self {
            alpha,
            axes: axes.to_vec(),
            inside,
            matrix: BoxConvolution::new(&values, shape),
            derivative: OnceLock::new(),
            sine: BoxSine::new(shape),
            eigenvalues: eigenvalues(alpha, shape, steps),
            bounds: (0.0, 0.0),
            correction: None,
            boxes: Pool::new(entries.len()),
            stopping: Stopping { tolerance: 1e-10, iterations: 500 },
            entries,
        };
        laplacian.bounds = laplacian.spectral_bounds();
        Ok(laplacian)
    }

    /// The same with a diagonal added that makes the matrix exact for
    /// `w(x) = (R^2 - |x - c|^2)^(alpha/2)`, for domains that are the nodes inside the ball of centre
    /// c and radius R, which is checked: the box contains the ball, and all its nodes within
    /// `R (1 - 1e-8)` of the centre are in the domain. Row i holds v = u/w constant in the error of
    /// the quadrature.
    ///
    /// Constant f is solved exactly in spite of the staircase; for smooth f the orders rise to those of
    /// the table [above](Self#what-accuracy-to-expect). The matrix stays symmetric and positive
    /// definite; solves take more iterations.
    /// Exclude nodes at rounding distance from the sphere: w is without accuracy there.
    ///
    /// # Errors
    /// [`Length`](SpatialError::Length) for a centre with another number of coordinates than axes;
    /// [`OutOfRange`](SpatialError::OutOfRange) if a node is not inside the ball, the box does not
    /// contain the ball up to rounding, or a node of the box inside the ball is not in the domain.
    pub fn with_ball_correction(mut self, centre: &[f64], radius: f64) -> Result<Self> {
        let d = self.axes.len();
        if centre.len() != d {
            return Err(SpatialError::Length { what: "centre", found: centre.len(), expected: d });
        }
        let s = Dual::variable(self.alpha) * 0.5;
        let distances = distances_in_ball(&self.axes, &self.inside, centre, radius)?;
        let mut w = Vec::with_capacity(distances.len());
        for distance in distances {
            w.push(Dual::constant((radius - distance) * (radius + distance)).powf(s));
        }
        let half = 0.5 * d as f64;
        let exact = Dual::constant(4.0).powf(s) * (s + half).gamma() * (s + 1.0).gamma()
            / Dual::constant(half).gamma();
        self.correction = Some(boundary_correction::diagonal(
            &w,
            exact,
            |x, y| self.through_box(x, y, |x, y| self.matrix.product(x, y)),
            |x, y| self.through_box(x, y, |x, y| self.derivative().product(x, y)),
        ));
        self.bounds = self.spectral_bounds();
        Ok(self)
    }

    /// The same with another tolerance of the residual of solves (default 1e-10) and another largest
    /// number of iterations (default 500).
    ///
    /// # Errors
    /// [`OutOfRange`](SpatialError::OutOfRange) unless the tolerance is between 0 and 1 and the
    /// number positive.
    pub fn with_stopping(mut self, stopping: Stopping) -> Result<Self> {
        self.stopping = stopping.checked()?;
        Ok(self)
    }

    /// Order alpha.
    pub fn order(&self) -> f64 {
        self.alpha
    }

    /// Coordinates of each node of the domain.
    pub fn nodes(&self) -> Vec<Vec<f64>> {
        self.inside.iter().map(|i| node(&self.axes, *i)).collect()
    }

    /// Values on all nodes of the box, row-major, those outside the domain being `outside`.
    ///
    /// # Panics
    /// If the field has another length than the operator.
    pub fn on_box(&self, field: &[f64], outside: f64) -> Vec<f64> {
        assert_eq!(field.len(), self.inside.len(), "values of the field");
        let mut values = vec![outside; self.entries.len()];
        for (i, x) in self.inside.iter().zip(field) {
            values[*i] = *x;
        }
        values
    }

    /// Solves `(-Lap)^(alpha/2) u = f`.
    ///
    /// # Errors
    /// [`Length`](SpatialError::Length) and [`NotFinite`](SpatialError::NotFinite) for f,
    /// [`NotConverged`](SpatialError::NotConverged) at the limit of iterations.
    pub fn poisson(&self, f: &[f64]) -> Result<PoissonSolution> {
        poisson(self, f)
    }

    /// Writes `y = (dA/dalpha) x`, the derivative of `apply` with respect to the order alpha.
    pub fn apply_order_derivative(&self, x: &[f64], y: &mut [f64]) {
        self.through_box(x, y, |x, y| self.derivative().product(x, y));
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

    fn derivative(&self) -> &BoxConvolution {
        self.derivative.get_or_init(|| {
            let slopes: Vec<f64> = self.entries.iter().map(|c| c.derivative).collect();
            BoxConvolution::new(&slopes, three_axes(&self.axes).0)
        })
    }

    /// Applies a map of the box to a field that is zero outside the domain.
    fn through_box(&self, x: &[f64], y: &mut [f64], map: impl FnOnce(&[f64], &mut [f64])) {
        self.boxes.with(|from| {
            self.boxes.with(|to| {
                self.scatter(x, from);
                map(from, to);
                self.gather(to, y);
            });
        });
    }

    fn scatter(&self, x: &[f64], to: &mut [f64]) {
        to.fill(0.0);
        for (i, x) in self.inside.iter().zip(x) {
            to[*i] = *x;
        }
    }

    fn gather(&self, from: &[f64], y: &mut [f64]) {
        for (i, y) in self.inside.iter().zip(y) {
            *y = from[*i];
        }
    }

    /// Below with w = (R^2 - |x - c|^2)^(alpha/2) of the ball around the box, above by the symbol.
    fn spectral_bounds(&self) -> (f64, f64) {
        let radius: f64 = self.axes.iter().map(|(a, b, _)| (0.5 * (b - a)).powi(2)).sum();
        let inside_ball = |x: Vec<f64>| {
            let square = |(x, (a, b, _)): (&f64, &(f64, f64, usize))| (x - 0.5 * (a + b)).powi(2);
            radius - x.iter().zip(&self.axes).map(square).sum::<f64>()
        };
        let weight = |i: &usize| inside_ball(node(&self.axes, *i)).powf(0.5 * self.alpha);
        let w: Vec<f64> = self.inside.iter().map(weight).collect();
        let lowest = boundary_correction::lower_bound(&w, |x, y| self.multiply(x, y));
        let (_, steps) = three_axes(&self.axes);
        let symbol: f64 = steps.iter().map(|h| 4.0 / (h * h)).sum();
        let added = boundary_correction::largest(self.correction.as_ref());
        (lowest, symbol.powf(0.5 * self.alpha) + added)
    }
}

impl Preconditioned for IntegralLaplacian {
    fn size(&self) -> usize {
        self.inside.len()
    }

    fn multiply(&self, x: &[f64], y: &mut [f64]) {
        self.through_box(x, y, |x, y| self.matrix.product(x, y));
        boundary_correction::add(self.correction.as_ref(), |d| d.value, x, y);
    }

    fn to_modes(&self, x: &[f64], modes: &mut [f64]) {
        self.boxes.with(|values| {
            self.scatter(x, values);
            self.sine.to_modes(values, modes);
        });
    }

    fn to_values(&self, modes: &[f64], x: &mut [f64]) {
        self.boxes.with(|values| {
            self.sine.to_values(modes, values);
            self.gather(values, x);
        });
    }

    fn scale(&self) -> f64 {
        self.sine.scale()
    }

    fn eigenvalues(&self) -> &[f64] {
        &self.eigenvalues
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

impl SpatialOperator for IntegralLaplacian {
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
