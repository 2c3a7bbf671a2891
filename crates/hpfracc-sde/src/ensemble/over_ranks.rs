//! Ensembles over ranks: each solves blocks of shards as it is free, and rank 0 merges them in order.

use super::Collect;
use super::run::{Call, Run, State, lock};
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
        let open = self.open_shards()?;
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
        self.exchange(&open, solved)
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
    fn open_shards(&self) -> Result<Vec<usize>, SdeError> {
        let open = self.watch.ranks.from_first(|| {
            let joined = lock(&self.joined).shards;
            let open = (joined..self.shards.len()).filter(|k| !self.is_finished(*k));
            Ok::<_, SdeError>(runs(open))
        })?;
        self.shards_of(open)
    }

    /// Shards of runs, which rank 0 has sent.
    fn shards_of(&self, runs: Vec<Range<usize>>) -> Result<Vec<usize>, SdeError> {
        let all = self.shards.len();
        if runs.iter().any(|run| run.start > run.end || run.end > all) {
            return Err(damaged(0, 2 * runs.len()));
        }
        Ok(runs.into_iter().flatten().collect())
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
    /// finished; after the last one also what is collected. Collective.
    fn exchange(&self, open: &[usize], solved: Result<(), SdeError>) -> Result<(), SdeError> {
        let ranks = self.watch.ranks;
        let own = solved.map(|()| self.report(open)).map_err(|error| failure(&error));
        let answer = ranks.gather(&own)?.map(|reports| self.take(reports));
        match ranks.from_first(|| Ok::<_, SdeError>(answer))? {
            Some(Ok(answer)) => self.finish_exchange(answer),
            Some(Err((rank, failure))) => Err(error_of(rank, failure)),
            // Rank 0 has an answer.
            None => Ok(()),
        }
    }

    /// Finished shards of this rank with their data.
    fn report(&self, open: &[usize]) -> Vec<PartReport> {
        let parts = self.finished_parts(open).into_iter();
        parts.map(|(first, part)| (first, part.level, self.saved(part.data.as_ref()))).collect()
    }

    /// Data as a message.
    fn saved(&self, data: Option<&K::Shard>) -> Words {
        let mut words = vec![];
        data.into_iter().for_each(|data| self.collector.save(data, &mut words));
        words.into_iter().map(u64::to_le_bytes).collect()
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

    /// Takes the reports of all ranks, and merges what is finished. Returns the answer to them, or an error with its rank.
    fn take(
        &self,
        reports: Vec<Result<Vec<PartReport>, Failure>>,
    ) -> Result<Answer, (usize, Failure)> {
        let mut failures = vec![];
        for (rank, report) in reports.into_iter().enumerate() {
            match report {
                Ok(parts) => {
                    let taken = parts.into_iter().try_for_each(|part| self.take_part(rank, part));
                    taken.map_err(|error| (0, failure(&error)))?;
                }
                Err(failure) => failures.push((rank, failure)),
            }
        }
        // The path that breaks first; a cancelled solve only where nothing else has failed.
        let order = |(rank, failure): &(usize, Failure)| match failure {
            Some(Ok((path, ..))) => (0, *path, *rank),
            Some(Err(_)) => (1, 0, *rank),
            None => (2, 0, *rank),
        };
        if let Some(failed) = failures.into_iter().min_by_key(order) {
            return Err(failed);
        }
        self.join();
        let joined = lock(&self.joined);
        let finished =
            runs((0..self.shards.len()).filter(|k| *k < joined.shards || self.is_finished(*k)));
        let all = joined.total.as_ref().filter(|_| joined.shards == self.shards.len());
        Ok((finished, all.map(|data| self.saved(Some(data)))))
    }

    fn take_part(&self, rank: usize, (first, level, saved): PartReport) -> Result<(), SdeError> {
        let partition = self.partition();
        if level > partition.depth || first >= self.shards.len() {
            return Err(damaged(rank, saved.len()));
        }
        let data = self.restored(rank, &saved)?;
        for number in first..(first + (1 << level)).min(self.shards.len()) {
            let tiles = partition.tiles_of(number);
            *lock(&self.shards[number].state) = State { tiles, ..State::default() };
        }
        let mut state = lock(&self.shards[first].state);
        (state.data, state.level) = (Some(data), level);
        Ok(())
    }

    /// Data of a rank's message.
    fn restored(&self, rank: usize, saved: &[[u8; 8]]) -> Result<K::Shard, SdeError> {
        let words: Vec<u64> = saved.iter().map(|word| u64::from_le_bytes(*word)).collect();
        let mut words = words.iter();
        let data = self.collector.restore(&self.layout, &mut words);
        data.filter(|_| words.len() == 0).ok_or_else(|| damaged(rank, saved.len()))
    }

    fn finish_exchange(&self, (finished, collected): Answer) -> Result<(), SdeError> {
        let finished = self.shards_of(finished)?;
        let mut tiles = 0;
        for &number in &finished {
            let mut state = lock(&self.shards[number].state);
            (state.tiles, state.times) = (self.partition().tiles_of(number), 0);
            tiles += state.tiles;
        }
        let done = (tiles * self.lanes).min(self.layout.paths);
        self.done.fetch_max(done as u64 * self.last() as u64, Ordering::Relaxed);
        if !self.watch.ranks.is_first() && finished.len() == self.shards.len() {
            let total = collected.map(|saved| self.restored(0, &saved)).transpose()?;
            *lock(&self.joined) = Merged { shards: finished.len(), total, parts: vec![] };
        }
        Ok(())
    }
}

/// Words of a collector: eight bytes each, where whole numbers in messages have up to ten.
type Words = Vec<[u8; 8]>;

/// First shard, level and data of a part.
type PartReport = (usize, u32, Words);

/// Finished shards, and after the last one what is collected.
type Answer = (Vec<Range<usize>>, Option<Words>);

/// An error as a message: path, component, step and time of a path that is not finite, or the text of another error; nothing for a
/// solve that was cancelled.
type Failure = Option<Result<(u64, usize, usize, f64), String>>;

fn failure(error: &SdeError) -> Failure {
    match error {
        SdeError::PathNotFinite { path, component, step, t } => {
            Some(Ok((*path, *component, *step, *t)))
        }
        SdeError::Cancelled => None,
        other => Some(Err(other.to_string())),
    }
}

/// The error of a rank.
fn error_of(rank: usize, failure: Failure) -> SdeError {
    match failure {
        Some(Ok((path, component, step, t))) => {
            SdeError::PathNotFinite { path, component, step, t }
        }
        Some(Err(message)) => CommunicatorError::OnRank { rank, message }.into(),
        None => SdeError::Cancelled,
    }
}

/// Error for a message of a rank that runs another program, with this number of words.
fn damaged(rank: usize, words: usize) -> SdeError {
    let (found, expected) = (8 * words, "shards of this ensemble");
    CommunicatorError::Message { rank, found, expected }.into()
}

/// Consecutive numbers.
fn runs(numbers: impl Iterator<Item = usize>) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = vec![];
    for number in numbers {
        match runs.last_mut() {
            Some(run) if run.end == number => run.end += 1,
            _ => runs.push(number..number + 1),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::runs;

    #[test]
    fn runs_have_all_numbers() {
        assert_eq!(runs([3, 4, 5, 9, 11, 12].into_iter()), [3..6, 9..10, 11..13]);
        assert!(runs(std::iter::empty()).is_empty());
    }
}
