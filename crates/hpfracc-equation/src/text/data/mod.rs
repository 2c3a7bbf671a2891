//! What comes from files: tables of data and networks.

mod files;
mod nets;
mod tables;

pub use files::{Files, NoFiles};
