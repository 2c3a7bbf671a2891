//! Ensembles over ranks: each solves blocks of shards as it is free, and rank 0 merges them in order.

use super::Collect;
use super::run::{Call, Run, lock};
use super::shards::{Merged, Part};
use crate::SdeError;
use crate::noise::Gaussian;
use hpfracc_communicator::{Communicator, CommunicatorError, Queue};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::Ordering;

/// Blocks of shards for each rank, at least: the last ones, for which other ranks wait, are a small share.
const BLOCKS: usize = 8;

impl<T: Gaussian, K: Collect<T>> Run<'_, T, K> {
    /// Solves the remaining shards, or as many as fit the time, and exchanges what is finished. Collective.
    pub(super) fn go_over(&self, ranks: &dyn Communicator, call: &Call) -> Result<(), SdeError> {
        self.agree()?;
        let open = self.open_shards(ranks)?;
        let queue = Queue::new(ranks);
        let block = self.block(open.len(), ranks.size());
        // The block of this rank, which its threads share.
        let rest = Mutex::new(0..0);
        let next = || -> Result<Option<usize>, SdeError> {
            let mut rest = lock(&rest);
            if Range::is_empty(&rest)
                && let Some(block) = queue.take_block(open.len() as u64, block as u64)?
            {
                *rest = block.start as usize..block.end as usize;
            }
            Ok(rest.next().map(|next| open[next]))
        };
        let solve = |_: usize| -> Result<(), SdeError> {
            while !call.is_over()
                && let Some(shard) = next()?
            {
                let solved = self.solve_shard(shard, call);
                if solved.is_err() {
                    call.failed.store(true, Ordering::Relaxed);
                    queue.close()?;
                }
                solved?;
            }
            Ok(())
        };
        let solved = (0..rayon::current_num_threads()).into_par_iter().try_for_each(solve);
        self.exchange(ranks, &open, solved)
    }

    /// Number of shards that a rank takes at once: those of a group, which it merges before they are sent, or fewer where that
    /// leaves ranks without work.
    fn block(&self, shards: usize, ranks: usize) -> usize {
        let mut block = 1 << self.partition().depth;
        while block > 1 && shards < BLOCKS * ranks * block {
            block /= 2;
        }
        block
    }

    /// Shards that rank 0 does not have: after an error, others may have finished some of them. Collective.
    fn open_shards(&self, ranks: &dyn Communicator) -> Result<Vec<usize>, SdeError> {
        let joined = lock(&self.joined).shards;
        let open = runs((joined..self.shards.len()).filter(|k| !self.is_finished(*k)));
        let open = words_of(0, &ranks.broadcast(bytes_of(&open))?)?;
        let found = 8 * open.len();
        let damaged = CommunicatorError::Message { rank: 0, found, expected: "the open shards" };
        Ok(self.shards_of(&open).ok_or(damaged)?)
    }

    /// Shards of runs.
    fn shards_of(&self, runs: &[u64]) -> Option<Vec<usize>> {
        let (runs, rest) = runs.as_chunks::<2>();
        let all = self.shards.len() as u64;
        let inside = |[first, count]: &[u64; 2]| *count <= all && *first <= all - count;
        (rest.is_empty() && runs.iter().all(inside)).then(|| {
            let of_run = |[first, count]: &[u64; 2]| *first as usize..(first + count) as usize;
            runs.iter().flat_map(of_run).collect()
        })
    }

    /// Whether all tiles of a shard are solved.
    fn is_finished(&self, shard: usize) -> bool {
        lock(&self.shards[shard].state).tiles >= self.partition().tiles_of(shard)
    }

    /// Refuses ranks that solve something else, before the first shard.
    fn agree(&self) -> Result<(), SdeError> {
        if self.agreed.load(Ordering::Relaxed) {
            return Ok(());
        }
        let layout = &self.layout;
        let values = [
            ("the scheme", self.scheme.to_owned()),
            ("the number of paths", layout.paths.to_string()),
            ("the first path", layout.first_path.to_string()),
            ("the number of steps", self.tiles.steps.to_string()),
            ("the paths of a tile", self.lanes.to_string()),
            ("the fingerprint of problem, noise and collector", self.fingerprint().to_string()),
        ];
        self.watch.ranks.agree(&values)?;
        self.agreed.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Gathers the shards that this rank has finished on rank 0, which merges them in order, and tells all ranks which are
    /// finished; after the last one also what is collected.
    fn exchange(
        &self,
        ranks: &dyn Communicator,
        open: &[usize],
        solved: Result<(), SdeError>,
    ) -> Result<(), SdeError> {
        let gathered = ranks.gather(bytes_of(&self.message(open, solved)))?;
        let answer = match gathered {
            Some(all) => self.take(&all),
            None => Ok(vec![]),
        };
        // Rank 0 sends its own error, too.
        let answer = answer.unwrap_or_else(|error| failure(&error));
        let answer = words_of(0, &ranks.broadcast(bytes_of(&answer))?)?;
        self.finish_exchange(ranks.rank(), &answer)
    }

    /// Finished shards with their data, or an error.
    fn message(&self, open: &[usize], solved: Result<(), SdeError>) -> Vec<u64> {
        if let Err(error) = solved {
            return failure(&error);
        }
        let mut words = vec![DONE];
        for (first, part) in self.finished_parts(open) {
            let mut saved = vec![];
            part.data.iter().for_each(|data| self.collector.save(data, &mut saved));
            words.extend([first as u64, u64::from(part.level), saved.len() as u64]);
            words.extend(saved);
        }
        words
    }

    /// Finished shards of this rank, each with the first one; those that follow each other in a group are merged.
    fn finished_parts(&self, open: &[usize]) -> Vec<(usize, Part<K::Shard>)> {
        let depth = self.partition().depth;
        let mut parts: Vec<(usize, Part<K::Shard>)> = vec![];
        for &number in open.iter().filter(|k| self.is_finished(**k)) {
            let data = lock(&self.shards[number].state).data.take();
            if data.is_none() {
                continue;
            }
            let (mut first, mut part) = (number, Part { level: 0, data });
            while let Some((before, earlier)) = parts.pop_if(|(before, earlier)| {
                let pair = 2 << part.level;
                let together = *before + pair / 2 == first && before.is_multiple_of(pair);
                part.level < depth && earlier.level == part.level && together
            }) {
                part = earlier.followed_by(part, |a, b| self.collector.merge(a, b));
                first = before;
            }
            parts.push((first, part));
        }
        parts
    }

    /// Takes the messages of all ranks, and merges what is finished. Returns the answer to them.
    fn take(&self, messages: &[Vec<u8>]) -> Result<Vec<u64>, SdeError> {
        let mut failures = vec![];
        for (rank, bytes) in messages.iter().enumerate() {
            let words = words_of(rank, bytes)?;
            match words.split_first() {
                Some((&DONE, shards)) => self.take_shards(rank, shards)?,
                _ => failures.push((rank, words)),
            }
        }
        // The path that breaks first; a cancelled solve only where nothing else has failed.
        if let Some((rank, words)) = failures.into_iter().min_by_key(|(rank, words)| {
            (words.first() == Some(&CANCELLED), words.get(1).copied(), *rank)
        }) {
            return Err(error_of(rank, &words));
        }
        self.join();
        let joined = lock(&self.joined);
        let finished =
            (0..self.shards.len()).filter(|k| *k < joined.shards || self.is_finished(*k));
        let finished = runs(finished);
        let mut answer = [&[DONE, finished.len() as u64], &finished[..]].concat();
        if joined.shards == self.shards.len() {
            joined.total.iter().for_each(|data| self.collector.save(data, &mut answer));
        }
        Ok(answer)
    }

    fn take_shards(&self, rank: usize, mut words: &[u64]) -> Result<(), SdeError> {
        let damaged = || {
            let found = 8 * words.len();
            CommunicatorError::Message { rank, found, expected: "shards of this ensemble" }
        };
        let partition = self.partition();
        while let [number, level, length, rest @ ..] = words {
            let first = *number as usize;
            let inside = *level <= u64::from(partition.depth) && first < self.shards.len();
            let level = if inside { *level as u32 } else { return Err(damaged().into()) };
            let shards = first..(first + (1 << level)).min(self.shards.len());
            let (saved, rest) = rest.split_at_checked(*length as usize).ok_or_else(damaged)?;
            let mut saved = saved.iter();
            let data = self.collector.restore(&self.layout, &mut saved);
            for shard in shards {
                let mut state = lock(&self.shards[shard].state);
                (state.tiles, state.times) = (partition.tiles_of(shard), 0);
            }
            let mut state = lock(&self.shards[first].state);
            state.data = Some(data.filter(|_| saved.len() == 0).ok_or_else(damaged)?);
            state.level = level;
            words = rest;
        }
        Ok(())
    }

    fn finish_exchange(&self, rank: usize, answer: &[u64]) -> Result<(), SdeError> {
        let [DONE, count, rest @ ..] = answer else { return Err(error_of(0, answer)) };
        let found = 8 * answer.len();
        let damaged =
            || CommunicatorError::Message { rank: 0, found, expected: "the finished shards" };
        let (finished, collected) = rest.split_at_checked(*count as usize).ok_or_else(damaged)?;
        let finished = self.shards_of(finished).ok_or_else(damaged)?;
        let mut tiles = 0;
        for &number in &finished {
            let mut state = lock(&self.shards[number].state);
            (state.tiles, state.times) = (self.partition().tiles_of(number), 0);
            tiles += state.tiles;
        }
        let done = (tiles * self.lanes).min(self.layout.paths);
        self.done.fetch_max(done as u64 * self.last() as u64, Ordering::Relaxed);
        if rank > 0 && finished.len() == self.shards.len() {
            let mut words = collected.iter();
            let data = match collected {
                [] => None,
                _ => {
                    let data = self.collector.restore(&self.layout, &mut words);
                    Some(data.filter(|_| words.len() == 0).ok_or_else(damaged)?)
                }
            };
            let shards = self.shards.len();
            *lock(&self.joined) = Merged { shards, total: data, parts: vec![] };
        }
        Ok(())
    }
}

/// First words of messages.
const DONE: u64 = 0;
const NOT_FINITE: u64 = 1;
const CANCELLED: u64 = 2;
const OTHER: u64 = 3;

/// An error as a message.
fn failure(error: &SdeError) -> Vec<u64> {
    match error {
        SdeError::PathNotFinite { path, component, step, t } => {
            vec![NOT_FINITE, *path, *component as u64, *step as u64, t.to_bits()]
        }
        SdeError::Cancelled => vec![CANCELLED],
        other => {
            let text = other.to_string();
            std::iter::once(OTHER).chain(text.bytes().map(u64::from)).collect()
        }
    }
}

/// The error of a message.
fn error_of(rank: usize, words: &[u64]) -> SdeError {
    match *words {
        [NOT_FINITE, path, component, step, t] => SdeError::PathNotFinite {
            path,
            component: component as usize,
            step: step as usize,
            t: f64::from_bits(t),
        },
        [CANCELLED] => SdeError::Cancelled,
        _ => {
            let bytes: Vec<u8> = words.iter().skip(1).map(|byte| *byte as u8).collect();
            {
                let message = String::from_utf8_lossy(&bytes).into_owned();
                CommunicatorError::OnRank { rank, message }.into()
            }
        }
    }
}

/// Consecutive numbers as pairs of the first one and their count.
fn runs(numbers: impl Iterator<Item = usize>) -> Vec<u64> {
    let mut runs: Vec<u64> = vec![];
    for number in numbers.map(|number| number as u64) {
        match &mut runs[..] {
            [.., first, count] if *first + *count == number => *count += 1,
            _ => runs.extend([number, 1]),
        }
    }
    runs
}

fn bytes_of(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn words_of(rank: usize, bytes: &[u8]) -> Result<Vec<u64>, SdeError> {
    let (words, rest) = bytes.as_chunks::<8>();
    if !rest.is_empty() {
        let (found, expected) = (bytes.len(), "words of eight bytes");
        return Err(CommunicatorError::Message { rank, found, expected }.into());
    }
    Ok(words.iter().map(|word| u64::from_le_bytes(*word)).collect())
}

#[cfg(test)]
mod tests {
    use super::runs;

    #[test]
    fn runs_have_all_numbers() {
        assert_eq!(runs([3, 4, 5, 9, 11, 12].into_iter()), [3, 3, 9, 1, 11, 2]);
        assert!(runs(std::iter::empty()).is_empty());
    }
}
