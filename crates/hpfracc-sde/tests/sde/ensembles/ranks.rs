//! Ensembles over ranks have the bits of one process.

use crate::systems::{AnySystem, Linear, problem_of};
use hpfracc_communicator::{Communicator as _, Metered, OneRank, Traffic, run_threads};
use hpfracc_sde::noise::{Brownian, FractionalBrownian, Noise};
use hpfracc_sde::{
    Collect, Ensemble, EulerMaruyama, FractionalEulerMaruyama, Moments, PairMoments, Paths,
    Progress, Quantiles, SdeError, StochasticProblem, StochasticScheme,
};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

const SYSTEM: Linear = Linear { dim: 2, lambda: -0.5, sigma: 0.4, rho: 0.1 };

fn problem(order: f64) -> StochasticProblem<f64, AnySystem<f64>> {
    problem_of(SYSTEM, (0.0, 1.0), &[0.2, -0.5]).unwrap().of_orders(&[order]).unwrap()
}

fn on<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

fn same_on_ranks<C, K>(order: f64, scheme: &C, noise: &dyn Noise<f64>, collector: &K)
where
    C: StochasticScheme<f64> + Sync,
    C::Stepper: Send,
    K: Collect<f64, Output: PartialEq + std::fmt::Debug + Send>,
{
    let problem = problem(order);
    let ensemble = Ensemble::new(3000, 16).unwrap().saving_every(8).unwrap();
    let expected = ensemble.solve(&problem, scheme, noise, collector).unwrap();
    for (ranks, threads) in [(1, 2), (2, 1), (3, 2), (4, 1), (7, 1)] {
        let results = run_threads(ranks, |ranks| {
            let ensemble = ensemble.clone().over(ranks);
            on(threads, || ensemble.solve(&problem, scheme, noise, collector))
        });
        for result in results.unwrap() {
            assert_eq!(result, expected, "{ranks} ranks");
        }
    }
}

#[test]
fn every_collector_has_the_same_bits_on_any_number_of_ranks() {
    let brownian = Brownian::new(7, 2).unwrap();
    let quantiles = Quantiles::new(&[0.1, 0.5]).unwrap();
    same_on_ranks(1.0, &EulerMaruyama, &brownian, &(Moments, quantiles));
    same_on_ranks(1.0, &EulerMaruyama, &brownian, &(Paths, PairMoments));
    same_on_ranks(0.7, &FractionalEulerMaruyama::default(), &brownian, &Moments);
    let fractional = FractionalBrownian::new(3, &[0.7, 0.8]).unwrap();
    same_on_ranks(1.0, &EulerMaruyama, &fractional, &Moments);
}

#[test]
fn more_ranks_than_work() {
    let problem = problem(1.0);
    let noise = Brownian::new(7, 2).unwrap();
    let ensemble = Ensemble::new(5, 4).unwrap();
    let expected = ensemble.solve(&problem, &EulerMaruyama, &noise, &Paths).unwrap();
    let results = run_threads(9, |ranks| {
        ensemble.clone().over(ranks).solve(&problem, &EulerMaruyama, &noise, &Paths)
    });
    assert!(results.unwrap().iter().all(|paths| *paths == expected));
    let alone =
        ensemble.clone().over(&OneRank::default()).solve(&problem, &EulerMaruyama, &noise, &Paths);
    assert_eq!(alone.unwrap(), expected);
}

/// Interrupted on some ranks, and gone on with on others, from the checkpoint of rank 0.
#[test]
fn checkpoints_go_on_with_another_number_of_ranks() {
    let (problem, noise) = (problem(1.0), Brownian::new(7, 2).unwrap());
    let ensemble = Ensemble::new(20_000, 64).unwrap().saving_every(16).unwrap();
    let expected = ensemble.solve(&problem, &EulerMaruyama, &noise, &Moments).unwrap();
    let kept = Mutex::new(None);
    let mut stops = 0;
    for ranks in [3, 2, 1, 4].into_iter().cycle() {
        let results = run_threads(ranks, |ranks| -> Result<_, SdeError> {
            let ensemble = ensemble.clone().over(ranks);
            let run = ensemble.run(&problem, &EulerMaruyama, &noise, &Moments)?;
            let checkpoint = kept.lock().unwrap().clone();
            let run = match &checkpoint {
                Some(checkpoint) => run.restore(checkpoint)?,
                None => run,
            };
            if run.advance_for(Duration::from_micros(200))? {
                return run.finish().map(Some);
            }
            if hpfracc_communicator::Communicator::rank(ranks) == 0 {
                *kept.lock().unwrap() = Some(run.checkpoint());
            }
            Ok(None)
        });
        let results = results.unwrap();
        match &results[0] {
            Some(_) => {
                assert!(results.iter().all(|moments| moments.as_ref() == Some(&expected)));
                break;
            }
            None => stops += 1,
        }
    }
    assert!(stops > 0);
}

#[test]
fn an_error_on_a_rank_is_the_error_of_all() {
    let broken = Linear { lambda: 1e300, ..SYSTEM };
    let problem = problem_of(broken, (0.0, 1.0), &[1.0, 1.0]).unwrap();
    let noise = Brownian::new(7, 2).unwrap();
    let ensemble = Ensemble::new(500, 16).unwrap();
    let errors = Mutex::new(vec![]);
    let result = run_threads(3, |ranks| -> Result<(), SdeError> {
        let solved = ensemble.clone().over(ranks).solve(&problem, &EulerMaruyama, &noise, &Moments);
        errors.lock().unwrap().push(solved.unwrap_err().to_string());
        Ok(())
    });
    result.unwrap();
    let errors = errors.into_inner().unwrap();
    assert!(errors.len() == 3 && errors.iter().all(|error| *error == errors[0]), "{errors:?}");
    assert!(errors[0].contains("path"), "{}", errors[0]);
}

#[test]
fn ranks_that_cancel_end_all_and_the_solve_goes_on() {
    let (problem, noise) = (problem(1.0), Brownian::new(7, 2).unwrap());
    let ensemble = Ensemble::new(5000, 64).unwrap();
    let expected = ensemble.solve(&problem, &EulerMaruyama, &noise, &Moments).unwrap();
    let results = run_threads(3, |ranks| -> Result<_, SdeError> {
        // Ranks have finished different shards when one of them is cancelled.
        let (flag, looks) = (AtomicBool::new(false), AtomicUsize::new(0));
        // Rank 0 is slow, so that the others solve most.
        let rank = hpfracc_communicator::Communicator::rank(ranks);
        let watched = |_| {
            std::thread::sleep(Duration::from_millis(if rank == 0 { 5 } else { 1 }));
            if looks.fetch_sub(1, Ordering::Relaxed) == 1 {
                flag.store(true, Ordering::Relaxed);
            }
        };
        let ensemble = ensemble.clone().cancelled_by(&flag).watched_by(&watched).over(ranks);
        let run = ensemble.run(&problem, &EulerMaruyama, &noise, &Moments)?;
        let mut cancelled = 0;
        loop {
            flag.store(false, Ordering::Relaxed);
            looks
                .store(15 + 7 * hpfracc_communicator::Communicator::rank(ranks), Ordering::Relaxed);
            match on(1, || run.advance()) {
                Err(SdeError::Cancelled) => cancelled += 1,
                solved => break solved?,
            }
        }
        // Nothing is left to solve, which would be cancelled.
        flag.store(true, Ordering::Relaxed);
        Ok((cancelled, run.finish()?))
    });
    for (cancelled, moments) in results.unwrap() {
        assert!(cancelled > 1, "{cancelled}");
        assert_eq!(moments, expected);
    }
}

#[test]
fn ranks_with_other_inputs_are_refused() {
    let problem = problem(1.0);
    let refused = |paths_of: fn(usize) -> usize, seed_of: fn(usize) -> u64| {
        let result = run_threads(3, |ranks| {
            let rank = hpfracc_communicator::Communicator::rank(ranks);
            let noise = Brownian::new(seed_of(rank), 2)?;
            let ensemble = Ensemble::new(paths_of(rank), 4)?.over(ranks);
            ensemble.solve(&problem, &EulerMaruyama, &noise, &Moments)
        });
        result.unwrap_err().to_string()
    };
    let paths = refused(|rank| 100 + rank / 2, |_| 7);
    assert!(paths.contains("rank 2 and rank 0 differ in the number of paths: `101`"), "{paths}");
    let seeds = refused(|_| 100, |rank| 7 + (rank % 2) as u64);
    assert!(seeds.contains("rank 1 and rank 0 differ in the fingerprint"), "{seeds}");
}

/// Messages depend on what is collected, not on the number of paths.
#[test]
fn communication_does_not_grow_with_paths() {
    let (problem, noise) = (problem(1.0), Brownian::new(7, 2).unwrap());
    let traffic = |paths: usize| -> Vec<Traffic> {
        let ensemble = Ensemble::new(paths, 8).unwrap().saving_every(4).unwrap();
        let traffic = run_threads(4, |ranks| -> Result<_, SdeError> {
            let metered = Metered::new(ranks);
            let ensemble = ensemble.clone().over(&metered);
            ensemble.solve(&problem, &EulerMaruyama, &noise, &Moments)?;
            Ok(metered.traffic())
        });
        traffic.unwrap()
    };
    let sum = |traffic: &[Traffic]| traffic.iter().map(|rank| rank.bytes).sum::<u64>();
    let (few, many) = (traffic(20_000), traffic(200_000));
    println!("{few:?} {many:?}");
    assert!(
        sum(&many) < 100_000 && sum(&many) < sum(&few) + 20_000,
        "{} {}",
        sum(&few),
        sum(&many)
    );
    // Three gathers and four broadcasts.
    let messages: u64 = many.iter().map(|rank| rank.messages).sum();
    assert_eq!(messages, 7 * 3);
}

/// Groups with several shards: ensembles of more than 2048 tiles.
#[test]
fn many_tiles_have_the_same_bits_on_any_number_of_ranks_and_threads() {
    let problem = problem(1.0);
    let noise = Brownian::new(7, 2).unwrap();
    // 4375 tiles: 256 shards in 64 groups.
    let ensemble = Ensemble::new(70_000, 3).unwrap().in_tiles_of(16).unwrap();
    let collector = (Moments, Quantiles::new(&[0.1, 0.5]).unwrap());
    let expected = ensemble.solve(&problem, &EulerMaruyama, &noise, &collector).unwrap();
    for threads in [1, 2, 5] {
        let result = on(threads, || ensemble.solve(&problem, &EulerMaruyama, &noise, &collector));
        assert_eq!(result.unwrap(), expected, "{threads} threads");
    }
    for (size, threads) in [(2, 2), (3, 1), (7, 1), (16, 1), (40, 1)] {
        let results = run_threads(size, |ranks| {
            let metered = Metered::new(ranks);
            let ensemble = ensemble.clone().over(&metered);
            let result =
                on(threads, || ensemble.solve(&problem, &EulerMaruyama, &noise, &Moments))?;
            Ok::<_, SdeError>((result, metered.traffic().bytes))
        });
        let results = results.unwrap();
        assert!(results.iter().all(|(result, _)| *result == expected.0), "{size} ranks");
        let bytes: u64 = results.iter().map(|(_, bytes)| bytes).sum();
        println!("{size} ranks: {bytes} bytes");
        assert!(bytes < 1_000_000, "{size} ranks: {bytes}");
    }
}

/// Rank 0 sees the progress of all, whatever it has done itself.
#[test]
fn progress_is_that_of_all_ranks() {
    let problem = problem(1.0);
    let noise = Brownian::new(7, 2).unwrap();
    let shares = run_threads(3, |ranks| {
        let shares = Mutex::new(vec![]);
        let watched = |progress: Progress| {
            // Rank 0 is slow.
            std::thread::sleep(Duration::from_millis(if ranks.rank() == 0 { 20 } else { 2 }));
            shares.lock().unwrap().push(progress.share);
        };
        let ensemble = Ensemble::new(64 * 64, 50).unwrap().in_tiles_of(64).unwrap();
        let ensemble = ensemble.over(ranks).watched_by(&watched);
        on(1, || ensemble.solve(&problem, &EulerMaruyama, &noise, &Moments))?;
        Ok::<_, SdeError>(shares.into_inner().unwrap())
    });
    let shares = &shares.unwrap()[0];
    assert!(shares.is_sorted() && shares.iter().all(|share| *share <= 1.0));
    let [last, calls] = [*shares.last().unwrap(), shares.len() as f64 / (64.0 * 2.0)];
    println!("rank 0 made {calls:.2} of the calls, and saw {last:.2} done");
    // What it has not seen yet was done since the last reports.
    assert!(last > 3.0 * calls && calls < 0.3, "{last}, {calls}");
}

/// Interrupted at any time, with shards of a group on several ranks, and resumed by others.
#[test]
fn groups_are_resumed_by_other_numbers_of_ranks() {
    let problem = problem(1.0);
    let noise = Brownian::new(7, 2).unwrap();
    let ensemble = Ensemble::new(70_000, 3).unwrap().in_tiles_of(16).unwrap();
    let expected = ensemble.solve(&problem, &EulerMaruyama, &noise, &Moments).unwrap();
    let mut checkpoint = None;
    for size in [3, 1, 5, 2] {
        let checkpoints = run_threads(size, |ranks| {
            let ensemble = ensemble.clone().over(ranks);
            let run = ensemble.run(&problem, &EulerMaruyama, &noise, &Moments)?;
            let run = match &checkpoint {
                Some(checkpoint) => run.restore(checkpoint)?,
                None => run,
            };
            on(1, || run.advance_for(Duration::from_millis(3)))?;
            Ok::<_, SdeError>(run.checkpoint())
        });
        checkpoint = checkpoints.unwrap().into_iter().next();
    }
    let results = run_threads(4, |ranks| {
        let ensemble = ensemble.clone().over(ranks);
        let run = ensemble.run(&problem, &EulerMaruyama, &noise, &Moments)?;
        run.restore(checkpoint.as_ref().unwrap())?.finish()
    });
    assert!(results.unwrap().iter().all(|result| *result == expected));
}
