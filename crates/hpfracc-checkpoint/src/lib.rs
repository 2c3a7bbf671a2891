//! Checkpoints of long computations: sealed states in folders that survive a kill.
//!
//! | item | meaning |
//! |---|---|
//! | [`seal`], [`unseal`] | a value with a serde form as a sealed file |
//! | [`Writer`], [`Reader`] | the same seal around binary contents |
//! | [`Format`] | kind and version of a file |
//! | [`Fingerprint`] | names and values of what determines the result of a computation |
//! | [`CheckpointFolder`] | numbered checkpoints, of which the newest remain |
//! | [`lock`], [`replace`], [`lay_aside`], [`sync_folder`] | single files |
//! | [`crc64`], [`crc64_append`] | the checksum |
//!
//! A sealed file has eight bytes for its kind, the version (`u32`), the number of content bytes
//! (`u64`), the contents, and the checksum of everything before it. Numbers are little-endian;
//! floating-point numbers are their bits.
#![forbid(unsafe_code)]

mod crc64;
mod error;
mod files;
mod fingerprint;
mod folder;
mod sealed;
mod state;

pub use crc64::{crc64, crc64_append};
pub use error::{CheckpointError, Damage};
pub use files::{lay_aside, lock, replace, sync_folder};
pub use fingerprint::Fingerprint;
pub use folder::{CheckpointFolder, Newest};
pub use sealed::{Format, Reader, Writer};
pub use state::{StateError, seal, unseal};

/// The example of the README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
