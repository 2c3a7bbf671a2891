//! Linear operators on fields over boxes and graphs, and functions of them.
//!
//! One idea: the cells of a box and the nodes of a graph are the same to a solver, a
//! [`SpatialOperator`], linear and with a nonnegative spectrum, that has shifted solves.
#![forbid(unsafe_code)]

mod boxes;
mod error;
pub mod functions;
pub mod graph;
mod operator;
pub mod solve;
mod zero_outside;

pub use boxes::{
    Advection, AdvectionDiffusion, AdvectionScheme, Axis, Boundary, BoxGrid, Diffusion,
    DiffusionSolver, Discretisation, End, Face, FaceValues, Laplacian, Limiter, Tridiagonal,
    TridiagonalFactors,
};
pub(crate) use error::Result;
pub use error::SpatialError;
pub use num_complex::{self, Complex64};
pub use operator::{Modes, NullSpace, ShiftedSolver, SpatialOperator, Spectrum};
pub use zero_outside::{
    IntegralLaplacian, IntegralLaplacian1d, PoissonSolution, SkewedLaplacian1d,
};
