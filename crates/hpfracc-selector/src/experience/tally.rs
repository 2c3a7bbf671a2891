use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

/// Number of executions and their total time, counted without a lock.
///
/// One atomic addition per execution: the upper 20 bits count executions, the lower 44 nanoseconds.
/// One number is enough for the usual workload, which one thread runs. From the second thread on
/// each thread adds to one of [`CELLS`] cells, so that threads do not contend for a cache line.
#[derive(Default)]
pub(crate) struct Tally {
    /// Number of the first thread plus one; zero before the first execution.
    first: AtomicUsize,
    alone: AtomicU64,
    cells: OnceLock<Box<[Line; CELLS]>>,
}

/// Two cache lines, because processors fetch them in pairs.
#[derive(Default)]
#[repr(align(128))]
struct Line(AtomicU64);

const CELLS: usize = 8;
const COUNT_SHIFT: u32 = 44;
const NANOS: u64 = (1 << COUNT_SHIFT) - 1;

/// Longest time of one execution that is counted, ten minutes: 29 of them fit into a cell, which is
/// emptied long before.
const LONGEST: u64 = 600 * 1_000_000_000;

/// A number of executions and their total time.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Counted {
    pub(crate) executions: u64,
    pub(crate) nanos: u64,
}

impl Counted {
    fn unpack(word: u64) -> Self {
        Self { executions: word >> COUNT_SHIFT, nanos: word & NANOS }
    }
}

impl Tally {
    /// Adds an execution; returns the content of this thread's cell.
    #[inline]
    pub(crate) fn add(&self, nanos: u64) -> Counted {
        let one = (1 << COUNT_SHIFT) | nanos.min(LONGEST);
        let before = self.cell().fetch_add(one, Relaxed);
        Counted::unpack(before.wrapping_add(one))
    }

    /// The cell of this thread. Once there are several threads the first one moves to a cell too:
    /// the others read `first`, which lies on the same cache line as `alone`.
    #[inline]
    fn cell(&self) -> &AtomicU64 {
        let number = thread_number();
        match self.cells.get() {
            Some(cells) => &cells[number % CELLS].0,
            None if self.is_first(number) => &self.alone,
            None => &self.cells.get_or_init(Box::default)[number % CELLS].0,
        }
    }

    #[inline]
    fn is_first(&self, number: usize) -> bool {
        let first = match self.first.load(Relaxed) {
            0 => self.first.compare_exchange(0, number + 1, Relaxed, Relaxed).unwrap_or_else(|n| n),
            first => first,
        };
        first == number + 1 || first == 0
    }

    /// Takes all counts and resets them to zero.
    pub(crate) fn take(&self) -> Counted {
        let cells = self.cells.get().into_iter().flat_map(|cells| cells.iter().map(|line| &line.0));
        cells.chain([&self.alone]).fold(Counted::default(), |sum, cell| {
            // Reading first avoids the exclusive access to cells of threads that do not exist.
            if cell.load(Relaxed) == 0 {
                return sum;
            }
            let cell = Counted::unpack(cell.swap(0, Relaxed));
            Counted { executions: sum.executions + cell.executions, nanos: sum.nanos + cell.nanos }
        })
    }
}

/// Number of this thread, in the order of their first execution.
#[inline]
fn thread_number() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread_local!(static NUMBER: Cell<usize> = const { Cell::new(usize::MAX) });
    NUMBER.with(|number| {
        if number.get() == usize::MAX {
            number.set(NEXT.fetch_add(1, Relaxed) & (usize::MAX >> 1));
        }
        number.get()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_lost_between_threads() {
        let tally = Tally::default();
        let taken = std::thread::scope(|scope| {
            let adding: Vec<_> = (0..4)
                .map(|_| {
                    scope.spawn(|| {
                        for _ in 0..10_000 {
                            tally.add(3);
                        }
                    })
                })
                .collect();
            let mut taken = (0, 0);
            while adding.iter().any(|t| !t.is_finished()) {
                let part = tally.take();
                taken = (taken.0 + part.executions, taken.1 + part.nanos);
            }
            let rest = tally.take();
            (taken.0 + rest.executions, taken.1 + rest.nanos)
        });
        assert_eq!(taken, (40_000, 120_000));
    }

    #[test]
    fn one_thread_needs_one_number() {
        let tally = Tally::default();
        tally.add(3);
        tally.add(4);
        assert!(tally.cells.get().is_none());
        std::thread::scope(|scope| drop(scope.spawn(|| tally.add(5)).join()));
        assert!(tally.cells.get().is_some());
        assert_eq!(tally.take(), Counted { executions: 3, nanos: 12 });
        assert_eq!(tally.take(), Counted::default());
    }

    #[test]
    fn an_endless_execution_does_not_spill_into_the_count() {
        let tally = Tally::default();
        tally.add(u64::MAX);
        assert_eq!(tally.take(), Counted { executions: 1, nanos: LONGEST });
    }
}
