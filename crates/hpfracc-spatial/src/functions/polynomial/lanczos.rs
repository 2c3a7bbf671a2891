use super::tridiagonal_eigen::tridiagonal_eigen;
use crate::error::{require, require_finite};
use crate::functions::Function;
use crate::functions::function::Target;
use crate::functions::null_space::NullSpaceProjector;
use crate::functions::plan::Plan;
use crate::krylov::reductions::{axpy, update, weighted_dot, weighted_norm};
use crate::{NullSpace, Result, SpatialError, SpatialOperator};

/// Most steps.
const STEPS: usize = 500;
/// Memory of stored basis vectors; those that do not fit are computed again in a second pass.
const BYTES: usize = 1 << 29;

/// Lanczos process: `A V = V T + beta v e'` with a tridiagonal T, and V orthonormal in the inner
/// product of A.
pub(crate) struct Krylov<'a> {
    operator: &'a dyn SpatialOperator,
    projector: Option<&'a NullSpaceProjector>,
    diagonal: Vec<f64>,
    off_diagonal: Vec<f64>,
    /// The first basis vectors.
    stored: Vec<Vec<f64>>,
    capacity: usize,
    last: Vec<f64>,
    current: Vec<f64>,
    next: Vec<f64>,
}

impl<'a> Krylov<'a> {
    /// Process that starts at x, which is not 0, and stores up to `capacity` basis vectors.
    pub(crate) fn new(
        operator: &'a dyn SpatialOperator,
        projector: Option<&'a NullSpaceProjector>,
        x: &[f64],
        capacity: usize,
    ) -> Self {
        let size = weighted_norm(operator.weights(), x);
        let (last, next) = (vec![0.0; x.len()], vec![0.0; x.len()]);
        let current = x.iter().map(|x| x / size).collect();
        let (diagonal, off_diagonal, stored) = (Vec::new(), Vec::new(), Vec::new());
        Self { operator, projector, diagonal, off_diagonal, stored, capacity, last, current, next }
    }

    pub(crate) fn diagonal(&self) -> &[f64] {
        &self.diagonal
    }

    /// One number less than the diagonal has.
    pub(crate) fn off_diagonal(&self) -> &[f64] {
        &self.off_diagonal[..self.diagonal.len().saturating_sub(1)]
    }

    /// Adds a row to T; false at the end of the Krylov space.
    ///
    /// # Errors
    /// [`NotFinite`](SpatialError::NotFinite) for a product with the operator that is NaN or
    /// infinite, [`OutOfRange`](SpatialError::OutOfRange) if its norm overflows.
    pub(crate) fn step(&mut self) -> Result<bool> {
        let weights = self.operator.weights();
        let before = self.off_diagonal.last().copied().unwrap_or(0.0);
        self.operator.apply(&self.current, &mut self.next);
        let (last, current) = (&self.last, &self.current);
        update(&mut self.next, |i, next| *next -= before * last[i]);
        let alpha = weighted_dot(weights, &self.next, current);
        axpy(-alpha, current, &mut self.next);
        if let Some(projector) = self.projector {
            projector.remove(&mut self.next);
        }
        let beta = weighted_norm(weights, &self.next);
        if !(alpha.is_finite() && beta.is_finite()) {
            require_finite("product with the operator", &self.next)?;
            require(false, "norm of a product with the operator", beta, "a finite number")?;
        }
        self.diagonal.push(alpha);
        if self.stored.len() < self.capacity {
            self.stored.push(self.current.clone());
        }
        let scale = self.diagonal.iter().fold(0.0, |scale: f64, alpha| scale.max(alpha.abs()));
        if beta <= 1e-14 * scale {
            return Ok(false);
        }
        self.off_diagonal.push(beta);
        let reciprocal = 1.0 / beta;
        update(&mut self.next, |_, next| *next *= reciprocal);
        std::mem::swap(&mut self.last, &mut self.current);
        std::mem::swap(&mut self.current, &mut self.next);
        Ok(true)
    }

    /// Writes `sum_k c_k v_k`; basis vectors that are not stored are computed again.
    fn combine(self, x: &[f64], c: &[f64], y: &mut [f64]) -> Result<()> {
        y.fill(0.0);
        for (c, v) in c.iter().zip(&self.stored) {
            axpy(*c, v, y);
        }
        if self.stored.len() >= c.len() {
            return Ok(());
        }
        let mut again = Self::new(self.operator, self.projector, x, 0);
        for (k, c) in c.iter().enumerate() {
            if k >= self.stored.len() {
                axpy(*c, &again.current, y);
            }
            again.step()?;
        }
        Ok(())
    }
}

/// `f(A) x = |x| V f(T) e_1`.
///
/// No reorthogonalisation: functions of T converge as in exact arithmetic, only later (V. Druskin,
/// L. Knizhnerman, Comput. Math. Math. Phys. 31 (1991) 20).
///
/// Error: `|f(A) x - y| <= |x| beta_m |e_m' f[l, T] e_1|` with the divided difference
/// `f[l, z] = (f(z) - f(l)) / (z - l)` and a lower bound l of the eigenvalues. For `f(z) = 1/(t + z)`
/// it is the norm of the residual over `t + l`; powers are integrals of such functions and
/// polynomials over t, and the sign of `e_m' (t + T)^-1 e_1` does not depend on t. For other
/// functions it is an estimate, that of Y. Saad, SIAM J. Numer. Anal. 29 (1992) 209,
/// doi:10.1137/0729014, for the exponential. Powers: M. Ilic, I. W. Turner, D. P. Simpson, IMA J.
/// Numer. Anal. 30 (2010) 1044, doi:10.1093/imanum/drp003.
pub(crate) struct Lanczos<'a> {
    operator: &'a dyn SpatialOperator,
    projector: Option<NullSpaceProjector>,
    function: Function,
    /// Lower bound of the eigenvalues that count, 0 if unknown.
    lowest: f64,
    tolerance: f64,
}

impl<'a> Lanczos<'a> {
    pub(crate) fn new(
        operator: &'a dyn SpatialOperator,
        function: Function,
        tolerance: f64,
    ) -> Self {
        // A rounding error in the null space is magnified by powers.
        let projector = function.exponent().and_then(|_| NullSpaceProjector::of(operator));
        let spectrum = operator.spectrum();
        let deflated = projector.is_some() || spectrum.null_space == NullSpace::Zero;
        let lowest = if deflated { spectrum.lowest } else { 0.0 };
        Self { operator, projector, function, lowest, tolerance }
    }

    /// Coefficients `f(T) e_1` and the bound of the error relative to their norm.
    fn coefficients(&self, target: Target, krylov: &Krylov<'_>) -> Result<(Vec<f64>, f64)> {
        let m = krylov.diagonal().len();
        let (mut nodes, vectors) = tridiagonal_eigen(krylov.diagonal(), krylov.off_diagonal());
        require_finite("Ritz values", &nodes)?;
        let least = if self.projector.is_some() { f64::MIN_POSITIVE } else { 0.0 };
        nodes.iter_mut().for_each(|node| *node = node.max(least));
        let values = self.function.values(target, &nodes)?;
        let lowest = match self.lowest {
            0.0 if self.function.is_singular(target) => {
                nodes.iter().copied().fold(f64::INFINITY, f64::min) / 2.0
            }
            lowest => lowest,
        };
        let at_lowest = self.function.values(target, &[lowest])?[0];
        let (mut c, mut last) = (vec![0.0; m], 0.0);
        for ((node, value), vector) in nodes.iter().zip(&values).zip(vectors.chunks_exact(m)) {
            let factor = value * vector[0];
            c.iter_mut().zip(vector).for_each(|(c, q)| *c += factor * q);
            if *node != lowest {
                last += (value - at_lowest) / (node - lowest) * vector[0] * vector[m - 1];
            }
        }
        let size = c.iter().map(|c| c * c).sum::<f64>().sqrt();
        let beta = krylov.off_diagonal.get(m - 1).copied().unwrap_or(0.0);
        let error = if size > 0.0 { beta * last.abs() / size } else { 0.0 };
        Ok((c, error))
    }
}

impl Plan for Lanczos<'_> {
    fn apply(&self, target: Target, x: &[f64], y: &mut [f64]) -> Result<()> {
        let size = weighted_norm(self.operator.weights(), x);
        if size == 0.0 {
            y.fill(0.0);
            return Ok(());
        }
        let capacity = BYTES / (8 * x.len().max(1));
        let mut krylov = Krylov::new(self.operator, self.projector.as_ref(), x, capacity);
        let (mut next, mut reached) = (2, f64::INFINITY);
        for step in 1..=STEPS {
            let ended = !krylov.step()?;
            if !ended && step < next {
                continue;
            }
            let (mut c, error) = self.coefficients(target, &krylov)?;
            if ended || error <= self.tolerance {
                c.iter_mut().for_each(|c| *c *= size);
                return krylov.combine(x, &c, y);
            }
            reached = error;
            next = (step + 2).max(step * 9 / 8);
        }
        let (what, tolerance) = ("Lanczos in 500 steps", self.tolerance);
        Err(SpatialError::Tolerance { what, tolerance, reached })
    }

    fn explain(&self) -> String {
        "Lanczos process, at most 500 products, until the error bound relative to the result \
         is below the tolerance"
            .to_owned()
    }

    fn error(&self) -> f64 {
        self.tolerance
    }
}
