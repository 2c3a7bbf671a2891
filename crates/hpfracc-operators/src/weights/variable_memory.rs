use crate::{Dual, Number};

/// A convolution of backward differences with a sum of exponentials whose weights are powers of an
/// exponent that changes from row to row, or from column to column:
///
/// ```text
/// y_n = sum_i local_i,n d^i_n
///     + sum_{m < n} prefactor_r sum_j rate_j^exponent_r exp(-rate_j (n-1-m)) sum_i factor_i,j d^i_m
/// ```
///
/// with r = n if the orders belong to rows, r = m if they belong to columns. d^1 are the first
/// differences `f_n - f_{n-1}`, with `d^1_0 = 0`; for a cubic interpolant i = 1, 2, 3, where second
/// and third differences at the first samples are those of the cubic through the first four. The
/// n K powers are not stored: they are computed while signals go through.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct VariableMemory<N = f64> {
    /// Whether the exponents belong to the times of the result or of the samples.
    pub side: Side,
    /// One list for each order of difference, 1 or 3: its weight at the time itself.
    pub local: Vec<Vec<N>>,
    /// Prefactor by row or column.
    pub prefactors: Vec<N>,
    /// Exponent by row or column.
    pub exponents: Vec<N>,
    /// ln rate_j, in units of 1/step.
    pub ln_rates: Vec<f64>,
    /// One list for each order of difference: a factor for each rate.
    pub factors: Vec<Vec<f64>>,
}

/// Rows or columns of a matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// Entries of the result.
    Rows,
    /// Samples.
    Columns,
}

impl<N: Number> VariableMemory<N> {
    /// Maps the entries in which the map is linear by `f`, the exponents by `held`.
    pub(super) fn map<M>(
        self,
        f: impl Fn(N) -> M + Copy,
        held: impl Fn(N) -> M,
    ) -> VariableMemory<M> {
        let Self { side, local, prefactors, exponents, ln_rates, factors } = self;
        VariableMemory {
            side,
            local: local.into_iter().map(|local| local.into_iter().map(f).collect()).collect(),
            prefactors: prefactors.into_iter().map(f).collect(),
            exponents: exponents.into_iter().map(held).collect(),
            ln_rates,
            factors,
        }
    }
}

impl VariableMemory<Dual> {
    /// The derivative with respect to the order as the sum of two memories of the same differences:
    /// of the prefactors, and of the powers, whose derivative is a factor ln rate_j.
    pub(crate) fn order_derivative(self) -> [VariableMemory; 2] {
        let changes = self.prefactors.iter().zip(&self.exponents);
        let prefactors = changes.map(|(prefactor, exponent)| prefactor.value * exponent.derivative);
        let with_logarithm = |factors: &Vec<f64>| -> Vec<f64> {
            factors.iter().zip(&self.ln_rates).map(|(factor, ln_p)| factor * ln_p).collect()
        };
        let of_powers = VariableMemory {
            side: self.side,
            local: vec![vec![0.0; self.prefactors.len()]; self.local.len()],
            prefactors: prefactors.collect(),
            exponents: self.exponents.iter().map(|exponent| exponent.value).collect(),
            ln_rates: self.ln_rates.clone(),
            factors: self.factors.iter().map(with_logarithm).collect(),
        };
        [self.map(|x| x.derivative, |exponent| exponent.value), of_powers]
    }
}
