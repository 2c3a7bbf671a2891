//! Operators on fields over boxes.

mod advection;
mod boundary_values;
#[path = "../conformance/mod.rs"]
mod conformance;
mod convergence;
mod diffusion;
mod grid;
mod laplacian;
mod legendre;

use hpfracc_spatial::{Axis, Boundary, BoxGrid, Discretisation};

use Boundary::{Dirichlet, Neumann, Periodic, Robin};

/// Pairs of boundary conditions of all kinds.
const BOUNDARIES: [[Boundary; 2]; 9] = [
    [Periodic, Periodic],
    [Dirichlet, Dirichlet],
    [Neumann, Neumann],
    [Neumann, Dirichlet],
    [Dirichlet, Neumann],
    [Robin(1.3), Dirichlet],
    [Robin(0.4), Robin(50.0)],
    [Neumann, Robin(2.0)],
    [Robin(0.0), Neumann],
];

fn axis(n: usize, boundaries: [Boundary; 2], discretisation: Discretisation) -> Axis {
    Axis::new(-0.3, 1.1, n, boundaries).unwrap().with(discretisation).unwrap()
}

fn cells(n: usize, boundaries: [Boundary; 2]) -> Axis {
    axis(n, boundaries, Discretisation::Second)
}

fn grid(axes: Vec<Axis>) -> BoxGrid {
    BoxGrid::new(axes).unwrap()
}
