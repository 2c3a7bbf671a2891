//! Linear operators on fields over boxes and graphs, and functions of them.
//!
//! One idea: the cells of a box and the nodes of a graph are the same to a solver, a
//! [`SpatialOperator`], linear and with a nonnegative spectrum, that has shifted solves.
//!
//! # Operators
//!
//! N is the number of values of a field, h the distance of cells or nodes.
//!
//! | operator | on | accuracy | product | shifted solve |
//! |---|---|---|---|---|
//! | [`Laplacian`] | boxes with Dirichlet, Neumann, Robin or periodic ends | h^2, h^4, or spectral with Legendre points | O(N); O(n N) along Legendre axes of n points | fast transforms, O(N log N); O(n N) along Robin and Legendre axes of n points |
//! | [`Diffusion`] | boxes, coefficients by cell or face, reaction | h^2 | O(N) | preconditioned conjugate gradients; direct on one axis |
//! | [`AdvectionDiffusion`] | one axis | h or h^2 | O(N) | direct, O(N) |
//! | [`IntegralLaplacian1d`] | an interval, zero outside | h^(4 - alpha) for smooth u; see there for solutions | O(N log N) | about 12 iterations |
//! | [`IntegralLaplacian`] | domains in boxes, zero outside | h^2 for smooth u; see there for solutions | O(N log N) | some tens of iterations |
//! | [`SkewedLaplacian1d`] | an interval, zero outside | h or h^2 for smooth u | O(N log N) | some tens of iterations |
//! | [`GraphLaplacian`] | weighted graphs, three normalisations | exact | O(edges) | conjugate gradients; sparse factors with the feature `sparse` |
//! | [`Power`] | any self-adjoint one of these | as the operator | as its function | transforms of the operator, or conjugate gradients |
//! | [`PlusConstant`] | any of these | as the operator | as the operator | as the operator |
//!
//! [`Advection`] is not one of them: with limiters it is not linear. [`IntegralLaplacian`] compares
//! the three fractional Laplacians; the periodic and the spectral one are a [`Power`] of
//! a [`Laplacian`].
//!
//! # Functions
//!
//! | function | type | methods and their errors |
//! |---|---|---|
//! | A^s, exp(-t A), E_alpha(-t^alpha A) | [`OperatorFunction`] | see [`Way`]: rounding to a tolerance |
//! | the same by a backend, a GPU for instance | [`OperatorFunction::on`] | rounding |
//! | any multiplier of modes by a backend | [`ModesMultiplier`] | rounding |
//! | A^s as an operator | [`Power`] | the same |
//! | E_alpha(-t^alpha A) at many times, several and distributed orders | [`Contour`] | error measured; at most 13 complex solves for 2e-12 at one time and alpha <= 1 |
//! | A^-s by real shifted solves | [`PartialFractions`] | error measured; at most 24 solves for 1e-10 and a condition number of 1e6 |
//! | modes of any self-adjoint operator | [`DenseModes`] | n eps of the largest eigenvalue |
//! | random walks with long jumps | [`FractionalWalk`] | rounding |
//! | Matern fields | [`matern_field`] | those of powers |
//! | gradients in the weights of edges | [`edge_weight_gradient`] | those of the function |
//!
//! Functions need operators that are self-adjoint, see [`SpatialOperator::is_self_adjoint`]; others
//! are refused.
//!
//! Shifted equations of an operator of your own: [`IterativeSolver`], [`conjugate_gradients`],
//! [`multi_shift_conjugate_gradients`]; [`Gmres`] if it is not self-adjoint. Inner products with the
//! same bits for any number of threads: [`reductions`].
//!
//! ```
//! use hpfracc_spatial::{Axis, Boundary, BoxGrid, Laplacian, Power, SpatialOperator, Way};
//! use std::f64::consts::PI;
//!
//! // The spectral fractional Laplacian (-Lap)^(3/4) of sin(pi x) on (0, 1).
//! let grid = BoxGrid::new(vec![Axis::new(0.0, 1.0, 400, [Boundary::Dirichlet; 2])?])?;
//! let u = grid.sample(|x| (PI * x[0]).sin());
//! let laplacian = Laplacian::new(grid, &[1.0])?;
//! let mut y = vec![0.0; 400];
//! Power::new(&laplacian, 0.75, Way::Auto, 1e-12)?.apply(&u, &mut y);
//! assert!((y[200] - PI.powf(1.5)).abs() < 1e-3);
//! # Ok::<(), hpfracc_spatial::SpatialError>(())
//! ```
#![forbid(unsafe_code)]

mod boxes;
mod chunks;
mod error;
mod functions;
mod graph;
mod krylov;
mod operator;
mod pool;
mod scalar;
mod tridiagonal;
mod zero_outside;

pub use boxes::{
    Advection, AdvectionDiffusion, AdvectionScheme, Axis, Boundary, BoxGrid, Diffusion,
    DiffusionSolver, Discretisation, End, Face, FaceValues, Ghost, Laplacian, Limiter,
};
pub(crate) use error::Result;
pub use error::SpatialError;
pub use functions::{
    Contour, DenseModes, Function, LinearDatum, ModesMultiplier, OperatorFunction,
    PartialFractions, PlusConstant, Power, TimeDerivative, Way, lowest_eigenvalue_estimate,
    matern_field, remove_null_space,
};
pub use graph::{
    EdgeReport, FractionalWalk, Graph, GraphLaplacian, Normalisation, Real, edge_weight_gradient,
};
pub use krylov::{
    Convergence, Gmres, IterativeSolver, Stopping, conjugate_gradients,
    multi_shift_conjugate_gradients, reductions,
};
pub use num_complex::{self, Complex64};
pub use operator::{Modes, NullSpace, ShiftedSolver, SpatialOperator, Spectrum};
pub use scalar::Scalar;
pub use tridiagonal::{Tridiagonal, TridiagonalFactors};
pub use zero_outside::{
    IntegralLaplacian, IntegralLaplacian1d, PoissonSolution, SkewedLaplacian1d,
};

/// The example of the README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
