//! Programs of the chapter "On a cluster": `cargo run --example book_cluster`.

use hpfracc::prelude::*;
use pictures::Outcome;

fn main() -> Outcome<()> {
    // ANCHOR: ranks
    use hpfracc::ranks::run_threads;
    use hpfracc::sde::SdeError;
    use hpfracc::sde::models::OrnsteinUhlenbeck;

    let (model, ensemble) = (OrnsteinUhlenbeck::default(), Ensemble::new(10_000, 50)?);
    // Ranks as threads of this process; `hpfracc_mpi::Mpi::start()` gives those of MPI.
    let on_ranks = run_threads(3, |ranks| -> Result<_, SdeError> {
        model.simulate::<f64, _>(&ensemble.clone().over(ranks), (0.0, 1.0), 7, &Moments)
    })?;
    let alone = model.simulate::<f64, _>(&ensemble, (0.0, 1.0), 7, &Moments)?;
    assert!(on_ranks.iter().all(|moments| *moments == alone));
    // ANCHOR_END: ranks
    println!("mean {:.4} on each of {} ranks", alone.mean[[0, 0]], on_ranks.len());
    stragglers();
    Ok(())
}

/// Shards of an ensemble.
const SHARDS: usize = 64;

/// Share of the speed of all threads that is used when shards are dealt to the threads that are free.
fn dealt(speeds: &[f64]) -> f64 {
    let mut free_at = vec![0.0; speeds.len()];
    for _ in 0..SHARDS {
        let first = (0..speeds.len()).min_by(|a, b| f64::total_cmp(&free_at[*a], &free_at[*b]));
        let first = first.unwrap_or(0);
        free_at[first] += 1.0 / speeds[first];
    }
    used(speeds, &free_at)
}

/// The same when each thread has an equal number of shards.
fn in_equal_parts(speeds: &[f64]) -> f64 {
    let shards = (SHARDS / speeds.len()) as f64;
    used(speeds, &speeds.iter().map(|speed| shards / speed).collect::<Vec<f64>>())
}

fn used(speeds: &[f64], free_at: &[f64]) -> f64 {
    let end = free_at.iter().copied().fold(0.0, f64::max);
    SHARDS as f64 / speeds.iter().sum::<f64>() / end
}

/// Prints the table of the chapter.
fn stragglers() {
    println!(
        "threads, all equal, one half as fast, the same in equal parts, speeds from 0.8 to 1.2"
    );
    for threads in [4, 16, 64] {
        let equal = vec![1.0; threads];
        let mut slow = equal.clone();
        slow[0] = 0.5;
        // The golden ratio spreads numbers evenly between 0 and 1.
        let spread = |k: usize| 0.8 + 0.4 * (k as f64 * 0.618_033_988_749_894_9).fract();
        let drawn = |case: usize| -> Vec<f64> {
            (0..threads).map(|thread| spread(case * threads + thread)).collect()
        };
        let mean = (0..200).map(|case| dealt(&drawn(case))).sum::<f64>() / 200.0;
        let columns = [dealt(&equal), dealt(&slow), in_equal_parts(&slow), mean];
        println!("{threads}: {columns:.2?}");
        assert!(dealt(&equal) == 1.0 && dealt(&slow) >= in_equal_parts(&slow));
    }
}

pictures::runs_with_the_tests!();
