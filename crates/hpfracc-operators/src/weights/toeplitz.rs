use crate::error::fits;
use crate::{Number, Result};

/// A Toeplitz matrix with corrections in its first columns:
///
/// ```text
/// s[n] = (backward difference of order q of f)[n] for n >= q, and 0 for n < q
/// y[n] = sum_{k <= n} causal[k] s[n-k]                  the causal convolution
///      + sum_{k < N-n} causal[k] f[n+k]                 only if two-sided, then q = 0
///      + advance * s[n+1]                               with f = 0 after the last sample
///      + sum_c column_c[n] * (stencil_c . f)            the start corrections
/// ```
///
/// The weights include the powers of the step.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Toeplitz<N = f64> {
    /// q: order of the backward difference that is convolved.
    /// Differences of neighbours lose less to rounding than differences of sums.
    pub differences: usize,
    /// Weight by lag, as long as the grid.
    pub causal: Vec<N>,
    /// Whether the mirror image of `causal` is added: the symmetric, two-sided operators.
    pub two_sided: bool,
    /// Weight of the next difference, for shifted formulas: the lag -1.
    pub advance: N,
    /// Start corrections, also called starting weights: they make a scheme accurate at the first
    /// points.
    pub starts: Vec<StartCorrection<N>>,
}

/// A matrix of rank one: a column over the grid times a stencil over the first samples.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct StartCorrection<N = f64> {
    /// One entry per grid point.
    pub column: Vec<N>,
    /// Weights of the first samples. They never depend on the order.
    pub stencil: Vec<f64>,
}

impl<N: Number> Toeplitz<N> {
    /// A plain causal convolution.
    pub fn causal(causal: Vec<N>) -> Self {
        let (two_sided, advance) = (false, N::constant(0.0));
        Self { differences: 0, causal, two_sided, advance, starts: Vec::new() }
    }

    /// A causal convolution of the backward differences of order `differences`.
    pub fn of_differences(differences: usize, causal: Vec<N>) -> Self {
        Self { differences, ..Self::causal(causal) }
    }

    /// A convolution to both sides. The weight at lag 0 counts twice.
    pub fn two_sided(causal: Vec<N>) -> Self {
        Self { two_sided: true, ..Self::causal(causal) }
    }

    /// The same with values for the first q differences, which the form with differences leaves
    /// out: those of [`first_differences`] for f = 0 before the first sample.
    ///
    /// Convolving f itself with the q times differenced weights is the same in exact arithmetic. In
    /// floating point its rounding error is relative to f and not to the differences of f.
    pub(crate) fn with_first_differences(self, stencils: Vec<Vec<f64>>) -> Self {
        stencils.into_iter().enumerate().fold(self, |toeplitz, (i, stencil)| {
            if stencil.iter().all(|c| *c == 0.0) {
                return toeplitz;
            }
            let mut column = vec![N::constant(0.0); i];
            if let Some(entry) = column.last_mut() {
                *entry = toeplitz.advance;
            }
            column.extend_from_slice(&toeplitz.causal[..toeplitz.causal.len() - i]);
            toeplitz.with_start(column, stencil)
        })
    }

    /// The same with a weight for the next difference. Call it before the first differences are
    /// set.
    pub fn with_advance(self, advance: N) -> Self {
        Self { advance, ..self }
    }

    /// The same with one more start correction. Columns of the same stencil are added up.
    pub fn with_start(mut self, column: Vec<N>, stencil: Vec<f64>) -> Self {
        match self.starts.iter_mut().find(|start| start.stencil == stencil) {
            Some(start) if start.column.len() == column.len() => {
                let entries = start.column.iter_mut().zip(&column);
                entries.for_each(|(sum, entry)| *sum = *sum + *entry);
            }
            _ => self.starts.push(StartCorrection { column, stencil }),
        }
        self
    }

    /// The sum with `factor` times another convolution of the same differences.
    pub(crate) fn plus(mut self, other: Self, factor: f64) -> Self {
        let add = |sum: &mut N, term: N| *sum = *sum + term * factor;
        self.causal.iter_mut().zip(other.causal).for_each(|(sum, term)| add(sum, term));
        add(&mut self.advance, other.advance);
        other.starts.into_iter().fold(self, |sum, StartCorrection { column, stencil }| {
            sum.with_start(column.into_iter().map(|entry| entry * factor).collect(), stencil)
        })
    }

    pub(super) fn map<M>(self, f: impl Fn(N) -> M + Copy) -> Toeplitz<M> {
        let Self { differences, causal, two_sided, advance, starts } = self;
        Toeplitz {
            differences,
            causal: causal.into_iter().map(f).collect(),
            two_sided,
            advance: f(advance),
            starts: starts.into_iter().map(|start| start.map(f)).collect(),
        }
    }
}

impl<N> StartCorrection<N> {
    pub(super) fn map<M>(self, f: impl Fn(N) -> M) -> StartCorrection<M> {
        let Self { column, stencil } = self;
        StartCorrection { column: column.into_iter().map(f).collect(), stencil }
    }

    /// Checks the lengths for a grid of n points.
    pub(super) fn check(&self, n: usize) -> Result<()> {
        fits("the length of a start column", self.column.len(), n)?;
        fits("the length of a start stencil", self.stencil.len(), self.stencil.len().min(n))
    }
}

impl Toeplitz {
    /// Checks that the parts fit each other.
    pub(crate) fn check(&self) -> Result<()> {
        let n = self.causal.len();
        let most = if self.two_sided { 0 } else { n };
        fits("the number of differences", self.differences, self.differences.min(most))?;
        self.starts.iter().try_for_each(|start| start.check(n))
    }
}

/// The first q backward differences of order q, with f = 0 before the first sample, as stencils.
pub(crate) fn first_differences(q: usize) -> Vec<Vec<f64>> {
    // (1-x)^q
    let mut binomials = vec![1.0];
    for j in 0..q {
        binomials.push(-binomials[j] * (q - j) as f64 / (j + 1) as f64);
    }
    (0..q).map(|i| binomials[..=i].iter().rev().copied().collect()).collect()
}
