//! Ranks that work on one computation.
//!
//! | item | meaning |
//! |---|---|
//! | [`Ranks`] | what computations need: results of items in their order, sums in the order of the ranks, common decisions; ranks with different versions, inputs, settings or processors are refused |
//! | [`Communicator`] | rank, size, messages; gathering in rank order, broadcasts, barriers |
//! | [`Queue`] | work items dealt to the ranks that are free |
//! | [`Tally`] | progress of all ranks, on rank 0 |
//! | [`OneRank`] | a computation alone |
//! | [`run_threads`], [`Threads`] | ranks that are threads of this process |
//! | [`launched`], [`Launcher`] | what has started this process |
//! | [`Metered`], [`Traffic`] | numbers of messages and bytes |
//!
//! Every rank runs the same program and calls the collective functions ([`gather`](Communicator::gather),
//! [`broadcast`](Communicator::broadcast), [`barrier`](Communicator::barrier), [`Queue::new`],
//! those of [`Ranks`]) in the same order, as in MPI. Which rank does what may differ from run to run; a result does not depend on it
//! where items are computed alike everywhere and merged in their order.
#![forbid(unsafe_code)]

mod agree;
mod communicator;
mod error;
mod launcher;
mod message;
mod metered;
mod one_rank;
mod queue;
mod ranks;
mod tally;
mod threads;

pub use communicator::{Communicator, partners};
pub use error::CommunicatorError;
pub use launcher::{Launcher, launched};
pub use message::Message;
pub use metered::{Metered, Traffic};
pub use one_rank::OneRank;
pub use queue::Queue;
pub use ranks::{RankError, Ranks};
pub use tally::Tally;
pub use threads::{Threads, run_threads};

/// The example of the README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
