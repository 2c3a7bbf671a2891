use super::interval::check_interval;
use super::shifted::{KrylovSolver, PoissonSolution, Preconditioned, poisson};
use super::sine::{SineTransform, tau_eigenvalues};
use super::toeplitz::Toeplitz;
use crate::error::require;
use crate::krylov::Stopping;
use crate::{NullSpace, Result, ShiftedSolver, SpatialError, SpatialOperator, Spectrum};
use hpfracc_operators::{Discretisation, Dual, Number, RieszFeller, Weights};
use hpfracc_types::{Grid, Order};
use num_complex::Complex64;
use std::sync::OnceLock;

/// Skewed fractional diffusion on an interval (a, b) with u = 0 outside: one-sided and two-sided
/// Riemann-Liouville derivatives, and the Riesz-Feller derivative with skewness theta.
///
/// | constructor | operator | orders | accuracy for smooth u |
/// |---|---|---|---|
/// | [`grunwald_letnikov`](Self::grunwald_letnikov) | -(l D_left + r D_right) for alpha > 1, + for alpha < 1 | (0, 1), (1, 2] | 1 |
/// | [`riesz_feller`](Self::riesz_feller) | symbol `\|k\|^alpha exp(i sgn(k) theta pi/2)` | (0, 2] | 2 |
///
/// A Toeplitz matrix with a positive semidefinite symmetric part, at the n nodes
/// `x_j = a + (j+1) h`, `h = (b-a)/(n+1)`; itself symmetric only for equal weights or theta = 0. That
/// of Gruenwald and Letnikov has no positive entries off the diagonal: implicit Euler steps keep
/// u >= 0. Solutions are singular at the ends, and there lose order, as those of
/// [`IntegralLaplacian1d`](crate::IntegralLaplacian1d).
///
/// Cost: one pair of real FFTs of length 2n for `apply` and `apply_transpose`. Shifted solves by
/// GMRES with the sine (tau) preconditioner of the symmetric part: some tens of iterations, more as
/// the angle theta pi/2 of the symbol comes near pi/2.
///
/// [`spectrum`](SpatialOperator::spectrum) bounds real parts from below and moduli from above.
///
/// Sources: Meerschaert and Tadjeran, J. Comput. Appl. Math. 172 (2004) 65, DOI
/// 10.1016/j.cam.2004.01.033; Mainardi, Luchko and Pagnini, Fract. Calc. Appl. Anal. 4 (2001) 153,
/// arXiv:cond-mat/0702419.
///
/// ```
/// use hpfracc_spatial::{Complex64, SkewedLaplacian1d, SpatialOperator};
///
/// // One implicit Euler step of u_t = D_left^1.5 u on (0, 1).
/// let operator = SkewedLaplacian1d::grunwald_letnikov(1.5, [1.0, 0.0], (0.0, 1.0), 99)?;
/// let mut u: Vec<f64> = operator.nodes().iter().map(|x| x * (1.0 - x)).collect();
/// let step = 0.01;
/// u.iter_mut().for_each(|u| *u /= step);
/// operator.shifted(Complex64::from(1.0 / step))?.solve_real(&mut u)?;
/// assert!(u.iter().all(|u| *u > 0.0 && *u < 0.25));
/// # Ok::<(), hpfracc_spatial::SpatialError>(())
/// ```
pub struct SkewedLaplacian1d {
    alpha: f64,
    interval: (f64, f64),
    /// Entries on and below the diagonal, then on and above it, by lag.
    sides: [Vec<Dual>; 2],
    matrix: Toeplitz,
    derivative: OnceLock<Toeplitz>,
    sine: SineTransform,
    tau: Vec<f64>,
    bounds: (f64, f64),
    stopping: Stopping,
}

impl SkewedLaplacian1d {
    /// `-(left D_left^alpha + right D_right^alpha)` for alpha > 1 and the same with + for alpha < 1,
    /// by Gruenwald-Letnikov sums, shifted by one node above 1.
    ///
    /// # Errors
    /// [`OutOfRange`](SpatialError::OutOfRange) unless 0 < alpha <= 2 is not 1, both weights are
    /// nonnegative and one is positive, a < b are finite and n is 1 to 2^28;
    /// [`Memory`](SpatialError::Memory) if the matrix does not fit.
    pub fn grunwald_letnikov(
        alpha: f64,
        [left, right]: [f64; 2],
        interval: (f64, f64),
        n: usize,
    ) -> Result<Self> {
        let inside = alpha > 0.0 && alpha <= 2.0 && alpha != 1.0;
        require(inside, "order alpha", alpha, "above 0, at most 2, and not 1")?;
        for (what, weight) in [("left weight", left), ("right weight", right)] {
            require(weight >= 0.0 && weight.is_finite(), what, weight, "a nonnegative number")?;
        }
        require(left + right > 0.0, "sum of the weights", left + right, "a positive number")?;
        check_interval(interval, n)?;
        let order = Dual::variable(alpha);
        let above = alpha > 1.0;
        let h = (interval.1 - interval.0) / (n as f64 + 1.0);
        let mut g = Dual::constant(h).powf(-order) * if above { -1.0 } else { 1.0 };
        // Entries of D_left on and below the diagonal, and on and above it.
        let (mut lower, mut upper) = (Vec::with_capacity(n), vec![Dual::constant(0.0); n]);
        let first = usize::from(above);
        for k in 0..n + first {
            if k > 0 {
                g = g * (-order + (k as f64 - 1.0)) / k as f64;
            }
            if k >= first {
                lower.push(g);
            } else if n > 1 {
                upper[1] = g;
            }
        }
        upper[0] = lower[0];
        let mix = |x: &[Dual], y: &[Dual]| -> Vec<Dual> {
            x.iter().zip(y).map(|(x, y)| *x * left + *y * right).collect()
        };
        Ok(Self::of_sides(alpha, interval, [mix(&lower, &upper), mix(&upper, &lower)]))
    }

    /// Minus the Riesz-Feller derivative of skewness theta, `|theta| <= min(alpha, 2 - alpha)`, by
    /// skewed centred differences (see `hpfracc_operators::RieszFeller::centred`); theta = 0 is
    /// symmetric, the bounds are one-sided derivatives.
    ///
    /// # Errors
    /// [`OutOfRange`](SpatialError::OutOfRange) unless 0 < alpha <= 2, theta is within its bounds and
    /// not +-1 (which is advection, without diffusion), a < b are finite and n is 1 to 2^28;
    /// [`Memory`](SpatialError::Memory) if the matrix does not fit.
    pub fn riesz_feller(alpha: f64, theta: f64, interval: (f64, f64), n: usize) -> Result<Self> {
        require(alpha > 0.0 && alpha <= 2.0, "order alpha", alpha, "above 0, at most 2")?;
        let allowed = theta.abs() <= alpha.min(2.0 - alpha);
        require(allowed, "skewness theta", theta, "at most min(alpha, 2 - alpha) in modulus")?;
        let diffusive = theta.abs() < 1.0;
        require(diffusive, "skewness theta", theta, "below 1 in modulus: else it is d/dx")?;
        check_interval(interval, n)?;
        let h = (interval.1 - interval.0) / (n as f64 + 1.0);
        let sides = centred_sides(alpha, theta, h, n).ok_or(SpatialError::OutOfRange {
            what: "step h",
            value: h,
            expected: "a positive number",
        })?;
        Ok(Self::of_sides(alpha, interval, sides))
    }

    fn of_sides(alpha: f64, interval: (f64, f64), sides: [Vec<Dual>; 2]) -> Self {
        let n = sides[0].len();
        let [lower, upper] =
            [0, 1].map(|side| -> Vec<f64> { sides[side].iter().map(|c| c.value).collect() });
        let symmetric: Vec<f64> = lower.iter().zip(&upper).map(|(l, u)| 0.5 * (l + u)).collect();
        let mut tau = tau_eigenvalues(&symmetric);
        let total = |side: &[f64]| side.iter().skip(1).map(|c| c.abs()).sum::<f64>();
        let highest = lower[0].abs() + total(&lower) + total(&upper);
        // The symmetric part nearly vanishes for alpha and |theta| near 1.
        tau.iter_mut().for_each(|value| *value = value.max(1e-3 * highest / n as f64));
        Self {
            alpha,
            interval,
            matrix: Toeplitz::new(&lower, &upper),
            derivative: OnceLock::new(),
            sine: SineTransform::new(n),
            tau,
            bounds: (lowest_row_sum(&symmetric), highest),
            stopping: Stopping { tolerance: 1e-12, iterations: 500 },
            sides,
        }
    }

    /// The same with another tolerance of the residual of solves (default 1e-12) and another largest
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

    /// Nodes, increasing; the ends of the interval are none.
    pub fn nodes(&self) -> Vec<f64> {
        let (a, b) = self.interval;
        let n = self.size();
        (1..=n).map(|j| a + (b - a) * (j as f64 / (n + 1) as f64)).collect()
    }

    /// Solves `A u = f`.
    ///
    /// # Errors
    /// [`Length`](SpatialError::Length) and [`NotFinite`](SpatialError::NotFinite) for f,
    /// [`NotConverged`](SpatialError::NotConverged) at the limit of iterations.
    pub fn poisson(&self, f: &[f64]) -> Result<PoissonSolution> {
        poisson(self, f)
    }

    /// Writes `y = (dA/dalpha) x`, the derivative of `apply` with respect to the order alpha, weights
    /// or skewness held.
    pub fn apply_order_derivative(&self, x: &[f64], y: &mut [f64]) {
        let derivative = self.derivative.get_or_init(|| {
            let [lower, upper] = [0, 1].map(|side| -> Vec<f64> {
                self.sides[side].iter().map(|c| c.derivative).collect()
            });
            Toeplitz::new(&lower, &upper)
        });
        derivative.product(x, y);
    }
}

/// Entries of minus the centred Riesz-Feller derivative; None for a step that is no grid's.
fn centred_sides(alpha: f64, theta: f64, h: f64, n: usize) -> Option<[Vec<Dual>; 2]> {
    // A grid has two points or more.
    let grid = Grid::uniform(n.max(2), h).ok()?;
    let scheme = RieszFeller::centred(Order::new(alpha).ok()?, theta).ok()?;
    let Weights::Sum(parts) = scheme.weights_at(Dual::variable(alpha), grid).ok()? else {
        return None;
    };
    let mut sides = parts.into_iter().map(|part| match part {
        Weights::Toeplitz(past) => Some(past.causal),
        Weights::Transposed(future) => match *future {
            Weights::Toeplitz(future) => Some(future.causal),
            _ => None,
        },
        _ => None,
    });
    let mut side = || -> Option<Vec<Dual>> {
        let causal = sides.next()??;
        Some(causal.into_iter().take(n).map(|c| -c).collect())
    };
    let (past, mut future) = (side()?, side()?);
    future[0] = past[0];
    Some([past, future])
}

/// Lower bound of the eigenvalues of a symmetric Toeplitz matrix by Gershgorin, or 0.
fn lowest_row_sum(column: &[f64]) -> f64 {
    let partial: Vec<f64> = column
        .iter()
        .skip(1)
        .scan(0.0, |sum, c| {
            *sum += c.abs();
            Some(*sum)
        })
        .collect();
    let before = |count: usize| if count == 0 { 0.0 } else { partial[count - 1] };
    let n = column.len();
    let row = |i: usize| column[0] - before(i) - before(n - 1 - i);
    (0..n).map(row).fold(f64::INFINITY, f64::min).max(0.0) * (1.0 - 1e-9)
}

impl Preconditioned for SkewedLaplacian1d {
    fn size(&self) -> usize {
        self.sides[0].len()
    }

    fn multiply(&self, x: &[f64], y: &mut [f64]) {
        self.matrix.product(x, y);
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
        false
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

impl SpatialOperator for SkewedLaplacian1d {
    fn len(&self) -> usize {
        self.size()
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        self.matrix.product(x, y);
    }

    fn apply_transpose(&self, y: &[f64], x: &mut [f64]) {
        self.matrix.product_transpose(y, x);
    }

    fn spectrum(&self) -> Spectrum {
        let (lowest, highest) = self.bounds;
        Spectrum { lowest, highest, null_space: NullSpace::Zero }
    }

    fn is_self_adjoint(&self) -> bool {
        let pairs = self.sides[0].iter().zip(&self.sides[1]);
        pairs.into_iter().all(|(past, future)| past.value == future.value)
    }

    fn shifted(&self, z: Complex64) -> Result<Box<dyn ShiftedSolver + '_>> {
        Ok(Box::new(KrylovSolver::new(self, z)?))
    }
}
