//! Fractional derivatives and integrals of sampled data, with gradients with respect to the input
//! and to the order alpha.
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
//! // A loss y[1000]: its gradients with respect to every sample and to the order alpha.
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
//! | [`Caputo`] | from the first sample | L1, L1-2, L2-1sigma, L2 midpoint, BDF 1 to 6 |
//! | [`RiemannLiouville`] | from the first sample | L1, BDF 1 to 6 |
//! | [`GrunwaldLetnikov`] | from the first sample | standard, shifted, BDF 1 to 6 |
//! | [`RlIntegral`] | from the first sample | product rectangle, trapezoid and Simpson |
//! | [`Marchaud`] | with a given [`Past`] | linear, quadratic |
//! | [`MillerRoss`] | from the first sample | Caputo or Riemann–Liouville derivatives in sequence |
//! | [`Tempered`] (Riemann-Liouville, Caputo, normalised) | from the first sample, fading | L1, Grünwald-Letnikov |
//! | [`TemperedIntegral`] | from the first sample, fading | product trapezoid |
//! | [`CaputoFabrizio`] (derivative, integral) | from the first sample | recurrence |
//! | [`AtanganaBaleanu`] (caputo, riemann, integral) | from the first sample | L1, product trapezoid |
//! | [`Prabhakar`] (integral, Caputo, Riemann-Liouville) | from the first sample | product trapezoid, L1 |
//! | [`Hadamard`] | from the first sample, in log t | product trapezoid, L1 |
//! | [`Katugampola`] | from the first sample, in t^rho | product trapezoid, L1 |
//! | [`ErdelyiKober`] | from the first sample, in t^beta with a weight | product trapezoid |
//! | [`Weyl`] | periodic | spectral |
//! | [`Riesz`], [`FractionalLaplacian`] | both sides | spectral (n-D), Ortigueira, Huang-Oberman |
//! | [`RieszFeller`] | both sides | spectral, centred |
//! | [`SpectralLaplacian`] | an interval, Dirichlet or Neumann | sines, cosines |
//! | [`IntervalLaplacian`] | an interval, zero outside | Gegenbauer polynomials |
//! | [`VariableOrder`], three types | from the first sample | L1 |
//! | [`DistributedOrder`] | from the first sample | L1, Gauss-Legendre in the order |
//!
//! On nonuniform points, a [`Mesh`](hpfracc_types::Mesh), the schemes called L1, product trapezoid
//! and product rectangle bind by [`on_mesh`](Operator::on_mesh); [`MeshMemory`] is the form of
//! their memory.
//!
//! Time series that are not available as a whole:
//!
//! | | memory | results | schemes |
//! |---|---|---|---|
//! | [`Stream`] | some tens of numbers | within a stated bound of every weight | L1, Grünwald–Letnikov, integrals up to order 1, tempered, Caputo–Fabrizio, Atangana–Baleanu |
//! | [`Chunked`] | the time series | those of one whole call | every causal convolution |
//!
//! [`SumOfExponentials`] (SOE, kernel compression) stores the memory of a kernel in a few numbers,
//! for streams and solvers. [`CATALOGUE`] lists the operators as data, and [`named`] finds an
//! operator by its names.
#![forbid(unsafe_code)]

#[macro_use(formula)]
extern crate hpfracc_special;

mod accuracy;
mod bound;
mod catalogue;
mod chunked;
mod definitions;
mod differences;
mod error;
mod memory;
mod number;
mod operator;
mod schemes;
mod stream;
mod weights;

pub use accuracy::Accuracy;
pub use bound::Bound;
pub use catalogue::{CATALOGUE, catalogue, named};
pub use chunked::{Chunked, ChunkedResults};
pub use definitions::atangana_baleanu::AtanganaBaleanu;
pub use definitions::caputo::Caputo;
pub use definitions::caputo_fabrizio::CaputoFabrizio;
pub use definitions::distributed_order::DistributedOrder;
pub use definitions::entry::{Definition, Entry, Parameter, Range};
pub use definitions::erdelyi_kober::ErdelyiKober;
pub use definitions::fractional_laplacian::FractionalLaplacian;
pub use definitions::grunwald_letnikov::GrunwaldLetnikov;
pub use definitions::hadamard::Hadamard;
pub use definitions::interval_laplacian::IntervalLaplacian;
pub use definitions::katugampola::Katugampola;
pub use definitions::marchaud::{Marchaud, Past};
pub use definitions::miller_ross::MillerRoss;
pub use definitions::normalisation::Normalisation;
pub use definitions::prabhakar::{Prabhakar, PrabhakarKernel};
pub use definitions::riemann_liouville::RiemannLiouville;
pub use definitions::riesz::Riesz;
pub use definitions::riesz_feller::RieszFeller;
pub use definitions::rl_integral::RlIntegral;
pub use definitions::spectral_laplacian::SpectralLaplacian;
pub use definitions::tempered::{Tempered, TemperedIntegral};
pub use definitions::variable_order::{OrderOf, VariableOrder};
pub use definitions::weyl::Weyl;
pub use error::OperatorError;
pub(crate) use error::Result;
pub use memory::mesh_memory::MeshMemory;
pub use memory::recurrence::{Recurrence, Request};
pub use memory::sum_of_exponentials::{PowerExponentials, SumOfExponentials};
pub use ndarray;
pub use num_complex;
pub use number::{Dual, Number};
pub use operator::{Discrete, Discretisation, Operator};
pub use stream::{Stream, StreamState};
pub use weights::{
    Boundary, CellLine, Eigenvalues, Exponentials, FirstOrder, Side, StartCorrection, Symbol,
    Toeplitz, VariableMemory, Weights,
};

/// The example of the README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
