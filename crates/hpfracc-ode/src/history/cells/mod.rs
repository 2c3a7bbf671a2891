//! Histories on a mesh: the fractional integral of a function that is linear in each cell.

mod cell_kernel;
mod cell_moments;
mod choice;
mod direct;
mod growing;
mod kernel_exponentials;
mod memory;
mod pieces;
mod sum_of_exponentials;

pub(crate) use cell_kernel::CellKernel;
pub(crate) use choice::{MeshExtent, cell_memory};
pub(super) use direct::add_cells;
pub(crate) use growing::EXPONENTIALS_FROM;
pub(crate) use memory::{CellMemory, OrderGroup, moments_by_order};
pub(crate) use pieces::Pieces;
pub(crate) use sum_of_exponentials::SumOfExponentialsMemory;
