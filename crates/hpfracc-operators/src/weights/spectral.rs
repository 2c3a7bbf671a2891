//! Multipliers of Fourier modes, and of the sines or cosines of an interval.

use hpfracc_backend::Shape;
use num_complex::Complex;

/// A multiplier in Fourier space for real signals, periodic along each axis.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Symbol<N = f64> {
    /// Shape of one signal.
    pub shape: Shape,
    /// The symbol on the half spectrum, row-major; the rest is its conjugate mirror image.
    pub half: Vec<Complex<N>>,
}

/// A function of -d2/dx2 on an interval of n samples: a factor for each of its first n
/// eigenvectors.
///
/// ```text
/// Dirichlet: x_j = (j+1) h, length (n+1) h, eigenvectors sin(pi (k+1) (j+1) / (n+1))
/// Neumann:   x_j = (j+1/2) h, length n h,   eigenvectors cos(pi k (j+1/2) / n)
/// ```
///
/// Symmetric: it is its own transpose.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Eigenvalues<N = f64> {
    /// The boundary condition at both ends.
    pub boundary: Boundary,
    /// By eigenvector, k = 0 .. n-1.
    pub values: Vec<N>,
}

/// The boundary condition at both ends of an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Boundary {
    /// The function vanishes.
    Dirichlet,
    /// The derivative of the function vanishes.
    Neumann,
}

impl<N> Symbol<N> {
    /// A symbol on the half spectrum of signals of this shape.
    pub fn new(shape: Shape, half: Vec<Complex<N>>) -> Self {
        Self { shape, half }
    }

    pub(super) fn map<M>(self, f: impl Fn(N) -> M) -> Symbol<M> {
        let half = self.half.into_iter().map(|m| Complex::new(f(m.re), f(m.im)));
        Symbol { shape: self.shape, half: half.collect() }
    }
}

impl<N> Eigenvalues<N> {
    /// A factor for each eigenvector under this boundary condition.
    pub fn new(boundary: Boundary, values: Vec<N>) -> Self {
        Self { boundary, values }
    }

    /// Length of the odd or even periodic extension, whose Fourier modes are the eigenvectors.
    pub fn period(&self) -> usize {
        match self.boundary {
            Boundary::Dirichlet => 2 * (self.values.len() + 1),
            Boundary::Neumann => 2 * self.values.len(),
        }
    }

    pub(super) fn map<M>(self, f: impl Fn(N) -> M) -> Eigenvalues<M> {
        Eigenvalues { boundary: self.boundary, values: self.values.into_iter().map(f).collect() }
    }
}
