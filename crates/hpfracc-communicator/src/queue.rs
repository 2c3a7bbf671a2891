use crate::{Communicator, CommunicatorError};

/// Work items 0, 1, ... that are dealt to the ranks that are free, each once.
#[derive(Debug)]
pub struct Queue<'a, C: ?Sized> {
    communicator: &'a C,
    counter: u64,
}

impl<'a, C: Communicator + ?Sized> Queue<'a, C> {
    /// Queue of new items. Collective.
    pub fn new(communicator: &'a C) -> Self {
        Self { communicator, counter: communicator.new_counter() }
    }

    /// The next of `items` items; `None` after the last one and when the queue is closed. Any thread may call it.
    ///
    /// # Errors
    /// The errors of the transport.
    pub fn take(&self, items: u64) -> Result<Option<u64>, CommunicatorError> {
        let next = self.communicator.count(self.counter, 1)?;
        Ok((next < items).then_some(next))
    }

    /// Ends the queue for all ranks: after an error.
    ///
    /// # Errors
    /// The errors of the transport.
    pub fn close(&self) -> Result<(), CommunicatorError> {
        self.communicator.count(self.counter, u64::MAX).map(|_| ())
    }
}
