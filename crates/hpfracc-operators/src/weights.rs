//! What a scheme makes of a definition and a grid: the numbers, in double precision.

use hpfracc_backend::Shape;
use num_complex::Complex64;

/// The linear map of an operator on a grid, as numbers.
#[derive(Debug, Clone, PartialEq)]
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
///      + sum_{k < N-n} causal[k] s[n+k]                 only if two-sided
///      + advance * f[n+1]                               0 beyond the last sample
///      + sum_c column_c[n] * (stencil_c . f)            the start corrections
/// ```
///
/// Powers of the step are part of the numbers.
#[derive(Debug, Clone, PartialEq)]
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
pub struct StartCorrection {
    /// One entry per grid point.
    pub column: Vec<f64>,
    /// Weights of the first samples. They never depend on the order.
    pub stencil: Vec<f64>,
}

/// A multiplier in Fourier space for real signals, periodic along each axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Symbol {
    /// Shape of one signal.
    pub shape: Shape,
    /// The symbol on the half spectrum, row-major; the rest is its conjugate mirror image.
    pub half: Vec<Complex64>,
}

impl Toeplitz {
    /// A plain causal convolution.
    pub(crate) fn causal(causal: Vec<f64>) -> Self {
        Self { differences: 0, causal, two_sided: false, advance: 0.0, starts: Vec::new() }
    }

    /// A causal convolution of the samples' backward differences of order `differences`.
    pub(crate) fn of_differences(differences: usize, causal: Vec<f64>) -> Self {
        Self { differences, ..Self::causal(causal) }
    }

    /// Adds a start correction.
    pub(crate) fn with_start(mut self, column: Vec<f64>, stencil: &[f64]) -> Self {
        self.starts.push(StartCorrection { column, stencil: stencil.to_vec() });
        self
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
