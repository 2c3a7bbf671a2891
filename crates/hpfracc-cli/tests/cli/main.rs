//! The real command on good and on bad inputs.

mod bad_input;
mod command;
mod devices;
mod diff;
mod explain;
mod fit;
mod formats;
mod graph;
mod long_memory;
mod memory;
mod messages;
mod mittag_leffler;
mod networks;
mod operators;
mod pde;
mod pde_texts;
mod pictures;
#[cfg(feature = "mpi")]
mod ranks;
mod simulate;
mod solve;
mod stream;
mod train;
#[cfg(feature = "gpu")]
mod train_on_gpu;
mod transform;
mod uneven;
