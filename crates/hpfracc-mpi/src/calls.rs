use crate::MpiError;

/// MPI as far as ranks need it. One thread calls all functions.
pub(crate) trait Calls {
    /// Rank and number of ranks.
    fn rank_and_size(&self) -> Result<(usize, usize), MpiError>;

    /// Name of this rank's computer.
    fn host(&self) -> String;

    /// The next message that has arrived, with its sender and tag.
    fn poll(&self) -> Result<Option<(usize, i32, Vec<u8>)>, MpiError>;

    /// Starts to send a message.
    fn send(&mut self, to: usize, tag: i32, bytes: Vec<u8>) -> Result<(), MpiError>;

    /// Whether all messages are sent.
    fn is_sent(&mut self) -> Result<bool, MpiError>;

    /// Ends all ranks.
    fn abort(&self) -> !;

    /// Ends MPI.
    fn finish(self: Box<Self>) -> Result<(), MpiError>;
}
