//! What computations need of ranks: results of items in their order, sums in the order of the ranks, common decisions.

use crate::agree::agree;
use crate::message::{read, written};
use crate::{Communicator, CommunicatorError, Message, Queue};
use pulp::Arch;
use rayon::prelude::*;
use std::fmt::Display;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Ranks that share a computation. By default there are none: the process computes alone, on the threads of the current
/// [`rayon`] pool, and sends no message.
///
/// All functions are collective but those that say otherwise: every rank calls them in the same order, with the same numbers of
/// items. Their results have the same bits for any number of ranks and threads. An error on one rank is an error on all:
/// that rank returns its own, the others [`CommunicatorError::OnRank`].
///
/// ```
/// use hpfracc_communicator::{CommunicatorError, Ranks, run_threads};
///
/// let squares = |ranks: Ranks<'_>| ranks.map(10, |k| Ok::<_, CommunicatorError>(k * k));
/// let alone = squares(Ranks::ALONE)?;
/// let on_three = run_threads(3, |ranks| squares(ranks.into()))?;
/// assert_eq!(on_three, [alone.clone(), alone.clone(), alone]);
/// # Ok::<(), CommunicatorError>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Ranks<'a> {
    communicator: Option<&'a dyn Communicator>,
    unequal_processors: bool,
}

/// Errors of items that can be errors of other ranks, too.
pub trait RankError: Display + From<CommunicatorError> + Send {}

impl<E: Display + From<CommunicatorError> + Send> RankError for E {}

/// First item of a block, and its results, or the first item that failed with its error.
type Block<R, E> = (usize, Result<Vec<R>, (usize, E)>);

/// Blocks of items that each thread takes of a queue, about.
const BLOCKS: usize = 16;

/// Name of the vector instructions among the values that agree.
const PROCESSOR: &str = "the vector instructions";

/// Numbers of a message of [`Ranks::accumulate`].
const PART: usize = 1 << 16;

impl<'a, C: Communicator> From<&'a C> for Ranks<'a> {
    fn from(communicator: &'a C) -> Self {
        Self::from(communicator as &dyn Communicator)
    }
}

impl<'a> From<&'a dyn Communicator> for Ranks<'a> {
    fn from(communicator: &'a dyn Communicator) -> Self {
        Self { communicator: Some(communicator), unequal_processors: false }
    }
}

impl<'a> Ranks<'a> {
    /// This process alone.
    pub const ALONE: Self = Self { communicator: None, unequal_processors: false };

    /// The communicator, if there are several ranks. Not collective.
    pub fn several(self) -> Option<&'a dyn Communicator> {
        self.communicator.filter(|communicator| communicator.size() > 1)
    }

    /// Number of this rank. Not collective.
    pub fn rank(self) -> usize {
        self.communicator.map_or(0, Communicator::rank)
    }

    /// Number of ranks. Not collective.
    pub fn size(self) -> usize {
        self.communicator.map_or(1, Communicator::size)
    }

    /// Whether this is rank 0, the one that writes files. Not collective.
    pub fn is_first(self) -> bool {
        self.rank() == 0
    }

    /// These ranks, also on processors with other vector instructions: results then depend in their last bits on which rank
    /// computes what, as floating-point sums on different machines do. Not collective.
    pub fn on_unequal_processors(self) -> Self {
        Self { unequal_processors: true, ..self }
    }

    /// Refuses ranks with other values than rank 0 has: version, inputs, settings, each with its name; and ranks on processors
    /// with other vector instructions, unless [allowed](Self::on_unequal_processors).
    ///
    /// ```
    /// use hpfracc_communicator::{CommunicatorError, Ranks, run_threads};
    ///
    /// let seeds = |seed_of: fn(usize) -> usize| {
    ///     run_threads(3, |ranks| {
    ///         let ranks = Ranks::from(ranks);
    ///         ranks.agree(&[("seed", seed_of(ranks.rank()).to_string())])
    ///     })
    /// };
    /// assert!(seeds(|_| 7).is_ok());
    /// let error: CommunicatorError = seeds(|rank| 7 + rank / 2).unwrap_err();
    /// assert!(error.to_string().starts_with("rank 2 and rank 0 differ in seed: `8` and `7`"));
    /// ```
    ///
    /// # Errors
    /// [`CommunicatorError::Differs`] and [`CommunicatorError::UnequalProcessors`] with the first difference, on all ranks; the
    /// errors of the transport.
    pub fn agree(self, values: &[(&str, String)]) -> Result<(), CommunicatorError> {
        self.agree_with(format!("{:?}", Arch::new()), values)
    }

    /// The same for a processor with these vector instructions.
    fn agree_with(
        self,
        instructions: String,
        values: &[(&str, String)],
    ) -> Result<(), CommunicatorError> {
        let Some(communicator) = self.several() else { return Ok(()) };
        if self.unequal_processors {
            agree(communicator, values)?;
            let agreed = agree(communicator, &[(PROCESSOR, instructions)]);
            if let Err(CommunicatorError::Differs { rank, found, expected, .. }) = &agreed {
                tracing::warn!(rank, found, expected, "ranks have unequal processors");
                return Ok(());
            }
            return agreed;
        }
        let all = [&[(PROCESSOR, instructions)], values].concat();
        agree(communicator, &all).map_err(|error| match error {
            CommunicatorError::Differs { rank, name, found, expected } if name == PROCESSOR => {
                CommunicatorError::UnequalProcessors { rank, found, expected }
            }
            error => error,
        })
    }

    /// This rank's part of a number of items: consecutive ones, as many as others have, or one more. Not collective.
    pub fn share(self, items: usize) -> Range<usize> {
        let end = |rank: usize| (items as u128 * rank as u128 / self.size() as u128) as usize;
        end(self.rank())..end(self.rank() + 1)
    }

    /// Results of items 0, 1, ..., `items - 1` in their order, on all ranks. Each is computed once, by a thread of a rank that
    /// is free: for items of different costs.
    ///
    /// # Errors
    /// The error of the first item that fails, and the errors of the transport.
    pub fn map<R: Message, E: RankError>(
        self,
        items: usize,
        compute: impl Fn(usize) -> Result<R, E> + Sync,
    ) -> Result<Vec<R>, E> {
        let Some(communicator) = self.several() else { return in_order(0..items, &compute) };
        let queue = Queue::new(communicator);
        let threads = rayon::current_num_threads();
        let block = (items / (BLOCKS * threads * communicator.size())).max(1) as u64;
        let done = Mutex::new(vec![]);
        let store = |of_block: Block<R, E>| {
            done.lock().unwrap_or_else(PoisonError::into_inner).push(of_block);
        };
        let work = |_: usize| -> Result<(), CommunicatorError> {
            while let Some(block) = queue.take_block(items as u64, block)? {
                let block = block.start as usize..block.end as usize;
                let (first, mut results) = (block.start, Vec::with_capacity(block.len()));
                let computed = block.into_iter().try_for_each(|item| {
                    compute(item).map(|result| results.push(result)).map_err(|e| (item, e))
                });
                let failed = computed.is_err();
                store((first, computed.map(|()| results)));
                if failed {
                    queue.close()?;
                }
            }
            Ok(())
        };
        (0..threads).into_par_iter().try_for_each(work)?;
        let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut all = self.collected(done)?;
        all.sort_by_key(|(first, _)| *first);
        Ok(all.into_iter().flat_map(|(_, results)| results).collect())
    }

    /// The same with consecutive items on each rank, as many as on others: for items of equal costs, of which neighbours share
    /// data.
    ///
    /// # Errors
    /// As [`map`](Self::map).
    pub fn map_equal<R: Message, E: RankError>(
        self,
        items: usize,
        compute: impl Fn(usize) -> Result<R, E> + Sync,
    ) -> Result<Vec<R>, E> {
        if self.several().is_none() {
            return in_order(0..items, &compute);
        }
        let own = self.share(items);
        let first = own.start;
        let computed = failing(own, &compute);
        let all = self.collected(vec![(first, computed)])?;
        Ok(all.into_iter().flat_map(|(_, results)| results).collect())
    }

    /// Results of blocks of all ranks, or the error of the first item that failed.
    fn collected<R: Message, E: RankError>(
        self,
        blocks: Vec<Block<R, E>>,
    ) -> Result<Vec<(usize, Vec<R>)>, E> {
        let (mut done, mut failure) = (vec![], None::<(usize, E)>);
        for (first, block) in blocks {
            match block {
                Ok(results) => done.push((first, results)),
                Err(failed) if failure.as_ref().is_none_or(|(item, _)| failed.0 < *item) => {
                    failure = Some(failed);
                }
                Err(_) => {}
            }
        }
        let failed = failure.as_ref().map(|(item, error)| (*item, error.to_string()));
        let all = self.gather_to_all(&(done, failed))?;
        let failures = all.iter().enumerate().filter_map(|(rank, (_, failed))| {
            failed.as_ref().map(|(item, message)| (*item, rank, message))
        });
        match failures.min() {
            None => Ok(all.into_iter().flat_map(|(done, _)| done).collect()),
            Some((item, rank, message)) => match failure {
                Some((own, error)) if own == item && rank == self.rank() => Err(error),
                _ => Err(CommunicatorError::OnRank { rank, message: message.clone() }.into()),
            },
        }
    }

    /// A result that all ranks have to have: if one has an error, all have one, that of the lowest rank.
    ///
    /// # Errors
    /// The error of this rank, or [`CommunicatorError::OnRank`].
    pub fn all_ok<R, E: RankError>(self, result: Result<R, E>) -> Result<R, E> {
        if self.several().is_none() {
            return result;
        }
        let all = self.gather_to_all(&result.as_ref().err().map(ToString::to_string))?;
        let failed = all.into_iter().enumerate().find_map(|(rank, error)| Some((rank, error?)));
        match (result, failed) {
            (Err(error), _) => Err(error),
            (Ok(result), None) => Ok(result),
            (Ok(_), Some((rank, message))) => {
                Err(CommunicatorError::OnRank { rank, message }.into())
            }
        }
    }

    /// What rank 0 computes, on all ranks: contents of files, decisions by the clock.
    ///
    /// # Errors
    /// The error of rank 0, and the errors of the transport.
    pub fn from_first<R: Message, E: RankError>(
        self,
        compute: impl FnOnce() -> Result<R, E>,
    ) -> Result<R, E> {
        let Some(communicator) = self.several() else { return compute() };
        let own = self.is_first().then(compute);
        let message = own.as_ref().map(|own| own.as_ref().map_err(ToString::to_string));
        let bytes = message.as_ref().map_or(Ok(vec![]), written)?;
        let sent = communicator.broadcast(bytes)?;
        match own {
            Some(own) => own,
            None => read::<Result<R, String>>(0, &sent)?
                .map_err(|message| CommunicatorError::OnRank { rank: 0, message }.into()),
        }
    }

    /// Whether a flag is set on one rank at least.
    ///
    /// # Errors
    /// The errors of the transport.
    pub fn any(self, flag: bool) -> Result<bool, CommunicatorError> {
        match self.several() {
            None => Ok(flag),
            Some(_) => Ok(self.gather_to_all(&flag)?.contains(&true)),
        }
    }

    /// Values of all ranks in their order, on all ranks.
    ///
    /// # Errors
    /// The errors of the transport.
    pub fn gather_to_all<V: Message>(self, value: &V) -> Result<Vec<V>, CommunicatorError> {
        let bytes = written(value)?;
        let Some(communicator) = self.several() else { return Ok(vec![read(0, &bytes)?]) };
        let gathered = communicator.gather(bytes)?;
        let all = communicator.broadcast(gathered.map_or(Ok(vec![]), |all| written(&all))?)?;
        values(&read::<Vec<Vec<u8>>>(0, &all)?)
    }

    /// Values of all ranks in their order, on rank 0; `None` on the others.
    ///
    /// # Errors
    /// The errors of the transport.
    pub fn gather<V: Message>(self, value: &V) -> Result<Option<Vec<V>>, CommunicatorError> {
        let bytes = written(value)?;
        let Some(communicator) = self.several() else { return Ok(Some(vec![read(0, &bytes)?])) };
        communicator.gather(bytes)?.map(|all| values(&all)).transpose()
    }

    /// Passes numbers from rank to rank in their order, each of which changes them by `add`, such as a sum to which it adds what
    /// it has; the last ones are then on all ranks. `add` has the numbers from a place on, part by part, and is called
    /// once for each part; the first rank begins with its own numbers.
    ///
    /// A rank sends the bytes of the numbers at most twice, whatever the number of ranks, and parts follow each other from rank to
    /// rank.
    ///
    /// # Errors
    /// The errors of the transport.
    pub fn accumulate<T: Message + Copy>(
        self,
        numbers: &mut [T],
        mut add: impl FnMut(usize, &mut [T]),
    ) -> Result<(), CommunicatorError> {
        let Some(communicator) = self.several() else {
            add(0, numbers);
            return Ok(());
        };
        let (rank, last) = (communicator.rank(), communicator.size() - 1);
        let receive = |from: usize, part: &mut [T]| {
            let received: Vec<T> = read(from, &communicator.receive(from)?)?;
            let (found, expected) = (received.len(), "the numbers of a sum of this length");
            if found != part.len() {
                return Err(CommunicatorError::Message { rank: from, found, expected });
            }
            part.copy_from_slice(&received);
            Ok(())
        };
        for (number, part) in numbers.chunks_mut(PART).enumerate() {
            if rank > 0 {
                receive(rank - 1, part)?;
            }
            add(number * PART, part);
            communicator.send(if rank < last { rank + 1 } else { 0 }, written(&&*part)?)?;
        }
        if rank == last {
            return Ok(());
        }
        for part in numbers.chunks_mut(PART) {
            receive(if rank > 0 { rank - 1 } else { last }, part)?;
            if rank + 1 < last {
                communicator.send(rank + 1, written(&&*part)?)?;
            }
        }
        Ok(())
    }
}

/// Values of the messages of all ranks.
fn values<V: Message>(messages: &[Vec<u8>]) -> Result<Vec<V>, CommunicatorError> {
    messages.iter().enumerate().map(|(rank, bytes)| read(rank, bytes)).collect()
}

/// Results of items in their order, or the error of the first one that fails.
fn in_order<R: Send, E: Send>(
    items: Range<usize>,
    compute: &(impl Fn(usize) -> Result<R, E> + Sync),
) -> Result<Vec<R>, E> {
    failing(items, compute).map_err(|(_, error)| error)
}

/// The same with the number of the item.
fn failing<R: Send, E: Send>(
    items: Range<usize>,
    compute: &(impl Fn(usize) -> Result<R, E> + Sync),
) -> Result<Vec<R>, (usize, E)> {
    if items.len() == 1 {
        return compute(items.start).map(|result| vec![result]).map_err(|e| (items.start, e));
    }
    let first_failed = AtomicUsize::new(usize::MAX);
    let compute = |item: usize| {
        // Later items do not matter after one that fails, earlier ones do.
        if item > first_failed.load(Ordering::Relaxed) {
            return None;
        }
        let result = compute(item);
        if result.is_err() {
            first_failed.fetch_min(item, Ordering::Relaxed);
        }
        Some((item, result))
    };
    let results: Vec<Option<(usize, Result<R, E>)>> = items.into_par_iter().map(compute).collect();
    results.into_iter().flatten().map(|(item, result)| result.map_err(|e| (item, e))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run_threads;

    #[test]
    fn unequal_processors_are_refused_unless_allowed() {
        let agreed = |allowed: bool| {
            run_threads(3, |threads| {
                let ranks = Ranks::from(threads);
                let ranks = if allowed { ranks.on_unequal_processors() } else { ranks };
                let instructions = if ranks.rank() == 1 { "V3" } else { "V4" };
                ranks.agree_with(instructions.to_owned(), &[("seed", "7".to_owned())])
            })
        };
        assert!(agreed(true).is_ok());
        let (found, expected) = ("V3".to_owned(), "V4".to_owned());
        let refused = CommunicatorError::UnequalProcessors { rank: 1, found, expected };
        assert_eq!(agreed(false).unwrap_err(), refused);
    }
}
