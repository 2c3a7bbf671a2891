use std::cell::Cell;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

/// Executions and their time, counted without a lock.
///
/// One atomic addition per execution: the count lies in the upper 20 bits, nanoseconds in the lower
/// 44. Threads add to cells of their own, as long as there are no more than [`CELLS`] of them, so
/// that they do not pull one cache line to and fro.
#[derive(Default)]
pub(crate) struct Tally {
    cells: [Line; CELLS],
}

/// Two cache lines, because processors fetch them in pairs.
#[derive(Default)]
#[repr(align(128))]
struct Line(AtomicU64);

const CELLS: usize = 8;
const COUNT_SHIFT: u32 = 44;
const NANOS: u64 = (1 << COUNT_SHIFT) - 1;

/// Longest time that one execution counts for, ten minutes: 29 of them fit into a cell, which is
/// emptied long before.
const LONGEST: u64 = 600 * 1_000_000_000;

/// Executions and their nanoseconds.
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
    /// Adds an execution; tells what this thread's cell now holds.
    #[inline]
    pub(crate) fn add(&self, nanos: u64) -> Counted {
        let one = (1 << COUNT_SHIFT) | nanos.min(LONGEST);
        let before = self.cells[thread_number() % CELLS].0.fetch_add(one, Relaxed);
        Counted::unpack(before.wrapping_add(one))
    }

    /// Takes all that was counted.
    pub(crate) fn take(&self) -> Counted {
        self.cells.iter().fold(Counted::default(), |sum, cell| {
            // Reading first spares the exclusive access to cells of threads that do not exist.
            if cell.0.load(Relaxed) == 0 {
                return sum;
            }
            let cell = Counted::unpack(cell.0.swap(0, Relaxed));
            Counted { executions: sum.executions + cell.executions, nanos: sum.nanos + cell.nanos }
        })
    }
}

/// Threads in the order in which they first asked.
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
    fn an_endless_execution_does_not_spill_into_the_count() {
        let tally = Tally::default();
        tally.add(u64::MAX);
        assert_eq!(tally.take(), Counted { executions: 1, nanos: LONGEST });
    }
}
