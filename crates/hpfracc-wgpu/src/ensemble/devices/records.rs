//! Records of several devices in the order of the paths.

use super::super::{PathObserver, PathSummary, StepStop};
use super::shares::Chunk;
use std::collections::BTreeMap;
use std::ops::Range;

/// What a device has of some paths.
#[derive(Debug)]
pub(super) struct Record<T> {
    pub(super) path: usize,
    pub(super) lanes: usize,
    pub(super) content: Content<T>,
}

#[derive(Debug)]
pub(super) enum Content<T> {
    /// States at the saved node of an index.
    States(usize, Vec<T>),
    /// Statistics at the saved node of an index.
    Summary(usize, PathSummary),
    /// Stops, after the last saved node.
    Stops(Vec<Option<StepStop>>),
}

impl<T> Record<T> {
    /// Bytes of the numbers.
    pub(super) fn bytes(&self) -> usize {
        match &self.content {
            Content::States(_, rows) => size_of_val(&rows[..]),
            Content::Summary(_, summary) => summary.bytes(),
            Content::Stops(stops) => size_of_val(&stops[..]),
        }
    }

    /// Index of the saved node.
    fn time(&self) -> Option<usize> {
        match self.content {
            Content::States(time, _) | Content::Summary(time, _) => Some(time),
            Content::Stops(_) => None,
        }
    }
}

/// Gives the records of chunks to an observer in the order of the paths; those of later chunks wait.
pub(super) struct Records<'a, T, O> {
    pub(super) observer: &'a mut O,
    /// Number of saved nodes.
    nodes: usize,
    /// The first path that is not recorded at all nodes.
    turn: usize,
    /// Chunks that are not recorded yet, by their first paths.
    chunks: BTreeMap<usize, Open<T>>,
    waiting: usize,
    limit: usize,
}

/// Chunk with records that wait.
#[derive(Debug)]
struct Open<T> {
    chunk: Chunk,
    waiting: Vec<Record<T>>,
    /// Latest recorded paths, with their number of recorded nodes.
    latest: Option<(Range<usize>, usize)>,
    is_finished: bool,
}

impl<'a, T, O: PathObserver<T>> Records<'a, T, O> {
    pub(super) fn new(observer: &'a mut O, nodes: usize, limit: usize) -> Self {
        Self { observer, nodes, turn: 0, chunks: BTreeMap::new(), waiting: 0, limit }
    }

    /// Adds a chunk that a device solves.
    pub(super) fn open(&mut self, chunk: Chunk) {
        let first = chunk.paths.start;
        let open = Open { chunk, waiting: vec![], latest: None, is_finished: false };
        self.chunks.insert(first, open);
    }

    /// Whether a record of the chunk with this first path is taken at once. With too many bytes that wait it is not, unless
    /// no device solves the chunk whose turn it is.
    pub(super) fn takes(&self, first: usize, bytes: usize) -> bool {
        let fits = self.waiting + bytes <= self.limit;
        first == self.turn || fits || !self.chunks.contains_key(&self.turn)
    }

    /// Takes a record of the chunk with this first path.
    pub(super) fn take(&mut self, first: usize, record: Record<T>) -> Result<(), O::Error> {
        let Some(open) = self.chunks.get_mut(&first) else { return Ok(()) };
        if first == self.turn {
            return open.give(record, self.observer);
        }
        self.waiting += record.bytes();
        open.waiting.push(record);
        Ok(())
    }

    /// Ends the chunk with this first path, all of whose records have come.
    pub(super) fn finish(&mut self, first: usize) -> Result<(), O::Error> {
        if let Some(open) = self.chunks.get_mut(&first) {
            open.is_finished = true;
        }
        self.advance()
    }

    /// Gives records that waited for their turn.
    pub(super) fn advance(&mut self) -> Result<(), O::Error> {
        while let Some(open) = self.chunks.get_mut(&self.turn) {
            for record in std::mem::take(&mut open.waiting) {
                self.waiting -= record.bytes();
                open.give(record, self.observer)?;
            }
            if !open.is_finished {
                break;
            }
            let end = open.chunk.paths.end;
            self.chunks.remove(&self.turn);
            self.turn = end;
        }
        Ok(())
    }

    /// Ends the chunk with this first path, whose device has failed. Returns what is left of it.
    pub(super) fn fail(&mut self, first: usize) -> Vec<Chunk> {
        let Some(Open { chunk, waiting, latest, .. }) = self.chunks.remove(&first) else {
            return vec![];
        };
        self.waiting -= waiting.iter().map(Record::bytes).sum::<usize>();
        let Some((paths, nodes)) = latest else { return vec![chunk] };
        let next = Chunk { paths: paths.end..chunk.paths.end, ..chunk };
        let latest = Chunk { paths, recorded: nodes.max(chunk.recorded) };
        let left = [latest, next].into_iter();
        let left: Vec<Chunk> =
            left.filter(|c| c.recorded < self.nodes && !c.paths.is_empty()).collect();
        self.turn = left.first().map_or(chunk.paths.end, |left| left.paths.start);
        left
    }
}

impl<T> Open<T> {
    /// Gives a record to the observer, unless it is recorded already.
    fn give<O: PathObserver<T>>(
        &mut self,
        of: Record<T>,
        observer: &mut O,
    ) -> Result<(), O::Error> {
        let time = of.time();
        let Record { path, lanes, content } = of;
        if time.is_none_or(|time| time >= self.chunk.recorded) {
            match content {
                Content::States(time, rows) => observer.record(time, path, lanes, &rows)?,
                Content::Summary(time, summary) => observer.summary(time, path, lanes, &summary)?,
                Content::Stops(stops) => observer.stops(path, &stops)?,
            }
        }
        if let Some(time) = time {
            self.latest = Some((path..path + lanes, time + 1));
        }
        Ok(())
    }
}
