//! Operators on fields over boxes.

mod along_axis;
mod axis;
mod boundary;
mod grid;
mod laplacian;
mod lines;
mod pool;
mod value;

pub use axis::{Axis, Discretisation};
pub use boundary::Boundary;
pub use grid::{BoxGrid, End, Face, FaceValues};
pub use laplacian::Laplacian;
