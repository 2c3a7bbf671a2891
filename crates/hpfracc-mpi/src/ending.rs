//! The end of MPI, which is one for all ranks: each is there for late messages until rank 0 has released all.

use hpfracc_communicator::partners;

/// Kinds of messages of the end.
pub(crate) const LEFT: i32 = 4;
const DONE: i32 = 5;
const RELEASED: i32 = 6;

/// Message with its receiver and kind.
pub(crate) type Outgoing = (usize, i32, Vec<u8>);

/// Where a rank is between its last call and the end of MPI.
#[derive(Debug)]
pub(crate) struct Ending {
    rank: usize,
    ranks: usize,
    has_left: bool,
    /// Ranks that have left, on rank 0.
    done: usize,
    released: bool,
    /// Whether the program waits for the end.
    pub(crate) finishing: bool,
}

impl Ending {
    pub(crate) fn new(rank: usize, ranks: usize) -> Self {
        Self { rank, ranks, has_left: false, done: 0, released: false, finishing: false }
    }

    /// Number of ranks.
    pub(crate) fn ranks(&self) -> usize {
        self.ranks
    }

    /// What is sent when this rank takes part no more: the reason to those that may wait for it.
    pub(crate) fn leave(&mut self, reason: &str) -> Vec<Outgoing> {
        if std::mem::replace(&mut self.has_left, true) {
            return vec![];
        }
        let tell = |to| (to, LEFT, reason.as_bytes().to_vec());
        let told = partners(self.rank, self.ranks).into_iter().map(tell);
        told.chain(self.done(0)).collect()
    }

    /// Takes a message of this kind; returns what is sent then.
    pub(crate) fn take(&mut self, kind: i32) -> Vec<Outgoing> {
        match kind {
            DONE => self.done(1),
            RELEASED => {
                self.released = true;
                vec![]
            }
            _ => vec![],
        }
    }

    /// Counts others that are done; returns what is sent if this rank is, too.
    fn done(&mut self, others: usize) -> Vec<Outgoing> {
        self.done += others;
        if self.rank > 0 {
            return vec![(0, DONE, vec![])];
        }
        self.released = self.has_left && self.done + 1 == self.ranks;
        let all = if self.released { 1..self.ranks } else { 0..0 };
        all.map(|to| (to, RELEASED, vec![])).collect()
    }

    /// Whether MPI can end here.
    pub(crate) fn is_over(&self) -> bool {
        self.finishing && self.released
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;

    /// Whatever the order in which ranks leave, all are released after the last one, once.
    #[test]
    fn the_last_rank_releases_all() {
        for order in [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 0, 4, 1, 3]] {
            let mut ranks: Vec<Ending> = (0..5).map(|rank| Ending::new(rank, 5)).collect();
            ranks.iter_mut().for_each(|ending| ending.finishing = true);
            for (number, rank) in order.into_iter().enumerate() {
                assert!(ranks.iter().all(|ending| !ending.is_over()), "{number}");
                let mut sent = VecDeque::from(ranks[rank].leave("an error"));
                assert!(ranks[rank].leave("again").is_empty());
                while let Some((to, kind, _)) = sent.pop_front() {
                    sent.extend(ranks[to].take(kind));
                }
            }
            assert!(ranks.iter().all(Ending::is_over));
        }
        let mut alone = Ending::new(0, 1);
        alone.finishing = true;
        assert!(alone.leave("").is_empty() && alone.is_over());
    }
}
