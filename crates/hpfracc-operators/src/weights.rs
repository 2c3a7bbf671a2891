//! What a scheme makes of a definition and a grid: the numbers, in double precision.

use crate::{OperatorError, Recurrence};
use hpfracc_backend::Shape;
use ndarray::Array2;
use num_complex::Complex64;

/// The linear map of an operator on a grid, as numbers.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Weights {
    /// A Toeplitz matrix with corrections in its first columns.
    Toeplitz(Toeplitz),
    /// A multiplier in Fourier space.
    Symbol(Symbol),
    /// A square matrix, row by output: what has no structure.
    Matrix(Array2<f64>),
    /// A factor for each sample.
    Diagonal(Vec<f64>),
    /// A sum of exponentials by its states.
    Recurrence {
        /// The operator.
        of: Recurrence,
        /// Samples of the record, at most [`Recurrence::longest`].
        n: usize,
    },
    /// One exponential by its recurrence.
    FirstOrder(FirstOrder),
    /// `A_1 A_2 .. A_m`, as matrices are written: the last one acts first.
    Product(Vec<Weights>),
    /// `A_1 + A_2 + .. + A_m`.
    Sum(Vec<Weights>),
}

/// A Toeplitz matrix with corrections in its first columns:
///
/// ```text
/// s[n] = (backward difference of order q of f)[n] for n >= q, and 0 for n < q
/// y[n] = sum_{k <= n} causal[k] s[n-k]                  the memory
///      + sum_{k < N-n} causal[k] f[n+k]                 only if two-sided, then q = 0
///      + advance * s[n+1]                               with f = 0 beyond the last sample
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
    /// Weight of the next difference, for shifted formulas: the lag -1.
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

/// A recurrence of first order, one pass over the samples:
///
/// ```text
/// y[n] = direct f[n] + z[n]
/// z[n] = (1 - rate) z[n-1] + slope (f[n] - f[n-1]) + level f[n-1],    z[0] = start f[0]
/// ```
///
/// The rate is given because the decay, rounded, is not enough: for `p >= 0`, `exp(-p)` has the rate
/// `-expm1(-p)`. Rates of 0 to 1 are meant; with 1 nothing is remembered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FirstOrder {
    /// Samples.
    pub n: usize,
    /// Weight of the sample itself.
    pub direct: f64,
    /// What is lost of z in a step.
    pub rate: f64,
    /// Weight of the difference.
    pub slope: f64,
    /// Weight of the sample before.
    pub level: f64,
    /// Weight of the first sample in z.
    pub start: f64,
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

    /// The same with values for the first differences, which the form of differences leaves out: those
    /// of [`first_differences`] for f = 0 before the record.
    ///
    /// Convolving f itself with the q times differenced weights is the same on paper. In floating point
    /// its rounding is relative to f and not to the differences of f.
    pub(crate) fn with_first_differences(self, stencils: Vec<Vec<f64>>) -> Self {
        stencils.into_iter().enumerate().fold(self, |toeplitz, (i, stencil)| {
            if stencil.iter().all(|c| *c == 0.0) {
                return toeplitz;
            }
            let mut column = vec![0.0; toeplitz.causal.len()];
            let lags = column.len() - i;
            column[i..].copy_from_slice(&toeplitz.causal[..lags]);
            if i > 0 {
                column[i - 1] = toeplitz.advance;
            }
            toeplitz.with_start(column, stencil)
        })
    }

    /// A convolution to both sides. The weight at lag 0 counts twice.
    pub fn two_sided(causal: Vec<f64>) -> Self {
        Self { two_sided: true, ..Self::causal(causal) }
    }

    /// The same with a weight for the next difference. To be given before the first differences.
    pub fn with_advance(self, advance: f64) -> Self {
        Self { advance, ..self }
    }

    /// The same with one more start correction. Columns of the same stencil are added up.
    pub fn with_start(mut self, column: Vec<f64>, stencil: Vec<f64>) -> Self {
        match self.starts.iter_mut().find(|start| start.stencil == stencil) {
            Some(start) if start.column.len() == column.len() => {
                start.column.iter_mut().zip(&column).for_each(|(sum, entry)| *sum += entry);
            }
            _ => self.starts.push(StartCorrection { column, stencil }),
        }
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

impl Weights {
    /// `factor` times the same map.
    pub fn scaled(self, factor: f64) -> Self {
        match self {
            Self::Toeplitz(mut toeplitz) => {
                let columns = toeplitz.starts.iter_mut().flat_map(|start| &mut start.column);
                columns.chain(&mut toeplitz.causal).for_each(|w| *w *= factor);
                toeplitz.advance *= factor;
                toeplitz.into()
            }
            Self::Symbol(mut symbol) => {
                symbol.half.iter_mut().for_each(|m| *m *= factor);
                symbol.into()
            }
            Self::Matrix(matrix) => Self::Matrix(matrix * factor),
            Self::Diagonal(factors) => {
                Self::Diagonal(factors.into_iter().map(|w| w * factor).collect())
            }
            Self::Recurrence { of, n } => Self::Recurrence { of: of.scaled(factor), n },
            Self::FirstOrder(map) => FirstOrder {
                direct: factor * map.direct,
                slope: factor * map.slope,
                level: factor * map.level,
                start: factor * map.start,
                ..map
            }
            .into(),
            Self::Product(factors) => {
                let mut factors = factors.into_iter();
                let first = factors.next().map(|first| first.scaled(factor));
                Self::Product(first.into_iter().chain(factors).collect())
            }
            Self::Sum(terms) => {
                Self::Sum(terms.into_iter().map(|term| term.scaled(factor)).collect())
            }
        }
    }
}

impl From<Toeplitz> for Weights {
    fn from(toeplitz: Toeplitz) -> Self {
        Self::Toeplitz(toeplitz)
    }
}

impl From<FirstOrder> for Weights {
    fn from(map: FirstOrder) -> Self {
        Self::FirstOrder(map)
    }
}

impl From<Symbol> for Weights {
    fn from(symbol: Symbol) -> Self {
        Self::Symbol(symbol)
    }
}

/// The first q backward differences of order q, with f = 0 before the record, as stencils.
pub(crate) fn first_differences(q: usize) -> Vec<Vec<f64>> {
    // (1-x)^q
    let mut binomials = vec![1.0];
    for j in 0..q {
        binomials.push(-binomials[j] * (q - j) as f64 / (j + 1) as f64);
    }
    (0..q).map(|i| binomials[..=i].iter().rev().copied().collect()).collect()
}

/// A vector of n entries that `fill` writes.
pub(crate) fn filled(n: usize, fill: impl FnOnce(&mut [f64])) -> Vec<f64> {
    let mut out = vec![0.0; n];
    fill(&mut out);
    out
}
