//! Operators on fields over boxes.

mod advection;
mod along_axis;
mod axis;
mod boundary;
mod diffusion;
mod grid;
mod laplacian;
mod legendre;
mod lines;
mod tridiagonal_solver;
mod value;

pub use advection::{Advection, AdvectionDiffusion, AdvectionScheme, Limiter};
pub use axis::{Axis, Discretisation};
pub use boundary::{Boundary, Ghost};
pub use diffusion::{Diffusion, DiffusionSolver};
pub use grid::{BoxGrid, End, Face, FaceValues};
pub use laplacian::Laplacian;
