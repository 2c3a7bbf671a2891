//! Weights: an operator on a grid or a mesh as numbers.

mod exponentials;
mod first_order;
mod spectral;
mod toeplitz;
mod variable_memory;

pub use exponentials::{CellLine, Exponentials};
pub use first_order::FirstOrder;
pub use spectral::{Boundary, Eigenvalues, Symbol};
pub(crate) use toeplitz::first_differences;
pub use toeplitz::{StartCorrection, Toeplitz};
pub use variable_memory::{Side, VariableMemory};

use crate::memory::recurrence::Recurrence;
use crate::{Dual, Number};
use ndarray::Array2;

/// The linear map of an operator on a grid or a mesh, as numbers: `f64`, or [`Dual`] with their
/// derivative with respect to the order.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Weights<N = f64> {
    /// A Toeplitz matrix with corrections in its first columns.
    Toeplitz(Toeplitz<N>),
    /// A multiplier in Fourier space.
    Symbol(Symbol<N>),
    /// A square matrix without structure, one row for each entry of the result.
    Matrix(Array2<N>),
    /// A sum of exponentials over steps of any length.
    Exponentials(Exponentials<N>),
    /// A factor for each sample.
    Diagonal(Vec<N>),
    /// One exponential by its recurrence.
    FirstOrder(FirstOrder<N>),
    /// A sum of exponentials by its states.
    Recurrence {
        /// The operator.
        of: Recurrence<N>,
        /// Number of samples, at most [`Recurrence::longest`].
        n: usize,
    },
    /// `A_1 A_2 .. A_m`, in the order of matrix products: the last one acts first.
    Product(Vec<Weights<N>>),
    /// `A_1 + A_2 + .. + A_m`.
    Sum(Vec<Weights<N>>),
    /// `A'`: the transpose of a map.
    Transposed(Box<Weights<N>>),
    /// A multiplier of the sines or cosines of an interval.
    Eigenvalues(Eigenvalues<N>),
    /// A sum of exponentials for an order that changes along the signal.
    VariableMemory(VariableMemory<N>),
}

impl<N: Number> Weights<N> {
    /// `factor` times the same map.
    pub fn scaled(self, factor: N) -> Self {
        match self {
            Self::Product(mut factors) => {
                if !factors.is_empty() {
                    let first = factors.remove(0).scaled(factor);
                    factors.insert(0, first);
                }
                Self::Product(factors)
            }
            Self::Sum(terms) => {
                Self::Sum(terms.into_iter().map(|term| term.scaled(factor)).collect())
            }
            Self::Transposed(weights) => Self::Transposed(Box::new(weights.scaled(factor))),
            other => other.map(|w| w * factor, |held| held),
        }
    }

    /// The same map in plain numbers.
    pub fn values(self) -> Weights {
        self.map(N::value, N::value)
    }

    /// The derivatives of the entries of weights that are linear in all that depend on the order.
    pub(crate) fn derivatives(self) -> Weights {
        self.map(N::derivative, N::value)
    }

    /// Maps the entries in which the weights are linear by `f`, and the others, such as rates and
    /// exponents, by `held`.
    fn map<M: Number>(self, f: impl Fn(N) -> M + Copy, held: impl Fn(N) -> M + Copy) -> Weights<M> {
        let all = |weights: Vec<Self>| weights.into_iter().map(|w| w.map(f, held)).collect();
        match self {
            Self::Toeplitz(toeplitz) => Weights::Toeplitz(toeplitz.map(f)),
            Self::Symbol(symbol) => Weights::Symbol(symbol.map(f)),
            Self::Matrix(matrix) => Weights::Matrix(matrix.mapv(f)),
            Self::Exponentials(memory) => Weights::Exponentials(memory.map(f)),
            Self::Diagonal(factors) => Weights::Diagonal(factors.into_iter().map(f).collect()),
            Self::FirstOrder(map) => Weights::FirstOrder(map.map(f, held)),
            Self::Recurrence { of, n } => Weights::Recurrence { of: of.map(f), n },
            Self::Product(factors) => Weights::Product(all(factors)),
            Self::Sum(terms) => Weights::Sum(all(terms)),
            Self::Transposed(weights) => Weights::Transposed(Box::new(weights.map(f, held))),
            Self::Eigenvalues(eigenvalues) => Weights::Eigenvalues(eigenvalues.map(f)),
            Self::VariableMemory(memory) => Weights::VariableMemory(memory.map(f, held)),
        }
    }
}

impl Weights {
    /// The same weights as numbers that do not depend on the order.
    pub fn constant<N: Number>(self) -> Weights<N> {
        self.map(N::constant, N::constant)
    }
}

impl Weights<Dual> {
    /// dA/dalpha: the derivative of the map with respect to the order, by the product rule.
    ///
    /// ```
    /// use hpfracc_operators::{Dual, Number, Toeplitz, Weights};
    ///
    /// let alpha = Dual::variable(0.5);
    /// let weights = Weights::from(Toeplitz::causal(vec![alpha, alpha * alpha]));
    /// let expected = Weights::from(Toeplitz::causal(vec![1.0, 1.0]));
    /// assert_eq!(weights.order_derivative(), expected);
    /// ```
    pub fn order_derivative(self) -> Weights {
        match self {
            Self::Product(factors) => {
                let values: Vec<Weights> = factors.iter().cloned().map(Self::values).collect();
                let term = |(i, factor): (usize, Self)| {
                    let [before, after] = [&values[..i], &values[i + 1..]].map(<[_]>::to_vec);
                    let changed = std::iter::once(factor.order_derivative());
                    Weights::Product(before.into_iter().chain(changed).chain(after).collect())
                };
                Weights::Sum(factors.into_iter().enumerate().map(term).collect())
            }
            Self::Sum(terms) => {
                Weights::Sum(terms.into_iter().map(Self::order_derivative).collect())
            }
            Self::Transposed(weights) => Weights::Transposed(Box::new(weights.order_derivative())),
            Self::FirstOrder(map) => map.order_derivative(),
            Self::VariableMemory(memory) => {
                Weights::Sum(memory.order_derivative().map(Weights::from).to_vec())
            }
            linear => linear.derivatives(),
        }
    }
}

macro_rules! from_kind {
    ($($kind:ident),*) => { $(
        impl<N> From<$kind<N>> for Weights<N> {
            fn from(kind: $kind<N>) -> Self {
                Self::$kind(kind)
            }
        }
    )* };
}

from_kind!(Toeplitz, Symbol, Exponentials, FirstOrder, Eigenvalues, VariableMemory);
