use crate::{Communicator, CommunicatorError};
use std::sync::atomic::{AtomicU64, Ordering};

/// Communicator that counts what its rank sends.
#[derive(Debug)]
pub struct Metered<'a, C> {
    inner: &'a C,
    messages: AtomicU64,
    bytes: AtomicU64,
    counts: AtomicU64,
}

/// What a rank has sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Traffic {
    /// Number of messages.
    pub messages: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Number of questions for a counter, with an answer of eight bytes each.
    pub counts: u64,
}

impl<'a, C: Communicator> Metered<'a, C> {
    /// Counts from here on.
    pub fn new(inner: &'a C) -> Self {
        let zero = || AtomicU64::new(0);
        Self { inner, messages: zero(), bytes: zero(), counts: zero() }
    }

    /// What the rank has sent.
    pub fn traffic(&self) -> Traffic {
        let [messages, bytes, counts] = [&self.messages, &self.bytes, &self.counts]
            .map(|counter| counter.load(Ordering::Relaxed));
        Traffic { messages, bytes, counts }
    }
}

impl<C: Communicator> Communicator for Metered<'_, C> {
    fn rank(&self) -> usize {
        self.inner.rank()
    }

    fn size(&self) -> usize {
        self.inner.size()
    }

    fn send(&self, to: usize, bytes: Vec<u8>) -> Result<(), CommunicatorError> {
        self.messages.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        self.inner.send(to, bytes)
    }

    fn receive(&self, from: usize) -> Result<Vec<u8>, CommunicatorError> {
        self.inner.receive(from)
    }

    fn count(&self, counter: u64, step: u64) -> Result<u64, CommunicatorError> {
        self.counts.fetch_add(1, Ordering::Relaxed);
        self.inner.count(counter, step)
    }

    fn new_counter(&self) -> u64 {
        self.inner.new_counter()
    }

    fn leave(&self, reason: &str) {
        self.inner.leave(reason);
    }

    fn abort(&self, message: &str) -> ! {
        self.inner.abort(message)
    }
}
