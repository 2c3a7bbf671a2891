use crate::CommunicatorError;
use crate::message::{read, written};
use std::fmt::Debug;

/// Rank among those that work on one computation.
///
/// Implementations have messages and counters; the collective functions are made of messages along a binary tree: a
/// rank r has the children `r + 2^k` for the powers `2^k` below its lowest set bit, so that each takes about log2(size) messages
/// in a row.
pub trait Communicator: Debug + Sync {
    /// Number of this rank, from 0.
    fn rank(&self) -> usize;

    /// Number of ranks.
    fn size(&self) -> usize;

    /// Sends a message, which arrives after earlier ones to the same rank. Does not wait for the receiver.
    ///
    /// # Errors
    /// [`CommunicatorError::NoRank`], and the errors of the transport.
    fn send(&self, to: usize, bytes: Vec<u8>) -> Result<(), CommunicatorError>;

    /// Waits for the next message of a rank.
    ///
    /// # Errors
    /// [`CommunicatorError::Ended`] if that rank has ended, [`CommunicatorError::NoRank`], and the errors of the
    /// transport.
    fn receive(&self, from: usize) -> Result<Vec<u8>, CommunicatorError>;

    /// Adds `step` to a counter that all ranks share, which is 0 at first and stops at 2^64 - 1, and returns its value before.
    /// Any thread may call it at any time.
    ///
    /// # Errors
    /// The errors of the transport.
    fn count(&self, counter: u64, step: u64) -> Result<u64, CommunicatorError>;

    /// Number of a counter that no rank has used. Collective.
    fn new_counter(&self) -> u64;

    /// Takes part no more: ranks that wait for this one in a collective function have [`CommunicatorError::Ended`] with the
    /// reason. After an error that others do not have.
    fn leave(&self, reason: &str);

    /// Ends all ranks at once, with a message on standard error.
    fn abort(&self, message: &str) -> !;

    /// Messages of all ranks in their order, on rank 0; `None` on the others. Collective.
    ///
    /// # Errors
    /// Those of [`send`](Self::send) and [`receive`](Self::receive), and [`CommunicatorError::Message`].
    fn gather(&self, bytes: Vec<u8>) -> Result<Option<Vec<Vec<u8>>>, CommunicatorError> {
        let mut all = vec![bytes];
        // A child has the ranks that follow, consecutively.
        for child in children(self.rank(), self.size()) {
            all.extend(read::<Vec<Vec<u8>>>(child, &self.receive(child)?)?);
        }
        match parent(self.rank()) {
            None => Ok(Some(all)),
            Some(parent) => self.send(parent, written(&all)?).map(|()| None),
        }
    }

    /// The message of rank 0, on all ranks; that of other ranks is ignored. Collective.
    ///
    /// # Errors
    /// Those of [`send`](Self::send) and [`receive`](Self::receive).
    fn broadcast(&self, bytes: Vec<u8>) -> Result<Vec<u8>, CommunicatorError> {
        let bytes = match parent(self.rank()) {
            Some(parent) => self.receive(parent)?,
            None => bytes,
        };
        // Those with the most descendants first.
        for child in children(self.rank(), self.size()).rev() {
            self.send(child, bytes.clone())?;
        }
        Ok(bytes)
    }

    /// Waits until all ranks are here. Collective.
    ///
    /// # Errors
    /// Those of [`gather`](Self::gather).
    fn barrier(&self) -> Result<(), CommunicatorError> {
        self.gather(vec![])?;
        self.broadcast(vec![]).map(|_| ())
    }
}

/// Ranks from which a rank receives messages, or to which it sends some, in collective functions and in
/// [`Ranks::accumulate`](crate::Ranks::accumulate).
pub fn partners(rank: usize, size: usize) -> Vec<usize> {
    let ring = [(rank + 1) % size, (rank + size - 1) % size];
    let all = parent(rank).into_iter().chain(children(rank, size)).chain(ring);
    let mut partners: Vec<usize> = all.filter(|partner| *partner != rank).collect();
    partners.sort_unstable();
    partners.dedup();
    partners
}

/// The rank without its lowest set bit.
fn parent(rank: usize) -> Option<usize> {
    (rank > 0).then(|| rank & (rank - 1))
}

/// Ranks whose parent this is, in their order.
fn children(rank: usize, size: usize) -> impl DoubleEndedIterator<Item = usize> {
    let bits = if rank == 0 { usize::BITS } else { rank.trailing_zeros() };
    let child = move |k: u32| 1usize.checked_shl(k).map_or(usize::MAX, |power| rank | power);
    let count = (0..bits).take_while(|k| child(*k) < size).count() as u32;
    (0..count).map(child)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every rank but 0 is the child of its parent, and subtrees are consecutive ranks.
    #[test]
    fn ranks_are_a_tree() {
        for size in 1..70 {
            let mut order = vec![];
            let mut open = vec![0];
            while let Some(rank) = open.pop() {
                order.push(rank);
                open.extend(children(rank, size).rev());
                assert!(children(rank, size).all(|child| parent(child) == Some(rank)));
            }
            assert_eq!(order, (0..size).collect::<Vec<_>>());
            for rank in 0..size {
                let both = |other: &usize| partners(*other, size).contains(&rank);
                assert!(partners(rank, size).iter().all(both), "{rank} of {size}");
            }
        }
    }
}
