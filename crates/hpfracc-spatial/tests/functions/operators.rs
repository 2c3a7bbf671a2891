//! Operators with known eigenvalues.

use hpfracc_spatial::{
    Complex64, Modes, NullSpace, ShiftedSolver, SpatialError, SpatialOperator, Spectrum,
};
use std::f64::consts::PI;

/// Diagonal matrix.
pub(crate) struct Diagonal(pub(crate) Vec<f64>);

struct DiagonalSolver<'a>(&'a [f64], Complex64);

impl SpatialOperator for Diagonal {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        (0..x.len()).for_each(|i| y[i] = self.0[i] * x[i]);
    }

    fn spectrum(&self) -> Spectrum {
        let lowest = self.0.iter().copied().fold(f64::INFINITY, f64::min);
        let highest = self.0.iter().copied().fold(0.0, f64::max);
        Spectrum { lowest, highest, null_space: NullSpace::Zero }
    }

    fn shifted(&self, z: Complex64) -> Result<Box<dyn ShiftedSolver + '_>, SpatialError> {
        Ok(Box::new(DiagonalSolver(&self.0, z)))
    }
}

impl ShiftedSolver for DiagonalSolver<'_> {
    fn solve(&self, x: &mut [Complex64]) -> Result<(), SpatialError> {
        x.iter_mut().zip(self.0).for_each(|(x, l)| *x /= self.1 + l);
        Ok(())
    }

    fn solve_real(&self, x: &mut [f64]) -> Result<(), SpatialError> {
        x.iter_mut().zip(self.0).for_each(|(x, l)| *x /= self.1.re + l);
        Ok(())
    }
}

/// `(n + 1)^2 tridiag(-1, 2, -1)`: eigenvalues `4 (n + 1)^2 sin^2(pi k / (2 (n + 1)))`, with slow sine
/// transforms as modes on request.
pub(crate) struct Tridiagonal {
    n: usize,
    modes: Option<Sines>,
}

struct Sines(Vec<f64>);

impl Tridiagonal {
    pub(crate) fn new(n: usize) -> Self {
        Self { n, modes: None }
    }

    pub(crate) fn with_modes(n: usize) -> Self {
        Self { n, modes: Some(Sines((1..=n).map(|k| Self::new(n).eigenvalue(k)).collect())) }
    }

    fn scale(&self) -> f64 {
        (self.n as f64 + 1.0).powi(2)
    }

    pub(crate) fn eigenvalue(&self, k: usize) -> f64 {
        4.0 * self.scale() * (PI * k as f64 / (2 * (self.n + 1)) as f64).sin().powi(2)
    }

    /// `f(A) x` by the eigenvectors.
    pub(crate) fn function(&self, f: impl Fn(f64) -> f64, x: &[f64]) -> Vec<f64> {
        let sines = Sines((1..=self.n).map(|k| self.eigenvalue(k)).collect());
        let mut y = x.to_vec();
        sines.to_modes(&mut y);
        y.iter_mut().zip(&sines.0).for_each(|(y, l)| *y *= f(*l));
        sines.to_values(&mut y);
        y
    }
}

impl Modes for Sines {
    fn eigenvalues(&self) -> &[f64] {
        &self.0
    }

    fn to_modes(&self, x: &mut [f64]) {
        let n = x.len();
        let b = x.to_vec();
        let angle =
            |i: usize, k: usize| PI * ((i + 1) * (k + 1) % (2 * n + 2)) as f64 / (n + 1) as f64;
        for k in 0..n {
            let sum: f64 = (0..n).map(|i| b[i] * angle(i, k).sin()).sum();
            x[k] = sum * (2.0 / (n + 1) as f64).sqrt();
        }
    }

    fn to_values(&self, x: &mut [f64]) {
        self.to_modes(x);
    }
}

impl SpatialOperator for Tridiagonal {
    fn len(&self) -> usize {
        self.n
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        let at = |i: usize| x.get(i).copied().unwrap_or(0.0);
        for i in 0..self.n {
            y[i] = self.scale() * (2.0 * x[i] - at(i.wrapping_sub(1)) - at(i + 1));
        }
    }

    fn spectrum(&self) -> Spectrum {
        let (lowest, highest) = (self.eigenvalue(1), self.eigenvalue(self.n));
        Spectrum { lowest, highest, null_space: NullSpace::Zero }
    }

    fn modes(&self) -> Option<&dyn Modes> {
        self.modes.as_ref().map(|modes| modes as &dyn Modes)
    }

    fn shifted(&self, z: Complex64) -> Result<Box<dyn ShiftedSolver + '_>, SpatialError> {
        let s = self.scale();
        let mut reciprocals: Vec<Complex64> = Vec::with_capacity(self.n);
        let mut last = Complex64::ZERO;
        for _ in 0..self.n {
            last = 1.0 / (z + 2.0 * s - s * s * last);
            reciprocals.push(last);
        }
        Ok(Box::new(Thomas { reciprocals, off: s }))
    }
}

struct Thomas {
    reciprocals: Vec<Complex64>,
    off: f64,
}

impl ShiftedSolver for Thomas {
    fn solve(&self, x: &mut [Complex64]) -> Result<(), SpatialError> {
        let n = x.len();
        x[0] *= self.reciprocals[0];
        for i in 1..n {
            x[i] = (x[i] + self.off * x[i - 1]) * self.reciprocals[i];
        }
        for i in (0..n - 1).rev() {
            let above = x[i + 1];
            x[i] += self.off * self.reciprocals[i] * above;
        }
        Ok(())
    }

    fn solve_real(&self, x: &mut [f64]) -> Result<(), SpatialError> {
        let mut complex: Vec<Complex64> = x.iter().map(|x| Complex64::from(*x)).collect();
        self.solve(&mut complex)?;
        x.iter_mut().zip(complex).for_each(|(x, z)| *x = z.re);
        Ok(())
    }
}

pub(crate) fn numbers(n: usize, seed: f64) -> Vec<f64> {
    (0..n).map(|i| ((i as f64 + 0.6) * (seed + 1.37)).sin()).collect()
}

pub(crate) fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

pub(crate) fn distance(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt()
}
