//! Everything at once, for as long as `HPFRACC_SOAK` says in seconds, two of them if it says nothing: maps
//! through selectors whose backends fail at random, streams, solves, ensembles and trainings that are
//! left and gone on with, wisdom written and read, from several threads, each result held against the
//! reference, under a watch that knows who hangs and how much memory is held.

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
use watch::{Watch, resident};

const THREADS: usize = 4;

/// What the resident set may grow by after the first tenth of the time, when not all is full yet: a selector
/// keeps the statistics of 4096 workloads, and what was timed of 2048 for each model, of which there are
/// about seventy. Saved and read as wisdom, this is some hundred MiB of text and trees at a time.
const GROWTH: u64 = 200 << 20;

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
    let before = resident();
    let (mut settled, mut errors) = (before, Vec::new());
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
            faults.weather(start.elapsed());
            if start.elapsed() < whole / 10 {
                settled = resident();
            }
        }
        errors.extend(workers.into_iter().filter_map(|worker| worker.join().unwrap()));
    });
    assert!(errors.is_empty(), "{}", errors.join("; "));
    let after = resident();
    let megabytes = |bytes: u64| bytes >> 20;
    println!(
        "{} s: {}; {} faults; resident {} MiB at first, {} settled, {} at last",
        start.elapsed().as_secs(),
        watch.report(),
        faults.count(),
        megabytes(before),
        megabytes(settled),
        megabytes(after),
    );
    assert!(faults.count() > 0, "no backend ever failed");
    let allowed = if whole < Duration::from_secs(60) { 2 * GROWTH } else { GROWTH };
    assert!(after < settled + allowed, "{} MiB more than settled", megabytes(after - settled));
}
