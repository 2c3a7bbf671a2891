use crate::functions::Function;
use crate::functions::function::Target;
use crate::functions::null_space::NullSpaceProjector;
use crate::functions::plan::Plan;
use crate::functions::tridiagonal_eigen::tridiagonal_eigen;
use crate::solve::reductions::{axpy, dot, norm, update};
use crate::{Result, SpatialError, SpatialOperator};

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
        let size = norm(operator.weights(), x);
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
    pub(crate) fn step(&mut self) -> bool {
        let weights = self.operator.weights();
        let before = self.off_diagonal.last().copied().unwrap_or(0.0);
        self.operator.apply(&self.current, &mut self.next);
        let (last, current) = (&self.last, &self.current);
        update(&mut self.next, |i, next| *next -= before * last[i]);
        let alpha = dot(weights, &self.next, current);
        axpy(-alpha, current, &mut self.next);
        if let Some(projector) = self.projector {
            projector.remove(&mut self.next);
        }
        let beta = norm(weights, &self.next);
        self.diagonal.push(alpha);
        if self.stored.len() < self.capacity {
            self.stored.push(self.current.clone());
        }
        let scale = self.diagonal.iter().fold(0.0, |scale: f64, alpha| scale.max(alpha.abs()));
        if !(beta > 1e-14 * scale) {
            return false;
        }
        self.off_diagonal.push(beta);
        let reciprocal = 1.0 / beta;
        update(&mut self.next, |_, next| *next *= reciprocal);
        std::mem::swap(&mut self.last, &mut self.current);
        std::mem::swap(&mut self.current, &mut self.next);
        true
    }

    /// Writes `sum_k c_k v_k`; basis vectors that are not stored are computed again.
    fn combine(self, x: &[f64], c: &[f64], y: &mut [f64]) {
        y.fill(0.0);
        for (c, v) in c.iter().zip(&self.stored) {
            axpy(*c, v, y);
        }
        if self.stored.len() >= c.len() {
            return;
        }
        let mut again = Self::new(self.operator, self.projector, x, 0);
        for (k, c) in c.iter().enumerate() {
            if k >= self.stored.len() {
                axpy(*c, &again.current, y);
            }
            again.step();
        }
    }
}

/// `f(A) x = |x| V f(T) e_1`.
///
/// No reorthogonalisation: functions of T converge as in exact arithmetic, only later (V. Druskin,
/// L. Knizhnerman, Comput. Math. Math. Phys. 31 (1991) 20). The error is estimated from the
/// differences of iterates, whose numbers of steps grow by a factor of 9/8, by geometric
/// extrapolation.
pub(super) struct Lanczos<'a> {
    operator: &'a dyn SpatialOperator,
    projector: Option<NullSpaceProjector>,
    function: Function,
    tolerance: f64,
}

impl<'a> Lanczos<'a> {
    pub(super) fn new(
        operator: &'a dyn SpatialOperator,
        function: Function,
        tolerance: f64,
    ) -> Self {
        // A rounding error in the null space is magnified by powers.
        let projector = function.exponent().and_then(|_| NullSpaceProjector::of(operator));
        Self { operator, projector, function, tolerance }
    }

    /// Coefficients `f(T) e_1`.
    fn coefficients(&self, target: Target, krylov: &Krylov<'_>) -> Result<Vec<f64>> {
        let m = krylov.diagonal().len();
        let (mut values, vectors) = tridiagonal_eigen(krylov.diagonal(), krylov.off_diagonal());
        for value in &mut values {
            *value = value.max(if self.projector.is_some() { f64::MIN_POSITIVE } else { 0.0 });
        }
        let values = self.function.values(target, &values)?;
        let mut c = vec![0.0; m];
        for (value, vector) in values.iter().zip(vectors.chunks_exact(m)) {
            let factor = value * vector[0];
            c.iter_mut().zip(vector).for_each(|(c, q)| *c += factor * q);
        }
        Ok(c)
    }
}

impl Plan for Lanczos<'_> {
    fn apply(&self, target: Target, x: &[f64], y: &mut [f64]) -> Result<()> {
        let size = norm(self.operator.weights(), x);
        if size == 0.0 {
            y.fill(0.0);
            return Ok(());
        }
        let capacity = BYTES / (8 * x.len().max(1));
        let mut krylov = Krylov::new(self.operator, self.projector.as_ref(), x, capacity);
        let mut convergence = Convergence::default();
        let mut next = 4;
        for step in 1..=STEPS {
            let ended = !krylov.step();
            if !ended && step < next {
                continue;
            }
            let mut c = self.coefficients(target, &krylov)?;
            if ended || convergence.error(&c) <= self.tolerance {
                c.iter_mut().for_each(|c| *c *= size);
                krylov.combine(x, &c, y);
                return Ok(());
            }
            convergence.previous = c;
            next = (step + 2).max(step * 9 / 8);
        }
        let (what, tolerance, reached) = ("Lanczos in 500 steps", self.tolerance, convergence.last);
        Err(SpatialError::Tolerance { what, tolerance, reached })
    }

    fn explain(&self) -> String {
        "Lanczos process, at most 500 products, until the estimated error relative to the result \
         is below the tolerance"
            .to_owned()
    }

    fn error(&self) -> f64 {
        self.tolerance
    }
}

/// Estimate of the error of a sequence of coefficient vectors.
#[derive(Default)]
struct Convergence {
    previous: Vec<f64>,
    difference: f64,
    last: f64,
}

impl Convergence {
    /// Error of c relative to its norm, from its distance to the previous one and the ratio of the
    /// last two distances.
    fn error(&mut self, c: &[f64]) -> f64 {
        let padded = self.previous.iter().copied().chain(std::iter::repeat(0.0));
        let difference = c.iter().zip(padded).map(|(c, p)| (c - p).powi(2)).sum::<f64>().sqrt();
        let ratio = (difference / self.difference).clamp(0.1, 0.95);
        let first = self.difference == 0.0;
        self.difference = difference;
        let size = c.iter().map(|c| c * c).sum::<f64>().sqrt();
        let error = if first { difference } else { difference * ratio / (1.0 - ratio) };
        self.last = if size > 0.0 { error / size } else { 0.0 };
        if first { f64::INFINITY } else { self.last }
    }
}
