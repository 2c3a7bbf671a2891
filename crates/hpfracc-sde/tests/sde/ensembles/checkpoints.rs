//! A solve that is left and gone on with elsewhere has the bits of one that is not.

#![cfg(feature = "serde")]

use crate::systems::{AnySystem, Linear, problem_of};
use hpfracc_sde::SdeError;
use hpfracc_sde::noise::{Brownian, FractionalBrownian, Gaussian, Noise};
use hpfracc_sde::{
    Checkpoint, Collect, Ensemble, EulerMaruyama, FractionalEulerMaruyama, Moments, PairMoments,
    Paths, Progress, Quantiles, StochasticProblem, StochasticScheme,
};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

const SYSTEM: Linear = Linear { dim: 2, lambda: -0.5, sigma: 0.4, rho: 0.1 };

fn problem<T: Gaussian>(order: f64) -> StochasticProblem<T, AnySystem<T>> {
    let start = [T::narrow(0.2), T::narrow(-0.5)];
    problem_of(SYSTEM, (0.0, 1.0), &start).unwrap().of_orders(&[order]).unwrap()
}

fn on<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

fn through_json(checkpoint: &Checkpoint) -> Checkpoint {
    serde_json::from_str(&serde_json::to_string(checkpoint).unwrap()).unwrap()
}

/// Leaves the solve again and again, in the middle of tiles too; how often.
fn stop_and_go<T, C, N, K>(
    (order, steps): (f64, usize),
    scheme: &C,
    noise: &N,
    collector: &K,
) -> usize
where
    T: Gaussian,
    C: StochasticScheme<T>,
    C::Stepper: Send,
    N: Noise<T>,
    K: Collect<T, Output: PartialEq + std::fmt::Debug + Send>,
    C: Sync,
{
    let problem = problem::<T>(order);
    let plain = Ensemble::new(3000, steps).unwrap().saving_every(steps / 4).unwrap();
    let whole = on(2, || plain.solve(&problem, scheme, noise, collector)).unwrap();
    let (mut kept, mut stops) = (None::<Box<Checkpoint>>, 0);
    for threads in [1, 2, 3].into_iter().cycle() {
        // Looks at the outside world before the flag is set: another number each time.
        let (flag, looks) = (AtomicBool::new(false), AtomicUsize::new(3 + 37 * stops % 61));
        let watched = |_: Progress| {
            if looks.fetch_sub(1, Ordering::Relaxed) == 1 {
                flag.store(true, Ordering::Relaxed);
            }
        };
        let ensemble = plain.clone().cancelled_by(&flag).watched_by(&watched);
        let end = on(threads, || {
            let run = ensemble.run(&problem, scheme, noise, collector).unwrap();
            let run = match &kept {
                Some(checkpoint) => run.restore(checkpoint).unwrap(),
                None => run,
            };
            match run.advance() {
                Err(SdeError::Cancelled) => Err(Box::new(through_json(&run.checkpoint()))),
                end => {
                    end.unwrap();
                    flag.store(false, Ordering::Relaxed);
                    Ok(run.finish().unwrap())
                }
            }
        });
        match end {
            Ok(result) => {
                assert_eq!(result, whole);
                return stops;
            }
            Err(checkpoint) => (kept, stops) = (Some(checkpoint), stops + 1),
        }
    }
    unreachable!("an endless cycle")
}

#[test]
fn with_every_collector() {
    let noise = Brownian::new(9, 2).unwrap();
    let quantiles = Quantiles::new(&[0.1, 0.5]).unwrap();
    let all = (quantiles, (PairMoments, (Paths, Moments)));
    assert!(stop_and_go::<f32, _, _, _>((1.0, 400), &EulerMaruyama, &noise, &all) > 3);
    assert!(stop_and_go::<f64, _, _, _>((1.0, 400), &EulerMaruyama, &noise, &all) > 3);
}

#[test]
fn with_memory_and_with_noise_of_whole_paths() {
    let scheme = FractionalEulerMaruyama::default();
    let noise = Brownian::new(9, 2).unwrap();
    assert!(stop_and_go::<f64, _, _, _>((0.7, 100), &scheme, &noise, &Moments) > 1);
    let noise = FractionalBrownian::<f32>::new(9, &[0.6, 0.8]).unwrap();
    assert!(stop_and_go::<f32, _, _, _>((1.0, 400), &EulerMaruyama, &noise, &Moments) > 3);
}

/// Taken by another thread while the solve goes on, again and again.
#[test]
fn while_the_solve_goes_on() {
    let (problem, noise) = (problem::<f64>(1.0), Brownian::new(9, 2).unwrap());
    let both = (Moments, Quantiles::new(&[0.5]).unwrap());
    let ensemble = Ensemble::new(20_000, 50).unwrap().saving_every(10).unwrap();
    let run = ensemble.run(&problem, &EulerMaruyama, &noise, &both).unwrap();
    let advanced = AtomicBool::new(false);
    let checkpoints = std::thread::scope(|scope| {
        scope.spawn(|| {
            on(2, || run.advance()).unwrap();
            advanced.store(true, Ordering::Relaxed);
        });
        let mut taken = Vec::new();
        while !advanced.load(Ordering::Relaxed) {
            taken.push(run.checkpoint());
        }
        taken
    });
    let result = run.finish().unwrap();
    assert!(checkpoints.len() > 3, "{}", checkpoints.len());
    for checkpoint in checkpoints.iter().step_by(checkpoints.len().div_ceil(8)) {
        let run = ensemble.run(&problem, &EulerMaruyama, &noise, &both).unwrap();
        assert_eq!(run.restore(checkpoint).unwrap().finish().unwrap(), result);
    }
}

/// Half of an ensemble of single precision.
fn half() -> Checkpoint {
    let (problem, noise) = (problem::<f32>(1.0), Brownian::new(9, 2).unwrap());
    let count = AtomicUsize::new(0);
    let flag = AtomicBool::new(false);
    let watched = |progress: Progress| {
        count.fetch_add(1, Ordering::Relaxed);
        flag.store(progress.share > 0.5, Ordering::Relaxed);
    };
    let ensemble = Ensemble::new(3000, 40).unwrap().cancelled_by(&flag).watched_by(&watched);
    let run = ensemble.run(&problem, &EulerMaruyama, &noise, &Moments).unwrap();
    assert!(matches!(run.advance(), Err(SdeError::Cancelled)));
    run.checkpoint()
}

/// What differs, for solves that differ in one thing.
#[test]
fn those_of_other_solves_are_refused() {
    fn refused<T, C, N, K>(
        (ensemble, start, system): (Ensemble<'_>, f64, Linear),
        scheme: &C,
        noise: &N,
        collector: &K,
    ) -> Option<String>
    where
        T: Gaussian,
        C: StochasticScheme<T>,
        N: Noise<T>,
        K: Collect<T>,
    {
        let start = [T::narrow(start), T::narrow(-0.5)];
        let problem = problem_of(system, (0.0, 1.0), &start).unwrap();
        let run = ensemble.run(&problem, scheme, noise, collector).unwrap();
        match run.restore(&half()) {
            Ok(_) => None,
            Err(SdeError::ForeignCheckpoint { what, .. }) => Some(what.to_owned()),
            Err(other) => panic!("{other}"),
        }
    }
    type Set<'a> = (Ensemble<'a>, f64, Linear);
    fn check(set: Set<'_>, seed: u64, expected: Option<&str>) {
        let noise = Brownian::new(seed, 2).unwrap();
        let found = refused::<f32, _, _, _>(set, &EulerMaruyama, &noise, &Moments);
        assert_eq!(found.as_deref(), expected);
    }
    let (whole, functions) = (Ensemble::new(3000, 40).unwrap(), "fingerprint");
    let same = (whole.clone(), 0.2, SYSTEM);
    check(same.clone(), 9, None);
    check(same.clone(), 10, Some(functions));
    check((whole.clone(), 0.21, SYSTEM), 9, Some(functions));
    check((whole.clone(), same.1, Linear { rho: 0.11, ..SYSTEM }), 9, Some(functions));
    check((Ensemble::new(3001, 40).unwrap(), same.1, SYSTEM), 9, Some(functions));
    check((Ensemble::new(3000, 41).unwrap(), same.1, SYSTEM), 9, Some(functions));
    check((whole.clone().starting_at(1), same.1, SYSTEM), 9, Some(functions));
    check((whole.clone().saving_every(40).unwrap(), same.1, SYSTEM), 9, Some(functions));
    let noise = Brownian::new(9, 2).unwrap();
    let found = refused::<f64, _, _, _>(same.clone(), &EulerMaruyama, &noise, &Moments);
    assert_eq!(found.as_deref(), Some("scalar type"));
    let scheme = FractionalEulerMaruyama::default();
    let found = refused::<f32, _, _, _>(same.clone(), &scheme, &noise, &Moments);
    assert_eq!(found.as_deref(), Some("scheme"));
    let found = refused::<f32, _, _, _>(same.clone(), &EulerMaruyama, &noise, &PairMoments);
    assert_eq!(found.as_deref(), Some("fingerprint"));
    let quantiles = Quantiles::new(&[0.5]).unwrap();
    let found = refused::<f32, _, _, _>(same, &EulerMaruyama, &noise, &quantiles);
    assert_eq!(found.as_deref(), Some("fingerprint"));
}

/// Every number of the text changed by one, and every shortened list, is noticed.
#[test]
fn damaged_ones_are_refused() {
    let (problem, noise) = (problem::<f32>(1.0), Brownian::new(9, 2).unwrap());
    let text = serde_json::to_value(half()).unwrap();
    let restore = |text: &serde_json::Value| {
        let checkpoint: Checkpoint = serde_json::from_value(text.clone()).unwrap();
        let ensemble = Ensemble::new(3000, 40).unwrap();
        let run = ensemble.run(&problem, &EulerMaruyama, &noise, &Moments).unwrap();
        run.restore(&checkpoint).map(|_| ())
    };
    restore(&text).unwrap();
    let add = |value: &mut serde_json::Value| *value = (value.as_u64().unwrap() ^ 1).into();
    type Change<'a> = &'a dyn Fn(&mut serde_json::Value);
    let changes: [Change<'_>; 7] = [
        &|text| add(&mut text["version"]),
        &|text| add(&mut text["fingerprint"]),
        &|text| add(&mut text["joined"]),
        &|text| add(&mut text["checksum"]),
        &|text| add(&mut text["collected"][2]),
        &|text| add(&mut text["shards"][0]["tiles"]),
        &|text| drop(text["shards"].as_array_mut().unwrap().pop()),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let mut changed = text.clone();
        change(&mut changed);
        let error = restore(&changed).unwrap_err();
        let noticed = matches!(
            error,
            SdeError::DamagedCheckpoint { .. } | SdeError::ForeignCheckpoint { .. }
        );
        assert!(noticed, "change {number}: {error}");
    }
}
