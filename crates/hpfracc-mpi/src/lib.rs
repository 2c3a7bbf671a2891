//! Ranks of MPI as a [`Communicator`](hpfracc_communicator::Communicator).
//!
//! [`Mpi::start`] loads the MPI library of the system and joins the ranks that a launcher such as `mpirun` or `srun` has
//! started. The binary interfaces of Open MPI and of MPICH are both known, so that nothing of MPI is needed to build a
//! program.

mod calls;
mod ending;
mod error;
#[cfg(unix)]
mod library;
#[cfg(unix)]
mod library_names;
mod mpi;
mod progress;

pub use error::MpiError;
pub use mpi::Mpi;

/// The example of the README is compiled with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
