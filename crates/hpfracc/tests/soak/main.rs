//! Everything at once, for as long as `HPFRACC_SOAK` says in seconds, two of them if it says
//! nothing: maps through selectors whose backends fail at random, streams, solves, ensembles and
//! trainings that are left and gone on with, wisdom written and read, from several threads, each
//! result held against the reference, under a watch that knows who hangs and how much memory is
//! held.

mod dice;
mod faults;
mod maps;
mod runs;
mod watch;

use dice::Dice;
use faults::Faults;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};
use watch::{Memory, Watch};

const THREADS: usize = 4;

/// Number of readings of the memory in use, at rest; the first sixth of the time is a warm-up.
const READINGS: u32 = 24;
const WARM_UP: usize = READINGS as usize / 6;

/// Duration from which on a run fills all that is kept for later at the end of the warm-up.
const LONG: Duration = Duration::from_secs(180);

/// Bytes that the memory in use at rest may grow by after the warm-up of a long run: whatever grows
/// is a leak.
const GROWTH: usize = 2 << 20;

/// The same in a short run, which still fills what is kept from one run to the next: the statistics
/// of 4096 workloads of four selectors, some 20 MiB each; the timings of 2048 workloads for each of
/// some seventy models of two experiences, some 400 KiB each.
const GROWTH_OF_A_SHORT_RUN: usize = 120 << 20;

/// Bytes that the resident set may grow by, with what the allocator keeps of freed memory: wisdom
/// is written and read by all threads at once.
const RESIDENT_GROWTH: usize = 200 << 20;

/// How long, from the environment.
fn duration() -> Duration {
    let seconds = std::env::var("HPFRACC_SOAK").map_or(2, |text| {
        text.parse().unwrap_or_else(|_| panic!("HPFRACC_SOAK is `{text}`, expected seconds"))
    });
    Duration::from_secs(seconds)
}

#[test]
fn everything_at_once_under_faults() {
    let (start, whole) = (Instant::now(), duration());
    let folder = tempfile::tempdir().unwrap();
    let faults = Arc::new(Faults::default());
    let maps = maps::Maps::new(&faults, folder.path());
    let watch = Watch::default();
    println!("0 s: {}", Memory::now());
    let (mut readings, mut errors, mut settled) = (Vec::new(), Vec::new(), false);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..THREADS)
            .map(|number| {
                let (maps, watch, folder) = (&maps, &watch, folder.path().join(number.to_string()));
                scope.spawn(move || {
                    std::fs::create_dir_all(&folder).unwrap();
                    let mut dice = Dice::new(7 + number as u64);
                    // At least once each, however short the time.
                    let mut round = 0;
                    while round < runs::ALL.len() || start.elapsed() < whole {
                        let (name, work) = runs::ALL[(round + number) % runs::ALL.len()];
                        watch.begin(number, name);
                        let mut scene = runs::Scene { maps, dice: &mut dice, folder: &folder };
                        let end = catch_unwind(AssertUnwindSafe(|| work(&mut scene)));
                        watch.end(number);
                        if end.is_err() {
                            return Some(format!("{name}, round {round} of thread {number}"));
                        }
                        round += 1;
                    }
                    None
                })
            })
            .collect();
        while !workers.iter().all(|worker| worker.is_finished()) {
            std::thread::sleep(Duration::from_millis(20));
            watch.look();
            if whole >= LONG
                && !settled
                && start.elapsed() >= whole * (WARM_UP as u32 - 1) / READINGS
            {
                let begun = Instant::now();
                faults.weather(Duration::ZERO);
                maps.settle();
                settled = true;
                println!("settled in {:.1} s", begun.elapsed().as_secs_f64());
            }
            faults.weather(start.elapsed());
            let next = readings.len() as u32 + 1;
            if next <= READINGS
                && start.elapsed() >= whole * next / READINGS
                && let Some(memory) = watch.memory_at_rest()
            {
                println!("{} s: {memory}", start.elapsed().as_secs());
                readings.push(memory);
            }
        }
        errors.extend(workers.into_iter().filter_map(|worker| worker.join().unwrap()));
    });
    assert!(errors.is_empty(), "{}", errors.join("; "));
    let after = Memory::now();
    let settled = readings.get(WARM_UP - 1).copied().unwrap_or(after);
    let seconds = start.elapsed().as_secs();
    println!("{seconds} s: {after}; {}; {} faults", watch.report(), faults.count());
    assert!(faults.count() > 0, "no backend ever failed");
    let growth = if whole < LONG { GROWTH_OF_A_SHORT_RUN } else { GROWTH };
    for memory in readings.iter().skip(WARM_UP).chain([&after]) {
        assert!(memory.live <= settled.live + growth, "{memory}; after the warm-up {settled}");
    }
    let allowed = if whole < Duration::from_secs(60) { 2 } else { 1 } * RESIDENT_GROWTH;
    assert!(after.resident < settled.resident + allowed, "{after}; after the warm-up {settled}");
}
