use thiserror::Error;

/// Reason why ranks cannot work together.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CommunicatorError {
    /// Another rank has ended before the computation.
    #[error("rank {rank} has ended early: {reason}")]
    Ended {
        /// The rank.
        rank: usize,
        /// Its reason.
        reason: String,
    },
    /// An error of another rank.
    #[error("rank {rank}: {message}")]
    OnRank {
        /// The rank.
        rank: usize,
        /// Its error.
        message: String,
    },
    /// Ranks that do not compute the same thing.
    #[error(
        "rank {rank} and rank 0 differ in {name}: `{found}` and `{expected}`; start all ranks with the same program, \
         inputs and settings"
    )]
    Differs {
        /// The rank.
        rank: usize,
        /// Name of what differs.
        name: String,
        /// Its value on that rank.
        found: String,
        /// Its value on rank 0.
        expected: String,
    },
    /// Ranks on processors with other vector instructions, on which elementary functions and sums have other last bits.
    #[error(
        "rank {rank} and rank 0 have processors with other vector instructions, {found} and {expected}, and results would \
         differ in their last bits from run to run; start ranks on equal processors, or allow unequal ones"
    )]
    UnequalProcessors {
        /// The rank.
        rank: usize,
        /// Its vector instructions.
        found: String,
        /// Those of rank 0.
        expected: String,
    },
    /// A message with other contents than expected, from a rank with another program.
    #[error(
        "the message from rank {rank} is {found} bytes long, expected {expected}: start all ranks with the same program"
    )]
    Message {
        /// The sender.
        rank: usize,
        /// Length in bytes.
        found: usize,
        /// What is expected.
        expected: &'static str,
    },
    /// A rank beyond the last.
    #[error("there is no rank {rank}: there are {size} ranks, from 0 on")]
    NoRank {
        /// The rank.
        rank: usize,
        /// Number of ranks.
        size: usize,
    },
    /// A failure of the library that carries the messages.
    #[error("{0}")]
    Transport(String),
}
