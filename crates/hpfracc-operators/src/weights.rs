//! What a scheme makes of a definition and a grid: the numbers, in double precision.

use crate::OperatorError;
use hpfracc_backend::Shape;
use num_complex::Complex64;

/// The linear map of an operator on a grid, as numbers.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Weights {
    /// A Toeplitz matrix with corrections in its first columns.
    Toeplitz(Toeplitz),
    /// A multiplier in Fourier space.
    Symbol(Symbol),
}

/// A Toeplitz matrix with corrections in its first columns:
///
/// ```text
/// s[n] = (backward difference of order q of f)[n] for n >= q, and 0 for n < q
/// y[n] = sum_{k <= n} causal[k] s[n-k]                  the memory
///      + sum_{k < N-n} causal[k] f[n+k]                 only if two-sided, then q = 0
///      + advance * f[n+1]                               0 beyond the last sample
///      + sum_c column_c[n] * (stencil_c . f)            the start corrections
/// ```
///
/// Powers of the step are part of the numbers.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Toeplitz {
    /// q: how many backward differences are taken of the samples before they are convolved.
    /// Differences of neighbours lose less to rounding than differences of sums.
    pub differences: usize,
    /// Weight by lag, as long as the grid.
    pub causal: Vec<f64>,
    /// Whether the mirror image of `causal` is added: the symmetric, two-sided operators.
    pub two_sided: bool,
    /// Weight of the next sample, for shifted formulas.
    pub advance: f64,
    /// Corrections that make a scheme right where the record starts.
    pub starts: Vec<StartCorrection>,
}

/// A matrix of rank one: a column over the grid times a stencil over the first samples.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct StartCorrection {
    /// One entry per grid point.
    pub column: Vec<f64>,
    /// Weights of the first samples. They never depend on the order.
    pub stencil: Vec<f64>,
}

/// A multiplier in Fourier space for real signals, periodic along each axis.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Symbol {
    /// Shape of one signal.
    pub shape: Shape,
    /// The symbol on the half spectrum, row-major; the rest is its conjugate mirror image.
    pub half: Vec<Complex64>,
}

impl Toeplitz {
    /// A plain causal convolution.
    pub fn causal(causal: Vec<f64>) -> Self {
        Self { differences: 0, causal, two_sided: false, advance: 0.0, starts: Vec::new() }
    }

    /// A causal convolution of the samples' backward differences of order `differences`.
    pub fn of_differences(differences: usize, causal: Vec<f64>) -> Self {
        Self { differences, ..Self::causal(causal) }
    }

    /// A convolution to both sides. The weight at lag 0 counts twice.
    pub fn two_sided(causal: Vec<f64>) -> Self {
        Self { two_sided: true, ..Self::causal(causal) }
    }

    /// The same with a weight for the next sample.
    pub fn with_advance(self, advance: f64) -> Self {
        Self { advance, ..self }
    }

    /// The same with one more start correction.
    pub fn with_start(mut self, column: Vec<f64>, stencil: Vec<f64>) -> Self {
        self.starts.push(StartCorrection { column, stencil });
        self
    }

    /// Checks that the parts fit each other.
    pub(crate) fn check(&self) -> Result<(), OperatorError> {
        let n = self.causal.len();
        let most = if self.two_sided { 0 } else { n };
        let mut demands =
            vec![("the number of differences", self.differences, self.differences <= most, most)];
        for start in &self.starts {
            let (column, stencil) = (start.column.len(), start.stencil.len());
            demands.push(("the length of a start column", column, column == n, n));
            demands.push(("the length of a start stencil", stencil, stencil <= n, n));
        }
        match demands.into_iter().find(|(_, _, holds, _)| !holds) {
            None => Ok(()),
            Some((what, found, _, expected)) => {
                Err(OperatorError::Malformed { what, found, expected })
            }
        }
    }
}

impl Symbol {
    /// A symbol on the half spectrum of signals of this shape.
    pub fn new(shape: Shape, half: Vec<Complex64>) -> Self {
        Self { shape, half }
    }
}

impl From<Toeplitz> for Weights {
    fn from(toeplitz: Toeplitz) -> Self {
        Self::Toeplitz(toeplitz)
    }
}

impl From<Symbol> for Weights {
    fn from(symbol: Symbol) -> Self {
        Self::Symbol(symbol)
    }
}

/// A vector of n entries that `fill` writes.
pub(crate) fn filled(n: usize, fill: impl FnOnce(&mut [f64])) -> Vec<f64> {
    let mut out = vec![0.0; n];
    fill(&mut out);
    out
}
