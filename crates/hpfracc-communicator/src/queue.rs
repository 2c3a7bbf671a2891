use crate::{Communicator, CommunicatorError};
use std::ops::Range;

/// Work items 0, 1, ... that are dealt to the ranks that are free, each once and in rising order.
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
        Ok(self.take_block(items, 1)?.map(|block| block.start))
    }

    /// The next at most `length` of `items` items; `None` after the last one and when the queue is closed. Any thread may
    /// call it.
    ///
    /// # Errors
    /// The errors of the transport.
    pub fn take_block(
        &self,
        items: u64,
        length: u64,
    ) -> Result<Option<Range<u64>>, CommunicatorError> {
        let first = self.communicator.count(self.counter, length)?;
        Ok((first < items).then(|| first..items.min(first.saturating_add(length))))
    }

    /// Ends the queue for all ranks: after an error.
    ///
    /// # Errors
    /// The errors of the transport.
    pub fn close(&self) -> Result<(), CommunicatorError> {
        self.communicator.count(self.counter, u64::MAX).map(|_| ())
    }
}
