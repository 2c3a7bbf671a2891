//! Programs of the chapter "On a cluster": `cargo run --example book_cluster`.

use hpfracc::prelude::*;
use hpfracc::ranks::{Communicator as _, Metered, Traffic};
use pictures::Outcome;

fn main() -> Outcome<()> {
    ensemble()?;
    items()?;
    stragglers();
    model_of_communication();
    measured_communication()
}

fn ensemble() -> Outcome<()> {
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
    Ok(())
}

fn items() -> Outcome<()> {
    // ANCHOR: map
    use hpfracc::ranks::{Ranks, run_threads};
    use hpfracc::special::mittag_leffler;

    // Any computation of items, each on the rank that is free: here E_alpha(-5^alpha) for 40 orders.
    type Failure = Box<dyn std::error::Error + Send + Sync>;
    let value = |k: usize| -> Result<f64, Failure> {
        let alpha = 0.6 + 0.01 * k as f64;
        Ok(mittag_leffler(alpha, 1.0, -5f64.powf(alpha))?)
    };
    let values = run_threads(3, |ranks| Ranks::from(ranks).map(40, value));
    let values = values.map_err(|error| error.to_string())?;
    assert!(values.iter().all(|of_rank| *of_rank == values[0]));
    // ANCHOR_END: map
    Ok(())
}

/// Shards of an ensemble of very many paths, and groups of them.
const SHARDS: usize = 8192;
const GROUPS: usize = 64;

/// Shards that a rank takes at once: those of a group, or fewer for eight blocks a rank.
fn block(shards: usize, ranks: usize) -> usize {
    let sizes = std::iter::successors(Some(shards / GROUPS), |block| Some(block / 2));
    sizes.take_while(|block| *block > 0).find(|block| shards >= 8 * ranks * block).unwrap_or(1)
}

/// Share of the speed of all threads that is used when blocks are dealt to ranks that are free, each with a number of threads
/// of the speed of the rank.
fn dealt(speeds: &[f64], threads: usize) -> f64 {
    // The time when each thread is free, and the shards that its rank has taken.
    let mut free_at = vec![0.0; speeds.len() * threads];
    let (mut dealt, mut taken) = (0, vec![0; speeds.len()]);
    let mut end = 0.0f64;
    loop {
        // A rank with shards, or any while there are others.
        let can = |thread: &usize| taken[thread / threads] > 0 || dealt < SHARDS;
        let first = (0..free_at.len())
            .filter(can)
            .min_by(|a, b| f64::total_cmp(&free_at[*a], &free_at[*b]));
        let Some(first) = first else { break };
        let rank = first / threads;
        if taken[rank] == 0 {
            taken[rank] = block(SHARDS, speeds.len()).min(SHARDS - dealt);
            dealt += taken[rank];
        }
        taken[rank] -= 1;
        free_at[first] += 1.0 / speeds[rank];
        end = end.max(free_at[first]);
    }
    SHARDS as f64 / (threads as f64 * speeds.iter().sum::<f64>()) / end
}

/// The same when each rank has an equal number of shards.
fn in_equal_parts(speeds: &[f64], threads: usize) -> f64 {
    let shards = SHARDS.div_ceil(speeds.len()).div_ceil(threads) as f64;
    let end = speeds.iter().map(|speed| shards / speed).fold(0.0, f64::max);
    SHARDS as f64 / (threads as f64 * speeds.iter().sum::<f64>()) / end
}

/// Prints the table of ranks that are slow.
fn stragglers() {
    println!(
        "ranks x threads, all equal, one half as fast, the same in equal parts, speeds from 0.8 to 1.2"
    );
    for (ranks, threads) in [(4, 8), (16, 8), (64, 8), (1000, 1)] {
        let equal = vec![1.0; ranks];
        let mut slow = equal.clone();
        slow[0] = 0.5;
        // The golden ratio spreads numbers evenly between 0 and 1.
        let spread = |k: usize| 0.8 + 0.4 * (k as f64 * 0.618_033_988_749_894_9).fract();
        let drawn = |case: usize| -> Vec<f64> {
            (0..ranks).map(|rank| spread(case * ranks + rank)).collect()
        };
        let cases = if ranks < 100 { 50 } else { 2 };
        let mean = (0..cases).map(|case| dealt(&drawn(case), threads)).sum::<f64>();
        let columns = [
            dealt(&equal, threads),
            dealt(&slow, threads),
            in_equal_parts(&slow, threads),
            mean / f64::from(cases as u32),
        ];
        println!("{ranks} x {threads}: {columns:.2?}");
        assert!(columns[1] >= columns[2] - 0.05);
    }
}

/// Time of a message and bytes a second of a network, for the model.
const LATENCY: f64 = 60e-6;
const BANDWIDTH: f64 = 1e9;

/// Messages in a row that a collective function takes.
fn depth(ranks: usize) -> u32 {
    ranks.next_power_of_two().ilog2()
}

/// Prints the model of an ensemble with shards of a number of bytes, and of a step of a training with gradients of another.
fn model_of_communication() {
    let (shard, gradient) = (336.0, 4e6);
    println!(
        "ranks, blocks, MB at rank 0, seconds of an ensemble, seconds of a step of a training"
    );
    for ranks in [4, 64, 1000, 10_000] {
        let parts = (SHARDS / block(SHARDS, ranks)) as f64;
        // Five collective functions; rank 0 takes all parts and answers as many questions.
        let bytes = parts * shard;
        let ensemble = 5.0 * f64::from(depth(ranks)) * LATENCY + bytes / BANDWIDTH;
        // The sum passes twice through the ranks, in parts of 65536 numbers that follow each other.
        let parts_of_sum = (gradient / 4.0 / 65_536f64).ceil();
        let hops = 2.0 * (ranks as f64 + parts_of_sum);
        let step = hops * (LATENCY + gradient.min(262_144.0) / BANDWIDTH);
        println!("{ranks}: {parts}, {:.2}, {ensemble:.4}, {step:.2}", bytes / 1e6);
    }
}

/// Prints what an ensemble with 1024 shards sends, and compares it with the model.
fn measured_communication() -> Outcome<()> {
    use hpfracc::ranks::run_threads;
    use hpfracc::sde::SdeError;
    use hpfracc::sde::models::OrnsteinUhlenbeck;

    println!("ranks, messages, questions, bytes");
    let (model, shards) = (OrnsteinUhlenbeck::default(), 1024);
    let ensemble = Ensemble::new(300_000, 4)?.in_tiles_of(16)?;
    for size in 1..=8 {
        let pool = |_| rayon::ThreadPoolBuilder::new().num_threads(1).build();
        let pools = (0..size).map(pool).collect::<Result<Vec<_>, _>>()?;
        let traffic = run_threads(size, |ranks| -> Result<Traffic, SdeError> {
            let metered = Metered::new(ranks);
            let ensemble = ensemble.clone().over(&metered);
            let solve = || model.simulate::<f64, _>(&ensemble, (0.0, 1.0), 7, &Moments);
            pools[ranks.rank()].install(solve)?;
            Ok(metered.traffic())
        })?;
        let sum = |of: fn(&Traffic) -> u64| traffic.iter().map(of).sum::<u64>() as usize;
        let (messages, questions) = (sum(|sent| sent.messages), sum(|sent| sent.counts));
        let bytes = sum(|sent| sent.bytes);
        println!("{size}: {messages}, {questions}, {bytes}");
        let others = size - 1;
        assert_eq!(messages, COLLECTIVE * others, "{size} ranks");
        // One for each block, for each thread a last one that is not there, and ten a second of progress.
        let blocks = shards / block(shards, size);
        assert!(others == 0 || questions >= blocks + size, "{size} ranks: {questions}");
        // Each block climbs the tree of the ranks; the rest is agreement and result.
        let most = (blocks * PART + others * REST) * depth(size) as usize;
        assert!(bytes <= most, "{size} ranks: {bytes} bytes, expected at most {most}");
    }
    Ok(())
}

/// Collective functions of an ensemble, each a message for each rank but one: whether all are ready and agree, two each, the open
/// shards, what is collected, and the result.
const COLLECTIVE: usize = 7;

/// Bytes of the moments of one component at one time, with their place, and of all else for a rank.
const PART: usize = 200;
const REST: usize = 1500;

pictures::runs_with_the_tests!();
