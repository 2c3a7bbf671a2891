//! Times of several candidates, taken in turn.
//!
//! On a shared machine the speed of a core drifts by tens of per cent within a second. Candidates
//! therefore alternate, each long enough for the clock, and ratios are taken from the least time
//! of each: what the work costs when nobody disturbs it.

use std::time::{Duration, Instant};

/// How long to measure.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget {
    /// Alternations between the candidates.
    pub(crate) rounds: usize,
    /// Least duration of one timing; short work is repeated within it.
    pub(crate) slice: Duration,
}

/// Seconds that one execution takes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Time {
    /// Least over the rounds.
    pub(crate) least: f64,
    /// Median over the rounds.
    pub(crate) median: f64,
}

/// Times the candidates in turn.
pub(crate) fn interleaved<const N: usize>(
    budget: Budget,
    mut work: [&mut dyn FnMut(); N],
) -> [Time; N] {
    let repeats: [u32; N] = std::array::from_fn(|i| {
        (work[i])(); // caches, pages, scratch memory
        let once = seconds(1, &mut work[i]);
        (budget.slice.as_secs_f64() / once.max(1e-9)).ceil().clamp(1.0, 1e7) as u32
    });
    let mut times: [Vec<f64>; N] = std::array::from_fn(|_| Vec::with_capacity(budget.rounds));
    for _ in 0..budget.rounds {
        for i in 0..N {
            times[i].push(seconds(repeats[i], &mut work[i]) / f64::from(repeats[i]));
        }
    }
    times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        Time { least: times[0], median: times[times.len() / 2] }
    })
}

fn seconds(repeats: u32, work: &mut dyn FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..repeats {
        work();
    }
    start.elapsed().as_secs_f64()
}

/// A duration in the unit that reads best.
pub(crate) fn show(seconds: f64) -> String {
    match seconds {
        s if s < 1e-6 => format!("{:.1} ns", s * 1e9),
        s if s < 1e-3 => format!("{:.2} us", s * 1e6),
        s if s < 1.0 => format!("{:.2} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}
