//! Fractional derivatives and integrals of sampled data, with gradients in the samples and in the
//! order.
//!
//! A *definition* with its *scheme* is a small value: [`Caputo::l1`], [`GrunwaldLetnikov::new`],
//! [`Riesz::spectral`]. Its [`weights`](Operator::weights) on a grid are plain numbers.
//! [`on`](Operator::on) binds them to a backend, and signals go through the [`Bound`] operator.
//!
//! ```
//! use hpfracc_backend::Reference; // or hpfracc_cpu::Fft, or the facade's Machine
//! use hpfracc_operators::{Caputo, Operator};
//! use hpfracc_types::{Grid, Order};
//! use ndarray::Array1;
//!
//! let grid = Grid::uniform(1001, 0.001)?;
//! let derivative = Caputo::l1(Order::new(0.5)?)?.on(grid, &Reference)?;
//!
//! let f: Array1<f64> = grid.points().map(|t| t * t).collect();
//! let y = derivative.apply(f.view())?;
//! // D^1/2 t^2 = Gamma(3)/Gamma(5/2) t^3/2
//! assert!((y[1000] - 1.5045055561273502).abs() < 2e-5);
//!
//! // A loss y[1000]: its gradients in every sample and in the order.
//! let mut ybar = Array1::zeros(1001);
//! ybar[1000] = 1.0;
//! let fbar = derivative.vjp(ybar.view())?;
//! let alphabar = derivative.vjp_order(f.view(), ybar.view())?;
//! assert!(fbar[1000] > 0.0 && alphabar > 0.0);
//! # Ok::<(), hpfracc_operators::OperatorError>(())
//! ```
//!
//! | operator | memory | schemes |
//! |---|---|---|
//! | [`Caputo`] | from the first sample | L1, L2 midpoint, BDF 1 to 6 |
//! | [`RiemannLiouville`] | from the first sample | L1, BDF 1 to 6 |
//! | [`GrunwaldLetnikov`] | from the first sample | standard, shifted, BDF 1 to 6 |
//! | [`RlIntegral`] | from the first sample | product rectangle, product trapezoid |
//! | [`Tempered`] (Riemann-Liouville, Caputo, normalised) | from the first sample, fading | L1, Grünwald-Letnikov |
//! | [`TemperedIntegral`] | from the first sample, fading | product trapezoid |
//! | [`CaputoFabrizio`] (derivative, integral) | from the first sample | recurrence |
//! | [`AtanganaBaleanu`] (caputo, riemann, integral) | from the first sample | L1, product trapezoid |
//! | [`Prabhakar`] (integral, Caputo, Riemann-Liouville) | from the first sample | product trapezoid, L1 |
//! | [`Weyl`] | periodic | spectral |
//! | [`Riesz`], [`FractionalLaplacian`] | both sides | spectral (n-D), Ortigueira |
//!
//! A record need not be there as a whole:
//!
//! | | memory | results | schemes |
//! |---|---|---|---|
//! | [`Stream`] | some tens of numbers | within a stated bound of every weight | L1, Grünwald–Letnikov, integrals up to order 1 |
//! | [`Chunked`] | the record | those of one whole call | every causal convolution |
//!
//! [`SumOfExponentials`] is the memory of a kernel in a few numbers, for streams and solvers.
//! [`CATALOGUE`] has the same as data, and [`named`] finds an operator by its names.
#![forbid(unsafe_code)]

mod atangana_baleanu;
mod bdf_starts;
mod bound;
mod bound_weights;
mod caputo;
mod caputo_fabrizio;
mod catalogue;
mod cell_integrals;
mod chunked;
mod differences;
mod error;
mod exponential_moments;
mod fractional_laplacian;
mod frequencies;
mod grunwald_letnikov;
mod lanes;
mod lubich;
mod normalisation;
mod operator;
mod ortigueira;
mod prabhakar;
mod recurrence;
mod riemann_liouville;
mod riesz;
mod rl_integral;
mod scratch;
mod stream;
mod sum_of_exponentials;
mod tempered;
mod weights;
mod weyl;

pub use atangana_baleanu::AtanganaBaleanu;
pub use bound::Bound;
pub use caputo::Caputo;
pub use caputo_fabrizio::CaputoFabrizio;
pub use catalogue::{CATALOGUE, Definition, Entry, Parameter, Range, catalogue, named};
pub use chunked::{Chunked, ChunkedResults};
pub use error::OperatorError;
pub use fractional_laplacian::FractionalLaplacian;
pub use grunwald_letnikov::GrunwaldLetnikov;
pub use ndarray;
pub use normalisation::Normalisation;
pub use operator::Operator;
pub use prabhakar::{Prabhakar, PrabhakarKernel};
pub use recurrence::Recurrence;
pub use riemann_liouville::RiemannLiouville;
pub use riesz::Riesz;
pub use rl_integral::RlIntegral;
pub use stream::{Stream, StreamState};
pub use sum_of_exponentials::SumOfExponentials;
pub use tempered::{Tempered, TemperedIntegral};
pub use weights::{FirstOrder, StartCorrection, Symbol, Toeplitz, Weights};
pub use weyl::Weyl;

/// The example of the README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
